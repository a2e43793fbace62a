"""Tables and statistics of timelines and system metrics."""
