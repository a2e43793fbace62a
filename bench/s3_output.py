"""How long steps take that are saved to S3, compared with a local folder.

    build/venv/bin/python bench/s3_output.py [STEPS]

Each step computes for about 5 ms and saves 400 KB. In the rows with S3, a server on this machine
answers at once, answers after 500 ms, is killed and started again 20 times, or is not there.
"""

import contextlib
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/service")]


def train(out_dir: str, steps: int) -> None:
    """Prints the milliseconds of each step."""
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
    values = np.random.default_rng(2).standard_normal(50_000)
    times = []
    for _ in range(steps):
        begun = time.perf_counter()
        hook._begin_step()
        hook.save_tensor("values", values, collections_to_write="mine")
        while time.perf_counter() - begun < 0.005:
            work @ work  # Stands for a model.
        times.append((time.perf_counter() - begun) * 1000)
    hook.close()
    print(" ".join(f"{one:.4f}" for one in times[10:]))


class Restarts(threading.Thread):
    """Kills the server and starts it again, at random, 20 times."""

    def __init__(self, server):
        super().__init__()
        self._server = server

    def run(self) -> None:
        chance = random.Random(7)
        for _ in range(20):
            time.sleep(chance.uniform(0.1, 0.4))
            self._server.kill()
            time.sleep(chance.uniform(0, 0.2))
            self._server.start()


def measure(steps: int, out_dir: str, variables: dict) -> str:
    done = subprocess.run(
        [sys.executable, __file__, "--train", out_dir, str(steps)],
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    times = np.array([float(word) for word in done.stdout.split()])
    middle, late, most = np.median(times), np.percentile(times, 99), times.max()
    return f"{middle:8.2f} {late:8.2f} {most:8.2f}"


def main() -> None:
    from support.buckets import Buckets
    from support.passing_server import PassingServer

    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        server = Buckets(folder / "server").start()
        server.create("runs")
        # To the end: what was trained with it is still being sent then.
        slow = stack.enter_context(PassingServer(server.endpoint, delay_s=0.5))
        spool = folder / "spool"
        usual = server.environment(WARDEN_S3_SPOOL=str(spool), HOME=name)
        print(f"{'ms for each step':32}   median     99 %     most")
        print(f"{'local folder':32} {measure(steps, str(folder / 'local'), usual)}")
        print(f"{'S3':32} {measure(steps, 's3://runs/plain', usual)}")
        late = {**usual, "AWS_ENDPOINT_URL": slow.endpoint}
        print(f"{'S3 that answers after 500 ms':32} {measure(steps, 's3://runs/late', late)}")
        restarts = Restarts(server)
        restarts.start()
        print(f"{'S3, killed and started 20 times':32} {measure(steps, 's3://runs/killed', usual)}")
        restarts.join()
        server.kill()
        print(f"{'S3 that is away':32} {measure(steps, 's3://runs/away', usual)}")
        server.start()
        begun = time.monotonic()
        while spool.exists() and any(spool.iterdir()):
            time.sleep(0.1)
        print(f"all sent {time.monotonic() - begun:.1f} s after the last training")
        server.kill()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(sys.argv[2], int(sys.argv[3]))
    else:
        os.chdir(ROOT)
        main()
