"""See `tensorwarden.index_reader`."""

from tensorwarden.index_reader import (
    IndexReader,
    LocalIndexReader,
    ReadIndexFilesCache,
    S3IndexReader,
)

__all__ = ["IndexReader", "LocalIndexReader", "ReadIndexFilesCache", "S3IndexReader"]
