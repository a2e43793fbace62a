"""Imports of web/src. What several panels need is in panels/common: no panel imports another."""

from __future__ import annotations

import re
from pathlib import Path

from layers.graph import Tree

IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]""")
PANELS = "panels"
COMMON = "common"


def is_for_tests(path: Path) -> bool:
    return path.name.endswith((".test.ts", "_for_test.ts"))


def file_of(path: Path, name: str) -> Path | None:
    """The file that an import means; None if there is none."""
    target = Path(path.parent, name).resolve()
    choices = (target, target.with_name(f"{target.name}.ts"), target / "index.ts")
    return next((choice for choice in choices if choice.is_file()), None)


def panel_of(folder: str) -> str | None:
    parts = folder.split("/")
    return parts[1] if parts[0] == PANELS and len(parts) > 1 else None


def read(root: Path) -> tuple[Tree, list[str]]:
    """The folders and files of web/src, and panels that import others."""
    top = root / "web/src"
    tree = Tree(root, "web/src", "import")
    found = []
    for path in sorted(top.rglob("*.ts")):
        folder = path.parent.relative_to(top).as_posix()
        tree.folders.setdefault(folder, {})
        if is_for_tests(path):
            continue
        where = path.relative_to(root).as_posix()
        for name in IMPORT.findall(path.read_text()):
            target = file_of(path, name)
            if target is None:
                found.append(f"{where}: {name} does not exist")
                continue
            other = target.parent.relative_to(top).as_posix()
            evidence = f"{where} imports {name}"
            file = target.relative_to(top).as_posix()
            tree.files.setdefault(path.relative_to(top).as_posix(), {}).setdefault(file, evidence)
            tree.add(folder, other, evidence)
            if panel_of(folder) and panel_of(other) not in (None, panel_of(folder), COMMON):
                found.append(f"{where}: panel {panel_of(folder)} may not import {name}")
    return tree, found
