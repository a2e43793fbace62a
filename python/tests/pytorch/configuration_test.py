"""Every setting of a hook does what it says."""

import inspect
import json
import time
from typing import Any

import numpy as np
import pytest
import torch
from hook_fixtures import OPTIONS, options_of
from torch import nn
from training import batches, make_model, read, step, train

import smdebug.pytorch as smd
from smdebug import modes
from smdebug.core.hook import BaseHook
from smdebug.exceptions import (
    SMDebugError,
    SMDebugTypeError,
    SMDebugValueError,
    TensorUnavailableForStep,
)

WEIGHTS = ["Sequential_0.weight", "Sequential_2.weight"]
BIASES = ["Sequential_0.bias", "Sequential_2.bias"]
LOSS = "CrossEntropyLoss_output_0"


def tensors(hook, steps=2) -> list:
    train(hook, steps=steps)
    return sorted(read(hook).tensor_names())


# ---- What is saved.


def test_collections_are_united_with_the_default_ones(make_hook):
    hook = make_hook(include_collections=["weights", ["biases", ["gradients"]]])
    assert hook.include_collections == ["losses", "weights", "biases", "gradients"]
    gradients = [f"gradient/{name}" for name in WEIGHTS + BIASES]
    assert tensors(hook) == sorted([LOSS, *WEIGHTS, *BIASES, *gradients])


def test_one_collection_by_its_name(make_hook):
    assert tensors(make_hook(include_collections="weights")) == sorted([LOSS, *WEIGHTS])


@pytest.mark.parametrize("regex", ["bias", ["0.bias", "2.bias"]])
def test_patterns(make_hook, regex):
    hook = make_hook(include_regex=regex)
    names = tensors(hook)
    assert names == sorted([LOSS, *BIASES, *(f"gradient/{name}" for name in BIASES)])
    trial = smd.create_trial(hook.out_dir)
    assert trial.collection("default").tensor_names == set(names) - {LOSS}


EVERYTHING = {"0_output_0", "1_input_0", "Sequential_output_0", f"gradient/{BIASES[0]}", *WEIGHTS}


def test_the_collection_all_saves_everything(make_hook):
    hook = make_hook(include_collections=["all"])
    assert set(tensors(hook)) >= EVERYTHING
    trial = smd.create_trial(hook.out_dir)
    assert set(trial.tensor_names(collection="all")) >= EVERYTHING
    assert trial.tensor_names(collection="weights") == WEIGHTS


def test_the_collection_all_of_a_configuration_file(tmp_path):
    config = {
        "LocalPath": str(tmp_path / "run"),
        "CollectionConfigurations": [
            {"CollectionName": "all", "CollectionParameters": {"save_interval": "2"}}
        ],
    }
    file = tmp_path / "hook.json"
    file.write_text(json.dumps(config))
    hook = smd.Hook.create_from_json_file(file)
    assert set(tensors(hook, steps=3)) >= EVERYTHING
    assert smd.create_trial(tmp_path / "run").tensor("0_output_0").steps() == [0, 2]


def test_a_misspelled_collection_does_not_cost_the_others(make_hook, told):
    hook = make_hook(include_collections=["weight", "biases"])
    assert tensors(hook) == sorted([LOSS, *BIASES])
    (warning,) = told()
    assert "collection 'weight' has neither include_regex nor tensor names" in warning
    assert "Did you mean 'weights'?" in warning


def test_a_collection_is_filled_by_save_tensor(make_hook):
    hook = make_hook(include_collections=["mine"])
    hook.save_tensor("x", np.arange(3), "mine")
    assert tensors(hook) == sorted([LOSS, "x"])
    assert smd.create_trial(hook.out_dir).tensor_names(collection="mine") == ["x"]


@pytest.mark.parametrize("by_file", [False, True])
def test_the_collection_scalars_holds_what_save_scalar_saves(make_hook, tmp_path, by_file, told):
    if by_file:
        file = tmp_path / "hook.json"
        listed = {"CollectionName": "scalars", "CollectionParameters": {"save_interval": "1"}}
        file.write_text(
            json.dumps({"LocalPath": str(tmp_path), "CollectionConfigurations": [listed]})
        )
        hook = smd.Hook.create_from_json_file(file)
    else:
        hook = make_hook(include_collections=["scalars"])
    hook.save_scalar("lr", 0.1)
    assert tensors(hook) == sorted([LOSS, "scalar/lr"])
    assert smd.create_trial(hook.out_dir).tensor_names(collection="scalars") == ["scalar/lr"]
    assert told() == []


