"""Reads runs in S3, for _core.use_s3."""

def opener() -> object:
    """Returns what _core.use_s3 takes."""
