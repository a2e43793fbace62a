"""Evaluates one custom rule on a run, in a separate process started by `warden`.

    python -m tensorwarden.rules.worker

Reads requests from standard input and answers on standard output. Both are JSON objects, one per
line:

    {"file", "class", "parameters"}   {"doc", "severity"}, or {"refused": why}
    {"open": folder of the run}       {}, or an error
    {"profile": profiler's folder,    {}, or an error; instead of "open"
     "output": folder of the rule}
    {"step": global step}             {"fired": bool, "tensors": [names requested first here],
                                       "message"?, "details"?, "notice"?, "ends"?},
                                      {"skipped": why, "at_step": why at this step}, or an error
    {"look": true}                    the same about the profiler's data so far, with "more" if it
                                      may look again at once; {"waits": true} without new data
    an error                          {"error": last line, "traceback"}

Output of the custom rule goes to standard error. The process ends at the end of the input.
"""

from __future__ import annotations

import faulthandler
import inspect
import io
import json
import os
import sys
import traceback
from functools import partial
from types import TracebackType
from typing import Any, Callable, TextIO

import numpy as np

from tensorwarden.base.exceptions import (
    NoMoreData,
    NoMoreProfilerData,
    RuleEvaluationConditionMet,
    StepNotYetAvailable,
    StepUnavailable,
    TensorUnavailable,
    TensorUnavailableForStep,
)
from tensorwarden.base.modes import ModeKeys
from tensorwarden.rules.loading import Refused, arguments_of, describe, load_class, severity_of
from tensorwarden.rules.profile import NotYet, PolledProfilerTrial, ProfileLooks
from tensorwarden.rules.rule import Rule
from tensorwarden.trial.opening import create_trial
from tensorwarden.trial.step_state import StepState
from tensorwarden.trial.trial import Trial

_MOST_TRACEBACK = 4096
_MOST_DETAILS = 500
_NO_STEP = (StepUnavailable, StepNotYetAvailable, NoMoreData)
_NO_TENSOR = (TensorUnavailable, TensorUnavailableForStep)


