"""A profile of steps that wait for a GPU, as a hook writes it."""

import json
from pathlib import Path

START = 1767268800  # Seconds since 1970.
NAME = "steps"
STEPS = 8
STEP_US = 100_000
PHASES = ["Step:ModeKeys.TRAIN", "DataLoaderIter", "Forward", "Backward", "Optimizer"]
PHASES += ["cpu_functions", "gpu_functions-dev:0"]
LAYERS = 6


def write_step_run(folder: Path) -> None:
    """Steps of data loading, forward, backward, optimizer, and kernels that outlast all of it."""
    profile = folder / "profiler-output/framework/pevents/2026010112"
    profile.mkdir(parents=True)
    base = {"start_time_since_epoch_in_micros": START * 1_000_000}
    events = [{"name": "process_name", "ph": "M", "pid": 0, "args": base}]
    for pid, phase in enumerate(PHASES, 1):
        events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": phase}})

    def add(phase: str, name: str, at: int, us: int, **args) -> None:
        event = {"name": name, "pid": PHASES.index(phase) + 1, "ph": "X", "ts": at, "dur": us}
        events.append({**event, "args": {"pid": 7, **args}})

    def operator(name: str, at: int, us: int) -> None:
        add("cpu_functions", name, at, us, tid=1, device="cpu")

    def kernel(name: str, at: int, us: int, launch: str, launched: int) -> None:
        where = {"event_name": launch, "start_cpu_thread": 1, "tid": 7, "device": 0}
        began = START * 1_000_000 + launched
        add("gpu_functions-dev:0", name, at, us, cpu_thread_start_time=began, **where)

    for step in range(STEPS):
        at = step * STEP_US
        slow = 2 if step == 5 else 1
        add(PHASES[0], PHASES[0], at, 45_000 * slow, step_num=str(step))
        add("DataLoaderIter", "DataLoaderIter::GetNext", at, 5_000)
        add("Forward", "Net", at + 6_000, 6_000)
        for layer in range(LAYERS):
            operator("aten::conv2d", at + 6_000 + 1_000 * layer, 800)
            operator("aten::cudnn_convolution", at + 6_100 + 1_000 * layer, 500)
            gpu = at + 6_400 + 5_000 * slow * layer
            launched = at + 6_100 + 1_000 * layer
            kernel("implicit_gemm", gpu, 4_990 * slow, "aten::cudnn_convolution", launched)
        add("Backward", "Backward", at + 12_000, 3_000)
        operator("ConvolutionBackward", at + 12_200, 2_000)
        add("Optimizer", "SGD", at + 15_000, 1_000)
        operator("cudaDeviceSynchronize", at + 16_000, 44_000 * slow - 15_000)
    (profile / f"{START + 30}000000_7-algo-1_pythontimeline.json").write_text(json.dumps(events))
    (folder / "training_job_end.ts").touch()
