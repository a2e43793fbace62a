"""Tensors on a GPU: saved as they were, without making the training wait."""

import time
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import smdebug.pytorch as smd
from smdebug.trials import create_trial
from tensorwarden.adapters.pytorch import cuda, exponents, slots
from tensorwarden.adapters.pytorch.device_summaries import summarize
from tensorwarden.adapters.pytorch.exposed_clock import ExposedClock

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")

OPERATIONS = ["min", "max", "mean", "std", "variance", "sum", "prod"]
NORMS = ["l1", "l2"]


def make_model(width: int = 64) -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, width), nn.ReLU(), nn.Linear(width, 4)).cuda()


def train(hook=None, steps: int = 6, model=None, watch=None) -> list:
    """Losses of a small training; watch sees the model before each step."""
    model = make_model() if model is None else model
    criterion = nn.CrossEntropyLoss()
    if hook is not None:
        hook.register_module(model)
        hook.register_loss(criterion)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    random = torch.Generator().manual_seed(1)
    losses = []
    for _ in range(steps):
        x = torch.randn(16, 8, generator=random).cuda()
        y = torch.randint(0, 4, (16,), generator=random).cuda()
        if watch is not None:
            watch(model)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    if hook is not None:
        hook.close()
    return [float(loss).hex() for loss in losses]


def hook_into(folder: Path, **arguments) -> smd.Hook:
    arguments.setdefault("save_config", smd.SaveConfig(save_interval=1))
    return smd.Hook(out_dir=str(folder), **arguments)


def test_values_are_those_of_the_step(tmp_path):
    weights = []
    hook = hook_into(tmp_path / "run", save_all=True)
    watched = train(
        hook, watch=lambda m: weights.append({n: p.detach().cpu() for n, p in m.named_parameters()})
    )
    assert watched == train()
    trial = create_trial(str(tmp_path / "run"))
    assert trial.steps() == list(range(6))
    for step, parameters in enumerate(weights):
        for name, value in parameters.items():
            saved = trial.tensor(f"Sequential_{name}").value(step)
            np.testing.assert_array_equal(saved, value.numpy())
    losses = trial.tensor("CrossEntropyLoss_output_0")
    assert [float(losses.value(step)).hex() for step in losses.steps()] == watched
    assert trial.tensor("gradient/Sequential_0.weight").value(3).shape == (64, 8)
    assert trial.tensor("0_output_0").value(5).shape == (16, 64)


