"""What recording every kernel costs and whether it records every kernel, on an NVIDIA GPU.

    python3 bench/kernel_cases.py [--quick] [--json FILE] [--dir FOLDER] [NAME...]

NAME is one of `cost`, `counts`, `graphs`, `others` and `cycles`:

    cost     10 steps of a GPT of 24 layers with and without recording, in turn
    counts   kernels by name and their time, compared with torch.profiler in steps of its own
    graphs   CUDA graphs and torch.compile with reduce-overhead
    others   torch.profiler before, during and after a recording
    cycles   1,000 recordings in a training whose weights must not differ by a bit

Prints a line for each case; the exit code is 1 if one of them is not as wanted.
"""

import argparse
import ctypes
import gc
import json
import os
import statistics
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

os.environ.setdefault("SMDEBUG_LOG_LEVEL", "error")
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

import torch
from torch import nn
from torch.nn import functional
from torch.profiler import ProfilerActivity, profile

from tensorwarden import _core
from tensorwarden.adapters.pytorch.profiling_kernels import KernelProfiler, find_cupti
from tensorwarden.profiler.kernels import kernel_statistics

STEP_MS = 60
WANTED_RATIO = 1.10
WANTED_DIFFERENCE = 0.01


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, layers, width, heads, length, words):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

    def forward(self, tokens):
        places = torch.arange(tokens.shape[1], device=tokens.device)
        return self.head(self.norm(self.blocks(self.words(tokens) + self.places(places))))


class Training:
    """A language model in bfloat16 with random tokens."""

    def __init__(self, layers=24, width=1024, length=1024, batch=8):
        torch.manual_seed(1)
        self.length, self.words = length, 32_000
        self.model = Gpt(layers, width, width // 64, length, self.words).cuda().bfloat16()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-5, fused=True)
        self.set_batch(batch)

    def set_batch(self, batch):
        self.batch = batch
        self.tokens = torch.randint(0, self.words, (batch, self.length), device="cuda")

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        logits = self.model(self.tokens)
        loss = functional.cross_entropy(
            logits[:, :-1].reshape(-1, self.words).float(), self.tokens[:, 1:].reshape(-1)
        )
        loss.backward()
        self.optimizer.step()

    def block_ms(self, steps):
        """The time of some steps, from an idle GPU to an idle GPU."""
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(steps):
            self.step()
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) * 1e3


def new_recorder(folder, node="0-algo-1"):
    return _core.KernelRecorder(str(folder), node, find_cupti())


def record(recorder, steps, function):
    """Records so many calls; returns how long starting and stopping took, in milliseconds."""
    begin = time.perf_counter()
    recorder.start(subscriber_is_idle=True)
    started = time.perf_counter()
    for step in range(steps):
        recorder.mark_step(step)
        function()
    torch.cuda.synchronize()
    ended = time.perf_counter()
    recorder.stop()
    stopped = time.perf_counter()
    return (started - begin) * 1e3, (stopped - ended) * 1e3


def recorded(recorder, folder):
    """Ends the recording; returns its statistics."""
    closed = recorder.close()
    counters = recorder.counters()
    return kernel_statistics(folder), {**counters, "closed": closed}


# ---- The cases. Each returns what it found, with "ok".


