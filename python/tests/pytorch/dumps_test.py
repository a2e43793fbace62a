"""What a dump of a step is made of, and what is found in it."""

import json
import pickle
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from torch import nn

from tensorwarden.adapters.pytorch.dumps.layout import DumpError
from tensorwarden.adapters.pytorch.dumps.links import Link, outputs_of, source_of, trace
from tensorwarden.adapters.pytorch.dumps.pickling import (
    pickle_model,
    plain_tensors,
    unpickle_model,
    wrapping_autocast,
)
from tensorwarden.adapters.pytorch.dumps.reading import find_dump
from tensorwarden.adapters.pytorch.dumps.recorder import Recorder
from tensorwarden.adapters.pytorch.dumps.script import Script
from tensorwarden.adapters.pytorch.replay.calls import call_now
from tensorwarden.adapters.pytorch.rerun.comparing import Verdict, rows_of, verdict_of
from tensorwarden.adapters.pytorch.rerun.modules import run_once
from tensorwarden.adapters.pytorch.rerun.text import verdict_text
from tensorwarden.adapters.pytorch.rerun.values import difference, sample_of, values_of


class Outputs:
    def __init__(self, logits: torch.Tensor) -> None:
        self.logits = logits


CHANGES = {
    "as it is": lambda t: t,
    "view": lambda t: t.view(-1, 4),
    "squeezed": lambda t: t[:, :1].squeeze(1),
    "slice": lambda t: t[..., :-1, 1:],
    "shifted": lambda t: t[:, :-1].contiguous().view(-1, 4),
    "transposed": lambda t: t.transpose(-1, 1),
    "permuted": lambda t: t.permute(2, 0, 1),
    "selected": lambda t: t[:, -1],
    "another type": lambda t: t.double(),
}
NEEDS_SHAPES = ("squeezed", "shifted")  # Of values in between, which older versions do not tell.


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("wrap", [lambda t: t, lambda t: {"a": [1, t]}, Outputs])
def test_inputs_of_a_loss_are_made_again(name: str, wrap: Callable[[Any], Any]) -> None:
    made = torch.randn(2, 3, 4, requires_grad=True) * 2
    outputs = wrap(made)
    known = {source_of(tensor): key for key, tensor in outputs_of(outputs)}
    wanted = CHANGES[name](made)
    link = trace(wanted, known)
    if link is None and name in NEEDS_SHAPES and not hasattr(wanted.grad_fn, "_input_metadata"):
        return
    assert isinstance(link, Link)
    again = link.follow(outputs)
    assert torch.equal(again.to(link.dtype), wanted)
    assert pickle.loads(pickle.dumps(tuple(link)))


def test_what_changes_values_is_not_a_link() -> None:
    made = torch.randn(3, requires_grad=True) * 2
    known = {source_of(made): ()}
    assert trace(made.exp(), known) is None
    assert trace(made + made, known) is None
    assert trace(made * 2, known) is None
    assert trace(made * 2, known, scaled=True) is not None
    assert trace(torch.zeros(3), known) is None


def test_a_script_is_not_run(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        """
from __future__ import annotations
import math
from os.path import *
if math.pi > 3:
    WIDTH = 4
else:
    WIDTH = 5
UNUSED = 1 / 0

def helper(x: Missing):
    return x * WIDTH * math.tau

class Net:
    class Inner: pass
    def forward(self, x):
        return helper(x)

for step in range(3):
    raise SystemExit("the training")
if __name__ == "__main__":
    raise SystemExit("the training")
print(1 / 0)
"""
    )
    main = Script(str(script))
    assert main.Net().forward(1) > 25
    assert main.Net.__module__ == "__main__" and main.Net.Inner.__qualname__ == "Net.Inner"
    with pytest.raises(AttributeError, match="does not define Other"):
        _ = main.Other
    with pytest.raises(ZeroDivisionError):
        _ = main.UNUSED


def test_a_model_is_pickled_without_its_weights() -> None:
    model = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64), nn.LSTM(64, 64))
    model[0].register_parameter("tied", model[0].weight)
    model.eval()
    data = pickle_model(model)
    assert len(data) < 16_000
    parameters, buffers = plain_tensors(model)
    again = unpickle_model(
        data,
        {
            **{n: nn.Parameter(p.detach().clone()) for n, p in parameters.items()},
            **{n: b.clone() for n, b in buffers.items()},
        },
    )
    assert again[0].tied is again[0].weight and not again.training
    assert all(torch.equal(p, again.get_parameter(n)) for n, p in model.named_parameters())


def test_mixed_precision_around_forward_is_found() -> None:
    model: Any = nn.Linear(2, 2)
    assert wrapping_autocast(model) is None
    model.forward = torch.autocast("cpu", dtype=torch.bfloat16)(model.forward)
    assert wrapping_autocast(model) == ("cpu", True, torch.bfloat16)
    parameters, _ = plain_tensors(model)
    assert "forward" not in vars(unpickle_model(pickle_model(model), dict(parameters)))


