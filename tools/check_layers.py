#!/usr/bin/env python3
"""Checks the structure of warden/: who includes whom, without circles, and include guards.

Every folder with sources says in the last line of its README.md which folders it uses:

    Uses: base, os, jobs/record

The check fails if a source includes a header of a folder that is not declared there, if a declared
folder is not used, or if folders, or the parts at the top, include each other in a circle. Tests
and helpers for tests may include any header.

    tools/check_layers.py           check
    tools/check_layers.py --write   write the lines as the includes are
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
USES = re.compile(r"^Uses: (.*)\.?$", re.MULTILINE)
NOTHING = "nothing"


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


def used_folders(sources: list[Path], root: Path) -> dict[str, dict[str, str]]:
    """For each folder below warden/, the others it uses, each with one include as evidence."""
    used: dict[str, dict[str, str]] = {}
    for path in sources:
        folder = path.parent.relative_to(root / "warden").as_posix()
        others = used.setdefault(folder, {})
        if is_for_tests(path):
            continue
        for include in INCLUDE.findall(path.read_text()):
            other = Path(include).parent.as_posix().removeprefix("warden/")
            if include.startswith("warden/") and other != folder:
                others.setdefault(other, f"{path.relative_to(root)} includes {include}")
    return used


def between_parts(used: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """The same between the folders at the top."""
    parts: dict[str, dict[str, str]] = {}
    for folder, others in used.items():
        part = folder.split("/")[0]
        for other, evidence in others.items():
            if other.split("/")[0] != part:
                parts.setdefault(part, {}).setdefault(other.split("/")[0], evidence)
    return parts


def find_circle(used: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Folders that each use the next, the last one the first; empty if there are none."""
    done: set[str] = set()

    def follow(folder: str, path: list[str]) -> list[str]:
        if folder in path:
            return path[path.index(folder) :]
        if folder in done:
            return []
        for other in sorted(used.get(folder, {})):
            if circle := follow(other, [*path, folder]):
                return circle
        done.add(folder)
        return []

    for start in sorted(used):
        if circle := follow(start, []):
            return circle
    return []


def circle_text(kind: str, used: Mapping[str, Mapping[str, str]]) -> list[str]:
    circle = find_circle(used)
    if not circle:
        return []
    steps = zip(circle, [*circle[1:], circle[0]], strict=True)
    evidence = "".join(f"\n  {used[one][other]}" for one, other in steps)
    return [f"{kind} include each other in a circle: {' -> '.join([*circle, circle[0]])}{evidence}"]


def declared(readme: Path) -> set[str] | None:
    """The folders of the line `Uses:`; None if there is no such line."""
    line = USES.search(readme.read_text()) if readme.exists() else None
    if line is None:
        return None
    names = {name.strip() for name in line.group(1).rstrip(".").split(",")}
    return names - {NOTHING, ""}


def undeclared(used: Mapping[str, Mapping[str, str]], root: Path) -> list[str]:
    found = []
    for folder, others in sorted(used.items()):
        readme = root / "warden" / folder / "README.md"
        names = declared(readme)
        where = readme.relative_to(root)
        if names is None:
            hint = "tools/check_layers.py --write adds it"
            found.append(f"{where}: the line 'Uses: ...' is missing; {hint}")
            continue
        for other in sorted(others.keys() - names):
            found.append(f"{where}: {other} is used but not declared: {others[other]}")
        for other in sorted(names - others.keys()):
            found.append(f"{where}: {other} is declared but not used")
    return found


def write(used: Mapping[str, Mapping[str, str]], root: Path) -> None:
    for folder, others in used.items():
        readme = root / "warden" / folder / "README.md"
        text = readme.read_text() if readme.exists() else f"# {folder}\n"
        text = USES.sub("", text).rstrip("\n")
        readme.write_text(f"{text}\n\nUses: {', '.join(sorted(others)) or NOTHING}\n")


def check(root: Path) -> list[str]:
    sources = [p for p in sorted((root / "warden").rglob("*")) if p.suffix in (".h", ".cc")]
    used = used_folders(sources, root)
    found = [problem for path in sources for problem in problems_in(path, root)]
    found += circle_text("folders", used) + circle_text("parts", between_parts(used))
    return found + undeclared(used, root)


def main() -> int:
    if sys.argv[1:] == ["--write"]:
        sources = [p for p in sorted((ROOT / "warden").rglob("*")) if p.suffix in (".h", ".cc")]
        write(used_folders(sources, ROOT), ROOT)
    elif sys.argv[1:]:
        print(f"check_layers: unknown option '{sys.argv[1]}'; expected --write", file=sys.stderr)
        return 2
    found = check(ROOT)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
