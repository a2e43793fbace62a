"""How long steps take that are saved to S3, compared with a local folder.

    build/venv/bin/python bench/s3_output.py [--pairs N] [--steps N]

Each step multiplies matrices for a few milliseconds and saves 100 KB. Two trainings exist at the
same time, one for each place, and take turns: so many steps (--steps) each, in changing order, so
often (--pairs). What else the machine does meets both alike. The process that sends is stopped
while the other training has its turn, so that its work counts for S3 alone.

A server on this machine answers at once, answers after 500 ms, is killed and started again 20
times, or is not there. A pair's ratio is that of its median step times: by the clock, and by the
processor time of the training's thread. The columns are the medians over all pairs, with the
quartiles of the ratio and the 95 % interval of its median (bootstrap).
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/service")]
RESTARTS = 20
PRODUCTS = 4


def train(out_dir: str) -> None:
    """Trains as many steps as each line of the input says; prints the seconds that each took."""
    from tensorwarden.config.collection_manager import CollectionManager
    from tensorwarden.config.save_config import SaveConfig
    from tensorwarden.hook.base import BaseHook

    hook = BaseHook(
        CollectionManager(),
        out_dir=out_dir,
        save_config=SaveConfig(save_interval=1),
        include_collections=["mine"],
    )
    work = np.random.default_rng(1).standard_normal((300, 300))
    values = np.random.default_rng(2).standard_normal(12_500)
    print(json.dumps(hook.run_folder), flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            begun, worked = time.perf_counter(), time.thread_time()
            hook._begin_step()
            hook.save_tensor("values", values, collections_to_write="mine")
            for _ in range(PRODUCTS):
                work @ work  # Stands for a model.
            times.append((time.perf_counter() - begun, time.thread_time() - worked))
        print(json.dumps(times), flush=True)
    hook.close()


class Training:
    """A process that trains on request."""

    def __init__(self, out_dir: str, variables: dict):
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--train", out_dir],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.run = Path(json.loads(self._process.stdout.readline()))

    def steps(self, count: int) -> np.ndarray:
        """The medians of so many steps in milliseconds: by the clock, and of the processor."""
        self._process.stdin.write(f"{count}\n")
        self._process.stdin.flush()
        return 1000 * np.median(json.loads(self._process.stdout.readline()), axis=0)

    def close(self) -> None:
        """Removes what it has saved on this machine, sent or not."""
        self._process.stdin.close()
        assert self._process.wait() == 0
        for process in senders_of(self):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        shutil.rmtree(self.run.parent, ignore_errors=True)


class Restarts(threading.Thread):
    """Kills the server and starts it again, at random."""

    def __init__(self, server, seconds: float):
        super().__init__()
        self._server = server
        self._pause = seconds / RESTARTS

    def run(self) -> None:
        chance = random.Random(7)
        for _ in range(RESTARTS):
            time.sleep(chance.uniform(0, 1.6 * self._pause))
            self._server.kill()
            time.sleep(chance.uniform(0, 0.4 * self._pause))
            self._server.start()


def senders_of(training: Training) -> list[int]:
    from s3_training import uploaders_of

    return uploaders_of(training.run.parent)


@contextlib.contextmanager
def stopped(training: Training):
    """While those that send for the training do nothing."""
    senders = senders_of(training)
    for process in senders:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGSTOP)
    yield
    for process in senders:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


def spread(ratios: np.ndarray) -> str:
    """Median, quartiles, and the interval of the median."""
    chance = np.random.default_rng(3)
    medians = np.median(chance.choice(ratios, (10_000, len(ratios))), axis=1)
    low, middle, high = np.percentile(ratios, (25, 50, 75))
    least, most = np.percentile(medians, (2.5, 97.5))
    return f"{middle:.3f} ({low:.3f} to {high:.3f}; {least:.3f} to {most:.3f})"


def compare(title: str, folder: Path, place: str, variables: dict, pairs: int, steps: int) -> None:
    local = Training(str(folder / "local" / "run"), variables)
    sent = Training(place, variables)
    for warm in (local, sent):
        warm.steps(steps)
    ours, theirs = [], []
    for number in range(pairs):
        for kind in ("local", "sent") if number % 2 else ("sent", "local"):
            if kind == "sent":
                ours.append(sent.steps(steps))
            else:
                with stopped(sent):
                    theirs.append(local.steps(steps))
    local.close()
    sent.close()
    there, here = np.array(ours), np.array(theirs)
    ratios = there / here
    middle = [*np.median(here, axis=0), *np.median(there, axis=0)]
    print(f"{title}, load {os.getloadavg()[0]:.1f}")
    print(f"  by the clock    {middle[0]:7.2f} {middle[2]:7.2f}  {spread(ratios[:, 0])}")
    print(
        f"  processor time  {middle[1]:7.2f} {middle[3]:7.2f}  {spread(ratios[:, 1])}", flush=True
    )


def main() -> None:
    from support.buckets import Buckets
    from support.passing_server import PassingServer

    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--steps", type=int, default=50)
    options = parser.parse_args()
    size = (options.pairs, options.steps)
    (ROOT / "build/bench").mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=ROOT / "build/bench") as name,
        contextlib.ExitStack() as stack,
    ):
        folder = Path(name)
        server = Buckets(folder / "server").start()
        server.create("runs")
        slow = stack.enter_context(PassingServer(server.endpoint, delay_s=0.5))
        spool = folder / "spool"
        # One thread computes, whatever the machine has.
        usual = server.environment(
            WARDEN_S3_SPOOL=str(spool), HOME=name, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1"
        )
        print("ms for each step    local      S3  ratio (quartiles; 95 % interval of the median)")
        compare("S3", folder, "s3://runs/plain", usual, *size)
        late = {**usual, "AWS_ENDPOINT_URL": slow.endpoint}
        compare("S3 that answers after 500 ms", folder, "s3://runs/late", late, *size)
        # About as long as the trainings take.
        restarts = Restarts(server, 2 * options.pairs * options.steps * 0.006)
        restarts.start()
        compare("S3, killed and started 20 times", folder, "s3://runs/killed", usual, *size)
        restarts.join()
        server.kill()
        compare("S3 that is away", folder, "s3://runs/away", usual, *size)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(sys.argv[2])
    else:
        os.chdir(ROOT)
        main()
