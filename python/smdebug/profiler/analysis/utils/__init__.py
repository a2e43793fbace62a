"""Frames, statistics and merged timelines."""
