"""Finds the line of a script that called a function of a framework."""

import sys
import sysconfig
from pathlib import Path
from typing import Optional, Tuple

_PATHS = sysconfig.get_paths()
# Code below these folders belongs to libraries.
_LIBRARIES: Tuple[str, ...] = tuple(
    {
        *(_PATHS[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")),
        str(Path(__file__).resolve().parents[1]),
        "<",
    }
)
# Parts of the paths of libraries that were installed elsewhere: an environment may use the packages
# of another one. The last is in those of what TensorFlow makes of functions.
_OF_LIBRARIES = ("/site-packages/", "/dist-packages/", "__autograph_generated")
_MOST_FRAMES = 64


def calling_line(until: str = "") -> Optional[str]:
    """Returns "train.py:42", the innermost frame of this thread outside of libraries. `until`: the
    file of a caller beyond which nothing counts."""
    frame = sys._getframe(1)
    for _ in range(_MOST_FRAMES):
        path = frame.f_code.co_filename
        if path == until:
            return None
        if is_of_script(path):
            return f"{Path(path).name}:{frame.f_lineno}"
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return None


def is_of_script(path: str) -> bool:
    """Returns whether code in this file does not belong to a library."""
    return not path.startswith(_LIBRARIES) and not any(part in path for part in _OF_LIBRARIES)
