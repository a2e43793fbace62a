"""Whatever goes wrong in capture, the training goes on as if there were none."""

import copy
import os
import pickle
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf
from keras_training import EVERYTHING, compiled, data, fit, read

import smdebug.tensorflow as smd
from tensorwarden.adapters.keras import collector, names, step_function


@pytest.fixture(scope="module")
def expected():
    """The losses of a training without a hook."""
    keras.utils.set_random_seed(0)
    return fit(compiled(), epochs=2)["loss"]


def trained(hook, expected, **settings):
    """Trains with the hook, which must not be noticed."""
    losses = fit(compiled(**settings), hook, epochs=2)["loss"]
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


def test_a_path_that_is_a_file(make_hook, tmp_path, told, expected):
    (tmp_path / "file").write_text("")
    hook = make_hook(out_dir=str(tmp_path / "file" / "run"), save_all=True)
    trained(hook, expected)
    assert hook.disabled
    assert [line for line in told() if "file" in line]


def test_a_folder_that_goes_away(make_hook, tmp_path, told, expected):
    """As when the disk is full: nothing can be written from the second step on."""
    hook = make_hook(save_all=True)

    class Destroyer(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            run = Path(hook.out_dir)
            if batch == 0 and run.is_dir():
                hook.flush()
                run.rename(tmp_path / "gone")
                run.write_text("in the way")

    x, y = data()
    model = compiled()
    history = model.fit(
        x, y, batch_size=4, shuffle=False, verbose=0, epochs=2, callbacks=[hook, Destroyer()]
    ).history
    np.testing.assert_allclose(history["loss"], expected, rtol=1e-5)
    hook.close()
    assert told()


def test_a_folder_that_holds_a_finished_run(make_hook, told, expected):
    make_hook().close()
    hook = make_hook(save_all=True)
    assert hook.disabled
    trained(hook, expected)
    assert "already contains a finished run" in told()[0]


@pytest.mark.parametrize("eagerly", [False, True])
@pytest.mark.parametrize(
    "place, name",
    [
        (collector.Collector, "_see_layer"),
        (collector.Collector, "add_gradients"),
        (collector.Collector, "_keep"),
        (step_function, "_labels"),
        (names, "gradient_name"),
    ],
)
def test_failures_within_a_step(make_hook, monkeypatch, told, expected, place, name, eagerly):
    def broken(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(place, name, broken)
    if place is names:
        monkeypatch.setattr(collector, name, broken)
    hook = make_hook(include_collections=EVERYTHING)
    trained(hook, expected, run_eagerly=eagerly)
    assert [line for line in told() if "no room" in line]
    assert hook.disabled


@pytest.mark.parametrize("name", ["_save_metrics", "_save_named", "_save_variables", "matches"])
def test_failures_of_saving(make_hook, monkeypatch, told, expected, name):
    hook = make_hook(include_collections=EVERYTHING)

    def broken(*_, **__):
        raise OSError("no disk")

    monkeypatch.setattr(hook, name, broken)
    trained(hook, expected)
    assert [line for line in told() if "no disk" in line]
    assert hook.disabled


@pytest.mark.parametrize("name", ["begin_step", "save", "save_tensor"])
def test_failures_of_the_core(make_hook, told, expected, name):
    class Broken:
        def __init__(self, core):
            self._core = core

        def __getattr__(self, attribute):
            if attribute == name:
                raise RuntimeError(f"{name} is broken")
            return getattr(self._core, attribute)

    hook = make_hook(include_collections=EVERYTHING)
    model = compiled()
    hook.register_model(model)
    hook._prepare()
    hook._raw_core = Broken(hook._raw_core)
    np.testing.assert_allclose(fit(model, hook, epochs=2)["loss"], expected, rtol=1e-5)
    assert [line for line in told() if "is broken" in line]


def test_a_function_that_cannot_be_traced_twice(make_hook, told):
    """The script's own step runs as Keras compiled it; what is in it is told to be out of reach."""

    class Once(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(2)

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            if vars(self).get("train_step") is not None:
                raise NotImplementedError("not a second time")
            return super().train_step(data)

    model = Once()
    hook = make_hook(include_collections=EVERYTHING)
    fit(compiled(model), hook)
    trial = read(hook)
    assert [line for line in told() if "not a second time" in line and "once" in line]
    assert trial.tensor("loss").steps() == [0, 1, 2]
    assert trial.tensor_names(collection="gradients") == []


def test_an_error_of_the_script_is_its_own(make_hook):
    class Wrong(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(2)

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            raise ZeroDivisionError("mine")

    for eagerly in (False, True):
        model = compiled(Wrong(), run_eagerly=eagerly)
        with pytest.raises(ZeroDivisionError, match="mine"):
            fit(model, make_hook(out_dir=f"{make_hook().out_dir}-{eagerly}", save_all=True))


def test_strange_tensors(make_hook, told):
    """Text, truth values, sparse and ragged ones, no rows at all: each is saved or told of."""
    words = keras.Input((1,), dtype="string")
    lookup = keras.layers.StringLookup(vocabulary=["a", "b"], output_mode="int", name="lookup")
    outputs = keras.layers.Embedding(4, 2, name="words")(lookup(words))
    model = keras.Model(words, keras.layers.Flatten()(outputs))
    compiled(model, metrics=None)
    hook = make_hook(save_all=True)
    text = tf.constant([["a"], ["b"], ["c"]])
    model.fit(text, np.zeros((3, 2)), verbose=0, callbacks=[hook])
    trial = read(hook)
    assert trial.tensor("lookup/outputs").value(0).tolist() == [[1], [2], [0]]
    assert [line for line in told() if "'inputs' is not saved" in line]
    assert not hook.counters()["failed"]


def test_losses_that_are_no_numbers(make_hook, expected):
    hook = make_hook(save_all=True)
    model = compiled()
    x, y = data()
    model.fit(np.full_like(x, np.nan), y, verbose=0, batch_size=4, callbacks=[hook])
    trial = read(hook)
    assert np.isnan(trial.tensor("loss").value(0)).all()
    assert np.isnan(trial.tensor("gradients/last/kernelGrad").value(2)).all()


def test_a_hook_that_is_closed_while_training(make_hook, expected):
    hook = make_hook(save_all=True)

    class Closer(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            hook.close()

    x, y = data()
    model = compiled()
    history = model.fit(
        x, y, batch_size=4, shuffle=False, verbose=0, epochs=2, callbacks=[hook, Closer()]
    ).history
    np.testing.assert_allclose(history["loss"], expected, rtol=1e-5)
    assert smd.create_trial(hook.out_dir).steps() == [0]


def test_copies_do_nothing(make_hook, expected):
    hook = make_hook(save_all=True)
    assert copy.deepcopy(hook) is hook
    twin = pickle.loads(pickle.dumps(hook))
    assert twin.disabled
    trained(hook, expected)


def test_a_forked_child_writes_nothing(make_hook):
    hook, model = make_hook(), compiled()
    fit(model, hook)
    child = os.fork()
    if child == 0:
        hook.save_scalar("of the child", 1.0)
        hook.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert "scalar/of the child" not in read(hook).tensor_names()


def test_a_collection_that_can_hold_nothing(make_hook, told, expected):
    hook = make_hook(include_collections=["mine"])
    trained(hook, expected)
    assert [line for line in told() if "mine" in line]


def test_strictly(make_hook, monkeypatch):
    """For tests of one's own: failures are raised."""
    monkeypatch.setenv("TENSORWARDEN_STRICT", "1")
    hook = make_hook(include_collections=EVERYTHING)
    monkeypatch.setattr(hook, "_save_metrics", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fit(compiled(), hook)