def test_the_recorder_keeps_what_a_pass_starts_from() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
    model.register_buffer("mask", torch.ones(8))
    recorder, x = Recorder(), torch.randn(8, 4)
    criterion = nn.MSELoss()
    for step in range(2):
        recorder.forward(model, "Sequential", step, (x,), {})
        outputs = model(x)
        recorder.output(outputs)
        loss = criterion(outputs, x)
        recorder.loss("MSELoss", criterion, (outputs, x), {}, loss)
        recorder.backward(loss / 2)
    first, second = recorder.passes
    assert int(first.buffers["1.num_batches_tracked"]) == 0
    assert int(second.buffers["1.num_batches_tracked"]) == 1
    assert first.buffers["mask"] is second.buffers["mask"]  # Copied once.
    assert isinstance(first.losses[0].args[0], Link) and first.losses[0].args[1] is not None
    assert first.value is not None and float(first.value) == pytest.approx(float(loss.detach()) / 2)
    assert first.own_loss is None and not first.outputs
    assert not first.inputs_have_changed()
    x.mul_(2)
    assert first.inputs_have_changed()
    recorder.clear()
    assert not recorder.passes


def test_values_and_differences() -> None:
    bad = torch.tensor([1.0, float("nan"), float("inf"), -float("inf"), -3.0], dtype=torch.float16)
    found = values_of([bad, {"b": torch.tensor([7.0])}, "text"])
    assert found is not None and found[:] == ("float16", -3.0, 7.0, 1, 1, 1)
    assert values_of([torch.tensor(1), None]) is None
    apart = difference(sample_of(bad), sample_of(bad.float() * 1.5))
    assert apart is not None and apart.absolute == 1.5 and apart.relative == pytest.approx(1 / 3)
    assert difference(sample_of(bad), sample_of(bad[1:])) is None
    many = torch.arange(1 << 20, dtype=torch.float32)
    assert sum(part.numel() for part in sample_of(many)) <= 1 << 18


class Apply(nn.Module):
    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(x)


def first_bad(function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> Verdict:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Identity(), Apply(function), nn.Linear(4, 2))
    call = call_now(model, "Sequential", 0, (x,), {})
    ours = run_once(call, lambda outputs: outputs.sum(), 1.0)
    wide = run_once(
        call._replace(args=(x.double(),), model=model.double()),
        lambda outputs: outputs.sum(),
        1.0,
        torch.float64,
    )
    assert not ours.error and not wide.error
    return verdict_of(None, ours, wide, rows_of(ours, wide))


def test_the_first_bad_module_is_named() -> None:
    x = torch.full((3, 4), 100.0, requires_grad=True)
    overflow = first_bad(lambda t: t.exp(), x)
    assert (overflow.phase, overflow.name, overflow.only_in_ours) == ("forward", "1", True)
    assert overflow.place is not None and overflow.place.operator == "exp"
    text = verdict_text(overflow, "float64")
    assert "output of 1 (Apply) in the forward pass, exp at dumps_test.py:" in text
    assert "In float64 it is finite, from 2.69e+43 to 2.69e+43: more than 3.40e+38, the" in text
    # Negative infinities of a mask are wanted, those of an overflow are not.
    low = first_bad(lambda t: -(t * 1e10).exp(), x)
    assert (low.name, low.only_in_ours) == ("1", False)
    mask = torch.tensor([[0.0, 0.0, 0.0, -float("inf")]])
    assert first_bad(lambda t: (t + mask).softmax(-1), x).phase == ""
    backward = first_bad(lambda t: (t - 100).sqrt(), x)
    assert (backward.phase, backward.name) == ("backward", "1")
    assert backward.place is not None and backward.place.operator == "Sqrt"
    assert first_bad(lambda t: t, x.detach() * float("nan")).phase == "input"
    assert "Everything is finite" in verdict_text(first_bad(lambda t: t, x), "float64")


def test_the_dump_of_the_worker_where_it_began_is_found(tmp_path: Path) -> None:
    with pytest.raises(DumpError, match="no such folder"):
        find_dump(str(tmp_path / "none"), 7, None)
    with pytest.raises(DumpError, match="has no dumps"):
        find_dump(str(tmp_path), 7, None)
    for worker in ("worker_0", "worker_1", "worker_2.tmp"):
        folder = tmp_path / f"dumps/000000000007_{worker}"
        folder.mkdir(parents=True)
        index = {"format": 1, "step": 7, "worker": worker, "found": {"worker": "worker_1"}}
        index["passes"] = [{"step": 6}, {"step": 7}]
        (folder / "index.json").write_text(json.dumps(index))
    assert find_dump(str(tmp_path), 7, None).name == "000000000007_worker_1"
    assert find_dump(str(tmp_path), 6, "worker_0").name == "000000000007_worker_0"
    with pytest.raises(DumpError, match=r"of step 5; expected one of: 7 \(worker_0\), 7 \(w"):
        find_dump(str(tmp_path), 5, None)
    (tmp_path / "dumps/000000000007_worker_0/index.json").write_text('{"format": 2}')
    with pytest.raises(DumpError, match="format is 2; expected 1"):
        find_dump(str(tmp_path), 7, None)
