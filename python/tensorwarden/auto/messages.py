"""Our lines among a script's output: few, and on standard error."""

import os
import sys


def warn(text: str) -> None:
    """What the user has to know, in one line."""
    _write(text)


def inform(text: str) -> None:
    """What helps a person who watches: nobody else gets it, so that output stays as it was."""
    if os.environ.get("TENSORWARDEN_VERBOSE") or _is_terminal():
        _write(text)


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # Closed, or taken away.
        return False


def _write(text: str) -> None:
    try:
        print(f"tensorwarden: {text}", file=sys.stderr, flush=True)
    except (AttributeError, OSError, ValueError):
        return
