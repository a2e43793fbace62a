"""The locations of the files of a run: events, index, TensorBoard."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from tensorwarden.base.exceptions import IndexReaderException
from tensorwarden.base.log import get_logger
from tensorwarden.base.modes import ModeKeys
from tensorwarden.sagemaker.files import get_immediate_subdirectories
from tensorwarden.sagemaker.workers import serialize_tf_device

STEP_NUMBER_FORMATTING_LENGTH = "012"


def _join(*given: str) -> str:
    """Joins parts with slashes, also for S3; skips empty parts."""
    parts = [os.fspath(part) for part in given]
    return "/".join(part.rstrip("/") if i else part for i, part in enumerate(parts) if part)


def _worker(name: str) -> str:
    """Returns a name without slashes, which device names contain."""
    return serialize_tf_device(name) if name.startswith("/") else name


class TensorLocation:
    """The location of a tensor in an event file."""

    def __init__(
        self,
        tname: str,
        mode: ModeKeys,
        mode_step: int,
        event_file_name: str,
        start_idx: int,
        length: int,
        worker: str,
    ):
        self.tensorname = tname
        self.mode = mode
        self.mode_step = int(mode_step)
        self.event_file_name = event_file_name
        self.start_idx = start_idx
        self.length = length
        self.worker = worker

    def to_dict(self) -> dict[str, Any]:
        """Returns its entry in an index file."""
        return {
            "tensorname": self.tensorname,
            "start_idx": self.start_idx,
            "length": self.length,
        }


class TensorShape:
    """The shape of a tensor at a step, saved with or without its value."""

    def __init__(
        self,
        name: str,
        mode: ModeKeys,
        mode_step: int,
        shape: tuple[int, ...],
        original_name: str | None = None,
    ):
        self.name = name
        self.original_name = name if original_name is None else original_name
        self.mode = mode
        self.mode_step = mode_step
        self.shape = shape

    def to_dict(self) -> dict[str, Any]:
        """Returns its entry in an index file."""
        return {
            "tensorname": self.name,
            "originalname": self.original_name,
            "shape": self.shape,
        }


class EventFileLocation:
    """The event file of one step and one worker."""

    type = "events"
    _NAME = re.compile(r"(?:.*/)?(\d+)_(.+)\.tfevents$")

    def __init__(self, step_num: int, worker_name: str):
        self.step_num = int(step_num)
        self.worker_name = worker_name

    def get_step_num_str(self) -> str:
        """Returns the step number with leading zeros."""
        return format(self.step_num, STEP_NUMBER_FORMATTING_LENGTH)

    def get_filename(self) -> str:
        """Returns the name of the file."""
        return f"{self.get_step_num_str()}_{_worker(self.worker_name)}.tfevents"

    @classmethod
    def match_regex(cls, s: str) -> EventFileLocation | None:
        """Returns the location for a file name; None if the name does not match."""
        return cls.load_filename(s, print_error=False)

    @classmethod
    def load_filename(cls, s: str, print_error: bool = True) -> EventFileLocation | None:
        """Returns the location for a file name; logs an error and returns None if it does not
        match."""
        match = cls._NAME.fullmatch(s)
        if match is None:
            if print_error:
                get_logger().error(f"file name is '{s}'; expected <step>_<worker>.tfevents")
            return None
        return cls(int(match.group(1)), match.group(2))

    def get_file_location(self, base_dir: str = "") -> str:
        """Returns the path of the file below the run's folder."""
        raise NotImplementedError


class TensorFileLocation(EventFileLocation):
    """An event file with tensors, in one folder per step."""

    @staticmethod
    def get_dir(trial_dir: str) -> str:
        """Returns the folder of the event files."""
        return _join(trial_dir, "events")

    def get_file_location(self, trial_dir: str = "") -> str:
        """Returns the path of the file below the run's folder."""
        return _join(self.get_dir(trial_dir), self.get_step_num_str(), self.get_filename())

    @classmethod
    def get_step_dirs(cls, trial_dir: str) -> list[str]:
        """Returns the names of the folders of the saved steps, in order."""
        return get_immediate_subdirectories(cls.get_dir(trial_dir))

    @classmethod
    def get_step_dir_path(cls, trial_dir: str, step_num: int) -> str:
        """Returns the folder of a step."""
        return _join(cls.get_dir(trial_dir), format(int(step_num), STEP_NUMBER_FORMATTING_LENGTH))


class TensorboardFileLocation(EventFileLocation):
    """An event file for TensorBoard, in one folder per mode."""

    type = "tensorboard"

    def __init__(self, step_num: int, worker_name: str, mode: ModeKeys | None = None):
        super().__init__(step_num, worker_name)
        self.mode = mode

    def get_file_location(self, base_dir: str = "") -> str:
        """Returns the path of the file below the run's folder."""
        return _join(base_dir, self.mode.name if self.mode else "", self.get_filename())


class IndexFileLocationUtils:
    """Paths of index files, in one folder per thousand steps."""

    MAX_INDEX_FILE_NUM_IN_INDEX_PREFIX = 1000

    @staticmethod
    def get_index_prefix_for_step(step_num: int) -> str:
        """Returns the folder of a step's index file."""
        return f"{step_num // IndexFileLocationUtils.MAX_INDEX_FILE_NUM_IN_INDEX_PREFIX:09}"

    @staticmethod
    def next_index_prefix_for_step(step_num: int) -> str:
        """Returns the folder after that of a step's index file."""
        size = IndexFileLocationUtils.MAX_INDEX_FILE_NUM_IN_INDEX_PREFIX
        return f"{step_num // size + 1:09}"

    @staticmethod
    def get_index_key_for_step(trial_prefix: str, step_num: int, worker_name: str) -> str:
        """Returns the path of the index file of a step and worker."""
        return _join(
            IndexFileLocationUtils.get_index_path(trial_prefix),
            IndexFileLocationUtils.get_index_prefix_for_step(step_num),
            f"{format(step_num, STEP_NUMBER_FORMATTING_LENGTH)}_{_worker(worker_name)}.json",
        )

    @staticmethod
    def parse_step_from_index_file_name(index_file_name: str) -> int:
        """Returns the step of an index file. Raises IndexReaderException for another name."""
        step = Path(index_file_name).name.split("_")[0]
        if not step.isdigit():
            raise IndexReaderException(
                f"file name is '{index_file_name}'; expected <step>_<worker>.json"
            )
        return int(step)

    get_step_from_idx_filename = parse_step_from_index_file_name

    @staticmethod
    def get_index_path(path: str) -> str:
        """Returns the folder of all index files of a run."""
        return _join(path, "index")

    @staticmethod
    def get_prefix_from_index_file(index_file: str) -> str:
        """Returns the folder of the run that an index file belongs to; "" at the root of a
        bucket."""
        match = re.match(r"(?:(.+)/)?index/[^/]+/[^/]+$", index_file)
        if match is None:
            raise IndexReaderException(
                f"'{index_file}' is not an index file; expected <run>/index/<folder>/<file>"
            )
        return match.group(1) or ""