class Worker:
    """Loads a rule and evaluates it step by step."""

    def __init__(self) -> None:
        self._class: type[Rule] | None = None
        self._arguments: dict[str, Any] = {}
        self._rule: Rule | None = None
        self._looks: ProfileLooks | None = None
        self._notice: str | None = None
        self._asked: set[str] = set()  # Tensors that the rule has requested.

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Processes a request. Errors of the rule become part of the answer."""
        try:
            if "file" in request:
                return self._load(request["file"], request["class"], request["parameters"])
            if "open" in request:
                return self._open(open_trial(request["open"]))
            if "profile" in request:
                return self._open_profile(request["profile"], request["output"])
            if "look" in request:
                return self._look()
            return self._check(request["step"])
        except Refused as error:
            return {"refused": str(error)}
        except BaseException as error:
            return {"error": describe(error), "traceback": _traceback_of(error)}

    def _load(self, file: str, name: str, parameters: dict[str, str]) -> dict[str, Any]:
        self._class = load_class(file, name)
        self._arguments = arguments_of(self._class, parameters)
        doc = self._class.__dict__.get("__doc__") or ""
        return {
            "doc": inspect.cleandoc(doc).partition("\n\n")[0].replace("\n", " "),
            "severity": severity_of(self._class),
        }

    def _open(self, trial: Any) -> dict[str, Any]:
        arguments = dict(self._arguments)
        if "other_trials" in arguments:
            arguments["other_trials"] = [open_trial(path) for path in arguments["other_trials"]]
        if self._class is None:
            raise RuntimeError("no rule is loaded")
        self._rule = rule = self._class(trial, **arguments)
        checked = partial(self._invoke_at_step, rule.invoke_at_step)
        rule.invoke_at_step = checked  # type: ignore[method-assign]  # Checks what it returns.
        return {}

    def _open_profile(self, folder: str, output: str) -> dict[str, Any]:
        trial = PolledProfilerTrial(os.path.basename(folder), folder, output)  # noqa: PTH119
        answer = self._open(trial)
        self._looks = ProfileLooks(self._opened_rule(), trial)
        return answer

    def _look(self) -> dict[str, Any]:
        answer: dict[str, Any] = {"fired": False}
        self._notice = None
        if self._looks is None:
            raise RuntimeError("no profile is open")
        try:
            self._looks.look()
        except NotYet:
            return {"waits": True}
        except RuleEvaluationConditionMet as found:
            answer = self._finding(found)
        except NoMoreProfilerData:
            answer["ends"] = True
        if self._looks.may_look_again and not answer.get("ends"):
            answer["more"] = True
        if self._notice:
            answer["notice"] = self._notice
        return answer

    def _check(self, step: int) -> dict[str, Any]:
        answer: dict[str, Any] = {"fired": False}
        self._notice = None
        rule = self._opened_rule()
        try:
            rule.invoke(step)
        except RuleEvaluationConditionMet as found:
            answer = self._finding(found)
        except NoMoreProfilerData:
            answer["ends"] = True
        except (*_NO_STEP, *_NO_TENSOR) as error:
            return {"skipped": _why_skipped(error), "at_step": str(error)}
        if self._notice:
            answer["notice"] = self._notice
        asked = rule.base_trial._tensors.keys() - self._asked
        self._asked |= asked
        return {**answer, "tensors": sorted(asked)}

    def _opened_rule(self) -> Rule:
        if self._rule is None:
            raise RuntimeError("no run is open")
        return self._rule

    def _invoke_at_step(self, check: Callable[[int], Any], step: int) -> bool:
        found = check(step)
        if isinstance(found, np.ndarray) and found.size == 1:
            found = found.reshape(())[()]
        if found is None:
            self._notice = "invoke_at_step returned None; treated as False"
        elif not isinstance(found, (bool, np.bool_)):
            raise TypeError(f"invoke_at_step returned {found!r:.200}; expected True or False")
        return bool(found)

    def _finding(self, found: RuleEvaluationConditionMet) -> dict[str, Any]:
        answer: dict[str, Any] = {"fired": True}
        rule = self._opened_rule()
        if str(found) != str(RuleEvaluationConditionMet(rule.rule_name, found.step)):
            answer["message"] = str(found).partition(f" at step {found.step}")[0]
        details = rule.report.get("Details") if isinstance(rule.report, dict) else None
        if details:
            text = details if isinstance(details, str) else repr(details)
            answer["details"] = text[:_MOST_DETAILS]
        if found.end_of_rule:
            answer["ends"] = True
        return answer


def open_trial(folder: str) -> Trial:
    """Opens a trial that raises at once for a missing step instead of waiting.

    The caller only requests complete steps and waits for the answer.
    """
    trial = create_trial(folder)
    expect = partial(_expect_step, trial)
    trial._wait_for_step = expect  # type: ignore[method-assign]  # Does not wait.
    return trial


def _expect_step(trial: Trial, step: int, mode: ModeKeys) -> None:
    if trial.has_passed_step(step, mode) is not StepState.AVAILABLE:
        raise StepUnavailable(step, mode)


def _why_skipped(error: Exception) -> str:
    """Returns a reason that is the same at all steps."""
    if isinstance(error, TensorUnavailableForStep):
        return f"tensor '{error.tname}' was not saved at every step"
    return str(error) if isinstance(error, TensorUnavailable) else "a required step is missing"


def _traceback_of(error: BaseException) -> str:
    """Returns the traceback, starting in the custom rule."""
    at: TracebackType | None = error.__traceback__
    while at is not None and at.tb_next is not None and at.tb_frame.f_code.co_filename == __file__:
        at = at.tb_next
    return "".join(traceback.format_exception(type(error), error, at))[-_MOST_TRACEBACK:]


def _own_channel() -> tuple[TextIO, TextIO]:
    """Returns standard input and output, protected from the custom rule."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    return requests, answers


def main() -> None:
    """Answers requests until the input ends."""
    requests, answers = _own_channel()
    faulthandler.enable()
    worker = Worker()
    for line in requests:
        answer = worker.answer(json.loads(line))
        answers.write(json.dumps(answer, ensure_ascii=False) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
