"""Writes the system metrics of a day-long run, for benchmarks of the dashboard.

  make_long_metrics.py FOLDER [--samples N]

One node with 16 cores and 8 GPUs, sampled twice a second, in files of a minute as the monitor
writes them. FOLDER is the profiler's.
"""

import argparse
import random
import time
from pathlib import Path
from typing import List, Tuple

START_S = 1_767_268_800
INTERVAL_S = 0.5
MOMENTS_PER_FILE = 120
# Type, name, dimension, usual value, how far it wanders.
Metric = Tuple[str, str, str, float, float]


def metrics() -> List[Metric]:
    found: List[Metric] = []
    for core in range(16):
        found.append(("cpu", f"cpu{core}", "CPUUtilization", 55.0, 40.0))
        found.append(("cpu", f"cpu{core}", "I/OWaitPercentage", 4.0, 3.5))
    for gpu in range(8):
        found.append(("gpu", f"gpu{gpu}", "GPUUtilization", 80.0, 19.0))
        found.append(("gpu", f"gpu{gpu}", "GPUMemoryUtilization", 60.0, 8.0))
    found.append(("memory", "MemoryUsedPercent", "", 47.0, 6.0))
    for name in ("ReceiveBytesPerSecond", "TransmitBytesPerSecond"):
        found.append(("network", name, "Algorithm", 4e7, 3e7))
    for name in ("ReadThroughputInBytesPerSecond", "WriteThroughputInBytesPerSecond"):
        found.append(("i/o", name, "", 9e7, 8e7))
    return found


def line_format(metric: Metric) -> str:
    kind, name, dimension = metric[:3]
    return (
        f'{{"Type":"{kind}","Name":"{name}","Dimension":"{dimension}","Value":%.2f,'
        f'"NodeId":"algo-1","Timestamp":%.3f}}\n'
    )


def write(folder: Path, samples: int) -> None:
    all_metrics = metrics()
    form = "".join(line_format(metric) for metric in all_metrics)
    pick = random.Random(1)
    # As far along as it is, each metric is high or low for minutes, and jumps a little each time.
    levels = [pick.random() for _ in all_metrics]
    moment = 0
    moments = -(-samples // len(all_metrics))
    while moment < moments:
        begin = START_S + int(moment * INTERVAL_S)
        lines = []
        for _ in range(min(MOMENTS_PER_FILE, moments - moment)):
            at = START_S + moment * INTERVAL_S
            values: List[float] = []
            for i, (_, _, _, usual, range_) in enumerate(all_metrics):
                jump = pick.random()
                if jump < 0.01:
                    levels[i] = jump * 100
                values += (usual + range_ * (levels[i] + 0.4 * jump - 0.7), at)
            lines.append(form % tuple(values))
            moment += 1
        hour = time.strftime("%Y%m%d%H", time.gmtime(begin))
        into = folder / "system" / "incremental" / hour
        into.mkdir(parents=True, exist_ok=True)
        (into / f"{begin}.algo-1.json").write_text("".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--samples", type=int, default=10_000_000)
    options = parser.parse_args()
    write(options.folder, options.samples)


if __name__ == "__main__":
    main()
