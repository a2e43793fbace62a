"""What model.fit, evaluate and predict leave in a run: the values that the script itself knows."""

import time

import keras
import numpy as np
import pytest
import tensorflow as tf
from keras_training import (
    EVERYTHING,
    Witness,
    compiled,
    data,
    fit,
    gradients_by_hand,
    read,
    two_layers,
    values,
)

import smdebug.tensorflow as smd

WAYS = {"graph": {}, "eager": {"run_eagerly": True}}
XLA = {"jit_compile": True}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def test_weights_after_each_batch(make_hook, way):
    hook, witness, model = make_hook(include_collections=EVERYTHING), Witness(), compiled(**way)
    x, y = data()
    model.fit(x, y, batch_size=4, shuffle=False, verbose=0, callbacks=[hook, witness])
    trial = read(hook)
    kernels = values(trial, "hidden/weights/hidden/kernel:0")
    assert list(kernels) == [0, 1, 2]
    for step, kernel in kernels.items():
        np.testing.assert_array_equal(kernel, witness.weights[step]["sequential/hidden/kernel"])
    biases = trial.tensor_names(collection="biases")
    assert biases == ["hidden/weights/hidden/bias:0", "last/weights/last/bias:0"]


@pytest.mark.parametrize("way", [*WAYS.values(), XLA], ids=[*WAYS, "xla"])
def test_gradients_are_those_that_were_applied(make_hook, way):
    hook, witness, model = make_hook(include_collections=EVERYTHING), Witness(), compiled(**way)
    before = model.layers[0].kernel.numpy()
    x, y = data()
    by_hand = gradients_by_hand(model, x[:4], y[:4])
    model.fit(x, y, batch_size=4, shuffle=False, verbose=0, callbacks=[hook, witness])
    trial = read(hook)
    found = values(trial, "gradients/hidden/kernelGrad")
    np.testing.assert_allclose(found[0], by_hand["sequential/hidden/kernel"], rtol=1e-5, atol=1e-7)
    for step, gradient in found.items():
        after = witness.weights[step]["sequential/hidden/kernel"]
        np.testing.assert_allclose(before - 0.1 * gradient, after, rtol=1e-5, atol=1e-7)
        before = after
    assert trial.tensor_names(collection="gradients") == [
        "gradients/hidden/biasGrad",
        "gradients/hidden/kernelGrad",
        "gradients/last/biasGrad",
        "gradients/last/kernelGrad",
    ]


def test_inputs_labels_predictions_and_layers(make_hook, way):
    hook, model = make_hook(include_collections=EVERYTHING), compiled(**way)
    x, y = data()
    outputs = model(x[:4]).numpy()
    fit(model, hook)
    trial = read(hook)
    assert trial.tensor_names(collection="layers") == [
        "hidden/inputs",
        "hidden/outputs",
        "last/inputs",
        "last/outputs",
    ]
    for step, (inputs, labels) in enumerate(zip(np.split(x, 3), np.split(y, 3))):
        np.testing.assert_array_equal(trial.tensor("inputs").value(step), inputs)
        np.testing.assert_array_equal(trial.tensor("hidden/inputs").value(step), inputs)
        np.testing.assert_array_equal(trial.tensor("labels").value(step), labels)
    np.testing.assert_allclose(trial.tensor("predictions").value(0), outputs, rtol=1e-5)
    np.testing.assert_allclose(trial.tensor("last/outputs").value(0), outputs, rtol=1e-5)
    hidden = trial.tensor("hidden/outputs").value(0)
    np.testing.assert_array_equal(hidden, trial.tensor("last/inputs").value(0))
    assert (hidden >= 0).all()


def test_losses_and_metrics_are_those_of_the_logs(make_hook, way):
    hook, witness, model = make_hook(), Witness(), compiled(**way)
    x, y = data()
    model.fit(x, y, batch_size=4, shuffle=False, verbose=0, callbacks=[hook, witness])
    trial = read(hook)
    for name in ("loss", "mae"):
        saved = [value.item() for value in values(trial, name).values()]
        assert saved == [logs[name] for logs in witness.logs]
    assert trial.tensor_names(collection="losses") == ["loss"]
    assert trial.tensor_names(collection="metrics") == ["batch", "mae"]
    assert [v.item() for v in values(trial, "batch").values()] == [0, 1, 2]
    assert trial.tensor("loss").value(0).shape == (1,)


def test_training_is_the_same_with_a_hook(make_hook):
    """Steps in which nothing within is due run the very function that Keras made; others compute
    the same, but a compiler may order sums differently."""
    without = fit(compiled(), epochs=3)
    keras.utils.clear_session()
    keras.utils.set_random_seed(0)
    idle = fit(compiled(), make_hook(include_collections=["weights"]), epochs=3)
    assert without == idle
    keras.utils.clear_session()
    keras.utils.set_random_seed(0)
    every = fit(compiled(), make_hook(out_dir=idle_folder(make_hook), save_all=True), epochs=3)
    np.testing.assert_allclose(without["loss"], every["loss"], rtol=1e-5)


