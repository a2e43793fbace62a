"""Captures trainings in unchanged scripts.

`install()` is called after a framework was imported, by site/sitecustomize.py in a process that
`warden run` started or by `python -m tensorwarden`. It wraps the few functions of the framework
that every training calls: pytorch/, keras.py, xgboost.py.

Nothing is created or written before a training starts. A failure is reported in one line and
disables capture; training continues (common/automatic.py).
"""

import importlib
from typing import Set

# By the module that a script imports.
_WATCHERS = {
    "torch": "tensorwarden.auto.pytorch",
    "keras": "tensorwarden.auto.keras",
    "xgboost": "tensorwarden.auto.xgboost",
}

_installed: Set[str] = set()


def install(module: str) -> None:
    """Watches for trainings with this module, which must have been imported."""
    if module in _installed:
        return
    _installed.add(module)
    from tensorwarden.auto import tracebacks
    from tensorwarden.auto.common import arguments

    importlib.import_module(_WATCHERS[module]).install()
    if len(_installed) == 1:
        arguments.watch()
        tracebacks.hide_our_frames()
