"""Checks the folder that a run is saved in."""

import os
from typing import Optional

from tensorwarden.base.exceptions import SMDebugRuntimeError

# Marks a finished run; written by the core.
END_MARKER = "training_job_end.ts"


def is_s3(out_dir: str) -> bool:
    """Returns whether the run goes to S3."""
    return out_dir.startswith("s3://")


def verify_and_get_out_dir(out_dir: Optional[str]) -> str:
    """Returns the path of the folder with "~" expanded.

    Raises RuntimeError if `out_dir` is None and SMDebugRuntimeError if it holds a finished run.
    """
    if out_dir is None:
        raise RuntimeError("out_dir is missing; expected the folder to save the run in")
    path = os.fspath(out_dir)
    if "://" in path:
        return path
    path = os.path.expanduser(path)  # noqa: PTH111
    if os.path.exists(os.path.join(path, END_MARKER)):  # noqa: PTH110, PTH118
        raise SMDebugRuntimeError(
            f"{path} already contains a finished run; choose another folder or remove it"
        )
    return path
