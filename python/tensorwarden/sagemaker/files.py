"""Folders and files of a run on disk."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from tensorwarden.sagemaker.constants import CLAIM_FILENAME
from tensorwarden.sagemaker.s3 import is_s3


def ensure_dir(file_path: str, is_file: bool = True) -> None:
    """Creates the folder of a file, or with `is_file=False` the folder itself."""
    folder = os.path.dirname(file_path) if is_file else file_path  # noqa: PTH120
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)


def remove_file_if_exists(file_path: str) -> None:
    """Removes a file if it exists."""
    with contextlib.suppress(FileNotFoundError):
        Path(file_path).unlink()


def list_files_in_directory(directory: str, file_regex: str | None = None) -> list[str]:
    """Returns all files below a folder whose path matches; empty if there is no such folder."""
    found = [
        os.path.join(root, name)  # noqa: PTH118
        for root, _, names in os.walk(directory)
        for name in names
    ]
    return [path for path in found if file_regex is None or re.match(file_regex, path)]


def get_immediate_subdirectories(a_dir: str) -> list[str]:
    """Returns the names of the folders directly below a folder; empty if there is no such
    folder."""
    folder = Path(a_dir)
    return sorted(p.name for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else []


def is_first_process(path: str, is_dir: bool = True) -> bool:
    """Returns whether this process is the first to claim a folder, or a flag file with
    `is_dir=False`.

    In S3 every process is first. The claim of a process that has ended counts for the processes of
    the same job: those with the same TRAINING_JOB_NAME, or started by the same process.
    """
    if is_s3(path)[0]:
        return True
    if is_dir:
        from tensorwarden import _core

        return _core.take_claim(os.fspath(path))
    flag = Path(path)
    flag.parent.mkdir(parents=True, exist_ok=True)
    try:
        flag.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def remove_claim_file(path: str) -> None:
    """Releases a claim."""
    if not is_s3(path)[0]:
        remove_file_if_exists(str(Path(path, CLAIM_FILENAME)))
