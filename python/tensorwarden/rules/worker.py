"""Judges a run by one rule of the user's own, in a process of its own, for the program `warden`.

    python -m tensorwarden.rules.worker

Requests come by standard input, each is answered on standard output; both are JSON objects, one
to a line:

    {"file", "class", "parameters"}   {"doc"}, or {"refused": why}
    {"open": folder of the run}       {}, or an error
    {"step": global step}             {"fired": bool, "tensors": [names asked for the first time],
                                       "message"?, "details"?, "notice"?, "ends"?},
                                      {"skipped": why, "at_step": why at this step}, or an error
    an error                          {"error": last line, "traceback"}

What the user's code prints goes to standard error. The end of the input ends the process.
"""

from __future__ import annotations

import faulthandler
import inspect
import json
import os
import sys
import traceback
from functools import partial
from types import TracebackType
from typing import Any, TextIO

import numpy as np

from tensorwarden.exceptions import (
    NoMoreData,
    NoMoreProfilerData,
    RuleEvaluationConditionMet,
    StepNotYetAvailable,
    StepUnavailable,
    TensorUnavailable,
    TensorUnavailableForStep,
)
from tensorwarden.modes import ModeKeys
from tensorwarden.rules.loading import Refused, arguments_of, describe, load_class
from tensorwarden.rules.rule import Rule
from tensorwarden.tensor import StepState
from tensorwarden.trial import Trial
from tensorwarden.trials import create_trial

_MOST_TRACEBACK = 4096
_MOST_DETAILS = 500
_NO_STEP = (StepUnavailable, StepNotYetAvailable, NoMoreData)
_NO_TENSOR = (TensorUnavailable, TensorUnavailableForStep)


class Worker:
    """One rule, from its file to its verdicts."""

    def __init__(self) -> None:
        self._class: type[Rule] | None = None
        self._arguments: dict[str, Any] = {}
        self._rule: Rule | None = None
        self._notice: str | None = None
        self._asked: set[str] = set()  # Tensors that the rule has asked for.

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Does what is asked, whatever the user's code does."""
        try:
            if "file" in request:
                return self._load(request["file"], request["class"], request["parameters"])
            if "open" in request:
                return self._open(request["open"])
            return self._judge(request["step"])
        except Refused as error:
            return {"refused": str(error)}
        except BaseException as error:
            return {"error": describe(error), "traceback": _traceback_of(error)}

    def _load(self, file: str, name: str, parameters: dict[str, str]) -> dict[str, Any]:
        self._class = load_class(file, name)
        self._arguments = arguments_of(self._class, parameters)
        doc = self._class.__dict__.get("__doc__") or ""
        return {"doc": inspect.cleandoc(doc).partition("\n\n")[0].replace("\n", " ")}

    def _open(self, folder: str) -> dict[str, Any]:
        arguments = dict(self._arguments)
        if "other_trials" in arguments:
            arguments["other_trials"] = [open_trial(path) for path in arguments["other_trials"]]
        self._rule = self._class(open_trial(folder), **arguments)
        self._rule.invoke_at_step = partial(self._invoke_at_step, self._rule.invoke_at_step)
        return {}

    def _judge(self, step: int) -> dict[str, Any]:
        answer: dict[str, Any] = {"fired": False}
        self._notice = None
        try:
            self._rule.invoke(step)
        except RuleEvaluationConditionMet as found:
            answer = self._finding(found)
        except NoMoreProfilerData:
            answer["ends"] = True
        except (*_NO_STEP, *_NO_TENSOR) as error:
            return {"skipped": _why_skipped(error), "at_step": str(error)}
        if self._notice:
            answer["notice"] = self._notice
        asked = self._rule.base_trial._tensors.keys() - self._asked
        self._asked |= asked
        return {**answer, "tensors": sorted(asked)}

    def _invoke_at_step(self, judge, step: int) -> bool:
        found = judge(step)
        if isinstance(found, np.ndarray) and found.size == 1:
            found = found.reshape(())[()]
        if found is None:
            self._notice = "invoke_at_step returned None, which was taken for False"
        elif not isinstance(found, (bool, np.bool_)):
            raise TypeError(f"invoke_at_step returned {found!r:.200}, neither True nor False")
        return bool(found)

    def _finding(self, found: RuleEvaluationConditionMet) -> dict[str, Any]:
        answer: dict[str, Any] = {"fired": True}
        if str(found) != str(RuleEvaluationConditionMet(self._rule.rule_name, found.step)):
            answer["message"] = str(found).partition(f" at step {found.step}")[0]
        details = self._rule.report.get("Details") if isinstance(self._rule.report, dict) else None
        if details:
            text = details if isinstance(details, str) else repr(details)
            answer["details"] = text[:_MOST_DETAILS]
        if found.end_of_rule:
            answer["ends"] = True
        return answer


def open_trial(folder: str) -> Trial:
    """A trial that says that a step is not there where others wait for it.

    Whoever asks for a step knows that it is complete, and waits for the answer.
    """
    trial = create_trial(folder)
    trial._wait_for_step = partial(_expect_step, trial)
    return trial


def _expect_step(trial: Trial, step: int, mode: ModeKeys) -> None:
    if trial.has_passed_step(step, mode) is not StepState.AVAILABLE:
        raise StepUnavailable(step, mode)


def _why_skipped(error: Exception) -> str:
    """The same at all steps."""
    if isinstance(error, TensorUnavailableForStep):
        return f"tensor '{error.tname}' was not saved at every step"
    return str(error) if isinstance(error, TensorUnavailable) else "a step that it needs is missing"


def _traceback_of(error: BaseException) -> str:
    """From the user's code on."""
    at: TracebackType | None = error.__traceback__
    while at is not None and at.tb_next is not None and at.tb_frame.f_code.co_filename == __file__:
        at = at.tb_next
    return "".join(traceback.format_exception(type(error), error, at))[-_MOST_TRACEBACK:]


def _own_channel() -> tuple[TextIO, TextIO]:
    """Standard input and output, out of the reach of the user's code."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    return requests, answers


def main() -> None:
    """Answers until nothing more is asked."""
    requests, answers = _own_channel()
    faulthandler.enable()
    worker = Worker()
    for line in requests:
        answer = worker.answer(json.loads(line))
        answers.write(json.dumps(answer, ensure_ascii=False) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
