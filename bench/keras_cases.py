"""Capture in Keras: what a hook costs a batch of model.fit, compiled as Keras does by default.

Run as a program it measures for bench/report.py, as torch_steps.py does: one JSON object for each
variant that is named on the standard input."""

import argparse
import json
import os
import statistics
import sys
import time
from itertools import chain
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent / "build/venv-tensorflow/bin/python"
# By variant: what it is called, and how much longer than without a hook a batch may take.
VARIANTS = {
    "reads": ("no hook, a callback that reads the metrics", None),
    "idle": ("hook that saves nothing", 1.02),
    "metrics_1": ("losses and metrics every step", 1.03),
    "all_10": ("everything every 10 steps", None),
}
# By model: how many batches are half a second. Digits is what tutorials train; the batches of the
# others are so short that they show what a step costs at all.
BLOCKS = {"dense": 240, "cnn": 96, "digits": 24}
# A batch that takes this many times its usual time was held up by something else.
HELD_UP = 3


# ---- For report.py.


def capture(setting, model, names):
    """The rows of one model."""
    from cases import Row, at_most, duration
    from sampling import Program, run_rounds

    with Program([PYTHON, Path(__file__), "--model", model, "--dir", setting.dir]) as ours:
        variants = {name: lambda name=name: ours.measure(name) for name in names}
        samples = run_rounds(f"keras, {model}", setting.sizes.capture_rounds, variants)

    def batch(name, which):
        return duration(samples.median(lambda s: s[name][which]))

    def row(name):
        what, limit = VARIANTS[name]
        return Row(
            f"keras {model}: {what}",
            batch(name, "seconds"),
            f"no hook {batch(name, 'reference')}",
            samples.per_round(lambda s: s[name]["seconds"] / s[name]["reference"]),
            at_most(limit) if limit else None,
        )

    return [row(name) for name in names], samples


# What saves everything comes last: the disk is busy with it for long.
KERAS_CASES = {
    **{
        f"keras-{model}": lambda setting, model=model: capture(
            setting, model, ["reads", "idle", "metrics_1"]
        )
        for model in BLOCKS
    },
    "keras-everything": lambda setting: capture(setting, "cnn", ["all_10"]),
}


# ---- The program.


def make_model(kind):
    """A compiled model and its batches, without end."""
    import keras
    import numpy as np
    import tensorflow as tf

    keras.utils.set_random_seed(0)
    random = np.random.default_rng(0)
    dense, conv = keras.layers.Dense, keras.layers.Conv2D
    if kind == "dense":
        shape, batch = (256,), 64
        layers = [dense(256, activation="relu") for _ in range(3)]
    elif kind == "cnn":
        shape, batch = (24, 24, 3), 16
        layers = [conv(24, 3, activation="relu") for _ in range(3)]
        layers += [keras.layers.GlobalAveragePooling2D()]
    else:
        shape, batch = (28, 28, 1), 128
        layers = [conv(32, 3, activation="relu"), keras.layers.MaxPooling2D()]
        layers += [conv(64, 3, activation="relu"), keras.layers.MaxPooling2D()]
        layers += [keras.layers.Flatten(), keras.layers.Dropout(0.5)]
    model = keras.Sequential([keras.Input(shape), *layers, dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    x = random.normal(size=(16 * batch, *shape)).astype("float32")
    y = random.integers(0, 10, len(x))
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(batch, drop_remainder=True)
    return model, data.cache().repeat()


def make_hook(variant, folder):
    """The callback that is measured."""
    import smdebug.tensorflow as smd

    if variant == "reads":
        return make_reader()
    what, _, interval = variant.partition("_")
    if what == "idle":
        never = smd.SaveConfig(save_interval=10**9, start_step=10**8)
        kinds = ["weights", "gradients", "layers"]
        return smd.KerasHook(str(folder), save_config=never, include_collections=kinds)
    config = smd.SaveConfig(save_interval=int(interval))
    return smd.KerasHook(str(folder), save_config=config, save_all=what == "all")


def measure(variant, options):
    """Seconds of a batch without the hook and with it: the mean, since what is written beside the
    training holds up some batches more than others."""
    Training = make_training()
    folder = options.dir / f"keras-{options.model}-{variant}-{os.getpid()}-{time.monotonic_ns()}"
    hook = make_hook(variant, folder)
    model, data = make_model(options.model)
    block = BLOCKS[options.model]
    training = Training(hook, block)
    # The first pair of blocks warms up.
    batches = 2 * block * (options.pairs + 1)
    model.fit(data, steps_per_epoch=batches, shuffle=False, verbose=0, callbacks=[training])
    times = [list(chain(*blocks[1:])) for blocks in training.times]
    longest = HELD_UP * statistics.median(times[0])
    reference, seconds = (statistics.mean(min(t, longest) for t in arm) for arm in times)
    rest = sum(training.rests[1:]) / len(times[1])
    return {"reference": reference, "seconds": seconds + rest}


def make_training():
    """A callback that has another take part in every second block of batches, and times them all.

    One call of fit serves both: two models that are the same differ by some percent, depending on
    where they lie, and so do two calls for the same model. Nothing is removed meanwhile: for
    minutes ext4 takes many times as long to make files where others were removed."""
    import keras

    class Training(keras.callbacks.Callback):
        def __init__(self, hook, block):
            super().__init__()
            self.hook = hook
            self.block = block
            self.times = [], []  # Without the hook and with it: those of each block.
            self.rests = []  # What each block had left to write in its end.
            self.watched = 0

        def on_train_begin(self, logs=None):
            self.hook.set_params(self.params)
            self.hook.set_model(self.model)
            self.hook.on_train_begin(logs)
            # By Keras, and by the hook if it has put its own in the place.
            ours = self.model.train_function
            self.functions = getattr(ours, "plain", ours), ours

        def on_train_batch_begin(self, batch, logs=None):
            now = time.perf_counter()
            if batch > 0:
                self.times[self.watched][-1].append(now - self.began)
            if batch % self.block == 0:
                self.change(batch // self.block)
                now = time.perf_counter()
            self.began = now
            if self.watched:
                self.hook.on_train_batch_begin(batch, logs)

        def on_train_batch_end(self, batch, logs=None):
            if self.watched:
                self.hook.on_train_batch_end(batch, logs)

        def change(self, block):
            """Begins a block: without, with, with, without and so on, so that a machine that slows
            down does so for both."""
            if self.watched:
                begin = time.perf_counter()
                getattr(self.hook, "flush", lambda: None)()
                self.rests.append(time.perf_counter() - begin)
            self.watched = (0, 1, 1, 0)[block % 4]
            self.times[self.watched].append([])
            vars(self.model)["train_function"] = self.functions[self.watched]

    return Training


def make_reader():
    """What any callback pays that looks at each batch: Keras then hands out the metrics at once,
    not in a thread of its own."""
    import keras

    class Reader(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            self.last = {name: float(value) for name, value in (logs or {}).items()}

    return Reader()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="dense", choices=BLOCKS)
    parser.add_argument("--dir", default="build/bench", type=Path)
    parser.add_argument("--pairs", type=int, default=20, help="blocks without and with the hook")
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    options = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for name in options.variants or map(str.strip, sys.stdin):
        print(json.dumps({"name": name, **measure(name, options)}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
