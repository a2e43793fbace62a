#!/usr/bin/env python3
"""Checks who uses whom: in warden/ (C++), python/ and web/src (TypeScript).

Every folder with sources says in the last line of its README.md which folders it uses:

    Uses: base, os, jobs/record

The check fails if a source uses a folder that is not declared there, if a declared folder is not
used, or if files, folders, or the folders at the top use each other in a circle. Tests may use
anything. layers/ has what differs between the languages.

It also fails if a folder of more than three files has no README.md that introduces it, or if two
headers have one name.

    tools/check_layers.py           check
    tools/check_layers.py --write   write the lines as the sources are
"""

import sys
from pathlib import Path

from layers import cpp, folders, graph, python, web

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    if sys.argv[1:] not in ([], ["--write"]):
        print(f"check_layers: unknown option '{sys.argv[1]}'; expected --write", file=sys.stderr)
        return 2
    found = []
    for language in (cpp, python, web):
        tree, problems = language.read(ROOT)
        if sys.argv[1:]:
            graph.write(tree)
        found += problems + graph.check(tree)
    found += folders.problems(ROOT)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
