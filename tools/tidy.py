#!/usr/bin/env python3
"""Runs clang-tidy over the sources of the program and its libraries.

    tools/tidy.py        after tools/build.sh tidy

A source that was clean is not checked again while it, the headers that it sees, its compiler
options, the checks and the system's packages are the same. That is remembered in
~/.cache/tensorwarden/tidy, so that other checkouts know it too. Tests are left to the warnings of
the compilers.
"""

import functools
import hashlib
import json
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
INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
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
    """A digest of what decides about every source: tools, checks and what the build generates."""
    state = hashlib.sha256(printed(CLANG_TIDY, "--version") + printed("dpkg-query", "-W"))
    generated = [path for end in ("h", "hxx") for path in BUILD.rglob(f"*.{end}")]
    for path in [ROOT / ".clang-tidy", ROOT / "tools/tidy/own_code.cc", *sorted(generated)]:
        if path.is_file():
            state.update(f"{os.path.relpath(path, ROOT)}\n".encode())
            state.update(path.read_bytes().replace(bytes(ROOT), b"."))
    return state.digest()


def options() -> dict:
    """How each source is compiled, by its name."""
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    return {
        os.path.relpath(entry["file"], ROOT): entry["command"].replace(str(ROOT), ".")
        for entry in entries
    }


@functools.cache
def content(name: str) -> bytes:
    return (ROOT / name).read_bytes()


@functools.cache
def included_by(name: str) -> frozenset:
    """Our files that one includes itself, even where the preprocessor skips the line."""
    targets = INCLUDED.findall(content(name).decode(errors="replace"))
    places = (Path(name).parent, Path(), Path("include"))
    tried = {os.path.normpath(place / target) for target in targets for place in places}
    return frozenset(path for path in tried if (ROOT / path).is_file())


def seen_by(source: str) -> list:
    """A source and all of our files that it includes, directly or through others."""
    seen = {source}
    new = [source]
    while new:
        found = included_by(new.pop()) - seen
        seen |= found
        new += found
    return sorted(seen)


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
    compiled = options()
    due = []
    sources = [name for name in files("warden/*.cc", "examples/*.cc") if not UNCHECKED.search(name)]
    for source in sources:
        state = hashlib.sha256(shared + compiled.get(source, "").encode())
        for name in seen_by(source):
            state.update(f"{name}\n".encode() + hashlib.sha256(content(name)).digest())
        mark = KNOWN / state.hexdigest()
        if mark.exists():
            mark.touch()  # Used: it is kept.
        else:
            due.append((source, mark))
    print(f"    {len(due)} of {len(sources)} files are to be checked", flush=True)
    batches = [due[start : start + AT_A_TIME] for start in range(0, len(due), AT_A_TIME)]
    with ThreadPoolExecutor(int(os.environ.get("JOBS", 0)) or os.cpu_count()) as workers:
        said = list(workers.map(lambda batch: check(*zip(*batch, strict=True)), batches))
    sys.stderr.write("".join(said))
    return 1 if any(said) else 0


if __name__ == "__main__":
    sys.exit(main())
