"""Brings capture into a Python process, once it imports torch and not before.

Uses nothing but what every interpreter has loaded when it starts: this runs in every Python process
below `warden run`, whatever it does and whatever version it is."""

import importlib
import sys

_HERE = __file__.rpartition("/")[0]
_PACKAGE = _HERE.rpartition("/")[0].rpartition("/")[0]  # Of tensorwarden/auto/site.


class TorchFinder:
    """Stands before all finders until torch is looked for."""

    def find_spec(self, name, path=None, target=None):
        """Finds torch as the others do; its loader calls us when it is done."""
        if name != "torch" or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = None if find is None else find(name, path, target)
            if spec is not None:
                _call_after_loading(spec.loader)
                return spec
        return None


def begin():
    """Waits for torch, or starts at once if it is there."""
    if "torch" in sys.modules:
        start()
    elif not any(isinstance(finder, TorchFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TorchFinder())


def start():
    """Starts capture; if that cannot be, says so and lets the script run."""
    try:
        _find_package()
        importlib.import_module("tensorwarden.auto").install()
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        _say(
            "tensorwarden: nothing is captured: "
            f"pip install tensorwarden into {sys.executable} ({reason})"
        )


def _call_after_loading(loader):
    execute = getattr(loader, "exec_module", None)
    if execute is None:
        return

    def exec_module(module):
        del loader.exec_module
        execute(module)
        start()

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
