"""Opens trials by location."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from tensorwarden import _core
from tensorwarden._core import StatusError
from tensorwarden.base.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.files.s3_reading import use_s3
from tensorwarden.trial.trial import Trial

if TYPE_CHECKING:
    from tensorwarden.files.index_reader import IndexReader
    from tensorwarden.profiler.trial import ProfilerTrial

_S3 = "s3://"
_FILE = "file://"


class LocalTrial(Trial):
    """A run in a local folder."""

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
        path = os.path.expanduser(dirname)  # noqa: PTH111 (an unknown user is not an error)
        super().__init__(name, path, str(Path(path).absolute()), range_steps, index_mode, cache)
        self.trial_dir = path


class S3Trial(Trial):
    """A run in an S3 bucket. Only the parts that are asked for are read."""

    _open_slice_s = 2.0  # A look is several requests.

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
        use_s3()
        super().__init__(name, path, path.rstrip("/"), range_steps, index_mode, cache)

    def _open(self, url: str, begin: int | None, end: int | None) -> _core.Trial:
        # A run that is not there yet is waited for, a server is not.
        try:
            _core.list_files(url, "collections/")
        except StatusError as error:
            raise self._opening_error(error) from None
        return super()._open(url, begin, end)

    @property
    def index_reader(self) -> IndexReader:
        """A reader for single values by their location in the files of the run."""
        from tensorwarden.files.index_reader import S3IndexReader

        return S3IndexReader(self.path)


@overload
def create_trial(
    path: str | os.PathLike[str],
    name: str | None = None,
    profiler: Literal[False] = False,
    output_dir: str = ...,
    **kwargs: Any,
) -> Trial: ...


@overload
def create_trial(
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    profiler: Literal[True],
    output_dir: str = ...,
    **kwargs: Any,
) -> ProfilerTrial: ...


@overload
def create_trial(
    path: str | os.PathLike[str],
    name: str | None = None,
    profiler: bool = False,
    output_dir: str = ...,
    **kwargs: Any,
) -> Trial | ProfilerTrial: ...


def create_trial(
    path: str | os.PathLike[str],
    name: str | None = None,
    profiler: bool = False,
    output_dir: str = "/opt/ml/processing/outputs/",
    **kwargs: Any,
) -> Trial | ProfilerTrial:
    """Opens a run. Waits until its collections exist.

    Args:
        path: A folder, or s3://bucket/prefix.
        name: A label (default: the last component of the path).
        profiler: Whether to open the profiler output instead of the saved tensors.
        output_dir: The folder that rules on profiler output can write to.
        **kwargs: range_steps, index_mode, cache; see `Trial`.

    Raises SMDebugTypeError or SMDebugValueError if the path is not a path or is empty.
    """
    try:
        path = os.fspath(path)
    except TypeError:
        raise SMDebugTypeError(f"path is {path!r}; expected a string") from None
    path = path.strip()
    if not path:
        raise SMDebugValueError("path is empty; expected a folder or s3://bucket/prefix")
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
