"""What `warden run` costs a training with its default settings, and whether a budget is kept.

    python3 bench/budget_cases.py [--budget 1]... [--rounds 3] [--seconds 120] [MODEL...]

Needs PyTorch and tensorwarden in the Python that runs it, and the program `warden`: that of
--bin, of build/bin, of this Python, or of $PATH. Without names of models (of torch_models.py), five
very different trainings are measured. Uses the GPU if there is one.

Each round trains once without and once under `warden run` for each budget, each time in a process
of its own, in an order that changes. Prints a table, a row for each model and budget:

    step       of the training without us, in milliseconds
    asked      the budget
    told       by the hook itself, at the end of the run
    judged     share of the steps that have statistics
    wall       the cost in time that has passed: mean of the rounds, and its standard error
    thread     the same in processor time of the thread that trains; other programs hardly change it
    process    the same in processor time of the whole process, with the thread that writes
    beside     processor time of the `warden` beside it, which checks rules, with its start and end;
               a share of the time
    kept       whether `told` and `thread` are at most 1.2 times the budget, as far as the error
               allows to say so; on a GPU `told` and `wall`: the host has time to spare there, and
               what it takes of that is in the other two

Times are those of the steps after a warm-up. Capture of short steps may take half a second ahead
of its budget, so that trainings of less than 100 seconds show more than 1 %. On a machine with many
cores, run the models at the same time, each in a process of this program. `--json` prints all
samples as well.
"""

import argparse
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ON_CPU = ("tiny", "resnet18", "transformer", "wide", "recurrent")
ON_GPU = ("tiny", "resnet18", "transformer", "resnet50", "gpt")
WARMUP = 20
TIMEOUT = 900  # Seconds for one training.
TOLERANCE = 1.2  # A budget is kept within this factor.


def train(name, steps, threads):
    """A usual training loop. Prints the times that its steps have taken, after a warm-up."""
    import torch

    from torch_models import make

    torch.set_num_threads(threads)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model, x, y = make(name, device)
    loss_function = torch.nn.CrossEntropyLoss()
    fused = {"fused": True} if device.type == "cuda" else {}
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, **fused)
    begin = _clocks(torch)
    for step in range(WARMUP + steps):
        if step == WARMUP:
            begin = _clocks(torch)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            loss = loss_function(model(x), y)
        loss.backward()
        optimizer.step()
    end = _clocks(torch)
    times = {key: end[key] - begin[key] for key in begin}
    _write({"steps": steps, **times, "process_in_all": time.process_time()})


def _clocks(torch):
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return {
        "wall": time.perf_counter(),
        "thread": time.thread_time(),
        "process": time.process_time(),
    }


def _write(sample):
    Path(os.environ["BENCH_SAMPLE"]).write_text(json.dumps(sample))


def sample_of(name, steps, budget, options):
    """Trains once, under `warden run` if there is a budget. Returns the times, what the hook has
    told, and the processor time of the program beside it."""
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        file = Path(folder) / "sample.json"
        run = Path(folder) / "run"
        command = [sys.executable, __file__, "--train", name, str(steps), str(options.threads)]
        if budget is not None:
            command = [options.warden, "run", "--budget", str(budget), "--out", run, "--", *command]
        before = _children()
        done = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            cwd=BENCH,
            timeout=TIMEOUT,
            check=False,
            env={**os.environ, "BENCH_SAMPLE": str(file)},
        )
        if not file.exists():
            raise SystemExit(
                f"{' '.join(map(str, command))} has failed:\n{done.stdout}\n{done.stderr}"
            )
        sample = json.loads(file.read_text())
        sample["beside"] = _children() - before - sample.pop("process_in_all")
        if budget is not None:
            sample |= told(run)
    return sample


