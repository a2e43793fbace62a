"""Trains a network of ReLUs to tell two rings of points apart; its first layer never wakes up.

Plain Keras: nothing in here knows that it may be watched.
    python examples/keras/train.py
    warden run -- python examples/keras/train.py
"""

import keras
import numpy as np

EPOCHS = 10
SAMPLES = 2000
WIDTH = 64


def rings(count: int, seed: int) -> "tuple[np.ndarray, np.ndarray]":
    """Points on two rings around the origin, with noise, and which ring each is on."""
    random = np.random.default_rng(seed)
    ring = random.integers(0, 2, count)
    angle = random.uniform(0, 2 * np.pi, count)
    radius = 1.0 + ring + 0.1 * random.normal(size=count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points.astype("float32"), ring


def network() -> keras.Model:
    """With a first layer whose biases keep it below zero, where a ReLU passes nothing on."""
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
