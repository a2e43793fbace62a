"""`warden run` on scripts that train with Keras and know nothing of it."""

import os
import subprocess
from pathlib import Path

from launched import Run

ROOT = Path(__file__).resolve().parents[2]
PYTHON = str(ROOT / "build/venv-tensorflow/bin/python")
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3"}

HEAD = """
import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.default_rng(0).normal(size=(24, 4)).astype("float32")
y = (x[:, :2] * 0.5).astype("float32")
hidden = keras.layers.Dense(3, activation="relu", name="hidden")
model = keras.Sequential([keras.Input((4,)), hidden, keras.layers.Dense(2, name="last")])
"""
FIT = """
class Mine(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(float(logs["loss"]).hex())

model.compile(keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
model.fit(x, y, 4, 2, 0, Mine(), shuffle=False, validation_data=(x, y))
print(model.evaluate(x, y, verbose=0)[0] < 1, model.predict(x, verbose=0).shape)
"""
LOOP = """
import tensorflow as tf
optimizer = keras.optimizers.SGD(0.1)

@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss

for _ in range(4):
    print(float(step(x, y)).hex())
"""
OWN_HOOK = """
import shutil
import smdebug.tensorflow as smd
shutil.rmtree("own", ignore_errors=True)
hook = smd.KerasHook("own", save_config=smd.SaveConfig(save_interval=1))
model.compile("sgd", "mse")
model.fit(x, y, verbose=0, callbacks=[hook])
hook.close()
print(sorted(smd.create_trial("own").tensor_names()))
"""
NO_TRAINING = """
model.compile("sgd", "mse")
print(len(model.predict(x, verbose=0)))
"""
OPTIONS = ("--save-interval", "2", "--collections", "losses,weights,gradients")


def run(folder: Path, script: str, options=OPTIONS) -> Run:
    return Run(folder, HEAD + script, options=options, before=(PYTHON,), **QUIET)


def ours(done: Run) -> list:
    """The lines that only the watched run has on standard error."""
    return [line for line in done.errors.splitlines() if line.startswith("tensorwarden:")]


def test_fit_is_captured(tmp_path):
    done = run(tmp_path, FIT)
    assert ours(done) == []
    tensors = done.tensors()
    assert {
        "loss",
        "val_loss",
        "hidden/weights/hidden/kernel:0",
        "gradients/last/kernelGrad",
    } <= set(tensors)
    assert done.steps("gradients/last/kernelGrad") == {"TRAIN": 6}
    assert done.steps("hidden/weights/hidden/kernel:0")["TRAIN"] == 6
    # What the script printed of its epochs is among the losses that were saved.
    printed = [line for line in done.done.stdout.decode().splitlines() if line.startswith("0x")]
    assert set(printed) <= set(done.values("loss"))


def test_a_loop_by_hand_is_captured(tmp_path):
    done = run(
        tmp_path, LOOP, options=("--save-interval", "1", "--collections", "losses,gradients")
    )
    assert ours(done) == []
    assert done.steps("gradients/sequential/hidden/kernelGrad") == {"TRAIN": 4}
    assert done.values("loss") == done.done.stdout.decode().split()


def test_a_hook_of_the_script_takes_our_place(tmp_path):
    done = run(tmp_path, OWN_HOOK)
    assert ours(done) == []
    assert b"'loss'" in done.done.stdout
    assert not (tmp_path / "run" / "events").exists()


def test_nothing_is_made_where_nothing_is_trained(tmp_path):
    done = run(tmp_path, NO_TRAINING)
    assert ours(done) == []
    assert not (tmp_path / "run" / "events").exists()


def test_the_example(tmp_path):
    example = ROOT / "examples/keras/train.py"
    warden = str(Path(os.environ.get("WARDEN", ROOT / "build/bin/warden")).absolute())
    command = [warden, "run", "--out", "run", "--", PYTHON, str(example)]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    evaluated = subprocess.run(
        [warden, "eval", "run", "--rules", "VanishingGradient"], cwd=tmp_path, capture_output=True
    )
    assert evaluated.returncode == 3, evaluated.stdout
