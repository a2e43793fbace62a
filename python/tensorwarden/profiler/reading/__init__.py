"""Reads timelines and system metrics."""
