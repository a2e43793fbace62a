"""Values of narrow types, counted by powers of two."""

from typing import Any, Dict, List, Tuple

import numpy as np
import pytest
import torch
from torch import nn
from training import read, train

import smdebug.pytorch as smd
from tensorwarden.adapters.pytorch.exponents import ExponentCounts, autocast_type, count


class Core:
    """Keeps what would be saved."""

    def __init__(self) -> None:
        self.saved: Dict[str, np.ndarray] = {}

    def save_tensor_now(self, name: str, value: np.ndarray, collections: List[str]) -> None:
        assert collections == ["exponents"]
        self.saved[name] = value


def counted(asked: bool, tensors: Dict[str, torch.Tensor], core: Any = None) -> Dict[str, Any]:
    core = core or Core()
    counts = ExponentCounts(asked, lambda _: None)
    counts.begin(core, True, "cpu")
    assert counts.is_due
    counts.add(core, list(tensors), list(tensors.values()))
    return core.saved


def bins_of(tensor: torch.Tensor) -> Dict[int, int]:
    return {i: int(n) for i, n in enumerate(count(tensor)) if n}


def test_bins_are_exponents_of_a_float32():
    infinite = float("inf")
    values = torch.tensor([0.0, 1.0, -1.5, 2.0, 2.0**-126, 2.0**127, infinite, float("nan")])
    assert bins_of(values) == {0: 1, 127: 2, 128: 1, 1: 1, 254: 1, 255: 2}
    assert bins_of(values[::2]) == {0: 1, 127: 1, 1: 1, 255: 1}
    assert bins_of(torch.tensor([2.0**-24, -(2.0**15)]).half()) == {103: 1, 142: 1}
    assert bins_of(torch.tensor([1e300, 1e-300], dtype=torch.float64)) == {255: 1, 0: 1}
    assert bins_of(torch.ones(3, 2, 2).bfloat16().transpose(0, 1)) == {127: 12}


@pytest.mark.skipif(not hasattr(torch, "float8_e4m3fn"), reason="needs a newer PyTorch")
def test_8_bit_types():
    for kind in ("float8_e4m3fn", "float8_e5m2"):
        value = torch.tensor([0.0, 1.0, 2.0**-7]).to(getattr(torch, kind))
        saved = counted(False, {"gradient/a": value})
        (found,) = saved.values()
        assert list(saved) == [f"exponents/{kind}/gradient/a"]
        assert (found[0], found[127], found[120], found.sum()) == (1, 1, 1, 3)


def test_unasked_only_gradients_that_may_be_spoilt_are_counted():
    half, wide, brain = torch.ones(4).half(), torch.ones(4), torch.ones(4).bfloat16()
    tensors = {"gradient/a": half, "b": half, "gradient/c": wide, "gradient/d": brain}
    assert list(counted(False, tensors)) == ["exponents/float16/gradient/a"]
    assert set(counted(True, tensors)) == {
        "exponents/float16/gradient/a",
        "exponents/float16/b",
        "exponents/bfloat16/gradient/d",
    }


def test_unasked_they_are_rare_and_of_a_part_of_large_tensors():
    counts, core = ExponentCounts(False, lambda _: None), Core()
    due = []
    for _ in range(45):
        counts.begin(core, True, "cpu")
        due.append(counts.is_due)
    assert [step for step, is_due in enumerate(due) if is_due] == [0, 1, 2, 3, 4, 20, 40]
    counts.begin(core, False, "cpu")
    assert not counts.is_due
    (found,) = counted(False, {"gradient/a": torch.ones(1 << 18).half()}).values()
    assert found[127] == found.sum() == 1 << 16


def test_gradients_of_autocast_are_those_of_its_type():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert autocast_type("cpu") is torch.bfloat16
        tensors = {"gradient/a": torch.ones(2, 2), "gradient/bias": torch.ones(2)}
        assert list(counted(True, tensors)) == ["exponents/bfloat16/gradient/a"]
        assert counted(False, tensors) == {}
    assert autocast_type("cpu") is None


def run_of(hook: smd.Hook, half: bool) -> Tuple[List[str], Any]:
    model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 3))
    if half:
        model = model.bfloat16()
    data = [(torch.randn(4, 8).to(model[0].weight.dtype), torch.tensor([0, 1, 2, 0]))] * 3
    train(hook, model, data=data)
    trial = read(hook)
    return [name for name in trial.tensor_names() if name.startswith("exponents/")], trial


def test_a_hook_saves_them_beside_the_tensors_if_asked(make_hook):
    hook = make_hook(include_collections=["gradients", "weights"])
    hook.count_exponents()
    names, trial = run_of(hook, half=True)
    gradient = "exponents/bfloat16/gradient/Sequential_0.weight"
    assert {gradient, "exponents/bfloat16/Sequential_0.weight"} <= set(names)
    tensor = trial.tensor(gradient)
    assert tensor.steps() == [0, 1, 2]
    value = trial.tensor("gradient/Sequential_0.weight").value(1)
    np.testing.assert_array_equal(tensor.value(1), count(torch.tensor(value)).numpy())


@pytest.mark.parametrize(("asked", "half"), [(True, False), (False, True), (None, True)])
def test_nothing_is_counted_otherwise(make_hook, asked, half):
    hook = make_hook(include_collections=["gradients"])
    if asked is not None:
        hook.count_exponents(asked=asked)
    assert run_of(hook, half)[0] == []
