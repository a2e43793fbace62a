"""The timeline in the training process: what recording it costs a training step.

Run as a program it measures for bench/report.py, as torch_steps.py does: one JSON object for each
variant that is named on the standard input."""

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path

MODELS = ("tiny", "resnet18", "transformer")


# ---- For report.py.


def timeline(setting, model):
    """The rows of one model: steps of the same training with the timeline on and off."""
    from cases import Row, at_most, duration
    from sampling import Program, run_rounds

    flags = ("--steps", 200) if model == "tiny" else ("--steps", 40)
    command = [setting.python, Path(__file__), "--model", model, "--dir", setting.dir, *flags]
    with Program(command) as ours:
        variants = {"steps": lambda: ours.measure("steps")}
        if model == "tiny":
            variants["event"] = lambda: ours.measure("event")
        samples = run_rounds(f"timeline, {model}", setting.sizes.capture_rounds, variants)

    def step(which):
        return duration(samples.median(lambda s: s["steps"][which] / s["steps"]["steps"]))

    rows = [
        Row(
            f"{model}: timeline of steps, passes, optimizer, data loading",
            step("seconds"),
            f"timeline off {step('reference')}",
            samples.per_round(lambda s: s["steps"]["seconds"] / s["steps"]["reference"]),
            at_most(1.02),
        )
    ]
    if model == "tiny":
        rows.append(
            Row(
                "one event recorded from Python, of 1 us",
                duration(samples.median(lambda s: s["event"]["seconds"] / s["event"]["steps"])),
                "limit 1 us",
                samples.per_round(lambda s: s["event"]["seconds"] / s["event"]["steps"] / 1e-6),
                at_most(1),
            )
        )
    return rows, samples


TIMELINE_CASES = {f"timeline-{m}": lambda setting, m=m: timeline(setting, m) for m in MODELS}


# ---- The program.


class Training:
    """Two models of the same weights that are trained from a data loader under a hook that saves
    nothing: one with the timeline on, one with it off."""

    def __init__(self, options, folder):
        os.environ.setdefault("SMDEBUG_LOG_LEVEL", "error")
        parameters = {"ProfilingParameters": {"LocalPath": str(folder / "profiler")}}
        config = folder / "profilerconfig.json"
        config.write_text(json.dumps(parameters))
        os.environ["SMPROFILER_CONFIG_PATH"] = str(config)
        import torch

        import smdebug.pytorch as smd
        from tensorwarden.profiler.recording.session import get_session
        from torch_models import make

        self.session = get_session()
        self.models, self.optimizers = [], []
        for _ in range(2):
            model, self.x, self.y = make(options.model, torch.device(options.device))
            self.models.append(model)
            self.optimizers.append(torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9))
        for mine, its in zip(*(model.parameters() for model in self.models)):
            mine.data = its.data  # Both see the same memory.
        self.loss = torch.nn.CrossEntropyLoss()
        never = smd.SaveConfig(save_interval=10**9, start_step=10**8)
        hook = smd.Hook(out_dir=str(folder / "run"), save_config=never)
        for model in self.models:
            hook.register_module(model)
        data = torch.utils.data.TensorDataset(torch.zeros(1 << 20, 1))
        loader = torch.utils.data.DataLoader(data, batch_size=1)
        self.batches = iter(loader)

    def step(self, is_on):
        """The seconds of one step."""
        # As the configuration file would, but at once.
        self.session.on = self.session.loads = is_on
        model, optimizer = self.models[is_on], self.optimizers[is_on]
        begin = time.perf_counter()
        next(self.batches)
        optimizer.zero_grad(set_to_none=True)
        self.loss(model(self.x), self.y).backward()
        optimizer.step()
        return time.perf_counter() - begin

    def sample(self, steps):
        """Steps with and without take turns, so that both see the same machine; the medians are
        told, so that a moment in which it was busy elsewhere counts for nothing."""
        times = {True: [], False: []}
        for i in range(2 * steps):
            # Each step of the one kind comes after one of the other as often as after its own.
            is_on = i % 4 in (1, 2)
            times[is_on].append(self.step(is_on))
        middle = {is_on: statistics.median(values) * steps for is_on, values in times.items()}
        return {"seconds": middle[True], "reference": middle[False], "steps": steps}

    def events(self, count=20000):
        """Spans recorded one after the other."""
        self.session.on = True
        core = self.session.core or self.session.open()
        kind = self.session.kind(("Bench", "event"))
        record = core.span_of_step
        core.flush()
        begin = time.perf_counter()
        for step in range(count):
            record(kind, 0, step)
        seconds = time.perf_counter() - begin
        core.flush()
        return {"seconds": seconds, "steps": count}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="tiny")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dir", default="build/bench", type=Path)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    folder = options.dir / f"timeline-{options.model}-{os.getpid()}"
    folder.mkdir(parents=True)
    training = Training(options, folder)
    training.sample(10)
    for name in map(str.strip, sys.stdin):
        sample = training.events() if name == "event" else training.sample(options.steps)
        print(json.dumps({"name": name, **sample}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
