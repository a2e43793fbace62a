"""Loads a custom rule from its file and prepares the arguments of its constructor."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from pathlib import Path
from typing import Any, Mapping

from tensorwarden.rules.rule import Rule

# Parameters for the evaluator itself. A class receives them only if it declares them.
FOR_THE_EVALUATOR = ("start_step", "end_step", "timeout_seconds")
_NUMBER = re.compile(r"[+-]?(\d+|\d+\.\d*|\.\d+|(\d+\.?\d*|\.\d+)[eE][+-]?\d+)")
_SEVERITIES = ("problem", "warning", "note")
_WORDS = {"true": True, "false": False, "none": None}


class Refused(Exception):
    """A custom rule cannot be used as configured."""


def load_class(file: str, name: str) -> type[Rule]:
    """Returns the rule class with this name. Raises `Refused` if the file has no usable class."""
    module = _load_module(Path(file))
    found = getattr(module, name, None)
    if found is None:
        raise Refused(f"class '{name}' not found{_what_there_is(module)}")
    if not (isinstance(found, type) and issubclass(found, Rule)):
        raise Refused(f"'{name}' is not a subclass of smdebug.rules.Rule{_what_there_is(module)}")
    if inspect.isabstract(found):
        raise Refused(f"{name} does not define {', '.join(sorted(found.__abstractmethods__))}")
    return found


def _load_module(path: Path) -> Any:
    sys.dont_write_bytecode = True  # Do not write files next to the user's.
    sys.path.insert(0, str(path.resolve().parent))  # As Python does for a script.
    spec = importlib.util.spec_from_file_location(f"_own_rules_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise Refused(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        place = f"{Path(error.filename or path).name}, line {error.lineno}"
        raise Refused(f"{place}: {type(error).__name__}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if _is(f, path)]
        where = f"line {lines[-1]}: " if lines else ""
        raise Refused(f"{where}{describe(error)}") from None
    return module


def _is(frame: traceback.FrameSummary, path: Path) -> bool:
    return Path(frame.filename) == path


def describe(error: BaseException) -> str:
    """Returns the last line of the error's traceback."""
    return "".join(traceback.format_exception_only(type(error), error)).strip()


def _what_there_is(module: Any) -> str:
    own = [
        name
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Rule) and value is not Rule
    ]
    return f" (rules in this file: {', '.join(own) or 'none'})"


def severity_of(rule: type[Rule]) -> str:
    """Returns how bad findings of the rule are. Raises `Refused` if that is not a severity."""
    severity = rule.finding_severity
    if severity not in _SEVERITIES:
        expected = ", ".join(_SEVERITIES)
        raise Refused(
            f"{rule.__name__}.finding_severity is {severity!r}; expected one of: {expected}"
        )
    return severity


def value_of(text: str) -> Any:
    """Converts text to a number, True, False or None; returns other text unchanged."""
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if not _NUMBER.fullmatch(text):
        return text
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def arguments_of(rule: type[Rule], texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the keyword arguments that follow the base trial.

    `other_trials` is a list of folders. Raises `Refused` if the class does not accept the
    arguments.
    """
    takes = inspect.signature(rule).parameters
    given = {
        name: value_of(text)
        for name, text in texts.items()
        if name not in FOR_THE_EVALUATOR or name in takes
    }
    if "other_trials" in given:
        given["other_trials"] = [path.strip() for path in texts["other_trials"].split(",")]
    if "action_str" in takes and takes["action_str"].default is inspect.Parameter.empty:
        given.setdefault("action_str", None)  # The evaluator runs the actions.
    try:
        inspect.signature(rule).bind(None, **given)
    except TypeError as error:
        accepted = ", ".join(list(takes)[1:]) or "none"
        raise Refused(f"{rule.__name__}: {error} (parameters: {accepted})") from None
    return given
