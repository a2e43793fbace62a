"""Writes the profiler's folder of a long run, for benchmarks of the dashboard's timeline.

  make_long_timeline.py FOLDER [--events N] [--hosts N]

Each host has a process with the phases of its steps, data loader workers, three threads of
operators within operators, and two GPU streams whose kernels name the operator that launched them;
in files of 10 MB, as hooks write them.
"""

import argparse
import random
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

START_US = 1_767_268_800_000_000
FILE_BYTES = 10 << 20
OPERATORS = [f"aten::{name}" for name in "conv2d linear relu add batch_norm mul sum".split()]
INNER = [f"aten::{name}" for name in "convolution addmm clamp_min empty copy_ as_strided".split()]
KERNELS = [f"void kernel_{i}<float, {i % 4}>(float*, int)" for i in range(60)]

# Phase, name, start, duration, arguments.
Event = Tuple[str, str, int, int, str]


def operators(thread: int, step: int, start: int, end: int, pick: random.Random) -> Iterator[Event]:
    """Operators of a thread from start to end, what lies within them, and their kernels."""
    here = f'"step_num": "{step}"'
    at = start
    while at < end:
        long = pick.randrange(20, 90)
        name = pick.choice(OPERATORS)
        yield "cpu_functions", name, at, long, f'{here}, "tid": {thread}, "device": "cpu"'
        for i in range(3):
            inner = f'{here}, "tid": {thread}, "device": "cpu"'
            yield "cpu_functions", pick.choice(INNER), at + 1 + i * long // 4, long // 5, inner
        kernel = (
            f'{here}, "tid": {7 + thread % 2}, "device": 0, "event_name": "{name}", '
            f'"start_cpu_thread": {thread}, "cpu_thread_start_time": {at + START_US}'
        )
        yield "gpu_functions-dev:0", pick.choice(KERNELS), at + 30, pick.randrange(2, 18), kernel
        at += long + pick.randrange(1, 8)


def steps(pick: random.Random) -> Iterator[Event]:
    """All that happens, step by step, without end."""
    at = 0
    for step in range(1 << 40):
        long = pick.randrange(9_000, 12_000)
        here = f'"pid": 88, "step_num": "{step}"'
        for thread in (1, 2, 3):
            yield from operators(thread, step, at, at + long - 1_000, pick)
        yield "Forward", "Net", at + 10, long // 3, here
        yield "Backward", "Net", at + 20 + long // 3, long // 3, here
        yield "Optimizer", "SGD.step", at + 30 + 2 * long // 3, long // 6, here
        for worker in range(4):
            args = f'"worker_id": {worker}, "pid": 88, "bytes_fetched": 4096'
            yield "DataLoaderWorker", "fetch", at + worker * 50, long - 300, args
        yield "Step:ModeKeys.TRAIN", "Step:ModeKeys.TRAIN", at, long, here
        at += long + 5


class Writer:
    """Closes a file when it is long enough, as hooks do."""

    def __init__(self, folder: Path, node: str):
        self._folder = folder / "framework" / "pevents" / "2026010112"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._node = node
        self._begin()

    def _begin(self) -> None:
        self._phases: Dict[str, int] = {}
        self._bytes = 0
        self._end = 0
        self._lines: List[str] = []
        self._line(
            '{"name": "process_name", "ph": "M", "pid": 0, "args": '
            f'{{"start_time_since_epoch_in_micros": {START_US}}}}}'
        )

    def _line(self, text: str) -> None:
        self._lines.append(text)
        self._bytes += len(text) + 2

    def add(self, event: Event) -> None:
        phase, name, start, duration, args = event
        if phase not in self._phases:
            self._phases[phase] = len(self._phases) + 1
            pid = self._phases[phase]
            self._line(
                f'{{"name": "process_name", "ph": "M", "pid": {pid}, '
                f'"args": {{"name": "{phase}"}}}}'
            )
        self._line(
            f'{{"name": "{name}", "pid": {self._phases[phase]}, "ph": "X", "ts": {start}, '
            f'"dur": {duration}, "args": {{{args}}}}}'
        )
        self._end = max(self._end, start + duration)
        if self._bytes > FILE_BYTES:
            self.close()
            self._begin()

    def close(self) -> None:
        name = f"{START_US + self._end}_{self._node}_pythontimeline.json"
        (self._folder / name).write_text("[\n" + ",\n".join(self._lines) + "\n]\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--events", type=int, default=5_000_000)
    parser.add_argument("--hosts", type=int, default=4)
    options = parser.parse_args()
    for host in range(1, options.hosts + 1):
        writer = Writer(options.folder, f"88-algo-{host}")
        events = steps(random.Random(host))
        for _ in range(options.events // options.hosts):
            writer.add(next(events))
        writer.close()


if __name__ == "__main__":
    main()