def case_cost(options, folder):
    training = Training(layers=4 if options.quick else 24)
    for _ in range(3):
        training.step()
    per_step = training.block_ms(3) / 3
    if not options.quick:
        training.set_batch(max(1, min(64, round(training.batch * STEP_MS / per_step))))
        for _ in range(3):
            training.step()
    before = [training.block_ms(10) for _ in range(2 if options.quick else 4)]
    recorder = new_recorder(folder)
    first_start, _ = record(recorder, 1, training.step)
    ratios, off, on, starts, stops = [], [], [], [], []
    for i in range(2 if options.quick else 8):
        times = {}
        for kind in ("off", "on") if i % 2 == 0 else ("on", "off"):
            if kind == "off":
                times[kind] = training.block_ms(10)
                continue
            torch.cuda.synchronize()
            begin = time.perf_counter()
            start_ms, stop_ms = record(recorder, 10, training.step)
            times[kind] = (time.perf_counter() - begin) * 1e3
            starts.append(start_ms)
            stops.append(stop_ms)
            recorder.flush()  # The next block is not to pay for writing this one.
        off.append(times["off"])
        on.append(times["on"])
        ratios.append(times["on"] / times["off"])
    found, counters = recorded(recorder, folder)
    ratio = statistics.median(ratios)
    off_ratio = statistics.median(off) / statistics.median(before)
    return {
        "batch": training.batch,
        "step_ms_never": statistics.median(before) / 10,
        "step_ms_off": statistics.median(off) / 10,
        "step_ms_on": statistics.median(on) / 10,
        "ratio": ratio,
        "ratios": ratios,
        "off_to_never": off_ratio,
        "first_start_ms": first_start,
        "start_ms": statistics.median(starts),
        "stop_ms": statistics.median(stops),
        "kernels_per_step": found["kernels"] / max(found["steps"], 1),
        "events": found["events"],
        "bytes_per_event": counters["bytes"] / max(counters["events"], 1),
        "dropped": counters["dropped"],
        "untimed": counters["untimed"],
        "devices": found["devices"],
        "launch_delay": found["launch_delay"],
        "ok": ratio <= WANTED_RATIO and counters["dropped"] == 0 and found["problems"] == [],
    }


def readable(name):
    """A name as the compiler has mangled it, as people know it."""
    if not name.startswith("_Z"):
        return name
    library = ctypes.CDLL("libstdc++.so.6")
    library.__cxa_demangle.restype = ctypes.c_void_p
    status = ctypes.c_int()
    text = library.__cxa_demangle(name.encode(), None, None, ctypes.byref(status))
    return ctypes.string_at(text).decode() if status.value == 0 and text else name


def torch_kernels(seen):
    """The kernels of a profile of PyTorch by name: how many, and their time in nanoseconds."""
    counts, times = Counter(), Counter()
    for event in seen.profiler.kineto_results.events():
        name = event.name()
        if "CUDA" not in str(event.device_type()) or name.startswith(("Memcpy", "Memset")):
            continue
        if getattr(event, "is_user_annotation", lambda: False)() or "ProfilerStep" in name:
            continue
        duration = event.duration_ns() if hasattr(event, "duration_ns") else None
        counts[readable(name)] += 1
        times[readable(name)] += event.duration_us() * 1000 if duration is None else duration
    return counts, times


def case_counts(options, folder):
    training = Training(layers=4 if options.quick else 24, batch=4)
    for _ in range(20):  # Until the clocks of the GPU are steady.
        training.step()
    recorder = new_recorder(folder / "before")
    record(recorder, 10, training.step)
    found, counters = recorded(recorder, folder / "before")
    ours = {row["name"]: row["count"] for row in found["by_name"]}
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        for _ in range(10):
            training.step()
        torch.cuda.synchronize()
    theirs, times = torch_kernels(seen)
    # Before and after: a slow drift of the clocks is the same for both.
    recorder = new_recorder(folder / "after")
    record(recorder, 10, training.step)
    again, _ = recorded(recorder, folder / "after")
    kernel_ns = (found["kernel_ns"] + again["kernel_ns"]) / 2
    names = set(ours) | set(theirs)
    differing = {
        name: [ours.get(name, 0), theirs[name]]
        for name in names
        if ours.get(name, 0) != theirs[name]
    }
    off = sum(abs(a - b) for a, b in differing.values())
    count_difference = abs(found["kernels"] / max(sum(theirs.values()), 1) - 1)
    time_difference = abs(kernel_ns / max(sum(times.values()), 1) - 1)
    name_difference = off / max(sum(theirs.values()), 1)
    return {
        "kernels": found["kernels"],
        "kernels_after": again["kernels"],
        "torch_kernels": sum(theirs.values()),
        "kernel_ms": [found["kernel_ns"] / 1e6, again["kernel_ns"] / 1e6],
        "torch_kernel_ms": sum(times.values()) / 1e6,
        "count_difference": count_difference,
        "time_difference": time_difference,
        "name_difference": name_difference,
        "names": len(ours),
        "differing": dict(list(sorted(differing.items()))[:20]),
        "copies": found["copies"],
        "calls": found["calls"][:10],
        "by_kind": found["by_kind"],
        "by_precision": found["by_precision"],
        "launches_with_delay": found["launch_delay"]["count"],
        "dropped": counters["dropped"],
        "untimed": counters["untimed"],
        "ok": max(count_difference, time_difference, name_difference) <= WANTED_DIFFERENCE
        and counters["dropped"] == counters["untimed"] == 0,
    }


