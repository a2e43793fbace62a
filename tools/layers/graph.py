"""Files and folders that use each other, whatever their language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

USES = re.compile(r"^Uses: (.*)\.?$", re.MULTILINE)
NOTHING = "nothing"

# By name, the others that it uses, each with one line of a source as evidence.
Arrows = dict[str, dict[str, str]]


@dataclass
class Tree:
    """Folders below one folder, by their path from there."""

    root: Path  # Of the repository.
    top: str  # The folder, from the root of the repository.
    verb: str  # What a source does to use another, such as "include".
    depth: int = 1  # Parts are the folders of so many names.
    folders: Arrows = field(default_factory=dict)
    files: Arrows = field(default_factory=dict)

    def add(self, folder: str, other: str, evidence: str) -> None:
        """Adds an arrow between two folders, unless they are the same."""
        others = self.folders.setdefault(folder, {})
        if other != folder:
            others.setdefault(other, evidence)

    def readme(self, folder: str) -> Path:
        """Where a folder declares what it uses."""
        return self.root / self.top / folder / "README.md"


def between_parts(tree: Tree) -> Arrows:
    """The arrows between the folders at the top."""
    parts: Arrows = {}
    for folder, others in tree.folders.items():
        part = "/".join(folder.split("/")[: tree.depth])
        for other, evidence in others.items():
            other_part = "/".join(other.split("/")[: tree.depth])
            if other_part != part:
                parts.setdefault(part, {}).setdefault(other_part, evidence)
    return parts


def find_circle(used: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Names that each use the next, the last one the first; empty if there are none."""
    done: set[str] = set()

    def follow(name: str, path: list[str]) -> list[str]:
        if name in path:
            return path[path.index(name) :]
        if name in done:
            return []
        for other in sorted(used.get(name, {})):
            if circle := follow(other, [*path, name]):
                return circle
        done.add(name)
        return []

    for start in sorted(used):
        if circle := follow(start, []):
            return circle
    return []


def circle_text(kind: str, verb: str, used: Mapping[str, Mapping[str, str]]) -> list[str]:
    circle = find_circle(used)
    if not circle:
        return []
    steps = zip(circle, [*circle[1:], circle[0]], strict=True)
    evidence = "".join(f"\n  {used[one][other]}" for one, other in steps)
    path = " -> ".join([*circle, circle[0]])
    return [f"{kind} {verb} each other in a circle: {path}{evidence}"]


def declared(readme: Path) -> set[str] | None:
    """The folders of the line `Uses:`; None if there is no such line."""
    line = USES.search(readme.read_text()) if readme.exists() else None
    if line is None:
        return None
    names = {name.strip() for name in line.group(1).rstrip(".").split(",")}
    return names - {NOTHING, ""}


def undeclared(tree: Tree) -> list[str]:
    found = []
    for folder, others in sorted(tree.folders.items()):
        readme = tree.readme(folder)
        names = declared(readme)
        where = readme.relative_to(tree.root)
        if names is None:
            hint = "tools/check_layers.py --write adds it"
            found.append(f"{where}: the line 'Uses: ...' is missing; {hint}")
            continue
        for other in sorted(others.keys() - names):
            found.append(f"{where}: {other} is used but not declared: {others[other]}")
        for other in sorted(names - others.keys()):
            found.append(f"{where}: {other} is declared but not used")
    return found


def write(tree: Tree) -> None:
    """Writes the lines `Uses:` as the sources are."""
    for folder, others in tree.folders.items():
        readme = tree.readme(folder)
        text = readme.read_text() if readme.exists() else f"# {folder}\n"
        text = USES.sub("", text).rstrip("\n")
        readme.write_text(f"{text}\n\nUses: {', '.join(sorted(others)) or NOTHING}\n")


def check(tree: Tree) -> list[str]:
    """What is wrong with the arrows."""
    return [
        *circle_text("files", tree.verb, tree.files),
        *circle_text("folders", tree.verb, tree.folders),
        *circle_text("parts", tree.verb, between_parts(tree)),
        *undeclared(tree),
    ]
