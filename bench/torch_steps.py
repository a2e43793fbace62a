"""Training steps with a hook and without, measured as our other programs are: variants named on the
command line or, line by line, on the standard input; one JSON object for each.

Runs with whatever package `smdebug` its Python has: ours, or the original's. A sample alternates
blocks of steps without a hook and with one, so that both see the same machine, of two models that
share their weights, so that both see the same memory; what is left to be written after a block is
waited for outside the clock, and told as "drain"."""

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("SMDEBUG_LOG_LEVEL", "error")

import torch

import smdebug.pytorch as smd
from torch_models import make

WGB = ["weights", "gradients", "biases"]
OPERATIONS = ["min", "max", "mean", "std", "variance", "sum", "prod"]
NORMS = ["l1", "l2"]


def every(steps):
    return smd.SaveConfig(save_interval=steps)


def all_reductions():
    return smd.ReductionConfig(
        reductions=OPERATIONS, abs_reductions=OPERATIONS, norms=NORMS, abs_norms=NORMS
    )


def hook_for(variant, folder):
    """The hook of a variant, e.g. "raw_10": what is saved, and every how many steps."""
    what, _, interval = variant.rpartition("_")
    if variant == "idle":
        config = smd.SaveConfig(save_interval=10**9, start_step=10**8)
        return smd.Hook(out_dir=folder, save_config=config, include_collections=WGB)
    config = every(int(interval))
    if what == "losses":
        return smd.Hook(out_dir=folder, save_config=config)
    if what == "reductions":
        return smd.Hook(
            out_dir=folder,
            save_config=config,
            reduction_config=all_reductions(),
            include_collections=WGB,
        )
    if what == "raw":
        return smd.Hook(out_dir=folder, save_config=config, include_collections=WGB)
    if what == "all":
        return smd.Hook(out_dir=folder, save_config=config, save_all=True)
    raise ValueError(f"there is no variant '{variant}'")


def summary_writer(folder):
    """TensorBoard's, which in PyTorch 1.13 asks something of NumPy that 1.24 refuses."""
    import numpy
    from torch.utils.tensorboard import SummaryWriter, summary

    class Lenient:
        def __getattr__(self, name):
            return getattr(numpy, name)

        def greater(self, a, b, dtype=bool):
            return numpy.greater(a, b).astype(dtype)

    summary.np = Lenient()
    return SummaryWriter(folder)


class Training:
    """A model with an optimizer, and maybe somebody who watches."""

    def __init__(self, variant, options):
        self.device = torch.device(options.device)
        self.model, self.x, self.y = make(options.model, self.device)
        self.loss = torch.nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-4, momentum=0.9)
        self.half = options.half
        self.hook = self.writer = None
        self.folder = Path(options.dir) / f"{options.model}-{variant}-{os.getpid()}"
        self.steps = 0
        shutil.rmtree(self.folder, ignore_errors=True)
        if variant.startswith("summary_"):
            self.interval = int(variant.rpartition("_")[2])
            self.writer = summary_writer(str(self.folder))
        elif variant != "none":
            self.hook = hook_for(variant, str(self.folder))
            self.hook.register_module(self.model)
            self.hook.register_loss(self.loss)

    def share_memory_of(self, other):
        """Weights and momentum are the other's from here on."""
        for mine, its in zip(self.model.parameters(), other.model.parameters()):
            mine.data = its.data
            self.optimizer.state[mine] = other.optimizer.state[its]

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half):
            loss = self.loss(self.model(self.x), self.y)
        loss.backward()
        self.optimizer.step()
        if self.writer is not None and self.steps % self.interval == 0:
            self.write_summaries(loss)
        self.steps += 1

    def write_summaries(self, loss):
        self.writer.add_scalar("loss", loss, self.steps)
        for name, parameter in self.model.named_parameters():
            self.writer.add_histogram(name, parameter, self.steps)
            self.writer.add_histogram("gradient/" + name, parameter.grad, self.steps)

    def run(self, steps):
        begin = time.perf_counter()
        for _ in range(steps):
            self.step()
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter() - begin

    def drain(self):
        """Waits for what is still to be written, and makes room for more."""
        begin = time.perf_counter()
        if self.writer is not None:
            self.writer.flush()
        elif hasattr(self.hook, "flush"):
            self.hook.flush()
        seconds = time.perf_counter() - begin
        if self.hook is not None:
            self.forget_old_steps()
        return seconds

    def forget_old_steps(self):
        # All but the folder of the step that is still open.
        for folder in sorted((self.folder / "events").glob("*"))[:-1]:
            shutil.rmtree(folder, ignore_errors=True)


