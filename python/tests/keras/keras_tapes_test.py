"""Training loops written by hand, under hook.wrap_tape."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from keras_training import data, gradients_by_hand, read, two_layers, values

import smdebug.tensorflow as smd

ALL = ["weights", "biases", "gradients", "layers", "inputs", "outputs", "optimizer_variables"]


def loop(hook, model, steps=3, wrap=lambda step: step, **tape_settings):
    """The losses of some steps; wrap makes a graph of one, or not."""
    optimizer = hook.wrap_optimizer(keras.optimizers.SGD(0.1, momentum=0.9))
    optimizer.build(model.trainable_variables)

    @wrap
    def step(x, y):
        with hook.wrap_tape(tf.GradientTape(**tape_settings)) as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    x, y = (tf.constant(part) for part in data())
    return [step(x, y).numpy().item() for _ in range(steps)]


@pytest.mark.parametrize("wrap", [lambda step: step, tf.function], ids=["eager", "graph"])
def test_losses_gradients_and_weights(make_hook, wrap):
    hook, model = make_hook(include_collections=ALL), two_layers()
    hook.register_model(model)
    before = model.layers[0].kernel.numpy()
    by_hand = gradients_by_hand(model, *data())
    losses = loop(hook, model, wrap=wrap)
    trial = read(hook)
    assert trial.steps(mode=smd.modes.TRAIN) == [0, 1, 2]
    assert [v.item() for v in values(trial, "loss").values()] == losses
    np.testing.assert_array_equal(trial.tensor("weights/hidden/kernel:0").value(0), before)
    np.testing.assert_allclose(
        trial.tensor("gradients/hidden/kernelGrad").value(0),
        by_hand["sequential/hidden/kernel"],
        rtol=1e-5,
        atol=1e-7,
    )
    assert trial.tensor_names(collection="weights") == [
        "weights/hidden/kernel:0",
        "weights/last/kernel:0",
    ]
    assert trial.tensor_names(collection="biases")[-2:] == [
        "weights/hidden/bias:0",
        "weights/last/bias:0",
    ]
    assert trial.tensor_names(collection="layers") == [
        "hidden/inputs",
        "hidden/outputs",
        "last/inputs",
        "last/outputs",
    ]
    np.testing.assert_array_equal(trial.tensor("inputs").value(2), data()[0])
    assert trial.tensor("sgd/learning_rate:0").value(1) == np.float32(0.1)


@pytest.mark.parametrize("wrap", [lambda step: step, tf.function], ids=["eager", "graph"])
def test_only_at_steps_that_are_due(make_hook, wrap):
    hook = make_hook(include_collections=ALL, save_config=smd.SaveConfig(save_interval=3))
    model = two_layers()
    hook.register_model(model)
    losses = loop(hook, model, steps=8, wrap=wrap)
    trial = read(hook)
    assert trial.tensor("gradients/last/biasGrad").steps() == [0, 3, 6]
    assert [v.item() for v in values(trial, "loss").values()] == losses[::3]
    assert hook.step == 7


def test_the_loop_computes_what_it_does_without(make_hook):
    class Without:
        def wrap_tape(self, tape):
            return tape

        wrap_optimizer = wrap_tape

    plain = loop(Without(), two_layers(), wrap=tf.function)
    keras.utils.clear_session()
    keras.utils.set_random_seed(0)
    hook, model = make_hook(include_collections=ALL), two_layers()
    hook.register_model(model)
    np.testing.assert_allclose(loop(hook, model, wrap=tf.function), plain, rtol=1e-6)


def test_a_model_that_is_not_registered(make_hook):
    """Names have the model's then, as nobody knows it."""
    hook = make_hook(include_collections=["gradients", "weights"])
    loop(hook, two_layers())
    trial = read(hook)
    assert "weights/sequential/hidden/kernel:0" in trial.tensor_names(collection="weights")


def test_variables_of_tensorflow_itself(make_hook):
    hook = make_hook(include_collections=["gradients", "weights"])
    variable = tf.Variable([1.0, 2.0], name="plain")
    for _ in range(2):
        with hook.wrap_tape(tf.GradientTape()) as tape:
            loss = tf.reduce_sum(variable * variable)
        variable.assign_sub(0.1 * tape.gradient(loss, variable))
    trial = read(hook)
    np.testing.assert_array_equal(trial.tensor("weights/plain:0").value(0), [1, 2])
    np.testing.assert_array_equal(trial.tensor("gradients/plainGrad").value(0), [2, 4])


def test_a_persistent_tape(make_hook):
    hook = make_hook(include_collections=["gradients"])
    a, b = tf.Variable(2.0, name="a"), tf.Variable(3.0, name="b")
    with hook.wrap_tape(tf.GradientTape(persistent=True)) as tape:
        first, second = a * a, b * b
    assert tape.gradient(first, a).numpy() == 4
    assert tape.gradient(second, [b])[0].numpy() == 6
    trial = read(hook)
    assert trial.steps() == [0]
    assert trial.tensor("loss").value(0).item() == 4
    assert trial.tensor("loss_1").value(0).item() == 9
    assert trial.tensor("gradients/bGrad").value(0) == 6


