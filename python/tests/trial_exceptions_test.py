"""The exceptions, what they are and what they carry."""

import pytest

from smdebug import exceptions as ex
from smdebug import modes
from smdebug.exceptions import *  # noqa: F403 (as scripts do)

CASES = [
    (ex.InvalidCollectionConfiguration, ("c",), {"c_name": "c"}),
    (ex.StepNotYetAvailable, (3, modes.TRAIN), {"step": 3, "mode": modes.TRAIN}),
    (ex.StepUnavailable, (3, modes.EVAL), {"step": 3, "mode": modes.EVAL}),
    (ex.MissingCollectionFiles, (), {}),
    (ex.IndexReaderException, ("why",), {"message": "why"}),
    (
        ex.TensorUnavailableForStep,
        ("t", 1),
        {"tname": "t", "step": 1, "mode": modes.GLOBAL, "has_reductions": False},
    ),
    (ex.TensorUnavailableForStep, ("t", 1, modes.TRAIN, True), {"has_reductions": True}),
    (ex.ShapeUnavailableForStep, ("t", 1), {"tname": "t", "step": 1, "mode": modes.GLOBAL}),
    (ex.TensorUnavailable, ("t",), {"tname": "t"}),
    (ex.InvalidWorker, ("w",), {"worker": "w"}),
    (ex.NoMoreProfilerData, (9,), {"timestamp": 9}),
    (ex.NoMoreData, (5, modes.TRAIN, 4), {"step": 5, "mode": modes.TRAIN, "last_step": 4}),
    (
        ex.RuleEvaluationConditionMet,
        ("r", 2),
        {"rule_name": "r", "step": 2, "end_of_rule": False},
    ),
    (
        ex.InsufficientInformationForRuleInvocation,
        ("r", "why"),
        {"rule_name": "r", "message": "why"},
    ),
]


@pytest.mark.parametrize(("kind", "arguments", "attributes"), CASES)
def test_what_they_carry(kind, arguments, attributes):
    error = kind(*arguments)
    assert isinstance(error, ex.SMDebugError)
    for name, value in attributes.items():
        assert getattr(error, name) == value
    text = str(error)
    assert text
    for argument in arguments:
        if isinstance(argument, (str, int)) and not isinstance(argument, bool):
            assert str(argument) in text
    assert hasattr(error, "msg") == kind.__name__.startswith("NoMore")


def test_their_families():
    assert issubclass(ex.SMDebugTypeError, TypeError)
    assert issubclass(ex.SMDebugRuntimeError, RuntimeError)
    assert issubclass(ex.SMDebugNotImplementedError, NotImplementedError)
    assert issubclass(ex.SMDebugValueError, ValueError)
    assert issubclass(ex.SMDebugCustomerError, ex.SMDebugError)


def test_a_star_import_has_them():
    assert TensorUnavailableForStep is ex.TensorUnavailableForStep  # noqa: F405
    assert NoMoreData is ex.NoMoreData  # noqa: F405
