"""The arguments of a script with their defaults, as argparse gave them to the script."""

import argparse
import contextlib
import math
import os
import threading
from typing import Any, Dict

from tensorwarden import _core
from tensorwarden.base.patching import Patches

_MOST = 256
_LONGEST = 256  # Characters of a text.
_MASKED = "***"

_patches = Patches()
_lock = threading.Lock()
_parsed: Dict[str, Any] = {}


def watch() -> None:
    """Notes what every parser of this process returns from now on."""
    _patches.put(argparse.ArgumentParser, "parse_known_args", _noting)


def parsed() -> Dict[str, Any]:
    """Returns numbers, booleans, texts and lists of these, by name; secrets are masked.

    Scripts may parse in several turns: a file of settings first, then the rest. A later value
    replaces an earlier one.
    """
    with _lock:
        return dict(_parsed)


def _noting(original: Any) -> Any:
    def parse_known_args(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        with contextlib.suppress(Exception):  # The script has its arguments, whatever they are.
            _note(vars(result[0]))
        return result

    return parse_known_args


def _note(values: Dict[str, Any]) -> None:
    with _lock:
        for name, value in values.items():
            known = _recorded(value)
            if known is None or name.startswith("_"):
                continue
            if name in _parsed or len(_parsed) < _MOST:
                _parsed[name[:_LONGEST]] = _MASKED if _core.is_secret_name(name) else known


def _recorded(value: Any) -> Any:
    """Returns what JSON can express; None for objects, and for what was not given."""
    if isinstance(value, (list, tuple)):
        values = [_recorded(one) for one in value[:8]]
        return None if not values or None in values else values
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) < 2**63 else str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    return None
