"""Sends a run to S3 and opens it there, compared with the original library on the same server; and
how many index files a second `warden eval` reads from a local disk.

    build/venv/bin/python bench/s3_runs.py [--rounds N] [--steps N] [--quick | --open]

The run has 2,000 steps (--steps) of one worker, with an event file and an index file each. The
original sends each file as its writer does (TSAccessS3). Opening is `create_trial` and `steps()` in
a fresh process, imports included. The server is not ours (tests/support/s3_server) and runs on this
machine.
"""

import argparse
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WARDEN = os.environ.get("WARDEN", str(ROOT / "build/bin/warden"))
ORIGINAL = os.environ.get("WARDEN_SMDEBUG_PYTHON", str(ROOT / "build/venv-smdebug/bin/python"))
sys.path.insert(0, str(ROOT / "tests"))

OPEN = """
import sys, time
begun = time.perf_counter()
from smdebug.trials import create_trial
steps = create_trial(sys.argv[1]).steps()
assert len(steps) == int(sys.argv[2]), len(steps)
print(time.perf_counter() - begun)
"""
SEND = """
import sys, time
from pathlib import Path
from smdebug.core.access_layer.s3 import TSAccessS3
run, bucket, prefix = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
files = [path for path in sorted(run.rglob("*")) if path.is_file()]
begun = time.perf_counter()
for path in files:
    writer = TSAccessS3(bucket, f"{prefix}/{path.relative_to(run)}")
    writer.write(path.read_bytes())
    writer.close()
print(time.perf_counter() - begun)
"""


def write_run(folder: Path, steps: int) -> None:
    """In another process: a process has one hook."""
    script = f"""
import numpy as np
from tensorwarden.config.collection_manager import CollectionManager
from tensorwarden.config.save_config import SaveConfig
from tensorwarden.hook.base import BaseHook
hook = BaseHook(CollectionManager(), out_dir={str(folder)!r},
                save_config=SaveConfig(save_interval=1), include_collections=["losses"])
for step in range({steps}):
    hook._begin_step()
    for name in ("a_loss", "b_loss", "c_loss"):
        hook.save_tensor(name, np.full(100, 1 / (1 + step)), collections_to_write="losses")
hook.close()
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    (folder / "claim.smd").unlink(missing_ok=True)


def copy_workers(one: Path, folder: Path, workers: int) -> None:
    """The same run, as if many workers had saved it."""
    for path in sorted(one.rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes().replace(b'"num_workers": 1', b'"num_workers": %d' % workers)
        for worker in range(workers if "worker_0" in path.name else 1):
            name = str(path.relative_to(one)).replace("worker_0", f"worker_{worker}")
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            own = content.replace(b"worker_0", b"worker_%d" % worker)
            (folder / name).write_bytes(own if path.suffix == ".json" else content)


def seconds_of(command: list, variables: dict) -> float:
    done = subprocess.run(command, env=variables, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout.split()[-1])


def timed(command: list, variables: dict) -> float:
    begun = time.perf_counter()
    subprocess.run(command, env=variables, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def row(title: str, ours: list, theirs: list) -> None:
    ratios = sorted(b / a for a, b in zip(ours, theirs))
    print(
        f"{title:34} {statistics.median(ours):9.2f} {statistics.median(theirs):9.2f}"
        f" {statistics.median(ratios):8.1f}  {ratios[0]:.1f} to {ratios[-1]:.1f}",
        flush=True,
    )


def compare_s3(folder: Path, steps: int, rounds: int, send: bool = True) -> None:
    from support.buckets import Buckets

    run = folder / "run"
    write_run(run, steps)
    server = Buckets(folder / "server").start()
    server.create("runs")
    usual = server.environment(
        WARDEN_S3_CACHE="off",
        HOME=str(folder),
        SMDEBUG_TRAINING_END_DELAY_REFRESH="0",
        SMDEBUG_LOG_LEVEL="error",
    )
    cached = {**usual, "WARDEN_S3_CACHE": str(folder / "cache")}
    sent, sent_by_original, opened, reopened, opened_by_original = [], [], [], [], []
    requests = 0
    for number in range(rounds):
        place = f"s3://runs/ours{number}"
        sent.append(timed([WARDEN, "upload", run, place], usual))
        theirs = [ORIGINAL, "-c", SEND, run, "runs", f"original{number}"]
        sent_by_original.append(seconds_of(theirs, usual) if send else math.nan)
        before = len(server.requests())
        opened.append(seconds_of([sys.executable, "-c", OPEN, place, str(steps)], usual))
        requests = len(server.requests()) - before
        seconds_of([sys.executable, "-c", OPEN, place, str(steps)], cached)
        reopened.append(seconds_of([sys.executable, "-c", OPEN, place, str(steps)], cached))
        opened_by_original.append(seconds_of([ORIGINAL, "-c", OPEN, place, str(steps)], usual))
        newest = (times[-1] for times in (sent, sent_by_original, opened, opened_by_original))
        print(f"round {number + 1}:", *(f"{one:.2f}" for one in newest), file=sys.stderr)
    server.kill()
    files = sum(path.is_file() for path in run.rglob("*"))
    print(f"{'seconds':34} {'ours':>9} {'original':>9} {'ratio':>8}  spread")
    row(f"send {files} files", sent, sent_by_original)
    row(f"open {steps} steps", opened, opened_by_original)
    row(f"open {steps} steps, in the cache", reopened, opened_by_original)
    print(f"requests to open it: {requests}, for {steps} index files")


def read_index_files(folder: Path, workers: int, steps: int, rounds: int) -> None:
    write_run(folder / "one", steps)
    copy_workers(folder / "one", folder / "many", workers)
    shutil.rmtree(folder / "one")
    command = [WARDEN, "eval", folder / "many", "--rules", "LossNotDecreasing"]
    times, processor = [], []
    for _ in range(rounds + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(timed(command, dict(os.environ)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    middle, used = statistics.median(times[1:]), statistics.median(processor[1:])
    files = workers * steps
    print(
        f"warden eval, {workers} workers x {steps} steps: {middle:.2f} s,"
        f" {files / middle:,.0f} index files a second; {used:.2f} s of processor time,"
        f" {files / used:,.0f} a second"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--open", action="store_true", help="not sent by the original: minutes")
    parser.add_argument("--quick", action="store_true", help="only shows that everything runs")
    options = parser.parse_args()
    (ROOT / "build/bench").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build/bench") as name:
        if options.quick:
            compare_s3(Path(name), 50, 1)
            read_index_files(Path(name), 4, 50, 1)
        elif options.open:
            compare_s3(Path(name), options.steps, options.rounds, send=False)
        else:
            compare_s3(Path(name), options.steps, options.rounds)
            read_index_files(Path(name), 64, 1000, options.rounds)


if __name__ == "__main__":
    main()