def case_graphs(options, folder):
    x = torch.randn(256, 1024, device="cuda")
    layers = [nn.Linear(1024, 1024, device="cuda") for _ in range(20)]

    def work():
        y = x
        for layer in layers:
            y = torch.relu(layer(y))
        return y

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.no_grad(), torch.cuda.stream(stream):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        work()
    recorder = new_recorder(folder / "graph")
    with torch.no_grad():
        record(recorder, 1, work)
        eager, _ = recorded(recorder, folder / "graph")
    recorder = new_recorder(folder / "replay")
    record(recorder, 50, graph.replay)
    replayed, counters = recorded(recorder, folder / "replay")
    in_graphs = sum(row["in_graphs"] for row in replayed["by_name"])
    result = {
        "kernels_of_graph": eager["kernels"],
        "replayed": replayed["kernels"],
        "in_graphs": in_graphs,
        "graph_calls": [row for row in replayed["calls"] if "Graph" in row["name"]],
        "dropped": counters["dropped"],
        "ok": replayed["kernels"] == 50 * eager["kernels"] and in_graphs == replayed["kernels"],
    }
    if options.quick:
        return result
    training = Training(layers=2, width=512, length=256, batch=4)
    training.model = torch.compile(training.model, mode="reduce-overhead")
    for _ in range(6):
        training.step()
    plain = training.block_ms(20)
    recorder = new_recorder(folder / "compiled")
    torch.cuda.synchronize()
    begin = time.perf_counter()
    record(recorder, 20, training.step)
    recorded_ms = (time.perf_counter() - begin) * 1e3
    compiled, counters = recorded(recorder, folder / "compiled")
    in_graphs = sum(row["in_graphs"] for row in compiled["by_name"])
    result["compiled"] = {
        "kernels": compiled["kernels"],
        "in_graphs": in_graphs,
        "step_ms": plain / 20,
        "step_ms_recorded": recorded_ms / 20,
        "dropped": counters["dropped"],
        "triton": sum(row["count"] for row in compiled["by_name"] if "triton" in row["name"]),
    }
    result["ok"] = result["ok"] and in_graphs > 0 and compiled["problems"] == []
    return result


def case_others(options, folder):
    training = Training(layers=2, width=512, length=256, batch=4)
    for _ in range(3):
        training.step()
    session = SimpleNamespace(config=SimpleNamespace(local_path=str(folder)), details=[])
    ours = KernelProfiler(session)
    result = {}

    def their_kernels(seen):
        return sum(torch_kernels(seen)[0].values())

    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        ours.at_step(0, 0, True)
        result["refused_beside_torch_profiler"] = not ours.is_running
        training.step()
        torch.cuda.synchronize()
    result["torch_kernels_alone"] = their_kernels(seen)
    ours.at_step(1, 0, False)
    ours.at_step(2, 0, True)
    result["records_after_torch_profiler"] = ours.is_running
    training.step()
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        result["ended_for_torch_profiler"] = not ours.is_running
        training.step()
        torch.cuda.synchronize()
    result["torch_kernels_after_ours"] = their_kernels(seen)
    ours.at_step(3, 0, False)
    ours.at_step(4, 0, True)
    training.step()
    ours.at_step(5, 0, False)
    recorder = ours._recorder
    ours.close()
    found = kernel_statistics(folder)
    result["windows"] = found["windows"]
    result["kernels"] = found["kernels"]
    result["counters"] = recorder.counters()
    try:
        probe = new_recorder(folder / "probe")
        probe.start(subscriber_is_idle=False)
        probe.stop()
        probe.close()
        result["subscriber_after_torch_profiler"] = "none"
    except _core.StatusError as error:
        result["subscriber_after_torch_profiler"] = str(error.args[-1])
    one_step = result["torch_kernels_alone"]
    result["ok"] = (
        result["refused_beside_torch_profiler"]
        and result["records_after_torch_profiler"]
        and result["ended_for_torch_profiler"]
        and one_step > 0
        and result["torch_kernels_after_ours"] == one_step
        and found["windows"] == 2
        and found["kernels"] == 2 * one_step
    )
    return result


