"""Removes frames of this package from tracebacks that users see."""

import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, Set

_AUTO = Path(__file__).resolve().parent
# The start of the paths of wrappers around functions of a framework.
_OURS = (
    str(_AUTO),
    str(_AUTO.parent / "adapters/pytorch/compiling"),
    str(_AUTO.parent / "adapters/pytorch/profiling"),
    str(_AUTO.parent / "base/patching"),
)
# Where `python -m tensorwarden` enters a script. Earlier frames do not concern the script.
_ENTRY = str(_AUTO / "launch/script.py")


def hide_our_frames() -> None:
    """Wraps the current handler of uncaught exceptions."""
    show = sys.excepthook

    def excepthook(kind: Any, error: BaseException, traceback: Optional[TracebackType]) -> None:
        try:
            _strip_all(error, set())
            traceback = _without_ours(traceback)
        except Exception:
            pass  # An extra frame is better than no traceback.
        show(kind, error, traceback)

    sys.excepthook = excepthook


def _strip_all(error: Optional[BaseException], seen: Set[int]) -> None:
    """Strips the exception and its causes."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    error.__traceback__ = _without_ours(error.__traceback__)
    _strip_all(error.__cause__, seen)
    _strip_all(error.__context__, seen)


def _without_ours(traceback: Optional[TracebackType]) -> Optional[TracebackType]:
    at = traceback
    while at is not None:
        if at.tb_frame.f_code.co_filename == _ENTRY:
            traceback = at.tb_next
        at = at.tb_next
    while traceback is not None and _is_ours(traceback):
        traceback = traceback.tb_next
    at = traceback
    while at is not None:
        while at.tb_next is not None and _is_ours(at.tb_next):
            at.tb_next = at.tb_next.tb_next
        at = at.tb_next
    return traceback


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(_OURS)
