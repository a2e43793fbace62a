"""Starts capture in a Python process when it imports a framework.

Uses only modules that every interpreter has loaded at its start: this runs in every Python process
below `warden run`, of any version.
"""

import importlib
import sys

_HERE = __file__.rpartition("/")[0]
# The folder "tensorwarden", two above this one.
_PACKAGE = _HERE.rpartition("/")[0].rpartition("/")[0]


# Frameworks that tensorwarden.auto can capture.
_FRAMEWORKS = ("torch", "keras", "xgboost")


class FrameworkFinder:
    """An import finder that runs before all others until every framework has been loaded."""

    def __init__(self, frameworks):
        self._awaited = set(frameworks)
        self._sought = set()

    def find_spec(self, name, path=None, target=None):
        """Finds a framework through the other finders and hooks into its loader.

        Capture starts only after loading: libraries also search for a framework to see if it is
        installed.
        """
        if name not in self._awaited or name in self._sought:
            return None
        self._sought.add(name)
        try:
            spec = _find_with_others(self, name, path, target)
        finally:
            self._sought.discard(name)
        if spec is not None:
            _call_after_loading(spec.loader, lambda: self._loaded(name))
        return spec

    def _loaded(self, name):
        if name in self._awaited:
            self._awaited.discard(name)
            if not self._awaited and self in sys.meta_path:
                sys.meta_path.remove(self)
            start(name)


def _find_with_others(ours, name, path, target):
    for finder in list(sys.meta_path):
        find = None if finder is ours else getattr(finder, "find_spec", None)
        spec = None if find is None else find(name, path, target)
        if spec is not None:
            return spec
    return None


def begin():
    """Waits for frameworks to be imported, and starts capture for those already imported."""
    awaited = [name for name in _FRAMEWORKS if name not in sys.modules]
    for name in _FRAMEWORKS:
        if name not in awaited:
            start(name)
    if awaited and not any(isinstance(finder, FrameworkFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, FrameworkFinder(awaited))


def start(name):
    """Starts capture. On failure, reports the reason and lets the script run."""
    try:
        find_package()
        importlib.import_module("tensorwarden.auto").install(name)
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        _say(
            f"tensorwarden: Capture disabled: {reason}. Training continues. Install tensorwarden "
            f"into {sys.executable}: pip install tensorwarden"
        )


def _call_after_loading(loader, function):
    execute = getattr(loader, "exec_module", None)
    if execute is None:
        return

    def exec_module(module):
        del loader.exec_module
        execute(module)
        function()

    loader.exec_module = exec_module


def find_package():
    """Makes the package importable.

    Prefers the interpreter's own installation, which fits its version. Otherwise uses the package
    that this file belongs to, without making its neighbors importable.
    """
    from importlib import util

    if "tensorwarden" in sys.modules or util.find_spec("tensorwarden") is not None:
        return
    spec = util.spec_from_file_location(
        "tensorwarden", _PACKAGE + "/__init__.py", submodule_search_locations=[_PACKAGE]
    )
    if spec is None or spec.loader is None:
        return
    module = util.module_from_spec(spec)
    sys.modules["tensorwarden"] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules["tensorwarden"]
        raise


def _say(text):
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        pass
