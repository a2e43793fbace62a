"""The scripts of the original's guide, as they stand there, on tiny data."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import tensorflow.compat.v2 as tf

import smdebug.tensorflow as smd
from tensorwarden.trials import create_trial

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/guide"))
from manifest import code  # noqa: E402

# TensorFlow writes for TensorBoard only where that is installed.
TENSORBOARD = str(ROOT / "build/venv/lib/python3.11/site-packages")


def run(names, *examples, **values):
    """Runs examples one after the other, with shared names."""
    for example in examples:
        exec(compile(code(example, **values), example, "exec"), names)


@pytest.fixture
def job(tmp_path, monkeypatch):
    """As a training job finds it: a configuration file, and what it asks for."""
    config = tmp_path / "debughookconfig.json"
    config.write_text(
        json.dumps(
            {
                "LocalPath": str(tmp_path / "tensors"),
                "HookParameters": {"save_interval": "1"},
                "CollectionConfigurations": [
                    {"CollectionName": "weights"},
                    {"CollectionName": "gradients"},
                    {"CollectionName": "layers"},
                ],
            }
        )
    )
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(config))
    return tmp_path / "tensors"


def small_layers():
    inputs = tf.keras.Input((6,))
    hidden = tf.keras.layers.Dense(4, activation="relu")(inputs)
    return inputs, tf.keras.layers.Dense(3, activation="softmax")(hidden)


def small_model():
    return tf.keras.Model(*small_layers())


def small_data(count=8):
    x = np.random.default_rng(0).normal(size=(count, 6)).astype("float32")
    return x, np.eye(3, dtype="float32")[np.arange(count) % 3]


def test_hook_model_optimizer_and_fit(job, tmp_path):
    inputs, outputs = small_layers()
    X_train, Y_train = small_data()
    X_valid, Y_valid = small_data(4)
    names = {"tf": tf, "inputs": inputs, "outputs": outputs, "batch_size": 4, "epoch": 2}
    names |= {"X_train": X_train, "Y_train": Y_train, "X_valid": X_valid, "Y_valid": Y_valid}
    run(names, "p678-1", "p679-1", "p679-2", "p680-1", "p680-2")
    names["hook"].close()
    trial = create_trial(str(job))
    assert trial.tensor("dense/outputs").steps(mode=smd.modes.TRAIN) == [0, 1, 2, 3]
    assert trial.tensor_names(collection="metrics") == ["accuracy", "batch", "val_accuracy"]
    assert "gradients/dense/kernelGrad" in trial.tensor_names(collection="gradients")


def test_a_hook_by_hand_outside_of_a_job(tmp_path, monkeypatch):
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(tmp_path / "missing.json"))
    names = {"tf": tf}
    run(names, "p678-2", **{"@FOLDER@": str(tmp_path / "output")})
    run(names, "p638-2", **{"@FOLDER@": str(tmp_path / "board")})
    monkeypatch.setattr(sys, "path", [*sys.path, TENSORBOARD])
    x, y = small_data()
    model = small_model()
    model.compile("sgd", "categorical_crossentropy")
    model.fit(x, y, verbose=0, callbacks=[names["hook"], names["tensorboard_callback"]])
    names["hook"].close()
    assert list((tmp_path / "board" / "train").glob("*.tfevents*"))
    assert list((tmp_path / "output" / "tensorboard" / "TRAIN").glob("*.tfevents"))
    assert create_trial(str(tmp_path / "output")).tensor("loss").steps() == [0]


def test_the_training_step_under_a_tape(job):
    names = {"tf": tf, "loss_fn": tf.keras.losses.CategoricalCrossentropy()}
    names["optimizer"] = tf.keras.optimizers.Adam(0.01)
    names["data"], names["labels"] = data, labels = small_data()
    run(names, "p678-1", "p680-3")
    hook, model, values = names["hook"], small_model(), []
    for step in range(3):
        values.append(float(names["loss_fn"](labels, model(data))))
        names["training_step"](model, data)
        hook.save_scalar("seen", step + 1)
        hook.save_tensor("images", data)
    hook.close()
    trial = create_trial(str(job))
    assert [trial.tensor("loss").value(s).item() for s in range(3)] == pytest.approx(values)
    assert len(trial.tensor_names(collection="gradients")) == 4
    assert trial.tensor("scalar/seen").value(2).item() == 3
    assert trial.tensor("images").value(1).shape == (8, 6)


def test_resnet50_in_a_container_of_ones_own(job, monkeypatch):
    """Compiled eagerly for the sake of time, and trained on two pictures."""
    monkeypatch.setattr(sys, "argv", ["your-training-script.py"])
    pictures = np.random.default_rng(0).normal(size=(2, 32, 32, 3)).astype("float32")
    labels = np.eye(10)[[0, 1]]
    names = {"X_train": pictures, "Y_train": labels, "X_valid": pictures, "Y_valid": labels}
    run(names | {"__name__": "__main__", "argparse": argparse}, "p797-1")
    smd.get_hook("keras").close()
    trial = create_trial(str(job))
    assert "conv1_conv/weights/conv1_conv/kernel:0" in trial.tensor_names(collection="weights")
    assert trial.tensor("gradients/conv1_conv/kernelGrad").value(0).shape == (7, 7, 3, 64)
    assert trial.tensor("conv1_relu/outputs").value(0).shape == (2, 16, 16, 64)
    assert trial.steps(mode=smd.modes.TRAIN) == [0]
