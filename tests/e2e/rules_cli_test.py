"""Rules on the command line: `warden rules`, `eval`, `watch` and `run`."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"

VANISHING = """
import sys, time, torch
from torch import nn
torch.manual_seed(0)
layers = [nn.Linear(4, 16)]
for _ in range(12):
    layers += [nn.Sigmoid(), nn.Linear(16, 16)]
model = nn.Sequential(*layers)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss_of = nn.CrossEntropyLoss()
for step in range(int(sys.argv[1])):
    optimizer.zero_grad()
    loss = loss_of(model(torch.randn(8, 4)), torch.arange(8))
    loss.backward()
    optimizer.step()
    time.sleep(float(sys.argv[2]))
print("trained to the end")
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(VANISHING)
    return path


@pytest.fixture
def environment(tmp_path):
    """Jobs of other tests are not ours."""
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    return {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}


def warden(*arguments, environment=None, timeout=300):
    return subprocess.run(
        [str(WARDEN), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment,
    )


def python(script, *arguments):
    return ["--", sys.executable, str(script), *map(str, arguments)]


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_rules_lists_every_rule_with_its_parameters():
    rules = json.loads(warden("rules", "--json").stdout)
    names = [rule["name"] for rule in rules]
    assert names == sorted(names, key=str.lower)
    assert len(names) >= 36
    assert {"VanishingGradient", "StalledTrainingRule", "NaNOrigin"} <= set(names)
    for rule in rules:
        assert rule["kind"] in ("debug", "profiler", "report") and rule["doc"] and rule["advice"]
        for parameter in rule["parameters"]:
            assert parameter["type"] and parameter["doc"]
    one = warden("rules", "vanishing_gradient").stdout
    assert "1e-7" in one and "Try:" in one
    unknown = warden("rules", "VanishingGradients")
    assert unknown.returncode == 2 and "VanishingGradient" in unknown.stderr


def test_run_tells_of_a_finding_and_sums_up(script, tmp_path, environment):
    events = tmp_path / "events.jsonl"
    done = warden(
        "run", "--rules", "VanishingGradient", "--out", tmp_path / "run", "--events", events,
        *python(script, 3, 0), environment=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "trained to the end\n"
    assert "! VanishingGradient at step 0: gradient/Sequential_" in done.stderr
    assert "1 problem found" in done.stderr or "problems found" in done.stderr
    assert "  Try: " in done.stderr
    assert f"Run        {tmp_path / 'run'}  (" in done.stderr
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    kinds = [line["event"] for line in lines]
    assert kinds[0] == "start" and kinds[-1] == "end" and "finding" in kinds and "step" in kinds
    assert kinds.count("incident") == 1
    assert all(line["severity"] == "problem" for line in lines if line["event"] == "finding")
    assert sum("! " in line for line in done.stderr.splitlines()) <= 3, done.stderr
    end = {rule["name"]: rule["status"] for rule in lines[-1]["rules"]}
    assert end["VanishingGradient"] == "IssuesFound"
    record = tmp_path / "run" / "rule-output" / "VanishingGradient"
    status = json.loads((record / "status.json").read_text())
    assert status["status"] == "IssuesFound" and status["parameters"]["threshold"] == "1e-7"
    firings = [json.loads(line) for line in (record / "firings.jsonl").read_text().splitlines()]
    assert firings and all("mean |g|" in firing["message"] for firing in firings)


def test_severity_decides_the_exit_code(script, tmp_path, environment):
    command = ["run", "--rules", "VanishingGradient", "--profile", "off"]
    training = python(script, 3, 0)
    done = warden(
        *command, "--fail-on", "problem", "--out", tmp_path / "a", *training,
        environment=environment,
    )  # fmt: skip
    assert done.returncode == 3 and done.stdout == "trained to the end\n", done.stderr
    # The command's own failure says more.
    failing = ["--", "sh", "-c", f"{sys.executable} {script} 3 0; exit 7"]
    done = warden(
        *command, "--fail-on", "note", "--out", tmp_path / "b", *failing, environment=environment
    )
    assert done.returncode == 7, done.stderr
    for value, code in (("problem", 3), ("never", 0)):
        done = warden(
            "eval", tmp_path / "a", "--rules", "VanishingGradient", "--fail-on", value,
            environment=environment,
        )  # fmt: skip
        assert done.returncode == code, done.stderr


def test_one_message_for_an_incident(script, tmp_path, environment):
    told = tmp_path / "told"
    notify = f'exec:echo "$WARDEN_SEVERITY $WARDEN_RULE $WARDEN_STEP" >> {told}'
    done = warden(
        "run", "--rules", "VanishingGradient,AllZero:collection_names=gradients",
        "--save-interval", "1", "--notify", notify, "--out", tmp_path / "run",
        *python(script, 5, 0), environment=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert told.read_text() == "problem VanishingGradient 0\n"
    journal = (tmp_path / "run/rule-output/actions.jsonl").read_text().splitlines()
    firing = next(line["firing"] for line in map(json.loads, journal) if "firing" in line)
    assert firing["incident"]["findings"] > 1 and firing["incident"]["headline"]


def test_run_stops_the_program_and_its_children(tmp_path, environment):
    script = tmp_path / "train.py"
    script.write_text(
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(tmp_path / 'child')!r}, 'w').write(str(child.pid))\n" + VANISHING
    )
    done = warden(
        "run", "--out", tmp_path / "run", "--rules", "VanishingGradient",
        "--stop-on", "VanishingGradient", *python(script, 10_000, 0.1), environment=environment,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "trained to the end" not in done.stdout
    assert "warden: training stopped by rule VanishingGradient at step " in done.stderr
    assert not alive(int((tmp_path / "child").read_text()))


def test_run_without_rules_is_silent(script, tmp_path, environment):
    done = warden(
        "run", "--rules", "none", "--profile", "off", "--out", tmp_path / "run",
        *python(script, 2, 0),
        environment=environment,
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr == ""
    assert not (tmp_path / "run" / "rule-output").exists()


def test_a_named_rule_has_what_it_needs_saved(tmp_path, environment):
    script = tmp_path / "train.py"
    script.write_text(
        "import torch\nfrom torch import nn\n"
        "model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))\n"
        "nn.init.constant_(model[0].bias, -100.0)\n"
        "for _ in range(3):\n    nn.CrossEntropyLoss()(model(torch.randn(8, 4)), "
        "torch.zeros(8, dtype=torch.long)).backward()\n"
    )
    done = warden(
        "run", "--rules", "DeadRelu", "--save-interval", "1", "--out", tmp_path / "run",
        *python(script), environment=environment,
    )  # fmt: skip
    assert "! DeadRelu at step 0: 1_output_0" in done.stderr, done.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--rules", "NoSuchRule"], "unknown rule 'NoSuchRule'"),
        (["--rules", "AllZero"], "AllZero: no tensors selected"),
        (["--rules", "VanishingGradient:threshold=x"], "threshold is 'x'"),
        (["--stop-on", "TreeDepth"], "--stop-on: rule 'TreeDepth' does not check this run"),
        (["--stop-on", ","], "--stop-on is ','; expected rule names, 'any', or a severity"),
        (["--fail-on", "fatal"], "fatal"),
        (["--notify-on", "always"], "always"),
        (["--notify", "pigeon:home"], "pigeon"),
        (["--notify", "email:nobody"], "nobody"),
        (["--rules-file", "/no/such/file"], "/no/such/file"),
    ],
)
def test_what_is_wrong_is_told_before_anything_starts(arguments, message, tmp_path, environment):
    marker = tmp_path / "started"
    done = warden("run", *arguments, "--", "touch", marker, environment=environment)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert not marker.exists()


def wait_until_it_listens(process):
    """Until Ctrl-C would not just end it."""
    deadline = time.monotonic() + 120
    while True:
        status = Path(f"/proc/{process.pid}/status").read_text()
        (caught,) = re.findall(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)
        if int(caught, 16) >> (signal.SIGINT - 1) & 1:
            return
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)


