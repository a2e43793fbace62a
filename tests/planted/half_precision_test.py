"""Trainings in half precision: `warden run` names layers whose gradients underflow, with a loss
scale that helps, and is silent about healthy ones."""

from pathlib import Path

import pytest
from scaler_test import ON, train

SCRIPT = "half_precision.py"
WEIGHTS = {f"gradient/Sequential_{layer}.weight" for layer in (0, 2, 4)}


@pytest.mark.parametrize("device", ON)
def test_gradients_that_underflow_are_named(tmp_path: Path, device: str) -> None:
    found = train(tmp_path, device, "float16", "small", script=SCRIPT)
    findings = found["HalfPrecisionRange"]
    assert {finding["tensor"] for finding in findings} <= WEIGHTS
    assert "gradient/Sequential_0.weight" in {finding["tensor"] for finding in findings}
    assert all("underflow" in finding["message"] for finding in findings)
    assert any("GradScaler" in finding["advice"] for finding in findings)


@pytest.mark.parametrize("device", ON)
@pytest.mark.parametrize(
    "words",
    [("float16", "small", "scaled"), ("float16", "scaled"), ("bfloat16",), ("bfloat16", "small")],
    ids=" ".join,
)
def test_healthy_training_is_silent(tmp_path: Path, words: tuple, device: str) -> None:
    assert train(tmp_path, device, *words, script=SCRIPT) == {}
