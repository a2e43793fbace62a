"""The program of docs/guide/capture-in-keras.md runs and prints what the page says."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs/guide/capture-in-keras.md"


def test_the_page_is_a_program_that_runs(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 3
    program = "\n".join(blocks)
    expected = re.findall(r"^print\(.*\)  # (.*)$", program, re.MULTILINE)
    assert len(expected) == program.count("\nprint(")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected
    assert "tensorwarden:" not in done.stderr
