"""Includes of warden/, and include guards."""

from __future__ import annotations

import re
from pathlib import Path

from layers.graph import Tree

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def is_for_tests(path: Path) -> bool:
    return path.stem.endswith(("_test", "_for_test"))


def problems_in(path: Path, root: Path) -> list[str]:
    """What is wrong with one source file alone."""
    name = path.relative_to(root).as_posix()
    text = path.read_text()
    found = []
    for include in INCLUDE.findall(text):
        if not include.startswith("warden/"):
            found.append(f"{name}: include {include} from the root of the repository")
        elif not (root / include).exists():
            found.append(f"{name}: {include} does not exist")
    guard = re.sub(r"[^A-Z0-9]", "_", name.upper()) + "_"
    if name.endswith(".h") and not name.endswith("-inl.h") and f"#ifndef {guard}" not in text:
        found.append(f"{name}: the include guard should be {guard}")
    return found


def read(root: Path) -> tuple[Tree, list[str]]:
    """The folders of warden/, and what is wrong with single files.

    A circle of headers does not compile, so arrows between files are left out.
    """
    tree = Tree(root, "warden", "include")
    sources = [p for p in sorted((root / "warden").rglob("*")) if p.suffix in (".h", ".cc")]
    for path in sources:
        folder = path.parent.relative_to(root / "warden").as_posix()
        tree.folders.setdefault(folder, {})
        if is_for_tests(path):
            continue
        for include in INCLUDE.findall(path.read_text()):
            if include.startswith("warden/"):
                other = Path(include).parent.as_posix().removeprefix("warden/")
                tree.add(folder, other, f"{path.relative_to(root)} includes {include}")
    return tree, [problem for path in sources for problem in problems_in(path, root)]
