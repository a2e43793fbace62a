"""The original library reads what our hook saves of trainings with Keras: the names and values that
the training itself knew."""

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build/venv-tensorflow/bin/python"

# Tells every value that it saw, by name, mode and step of the mode, to the last bit.
TRAIN = """
import json, sys
import keras
import numpy as np
import tensorflow as tf
import smdebug.tensorflow as smd

keras.utils.set_random_seed(0)
seen = {}

def see(name, mode, step, value):
    array = np.asarray(value)
    seen.setdefault(name, {}).setdefault(mode, {})[step] = [array.dtype.str, list(array.shape),
                                                            array.tobytes().hex()]

class Witness(keras.callbacks.Callback):
    steps = {"TRAIN": -1, "EVAL": -1}

    def see(self, mode, logs):
        self.steps[mode] += 1
        step = self.steps[mode]
        for layer in self.model.layers:
            for variable in layer.weights:
                name = f"{layer.name}/weights/{layer.name}/{variable.name}:0"
                see(name, mode, step, variable.numpy())
        for key, value in logs.items():
            see(key, mode, step, np.array([value], np.float64))

    def on_train_batch_end(self, batch, logs=None):
        self.see("TRAIN", logs)

    def on_test_batch_end(self, batch, logs=None):
        self.see("EVAL", logs)

    def on_epoch_end(self, epoch, logs=None):
        for key, value in logs.items():
            if key.startswith("val_"):
                see(key, "EVAL", self.steps["EVAL"], np.array([value], np.float64))

folder = sys.argv[1]
x = np.random.default_rng(0).normal(size=(12, 4)).astype("float32")
y = np.arange(12) % 3
hidden = keras.layers.Dense(5, activation="relu", name="hidden")
model = keras.Sequential([keras.Input((4,)), hidden, keras.layers.Dense(3, name="last")])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile("adam", loss, metrics=["accuracy"])
config = smd.SaveConfig(save_interval=1)
hook = smd.KerasHook(f"{folder}/fit", save_config=config, save_all=True)
model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0, callbacks=[hook, Witness()],
          validation_data=(x, y), validation_batch_size=6)
hook.close()
for step in range(6):
    batch = slice(4 * (step % 3), 4 * (step % 3) + 4)
    see("inputs", "TRAIN", step, x[batch])
fit = seen

seen = {}
variable = tf.Variable([1.0, -2.0], name="w")
hook = smd.KerasHook(f"{folder}/tape", save_config=config, save_all=True)
for step in range(3):
    see("weights/w:0", "TRAIN", step, variable.numpy())
    with hook.wrap_tape(tf.GradientTape()) as tape:
        loss = tf.reduce_sum(variable ** 3)
    gradient = tape.gradient(loss, variable)
    see("gradients/wGrad", "TRAIN", step, gradient.numpy())
    see("loss", "TRAIN", step, np.array([float(loss)]))
    variable.assign_sub(0.01 * gradient)
hook.close()
print(json.dumps({"fit": fit, "tape": seen}))
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keras")
    command = [str(PYTHON), "-c", TRAIN, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def read(trained, run_original):
    """What the original says of both runs."""
    folder, _ = trained
    found = {}
    for name in ("fit", "tape"):
        done = run_original("read_keras_with_original.py", folder / name)
        found[name] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("run", ["fit", "tape"])
def test_values_are_those_that_the_script_knew(trained, read, run):
    expected = trained[1][run]
    assert expected
    for name, modes in expected.items():
        for mode, steps in modes.items():
            for step, value in steps.items():
                assert read[run]["values"][name][mode][step] == value, (name, mode, step)


def test_names_and_collections(read):
    collections = read["fit"]["collections"]
    kernels = [f"{name}/weights/{name}/kernel:0" for name in ("hidden", "last")]
    assert collections["weights"] == kernels
    assert collections["gradients"] == [
        f"gradients/{name}Grad"
        for name in ("hidden/bias", "hidden/kernel", "last/bias", "last/kernel")
    ]
    assert collections["losses"] == ["loss", "val_loss"]
    assert collections["metrics"] == ["accuracy", "batch", "val_accuracy"]
    assert collections["layers"] == [
        f"{name}/{way}" for name in ("hidden", "last") for way in ("inputs", "outputs")
    ]
    assert collections["inputs"] == ["inputs"]
    assert collections["outputs"] == ["labels", "predictions"]
    assert any(
        name.endswith("hidden_kernel_momentum:0") for name in collections["optimizer_variables"]
    )
    assert read["tape"]["collections"]["weights"] == ["weights/w:0"]


def test_steps_of_each_mode(read):
    values = read["fit"]["values"]
    assert sorted(values["loss"]["TRAIN"], key=int) == list("012345")
    assert sorted(values["loss"]["EVAL"], key=int) == list("0123")
    assert set(values["gradients/last/biasGrad"]) == {"TRAIN"}