def test_reductions_are_computed_on_the_gpu(tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("a tensor left the GPU")

    reductions = smd.ReductionConfig(OPERATIONS, OPERATIONS, NORMS, NORMS)
    hook = hook_into(
        tmp_path / "run",
        include_collections=["weights", "biases", "gradients"],
        reduction_config=reductions,
    )
    hook.get_collection("losses").save_config = smd.SaveConfig(save_interval=1000, start_step=1000)
    monkeypatch.setattr(cuda.DeviceSaver, "_copy", refuse)
    monkeypatch.setattr(cuda.DeviceSaver, "_reduce", refuse)
    weights = []
    train(hook, watch=lambda m: weights.append(m[0].weight.detach().double().cpu()))
    trial = create_trial(str(tmp_path / "run"))
    tensor = trial.tensor("Sequential_0.weight")
    for step, value in enumerate(weights):
        absolute = value.abs()
        for values, is_absolute in ((value, False), (absolute, True)):
            expected = {
                "min": values.min(),
                "max": values.max(),
                "mean": values.mean(),
                "std": values.std(),
                "variance": values.var(),
                "sum": values.sum(),
                "prod": values.float().prod(),
                "l1": values.norm(1),
                "l2": values.norm(2),
            }
            for name, number in expected.items():
                saved = tensor.reduction_value(step, name, abs=is_absolute)
                np.testing.assert_allclose(saved, number, rtol=1e-4, atol=1e-6, err_msg=name)
    assert len(trial.tensor("gradient/Sequential_2.bias").reduction_values(2)) == 18


def test_nothing_waits_for_the_gpu(tmp_path):
    hook = hook_into(
        tmp_path / "run",
        include_collections=["weights", "gradients", "losses", "figures"],
    )
    figures = hook.get_collection("figures")
    figures.include("bias")
    figures.reduction_config = smd.ReductionConfig(reductions=["mean", "max"], norms=["l2"])
    model, criterion = make_model(), nn.CrossEntropyLoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    x, y = torch.randn(16, 8).cuda(), torch.zeros(16, dtype=torch.int64).cuda()
    try:
        for step in range(6):
            if step == 3:  # Buffers and streams exist by now.
                torch.cuda.set_sync_debug_mode("error")
            model.zero_grad()
            criterion(model(x), y).backward()
            assert not hook.disabled
    finally:
        torch.cuda.set_sync_debug_mode("default")
    hook.close()
    trial = create_trial(str(tmp_path / "run"))
    assert trial.steps() == list(range(6))
    assert trial.tensor("gradient/Sequential_0.weight").steps() == list(range(6))


def test_memory_is_bounded_and_large_tensors_fit(tmp_path, monkeypatch):
    monkeypatch.setattr(slots, "SLOT_BYTES", 1 << 16)
    monkeypatch.setattr(cuda, "SLOT_BYTES", 1 << 16)
    monkeypatch.setattr(slots, "MOST_BYTES", 1 << 18)
    hook = hook_into(tmp_path / "run", include_collections=["weights", "gradients"])
    model = make_model(width=20000)  # Its first weight alone is larger than all of that.
    weights = []
    train(hook, steps=4, model=model, watch=lambda m: weights.append(m[0].weight.detach().cpu()))
    trial = create_trial(str(tmp_path / "run"))
    for step, value in enumerate(weights):
        saved = trial.tensor("Sequential_0.weight").value(step)
        np.testing.assert_array_equal(saved, value.numpy())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.int32])
def test_types(tmp_path, dtype):
    hook = hook_into(tmp_path / "run", include_collections=["weights", "default"])
    model = nn.Linear(4, 3).cuda()
    hook.register_module(model)
    model(torch.ones(1, 4).cuda())
    value = torch.arange(-3, 5, device="cuda").to(dtype).reshape(2, 4)
    hook.save_tensor("mine", value)
    hook.close()
    saved = create_trial(str(tmp_path / "run")).tensor("mine").value(0)
    np.testing.assert_array_equal(saved.astype(np.float64), value.double().cpu().numpy())


def test_mixed_precision_with_a_scaler(tmp_path):
    hook = hook_into(tmp_path / "run", include_collections=["weights", "gradients"])
    model, criterion = make_model(), nn.CrossEntropyLoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = getattr(torch.amp, "GradScaler", torch.cuda.amp.GradScaler)()
    x, y = torch.randn(16, 8).cuda(), torch.zeros(16, dtype=torch.int64).cuda()
    for _ in range(3):
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    hook.close()
    assert create_trial(str(tmp_path / "run")).steps() == [0, 1, 2]
    assert hook.counters()["failed"] == 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("count", [1, 2, 255, 5000, 3_000_001])
def test_summaries_of_the_gpu_equal_those_of_the_host(tmp_path, dtype, count):
    torch.manual_seed(count)
    values = (torch.randn(count) * 3 + 100).to(dtype)
    if count > 4:
        values[1], values[3] = 0, -values[3]
    reductions = smd.ReductionConfig(OPERATIONS, OPERATIONS, NORMS, NORMS)
    found = []
    for device in ("cpu", "cuda"):
        folder = tmp_path / device
        hook = hook_into(folder, include_collections=["weights"], reduction_config=reductions)
        model = nn.Linear(1, 1).to(device)
        model.weight = nn.Parameter(values.to(device), requires_grad=False)
        model.forward = lambda x: x
        hook.register_module(model)
        model(torch.ones(1).to(device))
        hook.close()
        tensor = create_trial(str(folder)).tensor("Linear_weight")
        found.append(tensor.reduction_values(0))
    for key, number in found[0].items():
        np.testing.assert_allclose(
            found[1][key], number, rtol=2e-6, equal_nan=True, err_msg=str(key)
        )


