"""Models of all shapes, precisions and places."""

from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf
from hook_fixtures import OPTIONS, options_of
from keras_training import EVERYTHING, Witness, compiled, data, fit, read, two_layers, values

import smdebug.tensorflow as smd


@pytest.fixture(params=[False, True], ids=["graph", "eager"])
def eagerly(request):
    return {"run_eagerly": request.param}


class Block(keras.layers.Layer):
    def __init__(self, **settings):
        super().__init__(**settings)
        self.inner = keras.layers.Dense(3, name="inner")

    def call(self, x):
        return keras.ops.tanh(self.inner(x))


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__(name="mine")
        self.blocks = [Block(name="first"), Block(name="second")]
        self.scale = self.add_weight(shape=(), initializer="ones", name="scale")
        self.head = keras.layers.Dense(2, name="head")

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.scale * self.head(x)


def test_subclassed(make_hook, eagerly):
    hook = make_hook(save_all=True)
    fit(compiled(Subclassed(), **eagerly), hook)
    trial = read(hook)
    weights = trial.tensor_names(collection="weights")
    assert weights == [
        "first/weights/first/inner/kernel:0",
        "head/weights/head/kernel:0",
        "mine/weights/scale:0",
        "second/weights/second/inner/kernel:0",
    ]
    assert trial.tensor("first/inner/outputs").steps() == [0, 1, 2]
    np.testing.assert_allclose(
        np.tanh(trial.tensor("first/inner/outputs").value(1)),
        trial.tensor("second/inputs").value(1),
        rtol=1e-5,
    )
    assert trial.tensor("gradients/scaleGrad").value(0).shape == ()


def test_nested_and_functional(make_hook, eagerly):
    """A model within a model, used twice: the second use is numbered."""
    inner = keras.Sequential([keras.layers.Dense(3, activation="relu", name="in")], name="tower")
    a, b = keras.Input((4,), name="a"), keras.Input((4,), name="b")
    joined = keras.layers.Concatenate(name="join")([inner(a), inner(b)])
    model = keras.Model([a, b], [keras.layers.Dense(2, name="x")(joined), joined], name="whole")
    compiled(model, loss=["mse", None], metrics=None, **eagerly)
    hook = make_hook(save_all=True)
    x, y = data()
    model.fit(
        [x, 2 * x], [y, np.zeros((12, 6))], batch_size=4, shuffle=False, verbose=0, callbacks=[hook]
    )
    trial = read(hook)
    layers = trial.tensor_names(collection="layers")
    for name in ("tower/outputs", "tower/outputs_1", "tower/in/inputs", "tower/in/inputs_1"):
        assert name in layers
    np.testing.assert_array_equal(trial.tensor("inputs_1").value(0), 2 * x[:4])
    np.testing.assert_array_equal(trial.tensor("tower/in/inputs_1").value(2), 2 * x[8:])
    np.testing.assert_array_equal(
        trial.tensor("join/inputs_0").value(0), trial.tensor("tower/outputs").value(0)
    )
    assert trial.tensor("predictions_1").value(0).shape == (4, 6)
    assert "tower/weights/tower/in/kernel:0" in trial.tensor_names(collection="weights")


def test_several_losses(make_hook):
    source = keras.Input((4,))
    outputs = {name: keras.layers.Dense(2, name=name)(source) for name in ("left", "right")}
    model = compiled(
        keras.Model(source, outputs), loss={"left": "mse", "right": "mae"}, metrics=None
    )
    x, y = data()
    hook = make_hook()
    logs = model.fit(x, {"left": y, "right": y}, verbose=0, callbacks=[hook]).history
    trial = read(hook)
    assert trial.tensor_names(collection="losses") == ["left_loss", "loss", "right_loss"]
    assert trial.tensor("right_loss").value(0).item() == logs["right_loss"][0]


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_mixed_precision(make_hook, policy, eagerly):
    """Gradients are saved as they are applied: not multiplied by the scale of the loss."""
    keras.config.set_dtype_policy(policy)
    try:
        model = compiled(metrics=None, **eagerly)
        before = model.layers[0].kernel.numpy()
        hook, witness = make_hook(include_collections=EVERYTHING), Witness()
        x, y = data()
        model.fit(x, y, batch_size=12, verbose=0, callbacks=[hook, witness])
    finally:
        keras.config.set_dtype_policy("float32")
    trial = read(hook)
    gradient = trial.tensor("gradients/hidden/kernelGrad").value(0)
    after = witness.weights[0]["sequential/hidden/kernel"]
    np.testing.assert_allclose(before - 0.1 * gradient, after, rtol=1e-4, atol=1e-5)
    assert np.abs(gradient).max() > 1e-4
    assert trial.tensor("hidden/outputs").value(0).shape == (12, 3)
    assert hidden_dtype(policy) == trial.tensor("hidden/outputs").value(0).dtype


