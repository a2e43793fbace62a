"""Tensors of every type and layout come back as they were."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from training import batches, make_model, read, step, train, values

import smdebug.pytorch as smd


class Given(nn.Module):
    """Gives back what it is given."""

    def forward(self, *values):
        return values


def saved(hook: smd.Hook, *tensors: torch.Tensor) -> list:
    model = Given()
    hook.register_module(model)
    model(*tensors)
    trial = read(hook)
    return [trial.tensor(f"Given_output_{k}").value(0) for k in range(len(tensors))]


WHOLE = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool]
PARTS = [torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128]


@pytest.mark.parametrize("dtype", WHOLE + PARTS)
def test_types(make_hook, dtype):
    tensor = torch.tensor([[0, 1, 2], [3, 100, 1]]).to(dtype)
    (value,) = saved(make_hook(include_regex="output"), tensor)
    assert value.dtype == tensor.numpy().dtype
    np.testing.assert_array_equal(value, tensor.numpy())


def test_bfloat16(make_hook):
    tensor = torch.tensor([1.0, -2.5, 3.140625, float("inf"), 1e30]).bfloat16()
    (value,) = saved(make_hook(include_regex="output"), tensor)
    np.testing.assert_array_equal(np.asarray(value, np.float32), tensor.float().numpy())


def test_layouts(make_hook):
    base = torch.arange(24.0).reshape(4, 6)
    numbers = torch.tensor([1 + 2j, 3 - 1j])
    tensors = [
        base.t(),
        base[:, ::2],
        base[1:3, 2:],
        base.flip(0),
        base[0].expand(3, 6),
        base.reshape(1, 4, 3, 2).contiguous(memory_format=torch.channels_last),
        numbers.conj(),
        numbers.conj().imag,
        torch.tensor(5.0),
        base.to_sparse(),
        base[0].requires_grad_(),
    ]
    given = saved(make_hook(include_regex="output"), *tensors)
    for value, tensor in zip(given, tensors):
        dense = tensor.to_dense() if tensor.is_sparse else tensor
        expected = dense.detach().resolve_conj().resolve_neg().numpy()
        assert value.dtype == expected.dtype
        np.testing.assert_array_equal(value, expected)


def test_tensors_without_elements_are_left_out_and_told_once(make_hook, capfd):
    hook = make_hook(include_regex="output")
    model = Given()
    hook.register_module(model)
    for _ in range(3):
        model(torch.zeros(2, 0, 3), torch.ones(1))
    assert read(hook).tensor_names() == ["Given_output_1"]
    (message,) = (line for line in capfd.readouterr().err.splitlines() if "Given_output_0" in line)
    assert "tensor 'Given_output_0' is not saved" in message
    assert "no elements" in message


def by_hand(hook: smd.Hook, held: bool, **tensors: Any):
    """The run with these tensors, given before or within its first step."""
    hook.get_collection("given")
    model = Given()
    hook.register_module(model)
    if held:
        for name, tensor in tensors.items():
            hook.save_tensor(name, tensor, "given")
    model(torch.ones(1))
    if not held:
        for name, tensor in tensors.items():
            hook.save_tensor(name, tensor, "given")
    return read(hook)


NARROW = [
    (getattr(torch, name), wide)
    for name, wide in (
        ("complex32", np.complex64),
        ("float8_e4m3fn", np.float32),
        ("float8_e5m2", np.float32),
    )
    if hasattr(torch, name)
]


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize(("dtype", "wide"), NARROW)
@pytest.mark.parametrize("held", [False, True])
def test_types_that_the_format_does_not_have_are_widened(make_hook, dtype, wide, held):
    tensor = torch.tensor([0.0, 1.0, -2.0]).to(dtype)
    trial = by_hand(make_hook(include_regex="output"), held, narrow=tensor)
    value = trial.tensor("narrow").value(0)
    assert value.dtype == wide
    np.testing.assert_array_equal(value, [0, 1, -2])


@pytest.mark.filterwarnings("ignore:ComplexHalf")
@pytest.mark.parametrize(("dtype", "wide"), NARROW)
def test_outputs_of_such_types_are_widened(make_hook, dtype, wide):
    (value,) = saved(make_hook(include_regex="output"), torch.tensor([0.0, 1.0, -2.0]).to(dtype))
    assert value.dtype == wide
    np.testing.assert_array_equal(value, [0, 1, -2])


@pytest.mark.parametrize("held", [False, True])
def test_scalars_keep_their_shape(make_hook, held):
    given = {str(t)[6:]: torch.ones(()).to(t) for t in [*WHOLE, *PARTS, torch.bfloat16]}
    trial = by_hand(make_hook(include_regex="output"), held, **given)
    assert {name: trial.tensor(name).value(0).shape for name in given} == dict.fromkeys(given, ())


@pytest.mark.parametrize("held", [False, True])
def test_arrays_keep_their_shape_and_plain_numbers_get_one(make_hook, held):
    given = {"array": np.ones((), np.float32), "number": 1.0}
    trial = by_hand(make_hook(include_regex="output"), held, **given)
    shapes = {name: trial.tensor(name).value(0).shape for name in given}
    assert shapes == {"array": (), "number": (1,)}


def test_as_many_dimensions_as_pytorch_has(make_hook):
    tensor = torch.arange(6.0).reshape([1] * 38 + [2, 3])
    hook = make_hook(include_regex="output")
    model = Given()
    hook.register_module(model)
    model(tensor)
    assert read(hook).tensor("Given_output_0").shape(0) == tuple(tensor.shape)


@pytest.mark.parametrize("held", [False, True])
def test_a_tensor_without_values_is_told_by_its_name(make_hook, held, caplog):
    nothing = torch.zeros(3, device="meta")
    trial = by_hand(make_hook(include_regex="output"), held, nothing=nothing, some=torch.ones(2))
    assert trial.tensor_names(regex="nothing|some") == ["some"]
    (message,) = (text for text in caplog.messages if "'nothing'" in text)
    assert "meta device" in message


def test_an_output_without_values_is_told_by_its_name(make_hook, caplog):
    hook = make_hook(include_regex="output")
    model = Given()
    hook.register_module(model)
    for _ in range(3):
        model(torch.zeros(3, device="meta"), torch.ones(1))
    assert read(hook).tensor_names() == ["Given_output_1"]
    (message,) = (text for text in caplog.messages if "'Given_output_0'" in text)
    assert "meta device" in message


def test_a_model_in_bfloat16(make_hook):
    hook = make_hook(save_all=True)
    model = make_model().bfloat16()
    hook.register_module(model)
    before = model[0].weight.detach().float().numpy().copy()
    outputs = step(model, torch.ones(2, 8, dtype=torch.bfloat16))
    trial = read(hook)
    np.testing.assert_array_equal(
        np.asarray(trial.tensor("Sequential_0.weight").value(0), np.float32), before
    )
    np.testing.assert_array_equal(
        np.asarray(trial.tensor("2_output_0").value(0), np.float32),
        outputs.detach().float().numpy(),
    )
    assert trial.tensor("gradient/Sequential_0.weight").value(0).shape == (16, 8)


def test_mixed_precision(make_hook):
    hook = make_hook(save_all=True)
    plain, model = make_model(), make_model()
    hook.register_module(model)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (plain, model)]
    for features, target in batches(3):
        losses = []
        for one, optimizer in zip((plain, model), optimizers):
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                outputs = one(features)
                loss = nn.functional.cross_entropy(outputs.float(), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item().hex())
        assert losses[0] == losses[1]
    assert outputs.dtype == torch.bfloat16
    trial = read(hook)
    np.testing.assert_array_equal(
        np.asarray(trial.tensor("2_output_0").value(2), np.float32),
        outputs.detach().float().numpy(),
    )
    assert trial.tensor("Sequential_0.weight").value(2).dtype == np.float32
    assert trial.tensor("gradient/Sequential_0.weight").value(2).dtype == np.float32


def test_sparse_gradients(make_hook):
    class Words(nn.Module):
        def __init__(self):
            super().__init__()
            torch.manual_seed(0)
            self.table = nn.Embedding(10, 3, sparse=True)

        def forward(self, words):
            return self.table(words)

    def run(hook):
        model = Words()
        if hook is not None:
            hook.register_module(model)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        losses = []
        for words in ([1, 2, 2], [3, 3, 3]):
            optimizer.zero_grad()
            loss = model(torch.tensor(words)).square().sum()
            loss.backward()
            optimizer.step()
            losses.append(loss.item().hex())
        return losses

    hook = make_hook(include_collections=["gradients"])
    assert run(hook) == run(None)
    gradients = values(read(hook), "gradient/Words_table.weight")
    assert gradients[0].shape == (10, 3)
    assert np.flatnonzero(gradients[0].any(axis=1)).tolist() == [1, 2]
    assert np.flatnonzero(gradients[1].any(axis=1)).tolist() == [3]


def test_complex_parameters(make_hook):
    class Turn(nn.Module):
        def __init__(self):
            super().__init__()
            self.factor = nn.Parameter(torch.tensor([1 + 1j, 2 - 3j]))

        def forward(self, x):
            return (self.factor * x).abs().sum()

    hook = make_hook(include_regex="Turn_factor")
    model = Turn()
    hook.register_module(model)
    model(torch.ones(2)).backward()
    trial = read(hook)
    np.testing.assert_array_equal(trial.tensor("Turn_factor").value(0), [1 + 1j, 2 - 3j])
    np.testing.assert_allclose(
        trial.tensor("gradient/Turn_factor").value(0), model.factor.grad.numpy(), rtol=1e-6
    )


def test_what_is_saved_does_not_change_when_the_tensor_does(make_hook):
    hook = make_hook(include_regex="output")
    model = Given()
    hook.register_module(model)
    tensor = torch.zeros(100000)
    for number in range(5):
        tensor.fill_(number)
        model(tensor)
        tensor.fill_(-1)
    trial = read(hook)
    for number, value in values(trial, "Given_output_0").items():
        assert value.min() == value.max() == number


def test_large_tensors(make_hook):
    """Larger than what the writer keeps in memory."""
    hook = make_hook(include_regex="output")
    tensor = torch.arange(20_000_000, dtype=torch.int32)
    (value,) = saved(hook, tensor)
    np.testing.assert_array_equal(value, tensor.numpy())


def test_gradients_of_many_types_do_not_disturb_training(make_hook):
    hook = make_hook(save_all=True)
    assert train(
        hook, make_model().double(), data=[(x.double(), y) for x, y in batches(4)]
    ) == train(None, make_model().double(), data=[(x.double(), y) for x, y in batches(4)])
    assert read(hook).tensor("Sequential_0.weight").value(0).dtype == np.float64
