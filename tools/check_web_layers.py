#!/usr/bin/env python3
"""Checks that a folder of web/src imports only folders before it, and a panel no other panel.

The order is that of web/README.md. What several panels need lies in panels/common.
"""

import re
import sys
from pathlib import Path

ORDER = ["base", "charts", "api", "plots", "panels", "report", "app"]
COMMON = "common"
SOURCES = Path(__file__).resolve().parent.parent / "web" / "src"
IMPORT = re.compile(r"""(?:from|import)\s+['"](\.[^'"]+)['"]""")


def problems_in(path: Path) -> list[str]:
    """What is wrong with the imports of one file."""
    own = path.relative_to(SOURCES).parts
    found = []
    for name in IMPORT.findall(path.read_text()):
        target = (path.parent / name).resolve()
        other = target.relative_to(SOURCES).parts
        if ORDER.index(other[0]) > ORDER.index(own[0]):
            found.append(f"{path}: {own[0]} may not import {name}: {other[0]} comes after it")
        both = own[0] == other[0] == "panels" and len(own) > 2 and len(other) > 2
        if both and other[1] not in (own[1], COMMON):
            found.append(f"{path}: panel {own[1]} may not import {name} of another panel")
    return found


def main() -> int:
    found = [problem for path in sorted(SOURCES.rglob("*.ts")) for problem in problems_in(path)]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
