"""Files on disk and in S3 with the same interface. A file appears complete or not at all."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from tensorwarden.base.exceptions import SMDebugError, SMDebugNotImplementedError
from tensorwarden.sagemaker.files import ensure_dir
from tensorwarden.sagemaker.s3 import ReadObjectRequest, S3Handler, client

SMDEBUG_TEMP_PATH_SUFFIX = ".tmp"
WRITE_MODES = ["w", "w+", "wb", "wb+", "a", "a+", "ab", "ab+"]


def get_temp_path(file_path: str) -> str:
    """Returns the temporary name under which a file is written."""
    return f"{file_path}{SMDEBUG_TEMP_PATH_SUFFIX}"


class TSAccessBase:
    """Base class of both kinds of files; a context manager that closes the file."""

    def open(self, *args: Any) -> None:
        """Opens the file."""
        raise SMDebugNotImplementedError("open is not implemented by this class")

    def write(self, data: Any) -> Any:
        """Writes data."""
        raise SMDebugNotImplementedError("write is not implemented by this class")

    def flush(self) -> None:
        """Writes buffered data."""
        raise SMDebugNotImplementedError("flush is not implemented by this class")

    def close(self) -> None:
        """Closes the file."""
        raise SMDebugNotImplementedError("close is not implemented by this class")

    def has_data(self) -> bool:
        """Returns whether there is data left to read."""
        raise SMDebugNotImplementedError("has_data is not implemented by this class")

    def __enter__(self) -> TSAccessBase:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class TSAccessFile(TSAccessBase):
    """A file on disk. Writes go to a temporary file next to it until `close`."""

    def __init__(self, path: str, mode: str):
        self.path = path
        self.mode = mode
        self.open(path, mode)

    def open(self, path: str, mode: str) -> None:
        """Opens the file for reading, or a new temporary file for writing.

        An old temporary file, left by a killed process, is overwritten.
        """
        self._writes = mode in WRITE_MODES
        if self._writes:
            ensure_dir(path)
            self.temp_path = get_temp_path(path)
            mode = mode.replace("a", "w")
        self._accessor: IO[Any] = Path(self.temp_path if self._writes else path).open(mode)  # noqa: SIM115

    def write(self, _str: Any) -> tuple[int, int]:
        """Writes data and returns its position and length."""
        start = self._accessor.tell()
        self._accessor.write(_str)
        return (start, len(_str))

    def flush(self) -> None:
        """Writes buffered data."""
        self._accessor.flush()

    def close(self) -> None:
        """Closes the file. A written file gets its final name only now."""
        if self._accessor.closed:
            return
        self._accessor.close()
        if self._writes:
            Path(self.temp_path).replace(self.path)

    def ingest_all(self) -> None:
        """Reads the whole file for `read`."""
        self._data = self._accessor.read()
        self._position = 0

    def read(self, n: int) -> Any:
        """Returns the next `n` bytes. Raises SMDebugError before `ingest_all`."""
        if not hasattr(self, "_data"):
            raise SMDebugError(f"cannot read {self.path}: call ingest_all() before read()")
        part = self._data[self._position : self._position + n]
        self._position += len(part)
        return part

    def has_data(self) -> bool:
        """Returns whether there is data left to read."""
        return hasattr(self, "_data") and self._position < len(self._data)


class TSAccessS3(TSAccessBase):
    """An object in S3, buffered in memory and uploaded by `close`."""

    def __init__(
        self,
        bucket_name: str,
        key_name: str,
        aws_access_key_id: str | None = None,
        aws_secret_access_key: str | None = None,
        binary: bool = True,
    ):
        self.bucket_name = bucket_name
        # A key with repeated slashes could not be reached through a path.
        self.key_name = re.sub("/+", "/", key_name)
        self.binary = binary
        self._client = client()
        if aws_access_key_id and aws_secret_access_key:
            import boto3

            self._client = boto3.client(
                "s3",
                aws_access_key_id=aws_access_key_id,
                aws_secret_access_key=aws_secret_access_key,
            )
        self.data = bytearray()
        self.flushed = False
        self._position = 0

    def open(self, bucket_name: str, mode: str) -> None:
        """Raises SMDebugNotImplementedError: an S3 object needs no opening."""
        raise SMDebugNotImplementedError(
            "open is not supported for S3 objects; create a TSAccessS3 instead"
        )

    def write(self, _data: bytes | str) -> tuple[int, int]:
        """Appends data and returns its position and length."""
        data = _data.encode() if isinstance(_data, str) else _data
        start = len(self.data)
        self.data += data
        return (start, len(data))

    def close(self) -> None:
        """Uploads the object, creating a missing bucket. A second call does nothing."""
        if self.flushed:
            return
        try:
            self._client.head_bucket(Bucket=self.bucket_name)
        except self._client.exceptions.ClientError:
            self._make_bucket()
        self._client.upload_fileobj(BytesIO(bytes(self.data)), self.bucket_name, self.key_name)
        self.flushed = True

    def _make_bucket(self) -> None:
        region = self._client.meta.region_name
        # us-east-1 is the default and must not be named.
        where = {} if region in (None, "us-east-1") else {"LocationConstraint": region}
        kwargs = {"CreateBucketConfiguration": where} if where else {}
        self._client.create_bucket(Bucket=self.bucket_name, **kwargs)

    def flush(self) -> None:
        """Does nothing: S3 objects cannot be written partially."""

    def ingest_all(self) -> None:
        """Downloads the whole object for `read`. Raises SMDebugError on failure."""
        path = f"s3://{self.bucket_name}/{self.key_name}"
        data = S3Handler.get_object(ReadObjectRequest(path))
        if data is None:
            raise SMDebugError(f"cannot read {path}")
        self.data, self._position = bytearray(data), 0
        self.flushed = True

    def read(self, n: int) -> bytes:
        """Returns the next `n` bytes."""
        part = bytes(self.data[self._position : self._position + n])
        self._position += len(part)
        return part

    def has_data(self) -> bool:
        """Returns whether there is data left to read."""
        return self._position < len(self.data)

    def __exit__(self, kind: Any, *_: Any) -> None:
        # After an error the object is incomplete and must not become visible.
        if kind is None:
            self.close()
