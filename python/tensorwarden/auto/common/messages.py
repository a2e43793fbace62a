"""Messages among the output of a script: few, and on standard error."""

import os
import sys


def warn(text: str) -> None:
    """Writes one line that the user must see."""
    _write(text)


def inform(text: str) -> None:
    """Writes one line for interactive use; in pipelines the script's output stays unchanged."""
    if os.environ.get("TENSORWARDEN_VERBOSE") or _is_terminal():
        _write(text)


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # Closed or replaced.
        return False


def _write(text: str) -> None:
    try:
        print(f"tensorwarden: {text}", file=sys.stderr, flush=True)
    except (AttributeError, OSError, ValueError):
        return
