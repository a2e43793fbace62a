"""Sources of profiler files: a folder or S3."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import ENV_TRAIILING_DURATION, TRAILING_DURATION_DEFAULT
from tensorwarden.profiler.common.environment import whole_number
from tensorwarden.sagemaker.files import list_files_in_directory
from tensorwarden.sagemaker.s3 import ReadObjectRequest, S3Handler, is_s3, list_s3_objects


class LocalFiles:
    """Files below folders of a run on disk."""

    def __init__(self, root: str, folders: Sequence[str]):
        self._folders = [f"{root.rstrip('/')}/{folder}" for folder in folders]

    def list(self, time_of: Callable[[str], int | None]) -> Sequence[str]:
        """Returns the paths of all current files; ignores `time_of`."""
        return [path for folder in self._folders for path in list_files_in_directory(folder)]

    def read(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        """Returns the content of each file; None if it cannot be read."""
        return [S3Handler.get_object(ReadObjectRequest(path)) for path in paths]


class S3Files:
    """Objects below prefixes of a run in S3.

    A listing starts a few minutes before the newest known object: uploads may be late by less than
    that, and a long run has many objects.
    """

    def __init__(self, root: str, folders: Sequence[str]):
        on_s3, bucket, key = is_s3(root)
        if not on_s3:
            raise ValueError(f"s3_trial_path is '{root}'; expected a path that begins with s3://")
        self._bucket = bucket or ""
        prefix = (key or "").strip("/")
        self._after = {f"{prefix}/{folder}/".lstrip("/"): "" for folder in folders}
        self._trailing = whole_number(ENV_TRAIILING_DURATION, TRAILING_DURATION_DEFAULT)

    def list(self, time_of: Callable[[str], int | None]) -> Sequence[str]:
        """Returns the paths of objects that may be new.

        `time_of` returns the time in the name of an object, in microseconds.
        """
        found = []
        for prefix, after in self._after.items():
            keys, _ = list_s3_objects(self._bucket, prefix, after or prefix)
            paths = [f"s3://{self._bucket}/{key}" for key in keys]
            times = {key: time_of(path) or 0 for key, path in zip(keys, paths)}
            newest = max(times.values(), default=0)
            old = [key for key in keys if 0 < times[key] < newest - self._trailing]
            if old:
                self._after[prefix] = max(after, max(old))
            found.extend(paths)
        get_logger().debug(f"{len(found)} objects in bucket {self._bucket} may be new")
        return found

    def read(self, paths: Sequence[str]) -> Sequence[bytes | None]:
        """Returns the content of each object; None if it cannot be read."""
        return S3Handler.get_objects([ReadObjectRequest(path) for path in paths])
