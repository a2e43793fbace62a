"""The place of this process among the tasks of a Slurm step."""

import os
from typing import Optional, Tuple


def find_task() -> Optional[Tuple[int, int]]:
    """Returns rank and number of the tasks that train together under `warden run`.

    None outside of `warden run` and of steps with several tasks: tasks of other programs may
    train separately.
    """
    if os.environ.get("TENSORWARDEN_SLURM") != "1":
        return None
    try:
        rank, size = (int(os.environ[name]) for name in ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"))
    except (KeyError, ValueError):
        return None
    return (rank, size) if 0 <= rank < size and size > 1 else None
