"""What is exported to TensorBoard, as TensorBoard reads it."""

import numpy as np
import pytest
import torch
from training import batches, make_model

import smdebug.pytorch as smd
from smdebug import modes

event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
event_multiplexer = pytest.importorskip("tensorboard.backend.event_processing.event_multiplexer")


def run(hook, steps=5):
    model = make_model()
    criterion = torch.nn.CrossEntropyLoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    losses = {}
    for mode in (modes.TRAIN, modes.EVAL):
        hook.set_mode(mode)
        for number, (features, target) in enumerate(batches(steps)):
            loss = criterion(model(features), target)
            if mode == modes.TRAIN:
                loss.backward()
            hook.save_scalar("number", number)
            losses.setdefault(mode, []).append(loss.item())
    hook.close()
    return losses


def runs_in(folder) -> dict:
    """What TensorBoard finds below a folder, by run."""
    multiplexer = event_multiplexer.EventMultiplexer(
        size_guidance={event_accumulator.HISTOGRAMS: 0, event_accumulator.SCALARS: 0}
    )
    multiplexer.AddRunsFromDirectory(str(folder))
    multiplexer.Reload()
    return {name: multiplexer.GetAccumulator(name) for name in multiplexer.Runs()}


def find(runs: dict, mode: str):
    (accumulator,) = (a for name, a in runs.items() if mode in name)
    return accumulator


def test_scalars_and_histograms_of_each_mode(make_hook, tmp_path):
    hook = make_hook(
        export_tensorboard=True,
        include_collections=["weights", "gradients"],
        save_config=smd.SaveConfig(save_interval=2),
    )
    assert hook.tensorboard_dir == str(tmp_path / "run" / "tensorboard")
    losses = run(hook)
    runs = runs_in(tmp_path / "run" / "tensorboard")
    train = find(runs, "TRAIN")
    scalars = train.Tags()["scalars"]
    loss_tag = next(tag for tag in scalars if "CrossEntropyLoss_output_0" in tag)
    events = train.Scalars(loss_tag)
    # Steps in TensorBoard are global ones.
    assert [event.step for event in events] == [0, 2, 4]
    assert [event.value for event in events] == pytest.approx(losses[modes.TRAIN][::2])
    number_tag = next(tag for tag in scalars if "number" in tag)
    assert [event.value for event in train.Scalars(number_tag)] == [0, 1, 2, 3, 4]
    tags = train.Tags()["histograms"]
    weight = next(tag for tag in tags if "Sequential_0.weight" in tag and "gradient" not in tag)
    assert any("gradient/Sequential_0.weight" in tag for tag in tags)
    histograms = train.Histograms(weight)
    assert [event.step for event in histograms] == [0, 2, 4]
    values = make_model()[0].weight.detach().numpy()
    first = histograms[0].histogram_value
    assert first.num == values.size
    assert first.min == pytest.approx(values.min()) and first.max == pytest.approx(values.max())
    assert first.sum == pytest.approx(values.sum(), abs=1e-4)
    assert sum(first.bucket) == values.size
    evaluated = find(runs, "EVAL")
    assert [event.step for event in evaluated.Scalars(loss_tag)] == [5, 7, 9]
    assert not any("gradient" in tag for tag in evaluated.Tags()["histograms"])


def test_distributions(make_hook, tmp_path):
    run(make_hook(export_tensorboard=True, include_collections=["weights"]))
    train = find(runs_in(tmp_path / "run" / "tensorboard"), "TRAIN")
    tag = next(t for t in train.Tags()["distributions"] if "Sequential_0.weight" in t)
    distributions = train.CompressedHistograms(tag)
    assert [event.step for event in distributions] == [0, 1, 2, 3, 4]
    points = [value for _, value in distributions[0].compressed_histogram_values]
    assert points == sorted(points)
    values = make_model()[0].weight.detach().numpy()
    assert points[len(points) // 2] == pytest.approx(np.median(values), abs=0.1)


def test_a_folder_of_its_own(make_hook, tmp_path):
    hook = make_hook(tensorboard_dir=str(tmp_path / "board"))
    assert hook.tensorboard_dir == str(tmp_path / "board")
    run(hook)
    assert find(runs_in(tmp_path / "board"), "TRAIN").Tags()["scalars"]
    assert not (tmp_path / "run" / "tensorboard").exists()


def test_nothing_without_being_asked(make_hook, tmp_path):
    run(make_hook())
    assert not (tmp_path / "run" / "tensorboard").exists()
    assert runs_in(tmp_path) == {} or all(
        not a.Tags()["scalars"] for a in runs_in(tmp_path).values()
    )


def test_histograms_can_be_left_out(make_hook, tmp_path):
    hook = make_hook(export_tensorboard=True, include_collections=["weights", "biases"])
    hook.get_collection("weights").save_histogram = False
    run(hook)
    tags = find(runs_in(tmp_path / "run" / "tensorboard"), "TRAIN").Tags()["histograms"]
    assert any("bias" in tag for tag in tags)
    assert not any("weight" in tag for tag in tags)


def test_a_folder_that_cannot_be_written_costs_only_the_pictures(make_hook, tmp_path, told):
    (tmp_path / "file").touch()
    hook = make_hook(
        tensorboard_dir=str(tmp_path / "file" / "board"), include_collections=["weights"]
    )
    run(hook)
    trial = smd.create_trial(hook.out_dir)
    assert trial.tensor("Sequential_0.weight").steps() == list(range(10))
    (message,) = told()
    assert "TensorBoard" in message
