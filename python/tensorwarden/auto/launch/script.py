"""Runs a script or a module as `__main__`, as the interpreter does."""

import importlib.util
import io
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import List, NoReturn, Optional


def run_script(path: str, arguments: List[str]) -> None:
    """Runs the file at this path. Imports search its folder first."""
    absolute = os.path.abspath(path)  # noqa: PTH100, keeps links
    try:
        with io.open_code(absolute) as file:
            source = file.read()
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        print(f"{sys.executable}: can't open file {absolute!r}: {reason}", file=sys.stderr)
        sys.exit(2)
    sys.path[0] = os.path.dirname(os.path.realpath(path))  # noqa: PTH120
    sys.argv = [path, *arguments]
    name = absolute if sys.version_info >= (3, 9) else path
    module = _new_main(name, None)
    module.__loader__ = SourceFileLoader("__main__", name)
    exec(compile(source, name, "exec", dont_inherit=True), vars(module))


def run_module(name: str, arguments: List[str]) -> None:
    """Runs the module with this name; for a package, its __main__."""
    sys.path[0] = os.getcwd()  # noqa: PTH109
    sys.argv = ["-m", *arguments]
    spec, code = _find(name)
    sys.argv[0] = spec.origin or name
    module = _new_main(spec.origin or name, spec)
    module.__package__ = spec.parent
    module.__loader__ = spec.loader
    exec(code, vars(module))


def _find(name: str) -> "tuple[ModuleSpec, CodeType]":
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(f"{name}.__main__")
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        _no_module(name)
    if spec is None or spec.loader is None:
        _no_module(name)
    code = spec.loader.get_code(spec.name)  # type: ignore[attr-defined]  # Only of loaders with code.
    if code is None:
        _no_module(name)
    return spec, code


def _no_module(name: str) -> NoReturn:
    print(f"{sys.executable}: No module named {name}", file=sys.stderr)
    sys.exit(1)


def _new_main(path: str, spec: Optional[ModuleSpec]) -> ModuleType:
    """Creates `__main__`. It is never removed: threads and exit handlers may need it."""
    module = ModuleType("__main__")
    module.__file__ = path
    module.__spec__ = spec
    module.__builtins__ = sys.modules["builtins"]  # type: ignore[attr-defined]  # As Python.
    vars(module)["__cached__"] = None
    vars(module).setdefault("__annotations__", {})
    sys.modules["__main__"] = module
    return module