def test_values_that_are_not_finite(tmp_path):
    values = torch.tensor([1.0, float("nan"), float("inf"), -2.0])
    reductions = smd.ReductionConfig(OPERATIONS, OPERATIONS, NORMS, NORMS)
    hook = hook_into(tmp_path / "run", include_collections=["weights"], reduction_config=reductions)
    model = nn.Linear(4, 1).cuda()
    with torch.no_grad():
        model.weight.copy_(values)
    hook.register_module(model)
    model(torch.ones(1, 4).cuda())
    hook.close()
    tensor = create_trial(str(tmp_path / "run")).tensor("Linear_weight")
    assert np.isnan(tensor.reduction_value(0, "mean"))
    assert np.isnan(tensor.reduction_value(0, "max"))


# What the kernel finds, compared with PyTorch in double precision.

FLOATS = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
FLOATS8 = [getattr(torch, n) for n in ("float8_e4m3fn", "float8_e5m2") if hasattr(torch, n)]
INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.bool]


def expected_of(tensor) -> dict:
    """The statistics of a tensor, by name."""
    every = tensor.double().flatten()
    values = every[torch.isfinite(every)]
    magnitudes = values.abs()
    some = values.numel() > 0
    counts = {
        "count": every.numel(),
        "nan_count": every.isnan().sum(),
        "pos_inf_count": (every == float("inf")).sum(),
        "neg_inf_count": (every == -float("inf")).sum(),
        "zero_count": (values == 0).sum(),
        "negative_count": (values < 0).sum(),
    }
    squares = (values * values).sum()
    numbers = {
        "min": values.min() if some else 0,
        "max": values.max() if some else 0,
        "abs_min": magnitudes.min() if some else 0,
        "abs_max": magnitudes.max() if some else 0,
        "sum": values.sum(),
        "abs_sum": magnitudes.sum(),
        "sum_squares": squares,
        "l2": squares.sqrt(),
        "mean": values.mean() if some else 0,
        "m2": (values - values.mean()).square().sum() if some else 0,
        "abs_m2": (magnitudes - magnitudes.mean()).square().sum() if some else 0,
        # 0, although the product of the others may overflow.
        "prod": 0 if counts["zero_count"] else values.prod(),
    }
    return {name: float(number) for name, number in {**counts, **numbers}.items()}


def assert_summaries(tensors) -> None:
    for tensor, found in zip(tensors, summarize(tensors, exponents=True)):
        expected = expected_of(tensor)
        scale = {"sum": expected["abs_sum"], "mean": expected["abs_max"]}
        for name, number in expected.items():
            what = f"{name} of {tensor.dtype}, {tuple(tensor.shape)}"
            tolerance = 0 if name.endswith(("count", "min", "max")) else 2e-6
            tolerance = 1e-4 if name == "prod" else tolerance
            np.testing.assert_allclose(
                getattr(found, name),
                number,
                rtol=tolerance,
                atol=tolerance * scale.get(name, 0),
                err_msg=what,
            )
        assert sum(found.exponents) == tensor.numel()


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_kernel_sizes_and_misaligned_starts(dtype):
    torch.manual_seed(1)
    tensors = []
    for count in (0, 1, 2, 7, 31, 255, 256, 257, 5000, 8191, 8192, 8193, 65_536, 1_000_003):
        for first in (0, 1, 3, 7):
            values = torch.randn(count + first, device="cuda", dtype=torch.float64)
            tensors.append((values * 3 + 100).to(dtype)[first:])
            tensors.append(values.to(dtype)[first:])
            tensors.append(values.relu().to(dtype)[first:])
    assert_summaries(tensors)  # More than fit the arguments of a kernel.
    for tensor in tensors[::5]:
        assert_summaries([tensor])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_kernel_with_values_that_are_not_finite(dtype):
    values = torch.randn(70_000, device="cuda").to(dtype)
    values[5], values[60_000], values[69_999] = float("nan"), float("inf"), -float("inf")
    nothing = torch.full((50,), float("nan"), device="cuda").to(dtype)
    assert_summaries([values, nothing, values[6:50_000]])


