#!/usr/bin/env python3
"""Runs clang-tidy over the sources of the program and its libraries.

    tools/tidy.py        after tools/build.sh tidy

A source that was clean is not checked again while it, all headers, the compiler's options, the
checks and the system's packages are the same. That is remembered in ~/.cache/tensorwarden/tidy, so
that other checkouts know it too. Tests are left to the warnings of the compilers.
"""

import hashlib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/tidy"
CLANG_TIDY = "clang-tidy-19"
# Examples for frameworks are not in the build whose options are used.
UNCHECKED = re.compile(r"_test\.cc$|^examples/(libtorch|xgboost_cpp)/")
KNOWN = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tensorwarden/tidy"
KEPT_DAYS = 30
AT_A_TIME = 4  # Files in one process.


def printed(*command: str) -> bytes:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


def files(*patterns: str) -> list:
    names = printed("git", "ls-files", "-co", "--exclude-standard", *patterns).decode()
    return sorted(name for name in names.splitlines() if (ROOT / name).is_file())


def shared_state() -> bytes:
    """A digest of all that decides about a source except the source itself."""
    state = hashlib.sha256(printed(CLANG_TIDY, "--version") + printed("dpkg-query", "-W"))
    commands = (BUILD / "compile_commands.json").read_text()
    state.update(commands.replace(str(ROOT), ".").encode())
    generated = sorted(path for path in BUILD.rglob("*.h") if path.is_file())
    for path in [Path(".clang-tidy"), Path("tools/tidy/own_code.cc"), *files("*.h"), *generated]:
        state.update(f"{os.path.relpath(ROOT / path, ROOT)}\n".encode())
        state.update((ROOT / path).read_bytes())
    return state.digest()


def check(batch: list, marks: list) -> str:
    """Runs clang-tidy over some files, remembers that they are clean or returns what it says."""
    command = [CLANG_TIDY, "--quiet", f"--load={BUILD}/own_code.so", "-p", str(BUILD), *batch]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        return done.stdout.decode(errors="replace")
    for mark in marks:
        mark.touch()
    return ""


def main() -> int:
    KNOWN.mkdir(parents=True, exist_ok=True)
    printed("find", str(KNOWN), "-type", "f", "-mtime", f"+{KEPT_DAYS}", "-delete")
    shared = shared_state()
    due = []
    sources = [name for name in files("warden/*.cc", "examples/*.cc") if not UNCHECKED.search(name)]
    for name in sources:
        content = (ROOT / name).read_bytes()
        mark = KNOWN / hashlib.sha256(shared + f"{name}\n".encode() + content).hexdigest()
        if mark.exists():
            mark.touch()  # Used: it is kept.
        else:
            due.append((name, mark))
    print(f"    {len(due)} of {len(sources)} files have changed", flush=True)
    batches = [due[start : start + AT_A_TIME] for start in range(0, len(due), AT_A_TIME)]
    with ThreadPoolExecutor(int(os.environ.get("JOBS", 0)) or os.cpu_count()) as workers:
        said = list(workers.map(lambda batch: check(*zip(*batch, strict=True)), batches))
    sys.stderr.write("".join(said))
    return 1 if any(said) else 0


if __name__ == "__main__":
    sys.exit(main())