def test_a_scalar_may_be_a_metric_of_the_job(make_hook, tmp_path, monkeypatch):
    folder = tmp_path / "metrics"
    monkeypatch.setenv("SAGEMAKER_METRICS_DIRECTORY", str(folder))
    hook = make_hook()
    hook.set_mode(modes.EVAL)
    hook.save_scalar("accuracy", 0.5, sm_metric=True, timestamp=12.5)
    hook.save_scalar("lr", 0.1)
    hook.save_scalar("accuracy", torch.tensor(0.75), sm_metric=True)
    train(hook, steps=1)
    (file,) = folder.iterdir()
    first, second = (json.loads(line) for line in file.read_text().splitlines())
    assert first == {
        "MetricName": "scalar/accuracy_EVAL",
        "Value": 0.5,
        "Timestamp": 12.5,
        "IterationNumber": 0,
    }
    assert second["Value"] == 0.75
    assert read(hook).tensor("scalar/accuracy").steps()


def test_a_metric_that_cannot_be_reported_harms_nothing(make_hook, tmp_path, monkeypatch, told):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("SAGEMAKER_METRICS_DIRECTORY", str(blocked))
    hook = make_hook()
    hook.save_scalar("accuracy", 0.5, sm_metric=True)
    train(hook, steps=1)
    assert any("metric 'scalar/accuracy_GLOBAL' is not reported" in line for line in told())
    assert read(hook).has_tensor("scalar/accuracy")


def test_paths_need_not_be_strings(tmp_path, tmpdir):
    hook = smd.Hook(tmp_path / "a", export_tensorboard=True, tensorboard_dir=tmp_path / "board")
    assert hook.tensorboard_dir == str(tmp_path / "board")
    assert LOSS in tensors(hook)
    hook = smd.Hook(out_dir=tmpdir.join("b"))
    assert LOSS in tensors(hook)
    assert LOSS in smd.create_trial(tmpdir.join("b")).tensor_names()


def test_a_default_collection_is_turned_off_by_its_last_step(make_hook):
    hook = make_hook(include_collections=["weights"])
    hook.get_collection("losses").save_config = smd.SaveConfig(end_step=0)
    assert tensors(hook) == WEIGHTS


def test_reductions(make_hook):
    config = smd.ReductionConfig(
        reductions=["min", "mean"], abs_reductions=["max"], norms=["l2"], abs_norms=["l1"]
    )
    hook = make_hook(reduction_config=config, include_collections=["weights"])
    train(hook, steps=1)
    trial = read(hook)
    weight = trial.tensor(WEIGHTS[0])
    value = make_model()[0].weight.detach().numpy().astype(np.float64)
    with pytest.raises(TensorUnavailableForStep):
        weight.value(0)
    found = {
        ("min", False): value.min(),
        ("mean", False): value.mean(),
        ("max", True): np.abs(value).max(),
        ("l2", False): np.sqrt((value**2).sum()),
        ("l1", True): np.abs(value).sum(),
    }
    for (name, absolute), number in found.items():
        saved = weight.reduction_value(0, name, abs=absolute)
        assert saved == pytest.approx(number, rel=1e-5)
    assert len(weight.reduction_values(0)) == len(found)
    assert trial.tensor(LOSS).value(0).size == 1, "losses are always saved raw"


def test_shapes_only(make_hook):
    hook = make_hook(
        reduction_config=smd.ReductionConfig(save_shape=True), include_collections=["weights"]
    )
    train(hook, steps=1)
    weight = read(hook).tensor(WEIGHTS[0])
    assert tuple(weight.shape(0)) == (16, 8)


def test_a_collection_of_ones_own(make_hook):
    hook = make_hook(include_collections=["mine"])
    hook.add_collection(
        smd.Collection(
            "mine",
            include_regex=["relu|1_output"],
            reduction_config=smd.ReductionConfig(reductions=["max"], save_raw_tensor=True),
            save_config=smd.SaveConfig(save_interval=2),
        )
    )
    train(hook, steps=5)
    trial = read(hook)
    assert trial.tensor_names(collection="mine") == ["1_output_0"]
    assert trial.tensor("1_output_0").steps() == [0, 2, 4]
    tensor = trial.tensor("1_output_0")
    assert tensor.reduction_value(2, "max") == tensor.value(2).max()
    assert trial.tensor(LOSS).steps() == [0, 1, 2, 3, 4]