def test_watch_goes_on_where_it_was_and_tells_nothing_twice(script, tmp_path, environment):
    run = tmp_path / "run"
    training = subprocess.Popen(
        [
            str(WARDEN),
            "run",
            "--rules",
            "none",
            "--save-interval",
            "1",
            "--out",
            str(run),
            *python(script, 10_000, 0.1),
        ],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        watch = [str(WARDEN), "watch", str(run), "--rules", "VanishingGradient"]
        first = subprocess.Popen(watch, env=environment, stderr=subprocess.PIPE, text=True)
        assert any("! VanishingGradient" in line for line in first.stderr)
        first.send_signal(signal.SIGKILL)
        first.wait(120)
        second = subprocess.Popen(
            watch, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        wait_until_it_listens(second)
        second.send_signal(signal.SIGINT)
        out, err = second.communicate(timeout=300)
        assert second.returncode == 3
        known = (run / "rule-output/VanishingGradient/firings.jsonl").read_text().splitlines()
        keys = [(r["step"], r["tensor"]) for r in map(json.loads, known)]
        assert len(keys) == len(set(keys))
        assert "! VanishingGradient at step 0:" not in err
        assert "gradient/Sequential_0" in out
    finally:
        training.terminate()
        training.wait(120)


def test_watch_says_what_it_waits_for(tmp_path, environment):
    watch = subprocess.Popen(
        [str(WARDEN), "watch", str(tmp_path / "none")],
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    told = watch.stderr.readline()
    assert told == f"warden: waiting for {tmp_path}/none to begin; press Ctrl-C to stop\n"
    watch.send_signal(signal.SIGINT)
    watch.communicate(timeout=300)
    assert watch.returncode == 0


def test_watch_stops_a_job_that_another_started(script, tmp_path, environment):
    run = tmp_path / "run"
    training = subprocess.Popen(
        [
            str(WARDEN),
            "run",
            "--rules",
            "StalledTrainingRule",
            "--out",
            str(run),
            *python(script, 10_000, 0.1),
        ],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    done = warden(
        "watch", run, "--rules", "VanishingGradient", "--stop-on", "any", environment=environment
    )
    assert done.returncode == 3, done.stderr
    assert training.wait(120) != 0


def test_a_training_that_goes_on_is_not_stalled(script, tmp_path, environment):
    rule = "StalledTrainingRule:threshold=300"
    done = warden(
        "run", "--out", tmp_path / "run", "--rules", rule, "--save-interval", "1",
        *python(script, 20, 0.1), environment=environment,
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr == ""
    record = tmp_path / "run" / "rule-output" / "StalledTrainingRule" / "status.json"
    assert json.loads(record.read_text())["status"] == "NoIssuesFound"


def test_a_stalled_training_is_told(tmp_path, environment):
    script = tmp_path / "train.py"
    script.write_text(VANISHING.replace("time.sleep(float(sys.argv[2]))", "time.sleep(3600)"))
    done = warden(
        "run", "--out", tmp_path / "run", "--stop-on", "StalledTrainingRule",
        "--rules", "StalledTrainingRule:threshold=2", *python(script, 5, 0),
        environment=environment,
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "StalledTrainingRule" in done.stderr
