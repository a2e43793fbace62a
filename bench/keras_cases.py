"""Capture in Keras: what a hook costs a batch of model.fit, compiled as Keras does by default.

Run as a program it measures for bench/report.py, as torch_steps.py does: one JSON object for each
variant that is named on the standard input."""

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent / "build/venv-tensorflow/bin/python"
# By variant: what it is called, and how much longer than without a hook a batch may take.
VARIANTS = {
    "reads": ("no hook, a callback that reads the figures", None),
    "idle": ("hook that saves nothing", 1.02),
    "figures_1": ("losses and metrics every step", 1.03),
    "all_10": ("everything every 10 steps", None),
}
# The last is what tutorials train on digits; the batches of the others are so short that they show
# what a step costs at all.
MODELS = ("dense", "cnn", "digits")
EPOCHS = 4  # Of a turn: long enough for what is written to be written beside the training.


# ---- For report.py.


def capture(setting, model):
    """The rows of one model."""
    from cases import Row, at_most, duration
    from sampling import Program, run_rounds

    with Program([PYTHON, Path(__file__), "--model", model, "--dir", setting.dir]) as ours:
        variants = {name: lambda name=name: ours.measure(name) for name in VARIANTS}
        samples = run_rounds(f"keras, {model}", setting.sizes.capture_rounds, variants)

    def batch(name, which):
        return duration(samples.median(lambda s: s[name][which]))

    return [
        Row(
            f"keras {model}: {what}",
            batch(name, "seconds"),
            f"no hook {batch(name, 'reference')}",
            samples.per_round(lambda s, n=name: s[n]["ratio"]),
            at_most(limit) if limit else None,
        )
        for name, (what, limit) in VARIANTS.items()
    ], samples


KERAS_CASES = {f"keras-{m}": lambda setting, m=m: capture(setting, m) for m in MODELS}


# ---- The program.


def make_model(kind):
    """A compiled model and its data, of so many batches that a call of fit is worth timing."""
    import keras
    import numpy as np

    keras.utils.set_random_seed(0)
    random = np.random.default_rng(0)
    dense, conv = keras.layers.Dense, keras.layers.Conv2D
    if kind == "dense":
        shape, batches, batch = (256,), 60, 64
        layers = [dense(256, activation="relu") for _ in range(3)]
    elif kind == "cnn":
        shape, batches, batch = (24, 24, 3), 30, 16
        layers = [conv(24, 3, activation="relu") for _ in range(3)]
        layers += [keras.layers.GlobalAveragePooling2D()]
    else:
        shape, batches, batch = (28, 28, 1), 8, 128
        layers = [conv(32, 3, activation="relu"), keras.layers.MaxPooling2D()]
        layers += [conv(64, 3, activation="relu"), keras.layers.MaxPooling2D()]
        layers += [keras.layers.Flatten(), keras.layers.Dropout(0.5)]
    model = keras.Sequential([keras.Input(shape), *layers, dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    x = random.normal(size=(batches * batch, *shape)).astype("float32")
    y = random.integers(0, 10, batches * batch)
    return model, (x, y), batch


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


class Training:
    """One model, trained without a hook and with one in turns. Two models that are the same would
    differ by some percent, depending on where they lie. Nothing is removed meanwhile: for minutes
    ext4 takes many times as long to make files where others were removed."""

    made = 0

    def __init__(self, variant, options):
        Training.made += 1
        name = f"keras-{options.model}-{variant}-{os.getpid()}-{Training.made}"
        self.hook = make_hook(variant, options.dir / name)
        self.model, self.data, self.batch = make_model(options.model)
        self.batches = len(self.data[0]) // self.batch
        for watched in (0, 1, 0, 1):
            self.fit(watched)

    def fit(self, watched):
        """Seconds of a batch: the mean, since what is written beside the training holds up some
        batches more than others, with its share of what is left to be written in the end. What is
        between two epochs is left out."""
        clock = make_clock()
        self.model.fit(
            *self.data,
            batch_size=self.batch,
            epochs=EPOCHS,
            verbose=0,
            shuffle=False,
            callbacks=[self.hook, clock] if watched else [clock],
        )
        begin = time.perf_counter()
        if hasattr(self.hook, "flush"):
            self.hook.flush()
        rest = time.perf_counter() - begin
        if watched:
            take_out(self.hook)
        pairs = enumerate(zip(clock.times, clock.times[1:]), 1)
        times = [after - before for i, (before, after) in pairs if i % self.batches != 0]
        return statistics.mean(times) + rest / len(times)

    def sample(self, turns):
        """The middle one of the turns, so that a moment in which the machine was busy elsewhere
        counts for nothing."""
        times = [], []
        for turn in range(turns):
            for watched in (0, 1) if turn % 2 else (1, 0):
                times[watched].append(self.fit(watched))
        reference, seconds = map(statistics.median, times)
        ratio = statistics.median(ours / theirs for theirs, ours in zip(*times))
        return {"seconds": seconds, "reference": reference, "ratio": ratio}


def take_out(hook):
    """The hook's models run as Keras made them, until they are trained with it again."""
    from tensorwarden.adapters.keras.install import uninstall

    for watched in getattr(hook, "_watched", ()):
        uninstall(watched)


def make_clock():
    """A callback that notes when each batch begins."""
    import keras

    class Clock(keras.callbacks.Callback):
        def __init__(self):
            super().__init__()
            self.times = []

        def on_train_batch_begin(self, batch, logs=None):
            self.times.append(time.perf_counter())

    return Clock()


def make_reader():
    """What any callback pays that looks at each batch: Keras then hands out the figures at once,
    not in a thread of its own."""
    import keras

    class Reader(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            self.last = {name: float(value) for name, value in (logs or {}).items()}

    return Reader()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="dense", choices=MODELS)
    parser.add_argument("--dir", default="build/bench", type=Path)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    options = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for name in options.variants or map(str.strip, sys.stdin):
        sample = Training(name, options).sample(options.turns)
        print(json.dumps({"name": name, **sample}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
