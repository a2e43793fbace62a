"""The configuration of the profiler."""
