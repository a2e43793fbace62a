"""The folder that a run is saved in."""

import os
from typing import Optional

from tensorwarden.exceptions import SMDebugRuntimeError

# Marks a finished run; the core writes it.
END_MARKER = "training_job_end.ts"


def verify_and_get_out_dir(out_dir: Optional[str]) -> str:
    """The folder's path, with "~" expanded. RuntimeError if it is missing, SMDebugRuntimeError if
    it holds a finished run."""
    if out_dir is None:
        raise RuntimeError("out_dir is missing: name the folder that the run is saved in")
    path = os.fspath(out_dir)
    if "://" in path:
        return path
    path = os.path.expanduser(path)  # noqa: PTH111
    if os.path.exists(os.path.join(path, END_MARKER)):  # noqa: PTH110, PTH118
        raise SMDebugRuntimeError(
            f"{path} holds a finished run already: name another folder or remove it"
        )
    return path
