"""Names of workers, and where files that belong to one lie."""

from __future__ import annotations

import re
from pathlib import Path

from tensorwarden.exceptions import IndexReaderException, SMDebugValueError
from tensorwarden.sagemaker.files import list_files_in_directory

_STEP_FILE = re.compile(r"(\d+)_(.+)\.(?:json|csv|tfevents)$")
_COLLECTIONS_FILE = re.compile(r"(?:.*/)?collections/[^/]+/(.+)_collections\.(?:json|ts)$")


def serialize_tf_device(device: str) -> str:
    """A TensorFlow device as part of a file name."""
    return device.replace("/", "_").replace(":", "-")


def deserialize_tf_device(device_name: str) -> str:
    """The device back from the file name."""
    return device_name.replace("_", "/").replace("-", ":")


def parse_worker_name_from_file(filename: str) -> str:
    """The worker that wrote an index or event file."""
    match = _STEP_FILE.fullmatch(Path(filename).name)
    if match is None:
        raise IndexReaderException(
            f"Invalid File Found: {filename} is not named <step>_<worker>.json, .csv or .tfevents"
        )
    # A device begins with a slash, so that its file name has two underscores after the step. Only
    # the name counts: a folder with two underscores says nothing.
    worker = match.group(2)
    return deserialize_tf_device(worker) if worker.startswith("_") else worker


def get_worker_name_from_collection_file(filename: str) -> str:
    """The worker that wrote a manifest of collections."""
    match = _COLLECTIONS_FILE.fullmatch(filename)
    if match is None:
        raise SMDebugValueError(
            f"'{filename}' is no collections file: collections/<folder>/<worker>_collections.json "
            "is expected"
        )
    worker = match.group(1)
    return deserialize_tf_device(worker) if worker.startswith("_") else worker


def get_path_to_collections(directory: str) -> str:
    """The folder of the manifests of a run."""
    return f"{directory.rstrip('/')}/collections/000000000/"


def get_path_to_events_directory(path: str) -> str:
    """The folder of the event files of a run."""
    return f"{path.rstrip('/')}/events/"


def get_relative_event_file_path(path: str) -> str:
    """The last three parts of an event file's path, as index files name it."""
    return "/".join(path.split("/")[-3:])


def list_collection_files_in_directory(directory: str) -> list[str]:
    """The manifests below a folder."""
    return sorted(list_files_in_directory(directory, r".*_?collections\.json$"))
