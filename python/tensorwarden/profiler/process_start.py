"""When this process began."""

from __future__ import annotations

import functools
import os
import time
from pathlib import Path


def process_start_us() -> int:
    """Microseconds since 1970, as exactly as the kernel tells: to its clock tick. Where it does
    not, the moment of the first call. The same at each call."""
    return _start_us(os.getpid())


@functools.lru_cache(maxsize=1)
def _start_us(_: int) -> int:
    now = time.time()
    try:
        # The name, in parentheses, may hold anything.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        since_boot = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - since_boot
    except (OSError, ValueError, IndexError, AttributeError):
        return int(now * 1e6)
    return int((now - max(age, 0.0)) * 1e6)
