"""What the GPUs of a run did, in numbers."""

from __future__ import annotations

import json
import os
from typing import Any

from tensorwarden import _core


def kernel_statistics(folder: str | os.PathLike[str], top: int = 1_000_000) -> dict[str, Any]:
    """Returns the statistics of recorded GPU activity, as `warden profile kernels --json` prints
    them.

    `folder` is that of the profiler, such as `runs/a/profiler-output`; `top` is the number of
    kernels, calls and gaps. Raises an error if no kernels were recorded.
    """
    statistics: dict[str, Any] = json.loads(_core.kernel_statistics(os.fspath(folder), top))
    return statistics
