"""Watching a run: how soon an alert comes, and what it costs the training."""

import os
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from cases import Row, Target, at_most, duration
from sampling import Program, Samples, run_rounds, show_progress

ALERT = re.compile(r"! VanishingGradient: .* at step (\d+)")


def pinned(core, command):
    return ["taskset", "-c", str(core), *map(str, command)]


def delays(setting, steps):
    """Seconds from a step's index file to the line that tells of it, of each alert."""
    run = setting.dir / "flickering"
    shutil.rmtree(run, ignore_errors=True)
    watch = subprocess.Popen(
        [setting.bin / "warden", "watch", run, "--rules", "all"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    script = Path(__file__).with_name("flickering.py")
    training = subprocess.Popen([setting.python, script, run, str(steps)])
    told = {}
    for line in watch.stderr:
        if match := ALERT.search(line):
            told.setdefault(int(match[1]), time.time())
    training.wait()
    watch.wait()
    files = {int(path.name.split("_")[0]): path for path in run.glob("index/*/*.json")}
    return [told[step] - files[step].stat().st_mtime for step in sorted(told)]


def alerts(setting):
    show_progress("alerts")
    measured = sorted(delays(setting, setting.sizes.alert_steps))
    late = measured[int(0.99 * (len(measured) - 1))]
    below = [
        (
            f"from a saved step to the alert, median of {len(measured)}, all rules active",
            statistics.median(measured),
            0.1,
        ),
        ("  99th percentile", late, 0.5),
    ]
    target = Target("< 1", lambda ratio: ratio < 1)
    rows = [
        Row(what, duration(seconds), f"limit {duration(limit)}", [seconds / limit], target)
        for what, seconds, limit in below
    ]
    samples = Samples()
    samples.add_round({"alerts": {"delays": measured}})
    return rows, samples


def watching(setting):
    """A training on one core, with and without a watcher on the other."""
    variant, model = "reductions_10", "resnet18"
    script = Path(__file__).with_name("torch_steps.py")
    flags = ["--model", model, "--dir", setting.dir, "--blocks", 2]
    watcher = None

    def sample(watched):
        nonlocal watcher
        if watched:
            run = next(setting.dir.glob(f"{model}-{variant}-*"))
            command = [setting.bin / "warden", "watch", run, "--rules", "all"]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            watcher = subprocess.Popen(pinned(os.cpu_count() - 1, command), **quiet)
            time.sleep(0.5)
        try:
            return training.measure(variant)
        finally:
            if watcher is not None:
                watcher.terminate()
                watcher.wait()
                watcher = None

    for old in setting.dir.glob(f"{model}-{variant}-*"):
        shutil.rmtree(old)
    with Program(pinned(0, [setting.python, script, *flags])) as training:
        training.measure(variant)
        variants = {"alone": lambda: sample(False), "watched": lambda: sample(True)}
        samples = run_rounds("watching", setting.sizes.rounds, variants)

    def step(label):
        return samples.median(lambda s: s[label]["seconds"] / s[label]["steps"])

    return [
        Row(
            f"{model}, 18 reductions every 10 steps, watched by all rules from the other core",
            duration(step("watched")),
            f"not watched {duration(step('alone'))}",
            samples.per_round(lambda s: s["watched"]["seconds"] / s["alone"]["seconds"]),
            at_most(1.01),
        )
    ], samples


WATCH_CASES = {"alerts": alerts, "watching": watching}
