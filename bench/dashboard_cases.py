"""The dashboard in headless Chromium: how soon a long run is on the screen, beside TensorBoard with
the same curves, and whether it moves without a stutter.

The data is made once and kept in build/bench/dashboard (5 GB): WARDEN_DASHBOARD_DATA names another
folder, WARDEN_DASHBOARD_BUNDLE one whose script and sheet take the place of the program's."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from cases import Row, Target, duration
from sampling import BenchError, Samples, show_progress

HERE = Path(__file__).parent
LEAST_FRAMES = 50  # A second.
LIMITS = {"paint": 1.0, "heap": 300e6, "server": 200e6, "script": 500e3, "points": 2.0}
BELOW = Target("< 1", lambda ratio: ratio < 1)
AT_LEAST = Target(">= 1", lambda ratio: ratio >= 1)
TITLES = {
    ("tensors", "moved"): "8 curves of 1,000 x 10,000",
    ("layers", "moved"): "heat map of all 10 million values",
    ("system", "mean"): "10 million samples, 7 charts and the heat map",
    ("system", "cores"): "  with every core and GPU, 58 curves",
    ("timeline", "moved"): "timeline of 5 million events",
}
TWO_STEPS = """
import torch
model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), 0.01)
for _ in range(2):
    loss = torch.nn.functional.mse_loss(model(torch.randn(16, 8)), torch.zeros(16, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
MOST_ROUNDS = 3  # Each takes minutes.
ACTS = {"drag": "dragged", "wheel": "zoomed by the wheel", "keys": "moved by keys"}


def steps_of(setting):
    return 200 if setting.sizes.quick else 10_000


def make_data(setting, folder):
    """What is not there yet; each under another name until it is whole."""
    quick = setting.sizes.quick
    steps = steps_of(setting)
    samples, events = (100_000, 50_000) if quick else (10_000_000, 5_000_000)
    runs = 200 if quick else 10_000
    python = [setting.python]
    makers = {
        "series": lambda into: [
            *(setting.bin / "bench_series", "--run", into, "--steps", steps, "write")
        ],
        "tensorboard": lambda into: [
            *(*python, HERE / "write_tfevents.py", into, "--steps", steps)
        ],
        "metrics": lambda into: [
            *(*python, HERE / "make_long_metrics.py", into / "profiler-output"),
            *("--samples", samples),
        ],
        "timeline": lambda into: [
            *(*python, HERE / "make_long_timeline.py", into / "profiler-output"),
            *("--events", events),
        ],
        # As people have them: with a record and some thirty rules.
        "run": lambda into: [
            *(setting.bin / "warden", "run", "--out", into, "--", *python, "-c", TWO_STEPS),
        ],
    }

    def write(name, into):
        done = subprocess.run([str(word) for word in makers[name](into)], stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            raise BenchError(f"{name} could not be written: {makers[name](into)}")

    def write_list(into):
        run = folder / "listed"
        shutil.rmtree(run, ignore_errors=True)
        write("run", run)
        for number in range(runs):
            # Hard links: each run has folders of its own, which is what a list looks at.
            shutil.copytree(run, into / f"run-{number:05}", copy_function=os.link)

    for name in ("series", "tensorboard", "metrics", "timeline", "list"):
        if (folder / name).exists():
            continue
        show_progress(f"dashboard: writing {name}")
        half = folder / "unfinished"
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        write_list(half) if name == "list" else write(name, half)
        half.rename(folder / name)


def measured(setting, folder):
    bundle = os.environ.get("WARDEN_DASHBOARD_BUNDLE")
    command = [setting.python, HERE / "dashboard_measure.py", "--warden", setting.bin / "warden"]
    command += ["--data", folder, *(["--bundle", bundle] if bundle else [])]
    command += ["--steps", steps_of(setting), "--rounds", min(setting.sizes.rounds, MOST_ROUNDS)]
    if setting.sizes.quick:
        command += ["--seconds", 1]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise BenchError(f"{' '.join(str(word) for word in command)} failed")
    return json.loads(done.stdout.splitlines()[-1])


def megabytes(value):
    return f"{value / 1e6:.0f} MB"


def paint_rows(paint):
    ours = paint["painted"]
    beside = [tb / us for tb, us in zip(paint["tb_seen"], paint["seen"])]
    median = {name: sorted(values)[len(values) // 2] for name, values in paint.items()}
    return [
        Row(
            "first curve of 1,000 tensors x 10,000 steps, cold server",
            duration(median["painted"]),
            "limit 1 s",
            [value / LIMITS["paint"] for value in ours],
            BELOW,
        ),
        Row(
            "  in a picture of the page, beside TensorBoard",
            duration(median["seen"]),
            f"TensorBoard {duration(median['tb_seen'])}",
            beside,
        ),
        Row(
            "  until every step is read",
            duration(median["read"]),
            f"TensorBoard {duration(median['tb_read'])}, of which it keeps 1,000 for each tag",
            [tb / us for tb, us in zip(paint["tb_read"], paint["read"])],
        ),
        Row(
            "  most memory of the server",
            megabytes(median["server"]),
            f"limit 200 MB; TensorBoard {megabytes(median['tb_server'])}",
            [value / LIMITS["server"] for value in paint["server"]],
            BELOW,
        ),
    ]


LISTED = {
    "new": "list of 10,000 runs, which the server has never seen",
    "again": "  server started again",
    "later": "  the same server, another page",
}


def list_rows(found):
    rows = [
        Row(
            title,
            duration(found[name]["shown"]),
            f"limit 1 s; the request alone {duration(found[name]['answered'])}",
            [found[name]["shown"] / LIMITS["paint"]],
            BELOW,
        )
        for name, title in LISTED.items()
    ]
    memory = found["later"]["server"]
    rows.append(
        Row(
            "  most memory of the server",
            megabytes(memory),
            "limit 200 MB",
            [memory / LIMITS["server"]],
            BELOW,
        )
    )
    return rows


def moved_rows(title, moved):
    rows = []
    for act, one in moved.items():
        rows.append(
            Row(
                f"{title}, {ACTS[act]}",
                f"{one['per_second']:.0f} frames/s",
                f"wanted {LEAST_FRAMES}; 95 % within {one['p95']:.0f} ms, "
                f"main thread {one['main']:.1f} ms, of it script {one['script']:.1f} ms",
                [one["per_second"] / LEAST_FRAMES],
                AT_LEAST,
            )
        )
    return rows


def size_rows(found, script):
    heap = max(found[part]["heap"] for part in ("tensors", "layers", "system", "timeline"))
    rows = [
        Row(
            "heap of the page after use, the most",
            megabytes(heap),
            "limit 300 MB",
            [heap / 3e8],
            BELOW,
        ),
        Row(
            "values sent for each pixel of a curve",
            f"{found['tensors']['points_per_pixel']:.2f}",
            "limit 2",
            [found["tensors"]["points_per_pixel"] / LIMITS["points"]],
            Target("<= 1", lambda ratio: ratio <= 1),
        ),
    ]
    share = [script / LIMITS["script"]]
    rows.append(Row("script, compressed", f"{script / 1e3:.0f} KB", "limit 500 KB", share, BELOW))
    for part in ("system", "timeline"):
        read, memory = found[part]["read"], found[part]["server"]
        rows.append(Row(f"{part}: all of it read", duration(read), f"server {megabytes(memory)}"))
    return rows


def dashboard(setting):
    usual = setting.dir.parent / ("dashboard-quick" if setting.sizes.quick else "dashboard")
    folder = Path(os.environ.get("WARDEN_DASHBOARD_DATA", usual)).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    make_data(setting, folder)
    show_progress("dashboard")
    found = measured(setting, folder)
    print(f"load {found['load']:.1f} before, {found['load_after']:.1f} after", file=sys.stderr)
    samples = Samples()
    samples.add_round({"dashboard": found})
    rows = paint_rows(found["paint"]) + list_rows(found["list"])
    for (part, which), title in TITLES.items():
        rows += moved_rows(title, found[part][which])
    return rows + size_rows(found, found["script"]), samples


DASHBOARD_CASES = {"dashboard": dashboard}
