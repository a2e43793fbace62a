"""Runs the benchmarks and prints one table of them; see README.md."""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

from cases import CASES as CORE_CASES
from cases import QUICK, Setting, Sizes
from dashboard_cases import DASHBOARD_CASES
from keras_cases import KERAS_CASES
from monitor_cases import MONITOR_CASES
from profile_cases import PROFILE_CASES
from rule_cases import RULE_CASES
from sampling import BenchError, Program
from service_cases import SERVICE_CASES
from timeline_cases import TIMELINE_CASES
from torch_cases import TORCH_CASES
from watch_cases import WATCH_CASES
from xgboost_cases import XGBOOST_CASES

CASES = {
    **CORE_CASES,
    **RULE_CASES,
    **WATCH_CASES,
    **TORCH_CASES,
    **KERAS_CASES,
    **PROFILE_CASES,
    **MONITOR_CASES,
    **TIMELINE_CASES,
    **XGBOOST_CASES,
    **SERVICE_CASES,
    **DASHBOARD_CASES,
}
ROOT = Path(__file__).resolve().parent.parent
HEADS = ("what", "ours", "peer or limit", "ratio", "spread", "target", "met?")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/run.sh", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: a smoke test")
    parser.add_argument("--markdown", action="store_true", help="write bench/RESULTS.md as well")
    parser.add_argument("--rounds", type=int, help="how often each thing is measured")
    parser.add_argument(
        "--dir", type=Path, help="scratch folder: its disk is measured (build/bench)"
    )
    parser.add_argument("--bin", type=Path, help="where our programs are (build/bin)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CASES)}")
    options = parser.parse_args()
    for name in options.names:
        if name not in CASES:
            parser.error(f"there is no benchmark '{name}', only {', '.join(CASES)}")
    if options.markdown and (options.quick or options.names):
        parser.error("--markdown writes the results of a full run: without --quick and names")
    return options


def make_setting(options):
    sizes = QUICK if options.quick else Sizes()
    if options.rounds:
        sizes.rounds = sizes.capture_rounds = options.rounds
    python = os.environ.get("WARDEN_SMDEBUG_PYTHON", ROOT / "build/venv-smdebug/bin/python")
    setting = Setting(
        bin=(options.bin or ROOT / "build/bin").absolute(),
        python=(ROOT / "build/venv/bin/python").absolute(),
        peer_python=Path(python).absolute(),
        peer_torch_python=(ROOT / "build/venv-smdebug-torch/bin/python").absolute(),
        dir=(options.dir or ROOT / "build/bench").absolute() / "scratch",
        sizes=sizes,
    )
    for program in ("reductions", "writing", "opening", "steps", "rules"):
        if not (setting.bin / f"bench_{program}").exists():
            raise BenchError(f"{setting.bin} has no bench_{program}: run make build")
    return setting


def peer_versions(setting):
    try:
        with Program(setting.peer()) as peer:
            return peer.measure("versions")
    except (BenchError, OSError) as error:
        raise BenchError(
            f"the original library does not run in {setting.peer_python} ({error}): "
            "tools/setup.sh build sets it up in build/venv-smdebug, or WARDEN_SMDEBUG_PYTHON names "
            "a Python that has it"
        ) from error


# ---- The machine.


def field_of(path, key):
    for line in Path(path).read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return "unknown"


def file_system(folder):
    """The type of the file system that the folder is on."""
    best = ("", "unknown")
    for line in Path("/proc/mounts").read_text().splitlines():
        _, mount, kind = line.split()[:3]
        if folder.is_relative_to(mount) and len(mount) >= len(best[0]):
            best = (mount, kind)
    return best[1]


def describe_machine(setting, versions):
    memory = int(field_of("/proc/meminfo", "MemTotal").split()[0]) / 2**20
    cores = len(os.sched_getaffinity(0))
    cpu = field_of("/proc/cpuinfo", "model name")
    cache = field_of("/proc/cpuinfo", "cache size")
    return (
        f"{cpu}, {cores} cores, {cache} cache, {memory:.0f} GiB memory, {os.uname().sysname} "
        f"{os.uname().release}, {file_system(setting.dir)}; smdebug {versions['smdebug']}, "
        f"NumPy {versions['numpy']}"
    )


# ---- The table.


def cells(row, evaluated=True):
    spread = f"{min(row.ratios):.3g}-{max(row.ratios):.3g}" if row.ratios else ""
    ratio = f"{row.ratio:.3g}" if row.ratios else ""
    target = row.target.text if row.target else ""
    return (row.what, row.ours, row.peer, ratio, spread, target, row.verdict if evaluated else "")


def text_table(rows, evaluated):
    table = [HEADS, *(cells(row, evaluated) for row in rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(HEADS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in table
    )


def markdown_table(rows):
    lines = ["| " + " | ".join(HEADS) + " |", "|" + " --- |" * len(HEADS)]
    for row in rows:
        indent = "&emsp;" if row.what.startswith(" ") else ""
        lines.append("| " + " | ".join((indent + row.what.strip(), *cells(row)[1:])) + " |")
    return "\n".join(lines)


def write_markdown(machine, rounds, rows):
    (ROOT / "bench/RESULTS.md").write_text(
        "# Results\n\n"
        f"Of `bench/run.sh --markdown`, {rounds} rounds, on: {machine}.\n"
        "README.md says how to read them. Rows without a target are for information.\n\n"
        f"{markdown_table(rows)}\n"
    )


def run(options):
    setting = make_setting(options)
    machine = describe_machine(setting, peer_versions(setting))
    shutil.rmtree(setting.dir, ignore_errors=True)
    setting.dir.mkdir(parents=True)
    rows = []
    with (setting.dir.parent / "samples.jsonl").open("w") as log:
        for name in options.names or CASES:
            new_rows, samples = CASES[name](setting)
            rows += new_rows
            log.writelines(json.dumps({"bench": name, **line}) + "\n" for line in samples.lines())
    shutil.rmtree(setting.dir)
    print(machine)
    print(f"{' '.join(['bench/run.sh', *sys.argv[1:]])}, rounds: {setting.sizes.rounds}")
    if options.quick:
        print("Far too small and too short to be judged by: this only shows that everything runs.")
    print()
    print(text_table(rows, evaluated=not options.quick))
    if options.markdown:
        write_markdown(machine, setting.sizes.rounds, rows)


def main():
    options = parse_arguments()
    try:
        run(options)
    except BenchError as error:
        sys.exit(f"bench: {error}")


main()