def hidden_dtype(policy):
    """Other readers know no bfloat16: it is saved as float32, without loss."""
    return np.float32 if policy == "mixed_bfloat16" else np.float16


class Adversaries(keras.Model):
    """Two optimizers, and a step of its own."""

    def __init__(self):
        super().__init__(name="pair")
        self.one = keras.layers.Dense(2, name="one")
        self.two = keras.layers.Dense(2, name="two")
        self.fast, self.slow = keras.optimizers.SGD(0.1), keras.optimizers.Adam(0.01)

    def call(self, x):
        return self.one(x) + self.two(x)

    def train_step(self, data):
        x, y = data
        for layer, optimizer in ((self.one, self.fast), (self.two, self.slow)):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self(x) - y))
            variables = layer.trainable_variables
            optimizer.apply(tape.gradient(loss, variables), variables)
        return {"loss": loss, "parts": tf.stack([loss, loss])}


def test_a_step_of_ones_own_with_two_optimizers(make_hook, eagerly):
    model = Adversaries()
    model.compile(**eagerly)
    hook = make_hook(save_all=True)
    x, y = data()
    model.fit(x, y, batch_size=6, verbose=0, callbacks=[hook])
    trial = read(hook)
    assert trial.tensor_names(collection="gradients") == [
        f"gradients/{name}Grad" for name in ("one/bias", "one/kernel", "two/bias", "two/kernel")
    ]
    assert trial.tensor("predictions_1").steps() == [0, 1]
    assert trial.tensor("parts").value(0).shape == (2,)


def test_frozen_layers_and_statistics(make_hook, eagerly):
    """Frozen weights are saved, they have no gradients; moving averages are no weights."""
    model = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(3, name="frozen", trainable=False),
            keras.layers.BatchNormalization(name="norm"),
            keras.layers.Dropout(0.5, name="drop"),
            keras.layers.Dense(2, name="last"),
        ]
    )
    hook = make_hook(save_all=True)
    fit(compiled(model, **eagerly), hook)
    trial = read(hook)
    assert trial.tensor_names(collection="weights") == [
        "frozen/weights/frozen/kernel:0",
        "last/weights/last/kernel:0",
        "norm/weights/norm/beta:0",
        "norm/weights/norm/gamma:0",
    ]
    assert "gradients/frozen/kernelGrad" not in trial.tensor_names()


def test_text_embeddings_and_recurrence(make_hook, eagerly):
    """Indices, sparse gradients, and layers that run a loop inside."""
    model = keras.Sequential(
        [
            keras.Input((5,), dtype="int32"),
            keras.layers.Embedding(7, 3, name="words", mask_zero=True),
            keras.layers.Bidirectional(keras.layers.LSTM(2, name="memory"), name="both"),
            keras.layers.Dense(1, activation="sigmoid", name="last"),
        ]
    )
    hook = make_hook(save_all=True, include_collections=["sigmoid_input", "input_sequence"])
    words = np.arange(60).reshape(12, 5) % 7
    compiled(model, loss="binary_crossentropy", metrics=None, **eagerly)
    model.fit(
        words, np.arange(12)[:, None] % 2, verbose=0, batch_size=4, shuffle=False, callbacks=[hook]
    )
    trial = read(hook)
    assert trial.tensor("gradients/words/embeddingsGrad").value(0).shape == (7, 3)
    np.testing.assert_array_equal(trial.tensor("words/inputs").value(0), words[:4])
    assert trial.tensor_names(collection="input_sequence") == ["words/inputs"]
    assert trial.tensor_names(collection="sigmoid_input") == ["last/activation_inputs"]
    logits = trial.tensor("last/activation_inputs").value(1)
    np.testing.assert_allclose(
        1 / (1 + np.exp(-logits)), trial.tensor("predictions").value(1), rtol=1e-5
    )
    assert trial.tensor("both/outputs").value(0).shape == (4, 4)


