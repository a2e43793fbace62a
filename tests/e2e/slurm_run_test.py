"""`warden run` in jobs of Slurm, on a cluster of its own: one run over all tasks of a step."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from smdebug.trials import create_trial

WARDEN = Path(os.environ.get("WARDEN", "build/bin/warden")).absolute()

# Trains on all tasks of its step. Its loss is NaN from step 3 on if asked for; else it waits in a
# step until a file is there. Saves and loads checkpoints.
TRAINING = """
import os, sys, time
from pathlib import Path
import torch
import torch.distributed as dist
from torch import nn

steps, what = int(sys.argv[1]), sys.argv[2]
rank, size = int(os.environ["SLURM_PROCID"]), int(os.environ["SLURM_STEP_NUM_TASKS"])
attempt = os.environ.get("SLURM_RESTART_COUNT", "0")
torch.manual_seed(0)
torch.set_num_threads(1)
dist.init_process_group(
    "gloo", init_method=f"file://{Path.cwd()}/rendezvous{attempt}", rank=rank, world_size=size
)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
checkpoint = Path("checkpoints", "model.pt")
done = 0
if checkpoint.exists():
    done, weights = torch.load(checkpoint)
    model.load_state_dict(weights)
model = nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
x, y = torch.randn(16, 4) + rank, torch.randint(0, 3, (16,))
for step in range(done, steps):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    if what == "nan" and step >= 3:
        loss = loss * float("nan")
    loss.backward()
    optimizer.step()
    if what == "nan" and step > 10:
        time.sleep(0.05)
    if what == "interrupted" and rank == 0 and step == 5:
        checkpoint.parent.mkdir()
        torch.save((step + 1, model.module.state_dict()), checkpoint)
    if what == "interrupted" and attempt == "0" and step == 8:
        Path(f"waits{rank}").touch()
        time.sleep(3600)
print(f"task {rank} trained from step {done}", flush=True)
"""


@pytest.fixture
def train(cluster, tmp_path):
    """Submits the training to two nodes, under `warden run`; returns the job's number."""

    def submit(*options: str, steps: int = 12, what: str = "well", job=(), nodes: int = 2) -> str:
        (tmp_path / "train.py").write_text(TRAINING)
        words = [str(WARDEN), "run", *options, "--", sys.executable, "train.py", str(steps), what]
        return cluster.submit(
            f"srun {' '.join(words)}", f"--chdir={tmp_path}", *job, nodes=nodes, PYTHONPATH=""
        )

    return submit


def only_run(folder: Path, job: str) -> Path:
    """The folder of the job's run, the only one."""
    assert [run.name for run in (folder / "warden-runs").iterdir()] == [f"train-{job}.0"]
    return folder / "warden-runs" / f"train-{job}.0"


