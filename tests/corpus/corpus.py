"""The corpus: healthy training scripts, and faulty twins that are made of them by small edits."""

import functools
import hashlib
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Sequence

import tomllib

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Every fifth entry, chosen by its name, is kept for the final check.
_HELD_OUT = 5
_SECONDS = 300


@dataclass
class Entry:
    """A script to run, healthy or faulty."""

    name: str
    script: str
    edits: List[Dict[str, str]] = field(default_factory=list)
    kind: str = ""
    onset: int = 0
    cause: str = ""
    layer: str = ""
    why: str = ""

    @property
    def healthy(self) -> bool:
        """Whether nothing must be found."""
        return not self.kind

    @property
    def held_out(self) -> bool:
        """Whether it is kept for the final check."""
        return hashlib.sha1(self.name.encode()).digest()[0] % _HELD_OUT == 0

    def source(self) -> str:
        """Returns the text of the script, with the fault in it."""
        text = (HERE / "scripts" / f"{self.script}.py").read_text()
        for edit in self.edits:
            if text.count(edit["old"]) != 1:
                raise ValueError(f"{self.name}: not exactly once in the script: {edit['old']!r}")
            text = text.replace(edit["old"], edit["new"])
        return text

    def needs(self) -> List[str]:
        """Returns the packages that it needs beside PyTorch."""
        line = (HERE / "scripts" / f"{self.script}.py").read_text().split("\n", 1)[0]
        found = re.match(r"# needs: (.*)", line)
        return [name.strip() for name in found.group(1).split(",")] if found else []


def entries() -> List[Entry]:
    """Returns all entries, healthy ones first."""
    scripts = sorted(path.stem for path in (HERE / "scripts").glob("*.py"))
    found = [Entry(name, name) for name in scripts]
    for path in sorted((HERE / "faults").glob("*.toml")):
        for fault in tomllib.loads(path.read_text())["fault"]:
            edits = fault.pop("edit")
            fault["name"] = f"{path.stem}-{fault['name']}"
            found.append(Entry(script=path.stem, edits=edits, **fault))
    return found


def pythons() -> List[Path]:
    """Returns the interpreters of the environments that tools/setup.sh makes, as far as there are
    any. The first that has what a script needs runs it."""
    names = ("venv-tensorflow", "venv-xgboost", "venv", "venv-corpus")
    found = [ROOT / "build" / name / "bin" / "python" for name in names]
    return [python for python in found if python.exists()]


def python_for(entry: Entry, choice: Sequence[Path]) -> Optional[Path]:
    """Returns the first interpreter that has what the script needs; None if there is none."""
    needs = entry.needs() or ["torch"]
    return next((p for p in choice if all(n in _packages_of(p) for n in needs)), None)


@functools.lru_cache
def _packages_of(python: Path) -> List[str]:
    names = sorted({need for entry in entries() for need in entry.needs()} | {"torch"})
    code = "import importlib.util, sys; print(*filter(importlib.util.find_spec, sys.argv[1:]))"
    found = subprocess.run([python, "-c", code, *names], capture_output=True, text=True, check=True)
    return found.stdout.split()


def record(entry: Entry, folder: Path, python: Path) -> int:
    """Runs the script under `warden run`, into a folder. Returns its exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / f"{entry.script}.py"
    script.write_text(entry.source())
    warden = ROOT / "build" / "bin" / "warden"
    command = [warden, "run", "--out", folder / "run", "--", python, script.name]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    with (folder / "output.txt").open("w") as output:
        try:
            return subprocess.run(
                command,
                cwd=folder,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=_SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            return -1


if __name__ == "__main__":
    for one in entries():
        one.source()
        print(one.name, one.kind, "held out" if one.held_out else "", file=sys.stdout)
