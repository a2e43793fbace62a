"""Runs the whole corpus and writes the table of docs/reference/corpus.md.

    python3 tests/corpus/run.py [--jobs 2] [--runs FOLDER] [--write] [NAME...]

With names, only entries that contain one of them. Recorded runs in the folder are used again.
"""

import argparse
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import List, Optional

from verdict import Verdict, evaluate, read

from corpus import ROOT, Entry, entries

TABLE = ROOT / "docs" / "reference" / "corpus.md"
INTRODUCTION = """# The corpus of trainings

Small training scripts, written as people write them, and faulty versions that differ by one typical
mistake. `make corpus` runs all of them under `warden run` with default settings and writes this
page. A healthy script must be silent; a faulty one must be found, with its cause in the headline.

Every fifth entry, chosen by its name, was set aside before thresholds were tuned. It was not kept
perfectly apart: its scripts and faults were known, and the recording of one healthy script
(logreg_lbfgs) led to a fix.

*Found* means that any incident was reported, *cause named* that the first headline matches what is
expected. The delay counts from the start of the fault to the first incident, in forward passes,
while the start is given in optimizer steps; the two differ where gradients are accumulated.
"""


def main() -> int:
    """Runs the corpus. Returns 1 if a healthy script was not silent."""
    parser = argparse.ArgumentParser(description="Runs the corpus of trainings.")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time (default: 2)")
    parser.add_argument("--runs", type=Path, help="folder for the runs (default: a temporary one)")
    parser.add_argument("--write", action="store_true", help="write docs/reference/corpus.md")
    parser.add_argument("names", nargs="*", help="parts of names; none: all entries")
    options = parser.parse_args()
    chosen = [e for e in entries() if not options.names or any(n in e.name for n in options.names)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.runs or Path(temporary)
        with ThreadPoolExecutor(options.jobs) as pool:
            found = list(pool.map(lambda entry: _one(entry, folder / entry.name), chosen))
    verdicts = [verdict for verdict in found if verdict is not None]
    print(_summary(verdicts))
    if options.write:
        TABLE.write_text(_page(verdicts))
    return any(v.entry.healthy and not v.right for v in verdicts)


def _one(entry: Entry, folder: Path) -> Optional[Verdict]:
    if (folder / "run").exists():
        verdict: Optional[Verdict] = read(entry, folder)
    else:
        verdict = evaluate(entry, folder)
    if verdict is None:
        print(f"skipped    {entry.name}: needs {', '.join(entry.needs())}", flush=True)
    elif not verdict.right:
        wrong = "FALSE" if entry.healthy else "MISSED"
        print(f"{wrong:10} {entry.name}: {'; '.join(verdict.headlines) or entry.why}", flush=True)
    elif not entry.healthy and not verdict.named:
        print(f"{'unnamed':10} {entry.name}: {verdict.headlines[0]}", flush=True)
    return verdict


def _summary(verdicts: List[Verdict]) -> str:
    rows = ["| entries | healthy, silent | faults found | cause named | median delay in steps |"]
    rows.append("| --- | --- | --- | --- | --- |")
    for name, part in (
        ("for tuning", [v for v in verdicts if not v.entry.held_out]),
        ("set aside", [v for v in verdicts if v.entry.held_out]),
    ):
        healthy = [v for v in part if v.entry.healthy]
        faulty = [v for v in part if not v.entry.healthy]
        hits = [v for v in faulty if v.right]
        delays = [v.delay for v in hits if v.delay is not None]
        rows.append(
            f"| {name} | {_share(sum(v.right for v in healthy), len(healthy))} "
            f"| {_share(len(hits), len(faulty))} "
            f"| {_share(sum(v.named for v in hits), len(faulty))} "
            f"| {statistics.median(delays) if delays else '-'} |"
        )
    return "\n".join(rows)


def _share(count: int, total: int) -> str:
    return f"{count} of {total}" + (f" ({100 * count / total:.0f} %)" if total else "")


def _page(verdicts: List[Verdict]) -> str:
    lines = [INTRODUCTION, _summary(verdicts), ""]
    lines += ["| script | fault | result | delay | headline |", "| --- | --- | --- | --- | --- |"]
    for v in sorted(verdicts, key=lambda v: v.entry.name):
        fault = v.entry.name[len(v.entry.script) + 1 :]
        result = ("silent" if v.right else "false alarm") if v.entry.healthy else ""
        if not v.entry.healthy:
            result = "cause named" if v.named else "found" if v.right else "missed"
        mark = " (set aside)" if v.entry.held_out else ""
        headline = v.headlines[0].replace("|", "\\|") if v.headlines else ""
        delay = "" if v.delay is None or v.entry.healthy else str(v.delay)
        lines.append(f"| {v.entry.script}{mark} | {fault} | {result} | {delay} | {headline} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
