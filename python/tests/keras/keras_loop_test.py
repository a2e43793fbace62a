"""What is observed of a Keras training in an unchanged script."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import smdebug.tensorflow as smd

SCRIPT = """
import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
x = rng.normal(size=(96, 4)).astype("float32")
y = (x[:, 0] > 0).astype("int64")
encoder = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, name="enc")], name="encoder")
model = keras.Sequential([encoder, keras.layers.Dense(3, name="head")])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(keras.optimizers.Adam(0.01), loss, metrics=["accuracy"])
model.fit(x, y, batch_size=8, verbose=0)
"""


def observed(folder: Path, *edits: str) -> Any:
    """The run of the script after edits: the old text, then the new one, and so on."""
    text = SCRIPT
    for old, new in zip(edits[::2], edits[1::2]):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "train.py").write_text(text)
    command = [sys.executable, "-m", "tensorwarden", "--out", "run", "train.py"]
    subprocess.run(command, cwd=folder, timeout=300, check=True)
    return smd.create_trial(str(folder / "run"))


def numbers(trial: Any, name: str) -> List[float]:
    if f"training/{name}" not in trial.tensor_names():
        return []
    tensor = trial.tensor(f"training/{name}")
    return [float(tensor.value(step)[0]) for step in tensor.steps()]


def facts(trial: Any) -> Dict[str, Any]:
    tensor = trial.tensor("training/facts")
    return json.loads(bytes(tensor.value(tensor.steps()[-1])))


def test_a_healthy_training(tmp_path):
    trial = observed(tmp_path)
    assert numbers(trial, "optimizer_step") == list(range(1, 13))
    assert set(numbers(trial, "optimizers_created")) == {1}
    assert abs(numbers(trial, "learning_rate")[0] - 0.01) < 1e-6
    assert 0 < numbers(trial, "update_ratio")[0] < 0.5
    assert set(numbers(trial, "loss_gets_logits")) == {0}
    assert 0 not in numbers(trial, "input_deviation")
    assert 0.5 <= numbers(trial, "label_share")[0] < 0.7
    known = facts(trial)
    assert known["framework"] == "keras"
    assert known["frozen"] == {}
    assert ["enc/kernel", "Dense", 2] in known["parameters"]


def test_layers_that_are_frozen_before_they_were_trained(tmp_path):
    trial = observed(tmp_path, "loss = keras", "encoder.trainable = False\nloss = keras")
    assert facts(trial)["frozen"] == {"enc/kernel": "initial", "enc/bias": "initial"}


def test_layers_that_were_trained_or_loaded_may_be_frozen(tmp_path):
    again = (
        "verbose=0)\nencoder.trainable = False\nmodel.compile(keras.optimizers.Adam(0.01), loss)\n"
        "model.fit(x, y, batch_size=8, verbose=0)"
    )
    trial = observed(tmp_path, "verbose=0)", again)
    assert set(facts(trial)["frozen"].values()) == {"trained"}
    assert numbers(trial, "optimizers_created") == [1, 2]
    loaded = "encoder.set_weights(encoder.get_weights())\nencoder.trainable = False\nloss = keras"
    other = tmp_path / "other"
    other.mkdir()
    assert set(facts(observed(other, "loss = keras", loaded))["frozen"].values()) == {"loaded"}


def test_a_softmax_before_a_loss_with_its_own(tmp_path):
    trial = observed(
        tmp_path,
        'name="head")',
        'name="head", activation="softmax")',
        "keras.losses.SparseCategoricalCrossentropy(from_logits=True)",
        "lambda t, p: tf.nn.sparse_softmax_cross_entropy_with_logits("
        "tf.cast(tf.reshape(t, [-1]), tf.int32), p)",
    )
    assert set(numbers(trial, "loss_input_is_probability")) == {1}
    assert facts(trial)["loss_line"] == "train.py:12"


def test_a_loss_that_expects_probabilities(tmp_path):
    trial = observed(tmp_path, "(from_logits=True)", "()")
    assert set(numbers(trial, "loss_gets_logits")) == {1}


def test_data_that_is_not_finite(tmp_path):
    trial = observed(tmp_path, "encoder = ", "x[3, 1] = np.nan\nencoder = ")
    assert facts(trial)["data_not_finite"] == 1


def test_a_loop_of_the_script(tmp_path):
    loop = """optimizer = keras.optimizers.Adam(0.01)
@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        value = loss(y, model(x))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
for i in range(12):
    step(x, y)
"""
    trial = observed(tmp_path, "model.fit(x, y, batch_size=8, verbose=0)\n", loop)
    assert numbers(trial, "optimizer_step")[-1] == 12
    assert abs(numbers(trial, "learning_rate")[0] - 0.01) < 1e-6
    assert numbers(trial, "update_ratio")
