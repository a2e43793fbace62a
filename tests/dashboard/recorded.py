"""Runs that have ended, for the dashboard to show."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
from serving import PATIENCE, PYTHON, ROOT, WARDEN

from tensorwarden.files.file_writer import FileWriter

GOLDEN = ["pt_cnn_mixed", "pt_save_all", "pt_two_workers_all", "xgb_binary"]
# Whatever shows one of these as anything but text sets a variable, opens a dialog or asks a host.
MARKUP = "<img src=x onerror=hacked=1><script>hacked=2</script>"
QUOTES = "\"'`><svg/onload=hacked=3>&lt;b&gt; ${hacked=4} {{hacked=5}}"
EMOJI = "layer 🦉\u202eothgir\u2066 名前 \u0007"
LONG = "deep/" * 2000 + "end"
HOSTILE_NAMES = [MARKUP, QUOTES, EMOJI, LONG]
HOSTILE_RUN = "<img src=x onerror=hacked=6>"


def record_runs(folder: Path) -> None:
    """Copies recorded runs, trains a healthy one and a broken one, and writes a hostile one."""
    folder.mkdir(parents=True)
    trainings = [
        start_training(folder / "images", "--profile", "full", arguments=["--epochs", "3"]),
        start_training(
            folder / "broken",
            "--no-report",
            *("--rules", "default", "--rules", "VanishingGradient"),
            arguments=["--epochs", "2", "--broken"],
        ),
    ]
    for name in GOLDEN:
        shutil.copytree(ROOT / "tests/golden" / name / "trial", folder / name)
    write_report(folder / "xgb_binary")
    write_hostile_run(folder / HOSTILE_RUN)
    for training in trainings:
        output, _ = training.communicate(timeout=PATIENCE)
        assert training.returncode == 0, output.decode()


def start_training(out: Path, *options: str, arguments: list[str]) -> subprocess.Popen:
    command = [WARDEN, "run", "--out", out, *options, "--", PYTHON]
    command += [ROOT / "examples/images/train.py", "--out", out, *arguments]
    return subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def write_report(run: Path) -> None:
    command = [WARDEN, "report", "xgboost", str(run)]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)


def write_hostile_run(folder: Path) -> None:
    """Names that try to be markup wherever a run has names: tensors, collections, events, rules."""
    for step in range(3):
        with FileWriter(str(folder), "worker_0", step=step) as writer:
            for name in HOSTILE_NAMES:
                writer.write_tensor(np.full((4, 3), np.nan if step else 1.0), name, mode_step=step)
            writer.write_tensor(np.array([MARKUP, EMOJI]), "strings", mode_step=step)
    manifest = folder / "collections/000000000/worker_0_collections.json"
    manifest.parent.mkdir(parents=True)
    collections = {
        name: {"name": name, "include_regex": [], "tensor_names": names}
        for name, names in ((QUOTES, HOSTILE_NAMES), ("losses", [MARKUP]), ("gradients", [QUOTES]))
    }
    manifest.write_text(json.dumps({"collections": collections, "_meta": {"num_workers": 1}}))
    write_hostile_events(folder / "profiler-output/framework/pevents/2026010112")
    (folder / "training_job_end.ts").touch()
    # Its findings name the tensors.
    command = [WARDEN, "eval", str(folder), "--rules", "ExplodingTensor", "--record"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 3, done.stdout + done.stderr


def write_hostile_events(folder: Path) -> None:
    start = 1767268800000000  # Microseconds since 1970.
    events = [
        {
            "name": "process_name",
            "ph": "M",
            "pid": 0,
            "args": {"start_time_since_epoch_in_micros": start},
        },
        {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": MARKUP}},
    ]
    for number, name in enumerate([MARKUP, QUOTES, EMOJI, LONG]):
        arguments = {"pid": 7, "step_num": "0", QUOTES: MARKUP}
        place = {"ph": "X", "ts": 1000 * number, "dur": 900}
        events.append({"name": name, "pid": 1, **place, "args": arguments})
    folder.mkdir(parents=True)
    (folder / f"{start + 5000}_7-host_pythontimeline.json").write_text(json.dumps(events))
