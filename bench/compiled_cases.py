"""What capture costs in eager and in compiled training steps, of one model run in one way.

    python3 bench/compiled_cases.py --model gpt --way compile

Steps without a hook alternate with steps of each variant, in models with the same weights. Prints
a row for each variant: the median step, the median of the ratios to the plain steps beside it, and
their smallest and largest after a tenth was left out at each end. Uses the GPU if there is one.

Variants: losses; reductions (seven of all weights, gradients and biases); outputs (the same, and
of the outputs of all modules). Ways: eager, compile, reduce-overhead. All is saved at every step.
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

os.environ.setdefault("SMDEBUG_LOG_LEVEL", "error")

import torch

import smdebug.pytorch as smd
from torch_models import make

SEVEN = {
    "reductions": ["min", "max", "mean", "std"],
    "abs_reductions": ["max", "mean"],
    "norms": ["l2"],
}
WGB = ["weights", "gradients", "biases"]
VARIANTS = ["losses", "reductions", "outputs"]
WAYS = {"eager": None, "compile": {}, "reduce-overhead": {"mode": "reduce-overhead"}}


def hook_for(variant, folder):
    """A hook that saves at every step."""
    settings = {"out_dir": folder, "save_config": smd.SaveConfig(save_interval=1)}
    if variant != "losses":
        settings["reduction_config"] = smd.ReductionConfig(**SEVEN)
        settings["include_collections"] = WGB
    if variant == "outputs":
        settings["include_regex"] = ["_output_"]
    return smd.Hook(**settings)


class Training:
    """A model with an optimizer, and maybe a hook."""

    def __init__(self, options):
        self.device = torch.device(options.device)
        model, self.x, self.y = make(options.model, self.device)
        self.loss = torch.nn.CrossEntropyLoss()
        fused = {"fused": True} if self.device.type == "cuda" else {}
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, **fused)
        settings = WAYS[options.way]
        self.model = model if settings is None else torch.compile(model, **settings)

    def watch(self, variant, folder):
        """Adds a hook; one that was closed costs nothing."""
        hook = hook_for(variant, folder)
        hook.register_module(self.model)
        hook.register_loss(self.loss)
        return hook

    def step(self):
        """One step of a usual training loop."""
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device.type, torch.bfloat16):
            loss = self.loss(self.model(self.x), self.y)
        loss.backward()
        self.optimizer.step()

    def block(self, steps):
        """Seconds for each of some steps, until the GPU has finished the last one."""
        begin = self.now()
        for _ in range(steps):
            self.step()
        return (self.now() - begin) / steps

    def now(self):
        """The time, when all that was started has ended."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()


def graphs():
    """What torch.compile has made so far; empty in eager mode."""
    counters = sys.modules["torch._dynamo.utils"].counters if "torch._dynamo" in sys.modules else {}
    stats = counters.get("stats", {})
    return {
        "graphs": stats.get("unique_graphs", 0),
        "breaks": sum(counters.get("graph_break", {}).values()),
    }


def measure(options, plain, watched, variant, folder):
    """Rounds of a plain and a watched block each, in an order that changes."""
    before = graphs()
    hook = watched.watch(variant, folder)
    watched.block(options.warmup)
    times = [], []
    for number in range(options.rounds):
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            times[which].append((plain, watched)[which].block(options.steps))
    after = graphs()
    failed = hook.disabled
    hook.close()
    shutil.rmtree(folder, ignore_errors=True)
    ratios = sorted(ours / its for its, ours in zip(*times))
    cut = len(ratios) // 10
    return {
        "model": options.model,
        "way": options.way,
        "variant": variant,
        "plain_ms": round(statistics.median(times[0]) * 1e3, 3),
        "ours_ms": round(statistics.median(times[1]) * 1e3, 3),
        "ratio": round(statistics.median(ratios), 4),
        "smallest": round(ratios[cut], 4),
        "largest": round(ratios[-1 - cut], 4),
        "new_graphs": after["graphs"] - before["graphs"],
        "breaks": after["breaks"],
        "capture": "failed" if failed else "complete",
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="gpt")
    parser.add_argument("--way", choices=WAYS, default="compile")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--steps", type=int, default=3, help="steps in a block")
    parser.add_argument("--warmup", type=int, default=4, help="steps before the first round")
    parser.add_argument("--dir", help="where runs are written (default: a temporary folder)")
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    options = parser.parse_args()
    unknown = [name for name in options.variants if name not in VARIANTS]
    if unknown:
        parser.error(f"unknown variant '{unknown[0]}'; expected one of: {', '.join(VARIANTS)}")
    print(json.dumps({"torch": torch.__version__, "device": options.device}), flush=True)
    # Both are compiled once; the hooks change nothing about that.
    plain, watched = Training(options), Training(options)
    for training in (plain, watched):
        training.block(options.warmup)
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        for variant in options.variants or VARIANTS:
            row = measure(options, plain, watched, variant, str(Path(folder) / variant))
            print(json.dumps(row), flush=True)


main()
