"""The scripts of the original's guide, as they stand there, on tiny data."""

import argparse
import json

import numpy as np
import pytest
import tensorflow.compat.v2 as tf
from tensorflow.keras.applications.resnet50 import ResNet50

import smdebug.tensorflow as smd
from tensorwarden.trials import create_trial


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


def small_model():
    return tf.keras.Sequential(
        [
            tf.keras.Input((6,)),
            tf.keras.layers.Dense(4, activation="relu"),
            tf.keras.layers.Dense(3, activation="softmax"),
        ]
    )


def small_data(count=8):
    x = np.random.default_rng(0).normal(size=(count, 6)).astype("float32")
    return x, np.eye(3, dtype="float32")[np.arange(count) % 3]


def test_hook_model_optimizer_and_fit(job):
    hook = smd.get_hook(hook_type="keras", create_if_not_exists=True)
    X_train, Y_train = small_data()
    X_valid, Y_valid = small_data(4)
    model = small_model()
    hook.register_model(model)
    optimizer = tf.keras.optimizers.Adam(0.01)
    optimizer = hook.wrap_optimizer(optimizer)
    model.compile(
        loss="categorical_crossentropy",
        optimizer=optimizer,
        metrics=["accuracy"],
        # Required for collecting tensors of each layer
        run_eagerly=True,
    )
    model.fit(
        X_train,
        Y_train,
        batch_size=4,
        epochs=2,
        validation_data=(X_valid, Y_valid),
        shuffle=True,
        callbacks=[hook],
        verbose=0,
    )
    hook.close()
    trial = create_trial(str(job))
    assert trial.tensor("dense/outputs").steps(mode=smd.modes.TRAIN) == [0, 1, 2, 3]
    assert trial.tensor_names(collection="metrics") == ["accuracy", "batch", "val_accuracy"]
    assert "gradients/dense/kernelGrad" in trial.tensor_names(collection="gradients")


def test_a_hook_by_hand_outside_of_a_job(tmp_path, monkeypatch):
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(tmp_path / "missing.json"))
    hook = smd.get_hook(hook_type="keras", create_if_not_exists=True)
    if hook is None:
        hook = smd.KerasHook(out_dir=str(tmp_path / "output"), export_tensorboard=True)
    x, y = small_data()
    model = small_model()
    model.compile("sgd", "categorical_crossentropy")
    model.fit(x, y, verbose=0, callbacks=[hook])
    hook.close()
    assert list((tmp_path / "output" / "tensorboard" / "TRAIN").glob("*.tfevents"))
    assert create_trial(str(tmp_path / "output")).tensor("loss").steps() == [0]


def test_the_training_step_under_a_tape(job):
    hook = smd.get_hook(hook_type="keras", create_if_not_exists=True)
    model = small_model()
    loss_fn = tf.keras.losses.CategoricalCrossentropy()
    optimizer = tf.keras.optimizers.Adam(0.01)
    values = []

    def training_step(model, data, labels):
        with hook.wrap_tape(tf.GradientTape()) as tape:
            pred = model(data)
            loss_value = loss_fn(labels, pred)
        grads = tape.gradient(loss_value, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        values.append(float(loss_value))
        hook.save_scalar("seen", len(values))
        hook.save_tensor("images", data)

    for _ in range(3):
        training_step(model, *small_data())
    hook.close()
    trial = create_trial(str(job))
    assert [trial.tensor("loss").value(step).item() for step in range(3)] == values
    assert len(trial.tensor_names(collection="gradients")) == 4
    assert trial.tensor("scalar/seen").value(2).item() == 3
    assert trial.tensor("images").value(1).shape == (8, 6)


def test_resnet50_in_a_container_of_ones_own(job):
    """Compiled in place of "...", eagerly for the sake of time, and trained on two pictures."""

    def train(batch_size, epoch, model, hook):
        random = np.random.default_rng(0)
        X_train = X_valid = random.normal(size=(2, 32, 32, 3)).astype("float32")
        Y_train = Y_valid = np.eye(10)[[0, 1]]
        model.compile(loss="categorical_crossentropy", optimizer="sgd", run_eagerly=True)
        model.fit(
            X_train,
            Y_train,
            batch_size=batch_size,
            epochs=epoch,
            validation_data=(X_valid, Y_valid),
            shuffle=True,
            verbose=0,
            callbacks=[hook],
        )

    def main():
        parser = argparse.ArgumentParser(description="Train resnet50 cifar10")
        parser.add_argument("--batch_size", type=int, default=2)
        parser.add_argument("--epoch", type=int, default=1)
        args = parser.parse_args([])
        model = ResNet50(weights=None, input_shape=(32, 32, 3), classes=10)
        hook = smd.KerasHook.create_from_json_file()
        train(args.batch_size, args.epoch, model, hook)

    main()
    smd.get_hook("keras").close()
    trial = create_trial(str(job))
    assert "conv1_conv/weights/conv1_conv/kernel:0" in trial.tensor_names(collection="weights")
    assert trial.tensor("gradients/conv1_conv/kernelGrad").value(0).shape == (7, 7, 3, 64)
    assert trial.tensor("conv1_relu/outputs").value(0).shape == (2, 16, 16, 64)
    assert trial.steps(mode=smd.modes.TRAIN) == [0]
