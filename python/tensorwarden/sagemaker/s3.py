"""Lists, reads and deletes objects in S3. boto3 is imported when an s3:// path is first used."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from tensorwarden.base.exceptions import SMDebugError, SMDebugTypeError
from tensorwarden.base.log import get_logger

NO_BOTO3 = "boto3 is not installed; S3 requires it: pip install boto3"
DENIED = ("AccessDenied", "403", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken")
MISSING = ("NoSuchKey", "NoSuchBucket", "404")


def is_s3(path: str | os.PathLike[str]) -> tuple[bool, str | None, str | None]:
    """Returns whether `path` begins with s3://, its bucket and its key (None if not)."""
    path = os.fspath(path)
    if not path.startswith("s3://"):
        return (False, None, None)
    bucket, _, key = path[len("s3://") :].partition("/")
    return (True, bucket, key)


def get_region() -> str | None:
    """Returns the region of the job, if the environment sets it."""
    return os.getenv("AWS_REGION") or None


@lru_cache(maxsize=16)
def client() -> Any:
    """Returns the boto3 client of this process. It retries a limited number of times."""
    try:
        import boto3
        from botocore.config import Config
    except ImportError as error:
        raise SMDebugError(NO_BOTO3) from error
    config = Config(retries={"max_attempts": S3Handler.NUM_RETRIES, "mode": "standard"})
    return boto3.client("s3", region_name=get_region(), config=config)


def _failure(error: Exception) -> str:
    """Returns the service's error code, or the exception's type."""
    response = getattr(error, "response", None) or {}
    return str(response.get("Error", {}).get("Code", "")) or type(error).__name__


class ReadObjectRequest:
    """Requests `length` bytes from `start` of an object or a file; without them, all bytes."""

    def __init__(self, path: str, start: int | None = None, length: int | None = None):
        self.is_s3, self.bucket, key = is_s3(path)
        self.key = path if key is None else key
        self.start = 0 if start is None else start
        self.length = length
        self.download_entire_file = start is None


class ListRequest:
    """Requests the keys of a bucket that begin with `Prefix` and come after `StartAfter`."""

    def __init__(self, Bucket: str, Prefix: str = "", Delimiter: str = "", StartAfter: str = ""):
        self.bucket = Bucket
        self.prefix = Prefix
        self.delimiter = Delimiter
        self.start_after = StartAfter


class DeleteRequest:
    """Requests the deletion of all keys that begin with `Prefix`."""

    def __init__(self, Bucket: str, Prefix: str = ""):
        self.bucket = Bucket
        self.prefix = Prefix


