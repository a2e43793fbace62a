"""Profiles of Python code: taken in the training, and analyzed."""
