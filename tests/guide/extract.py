#!/usr/bin/env python3
"""Compares the examples with the documentation that they are from: extract.py FOLDER

FOLDER has the documentation as text: the developer guide as 004_*.txt, with a line [pN] before
each page and no indentation, the tutorial as 003_*.txt and the overview as 001_*.txt, both in
Markdown. Prints every line that looks like code and is in no example, and every example whose code
is not what the page has, spaces and comments aside. Exit code 1 if there are any.
"""

import re
import sys
from pathlib import Path

from manifest import EXAMPLES, printed

# A line of code in a text that has lost its indentation.
CODE = re.compile(
    r"""^(
      (import|from)\ [\w.]+(\ import\ .*|\ as\ \w+)?,?
    | (def|class|for|while|if|elif|else|with|try|except|return|print|raise)\b.*[:)(\]["',]
    | \w[\w.\[\]"']*\s*\+?=\s*\S.*
    | [^!(]*[{\[]
    | [\w.]+\($
    | [)}\]]+[,;:)]*
    | ["'][\w:.*-]+["']\s*:.*
    | @\w.*
    | (aws|pip|docker|RUN|FROM|COPY|CMD|\$)\ \S.*
    | [!%](?!\[).*
    | [\w.]+\w\([^)]*\)[,:]?
    )$""",
    re.VERBOSE,
)
# Lines of the guide that look like it and are parts of sentences.
SENTENCES = {590, 4832, 8364, 9099}
COMMENT = re.compile(r"(^|\s)#(?!\!).*|(^|\s)//\s.*")
PAGE = re.compile(r"\[p(\d+)\]")
REGISTRY = re.compile(r"\d{12}\.dkr\.ecr\.[\w-]+\.amazonaws\.com")


def without_spaces(text: str) -> str:
    return re.sub(r"\s+", "", text)


def code_of(lines: list, entry: dict) -> str:
    """What the page has, without spaces, comments and the foot of the page."""
    first, last = entry["lines"]
    kept = []
    for number in range(first, last + 1):
        line = lines[number - 1]
        if PAGE.fullmatch(line):
            del kept[-2:]  # The title of the chapter and the number of the page.
        elif number not in entry.get("comment_lines", []):
            kept.append(line if line.startswith("!") else COMMENT.sub("", line))
    return REGISTRY.sub("registry.example", without_spaces("\n".join(kept)))


def compare(lines: list, entries: list) -> list:
    return [
        f"{entry['name']}: not what lines {entry['lines']} have"
        for entry in entries
        if code_of(lines, entry) != without_spaces(printed(entry["name"]))
    ]


def left_out(lines: list, entries: list) -> list:
    """Lines of the guide that look like code and are in no example."""
    listed = {n for entry in entries for n in range(entry["lines"][0], entry["lines"][1] + 1)}
    listed |= SENTENCES
    return [
        f"line {number} is in no example: {line}"
        for number, line in enumerate(lines, 1)
        if number not in listed and CODE.search(line) and not PAGE.fullmatch(line)
    ]


def fenced(lines: list) -> list:
    """First and last line of the blocks of code in Markdown."""
    fences = [number for number, line in enumerate(lines, 1) if line.startswith("```")]
    return [[first + 1, last - 1] for first, last in zip(fences[::2], fences[1::2], strict=True)]


def check(folder: Path) -> list:
    def read(number: str) -> list:
        (path,) = folder.glob(f"{number}_*.txt")
        return path.read_text().split("\n")

    tutorial = [entry for entry in EXAMPLES.values() if entry["page"] == "tutorial"]
    guide = [entry for entry in EXAMPLES.values() if entry["page"] != "tutorial"]
    problems = compare(read("003"), tutorial) + compare(read("004"), guide)
    problems += left_out(read("004"), guide)
    if fenced(read("003")) != [entry["lines"] for entry in tutorial]:
        problems.append("the tutorial has other blocks of code")
    if fenced(read("001")):
        problems.append("the overview has code; it had none")
    return problems


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    problems = check(Path(sys.argv[1]))
    print("\n".join(problems) or f"{len(EXAMPLES)} examples are those of the documentation")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
