"""Files that are used the same way on disk and in S3, and appear whole or not at all."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from tensorwarden.exceptions import SMDebugError, SMDebugNotImplementedError
from tensorwarden.sagemaker.files import ensure_dir
from tensorwarden.sagemaker.s3 import ReadObjectRequest, S3Handler, client

SMDEBUG_TEMP_PATH_SUFFIX = ".tmp"
WRITE_MODES = ["w", "w+", "wb", "wb+", "a", "a+", "ab", "ab+"]


def get_temp_path(file_path: str) -> str:
    """Where a file is written before it takes its final name."""
    return f"{file_path}{SMDEBUG_TEMP_PATH_SUFFIX}"


class TSAccessBase:
    """What both kinds share: use as a context manager, closed whatever happens."""

    def open(self, *args: Any) -> None:
        raise SMDebugNotImplementedError("open is up to the kind of file")

    def write(self, data: Any) -> Any:
        raise SMDebugNotImplementedError("write is up to the kind of file")

    def flush(self) -> None:
        raise SMDebugNotImplementedError("flush is up to the kind of file")

    def close(self) -> None:
        raise SMDebugNotImplementedError("close is up to the kind of file")

    def has_data(self) -> bool:
        """Whether anything is left to read."""
        raise SMDebugNotImplementedError("has_data is up to the kind of file")

    def __enter__(self) -> TSAccessBase:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class TSAccessFile(TSAccessBase):
    """A file on disk. Writing goes to a temporary name beside it until `close`."""

    def __init__(self, path: str, mode: str):
        self.path = path
        self.mode = mode
        self.open(path, mode)

    def open(self, path: str, mode: str) -> None:
        """Opens for reading, or a fresh temporary file for any way of writing: what a killed
        process left there must not get into this one."""
        self._writes = mode in WRITE_MODES
        if self._writes:
            ensure_dir(path)
            self.temp_path = get_temp_path(path)
            mode = mode.replace("a", "w")
        self._accessor: IO[Any] = Path(self.temp_path if self._writes else path).open(mode)  # noqa: SIM115

    def write(self, _str: Any) -> tuple[int, int]:
        """Writes and tells where that begins and how long it is."""
        start = self._accessor.tell()
        self._accessor.write(_str)
        return (start, len(_str))

    def flush(self) -> None:
        self._accessor.flush()

    def close(self) -> None:
        """Ends writing: only now the file has its name. A second call does nothing."""
        if self._accessor.closed:
            return
        self._accessor.close()
        if self._writes:
            Path(self.temp_path).replace(self.path)

    def ingest_all(self) -> None:
        """Reads the whole file for `read` to hand out."""
        self._data = self._accessor.read()
        self._position = 0

    def read(self, n: int) -> Any:
        """The next `n` bytes of what `ingest_all` took in."""
        if not hasattr(self, "_data"):
            raise SMDebugError(f"{self.path}: call ingest_all() before read()")
        part = self._data[self._position : self._position + n]
        self._position += len(part)
        return part

    def has_data(self) -> bool:
        return hasattr(self, "_data") and self._position < len(self._data)


class TSAccessS3(TSAccessBase):
    """An object in S3: gathered in memory, uploaded by `close`, in parts where it is large."""

    def __init__(
        self,
        bucket_name: str,
        key_name: str,
        aws_access_key_id: str | None = None,
        aws_secret_access_key: str | None = None,
        binary: bool = True,
    ):
        self.bucket_name = bucket_name
        # Repeated slashes would make a key that no path leads back to.
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
        raise SMDebugNotImplementedError("an S3 object needs no opening: make a TSAccessS3 for it")

    def write(self, _data: bytes | str) -> tuple[int, int]:
        """Appends and tells where that begins and how long it is."""
        data = _data.encode() if isinstance(_data, str) else _data
        start = len(self.data)
        self.data += data
        return (start, len(data))

    def close(self) -> None:
        """Uploads, and makes the bucket if there is none. A second call does nothing."""
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
        # The oldest region is the one that may not be named.
        where = {} if region in (None, "us-east-1") else {"LocationConstraint": region}
        kwargs = {"CreateBucketConfiguration": where} if where else {}
        self._client.create_bucket(Bucket=self.bucket_name, **kwargs)

    def flush(self) -> None:
        """Nothing: an object cannot be written in part."""

    def ingest_all(self) -> None:
        """Fetches the whole object for `read` to hand out."""
        path = f"s3://{self.bucket_name}/{self.key_name}"
        data = S3Handler.get_object(ReadObjectRequest(path))
        if data is None:
            raise SMDebugError(f"{path} cannot be read")
        self.data, self._position = bytearray(data), 0
        self.flushed = True

    def read(self, n: int) -> bytes:
        """The next `n` bytes."""
        part = bytes(self.data[self._position : self._position + n])
        self._position += len(part)
        return part

    def has_data(self) -> bool:
        return self._position < len(self.data)

    def __exit__(self, kind: Any, *_: Any) -> None:
        # After an error there is only half an object, which nobody must see.
        if kind is None:
            self.close()
