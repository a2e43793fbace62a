"""What a job's owner can correct."""


class JobError(Exception):
    """Something that the request or its data have wrong; the text says what is accepted."""