def told(run):
    """What the hook has saved: the share of the time that capture took, at some steps and at the
    last, and the steps with statistics."""
    from tensorwarden.trial import create_trial

    trial = create_trial(str(run))
    tensor = trial.tensor("training/capture_share")
    steps = tensor.steps()
    some = [steps[len(steps) * part // 8] for part in range(8)] + [steps[-1]]
    shares = {step: float(tensor.value(step)[0]) for step in some}
    gradients = trial.tensor_names(collection="gradients")
    judged = len(trial.tensor(gradients[0]).steps()) if gradients else 0
    return {"told": shares[steps[-1]], "shares": shares, "judged": judged}


def _children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def steps_for(name, options):
    """As many steps as take the time that was asked for."""
    quick = sample_of(name, 20, None, options)
    return max(50, round(options.seconds * quick["steps"] / quick["wall"]))


def measure(name, options):
    """All rounds of one model."""
    steps = options.steps or steps_for(name, options)
    variants = [None, *options.budget]
    rounds = []
    for number in range(options.rounds):
        first = number % len(variants)
        order = variants[first:] + variants[:first]
        samples = {}
        for budget in order if number % 2 == 0 else reversed(order):
            samples[budget] = sample_of(name, steps, budget, options)
            if options.json:
                row = {"model": name, "budget": budget, "round": number, **samples[budget]}
                print(json.dumps(row), flush=True)
        rounds.append(samples)
    return rounds


def row_of(name, budget, rounds):
    """A row of the table."""
    plain = [samples[None] for samples in rounds]
    ours = [samples[budget] for samples in rounds]
    step = statistics.median(s["wall"] / s["steps"] for s in plain)
    said = 100 * statistics.mean(s["told"] for s in ours)
    judged = statistics.mean(s["judged"] / (s["steps"] + WARMUP) for s in ours)
    cells = [name, f"{1e3 * step:.2f}", f"{budget:g} %", f"{said:.2f} %", f"{100 * judged:.1f} %"]
    costs = {}
    for clock in ("wall", "thread", "process"):
        costs[clock] = mean_and_error(
            [100 * (a[clock] / b[clock] - 1) for a, b in zip(ours, plain)]
        )
        cells.append("{:+.2f} ± {:.2f} %".format(*costs[clock]))
    cells.append(f"{100 * statistics.mean(s['beside'] / s['wall'] for s in ours):.1f} %")
    cost, error = costs["wall" if uses_gpu() else "thread"]
    # What the cost is at least, for all that can be said.
    least = max(said, cost - 2 * error)
    cells.append("yes" if least <= TOLERANCE * budget else "NO")
    return cells


def mean_and_error(values):
    """The mean of the values and its standard error."""
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return statistics.mean(values), error


def find_warden(folder):
    """The program `warden` to measure."""
    places = [BENCH.parent / "build" / "bin", Path(sys.executable).parent]
    for place in [Path(folder)] if folder else places:
        if (place / "warden").is_file():
            return (place / "warden").absolute()
    found = None if folder else shutil.which("warden")
    if found is None:
        raise SystemExit("warden was not found: install tensorwarden, or name its folder by --bin")
    return Path(found).absolute()


def main():
    if sys.argv[1:2] == ["--train"]:
        train(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, action="append", help="percent (default: 1)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=120, help="of a training (default: 120)")
    parser.add_argument("--steps", type=int, help="after the warm-up (default: by --seconds)")
    parser.add_argument("--threads", type=int, default=2, help="of PyTorch (default: 2)")
    parser.add_argument("--bin", help="folder of the program warden")
    parser.add_argument("--dir", help="where runs are written (default: a temporary folder)")
    parser.add_argument("--json", action="store_true", help="print all samples, too")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    options = parser.parse_args()
    options.warden = find_warden(options.bin)
    options.budget = options.budget or [1.0]
    names = (
        "model",
        "step",
        "asked",
        "told",
        "judged",
        "wall",
        "thread",
        "process",
        "beside",
        "kept",
    )
    form = "{:12} {:>8} {:>6} {:>8} {:>8} {:>16} {:>16} {:>16} {:>7} {:>5}".format
    print(form(*names), flush=True)
    for name in options.models or default_models():
        rounds = measure(name, options)
        for budget in options.budget:
            print(form(*row_of(name, budget, rounds)), flush=True)


def default_models():
    return ON_GPU if uses_gpu() else ON_CPU


def uses_gpu():
    import torch

    return torch.cuda.is_available()


main()
