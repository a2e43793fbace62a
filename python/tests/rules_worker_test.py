"""The process in which a rule of the user's own evaluates."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from smdebug.exceptions import StepUnavailable
from tensorwarden.rules.worker import Worker, open_trial

HEAD = """
import os, sys
from smdebug.exceptions import *
from smdebug.rules import Rule

class Own(Rule):
    '''Says what it is.'''
    def invoke_at_step(self, step):
"""


def worker(folder: Path, lines: str) -> Worker:
    """One that has loaded a rule whose invoke_at_step consists of these lines."""
    (folder / "own.py").write_text(HEAD + "".join(f"        {x}\n" for x in lines.splitlines()))
    made = Worker()
    request = {"file": str(folder / "own.py"), "class": "Own", "parameters": {}}
    assert made.answer(request) == {"doc": "Says what it is.", "severity": "problem"}
    return made


@pytest.fixture
def live(run):
    """A run that goes on."""
    run.manifests()
    for step in range(3):
        run.step(step, {"loss": float(step)})
    return run


def evaluate(run, folder: Path, lines: str, steps=(0,)) -> list[dict]:
    made = worker(folder, lines)
    assert made.answer({"open": str(run.folder)}) == {}
    return [made.answer({"step": step}) for step in steps]


def test_verdicts(live, tmp_path):
    lines = "return self.base_trial.tensor('loss').value(step) > 0.5"
    first, second = evaluate(live, tmp_path, lines, steps=[0, 1])
    assert first == {"fired": False, "tensors": ["loss"]}
    assert second == {"fired": True, "tensors": []}


def test_a_step_that_is_not_there_is_not_waited_for(live, tmp_path):
    skipped = "a required step is missing"
    for lines in (
        "self.base_trial.wait_for_steps([step + 1])",
        "self.req_tensors.add('loss', [step + 1]); self.req_tensors.fetch()",
        "self.base_trial.tensor('loss').value(step + 1)",
    ):
        here, missing = evaluate(live, tmp_path, f"{lines}\nreturn True", steps=[1, 2])
        assert here["fired"], lines
        assert missing["skipped"] == skipped
        assert "step 3" in missing["at_step"]
    # One that has come meanwhile is there.
    trial = open_trial(str(live.folder))
    live.step(3, {"loss": 3})
    trial.wait_for_steps([3])
    with pytest.raises(StepUnavailable):
        trial.wait_for_steps([4])


def test_a_required_tensor_that_is_missing(live, tmp_path):
    (answer,) = evaluate(live, tmp_path, "raise TensorUnavailableForStep('w', step)")
    assert answer["skipped"] == "tensor 'w' was not saved at every step"
    (answer,) = evaluate(live, tmp_path, "return self.base_trial.tensor('no').value(step) > 1")
    assert answer["skipped"] == answer["at_step"] == "no tensor named 'no' was saved"


def test_what_a_rule_says_of_its_finding(live, tmp_path):
    lines = "self.report['Details'] = {step: {1}}\nreturn True"
    (answer,) = evaluate(live, tmp_path, lines)
    assert answer == {"fired": True, "details": "{0: {1}}", "tensors": []}
    lines = "class Hot(RuleEvaluationConditionMet):\n    __str__ = lambda self: 'too hot'\n"
    (answer,) = evaluate(live, tmp_path, f"{lines}raise Hot('Own', step, True)")
    assert answer == {"fired": True, "message": "too hot", "ends": True, "tensors": []}
    (answer,) = evaluate(live, tmp_path, "raise NoMoreProfilerData(5)")
    assert answer == {"fired": False, "ends": True, "tensors": []}


@pytest.mark.parametrize("value", ["'yes'", "1", "[True, False]", "Rule"])
def test_only_a_bool_will_do(live, tmp_path, value):
    (answer,) = evaluate(live, tmp_path, f"return {value}")
    assert answer["error"].startswith("TypeError: invoke_at_step returned ")
    assert answer["error"].endswith("; expected True or False")


def test_errors(live, tmp_path):
    for lines, last in {
        "raise ValueError('x' * 9000)": "x",
        "raise KeyboardInterrupt": "KeyboardInterrupt",
        "sys.exit(3)": "SystemExit: 3",
        "raise BaseException('all')": "BaseException: all",
    }.items():
        (answer,) = evaluate(live, tmp_path, lines)
        assert answer["error"].endswith(last)
        assert len(answer["traceback"]) <= 4096
    (answer,) = evaluate(live, tmp_path, "return nothing")
    assert answer["error"] == "NameError: name 'nothing' is not defined"
    assert f'own.py", line {HEAD.count(chr(10)) + 1}, in invoke_at_step' in answer["traceback"]


def start() -> subprocess.Popen:
    command = [sys.executable, "-m", "tensorwarden.rules.worker"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, text=True, **pipes)


def test_the_process(live, tmp_path):
    (tmp_path / "own.py").write_text(
        HEAD + "        print('printed'); os.write(1, b'written'); sys.stdin.read()\n"
        "        self.report['Details'] = '\\udc80'\n        return True\n"
    )
    requests = [
        {"file": str(tmp_path / "own.py"), "class": "Own", "parameters": {}},
        {"open": str(live.folder)},
        {"step": 1},
    ]
    out, errors = start().communicate("".join(json.dumps(each) + "\n" for each in requests), 300)
    answers = [json.loads(line) for line in out.splitlines()]
    assert answers == [
        {"doc": "Says what it is.", "severity": "problem"},
        {},
        {"fired": True, "details": "?", "tensors": []},
    ]
    assert "printed\nwritten" in errors


def test_the_process_ends_with_its_input(live):
    process = start()
    out, _ = process.communicate("", 300)
    assert (out, process.returncode) == ("", 0)


def test_a_crash_says_where(live, tmp_path):
    (tmp_path / "own.py").write_text("import os\nos.kill(os.getpid(), 11)\n")
    process = start()
    request = {"file": str(tmp_path / "own.py"), "class": "Own", "parameters": {}}
    _, errors = process.communicate(json.dumps(request) + "\n", 300)
    assert process.returncode == -signal.SIGSEGV
    assert f"{os.sep}own.py" in errors


@pytest.fixture
def profile(tmp_path):
    """The profiler's data of a run: 30 seconds of a CPU, in one file."""
    folder = tmp_path / "profile/system/incremental/2026111501"
    folder.mkdir(parents=True)
    event = {"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "NodeId": "algo-1"}
    lines = [{**event, "Value": 50.0, "Timestamp": 1794705480.5 + second} for second in range(30)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "1794705480.algo-1.json").write_text(text)
    return tmp_path / "profile"


def looking(profile, tmp_path, lines):
    made = worker(tmp_path, lines)
    assert made.answer({"profile": str(profile), "output": str(tmp_path / "out")}) == {}
    return made


def test_the_trial_of_a_profiler_rule(profile, tmp_path):
    lines = """
first = self.base_trial.first_timestamp
return len(self.base_trial.get_system_metrics(first, first + 60_000_000)) == 30
"""
    made = looking(profile, tmp_path, lines)
    assert made.answer({"look": True}) == {"fired": True}
    assert made.answer({"look": True}) == {"waits": True}, "there is nothing new"
    (profile / "system/training_job_end.ts").touch()
    assert made.answer({"look": True}) == {"fired": True}, "once more at the end"
    assert made.answer({"look": True}) == {"fired": False, "ends": True}


def test_a_profiler_rule_that_waits_for_data(profile, tmp_path):
    lines = """
start = self.base_trial.first_timestamp + step * 20_000_000
self.base_trial.wait_for_data(start + 20_000_000, start)
return len(self.base_trial.get_system_metrics(start, start + 20_000_000)) == 10
"""
    made = looking(profile, tmp_path, lines)
    assert made.answer({"look": True}) == {"waits": True}
    (profile / "system/training_job_end.ts").touch()
    answers = [made.answer({"look": True}) for _ in range(4)]
    fired = [answer["fired"] for answer in answers]
    assert fired == [False, True, False, False]
    assert [answer.get("more") for answer in answers] == [True, True, True, None]
    assert answers[3] == {"fired": False, "ends": True}
