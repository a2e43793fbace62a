"""Short trainings with Keras, each with a fault that one rule is made to find, and a healthy twin.

    python train_all.py FOLDER

Each twin saves every step whole into FOLDER/<name>/<kind>; the step at which each fault begins is
told as JSON on the standard output."""

import json
import math
import os
import sys
from pathlib import Path
from typing import Any, Dict, Optional

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

import smdebug.tensorflow as smd

STEPS = 16


def blobs(count: int = 128, features: int = 8, classes: int = 4, seed: int = 0) -> Any:
    """Points around the corners of a cube, with the corner as label: easily learnt."""
    labels = np.arange(count) % classes
    centres = np.random.default_rng(99).normal(size=(classes, features))
    noise = np.random.default_rng(seed).normal(size=(count, features))
    return (centres[labels] + 0.5 * noise).astype("float32"), labels


def dense(width: int, activation: Any = None, **settings: Any) -> Any:
    return keras.layers.Dense(width, activation=activation, **settings)


def network(*layers: Any, features: int = 8) -> Any:
    return keras.Sequential([keras.Input((features,)), *layers])


def train(folder: Path, model: Any, x: Any, y: Any, rate: float = 0.1, **settings: Any) -> Any:
    """One batch of all data for each step; what model.fit tells. Eagerly unless told otherwise, as
    compiling takes longer than these steps do."""
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    chosen: Dict[str, Any] = {
        "optimizer": keras.optimizers.SGD(rate),
        "loss": loss,
        "run_eagerly": True,
    }
    chosen.update(settings)
    model.compile(**chosen)
    hook = smd.KerasHook(str(folder), save_all=True, save_config=smd.SaveConfig(save_interval=1))
    history = model.fit(
        x, y, batch_size=len(x), epochs=STEPS, shuffle=False, verbose=0, callbacks=[hook]
    )
    hook.close()
    return history.history


def vanishing_gradient(folder: Path, faulty: bool) -> Optional[int]:
    kind = "sigmoid" if faulty else "relu"
    hidden = [dense(16, kind) for _ in range(20 if faulty else 2)]
    x, y = blobs(classes=16)
    train(folder, network(*hidden, dense(16)), x, y, run_eagerly=False)
    return 0


def dead_relu(folder: Path, faulty: bool) -> Optional[int]:
    bias = keras.initializers.Constant(-50.0) if faulty else "zeros"
    x, y = blobs()
    train(folder, network(dense(16, "relu", bias_initializer=bias), dense(4)), x, y)
    return 0


def exploding_tensor(folder: Path, faulty: bool) -> Optional[int]:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(64, 8)), random.normal(size=(64, 1))
    model = network(dense(8), dense(1))
    metrics = train(folder, model, x, y, rate=30.0 if faulty else 0.01, loss="mse")
    return next((step for step, v in enumerate(metrics["loss"]) if not math.isfinite(v)), None)


def loss_not_decreasing(folder: Path, faulty: bool) -> Optional[int]:
    x, y = blobs()
    train(folder, network(dense(16, "relu"), dense(4)), x, y, rate=1e-12 if faulty else 0.1)
    return 10  # So many steps it is watched for.


def saturated_activation(folder: Path, faulty: bool) -> Optional[int]:
    x, y = blobs()
    x = 1e4 * x if faulty else x
    train(
        folder,
        network(dense(16, "tanh"), dense(4)),
        x,
        y,
        rate=1e-3 if faulty else 0.1,
        run_eagerly=False,
    )
    return 0


def weight_update_ratio(folder: Path, faulty: bool) -> Optional[int]:
    x, y = blobs()
    train(folder, network(dense(16, "relu"), dense(4)), x, y, rate=1e-9 if faulty else 0.1)
    return 1  # The first that has one before it.


def class_imbalance(folder: Path, faulty: bool) -> Optional[int]:
    x, y = blobs()
    if faulty:
        y = np.where(np.arange(len(y)) % 21 == 0, y, 0)  # One or two of each but the first.
    train(folder, network(dense(16, "relu"), dense(4)), x, y)
    return 3  # When it has seen five hundred labels.


ZOO = {
    "VanishingGradient": vanishing_gradient,
    "DeadRelu": dead_relu,
    "ExplodingTensor": exploding_tensor,
    "LossNotDecreasing": loss_not_decreasing,
    "SaturatedActivation": saturated_activation,
    "WeightUpdateRatio": weight_update_ratio,
    "ClassImbalance": class_imbalance,
}


def main() -> None:
    steps = {}
    for name, specimen in ZOO.items():
        for kind in ("healthy", "faulty"):
            keras.utils.clear_session()
            keras.utils.set_random_seed(0)
            steps[f"{name}/{kind}"] = specimen(Path(sys.argv[1]) / name / kind, kind == "faulty")
    print(json.dumps(steps))


if __name__ == "__main__":
    main()