def resident_mb():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def train_small(cycles, recorder, end):
    """Trains, with a recording of each step; returns weights, the number of steps and memory."""
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 8)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    x, y = torch.randn(128, 64, device="cuda"), torch.randint(0, 8, (128,), device="cuda")
    memory, done = [], 0
    for cycle in range(cycles):
        if recorder is not None:
            recorder.start(subscriber_is_idle=True)
        optimizer.zero_grad()
        functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        if recorder is not None:
            torch.cuda.synchronize()
            recorder.stop()
        done += 1
        if cycle in (cycles // 10, cycles // 2, cycles - 1):
            gc.collect()
            memory.append(resident_mb())
        if time.monotonic() > end:
            memory.append(resident_mb())
            break
    return [weight.detach().clone() for weight in model.parameters()], done, memory


def case_cycles(options, folder):
    torch.use_deterministic_algorithms(True, warn_only=True)
    wanted = 100 if options.quick else 1000
    recorder = new_recorder(folder)
    begin = time.monotonic()
    weights, cycles, memory = train_small(wanted, recorder, begin + 35)
    seconds = time.monotonic() - begin
    found, counters = recorded(recorder, folder)
    plain, _, _ = train_small(cycles, None, time.monotonic() + 60)
    same = all(torch.equal(a, b) for a, b in zip(weights, plain))
    growth = memory[-1] - memory[0]
    return {
        "cycles": cycles,
        "ms_per_cycle": seconds * 1e3 / cycles,
        "windows": found["windows"],
        "kernels": found["kernels"],
        "weights_are_identical": same,
        "resident_mb": memory,
        "growth_mb": growth,
        "buffers_left": counters["buffers"],
        "dropped": counters["dropped"],
        "untimed": counters["untimed"],
        "bytes": counters["bytes"],
        "ok": same
        and cycles == wanted
        and found["windows"] == cycles
        and found["kernels"] >= 10 * cycles
        and growth < 50,
    }


CASES = {
    "cost": case_cost,
    "counts": case_counts,
    "graphs": case_graphs,
    "others": case_others,
    "cycles": case_cycles,
}
SHOWN = {
    "cost": ("ratio", "off_to_never", "step_ms_off", "kernels_per_step", "bytes_per_event"),
    "counts": ("kernels", "torch_kernels", "time_difference", "name_difference"),
    "graphs": ("kernels_of_graph", "replayed", "in_graphs"),
    "others": ("refused_beside_torch_profiler", "torch_kernels_after_ours", "kernels"),
    "cycles": ("cycles", "ms_per_cycle", "weights_are_identical", "growth_mb"),
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small sizes: a smoke test")
    parser.add_argument("--json", help="file for everything that was found")
    parser.add_argument("--dir", help="where files are written (default: a temporary folder)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CASES))
    options = parser.parse_args()
    unknown = set(options.names) - set(CASES)
    if unknown:
        parser.error(f"unknown case {min(unknown)!r}; expected one of: {', '.join(CASES)}")
    if not torch.cuda.is_available():
        parser.error("needs an NVIDIA GPU")
    results = {
        "gpu": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "cupti": find_cupti(),
    }
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        for name in options.names or CASES:
            begin = time.monotonic()
            try:
                place = Path(folder, name)
                found = CASES[name](options, place)
            except Exception as error:
                traceback.print_exc()
                found = {"ok": False, "error": f"{type(error).__name__}: {error}"}
            found["seconds"] = time.monotonic() - begin
            results[name] = found
            shown = ", ".join(f"{key} {found[key]}" for key in SHOWN[name] if key in found)
            print(f"{name}: {'ok' if found['ok'] else 'NOT AS WANTED'}: {shown}", flush=True)
            if options.json:
                Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
            gc.collect()
            torch.cuda.empty_cache()
    sys.exit(0 if all(results[name]["ok"] for name in options.names or CASES) else 1)


if __name__ == "__main__":
    main()
