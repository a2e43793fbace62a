"""Objects in S3: listing, reading, deleting. boto3 is loaded at the first use of an s3:// path."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from tensorwarden.exceptions import SMDebugError, SMDebugTypeError
from tensorwarden.log import get_logger

NO_BOTO3 = "boto3 is not installed, and S3 cannot be reached without it: pip install boto3"
DENIED = ("AccessDenied", "403", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken")
MISSING = ("NoSuchKey", "NoSuchBucket", "404")


def is_s3(path: str) -> tuple[bool, str | None, str | None]:
    """Whether `path` begins with s3://, and its bucket and key (None if not)."""
    if not path.startswith("s3://"):
        return (False, None, None)
    bucket, _, key = path[len("s3://") :].partition("/")
    return (True, bucket, key)


def get_region() -> str | None:
    """The region that the job runs in, if the environment says so."""
    return os.getenv("AWS_REGION") or None


@lru_cache(maxsize=16)
def client() -> Any:
    """The one boto3 client of this process; its own retries give up on a dead server in time."""
    try:
        import boto3
        from botocore.config import Config
    except ImportError as error:
        raise SMDebugError(NO_BOTO3) from error
    config = Config(retries={"max_attempts": S3Handler.NUM_RETRIES, "mode": "standard"})
    return boto3.client("s3", region_name=get_region(), config=config)


def _failure(error: Exception) -> str:
    """The service's own code for a refused call, else the kind of error."""
    response = getattr(error, "response", None) or {}
    return str(response.get("Error", {}).get("Code", "")) or type(error).__name__


class ReadObjectRequest:
    """Asks for `length` bytes from `start` of an object or a file, or, without them, for all."""

    def __init__(self, path: str, start: int | None = None, length: int | None = None):
        self.is_s3, self.bucket, self.key = is_s3(path)
        if not self.is_s3:
            self.key = path
        self.start = 0 if start is None else start
        self.length = length
        self.download_entire_file = start is None


class ListRequest:
    """Asks for the keys of a bucket that begin with `Prefix` and come after `StartAfter`."""

    def __init__(self, Bucket: str, Prefix: str = "", Delimiter: str = "", StartAfter: str = ""):
        self.bucket = Bucket
        self.prefix = Prefix
        self.delimiter = Delimiter
        self.start_after = StartAfter


class DeleteRequest:
    """Asks that all keys that begin with `Prefix` go."""

    def __init__(self, Bucket: str, Prefix: str = ""):
        self.bucket = Bucket
        self.prefix = Prefix


class S3Handler:
    """The calls that the readers make. Wrong credentials raise `SMDebugError`; anything else that
    the service answers is one line in the log and an empty result."""

    NUM_RETRIES = 5
    GET_OBJECTS_MULTIPROCESSING_THRESHOLD = 100
    MULTIPROCESSING_POOL_SIZE = 2 * (os.cpu_count() or 1)
    client = staticmethod(client)

    @staticmethod
    def list_prefixes(list_requests: list[ListRequest]) -> list[list[str]]:
        """The keys for each request."""
        if not isinstance(list_requests, list):
            kind = type(list_requests).__name__
            raise SMDebugTypeError(f"list_prefixes takes a list of ListRequest, not {kind}")
        return [S3Handler.list_prefix(request) for request in list_requests]

    @staticmethod
    def list_prefix(lr: ListRequest) -> list[str]:
        """The keys for one request, in S3's order."""
        if not isinstance(lr, ListRequest):
            raise SMDebugTypeError(f"list_prefix takes a ListRequest, not {type(lr).__name__}")
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
            S3Handler._report(f"s3://{lr.bucket}/{lr.prefix} cannot be listed", error)
            return []

    @staticmethod
    def get_object(object_request: ReadObjectRequest) -> bytes | None:
        """The bytes asked for; None if they cannot be had."""
        if not isinstance(object_request, ReadObjectRequest):
            kind = type(object_request).__name__
            raise SMDebugTypeError(f"get_object takes a ReadObjectRequest, not {kind}")
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
            S3Handler._report(f"{where} cannot be read", error)
            return None

    @staticmethod
    def get_objects(
        object_requests: list[ReadObjectRequest],
        use_multiprocessing: bool = True,
        n_process: int | None = None,
    ) -> list[bytes | None]:
        """The bytes for each request, in their order; many are fetched side by side."""
        if not isinstance(object_requests, list):
            kind = type(object_requests).__name__
            raise SMDebugTypeError(f"get_objects takes a list of ReadObjectRequest, not {kind}")
        if not use_multiprocessing or len(object_requests) < 2:
            return [S3Handler.get_object(request) for request in object_requests]
        workers = n_process or min(S3Handler.MULTIPROCESSING_POOL_SIZE, len(object_requests))
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(S3Handler.get_object, object_requests))

    @staticmethod
    def delete_prefix(path: str | None = None, delete_request: DeleteRequest | None = None) -> None:
        """Deletes all below an s3:// path, or all that a request names: exactly one of the two."""
        if (path is None) == (delete_request is None):
            raise SMDebugError("delete_prefix takes either path or delete_request, exactly one")
        if path is not None:
            on_s3, bucket, prefix = is_s3(path)
            if not on_s3:
                raise SMDebugError(f"path is '{path}': only a path that begins with s3:// is taken")
            delete_request = DeleteRequest(bucket or "", prefix or "")
        S3Handler.delete_prefixes([delete_request])

    @staticmethod
    def delete_prefixes(delete_requests: Sequence[DeleteRequest]) -> None:
        """Deletes what each request names, as many keys at once as S3 takes."""
        for request in delete_requests:
            keys = S3Handler.list_prefix(ListRequest(request.bucket, request.prefix))
            for first in range(0, len(keys), 1000):
                batch = [{"Key": key} for key in keys[first : first + 1000]]
                client().delete_objects(Bucket=request.bucket, Delete={"Objects": batch})

    @staticmethod
    def _report(what: str, error: Exception) -> None:
        """Raises where only the user can help, and writes a line otherwise."""
        if isinstance(error, SMDebugError):
            raise error
        kind = _failure(error)
        if kind in DENIED or "Credential" in kind or kind == "NoRegionError":
            raise SMDebugError(
                f"{what}: {error}. Check the credentials, the region and the bucket's rights"
            ) from error
        level = get_logger().debug if kind in MISSING else get_logger().warning
        level(f"{what}: {error}")


def list_s3_objects(
    bucket: str, prefix: str, start_after_key: str | None = None, delimiter: str = ""
) -> tuple[list[str], str | None]:
    """The keys after `start_after_key` (default: after the prefix), and the last of them."""
    after = prefix if start_after_key is None else start_after_key
    keys = S3Handler.list_prefix(ListRequest(bucket, prefix, delimiter, after))
    return keys, keys[-1] if keys else None