def test_kernel_float8():
    tensors = []
    for dtype in FLOATS8:
        every = torch.arange(256, device="cuda").to(torch.uint8).view(dtype)
        tensors += [every, every[1:100], torch.randn(100_003, device="cuda").to(dtype)[3:]]
    if tensors:
        assert_summaries(tensors)


def test_kernel_integers():
    random = torch.Generator("cuda").manual_seed(1)
    values = torch.randint(-100, 100, (77_777,), device="cuda", generator=random)
    assert_summaries([values.abs().to(dtype)[1:] for dtype in INTEGERS])
    assert_summaries([values.to(dtype) for dtype in (torch.int8, torch.int16, torch.int64)])
    assert_summaries([torch.tensor([2**40, -(2**41), 3], device="cuda")])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_kernel_strided(dtype):
    values = torch.randn(60, 50, 40, device="cuda").to(dtype)
    assert_summaries(
        [
            values[:, ::3],
            values[5:50, 7:40, 1:],
            values.permute(2, 0, 1),
            values.permute(2, 0, 1)[3:, :, ::2],
            values[:1].expand(7, 50, 40),
            values[..., 3],
            values.unfold(2, 5, 2),
        ]
    )


def test_kernel_with_magnitudes_out_of_range():
    values = torch.randn(20_000, device="cuda")
    mixed = torch.where(values > 0, values * 1e-41, values)
    assert_summaries([values * scale for scale in (1e30, 1e-30, 1e-42)] + [mixed])
    assert_summaries([1 + values[:1024] * 1e-4, torch.full((4096,), 0.1, device="cuda")])


def test_kernel_counts_exponents():
    values = torch.tensor([0.0, 1.0, -1.5, 2.0, 2.0**-126, 2.0**127, float("inf")], device="cuda")
    (found,) = summarize([values], exponents=True)
    bins = {i: count for i, count in enumerate(found.exponents) if count}
    assert bins == {0: 1, 127: 2, 128: 1, 1: 1, 254: 1, 255: 1}


def test_kernel_names_the_first_tensor_that_is_not_finite():
    fine, bad = torch.ones(9, device="cuda"), torch.tensor([float("nan")], device="cuda")
    summaries = cuda.make_summaries(0)
    flag = torch.full((1,), -1, dtype=torch.int64, device="cuda")
    rows = torch.empty(4, 18, dtype=torch.float64, device="cuda")
    scratch = torch.zeros(summaries.scratch_bytes(4), dtype=torch.uint8, device="cuda")
    stream = torch.cuda.current_stream().cuda_stream
    for sequence, tensors in ((0, [fine, fine]), (20, [fine, bad, bad]), (30, [bad])):
        described = [(t.data_ptr(), "float32", t.shape, None) for t in tensors]
        summaries.launch(
            described,
            rows.data_ptr(),
            scratch.data_ptr(),
            stream,
            first_bad=flag.data_ptr(),
            sequence=sequence,
        )
    assert int(flag) == 21


def test_kernel_refuses_other_types():
    with pytest.raises(ValueError, match="complex64"):
        summarize([torch.zeros(3, dtype=torch.complex64, device="cuda")])
    with pytest.raises(ValueError, match="one GPU"):
        summarize([torch.zeros(3)])


