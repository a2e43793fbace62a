"""Hooks made from a configuration file, and the one hook of a process."""

import json

import pytest
from training import read, train

import smdebug.pytorch as smd
from smdebug import modes
from smdebug.exceptions import SMDebugTypeError, SMDebugValueError

LOSS = "CrossEntropyLoss_output_0"


@pytest.fixture
def write(tmp_path):
    """Writes a configuration file; its path."""

    def write(config, name="hook.json"):
        path = tmp_path / name
        path.write_text(config if isinstance(config, str) else json.dumps(config))
        return str(path)

    return write


@pytest.fixture
def config(tmp_path):
    return {
        "S3OutputPath": "s3://bucket/prefix",
        "LocalPath": str(tmp_path / "run"),
        "HookParameters": {"save_interval": "3", "train.save_interval": "2", "unknown": "ignored"},
        "CollectionConfigurations": [
            {"CollectionName": "weights", "CollectionParameters": {"train.save_interval": "4"}},
            {"CollectionName": "biases"},
            {
                "CollectionName": "mine",
                "CollectionParameters": {"include_regex": "1_output, 2_output", "start_step": 2},
            },
        ],
    }


def test_everything_in_the_file_counts(write, config):
    hook = smd.Hook.create_from_json_file(write(config))
    assert isinstance(hook, smd.Hook)
    hook.set_mode(modes.TRAIN)
    train(hook, steps=9)
    trial = read(hook)
    assert trial.tensor(LOSS).steps(modes.TRAIN) == [0, 2, 4, 6, 8]
    assert trial.tensor("Sequential_0.weight").steps() == [0, 4, 8]
    assert trial.tensor("Sequential_0.bias").steps() == [0, 2, 4, 6, 8]
    assert trial.tensor_names(collection="mine") == ["1_output_0", "2_output_0"]
    assert trial.tensor("1_output_0").steps() == [2, 4, 6, 8]


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ({"save_all": "true"}, 19),
        ({"include_regex": "bias"}, 5),
        ({"dry_run": "true"}, 0),
        ({"dry_run": True}, 0),
        ({"save_all": False}, 1),
        (None, 1),
    ],
)
def test_hook_parameters(write, config, parameters, names):
    config = {"LocalPath": config["LocalPath"], "HookParameters": parameters}
    hook = smd.Hook.create_from_json_file(write(config))
    train(hook, steps=1)
    assert len(read(hook).tensor_names()) == names


@pytest.mark.parametrize("flag", [True, "True", "true", 1])
def test_reductions_in_the_file(write, config, flag):
    config["HookParameters"] = {"reductions": "min,abs_max,l2_norm", "save_raw_tensor": flag}
    config["CollectionConfigurations"] = [
        {"CollectionName": "weights"},
        {"CollectionName": "biases", "CollectionParameters": {"reductions": "mean"}},
    ]
    hook = smd.Hook.create_from_json_file(write(config))
    train(hook, steps=1)
    trial = read(hook)
    weight = trial.tensor("Sequential_0.weight")
    assert set(weight.reduction_values(0)) == {("min", False), ("max", True), ("l2", False)}
    assert weight.value(0).shape == (16, 8)
    assert set(trial.tensor("Sequential_0.bias").reduction_values(0)) == {("mean", False)}


def test_where_the_file_is(write, config, monkeypatch, tmp_path):
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", write(config))
    assert smd.Hook.create_from_json_file().out_dir == config["LocalPath"]
    other = {"LocalPath": str(tmp_path / "other")}
    assert smd.Hook.create_from_json_file(write(other, "b.json")).out_dir == other["LocalPath"]


def test_no_file(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError):
        smd.Hook.create_from_json_file(str(tmp_path / "none.json"))
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(tmp_path / "none.json"))
    with pytest.raises(FileNotFoundError):
        smd.Hook.create_from_json_file()
    assert smd.get_hook(create_if_not_exists=True) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"HookParameters": {"save_interval": "often"}}, ["save_interval", "often"]),
        ({"HookParameters": {"save_interval": "0"}}, ["save_interval"]),
        ({"HookParameters": {"reductions": "median"}}, ["median"]),
        ({"HookParameters": {"save_all": "perhaps"}}, ["save_all", "perhaps"]),
        ({"HookParameters": {"save_steps": "1,x"}}, ["save_steps"]),
        ({"HookParameters": []}, ["HookParameters"]),
        ({"CollectionConfigurations": [{}]}, ["CollectionName"]),
        ({"CollectionConfigurations": [{"CollectionName": 5}]}, ["CollectionName"]),
        ({"LocalPath": 5}, ["LocalPath"]),
    ],
)
def test_wrong_values_are_named(write, config, change, words):
    path = write({**config, **change})
    with pytest.raises((SMDebugValueError, SMDebugTypeError)) as caught:
        smd.Hook.create_from_json_file(path)
    for word in words:
        assert word in str(caught.value)
    assert smd.get_hook() is None, "no half-made hook is left behind"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\xff"])
def test_files_that_are_none(write, text):
    path = write(text)
    with pytest.raises((SMDebugValueError, SMDebugTypeError)) as caught:
        smd.Hook.create_from_json_file(path)
    assert "hook.json" in str(caught.value)


# ---- The one hook of a process.


def test_get_hook(write, config, monkeypatch):
    assert smd.get_hook() is None
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", write(config))
    assert smd.get_hook() is None
    hook = smd.get_hook(create_if_not_exists=True)
    assert hook.out_dir == config["LocalPath"]
    assert smd.get_hook() is smd.get_hook(create_if_not_exists=True) is hook
    # A path is not looked at when there is a hook.
    assert smd.get_hook("none.json", create_if_not_exists=True) is hook
    smd.del_hook()
    assert smd.get_hook() is None
    assert not hook.disabled
    other = smd.get_hook(write({"LocalPath": config["LocalPath"] + "2"}, "b.json"), True)
    assert other.out_dir.endswith("run2")
    smd.set_hook(hook)
    assert smd.get_hook() is hook
    with pytest.raises(SMDebugTypeError):
        smd.set_hook("hook")


def test_a_new_hook_is_the_processs(make_hook, tmp_path):
    first = make_hook()
    assert smd.get_hook() is first
    second = make_hook(out_dir=str(tmp_path / "second"))
    assert smd.get_hook() is second


@pytest.mark.parametrize("value", ["false", "False", "0"])
def test_use_smdebug(make_hook, write, config, monkeypatch, value):
    make_hook()
    monkeypatch.setenv("USE_SMDEBUG", value)
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", write(config))
    assert smd.get_hook(create_if_not_exists=True) is None
    monkeypatch.setenv("USE_SMDEBUG", "true")
    assert smd.get_hook() is not None


def test_hooks_of_other_frameworks_are_not_given(make_hook):
    from tensorwarden.collection_manager import CollectionManager
    from tensorwarden.hook import BaseHook

    make_hook()
    smd.set_hook(BaseHook(CollectionManager(), "/nowhere"))
    assert smd.get_hook() is None
