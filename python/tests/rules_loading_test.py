"""Rules of the user's own are found in their files, with the arguments that they take."""

from __future__ import annotations

from pathlib import Path

import pytest

from smdebug.rules import Rule
from tensorwarden.rules.loading import (
    Refused,
    arguments_of,
    load_class,
    severity_of,
    value_of,
)

FILE = '''
import dataclasses
import helper
from smdebug.rules import Rule
from smdebug.rules.rule import Rule as TheSame

@dataclasses.dataclass
class Settings:
    limit: int = helper.LIMIT

class Own(Rule):
    """One line,
    and its end.

    More.
    """
    def __init__(self, base_trial, threshold=10.0, other_trials=None, *, start_step=0):
        super().__init__(base_trial, other_trials=other_trials)
    def invoke_at_step(self, step):
        return False

class Half(Rule):
    pass

number = 5
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "helper.py").write_text("LIMIT = 3\n")
    (tmp_path / "json.py").write_text(FILE)  # A name that somebody else has, too.
    return str(tmp_path / "json.py")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20", 20),
        ("-3", -3),
        ("20.0", 20.0),
        (".5", 0.5),
        ("1e-7", 1e-7),
        ("+2E3", 2000.0),
        ("True", True),
        ("false", False),
        ("None", None),
        (" text ", "text"),
        ("1,2", "1,2"),
        ("1_000", "1_000"),
        ("nan", "nan"),
        ("0x10", "0x10"),
        ("", ""),
    ],
)
def test_values(text: str, value):
    found = value_of(text)
    assert found == value
    assert type(found) is type(value)


def test_classes(file: str, tmp_path: Path):
    import json

    before = json.dumps
    own = load_class(file, "Own")
    assert issubclass(own, Rule)
    assert json.dumps is before
    assert not list(tmp_path.rglob("*.pyc"))
    for name, why in {
        "Onw": r"class 'Onw' not found \(rules in this file: Own, Half\)",
        "number": "'number' is not a subclass of smdebug.rules.Rule",
        "Settings": "'Settings' is not a subclass",
        "Half": "Half does not define invoke_at_step",
    }.items():
        with pytest.raises(Refused, match=why):
            load_class(file, name)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\nx = (\n", r"^broken\.py, line 2: SyntaxError: '\(' was never closed$|line"),
        ("\n\nraise ValueError('no')", "^line 3: ValueError: no$"),
        ("import broken_helper", r"^broken_helper\.py, line 1: SyntaxError"),
        ("exit(3)", "^line 1: SystemExit: 3$"),
    ],
)
def test_files_that_cannot_be_imported(tmp_path: Path, text: str, why: str):
    (tmp_path / "broken_helper.py").write_text("class")
    (tmp_path / "broken.py").write_text(text)
    with pytest.raises(Refused, match=why):
        load_class(str(tmp_path / "broken.py"), "Own")


def test_arguments(file: str):
    own = load_class(file, "Own")
    assert arguments_of(own, {}) == {}
    texts = {"threshold": "20", "start_step": "5", "end_step": "9", "timeout_seconds": "60"}
    # The evaluator's own are given only to those who ask for them.
    assert arguments_of(own, texts) == {"threshold": 20, "start_step": 5}
    others = {"other_trials": "runs/a, runs/b"}
    assert arguments_of(own, others) == {"other_trials": ["runs/a", "runs/b"]}
    why = r"Own: got an unexpected keyword argument 'treshold' \(parameters: threshold, other"
    with pytest.raises(Refused, match=why):
        arguments_of(own, {"treshold": "20"})
    with pytest.raises(Refused, match="base_trial"):
        arguments_of(own, {"base_trial": "run"})


def test_an_old_signature():
    class Old(Rule):
        def __init__(self, base_trial, action_str, threshold):
            super().__init__(base_trial, action_str)

        def invoke_at_step(self, step):
            return False

    assert arguments_of(Old, {"threshold": "1"}) == {"threshold": 1, "action_str": None}
    with pytest.raises(Refused, match="missing a required argument: 'threshold'"):
        arguments_of(Old, {})


def test_a_rule_may_say_how_bad_its_findings_are(file: str) -> None:
    own = load_class(file, "Own")
    assert severity_of(own) == "problem"
    own.finding_severity = "note"
    assert severity_of(own) == "note"
    own.finding_severity = "high"
    with pytest.raises(Refused, match="finding_severity is 'high'; expected one of: problem,"):
        severity_of(own)