def idle_folder(make_hook):
    hook = make_hook()
    hook.close()
    return hook.out_dir + "-second"


def test_modes_and_their_steps(make_hook):
    hook, model = make_hook(), compiled()
    x, y = data()
    fit(model, hook, epochs=2, validation_data=(x, y), validation_batch_size=6)
    model.evaluate(x, y, verbose=0, batch_size=12, callbacks=[hook])
    model.predict(x, verbose=0, batch_size=6, callbacks=[hook])
    hook.save_scalar("at the end", 1.0)
    trial = read(hook)
    assert trial.steps(mode=smd.modes.TRAIN) == [0, 1, 2, 3, 4, 5]
    assert trial.steps(mode=smd.modes.EVAL) == [0, 1, 2, 3, 4]
    assert hook.mode_steps[smd.modes.PREDICT] == 1
    assert trial.tensor("loss").steps(mode=smd.modes.EVAL) == [0, 1, 2, 3, 4]
    assert trial.mode(3) == smd.modes.EVAL
    assert trial.mode(5) == smd.modes.TRAIN


def test_nothing_of_gradients_outside_of_training(make_hook):
    hook, model = make_hook(save_all=True), compiled()
    x, y = data()
    fit(model, hook)
    model.evaluate(x, y, verbose=0, callbacks=[hook])
    trial = read(hook)
    assert trial.tensor("gradients/hidden/kernelGrad").steps(mode=smd.modes.EVAL) == []
    assert trial.tensor("hidden/outputs").steps(mode=smd.modes.EVAL) == [0]
    assert trial.tensor("labels").steps(mode=smd.modes.EVAL) == [0]
    rates = trial.tensor("sgd/learning_rate:0")
    assert rates.steps(mode=smd.modes.EVAL) == []
    assert rates.value(0) == np.float32(0.1)


def test_metrics_of_an_epoch_are_saved_whatever_is_due(make_hook):
    hook = make_hook(save_config=smd.SaveConfig(save_interval=100, start_step=50))
    history = fit(compiled(), hook, epochs=3)
    trial = read(hook)
    losses = values(trial, "loss", smd.modes.TRAIN)
    assert list(losses) == [2, 5, 8]
    assert [loss.item() for loss in losses.values()] == history["loss"]
    assert [v.item() for v in values(trial, "batch").values()] == [0, 1, 2]


def test_metrics_of_validation_are_not_mixed_with_those_of_training(make_hook):
    hook = make_hook(save_config=smd.SaveConfig(save_interval=100, start_step=50))
    x, y = data()
    history = fit(compiled(), hook, epochs=2, validation_data=(x, y), validation_batch_size=12)
    trial = read(hook)
    assert [v.item() for v in values(trial, "loss", smd.modes.TRAIN).values()] == history["loss"]
    validated = values(trial, "val_loss", smd.modes.EVAL)
    assert [v.item() for v in validated.values()] == history["val_loss"]
    assert trial.tensor("loss").steps(mode=smd.modes.EVAL) == []
    assert "val_loss" in trial.tensor_names(collection="losses")


def test_each_collection_at_its_own_steps(make_hook):
    """Three sets of collections are due at steps of their own; each has its own function."""
    hook = make_hook(include_collections=["gradients", "layers", "weights"])
    for name, interval in (("gradients", 2), ("layers", 3), ("weights", 4), ("losses", 1)):
        config = smd.SaveConfig(save_interval=interval)
        hook.get_collection(name).save_config = config
    fit(compiled(), hook, epochs=4)
    trial = read(hook)
    assert trial.tensor("gradients/last/biasGrad").steps() == [0, 2, 4, 6, 8, 10]
    assert trial.tensor("hidden/outputs").steps() == [0, 3, 6, 9]
    assert trial.tensor("last/weights/last/kernel:0").steps() == [0, 4, 8]
    assert trial.tensor("loss").steps() == list(range(12))


def test_a_step_is_saved_when_its_seconds_are_over(make_hook):
    config = smd.SaveConfig(save_seconds=1, end_step=0)
    hook = make_hook(include_collections=["gradients"], save_config=config)
    model = compiled()
    fit(model, hook)
    time.sleep(1)
    fit(model, hook)
    steps = read(hook).tensor("gradients/last/biasGrad").steps()
    assert steps[0] == 0
    assert 3 in steps


def test_functions_are_not_made_without_end(make_hook):
    hook = make_hook()
    names = [f"mine{i}" for i in range(6)]
    for number, name in enumerate(names):
        collection = hook.get_collection(name)
        collection.include(["hidden/outputs", "gradients/hidden"][number % 2])
        collection.save_config = smd.SaveConfig(save_interval=number + 2, start_step=number)
    hook.include_collections += names
    model = compiled()
    fit(model, hook, epochs=8)
    function = model.train_function
    assert 1 < len(function._functions) <= 5
    trial = read(hook)
    expected = {s for n in (0, 2, 4) for s in range(24) if s >= n and s % (n + 2) == 0}
    assert set(trial.tensor("hidden/outputs").steps()) == expected


