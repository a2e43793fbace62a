"""Finds the segments of Python profiles of a run."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import (
    CPROFILE_NAME,
    CPROFILE_STATS_FILENAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PYINSTRUMENT_NAME,
)
from tensorwarden.profiler.python.stats import StepPythonProfileStats
from tensorwarden.sagemaker.files import ensure_dir, list_files_in_directory
from tensorwarden.sagemaker.s3 import ListRequest, ReadObjectRequest, S3Handler, is_s3

# Matches <framework>/<profiler>/<node>/<segment>/<file> at the end of a path.
_FILE = re.compile(r"(?:.*/)?([^/]+)/([^/]+)/([^/]+)/([^/]+_[^/]+)/([^/]+)$")
_KINDS = {
    CPROFILE_STATS_FILENAME: CPROFILE_NAME,
    PYINSTRUMENT_JSON_FILENAME: PYINSTRUMENT_NAME,
    PYINSTRUMENT_HTML_FILENAME: PYINSTRUMENT_NAME,
}


def segment_of(path: str) -> StepPythonProfileStats | None:
    """Returns the segment that a file belongs to; None for a file of another kind."""
    match = _FILE.fullmatch(path)
    if match is None or match.group(5) not in _KINDS:
        return None
    framework, _, node, folder, name = match.groups()
    try:
        return StepPythonProfileStats(framework, _KINDS[name], node, folder, path)
    except ValueError as error:
        get_logger().warning(f"skipped {path}: its folder is not named after a segment ({error})")
        return None


class PythonStatsReader:
    """Lists segments; `profile_dir` is the folder of their files on disk."""

    def __init__(self, profile_dir: str):
        self.profile_dir = profile_dir

    def load_python_profile_stats(self) -> list[StepPythonProfileStats]:
        """Returns every file of every current segment, in order of time."""
        found = [segment_of(path) for path in list_files_in_directory(self.profile_dir)]
        segments = [segment for segment in found if segment is not None]
        return sorted(segments, key=lambda s: (s.start_time_since_epoch_in_micros, s.stats_path))


class LocalPythonStatsReader(PythonStatsReader):
    """Reads the folder `<root>/framework/<framework>/<profiler>`."""

    def __init__(self, profile_dir: str):
        if not Path(profile_dir).is_dir():
            raise AssertionError(f"cannot open {profile_dir}: no such folder (local_profile_dir)")
        super().__init__(profile_dir)


class S3PythonStatsReader(PythonStatsReader):
    """Reads a run in S3, downloaded into a folder that is emptied first."""

    def __init__(self, profile_dir: str, s3_path: str):
        on_s3, bucket, prefix = is_s3(s3_path)
        if not on_s3:
            raise AssertionError(f"s3_path is '{s3_path}'; expected a path that begins with s3://")
        super().__init__(str(Path(profile_dir, "python_stats")))
        self.bucket_name = bucket or ""
        self.prefix = f"{(prefix or '').strip('/')}/framework/".lstrip("/")
        shutil.rmtree(self.profile_dir, ignore_errors=True)
        ensure_dir(self.profile_dir, is_file=False)

    def load_python_profile_stats(self) -> list[StepPythonProfileStats]:
        """Downloads new segments and returns every file of every segment, in order of time."""
        keys = S3Handler.list_prefix(ListRequest(self.bucket_name, self.prefix))
        wanted = []
        for key in keys:
            target = Path(self.profile_dir, key[len(self.prefix) :])
            # A segment never changes after it was written.
            if segment_of(key) is not None and not target.exists():
                wanted.append((key, target))
        paths = [f"s3://{self.bucket_name}/{key}" for key, _ in wanted]
        contents = S3Handler.get_objects([ReadObjectRequest(path) for path in paths])
        for (_, target), data in zip(wanted, contents):
            if data is not None and ".." not in target.parts:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        return super().load_python_profile_stats()