class Bench:
    """Answers one sample for each variant."""

    def __init__(self, options):
        self.options = options
        self.trainings = {}

    def trainings_of(self, variant):
        """One without a hook, one with."""
        if variant not in self.trainings:
            plain, watched = Training("none", self.options), Training(variant, self.options)
            for training in (plain, watched):
                training.run(self.options.warmup)
            watched.drain()
            plain.share_memory_of(watched)
            self.trainings[variant] = plain, watched
        return self.trainings[variant]

    def sample(self, variant):
        if variant == "versions":
            return {"torch": torch.__version__, "threads": torch.get_num_threads()}
        if variant.startswith("scalars"):
            return self.scalars(variant)
        reference, watched = self.trainings_of(variant)
        sample = {"seconds": 0.0, "reference": 0.0, "drain": 0.0, "steps": 0}
        if variant == "idle" or variant.endswith("_1"):
            return self.step_by_step(reference, watched, sample)
        for _ in range(self.options.blocks):
            sample["reference"] += reference.run(self.options.steps)
            sample["seconds"] += watched.run(self.options.steps)
            sample["drain"] += watched.drain()
            sample["steps"] += self.options.steps
        return sample

    def step_by_step(self, reference, watched, sample):
        """Where all steps are alike they alternate one by one, and the medians are told: a moment
        in which the machine was busy elsewhere then counts for nothing."""
        steps = self.options.steps * self.options.blocks
        times = [], []
        for i in range(steps):
            for which in (0, 1) if i % 2 == 0 else (1, 0):
                times[which].append((reference, watched)[which].run(1))
            if i % self.options.steps == self.options.steps - 1:
                sample["drain"] += watched.drain()
        sample["reference"] = statistics.median(times[0]) * steps
        sample["seconds"] = statistics.median(times[1]) * steps
        sample["steps"] = steps
        return sample

    def scalars(self, variant):
        """Numbers saved from Python within one step."""
        folder = Path(self.options.dir) / f"{variant}-{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        hook = smd.Hook(out_dir=str(folder), save_config=every(1))
        model = torch.nn.Identity()
        hook.register_module(model)
        model(torch.zeros(1))
        count = self.options.scalars
        names = [f"metric_{i}" for i in range(count)]
        values = {name: 0.5 for name in names}
        begin = time.perf_counter()
        if variant == "scalars_batch":
            hook.save_scalars(values)
        else:
            for name in names:
                hook.save_scalar(name, 0.5)
        model(torch.zeros(1))
        seconds = time.perf_counter() - begin
        hook.close()
        return {"seconds": seconds, "steps": count}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="resnet18")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--half", action="store_true", help="autocast to bfloat16")
    parser.add_argument("--dir", default="build/bench", help="where to write")
    parser.add_argument("--steps", type=int, default=10, help="steps in a block")
    parser.add_argument("--blocks", type=int, default=1, help="blocks in a sample")
    parser.add_argument("--warmup", type=int, default=11, help="steps before the first sample")
    parser.add_argument("--scalars", type=int, default=20000)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    options = parser.parse_args()
    bench = Bench(options)
    for name in options.variants or map(str.strip, sys.stdin):
        print(json.dumps({"name": name, **bench.sample(name)}), flush=True)
    sys.stdout.flush()
    os._exit(0)  # The original's threads would keep the process.


main()
