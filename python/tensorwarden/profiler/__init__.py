"""Step timelines, system metrics and Python profiles: recording them, reading and analysing them.

Timelines and metrics are read by the core and kept in columns. pandas is imported by the modules of
frames, boto3, pyinstrument and bokeh by the functions that need them, so that importing the other
modules costs nothing."""
