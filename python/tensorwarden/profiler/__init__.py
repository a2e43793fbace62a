"""Step timelines, system metrics and Python profiles: recording them, reading and analysing them.

Everything here is plain Python over files. pandas, boto3 and pyinstrument are imported by the
functions that need them, so that importing these modules costs nothing."""
