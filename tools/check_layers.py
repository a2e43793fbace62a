#!/usr/bin/env python3
"""Checks that a part includes only parts of a lower level, and that headers keep their guards.

The levels are those of docs/design/architecture.md; a part never includes another of its own level.
"""

import re
import sys
from pathlib import Path

LEVELS = {
    "base": 0,
    "stats": 1,
    "storage": 1,
    "format": 1,
    "config": 1,
    "capture": 2,
    "monitor": 2,
    "trial": 2,
    "hook": 3,
    "timeline": 3,
    "view": 4,
    "rules": 4,
    "actions": 5,
    "report": 5,
    "service": 6,
    "cli": 7,
}
ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def problems_in(path: Path) -> list[str]:
    """What is wrong with one source file."""
    name = path.relative_to(ROOT).as_posix()
    part = path.relative_to(ROOT / "warden").parts[0]
    if part not in LEVELS:
        return [f"{name}: '{part}' is not a part; known are {', '.join(LEVELS)}"]
    found = []
    text = path.read_text()
    for include in INCLUDE.findall(text):
        if not include.startswith("warden/"):
            found.append(f"{name}: include {include} from the root of the repository")
            continue
        if not (ROOT / include).exists():
            found.append(f"{name}: {include} does not exist")
        other = include.split("/")[1]
        if other != part and LEVELS.get(other, 99) >= LEVELS[part]:
            found.append(
                f"{name}: includes {include}, but {part} (level {LEVELS[part]}) may not use "
                f"{other} (level {LEVELS.get(other, 'unknown')})"
            )
    guard = re.sub(r"[^A-Z0-9]", "_", name.upper()) + "_"
    if name.endswith(".h") and not name.endswith("-inl.h") and f"#ifndef {guard}" not in text:
        found.append(f"{name}: the include guard should be {guard}")
    return found


def main() -> int:
    sources = [p for p in sorted((ROOT / "warden").rglob("*")) if p.suffix in (".h", ".cc")]
    found = [problem for path in sources for problem in problems_in(path)]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
