#!/usr/bin/env python3
"""Draws what commands print as a picture of a terminal: the one in README.md.

build/bin/train_spiral --out build/demo/spiral --steps 2000
tools/terminal_picture.py docs/images/show.svg
"""

import os
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

COMMANDS = [
    "warden trial ls build/demo/spiral",
    "warden trial show build/demo/spiral gradient/fc1.weight --histogram",
]
COLUMNS = 100
LETTER_WIDTH, LINE_HEIGHT, MARGIN = 8.43, 19, 16


def printed_lines() -> list[tuple[str, str]]:
    """Every line with its colour."""
    environment = dict(os.environ, COLUMNS=str(COLUMNS), LC_ALL="C.UTF-8")
    environment["PATH"] = f"build/bin:{environment['PATH']}"
    lines = []
    for command in COMMANDS:
        done = subprocess.run(
            command.split(), capture_output=True, text=True, check=True, env=environment
        )
        lines.append((f"$ {command}", "#8ec07c"))
        lines.extend((line, "#d5c4a1") for line in done.stdout.splitlines())
        lines.append(("", "#d5c4a1"))
    return lines[:-1]


def picture(lines: list[tuple[str, str]]) -> str:
    width = max(len(line) for line, _ in lines) * LETTER_WIDTH + 2 * MARGIN
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + (i + 0.8) * LINE_HEIGHT:.1f}" fill="{colour}"'
        f' xml:space="preserve">{escape(line)}</text>'
        for i, (line, colour) in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}"'
        f' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1d2021"/>\n{rows}\n</svg>\n'
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(printed_lines()))
