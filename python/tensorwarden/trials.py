"""Trials by the place where the run is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden._core import StatusError
from tensorwarden.exceptions import SMDebugNotImplementedError, SMDebugTypeError, SMDebugValueError
from tensorwarden.trial import Trial
from tensorwarden.trial_errors import code_of

if TYPE_CHECKING:
    from tensorwarden.profiler.trial import ProfilerTrial

_S3 = "s3://"
_FILE = "file://"


class LocalTrial(Trial):
    """A run in a folder of this machine."""

    def __init__(
        self,
        name: str,
        dirname: str,
        range_steps: tuple[int | None, int | None] | None = None,
        parallel: bool = True,
        check: bool = False,
        index_mode: bool = True,
        cache: bool = False,
    ):
        """`parallel` and `check` are accepted and ignored."""
        path = os.path.expanduser(dirname)  # noqa: PTH111 (an unknown user is no error)
        super().__init__(name, path, str(Path(path).absolute()), range_steps, index_mode, cache)
        self.trial_dir = path


class S3Trial(Trial):
    """A run in a bucket."""

    def __init__(
        self,
        name: str,
        bucket_name: str,
        prefix_name: str,
        range_steps: tuple[int | None, int | None] | None = None,
        check: bool = False,
        index_mode: bool = True,
        cache: bool = False,
    ):
        """`check` is accepted and ignored."""
        self.bucket_name = bucket_name
        self.prefix_name = prefix_name
        path = f"{_S3}{bucket_name}/{prefix_name}"
        super().__init__(name, path, path, range_steps, index_mode, cache)

    def _opening_error(self, error: StatusError) -> Exception:
        if code_of(error) == "Invalid":
            return SMDebugNotImplementedError(error.args[1])
        return super()._opening_error(error)


def create_trial(
    path: str,
    name: str | None = None,
    profiler: bool = False,
    output_dir: str = "/opt/ml/processing/outputs/",
    **kwargs: Any,
) -> Trial | ProfilerTrial:
    """Opens a run. Waits until its collections are there.

    Args:
        path: a folder, or s3://bucket/prefix
        name: the last part of the path, if not given
        profiler: open the profiler's output, not the saved tensors
        output_dir: where rules over the profiler's output may write
        kwargs: range_steps, index_mode, cache (see `Trial`)
    """
    try:
        path = os.fspath(path)
    except TypeError:
        raise SMDebugTypeError(f"the path {path!r} is not a str") from None
    path = path.strip()
    if not path:
        raise SMDebugValueError("the path is empty")
    if name is None:
        name = path.rpartition("/")[2]
    if profiler:
        from tensorwarden.profiler.trial import ProfilerTrial

        return ProfilerTrial(name, path, output_dir)
    if path.startswith(_S3):
        bucket, _, prefix = path[len(_S3) :].partition("/")
        return S3Trial(name, bucket, prefix, **kwargs)
    if path.startswith(_FILE):
        path = path[len(_FILE) :]
    return LocalTrial(name, path, **kwargs)
