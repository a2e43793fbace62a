"""The start time of this process."""

from __future__ import annotations

import functools
import os
import time
from pathlib import Path


def process_start_us() -> int:
    """Returns the start time of this process in microseconds since 1970.

    It is exact to the kernel's clock tick. If the kernel does not provide it, this is the time of
    the first call. Every call returns the same value.
    """
    return _start_us(os.getpid())


@functools.lru_cache(maxsize=1)
def _start_us(_: int) -> int:
    now = time.time()
    try:
        # The process name, in parentheses, may contain anything.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        since_boot = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - since_boot
    except (OSError, ValueError, IndexError, AttributeError):
        return int(now * 1e6)
    return int((now - max(age, 0.0)) * 1e6)