def test_gradients_of_the_same_variable_twice(make_hook):
    """Names are unique within a step: the second gradient is numbered."""
    hook = make_hook(include_collections=["gradients", "weights"])
    a = tf.Variable(2.0, name="a")
    with hook.wrap_tape(tf.GradientTape(persistent=True)) as tape:
        first, second = a * a, 3 * a
    tape.gradient(first, a)
    tape.gradient(second, a)
    trial = read(hook)
    assert trial.tensor("gradients/aGrad").value(0) == 4
    assert trial.tensor("gradients/aGrad_1").value(0) == 3
    assert trial.tensor_names(collection="weights") == ["weights/a:0"]


@pytest.mark.parametrize("wrap", [lambda step: step, tf.function], ids=["eager", "graph"])
def test_sparse_gradients(make_hook, wrap):
    """Those of rows that were looked up are saved in full."""
    hook = make_hook(include_collections=["gradients"])
    table = tf.Variable(tf.ones((4, 2)), name="table")

    @wrap
    def step():
        with hook.wrap_tape(tf.GradientTape()) as tape:
            loss = tf.reduce_sum(tf.gather(table, [1, 1, 3]))
        return tape.gradient(loss, table).values

    step()
    expected = [[0, 0], [2, 2], [0, 0], [1, 1]]
    np.testing.assert_array_equal(read(hook).tensor("gradients/tableGrad").value(0), expected)


def test_a_tape_within_a_tape(make_hook):
    """A gradient of a gradient is one step, and still right."""
    hook = make_hook(include_collections=["gradients"])
    x = tf.Variable(3.0, name="x")
    with hook.wrap_tape(tf.GradientTape()) as outer:
        with hook.wrap_tape(tf.GradientTape()) as inner:
            y = x * x * x
        slope = inner.gradient(y, x)
    assert outer.gradient(slope, x).numpy() == 18
    trial = read(hook)
    assert trial.steps() == [0]
    assert trial.tensor("gradients/xGrad").value(0) == 18


def test_a_tape_in_a_step_of_fit(make_hook):
    """It belongs to the step of fit; gradients are those that the optimizer gets."""
    hook = make_hook(include_collections=["gradients"])

    class Model(keras.Model):
        def __init__(self):
            super().__init__(name="mine")
            self.dense = keras.layers.Dense(2, name="dense")

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with hook.wrap_tape(tf.GradientTape()) as tape:
                loss = tf.reduce_mean(tf.square(self(x) - y))
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply(gradients, self.trainable_variables)
            return {"loss": loss}

    model = Model()
    model.compile("sgd")
    x, y = data()
    model.fit(x, y, batch_size=4, verbose=0, callbacks=[hook])
    trial = read(hook)
    assert trial.steps() == [0, 1, 2]
    assert trial.tensor("gradients/dense/kernelGrad").steps() == [0, 1, 2]


def test_xla_is_told_once_and_trains_on(make_hook, told):
    hook, model = make_hook(include_collections=ALL), two_layers()
    losses = loop(hook, model, wrap=tf.function(jit_compile=True))
    assert losses[-1] < losses[0]
    (line,) = told()
    assert "a custom training loop cannot be captured" in line
    assert "jit_compile" in line
    assert hook.step == -1


def test_an_error_of_the_script_is_its_own(make_hook):
    hook = make_hook()
    with pytest.raises(ZeroDivisionError), hook.wrap_tape(tf.GradientTape()):
        raise ZeroDivisionError
    losses = loop(hook, two_layers())
    assert [v.item() for v in values(read(hook), "loss").values()] == losses


def test_inputs_and_outputs_by_hand(make_hook):
    hook = make_hook(include_collections=["inputs", "outputs"])
    x = tf.constant([[1.0, 2.0]])
    with hook.wrap_tape(tf.GradientTape()) as tape:
        tape.watch(x)
        outputs = 2 * x
    hook.save_tape_logs(model_inputs=x, outputs=outputs)
    hook.record_tensor_value("my_loss", tf.constant(4.0))
    hook.record_tensor_value("accuracy", 0.5)
    trial = read(hook)
    np.testing.assert_array_equal(trial.tensor("predictions").value(0), [[2, 4]])
    assert trial.tensor_names(collection="inputs") == ["inputs"]
    assert trial.tensor("my_loss").value(0).item() == 4
    assert trial.tensor_names(collection="metrics") == ["accuracy"]


def test_what_is_no_tape_is_refused(make_hook):
    with pytest.raises(Exception, match="expected a tf.GradientTape"):
        make_hook().wrap_tape("tape")
