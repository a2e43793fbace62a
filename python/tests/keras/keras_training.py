"""Small trainings for the tests of the Keras hook, and how to look at what came of them."""

from typing import Any, Dict, List, Tuple

import keras
import numpy as np
import tensorflow as tf

import smdebug.tensorflow as smd
from tensorwarden.trials import create_trial

# The order of sums must not depend on what else the machine does.
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
# Two devices, for trainings on two replicas.
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)

EVERYTHING = ["weights", "biases", "gradients", "layers", "inputs", "outputs"]


def data(count: int = 12, features: int = 4, outputs: int = 2) -> Tuple[np.ndarray, np.ndarray]:
    """The same whenever it is asked for."""
    random = np.random.default_rng(1)
    x = random.normal(size=(count, features)).astype("float32")
    return x, (x[:, :outputs] * 0.5).astype("float32")


def two_layers() -> Any:
    """One hidden layer with an activation, and one without."""
    return keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(3, activation="relu", name="hidden"),
            keras.layers.Dense(2, name="last"),
        ]
    )


def compiled(model: Any = None, **settings: Any) -> Any:
    """With plain gradient descent, of which each step can be computed by hand."""
    model = two_layers() if model is None else model
    chosen = {"optimizer": keras.optimizers.SGD(0.1), "loss": "mse", "metrics": ["mae"]}
    chosen.update(settings)
    model.compile(**chosen)
    return model


def fit(model: Any, hook: Any = None, batch_size: int = 4, **settings: Any) -> Any:
    """Three batches, in the order of the data; the history."""
    x, y = data()
    chosen: Dict[str, Any] = {"shuffle": False, "verbose": 0, "batch_size": batch_size}
    chosen.update(settings)
    callbacks = [] if hook is None else [hook]
    return model.fit(x, y, callbacks=callbacks, **chosen).history


class Witness(keras.callbacks.Callback):
    """What the script itself can know: the variables after each batch of training."""

    def __init__(self) -> None:
        super().__init__()
        self.weights: List[Dict[str, np.ndarray]] = []
        self.logs: List[Dict[str, float]] = []

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.weights.append({v.path: v.numpy() for v in self.model.weights})
        self.logs.append(dict(logs or {}))


def read(hook: smd.KerasHook) -> Any:
    """Closes the hook; its run."""
    hook.close()
    return create_trial(hook.out_dir)


def values(trial: Any, name: str, mode: Any = smd.modes.GLOBAL) -> Dict[int, np.ndarray]:
    """The values of a tensor by step."""
    tensor = trial.tensor(name)
    return {step: tensor.value(step, mode=mode) for step in tensor.steps(mode=mode)}


def gradients_by_hand(model: Any, x: np.ndarray, y: np.ndarray) -> Dict[str, np.ndarray]:
    """Of the mean squared error, by the variables' paths."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    found = tape.gradient(loss, model.trainable_variables)
    return {v.path: g.numpy() for v, g in zip(model.trainable_variables, found)}
