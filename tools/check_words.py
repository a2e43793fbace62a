#!/usr/bin/env python3
"""Flags turns of phrase that docs/style.md rules out, in text that users read.

Checked are string literals of C++, Python (with docstrings) and TypeScript, comments of the
installed headers, and Markdown outside of code. Code, comments and tests are not.

    tools/check_words.py [--root FOLDER] [FILE...]
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Habit(NamedTuple):
    """A turn of phrase, and what to write instead. A match of a group `plain` is good English."""

    pattern: re.Pattern[str]
    advice: str


def _habit(words: str, advice: str) -> Habit:
    # Words may be parted by a line break, also where a literal continues on the next line.
    return Habit(re.compile(words.replace(" ", r"\s+"), re.IGNORECASE), advice)


# "there is no X" and "is no longer" are plain; "it is no X" is not.
_COMPARED = "longer|more|less|fewer|greater|larger|smaller|better|worse|newer|older|later|earlier"
HABITS = (
    _habit(r"\banew\b", 'say "again", or what is replaced'),
    _habit(r"\bfor want of\b", 'say "because X is missing" or "X was not saved"'),
    _habit(r"\b(?:is|are|was|were|be|been) told\b", "say who reports what, and where"),
    _habit(
        rf"(?P<plain>\bthere (?:is|are) no\b)|\b(?:is|are) no(?= \w)(?! (?:{_COMPARED})\b)",
        'say "is not a ..." or "there is no ..."',
    ),
    _habit(r"\b(?:go|goes|went) on\b", 'say "continues"'),
    _habit(r"\bof (?:one's|its|their|your|our) own\b", 'say "its own X", "custom" or "separate"'),
    _habit(r"\bwhat is wanted\b", "name the thing"),
    _habit(r"\bnobody knows\b", "say what is unknown, and why"),
    _habit(r"\bby itself\b", 'say "automatically" or "alone"'),
    _habit(r"\bjudg(?:e|es|ed|ing)\b(?!-)", 'say "check" or "evaluate"'),
    _habit(r"\b(?:thereof|lest|hitherto|whence)\b", "use an everyday word"),
)
# Only in prose: in code such a word may be a name that others use.
SPELLING = _habit(
    r"\b\w*(?:(?:al|im|[lm]ar|gn|er|an|on)is(?:e[ds]?|ing|ation)\b"
    r"|colour|behaviour|favour|neighbour|catalogue|centre\b|artefact|learnt\b|spelt\b)"
    r"|\banalys(?:e[ds]?|ing)\b|\bcancell(?:ed|ing)\b|\blabell(?:ed|ing)\b|\bgrey\b",
    "use the American spelling",
)

# What separates texts in a masked source: neither white space nor part of a word.
GAP = "\0"


class Mask:
    """A copy of a source in which only text for users is left, at its place."""

    def __init__(self, source: str):
        self._source = source
        self._kept = [c if c.isspace() else GAP for c in source]

    def keep(self, start: int, end: int) -> None:
        self._kept[start:end] = self._source[start:end]

    def blank(self, start: int, end: int) -> None:
        """Makes a place white space: the text before it continues after it."""
        self._fill(start, end, " ")

    def hide(self, start: int, end: int) -> None:
        """Makes a place a gap: the text before it ends there."""
        self._fill(start, end, GAP)

    def _fill(self, start: int, end: int, with_: str) -> None:
        self._kept[start:end] = ["\n" if c == "\n" else with_ for c in self._source[start:end]]

    def text(self) -> str:
        return "".join(self._kept)


_CPP = re.compile(
    r"""
      (?P<comment> //(?:\\\n|[^\n])* | /\*.*?\*/ )
    | ^[ ]*\#[ ]*include[^\n]*
    | R"(?P<mark>[^\s()\\]{0,16})\((?P<raw>.*?)\)(?P=mark)"
    | "(?P<string>(?:\\.|[^"\\\n])*)"
    | '(?:\\[^\n][^'\n]*|[^'\\\n])'
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def cpp_literals(source: str) -> str:
    mask = Mask(source)
    for found in _CPP.finditer(source):
        group = "raw" if found["raw"] is not None else "string"
        if found["comment"] is not None:
            mask.blank(*found.span())
        elif found[group] is not None:
            mask.blank(*found.span())
            mask.keep(*found.span(group))
    return mask.text()


def cpp_comments(source: str) -> str:
    mask = Mask(source)
    for found in _CPP.finditer(source):
        if found["comment"] is None:
            continue
        mask.keep(*found.span())
        for marker in re.finditer(r"(?m)^\s*(?://+|/?\*+)|\*/$|^//+", found["comment"]):
            mask.blank(found.start() + marker.start(), found.start() + marker.end())
    return mask.text()


_QUOTES = re.compile(r"""(\w*)('{3}|"{3}|'|")""")
# Before Python 3.12 an f-string is one token, code and all.
_FSTRING_CODE = re.compile(r"\{\{|\}\}|(?P<code>\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})")
_FSTRING_TEXT = getattr(tokenize, "FSTRING_MIDDLE", None)
_FSTRING_ENDS = (getattr(tokenize, "FSTRING_START", None), getattr(tokenize, "FSTRING_END", None))


def python_literals(source: str) -> str:
    mask = Mask(source)
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        start, end = (lines[row - 1] + column for row, column in (token.start, token.end))
        if token.type == tokenize.STRING:
            mask.keep(start, end)
            prefix, quotes = _QUOTES.match(token.string).groups()
            mask.blank(start, start + len(prefix + quotes))
            mask.blank(end - len(quotes), end)
            for code in _FSTRING_CODE.finditer(token.string) if "f" in prefix.lower() else ():
                if code["code"]:
                    mask.hide(start + code.start(), start + code.end())
        elif token.type == _FSTRING_TEXT:
            mask.keep(start, end)
        elif token.type == tokenize.COMMENT or token.type in _FSTRING_ENDS:
            mask.blank(start, end)
    return mask.text()


_TYPESCRIPT = re.compile(
    r"""
      (?P<comment> //[^\n]* | /\*.*?\*/ )
    | '(?P<single>(?:\\.|[^'\\\n])*)'
    | "(?P<double>(?:\\.|[^"\\\n])*)"
    | (?<=[(,=:\[!&|?{;])[ ]*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/   # A pattern.
    | (?P<template>`) | (?P<open>\{) | (?P<close>\})
    """,
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE_STOP = re.compile(r"\\.|`|\$\{", re.DOTALL)


def typescript_literals(source: str) -> str:
    mask = Mask(source)
    # The braces that are open: of code, or of a place in a template.
    braces: list[str] = []

    def template(start: int) -> int:
        """Keeps a template's text from `start` to its end or its next place; where code is next."""
        position = start
        while stop := _TEMPLATE_STOP.search(source, position):
            position = stop.end()
            if stop[0].startswith("\\"):
                continue
            mask.keep(start, stop.start())
            if stop[0] == "${":
                braces.append("place")
            return position
        return len(source)

    position = 0
    while found := _TYPESCRIPT.search(source, position):
        position = found.end()
        if found["comment"] is not None:
            mask.blank(*found.span())
        elif found["template"]:
            position = template(position)
        elif found["open"]:
            braces.append("code")
        elif found["close"]:
            if braces and braces.pop() == "place":
                position = template(position)
        else:
            for group in ("single", "double"):
                if found[group] is not None:
                    mask.keep(*found.span(group))
    return mask.text()


_MARKDOWN_CODE = re.compile(
    r"""
      ^(?P<indent>[ >]*)(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ >]*(?P=fence)[`~]*[ ]*$|\Z)
    | (?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)
    | <!--.*?-->
    | (?<=\])\([^)\s]*\)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def markdown_text(source: str) -> str:
    mask = Mask(source)
    mask.keep(0, len(source))
    for code in _MARKDOWN_CODE.finditer(source):
        mask.hide(*code.span())
    return mask.text()


# Which files are read, and what of them users see.
Reader = Callable[[str], str]
CHECKED: tuple[tuple[str, Reader], ...] = (
    ("warden/**/*.cc", cpp_literals),
    ("warden/**/*.h", cpp_literals),
    ("python/src/*.cc", cpp_literals),
    ("python/src/*.h", cpp_literals),
    ("include/**/*.h", cpp_comments),
    ("python/tensorwarden/**/*.py", python_literals),
    ("python/smdebug/**/*.py", python_literals),
    ("python/smprof/**/*.py", python_literals),
    ("python/smppy/**/*.py", python_literals),
    ("web/src/**/*.ts", typescript_literals),
    ("docs/**/*.md", markdown_text),
    ("*.md", markdown_text),
)
TEST_FILE = re.compile(r"(?:_test\.(?:cc|h|py|ts)|_for_test\.h)$")


def checked_files(root: Path) -> Iterator[tuple[Path, Reader]]:
    for pattern, reader in CHECKED:
        for path in sorted(root.glob(pattern)):
            if not TEST_FILE.search(path.name):
                yield path, reader


def problems_in(text: str, habits: tuple[Habit, ...]) -> Iterator[tuple[int, str]]:
    """The habits in a masked source, each with its line."""
    found = [
        (match.start(), match[0], habit.advice)
        for habit in habits
        for match in habit.pattern.finditer(text)
        if not match.groupdict().get("plain")
    ]
    for start, words, advice in sorted(found):
        yield text.count("\n", 0, start) + 1, f'"{" ".join(words.split())}": {advice}'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="repository (default: this one)")
    parser.add_argument("files", nargs="*", type=Path, help="check only these (default: all)")
    options = parser.parse_args()
    only = {path.resolve() for path in options.files}
    root = options.root.resolve()
    count = 0
    for path, reader in checked_files(root):
        if only and path not in only:
            continue
        habits = (*HABITS, SPELLING) if reader is markdown_text else HABITS
        for line, problem in problems_in(reader(path.read_text(encoding="utf-8")), habits):
            print(f"{path.relative_to(root)}:{line}: {problem}")
            count += 1
    if count:
        print(f"{count} phrases to reword; see docs/style.md", file=sys.stderr)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
