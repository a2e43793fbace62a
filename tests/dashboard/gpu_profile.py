"""A profile of two GPUs on one host, as a hook and the monitor write it."""

import json
from pathlib import Path

START = 1767268800  # Seconds since 1970.
NAME = "gpus"
KERNELS = 24
STEPS = 12
STEP_US = 1_000_000
ANNOTATIONS = ("Forward", "Backward", "Loss", "Optimize", "Shuffle")


def write_gpu_run(folder: Path) -> None:
    """Kernels of many names on two GPUs, their launches, annotations, and system metrics."""
    profile = folder / "profiler-output"
    write_metrics(profile / "system/incremental/2026010112" / f"{START}.algo-1.json")
    timeline = f"{START + 30}000000_7-algo-1_pythontimeline.json"
    write_timeline(profile / "framework/pevents/2026010112" / timeline)
    (folder / "training_job_end.ts").touch()


def write_metrics(file: Path, ticks: int = 2 * STEPS) -> None:
    """Half a second each; one GPU is busy, and the other one is not."""
    file.parent.mkdir(parents=True)
    with file.open("w") as out:
        for tick in range(ticks):
            values = [("cpu", f"cpu{core}", "CPUUtilization", 30 + 10 * core) for core in range(2)]
            for gpu in range(2):
                values.append(("gpu", f"gpu{gpu}", "GPUUtilization", (90, 20)[gpu]))
                values.append(("gpu", f"gpu{gpu}", "GPUMemoryUtilization", 40 + tick))
            values.append(("cpu", "cpu0", "I/OWaitPercentage", 3))
            for kind, name, dimension, value in values:
                line = {"Type": kind, "Name": name, "Dimension": dimension, "Value": value}
                line |= {"NodeId": "algo-1", "Timestamp": START + tick / 2}
                out.write(json.dumps(line) + "\n")


def write_timeline(file: Path) -> None:
    base = {"start_time_since_epoch_in_micros": START * 1_000_000}
    events = [{"name": "process_name", "ph": "M", "pid": 0, "args": base}]
    phases = ["Step:ModeKeys.TRAIN", "Annotation", "cpu_functions"]
    phases += [f"gpu_functions-dev:{gpu}" for gpu in range(2)]
    for pid, phase in enumerate(phases, 1):
        events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": phase}})

    def add(phase: str, name: str, at: int, us: int, **args) -> None:
        pid = phases.index(phase) + 1
        event = {"name": name, "pid": pid, "ph": "X", "ts": at, "dur": us}
        events.append({**event, "args": {"pid": 7, **args}})

    for step in range(STEPS):
        at = step * STEP_US
        add(phases[0], "Step:ModeKeys.TRAIN", at, STEP_US - 1000, step_num=str(step))
        for i, name in enumerate(ANNOTATIONS):
            add("Annotation", name, at + 100_000 * i, 50_000 + 1000 * step, step_num=str(step))
        for kernel in range(KERNELS):
            begin = at + 30_000 * kernel
            add("cpu_functions", "cudaLaunchKernel", begin, 20, tid=11)
            for gpu in range(2):
                us = 20_000 - 800 * kernel
                phase = f"gpu_functions-dev:{gpu}"
                add(phase, f"kernel_{kernel:02}_f32", begin + 100, us, stream=7 + gpu, tid=11)
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(events))
