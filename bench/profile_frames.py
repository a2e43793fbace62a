"""Profiler data as pandas frames, measured in whichever environment runs this: ours and the
original's have the same names for it. One sample for each call, as a line of JSON.

    profile_frames.py --run FOLDER --lines N write|system|spans|plain
"""

import argparse
import json
import os
import random
import resource
import sys
import time
from pathlib import Path

os.environ["SMDEBUG_LOG_LEVEL"] = "error"

# 22 metrics of one machine, every half second.
METRICS = [
    *(("cpu", f"cpu{i}", "CPUUtilization") for i in range(8)),
    *(
        ("gpu", f"gpu{i}", dimension)
        for i in range(4)
        for dimension in ("GPUUtilization", "GPUMemoryUtilization")
    ),
    *(("memory", "MemoryUsedPercent", ""), ("i/o", "IOPS", "")),
    *(
        ("network", name, "Algorithm")
        for name in ("ReceiveBytesPerSecond", "TransmitBytesPerSecond")
    ),
    *(
        ("network", name, "Platform")
        for name in ("ReceiveBytesPerSecond", "TransmitBytesPerSecond")
    ),
]
FIRST_S = 1767268800
MINUTE_S = 60
SPANS_PER_STEP = 20
STEPS_PER_FILE = 2000
STEP_US = 30_000


def hour(seconds):
    return time.strftime("%Y%m%d%H", time.gmtime(seconds))


def minute_lines(minute, source):
    for tick in range(2 * MINUTE_S):
        for kind, name, dimension in METRICS:
            line = {"Type": kind, "Name": name, "Dimension": dimension}
            line.update(Value=round(source.random() * 100, 2), NodeId="algo-1")
            yield json.dumps({**line, "Timestamp": minute + tick / 2})


def write_metrics(run, count):
    source = random.Random(0)
    minute = FIRST_S
    while count > 0:
        lines = list(minute_lines(minute, source))[:count]
        path = run / "system/incremental" / hour(minute) / f"{minute}.algo-1.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
        count -= len(lines)
        minute += MINUTE_S


def step_events(step):
    """A step of a training: itself, and the operators in it."""
    start = step * STEP_US
    args = {"pid": 7, "step_num": str(step)}
    event = {"name": "Step:ModeKeys.TRAIN", "pid": 1, "ph": "X", "ts": start}
    yield {**event, "dur": STEP_US - 1000, "args": args}
    for i in range(SPANS_PER_STEP - 1):
        event = {"name": f"aten::operator{i}", "pid": 2, "ph": "X", "ts": start + 1000 * i}
        yield {**event, "dur": 900, "args": {**args, "thread_id": 7}}


def write_spans(run, count):
    steps = count // SPANS_PER_STEP
    for first in range(0, steps, STEPS_PER_FILE):
        last = min(first + STEPS_PER_FILE, steps)
        base = {"start_time_since_epoch_in_micros": FIRST_S * 1_000_000}
        events = [{"name": "process_name", "ph": "M", "pid": 0, "args": base}]
        for pid, name in ((1, "Step:ModeKeys.TRAIN"), (2, "cpu_functions")):
            events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}})
        for step in range(first, last):
            events += step_events(step)
        end = FIRST_S * 1_000_000 + last * STEP_US
        name = f"{end}_7-algo-1_pythontimeline.json"
        path = run / "framework/pevents" / hour(end // 1_000_000) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("[\n" + ",\n".join(map(json.dumps, events)) + "\n]\n")


def plain(run):
    """What takes no library at all: every line parsed, one frame of them."""
    import pandas as pd

    rows = []
    for path in sorted(run.glob("system/incremental/*/*.json")):
        with path.open() as lines:
            rows += [json.loads(line) for line in lines]
    return pd.DataFrame(rows)


def measure(options):
    if options.variant == "write":
        write_metrics(options.run, options.lines)
        write_spans(options.run, options.lines // 5)
        return {}
    # Importing is not what is compared.
    import pandas  # noqa: F401

    from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame

    begin = time.perf_counter()
    if options.variant == "plain":
        frame = plain(options.run)
    elif options.variant == "system":
        frame = PandasFrame(str(options.run)).get_all_system_metrics()
    else:
        frame = PandasFrame(str(options.run)).get_all_framework_metrics()
    spent = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    return {"seconds": spent, "rows": len(frame), "peak_bytes": peak}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("variant", choices=["write", "system", "spans", "plain"])
    options = parser.parse_args()
    sample = {"variant": options.variant, **measure(options)}
    json.dump(sample, sys.stdout)
    print()


main()
