"""Algorithms that stand for images of Amazon's."""
