"""Analysis of profiler data."""
