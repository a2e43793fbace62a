"""Names of workers, and the paths of their files."""

from __future__ import annotations

import os
import re
from pathlib import Path

from tensorwarden.base.exceptions import IndexReaderException, SMDebugValueError
from tensorwarden.sagemaker.files import list_files_in_directory

_STEP_FILE = re.compile(r"(\d+)_(.+)\.(?:json|csv|tfevents)$")
_COLLECTIONS_FILE = re.compile(r"(?:.*/)?collections/[^/]+/(.+)_collections\.(?:json|ts)$")


def serialize_tf_device(device: str) -> str:
    """Converts a TensorFlow device name to a part of a file name."""
    return device.replace("/", "_").replace(":", "-")


def deserialize_tf_device(device_name: str) -> str:
    """Converts a part of a file name back to a TensorFlow device name."""
    return device_name.replace("_", "/").replace("-", ":")


def parse_worker_name_from_file(filename: str) -> str:
    """Returns the worker that wrote an index or event file. Raises IndexReaderException."""
    match = _STEP_FILE.fullmatch(Path(filename).name)
    if match is None:
        raise IndexReaderException(
            f"Invalid File Found: {filename} is not named <step>_<worker>.json, .csv or .tfevents"
        )
    # A device name begins with a slash, so its file name has two underscores after the step. Only
    # the file name counts, not its folder.
    worker = match.group(2)
    return deserialize_tf_device(worker) if worker.startswith("_") else worker


def get_worker_name_from_collection_file(filename: str) -> str:
    """Returns the worker that wrote a collections file. Raises SMDebugValueError for another
    name."""
    match = _COLLECTIONS_FILE.fullmatch(os.fspath(filename))
    if match is None:
        raise SMDebugValueError(
            f"'{filename}' is not a collections file; expected "
            "collections/<folder>/<worker>_collections.json"
        )
    worker = match.group(1)
    return deserialize_tf_device(worker) if worker.startswith("_") else worker


def get_path_to_collections(directory: str) -> str:
    """Returns the folder of the collections files of a run."""
    return f"{os.fspath(directory).rstrip('/')}/collections/000000000/"


def get_path_to_events_directory(path: str) -> str:
    """Returns the folder of the event files of a run."""
    return f"{os.fspath(path).rstrip('/')}/events/"


def get_relative_event_file_path(path: str) -> str:
    """Returns the last three components of an event file's path, as used in index files."""
    return "/".join(os.fspath(path).split("/")[-3:])


def list_collection_files_in_directory(directory: str) -> list[str]:
    """Returns the collections files below a folder."""
    return sorted(list_files_in_directory(directory, r".*_?collections\.json$"))