def test_several_batches_in_one_call(make_hook):
    """One call of Keras's function is one step, with the tensors of its last batch."""
    hook, witness = make_hook(include_collections=EVERYTHING), Witness()
    model = compiled(steps_per_execution=3)
    x, y = data()
    model.fit(x, y, batch_size=2, shuffle=False, verbose=0, callbacks=[hook, witness])
    trial = read(hook)
    assert trial.steps() == [0, 1]
    np.testing.assert_array_equal(trial.tensor("inputs").value(1), x[10:12])
    last = witness.weights[-1]["sequential/last/kernel"]
    np.testing.assert_array_equal(trial.tensor("last/weights/last/kernel:0").value(1), last)


def test_data_that_ends_when_it_ends(make_hook):
    """The batch that Keras asks for in vain is no step."""
    x, y = data()

    def rows():
        yield from ((x[i : i + 4], y[i : i + 4]) for i in range(0, 12, 4))

    shapes = (tf.TensorSpec((None, 4)), tf.TensorSpec((None, 2)))
    dataset = tf.data.Dataset.from_generator(rows, output_signature=shapes)
    hook = make_hook(include_collections=EVERYTHING)
    compiled().fit(dataset, epochs=3, verbose=0, callbacks=[hook])
    trial = read(hook)
    assert trial.steps() == list(range(9))
    np.testing.assert_array_equal(trial.tensor("inputs").value(8), x[8:])


def test_batches_by_hand(make_hook):
    hook, model = make_hook(include_collections=EVERYTHING), compiled()
    hook.register_model(model)
    x, y = data()
    losses = [model.train_on_batch(x, y, return_dict=True)["loss"] for _ in range(2)]
    model.test_on_batch(x, y)
    model.predict_on_batch(x)
    trial = read(hook)
    assert [v.item() for v in values(trial, "loss", smd.modes.TRAIN).values()] == losses
    assert trial.tensor("gradients/last/biasGrad").steps() == [0, 1]
    assert trial.tensor("predictions").steps() == [0, 1, 2, 3]


def test_a_loop_that_calls_its_callbacks_itself(make_hook):
    hook, model = make_hook(include_collections=["weights"]), two_layers()
    callbacks = keras.callbacks.CallbackList([hook], model=model)
    callbacks.on_train_begin()
    for batch in range(3):
        callbacks.on_train_batch_begin(batch)
        callbacks.on_train_batch_end(batch, {"loss": 1.0 / (batch + 1)})
    callbacks.on_train_end()
    trial = read(hook)
    assert [v.item() for v in values(trial, "loss", smd.modes.TRAIN).values()] == [1, 0.5, 1 / 3]
    assert trial.tensor("hidden/weights/hidden/kernel:0").steps() == [0, 1, 2]


def test_compiled_anew(make_hook):
    hook, model = make_hook(include_collections=EVERYTHING), compiled()
    fit(model, hook)
    compiled(model, loss="mae")
    history = fit(model, hook)
    trial = read(hook)
    assert trial.tensor("gradients/last/biasGrad").steps() == [0, 1, 2, 3, 4, 5]
    assert trial.tensor("loss").value(5).item() == history["loss"][0]


def test_a_second_hook_takes_over(make_hook, tmp_path):
    model = compiled()
    first = make_hook()
    fit(model, first)
    second = make_hook(out_dir=str(tmp_path / "second"))
    fit(model, second)
    assert read(first).steps() == [0, 1, 2]
    assert read(second).steps() == [0, 1, 2]


def test_reductions_keep_the_colon(make_hook):
    config = smd.ReductionConfig(reductions=["mean"], abs_reductions=["max"], norms=["l2"])
    hook = make_hook(include_collections=["weights"], reduction_config=config)
    model = compiled()
    fit(model, hook)
    trial = read(hook)
    tensor = trial.tensor("hidden/weights/hidden/kernel:0")
    kernel = model.layers[0].kernel.numpy()
    np.testing.assert_allclose(tensor.reduction_value(2, "mean"), kernel.mean(), rtol=1e-5)
    np.testing.assert_allclose(
        tensor.reduction_value(2, "max", abs=True), np.abs(kernel).max(), rtol=1e-6
    )


def test_the_collection_all_saves_everything(make_hook, way):
    hook = make_hook(include_collections=["all"])
    fit(compiled(**way), hook)
    trial = read(hook)
    assert set(trial.tensor_names()) >= {
        "hidden/weights/hidden/kernel:0",
        "hidden/outputs",
        "gradients/last/biasGrad",
        "inputs",
        "predictions",
        "loss",
    }
    assert trial.tensor_names(collection="weights") == [
        "hidden/weights/hidden/kernel:0",
        "last/weights/last/kernel:0",
    ]


def test_biases_are_those_of_the_model_alone(make_hook):
    hook = make_hook(include_collections=["biases", "optimizer_variables"])
    fit(compiled(optimizer="adam"), hook)
    trial = read(hook)
    moments = trial.tensor_names(collection="optimizer_variables")
    assert any("bias" in name for name in moments)
    assert trial.tensor_names(collection="biases") == [
        "hidden/weights/hidden/bias:0",
        "last/weights/last/bias:0",
    ]
