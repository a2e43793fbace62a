"""The pages of the guide keep their word: the Python blocks of a page are run as one program, and
what a `print(…)  # …` says it prints is compared with what it prints.

A block whose first line is `# name.py` is a file; a shell block that names such a file is run."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
PAGES = ["capture-in-pytorch.md", "analyse-a-run.md"]
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"# (\w+\.py)\n")
PROMISE = re.compile(r"^ *print\(.*?\)(?:  # |\n# |$)(.*)$", re.MULTILINE)
SETTINGS = ("SMDEBUG_", "TENSORWARDEN_", "USE_SMDEBUG", "TRAINING_JOB_NAME", "CHECKPOINT_", "RANK")
TIMEOUT_S = 180


class Page:
    """A page as a program whose lines have the numbers that they have in the page."""

    def __init__(self, text: str):
        self.program = ""
        self.files: dict[str, str] = {}
        self.promises: list[str] = []  # What each print prints.
        for block in BLOCK.finditer(text):
            above = text.count("\n", 0, block.start(2)) - self.program.count("\n")
            self.program += "\n" * above + self._as_program(*block.groups())

    def _as_program(self, language: str, code: str) -> str:
        name = FILE_NAME.match(code)
        if name:
            self.files[name[1]] = code
            return ""
        if language == "python":
            self.promises += PROMISE.findall(code)
            return code
        if any(name in code for name in self.files):
            code = f"set -e\n{code}".replace("29500", str(free_port()))
            return f"__import__('subprocess').run(['bash', '-c', {code!r}], check=True)\n"
        return ""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, tmp_path: Path):
    pytest.importorskip("torch")
    page = Page((GUIDE / name).read_text())
    assert page.promises
    for file, content in page.files.items():
        (tmp_path / file).write_text(content)
    (tmp_path / name).write_text(page.program)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(SETTINGS)}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        [sys.executable, name],
        cwd=tmp_path,
        env=environment | {"OMP_NUM_THREADS": "1", "SMDEBUG_LOG_LEVEL": "warning"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == page.promises