def test_kernel_with_two_billion_elements():
    count = 2**31 + 5
    if torch.cuda.mem_get_info()[0] < 6 << 30:
        pytest.skip("needs 6 GB")
    values = torch.zeros(count, dtype=torch.int8, device="cuda")
    values[-1], values[7] = 3, -2
    half = torch.ones(count, dtype=torch.bfloat16, device="cuda")
    whole, ones = summarize([values, half])
    assert (whole.count, whole.zero_count, whole.sum, whole.min) == (count, count - 2, 1, -2)
    assert (ones.count, ones.sum, ones.prod, ones.m2) == (count, count, 1, 0)


# The hook.


def save_by_hand(folder, values: dict, **arguments) -> dict:
    """Saves tensors in one step; returns what was read back of each."""
    hook = hook_into(folder, include_collections=["weights", "default"], **arguments)
    model = nn.Linear(4, 3).cuda()
    hook.register_module(model)
    model(torch.ones(1, 4).cuda())
    for name, value in values.items():
        hook.save_tensor(name, value)
    hook.close()
    trial = create_trial(str(folder))
    return {name: trial.tensor(name) for name in values}


def test_reductions_of_tensors_saved_by_hand_stay_on_the_gpu(tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("a tensor left the GPU")

    monkeypatch.setattr(cuda.DeviceSaver, "_copy", refuse)
    monkeypatch.setattr(cuda.DeviceSaver, "_reduce", refuse)
    reductions = smd.ReductionConfig(reductions=["mean", "max"], norms=["l2"])
    values = {
        "float": torch.randn(1000, device="cuda"),
        "int": torch.arange(50, device="cuda"),
        "strided": torch.randn(40, 40, device="cuda")[:, ::2],
    }
    for dtype in FLOATS8:
        values[str(dtype)] = torch.randn(1000, device="cuda").to(dtype)
    found = save_by_hand(tmp_path / "run", values, reduction_config=reductions)
    for name, value in values.items():
        wide = value.double()
        for reduction, number in (("mean", wide.mean()), ("max", wide.max()), ("l2", wide.norm())):
            saved = found[name].reduction_value(0, reduction)
            np.testing.assert_allclose(saved, float(number), rtol=2e-6, atol=1e-6, err_msg=name)


def test_exponents_of_narrow_types_are_counted_on_the_gpu(tmp_path, monkeypatch):
    torch.manual_seed(0)
    values = {"half": (1e-5 * torch.randn(3000, device="cuda")).half()}
    for dtype in FLOATS8:
        values[str(dtype)] = torch.randn(1000, device="cuda").to(dtype)
    monkeypatch.setattr(exponents, "count", lambda *_: pytest.fail("counted on the host"))
    hook = hook_into(
        tmp_path / "run",
        include_collections=["default"],
        reduction_config=smd.ReductionConfig(reductions=["mean"]),
    )
    hook.count_exponents()
    model = nn.Linear(4, 3).cuda()
    hook.register_module(model)
    model(torch.ones(1, 4).cuda())
    for name, value in values.items():
        hook.save_tensor(name, value)
    hook.close()
    monkeypatch.undo()
    trial = create_trial(str(tmp_path / "run"))
    for name, value in values.items():
        kind = str(value.dtype).rpartition(".")[2]
        saved = trial.tensor(f"exponents/{kind}/{name}").value(0)
        np.testing.assert_array_equal(saved, exponents.count(value.cpu()).numpy())


def test_tensors_with_more_strides_than_the_kernel_takes(tmp_path):
    reductions = smd.ReductionConfig(reductions=["mean"])
    value = torch.randn([4] * 9, device="cuda")[tuple([slice(0, None, 2)] * 9)]
    found = save_by_hand(tmp_path / "run", {"strided": value}, reduction_config=reductions)
    saved = found["strided"].reduction_value(0, "mean")
    np.testing.assert_allclose(saved, float(value.double().mean()), rtol=1e-4, atol=1e-6)


def test_many_tensors_of_a_step_leave_in_one_copy(tmp_path, monkeypatch):
    shipped = []
    ship = cuda.RowBatch.ship
    monkeypatch.setattr(
        cuda.RowBatch, "ship", lambda self, side: shipped.append(len(self.rows)) or ship(self, side)
    )
    reductions = smd.ReductionConfig(reductions=["mean"])
    values = {f"t{i}": torch.full((i + 1,), float(i), device="cuda") for i in range(200)}
    found = save_by_hand(tmp_path / "run", values, reduction_config=reductions)
    assert [found[f"t{i}"].reduction_value(0, "mean") for i in range(200)] == list(range(200))
    assert shipped == [201]  # And a weight.


def test_parameters_that_change_their_type_or_shape(tmp_path):
    reductions = smd.ReductionConfig(reductions=["sum"])
    hook = hook_into(tmp_path / "run", include_collections=["weights"], reduction_config=reductions)
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)).cuda()
    hook.register_module(model)
    model.forward = lambda x: x
    sums = []
    for replace in (None, lambda t: t.half(), lambda t: t[:2].float(), lambda t: t.t()):
        if replace is not None:
            model[0].weight.data = replace(model[0].weight.data)
        sums.append(float(model[0].weight.double().sum()))
        model(torch.ones(1, 4).cuda())
    hook.close()
    tensor = create_trial(str(tmp_path / "run")).tensor("Sequential_0.weight")
    saved = [tensor.reduction_value(step, "sum") for step in range(4)]
    np.testing.assert_allclose(saved, sums, rtol=1e-3)