def test_roles_for_rules(make_hook):
    hook = make_hook(include_collections=["relu_output", "predictions", "labels", "first_input"])
    fit(compiled(), hook)
    trial = read(hook)
    assert trial.tensor_names(collection="relu_output") == ["hidden/outputs"]
    assert trial.tensor_names(collection="labels") == ["labels"]
    assert trial.tensor_names(collection="predictions") == ["predictions"]
    assert trial.tensor_names(collection="first_input") == ["inputs"]


def test_a_model_that_was_saved_and_loaded(make_hook, tmp_path):
    hook, model = make_hook(include_collections=EVERYTHING), compiled()
    fit(model, hook)
    path = tmp_path / "model.keras"
    model.save(path)
    loaded = keras.models.load_model(path)
    fit(loaded, hook)
    loaded.export(tmp_path / "exported", verbose=False)
    trial = read(hook)
    assert trial.tensor("gradients/hidden/kernelGrad").steps() == [0, 1, 2, 3, 4, 5]


def test_models_are_let_go(make_hook):
    """A hook that sees many models does not keep them."""
    import gc
    import weakref

    hook = make_hook(save_all=True)
    gone = []
    for _ in range(3):
        model = compiled(two_layers())
        fit(model, hook)
        gone.append(weakref.ref(model))
        del model
    hook.set_model(two_layers())
    keras.utils.clear_session()
    gc.collect()
    assert sum(reference() is None for reference in gone) >= 2


def test_layers_and_variables_added_to_a_collection(make_hook):
    hook, model = make_hook(), compiled()
    mine = hook.get_collection("mine")
    mine.add_keras_layer(model.layers[0], inputs=True, outputs=True)
    mine.add([model.layers[1].kernel])
    mine.add_for_mode(model.layers[1].bias, smd.modes.TRAIN)
    hook.include_collections.append("mine")
    fit(model, hook)
    trial = read(hook)
    assert trial.tensor_names(collection="mine") == [
        "hidden/inputs",
        "hidden/outputs",
        "last/weights/last/bias:0",
        "last/weights/last/kernel:0",
    ]


def test_two_replicas(make_hook):
    """Gradients are the sums that are applied; other tensors are the first replica's."""
    devices = tf.config.list_logical_devices("CPU")
    strategy = tf.distribute.MirroredStrategy([device.name for device in devices[:2]])
    assert strategy.num_replicas_in_sync == 2
    with strategy.scope():
        model = compiled(metrics=None)
    before = model.layers[0].kernel.numpy()
    hook, witness = make_hook(save_all=True), Witness()
    x, y = data()
    model.fit(x, y, batch_size=6, shuffle=False, verbose=0, callbacks=[hook, witness])
    trial = read(hook)
    assert trial.workers() == ["worker_0"]
    for step, gradient in values(trial, "gradients/hidden/kernelGrad").items():
        after = witness.weights[step]["sequential/hidden/kernel"]
        np.testing.assert_allclose(before - 0.1 * gradient, after, rtol=1e-4, atol=1e-6)
        before = after
    np.testing.assert_array_equal(trial.tensor("inputs").value(0), x[:3])
    assert trial.tensor("loss").steps() == [0, 1]


def test_what_is_out_of_reach_is_told_by_name(make_hook, told):
    """A compiled step cannot hand out what a loop within it computes, an eager one can."""

    class Looping(keras.layers.Layer):
        def __init__(self):
            super().__init__(name="loop")
            self.dense = keras.layers.Dense(4, name="inside")
            self.dense.build((None, 4))

        def call(self, x):
            return tf.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, self.dense(y)), (0, x))[1]

    for eagerly, out_of_reach in ((False, True), (True, False)):
        model = keras.Sequential([keras.Input((4,)), Looping(), keras.layers.Dense(2)])
        hook = make_hook(out_dir=f"{make_hook().out_dir}{eagerly}", include_collections=["layers"])
        fit(compiled(model, run_eagerly=eagerly), hook)
        trial = read(hook)
        assert ("loop/inside/outputs" not in trial.tensor_names()) == out_of_reach
        assert trial.tensor("loop/outputs").steps() == [0, 1, 2]
        assert bool([line for line in told() if "'loop/inside/outputs'" in line]) == out_of_reach


def test_the_constructor_is_the_documented_one(hook_class: Any) -> None:
    assert options_of(hook_class) == list(OPTIONS.items())