class S3Handler:
    """The S3 calls of the readers.

    Wrong credentials raise `SMDebugError`. Other errors are logged and give an empty result.
    """

    NUM_RETRIES = 5
    GET_OBJECTS_MULTIPROCESSING_THRESHOLD = 100
    MULTIPROCESSING_POOL_SIZE = 2 * (os.cpu_count() or 1)
    client = staticmethod(client)

    @staticmethod
    def list_prefixes(list_requests: list[ListRequest]) -> list[list[str]]:
        """Returns the keys for each request."""
        if not isinstance(list_requests, list):
            kind = type(list_requests).__name__
            raise SMDebugTypeError(f"list_requests is {kind}; expected a list of ListRequest")
        return [S3Handler.list_prefix(request) for request in list_requests]

    @staticmethod
    def list_prefix(lr: ListRequest) -> list[str]:
        """Returns the keys for one request, in S3's order."""
        if not isinstance(lr, ListRequest):
            raise SMDebugTypeError(f"lr is {type(lr).__name__}; expected a ListRequest")
        pages = client().get_paginator("list_objects_v2")
        try:
            return [
                item["Key"]
                for page in pages.paginate(
                    Bucket=lr.bucket,
                    Prefix=lr.prefix,
                    Delimiter=lr.delimiter,
                    StartAfter=lr.start_after,
                )
                for item in page.get("Contents", [])
            ]
        except Exception as error:
            S3Handler._report(f"cannot list s3://{lr.bucket}/{lr.prefix}", error)
            return []

    @staticmethod
    def get_object(object_request: ReadObjectRequest) -> bytes | None:
        """Returns the requested bytes; None if they cannot be read."""
        if not isinstance(object_request, ReadObjectRequest):
            kind = type(object_request).__name__
            raise SMDebugTypeError(f"object_request is {kind}; expected a ReadObjectRequest")
        first, length = object_request.start, object_request.length
        if length == 0:
            return b""
        where = object_request.key
        try:
            if not object_request.is_s3:
                with open(object_request.key, "rb") as file:  # noqa: PTH123
                    file.seek(first)
                    return file.read(-1 if length is None else length)
            where = f"s3://{object_request.bucket}/{object_request.key}"
            kwargs = {}
            if not object_request.download_entire_file:
                last = "" if length is None else str(first + length - 1)
                kwargs["Range"] = f"bytes={first}-{last}"
            answer = client().get_object(
                Bucket=object_request.bucket, Key=object_request.key, **kwargs
            )
            return answer["Body"].read()
        except Exception as error:
            S3Handler._report(f"cannot read {where}", error)
            return None

    @staticmethod
    def get_objects(
        object_requests: list[ReadObjectRequest],
        use_multiprocessing: bool = True,
        n_process: int | None = None,
    ) -> list[bytes | None]:
        """Returns the bytes for each request, in order, reading several at the same time."""
        if not isinstance(object_requests, list):
            kind = type(object_requests).__name__
            raise SMDebugTypeError(
                f"object_requests is {kind}; expected a list of ReadObjectRequest"
            )
        if not use_multiprocessing or len(object_requests) < 2:
            return [S3Handler.get_object(request) for request in object_requests]
        workers = n_process or min(S3Handler.MULTIPROCESSING_POOL_SIZE, len(object_requests))
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(S3Handler.get_object, object_requests))

    @staticmethod
    def delete_prefix(path: str | None = None, delete_request: DeleteRequest | None = None) -> None:
        """Deletes everything below an s3:// path, or what a request names. Give exactly one of
        them."""
        if (path is None) == (delete_request is None):
            raise SMDebugError("delete_prefix expects exactly one of path and delete_request")
        if path is not None:
            on_s3, bucket, prefix = is_s3(path)
            if not on_s3:
                raise SMDebugError(f"path is '{path}'; expected a path that begins with s3://")
            delete_request = DeleteRequest(bucket or "", prefix or "")
        if delete_request is not None:
            S3Handler.delete_prefixes([delete_request])

    @staticmethod
    def delete_prefixes(delete_requests: Sequence[DeleteRequest]) -> None:
        """Deletes what each request names, in batches of the size that S3 accepts."""
        for request in delete_requests:
            keys = S3Handler.list_prefix(ListRequest(request.bucket, request.prefix))
            for first in range(0, len(keys), 1000):
                batch = [{"Key": key} for key in keys[first : first + 1000]]
                client().delete_objects(Bucket=request.bucket, Delete={"Objects": batch})

    @staticmethod
    def _report(what: str, error: Exception) -> None:
        """Raises errors that only the user can fix, logs others."""
        if isinstance(error, SMDebugError):
            raise error
        kind = _failure(error)
        if kind in DENIED or "Credential" in kind or kind == "NoRegionError":
            raise SMDebugError(
                f"{what}: {error}. Check the credentials, the region and the permissions of the "
                "bucket"
            ) from error
        level = get_logger().debug if kind in MISSING else get_logger().warning
        level(f"{what}: {error}")


def list_s3_objects(
    bucket: str, prefix: str, start_after_key: str | None = None, delimiter: str = ""
) -> tuple[list[str], str | None]:
    """Returns the keys after `start_after_key` (default: after the prefix), and the last of
    them."""
    after = prefix if start_after_key is None else start_after_key
    keys = S3Handler.list_prefix(ListRequest(bucket, prefix, delimiter, after))
    return keys, keys[-1] if keys else None
