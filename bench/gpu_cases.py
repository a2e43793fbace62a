"""Statistics on a GPU, compared in the same run with what PyTorch needs to read the same memory.

    python3 bench/gpu_cases.py [--quick] [--double] [--json FILE] [NAME...]

NAME is one of `large`, `many`, `types`, `save`, `steps`. Needs an NVIDIA GPU; `--double` also
measures the kernel that computes everything in double precision. Times are medians by CUDA's
events, and include the time in which the GPU waits for the CPU. Launches, and how long the GPU was
busy, are what PyTorch's profiler sees.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

os.environ.setdefault("SMDEBUG_LOG_LEVEL", "error")

import torch
from torch.profiler import ProfilerActivity, profile

import smdebug.pytorch as smd
from tensorwarden import _core
from tensorwarden.adapters.pytorch import device_summaries
from torch_models import make

GIB = 1 << 30


class Launcher:
    """Starts the kernels on some tensors again and again."""

    def __init__(self, tensors: List[torch.Tensor], all_double: bool = False, bins: bool = False):
        self._summaries = _core.DeviceSummaries(0, device_summaries.find_compiler(), all_double)
        self._tensors = [device_summaries.described(tensor) for tensor in tensors]
        self._rows = torch.empty(len(tensors), 18, dtype=torch.float64, device="cuda")
        self._bins = torch.empty(len(tensors) if bins else 0, 256, dtype=torch.int64, device="cuda")
        self._scratch = torch.zeros(
            self._summaries.scratch_bytes(len(tensors)), dtype=torch.uint8, device="cuda"
        )

    def __call__(self) -> None:
        self._summaries.launch(
            self._tensors,
            self._rows.data_ptr(),
            self._scratch.data_ptr(),
            torch.cuda.current_stream().cuda_stream,
            histograms=self._bins.data_ptr(),
        )


def gpu_ms(function: Callable[[], Any], times: int) -> float:
    """The median time that a function takes on the GPU, in milliseconds."""
    for _ in range(3):
        function()
    events = [torch.cuda.Event(enable_timing=True) for _ in range(2 * times)]
    for i in range(times):
        events[2 * i].record()
        function()
        events[2 * i + 1].record()
    torch.cuda.synchronize()
    return statistics.median(events[2 * i].elapsed_time(events[2 * i + 1]) for i in range(times))


def on_gpu(function: Callable[[], Any], times: int) -> Dict[str, float]:
    """How many kernels a function starts, and for how long they and copies run."""
    function()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as seen:
        for _ in range(times):
            function()
        torch.cuda.synchronize()
    events = [event for event in seen.events() if event.device_type.name == "CUDA"]
    kernels = [event for event in events if not event.name.startswith("Mem")]
    busy = sum(event.time_range.elapsed_us() for event in events)
    return {"launches": len(kernels) / times, "busy_us": busy / times}


def kernels(options: Any) -> List[bool]:
    """Whether in double, for each kernel that is measured."""
    return [False, True] if options.double else [False]


def name_of(all_double: bool) -> str:
    return "in double" if all_double else "ours"


def large(options: Any) -> List[Dict[str, Any]]:
    """One tensor of bfloat16, compared with a copy of it."""
    elements = (1 << 25) if options.quick else (1 << 31)
    source = torch.empty(elements, dtype=torch.bfloat16, device="cuda").normal_(0, 0.02)
    size = source.numel() * 2
    targets = [torch.empty_like(source)]
    copy = gpu_ms(lambda: targets[0].copy_(source), options.times)
    targets.clear()
    norm = gpu_ms(lambda: torch.linalg.vector_norm(source), options.times)
    rows = [
        {"what": "copy on the GPU, bytes read", "ms": copy, "gb_s": size / copy / 1e6},
        {"what": "copy, bytes read and written", "ms": copy, "gb_s": 2 * size / copy / 1e6},
        {"what": "torch.linalg.vector_norm", "ms": norm, "gb_s": size / norm / 1e6},
    ]
    for all_double in kernels(options):
        for bins in (False, True):
            ours = Launcher([source], all_double, bins)
            ms = gpu_ms(ours, options.times)
            rows.append(
                {
                    "what": name_of(all_double) + (" with exponents" if bins else ""),
                    "ms": ms,
                    "gb_s": size / ms / 1e6,
                    "of_read": copy / ms,
                    "of_both": copy / 2 / ms,
                    **on_gpu(ours, options.times),
                }
            )
    return rows


def many(options: Any) -> List[Dict[str, Any]]:
    """2,000 tensors of 128 KB, compared with one norm of each."""
    return [*many_of(torch.bfloat16, options), *many_of(torch.float32, options)]


def many_of(dtype: torch.dtype, options: Any) -> List[Dict[str, Any]]:
    elements = (128 << 10) // torch.finfo(dtype).bits * 8
    count = 200 if options.quick else 2000
    tensors = [torch.randn(elements, device="cuda").to(dtype) for _ in range(count)]

    def norms() -> None:
        torch._foreach_norm(tensors)

    norm = gpu_ms(norms, options.times)
    busy = on_gpu(norms, options.times)
    rows: List[Dict[str, Any]] = [{"what": f"torch._foreach_norm, {dtype}", "ms": norm, **busy}]
    for all_double in kernels(options):
        ours = Launcher(tensors, all_double)
        ms = gpu_ms(ours, options.times)
        what = f"{name_of(all_double)}, {dtype}"
        ours_busy = on_gpu(ours, options.times)
        share = {"of_norm": ms / norm, "of_norm_busy": ours_busy["busy_us"] / busy["busy_us"]}
        rows.append({"what": what, "ms": ms, **share, **ours_busy})
    return rows


def types(options: Any) -> List[Dict[str, Any]]:
    """A tensor of each type, and some that are harder."""
    elements = (1 << 22) if options.quick else (1 << 29)
    values = torch.empty(elements, device="cuda").normal_(0, 0.02)
    cases = {
        "float32": lambda: values,
        "float16": lambda: values.half(),
        "bfloat16": lambda: values.bfloat16(),
        "bfloat16, half zeros": lambda: values.relu().bfloat16(),
        "bfloat16 about 1": lambda: (1 + values * 0.1).bfloat16(),
        "float64": lambda: values[: elements // 4].double(),
        "float8_e4m3fn": lambda: values.mul(50).to(torch.float8_e4m3fn),
        "float8_e5m2": lambda: values.to(torch.float8_e5m2),
        "int32": lambda: values.mul(1000).to(torch.int32),
        "int64": lambda: values[: elements // 4].mul(1000).to(torch.int64),
        "bool": lambda: values > 0,
        "float32, every second column": lambda: values.view(-1, 4096)[:, ::2],
        "float32, half of each row": lambda: values.view(-1, 4096)[:, :2048],
    }
    rows = []
    for what, tensor_of in cases.items():
        tensor = tensor_of()
        ms = gpu_ms(Launcher([tensor]), options.times)
        size = tensor.numel() * tensor.element_size()
        rows.append({"what": what, "ms": ms, "gb_s": size / ms / 1e6})
        del tensor
    return rows


def save(options: Any) -> List[Dict[str, Any]]:
    """hook.save_tensor of a large tensor of which reductions are saved."""
    elements = (1 << 28) if options.quick else (1 << 31)
    value = torch.empty(elements, dtype=torch.bfloat16, device="cuda").normal_(0, 0.02)
    folder = tempfile.mkdtemp()
    rows = []
    try:
        hook = smd.Hook(
            out_dir=str(Path(folder) / "run"),
            include_collections=["weights", "default"],
            save_config=smd.SaveConfig(save_interval=1),
            reduction_config=smd.ReductionConfig(reductions=["mean", "std", "max"], norms=["l2"]),
        )
        model = torch.nn.Linear(4, 4).cuda()
        hook.register_module(model)
        for _ in range(4):
            model(torch.ones(1, 4, device="cuda"))
            torch.cuda.synchronize()
            begin = time.perf_counter()
            hook.save_tensor("large", value)
            called = time.perf_counter()
            torch.cuda.synchronize()
            done = time.perf_counter()
        rows.append({"what": "the call", "ms": (called - begin) * 1e3})
        rows.append({"what": "until the GPU has done it", "ms": (done - begin) * 1e3})
        # As many outputs of modules as a model has, one by one.
        outputs = [value[i << 20 : (i + 8) << 20].view(8, -1, 1024) for i in range(240)]

        def save_outputs() -> None:
            model(torch.ones(1, 4, device="cuda"))
            for i, output in enumerate(outputs):
                hook.save_tensor(f"output_{i}", output)

        save_outputs()
        torch.cuda.synchronize()
        begin = time.perf_counter()
        save_outputs()
        called = time.perf_counter()
        torch.cuda.synchronize()
        done = time.perf_counter()
        busy = on_gpu(save_outputs, 3)
        hook.close()
        rows.append({"what": "240 tensors of 16 MB, the calls", "ms": (called - begin) * 1e3})
        rows.append({"what": "until the GPU has done it", "ms": (done - begin) * 1e3, **busy})
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return rows


def steps(options: Any) -> List[Dict[str, Any]]:
    """A step of a GPT of 24 layers, width 1024, with and without statistics of all parameters."""
    device = torch.device("cuda")
    model, x, y = make("tiny" if options.quick else "gpt350m", device)
    loss = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    folder = tempfile.mkdtemp()
    parameters = list(model.parameters())
    gradients: List[torch.Tensor] = []

    def step(watch: Callable[[], None]) -> float:
        torch.cuda.synchronize()
        begin = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", torch.bfloat16):
            result = loss(model(x), y)
        result.backward()
        gradients[:] = [p.grad for p in parameters]
        watch()
        optimizer.step()
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) * 1e3

    hook = smd.Hook(
        out_dir=str(Path(folder) / "run"),
        include_collections=["weights", "default"],
        save_config=smd.SaveConfig(save_interval=1),
        reduction_config=smd.ReductionConfig(
            reductions=["min", "max", "mean", "std", "variance", "sum", "prod"], norms=["l2"]
        ),
    )
    hook._begin_step()
    numbers = [hook._core.register_in(f"p{i}", ["default"]) for i in range(len(parameters))]
    gradient_numbers = [
        hook._core.register_in(f"g{i}", ["default"]) for i in range(len(parameters))
    ]
    saver = hook._device(torch.device("cuda", 0))
    of_parameters = saver.group(numbers, parameters)
    of_gradients = saver.group(gradient_numbers, parameters)
    on_cpu: List[float] = []

    def watch() -> None:
        begin = time.perf_counter()
        hook._begin_step()
        saver.save_group(of_parameters, parameters)
        saver.save_group(of_gradients, gradients)
        saver.flush()
        on_cpu.append((time.perf_counter() - begin) * 1e3)

    try:
        with_us, without = [], []
        for _ in range(5 + options.times):
            without.append(step(lambda: None))
            with_us.append(step(watch))
        hook.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    plain, ours = statistics.median(without[5:]), statistics.median(with_us[5:])
    gpu = gpu_ms(Launcher([*parameters, *(g for g in gradients)]), options.times)
    ratios = [b / a for a, b in zip(without[5:], with_us[5:])]
    return [
        {"what": f"a step, {len(parameters)} parameters", "ms": plain},
        {
            "what": "with statistics of all parameters and gradients",
            "ms": ours,
            "of_plain": statistics.median(ratios),
            "spread": f"{min(ratios):.3f} to {max(ratios):.3f}",
        },
        {"what": "the calls of the hook, on the CPU", "ms": statistics.median(on_cpu[5:])},
        {"what": "the kernels, on the GPU", "ms": gpu},
    ]


CASES = {"large": large, "many": many, "types": types, "save": save, "steps": steps}


def show(rows: List[Dict[str, Any]]) -> None:
    for row in rows:
        others = [
            f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}"
            for key, value in row.items()
            if key not in ("what", "ms")
        ]
        print(f"  {row['what']:<48} {row['ms']:10.3f} ms  {'  '.join(others)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of: " + ", ".join(CASES))
    parser.add_argument(
        "--quick", action="store_true", help="small tensors: only shows that it runs"
    )
    parser.add_argument("--double", action="store_true", help="also the kernel in double precision")
    parser.add_argument("--json", help="write the results to this file, too")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in CASES]
    if unknown:
        parser.error(f"unknown case '{unknown[0]}'; expected one of: {', '.join(CASES)}")
    if not torch.cuda.is_available():
        print("gpu_cases.py needs an NVIDIA GPU", file=sys.stderr)
        return 1
    options.times = 3 if options.quick else 20
    results = {}
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    for name in options.names or CASES:
        print(f"{name}: {CASES[name].__doc__}")
        results[name] = CASES[name](options)
        show(results[name])
        torch.cuda.empty_cache()
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
