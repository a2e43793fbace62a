"""Reads single values by their location in the files of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden import _core
from tensorwarden._core import StatusError
from tensorwarden.base.core_errors import code_of, plain_error
from tensorwarden.base.exceptions import TensorUnavailableForStep
from tensorwarden.files.s3_reading import use_s3

if TYPE_CHECKING:
    import numpy as np


class ReadIndexFilesCache:
    """The names of the index files already read. Beyond a limit it forgets old names."""

    def __init__(self) -> None:
        self.lookup_set: set[str] = set()
        self.cache_limit = 1000

    def has_not_read(self, index_file: str) -> bool:
        """Returns whether the file has not been read."""
        return index_file not in self.lookup_set

    def add(self, index_file: str, start_after_key: str | None) -> None:
        """Remembers the file. Beyond the limit, forgets the names before `start_after_key`."""
        if len(self.lookup_set) > self.cache_limit and start_after_key is not None:
            self.lookup_set = {name for name in self.lookup_set if name >= start_after_key}
        self.lookup_set.add(index_file)


class IndexReader:
    """Base class of the readers; `path` is the location of the run."""

    def __init__(self, path: str):
        self.path = path
        self.index_file_cache = ReadIndexFilesCache()

    def _folder(self) -> str:
        return self.path

    def fetch_tensor_value(self, tensor_location: Any) -> np.ndarray:
        """Returns the tensor at a `TensorLocation` or an object with the same attributes.

        Raises TensorUnavailableForStep if the file does not exist.
        """
        key = tensor_location.event_file_name
        try:
            return _core.read_tensor(
                self._folder(), key, tensor_location.start_idx, tensor_location.length
            )
        except StatusError as error:
            if code_of(error) == "NotFound":
                raise TensorUnavailableForStep(
                    tensor_location.tensorname, tensor_location.mode_step, tensor_location.mode
                ) from error
            raise plain_error(error) from None

    def list_index_files(self, start_after_key: str | None = None) -> list[str]:
        """Returns the paths of the index files in order, optionally only those after a key."""
        return self._list("index/", (".json", ".csv"), start_after_key)

    def list_event_files(self, start_after_key: str | None = None) -> list[str]:
        """Returns the paths of the event files in order, optionally only those after a key."""
        return self._list("events/", (".tfevents",), start_after_key)

    def _list(self, prefix: str, endings: tuple, start_after: str | None) -> list[str]:
        try:
            keys = _core.list_files(self._folder(), prefix)
        except StatusError as error:
            raise plain_error(error) from None
        files = [f"{self.path.rstrip('/')}/{key}" for key in keys if key.endswith(endings)]
        return [file for file in files if start_after is None or file > start_after]


class LocalIndexReader(IndexReader):
    """Reads a run in a local folder."""

    def _folder(self) -> str:
        return str(Path(self.path).expanduser().absolute())


class S3IndexReader(IndexReader):
    """Reads a run in an S3 bucket."""

    def __init__(self, path: str):
        super().__init__(path)
        bucket, _, prefix = path[len("s3://") :].partition("/")
        self.bucket_name = bucket
        self.prefix_name = prefix

    def _folder(self) -> str:
        use_s3()
        return self.path.rstrip("/")
