"""Trains a ReLU network to separate two rings of points; the ReLUs of its first layer are dead.

Plain Keras: the script does not use Tensorwarden.
    python examples/keras/train.py
    warden run -- python examples/keras/train.py
"""

import keras
import numpy as np

EPOCHS = 10
SAMPLES = 2000
WIDTH = 64


def rings(count: int, seed: int) -> "tuple[np.ndarray, np.ndarray]":
    """Noisy points on two rings around the origin, and the ring of each point."""
    random = np.random.default_rng(seed)
    ring = random.integers(0, 2, count)
    angle = random.uniform(0, 2 * np.pi, count)
    radius = 1.0 + ring + 0.1 * random.normal(size=count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points.astype("float32"), ring


def network() -> keras.Model:
    """The biases of the first layer keep its inputs below zero, where a ReLU has no gradient."""
    asleep = keras.initializers.Constant(-10.0)
    return keras.Sequential(
        [
            keras.Input((2,)),
            keras.layers.Dense(WIDTH, activation="relu", bias_initializer=asleep),
            keras.layers.Dense(WIDTH, activation="relu"),
            keras.layers.Dense(2),
        ]
    )


def main() -> None:
    keras.utils.set_random_seed(0)
    model = network()
    model.compile(
        optimizer=keras.optimizers.SGD(0.1),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    points, ring = rings(SAMPLES, seed=1)
    model.fit(
        points,
        ring,
        batch_size=50,
        epochs=EPOCHS,
        validation_data=rings(500, seed=2),
        verbose=2,
    )


if __name__ == "__main__":
    main()