def test_inputs_and_outputs_of_a_module(make_hook):
    hook = make_hook(include_collections=["ins", "outs", "both"])
    model = make_model()
    hook.register_module(model)
    hook.get_collection("ins").add_module_tensors(model[0], inputs=True, outputs=False)
    hook.get_collection("outs").add_module_tensors(model[1])
    hook.get_collection("both").add_module_tensors(model[2], inputs=True, outputs=True)
    step(model, torch.ones(1, 8))
    trial = read(hook)
    assert sorted(trial.tensor_names()) == ["0_input_0", "1_output_0", "2_input_0", "2_output_0"]
    assert trial.collection("both").tensor_names == {"2_input_0", "2_output_0"}


def test_a_modules_name_is_no_pattern(make_hook):
    """Dots stand for themselves, and the name of one module may end as another's."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.ModuleDict({"fc": nn.Linear(2, 2)})
            self.other_a = nn.ModuleDict({"fc": nn.Linear(2, 2)})
            self.a_fc = nn.Linear(2, 2)

        def forward(self, x):
            return self.a_fc(self.other_a["fc"](self.a["fc"](x)))

    hook = make_hook(include_collections=["mine"])
    model = Net()
    hook.register_module(model)
    hook.get_collection("mine").add_module_tensors(model.a["fc"])
    step(model, torch.ones(1, 2))
    assert read(hook).tensor_names() == ["a.fc_output_0"]


def test_a_module_that_is_not_registered_is_told_of(make_hook, told):
    hook = make_hook(include_collections=["mine"])
    hook.get_collection("mine").include("0_output")
    hook.get_collection("mine").add_module_tensors(nn.Linear(2, 2))
    assert "0_output_0" in tensors(hook)
    assert any("register_module" in message for message in told())


def test_a_dry_run_saves_nothing(make_hook, tmp_path):
    hook = make_hook(dry_run=True, save_all=True)
    train(hook, steps=3)
    hook.save_scalar("lr", 0.1)
    assert hook.step == 2
    hook.close()
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    names = sorted(path.name for path in files)
    assert names == ["training_job_end.ts", "worker_0_collections.json"]


# ---- When it is saved.


@pytest.mark.parametrize(
    ("config", "steps"),
    [
        (smd.SaveConfig(save_interval=4), [0, 4, 8]),
        (smd.SaveConfig(save_interval=2, start_step=3), [4, 6, 8]),
        (smd.SaveConfig(save_interval=2, end_step=5), [0, 2, 4]),
        (smd.SaveConfig(save_interval=2, start_step=2, end_step=6), [2, 4]),
        (smd.SaveConfig(save_steps=[1, 7]), [0, 1, 7]),
        (smd.SaveConfig(save_steps=[1, 7], end_step=0), [1, 7]),
        (smd.SaveConfig(save_seconds=1_000_000, end_step=0), [0]),
        (smd.SaveConfig(save_seconds=1_000_000, save_interval=4), [0, 4, 8]),
        ({"GLOBAL": {"save_seconds": "1000000", "end_step": 0}}, [0]),
        (smd.SaveConfigMode(save_interval=5), [0, 5]),
        ({modes.GLOBAL: smd.SaveConfigMode(save_interval=3)}, [0, 3, 6, 9]),
        ({modes.GLOBAL: {"save_interval": 6}}, [0, 6]),
        ({"GLOBAL": {"save_steps": [2], "end_step": 0}}, [2]),
        (smd.SaveConfig(save_interval="5"), [0, 5]),
        (None, [0]),
    ],
)
def test_save_configurations(make_hook, config, steps):
    hook = make_hook(save_config=config)
    train(hook, steps=10)
    assert read(hook).tensor(LOSS).steps() == steps


def test_a_step_is_saved_when_its_seconds_are_over(make_hook):
    config = smd.SaveConfig(save_seconds=1, end_step=0)
    assert smd.SaveConfig.from_json(config.to_json()) == config
    assert "save_seconds=1" in repr(config)
    hook = make_hook(save_config=config)

    def pausing():
        *first, last = batches(4)
        yield from first
        time.sleep(1)
        yield last

    train(hook, data=pausing())
    steps = read(hook).tensor(LOSS).steps()
    assert steps[0] == 0
    assert steps[-1] == 3


def test_modes_left_open_are_filled_with_defaults(make_hook):
    given = {modes.TRAIN: smd.SaveConfigMode(save_interval=2)}
    hook = make_hook(save_config=given, include_collections=["weights"])
    hook.get_collection("weights").save_config = {modes.EVAL: smd.SaveConfigMode(save_interval=3)}
    model = make_model()
    hook.register_module(model)
    for mode in (modes.TRAIN, modes.EVAL):
        hook.set_mode(mode)
        for features, _ in batches(5):
            model(features)
    assert list(given) == [modes.TRAIN], "what the caller gave is left as it was"
    weight = read(hook).tensor(WEIGHTS[0])
    assert weight.steps(modes.TRAIN) == [0, 2, 4]
    assert weight.steps(modes.EVAL) == [0, 3]


def test_wrong_arguments_are_told_at_once(make_hook):
    for settings, error in [
        ({"out_dir": None}, RuntimeError),
        ({"save_config": 5}, SMDebugTypeError),
        ({"save_config": {"OTHER": {}}}, SMDebugValueError),
        ({"reduction_config": "min"}, SMDebugTypeError),
        ({"include_collections": 5}, SMDebugTypeError),
    ]:
        with pytest.raises(error):
            make_hook(**settings)
    with pytest.raises(SMDebugValueError):
        smd.SaveConfig(save_steps="1,2")
    with pytest.raises(SMDebugValueError):
        smd.SaveConfig(save_seconds="soon")
    with pytest.raises(SMDebugValueError):
        smd.ReductionConfig(reductions=["median"])
    with pytest.raises(SMDebugValueError):
        make_hook().set_mode("TRAIN")


def test_home_is_found(make_hook, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    hook = make_hook(out_dir="~/deep/run")
    assert hook.out_dir == str(tmp_path / "deep" / "run")
    train(hook, steps=1)
    assert read(hook).tensor_names() == [LOSS]


# ---- Saving by hand.


def test_scalars_are_saved_at_the_step_of_the_call(make_hook):
    hook = make_hook(save_config=smd.SaveConfig(save_interval=3))
    model = make_model()
    hook.register_module(model)
    hook.save_scalar("early", 1)
    for number in range(5):
        model(torch.ones(1, 8))
        hook.save_scalar("lr", 0.5**number)
        hook.save_scalars({"a": number, "b": torch.tensor(number)})
    hook.save_scalar("accuracy", np.float32(0.5), sm_metric=True)
    hook.save_scalar("tensor", torch.tensor([2.5], requires_grad=True))
    trial = read(hook)
    assert trial.tensor("scalar/lr").steps() == [0, 1, 2, 3, 4]
    assert [trial.tensor("scalar/lr").value(k).item() for k in range(5)] == [
        0.5**k for k in range(5)
    ]
    assert trial.tensor("scalar/b").steps() == [0, 1, 2, 3, 4]
    assert trial.tensor("scalar/early").steps() == [0]
    assert trial.tensor("scalar/accuracy").value(4) == 0.5
    assert trial.tensor("scalar/tensor").value(4) == 2.5


@pytest.mark.parametrize("wrong", ["text", [1, 2], torch.ones(2), None, 1j])
def test_scalars_must_be_numbers(make_hook, wrong):
    hook = make_hook()
    with pytest.raises(SMDebugTypeError):
        hook.save_scalar("lr", wrong)


def test_tensors_by_hand(make_hook, told):
    hook = make_hook(include_collections=["mine"], save_config=smd.SaveConfig(save_interval=2))
    hook.get_collection("mine").include("nothing")
    model = make_model()
    hook.register_module(model)
    hook.save_tensor("early", torch.ones(2), collections_to_write="mine")
    for number in range(3):
        model(torch.ones(1, 8))
        hook.save_tensor("images", torch.full((2, 2), float(number)))
        hook.save_tensor("confusion", np.eye(2), collections_to_write=["mine", "made"])
        hook.save_tensor("words", ["a", "b"], "mine")
        hook.save_tensor("odd", object())
    trial = read(hook)
    assert trial.tensor("images").steps() == [0, 2]
    assert trial.tensor("images").value(2).tolist() == [[2, 2], [2, 2]]
    assert trial.collection("default").tensor_names == {"images"}
    assert trial.collection("mine").tensor_names == {"early", "confusion", "words"}
    assert trial.collection("made").tensor_names == {"confusion"}
    assert trial.tensor("words").value(0).tolist() == ["a", "b"]
    assert trial.tensor("early").steps() == [0]
    assert not trial.has_tensor("odd")
    assert len(told()) == 1


# ---- Collections.


def test_collections_are_made_when_asked_for(make_hook):
    hook = make_hook()
    built_in = {"all", "default", "weights", "biases", "gradients", "losses"}
    assert set(hook.get_collections()) == built_in
    with pytest.raises(SMDebugError):
        hook.get_collection("mine", create=False)
    mine = hook.get_collection("mine")
    assert hook.get_collection("mine", create=False) is mine
    assert isinstance(mine, smd.Collection)
    assert set(hook.get_collections()) == {*built_in, "mine"}
    with pytest.raises(SMDebugTypeError):
        hook.add_collection("mine")
    with pytest.raises(SMDebugTypeError):
        mine.include(5)


def test_collections_know_their_tensors_after_a_step(make_hook):
    hook = make_hook(include_collections=["weights"])
    assert hook.get_collection("weights").tensor_names == set()
    train(hook, steps=1)
    assert hook.get_collection("weights").tensor_names == set(WEIGHTS)
    assert hook.get_collections()["losses"].tensor_names == {LOSS}


def test_what_scripts_read(make_hook, tmp_path):
    hook = make_hook(save_config=smd.SaveConfig(save_interval=2))
    assert hook.out_dir == str(tmp_path / "run")
    assert hook.tensorboard_dir is None
    assert (hook.step, hook.mode, hook.last_saved_step) == (-1, modes.GLOBAL, None)
    assert hook.mode_steps == {}
    assert not hook.prepared_collections
    assert hook.include_collections == ["losses"]
    assert hook.save_config.get_save_config(modes.TRAIN).save_interval == 2
    assert hook.reduction_config.save_raw_tensor
    assert (hook.save_all, hook.save_all_workers) == (False, False)
    assert (hook.worker, hook.chief_worker) == ("worker_0", "worker_0")
    assert hook.collection_manager.get("losses") is hook.get_collection("losses")
    assert "step=-1" in repr(hook)
    hook.set_mode(modes.TRAIN)
    train(hook, steps=4)
    assert (hook.step, hook.last_saved_step) == (3, 2)
    assert hook.mode_steps == {modes.TRAIN: 3, modes.GLOBAL: 3}
    assert hook.prepared_collections
    assert hook.has_registered_module and hook.has_registered_loss_module
    hook.close()
    hook.close()
    counters = hook.counters()
    assert counters["saved_steps"] == 2 and counters["failed"] == 0
    assert make_hook(out_dir=str(tmp_path / "b"), include_workers="all").save_all_workers


def test_nothing_is_saved_after_close(make_hook):
    hook = make_hook(save_all=True)
    model = make_model()
    losses = train(hook, model, steps=2)
    hook.close()
    assert losses == train(None, steps=2)
    step(model, torch.ones(1, 8))
    hook.save_scalar("late", 1)
    hook.save_tensor("late", torch.ones(1))
    hook.record_loss("late", torch.ones(()))
    assert smd.create_trial(hook.out_dir).steps() == [0, 1]


def test_a_hook_that_never_saw_a_step_marks_its_end(make_hook, tmp_path):
    make_hook().close()
    assert (tmp_path / "run" / "training_job_end.ts").exists()
    assert smd.create_trial(str(tmp_path / "run")).steps() == []


def test_the_manifest_says_what_was_configured(make_hook, tmp_path):
    hook = make_hook(include_collections=["gradients"])
    hook.get_collection("gradients").save_config = smd.SaveConfig(save_interval=7)
    train(hook, steps=1)
    hook.close()
    (path,) = (tmp_path / "run").rglob("*_collections.json")
    manifest = json.loads(path.read_text())
    gradients = manifest["collections"]["gradients"]
    assert gradients["save_config"]["TRAIN"]["save_interval"] == 7
    assert manifest["_meta"]["num_workers"] == 1


def test_the_constructor_is_the_documented_one(hook_class: Any) -> None:
    assert options_of(hook_class) == list(OPTIONS.items())


def test_the_base_takes_collections_first() -> None:
    options = {**OPTIONS, "out_dir": inspect.Parameter.empty}
    collections = ("collection_manager", inspect.Parameter.empty)
    assert options_of(BaseHook) == [collections, *options.items()]
