"""What `warden run` costs a training with its default settings, and whether a budget is kept.

    python3 bench/budget_cases.py [--budget 1]... [--rounds 3] [--bin build/bin] MODEL...

Each round runs the same training once without and once under `warden run`, in an order that
changes. Prints a row for each model and budget: the step without us, the ratio of the times of all
steps after the warm-up (median of the rounds, smallest, largest), and what the hook itself says it
has cost. Models: those of torch_models.py. Uses the GPU if there is one.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
# Steps after the warm-up: enough that a run takes some seconds.
STEPS = {"tiny": 4000, "resnet18": 150, "transformer": 300, "resnet50": 100, "gpt": 150}
WARMUP = 20


def train(name, steps):
    """A usual training loop. Prints the seconds that its steps have taken, after a warm-up."""
    import torch

    from torch_models import make

    torch.set_num_threads(int(os.environ.get("BENCH_THREADS", "2")))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model, x, y = make(name, device)
    loss_function = torch.nn.CrossEntropyLoss()
    fused = {"fused": True} if device.type == "cuda" else {}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, **fused)
    begin = 0.0
    for step in range(WARMUP + steps):
        if step == WARMUP:
            _finish(torch)
            begin = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            loss = loss_function(model(x), y)
        loss.backward()
        optimizer.step()
    _finish(torch)
    print(f"STEPS {time.perf_counter() - begin}", flush=True)


def _finish(torch):
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def seconds(name, steps, warden, budget, folder):
    """The time of all steps of one training, and the cost that the hook tells of, if any."""
    command = [sys.executable, str(Path(__file__).resolve()), "--train", name, str(steps)]
    if warden:
        run = [str(warden), "run", "--budget", str(budget), "--out", folder, "--verbose", "--"]
        command = run + command
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=BENCH, timeout=600, check=False
    )
    found = re.search(r"STEPS ([\d.]+)", done.stdout)
    if not found:
        raise RuntimeError(f"{' '.join(command)} has failed:\n{done.stdout}\n{done.stderr}")
    told = re.search(r"Capture .* ([\d.]+) % of the time", done.stdout + done.stderr)
    return float(found.group(1)), float(told.group(1)) if told else None


def measure(name, budget, options):
    """Alternating runs of one model with one budget."""
    steps = options.steps or STEPS[name]
    plain, ours, told = [], [], []
    for number in range(options.rounds):
        for watched in (False, True) if number % 2 == 0 else (True, False):
            with tempfile.TemporaryDirectory(dir=options.dir) as folder:
                warden = Path(options.bin).absolute() / "warden" if watched else None
                time_of_steps, cost = seconds(name, steps, warden, budget, f"{folder}/run")
            (ours if watched else plain).append(time_of_steps)
            if cost is not None:
                told.append(cost)
    ratios = sorted(a / b for a, b in zip(ours, plain))
    return {
        "model": name,
        "budget_percent": budget,
        "plain_ms": round(1e3 * statistics.median(plain) / steps, 3),
        "ratio": round(statistics.median(ratios), 4),
        "smallest": round(ratios[0], 4),
        "largest": round(ratios[-1], 4),
        "least_over_least": round(min(ours) / min(plain), 4),
        "told_percent": round(statistics.median(told), 3) if told else None,
    }


def main():
    if sys.argv[1:2] == ["--train"]:
        train(sys.argv[2], int(sys.argv[3]))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, action="append", help="percent (default: 1)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, help="after the warm-up (default: by model)")
    parser.add_argument("--bin", default=str(BENCH.parent / "build" / "bin"))
    parser.add_argument("--dir", help="where runs are written (default: a temporary folder)")
    parser.add_argument("models", nargs="+", choices=STEPS, metavar="MODEL")
    options = parser.parse_args()
    for name in options.models:
        for budget in options.budget or [1.0]:
            print(json.dumps(measure(name, budget, options)), flush=True)


main()
