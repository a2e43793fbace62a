"""Data frames, statistics and merged timelines."""
