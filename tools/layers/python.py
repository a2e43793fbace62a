"""Imports of the Python packages.

Imports count wherever they are: in functions, and for types only. So does text that is the name of
a module, because it is there to be imported. Other packages than tensorwarden count as one folder.
python/names.txt has the imports of generated modules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from layers.graph import Tree

IMPLEMENTATION = "tensorwarden"
PACKAGES = (IMPLEMENTATION, "smdebug", "smprof", "smppy")
COMPILED = ("tensorwarden._core", "tensorwarden._s3")
# The name of a package alone is a word like any other.
NAME = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)+")


def module_name(path: Path, top: Path) -> str:
    parts = path.relative_to(top).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(source: ast.AST) -> Iterator[tuple[int, str]]:
    """Names that may be modules, each with its line."""
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.lineno, f"{node.module}.{name.name}") for name in node.names)
        elif isinstance(node, ast.Constant) and NAME.fullmatch(str(node.value)):
            yield node.lineno, str(node.value)


def module_of(name: str, modules: dict[str, Path]) -> str | None:
    """The module that has the name; None if it is not one of ours, or compiled."""
    if any(name == core or name.startswith(f"{core}.") for core in COMPILED):
        return None
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def folder_of(path: Path, top: Path) -> str:
    folder = path.parent.relative_to(top).as_posix()
    package = folder.split("/")[0]
    return folder if package == IMPLEMENTATION else package


def in_table(root: Path) -> Iterator[tuple[str, str]]:
    """The generated modules, each with the modules that it imports."""
    table = root / "python/names.txt"
    module = ""
    for line in table.read_text().splitlines() if table.exists() else []:
        name, colon, _ = line.partition(":")
        if line.startswith(PACKAGES):
            module = name
        elif colon and line.startswith("  "):
            yield module, name.strip()


def read(root: Path) -> tuple[Tree, list[str]]:
    """The folders and modules of the packages, and relative imports."""
    top = root / "python"
    tree = Tree(root, "python", "import", depth=2)  # tensorwarden/base is a part.
    paths = [path for package in PACKAGES for path in sorted((top / package).rglob("*.py"))]
    modules = {module_name(path, top): path for path in paths}
    found = []
    for module, path in modules.items():
        folder = folder_of(path, top)
        tree.folders.setdefault(folder, {})
        source = ast.parse(path.read_text())
        for node in ast.walk(source):
            if isinstance(node, ast.ImportFrom) and node.level:
                where = f"{path.relative_to(root)}:{node.lineno}"
                found.append(f"{where}: import by the full name of the module")
        for line, name in imported(source):
            other = module_of(name, modules)
            if other is None or other == module:
                continue
            evidence = f"{path.relative_to(root)}:{line} imports {other}"
            tree.files.setdefault(module, {}).setdefault(other, evidence)
            tree.add(folder, folder_of(modules[other], top), evidence)
    for module, source in in_table(root):
        other = module_of(source, modules)
        where = f"python/names.txt: {module}"
        if other != source:
            found.append(f"{where}: {source} does not exist")
            continue
        folder = module.split(".")[0]  # All of tensorwarden are at its top.
        tree.add(folder, folder_of(modules[other], top), f"{where} imports {other}")
    return tree, found
