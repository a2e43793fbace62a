"""Capture in scripts that know nothing of it.

`install()` is called when a framework has been imported, by site/sitecustomize.py in a process that
`warden run` started or by `python -m tensorwarden`. It puts small wrappers around the few places of
the framework that every training passes: pytorch/, keras.py, xgboost.py.

Nothing is made or written before something is trained. A failure of ours is told in one line and
ends the capture, never the training (automatic.py).
"""

import importlib
from typing import Set

# By the module that a script imports.
_WATCHERS = {"torch": "pytorch", "keras": "keras", "xgboost": "xgboost"}

_installed: Set[str] = set()


def install(module: str) -> None:
    """Watches this process from now on for what is trained with this module, which has been
    imported."""
    if module in _installed:
        return
    _installed.add(module)
    from tensorwarden.auto import tracebacks

    importlib.import_module(f"tensorwarden.auto.{_WATCHERS[module]}").install()
    if len(_installed) == 1:
        tracebacks.hide_our_frames()
