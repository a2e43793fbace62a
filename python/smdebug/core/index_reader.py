"""See `tensorwarden.index_reader`."""

from tensorwarden.files.index_reader import (
    IndexReader,
    LocalIndexReader,
    ReadIndexFilesCache,
    S3IndexReader,
)

__all__ = ["IndexReader", "LocalIndexReader", "ReadIndexFilesCache", "S3IndexReader"]