def test_the_first_tensor_of_a_step_that_is_not_finite(tmp_path):
    reductions = smd.ReductionConfig(reductions=["mean"])
    hook = hook_into(
        tmp_path / "run", include_collections=["weights", "biases"], reduction_config=reductions
    )
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)).cuda()
    hook.register_module(model)
    x = torch.ones(1, 4).cuda()
    model(x)
    hook.flush()
    assert hook._core.first_not_finite() is None
    with torch.no_grad():
        model[1].weight[0, 0] = float("inf")
        model[1].bias[0] = float("nan")
    model(x)
    hook.close()
    step, name, place = hook._core.first_not_finite()
    assert (step, name, place) == (1, "Sequential_1.weight", 2)


def test_the_hosts_time_counts_only_if_the_gpu_waits_for_it():
    clock = ExposedClock()
    torch.cuda.synchronize()

    def section() -> float:
        begin = clock()
        time.sleep(0.01)
        return clock() - begin

    assert section() >= 0.01
    torch.cuda._sleep(2_000_000_000)  # About a second.
    time.sleep(0.005)
    clock()
    assert section() == 0.0
    torch.cuda.synchronize()
    assert section() >= 0.01


def test_waiting_for_the_gpu_does_not_count():
    clock = ExposedClock()
    torch.cuda.synchronize()
    start = time.perf_counter()
    torch.cuda._sleep(500_000_000)
    time.sleep(0.005)
    begin = clock()
    torch.cuda.synchronize()
    counted = clock() - begin
    assert counted < 0.5 * (time.perf_counter() - start)


def test_marks_do_not_spoil_a_graph():
    clock = ExposedClock()
    value = torch.zeros(1, device="cuda")
    torch.cuda._sleep(500_000_000)
    time.sleep(0.005)
    clock()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(3):
            time.sleep(0.005)
            clock()
            value += 1
    graph.replay()
    assert value.item() == 3


def test_within_a_budget_work_for_the_gpu_is_counted(tmp_path):
    hook = hook_into(tmp_path / "run", save_all=True)
    hook.keep_within(0.5)
    train(hook, steps=20)
    assert isinstance(hook._pacer.clock, ExposedClock)
    assert hook._pacer.spent_share > 0
