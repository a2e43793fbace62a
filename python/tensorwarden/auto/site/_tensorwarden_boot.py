"""Brings capture into a Python process, once it imports a framework and not before.

Uses nothing but what every interpreter has loaded when it starts: this runs in every Python process
below `warden run`, whatever it does and whatever version it is."""

import importlib
import sys

_HERE = __file__.rpartition("/")[0]
_PACKAGE = _HERE.rpartition("/")[0].rpartition("/")[0]  # Of tensorwarden/auto/site.


# What a training is written with; tensorwarden.auto knows what to do with each.
_FRAMEWORKS = ("torch", "keras", "xgboost")


class FrameworkFinder:
    """Stands before all finders until every framework has been loaded."""

    def __init__(self, frameworks):
        self._awaited = set(frameworks)
        self._sought = set()

    def find_spec(self, name, path=None, target=None):
        """Finds a framework as the others do; its loader calls us when it is done. That it was
        found does not mean that it is loaded: libraries ask whether it is installed."""
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
    """Waits for frameworks, and starts at once with those that are there."""
    awaited = [name for name in _FRAMEWORKS if name not in sys.modules]
    for name in _FRAMEWORKS:
        if name not in awaited:
            start(name)
    if awaited and not any(isinstance(finder, FrameworkFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, FrameworkFinder(awaited))


def start(name):
    """Starts capture; if that cannot be, says so and lets the script run."""
    try:
        _find_package()
        importlib.import_module("tensorwarden.auto").install(name)
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        _say(
            "tensorwarden: nothing is captured: "
            f"pip install tensorwarden into {sys.executable} ({reason})"
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


def _find_package():
    """Makes the package importable: the interpreter's own if it has one, which fits its version,
    else the one that we belong to, without anything else that is installed there."""
    from importlib import util

    if "tensorwarden" in sys.modules or util.find_spec("tensorwarden") is not None:
        return
    spec = util.spec_from_file_location(
        "tensorwarden", _PACKAGE + "/__init__.py", submodule_search_locations=[_PACKAGE]
    )
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
