#!/usr/bin/env python3
"""Writes the table of docs/compatibility.md from examples.json: table.py --write

Without --write it prints the page as it should be.
"""

import sys
from collections import Counter

from manifest import EXAMPLES, ROOT

PAGE = ROOT / "docs/compatibility.md"
BEGIN = "<!-- Written by tests/guide/table.py --write from here on. -->\n"
RESULTS = {
    "runs": "runs",
    "filled": "runs, filled in",
    "corrected": "runs, corrected",
    "differs": "differs",
    "replaced": "replaced",
}
# The chapters of the guide by their first page.
CHAPTERS = {
    634: "TensorBoard",
    654: "Debugger: start",
    675: "Debugger: adapt the training script",
    682: "Debugger: start jobs with the SDK",
    706: "Debugger: XGBoost report",
    723: "Debugger: actions",
    738: "Debugger: tensors in TensorBoard",
    742: "Debugger: built-in rules",
    794: "Debugger: custom rules and containers",
    802: "Debugger: the API",
    818: "Debugger: reference",
    824: "Remote debugging",
    835: "Profiler",
    863: "Profiling with Debugger: start jobs with the SDK",
    882: "Profiling with Debugger: built-in rules",
    911: "Profiling with Debugger: the report",
    931: "Profiling with Debugger: analysis",
    945: "Release notes",
}


def row(entry: dict) -> str:
    note = entry.get("note", "").replace("|", "\\|")
    note = note[:1].upper() + note[1:] if not note.startswith("`") else note
    cells = [str(entry["page"]), entry["title"], RESULTS[entry["result"]], note]
    return "| " + " | ".join(cells) + " |"


def table() -> str:
    counts = Counter(entry["result"] for entry in EXAMPLES.values())
    lines = [f"{len(EXAMPLES)} examples:", "", "| result | examples |", "| --- | --- |"]
    lines += [f"| {words} | {counts[result]} |" for result, words in RESULTS.items()]
    chapters = [(title, []) for title in (*CHAPTERS.values(), "Tutorial")]
    for entry in EXAMPLES.values():
        number = entry["page"]
        at = -1 if number == "tutorial" else sum(number >= first for first in CHAPTERS) - 1
        chapters[at][1].append(row(entry))
    for title, rows in chapters:
        if rows:
            lines += ["", f"### {title}", "", "| page | example | result | notes |"]
            lines += ["| --- | --- | --- | --- |", *rows]
    return "\n".join(lines) + "\n"


def page() -> str:
    """The page with its table made again."""
    return PAGE.read_text().partition(BEGIN)[0] + BEGIN + "\n" + table()


def main() -> None:
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page())
    else:
        print(page(), end="")


if __name__ == "__main__":
    main()
