#!/usr/bin/env python3
"""Fills a folder with seed inputs for the fuzz targets, one folder for each.

    fuzz/seeds.py OUT

Most come from the recorded runs in tests/golden, some from fuzz/seeds.
"""

import shutil
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
GOLDEN = FUZZ.parent / "tests" / "golden"
PROFILER = FUZZ.parent / "python" / "tests" / "profiler" / "data"
MAX_SIZE = 65536  # Of one input; run.sh gives libFuzzer the same limit.


def records(file: Path) -> Iterator[bytes]:
    """The records of an event file, whole."""
    data = file.read_bytes()
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        yield data[at : at + size + 16]
        at += size + 16


class Corpus:
    def __init__(self, out: Path) -> None:
        self.out = out
        self.count = 0

    def add(self, target: str, data: bytes) -> None:
        if len(data) > MAX_SIZE:
            return
        folder = self.out / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"seed{self.count:05}").write_bytes(data)
        self.count += 1


def add_event_file(file: Path, corpus: Corpus) -> None:
    corpus.add("record", file.read_bytes())
    for record in records(file):
        corpus.add("record", record)
        corpus.add("event", record[12:-4])


def add_run(run: Path, corpus: Corpus) -> None:
    """The first file of each kind: the others of a run look the same."""
    for pattern in ["events/*/*.tfevents", "tensorboard/TRAIN/*.tfevents"]:
        for file in sorted(run.glob(pattern))[:1]:
            add_event_file(file, corpus)
            corpus.add("names", str(file.relative_to(run)).encode())
    for target, pattern in [
        ("index", "index/*/*.json"),
        ("run_values", "index/*/*.json"),
        ("manifest", "collections/*/*.json"),
    ]:
        for file in sorted(run.glob(pattern))[:1]:
            corpus.add(target, file.read_bytes())
            corpus.add("names", str(file.relative_to(run)).encode())


def add_profile(run: Path, corpus: Corpus) -> None:
    """The beginnings of its files: what follows looks the same."""
    for target, pattern in [
        ("trace", "framework/pevents/*/*.json"),
        ("timeline_files", "framework/pevents/*/*.json"),
        ("metrics", "system/incremental/*/*.json"),
    ]:
        for file in sorted(run.glob(pattern))[:1]:
            corpus.add(target, b"".join(file.read_bytes().splitlines(keepends=True)[:30]))


def main() -> None:
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    corpus = Corpus(out)
    for run in sorted(GOLDEN.glob("*/trial")):
        add_run(run, corpus)
    for run in sorted(PROFILER.glob("*/")):
        add_profile(run, corpus)
    for file in sorted((FUZZ / "seeds").glob("*/*")):
        corpus.add(file.parent.name, file.read_bytes())


if __name__ == "__main__":
    main()
