"""The original library and ours asked the same questions about the same runs."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys

import pytest

# Runs where either library is installed. Prints one JSON object of answers.
QUESTIONS = """
import json, sys
import numpy as np
from smdebug import modes
from smdebug.core.tensor import StepState
from smdebug.rules import Rule, invoke_rule
from smdebug.trials import create_trial

def ask(call):
    try:
        answer = call()
    except Exception as error:
        names = ("tname", "step", "mode", "has_reductions", "worker", "last_step", "rule_name")
        return [type(error).__name__] + [
            [name, str(getattr(error, name))] for name in names if hasattr(error, name)]
    if isinstance(answer, dict):
        return sorted([str(key), ask(lambda value=value: value)] for key, value in answer.items())
    if isinstance(answer, (np.ndarray, np.generic)):
        return [type(answer).__name__, str(answer.dtype), list(answer.shape),
                answer.reshape(-1)[:3].tolist()]
    return answer if isinstance(answer, (int, list, type(None))) else str(answer)

answers = {}
trial = create_trial(sys.argv[1])
trial.steps()
steps = trial.steps()
probe = sorted(set(steps[:3] + steps[-2:] + [1, steps[-1] + 1, steps[-1] + 7]))
for mode in modes:
    answers["steps %s" % mode] = ask(lambda: trial.steps(mode))
    for step in probe:
        answers["passed %s %s" % (mode, step)] = ask(lambda: trial.has_passed_step(step, mode))
        answers["wait %s %s" % (mode, step)] = ask(lambda: trial.wait_for_steps([step], mode))
        answers["global %s %s" % (mode, step)] = ask(lambda: trial.global_step(mode, step))
for step in probe:
    answers["mode %s" % step] = ask(lambda: str(trial.mode_modestep(step)))
    answers["names %s" % step] = ask(lambda: trial.tensor_names(step=step))
    for name in trial.collections():
        answers["names %s %s" % (step, name)] = ask(
            lambda: trial.tensor_names(step=step, collection=name))
answers["regex"] = ask(lambda: trial.tensor_names(regex=["weight$", "loss"]))
answers["nothing"] = ask(lambda: trial.tensor("nothing"))
for tname in trial.tensor_names():
    tensor = trial.tensor(tname)
    for step in probe:
        what = "%s %s " % (tname, step)
        answers[what + "workers"] = ask(lambda: tensor.workers(step))
        answers[what + "value"] = ask(lambda: tensor.value(step))
        answers[what + "worker"] = ask(lambda: tensor.value(step, worker="nobody"))
        answers[what + "shape"] = ask(lambda: list(tensor.shape(step)))
        answers[what + "reductions"] = ask(lambda: tensor.reduction_values(step))
        answers[what + "prev"] = ask(lambda: tensor.prev_steps(step, 2))
        for op in ("min", "mean", "std", "sum", "foo"):
            for absolute in (False, True):
                answers[what + op + str(absolute)] = ask(
                    lambda: tensor.reduction_value(step, op, abs=absolute))

class Watcher(Rule):
    def __init__(self, base_trial):
        super().__init__(base_trial, action_str="")
        self.seen = []
    def invoke_at_step(self, step):
        self.seen.append(step)
        return step == steps[1]

rule = Watcher(trial)
answers["rule"] = ask(lambda: invoke_rule(rule)) + rule.seen
answers["found"] = ask(lambda: invoke_rule(Watcher(trial), raise_eval_cond=True))
print("ANSWERS" + json.dumps(answers))
"""


def _answers(output: str) -> dict:
    line = next(line for line in output.splitlines() if line.startswith("ANSWERS"))
    return json.loads(line[len("ANSWERS") :])


@pytest.mark.parametrize(
    "name", ["pt_cnn_mixed", "pt_reductions_all", "pt_two_workers_all", "xgb_regression"]
)
def test_same_answers(golden, run_original, name):
    run = str(golden / name / "trial")
    theirs = _answers(run_original(QUESTIONS, run))
    environment = {**os.environ, "SMDEBUG_LOG_LEVEL": "error"}
    ours = _answers(
        subprocess.check_output(
            [sys.executable, "-c", QUESTIONS, run], text=True, timeout=300, env=environment
        )
    )
    assert set(ours) == set(theirs)
    different = {
        what: (theirs[what], ours[what])
        for what in theirs
        if not _same(theirs[what], ours[what]) and not _meant(theirs, what)
    }
    assert different == {}


def _same(theirs, ours) -> bool:
    """Equal, but for the order in which numbers were added up."""
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(_same, theirs, ours))
    if isinstance(theirs, float) and isinstance(ours, float):
        both_nan = math.isnan(theirs) and math.isnan(ours)
        return both_nan or math.isclose(theirs, ours, rel_tol=1e-4, abs_tol=1e-5)
    return theirs == ours


def _meant(theirs: dict, what: str) -> bool:
    """Where the original is known to be wrong."""
    answer = theirs[what]
    if answer == ["UFuncTypeError"]:  # Reductions of strings; ours is a TypeError of its own.
        return True
    # Values that were saved beside their shape: the original loses them, and what follows.
    lost_value = isinstance(answer, list) and answer[:1] == ["TensorUnavailableForStep"]
    shape = theirs.get(" ".join(what.split(" ")[:-1]) + " shape")
    return lost_value and isinstance(shape, list) and shape[:1] != ["ShapeUnavailableForStep"]
