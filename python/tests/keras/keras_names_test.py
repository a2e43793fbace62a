"""The original's names, and how hooks are made and found."""

import json

import keras
import pytest
from keras_training import compiled, data, fit, read

import smdebug.tensorflow as smd
from smdebug.exceptions import SMDebugError, SMDebugTypeError, SMDebugValueError


def test_what_can_be_imported():
    from smdebug.tensorflow.collection import CollectionManager
    from smdebug.tensorflow.keras import KerasHook
    from smdebug.tensorflow.session import SessionHook
    from smdebug.tensorflow.singleton_utils import get_hook

    assert KerasHook is smd.KerasHook
    assert SessionHook is smd.SessionHook
    assert get_hook is smd.get_hook
    for name in (
        "all default weights biases gradients losses metrics inputs outputs layers "
        "sm_metrics optimizer_variables"
    ).split():
        assert name in CollectionManager().get_collections()


def test_it_is_a_callback(make_hook):
    assert isinstance(make_hook(), keras.callbacks.Callback)


def test_sessions_are_refused_by_name():
    for kind in (smd.SessionHook, smd.EstimatorHook):
        with pytest.raises(SMDebugError, match="use KerasHook"):
            kind("somewhere")
        with pytest.raises(SMDebugError, match="sessions or estimators"):
            kind.create_from_json_file()


def test_an_out_dir_is_needed():
    with pytest.raises(RuntimeError, match="out_dir"):
        smd.KerasHook()


def test_get_hook(make_hook, tmp_path, monkeypatch):
    assert smd.get_hook() is None
    with pytest.raises(ValueError, match="hook_type is missing; expected one of: keras"):
        smd.get_hook(create_if_not_exists=True)
    with pytest.raises(ValueError, match="'torch'; expected one of: keras"):
        smd.get_hook("torch")
    missing = str(tmp_path / "none.json")
    assert smd.get_hook("keras", json_config_path=missing, create_if_not_exists=True) is None
    hook = make_hook()
    assert smd.get_hook() is smd.get_hook("keras") is hook
    monkeypatch.setenv("USE_SMDEBUG", "false")
    assert smd.get_hook("keras") is None
    assert smd.get_hook() is None
    monkeypatch.delenv("USE_SMDEBUG")
    smd.del_hook()
    assert smd.get_hook("keras") is None
    smd.set_hook(hook)
    assert smd.get_hook() is hook
    with pytest.raises(SMDebugTypeError):
        smd.set_hook("hook")


def test_from_a_configuration_file(tmp_path, monkeypatch):
    """Built-in collections that it configures keep what the adapter knows of them."""
    config = tmp_path / "hook.json"
    config.write_text(
        json.dumps(
            {
                "LocalPath": str(tmp_path / "run"),
                "HookParameters": {"save_interval": "2", "eval.save_interval": 1},
                "CollectionConfigurations": [
                    {"CollectionName": "gradients"},
                    {"CollectionName": "weights", "CollectionParameters": {"save_interval": 3}},
                    {
                        "CollectionName": "mine",
                        "CollectionParameters": {"include_regex": "hidden/outputs"},
                    },
                ],
            }
        )
    )
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(config))
    hook = smd.get_hook(hook_type="keras", create_if_not_exists=True)
    x, y = data()
    fit(compiled(), hook, epochs=2, validation_data=(x, y))
    trial = read(hook)
    train, evaluated = smd.modes.TRAIN, smd.modes.EVAL
    assert trial.tensor("gradients/hidden/kernelGrad").steps(mode=train) == [0, 2, 4]
    assert trial.tensor("hidden/weights/hidden/kernel:0").steps(mode=train) == [0, 3]
    assert trial.tensor_names(collection="mine") == ["hidden/outputs"]
    assert len(trial.tensor("hidden/outputs").steps(mode=evaluated)) == 6


def test_wrong_arguments_raise(make_hook):
    hook = make_hook()
    with pytest.raises(SMDebugError, match="model is str; expected a keras.Model"):
        hook.register_model("model")
    with pytest.raises(SMDebugTypeError, match="cannot add 5"):
        hook.get_collection("mine").add(5)
    with pytest.raises(SMDebugTypeError, match="expected a Keras layer"):
        hook.get_collection("mine").add_keras_layer(5)
    with pytest.raises(SMDebugValueError, match="expected one of"):
        hook.set_mode("TRAIN")


def test_tensors_and_scalars_by_hand(make_hook):
    import tensorflow as tf

    hook = make_hook()

    class Saver(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            hook.save_scalar("rate", 0.5 + batch)
            hook.save_tensor("image", tf.constant([[1.0, batch]]), ["pictures"])
            hook.save_tensor("variable", self.model.layers[0].kernel)

    x, y = data()
    compiled().fit(x, y, batch_size=4, verbose=0, callbacks=[hook, Saver()])
    trial = read(hook)
    assert trial.tensor("scalar/rate").value(2).item() == 2.5
    assert trial.tensor("image").value(1).tolist() == [[1.0, 1.0]]
    assert trial.tensor_names(collection="pictures") == ["image"]
    assert trial.tensor("variable").value(2).shape == (4, 3)


def test_by_hand_within_a_graph(make_hook):
    """They are saved whenever the graph runs, not when it is traced."""
    import tensorflow as tf

    hook = make_hook()

    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(2)

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            logs = super().train_step(data)
            hook.save_scalar("sum", tf.reduce_sum(data[0]))
            hook.save_tensor("first", data[0][:1])
            return logs

    x, _ = data()
    fit(compiled(Model()), hook)
    trial = read(hook)
    for step in range(3):
        batch = x[4 * step : 4 * step + 4]
        assert trial.tensor("scalar/sum").value(step).item() == pytest.approx(batch.sum(), 1e-4)
        assert (trial.tensor("first").value(step) == batch[:1]).all()


def test_ranks(make_hook, monkeypatch):
    cluster = {"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}
    hook = make_hook()
    assert (hook.worker, hook._get_num_workers()) == ("worker_0", 1)
    monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
    assert (hook.worker, hook._get_num_workers()) == ("worker_1", 2)
    for nonsense in ("", "{", "[]", '{"cluster": 3}', '{"cluster": {}, "task": null}'):
        monkeypatch.setenv("TF_CONFIG", nonsense)
        assert hook.worker == "worker_0"