def test_a_step_is_one_run_that_its_first_task_judges(cluster, train, tmp_path):
    job = train("--workers", "all", "--fail-on", "problem", "--events", "events.jsonl", what="nan")
    ended = cluster.wait(job)
    output = cluster.output(job)
    assert (ended["JobState"], ended["ExitCode"]) == ("FAILED", "3:0"), output
    run = only_run(tmp_path, job)
    trial = create_trial(str(run))
    assert trial.workers() == ["worker_0", "worker_1"]
    assert trial.loaded_all_steps
    losses = trial.tensor("CrossEntropyLoss_output_0")
    assert losses.steps() == list(range(12))
    assert all(losses.workers(step) == trial.workers() for step in losses.steps())
    verified = subprocess.run([WARDEN, "trial", "verify", run], capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    # Each task had other data.
    assert losses.value(0, worker="worker_0") != losses.value(0, worker="worker_1")
    # Told once, for both workers.
    assert output.count("1 problem found") == 1, output
    ends = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [event["event"] for event in ends].count("end") == 1
    assert ends[-1]["workers"] == ["worker_0", "worker_1"]
    # Each node was monitored once.
    names = [file.name for file in run.rglob("*.json") if "system" in file.parts]
    assert {name.split(".")[1] for name in names} == {"algo-1", "algo-2"}


def test_a_rule_stops_all_tasks(cluster, train, tmp_path):
    job = train("--stop-on", "any", steps=100_000, what="nan")
    ended = cluster.wait(job)
    output = cluster.output(job)
    # All tasks end with the code of the first.
    assert (ended["JobState"], ended["ExitCode"]) == ("FAILED", "3:0"), output
    assert output.count("training stopped by rule") == 1, output
    # By default only the first worker saves.
    trial = create_trial(str(only_run(tmp_path, job)))
    assert trial.workers() == ["worker_0"]


def test_a_canceled_job_tells_what_was_found(cluster, train, tmp_path):
    job = train(steps=100_000, what="nan")
    # A finding is printed at once.
    cluster.wait_for(lambda: "NaN" in cluster.output(job), job)
    assert "problem found" not in cluster.output(job)
    cluster.command("scancel", job)
    ended = cluster.wait(job)
    output = cluster.output(job)
    assert ended["JobState"] == "CANCELLED", output
    assert output.count("1 problem found") == 1, output
    record = json.loads((only_run(tmp_path, job) / "warden/run.json").read_text())
    assert record["signal"] == 15


def test_a_requeued_job_continues_its_run(cluster, train, tmp_path):
    options = ("--workers", "all", "--checkpoints", "checkpoints")
    job = train(*options, what="interrupted", job=("--requeue",))
    cluster.wait_for(lambda: all((tmp_path / f"waits{n}").exists() for n in (0, 1)), job)
    # The writers may be late; what they have not written when they are killed is lost.
    last = "warden-runs/*/index/*/000000000005_worker_[01].json"
    cluster.wait_for(lambda: len(list(tmp_path.glob(last))) == 2, job)
    cluster.requeue(job)
    ended = cluster.wait(job)
    output = cluster.output(job)
    assert ended["JobState"] == "COMPLETED", output
    assert sorted(line for line in output.splitlines() if "trained" in line) == [
        "task 0 trained from step 6",
        "task 1 trained from step 6",
    ]
    trial = create_trial(str(only_run(tmp_path, job)))
    assert trial.loaded_all_steps
    losses = trial.tensor("CrossEntropyLoss_output_0")
    both = ["worker_0", "worker_1"]
    saved = {step: losses.workers(step) for step in losses.steps()}
    assert saved == {step: both for step in range(12)}, output


def test_separate_tasks_have_separate_runs(cluster, tmp_path):
    command = "sh -c 'echo together: $TENSORWARDEN_SLURM.'"
    job = cluster.submit(
        f"srun {WARDEN} run --separate -- {command}; srun {WARDEN} run -- {command}",
        f"--chdir={tmp_path}",
        nodes=2,
    )
    assert cluster.wait(job)["JobState"] == "COMPLETED", cluster.output(job)
    runs = sorted(run.name for run in (tmp_path / "warden-runs").iterdir())
    assert runs == [f"sh-{job}.0-task0", f"sh-{job}.0-task1", f"sh-{job}.1"]
    told = sorted(line for line in cluster.output(job).splitlines() if "together" in line)
    assert told == ["together: .", "together: .", "together: 1.", "together: 1."]


def test_a_command_around_srun_captures_its_tasks(cluster, tmp_path):
    (tmp_path / "train.py").write_text(TRAINING)
    job = cluster.submit(
        f"{WARDEN} run --workers all -- srun --ntasks=2 {sys.executable} train.py 4 well",
        f"--chdir={tmp_path}",
        nodes=2,
    )
    assert cluster.wait(job)["JobState"] == "COMPLETED", cluster.output(job)
    assert [run.name for run in (tmp_path / "warden-runs").iterdir()] == [f"train-{job}"]
    trial = create_trial(str(tmp_path / f"warden-runs/train-{job}"))
    assert trial.workers() == ["worker_0", "worker_1"]
