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
MODELS = ("dense", "cnn")


# ---- For report.py.


def capture(setting, model):
    """The rows of one model."""
    from cases import Row, at_most, duration
    from sampling import Program, run_rounds

    with Program([PYTHON, Path(__file__), "--model", model, "--dir", setting.dir]) as ours:
        variants = {name: lambda name=name: ours.measure(name) for name in VARIANTS}
        samples = run_rounds(f"keras, {model}", setting.sizes.capture_rounds, variants)

    def batch(name, which):
        return duration(samples.median(lambda s: s[name][which] / s[name]["steps"]))

    return [
        Row(
            f"keras {model}: {what}",
            batch(name, "seconds"),
            f"no hook {batch(name, 'reference')}",
            samples.per_round(lambda s, n=name: s[n]["seconds"] / s[n]["reference"]),
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
    if kind == "dense":
        layers = [keras.Input((256,))]
        layers += [keras.layers.Dense(256, activation="relu") for _ in range(3)]
        x, batches, batch = random.normal(size=(64 * 60, 256)), 60, 64
    else:
        layers = [keras.Input((24, 24, 3))]
        layers += [keras.layers.Conv2D(24, 3, activation="relu") for _ in range(3)]
        layers += [keras.layers.GlobalAveragePooling2D()]
        x, batches, batch = random.normal(size=(16 * 30, 24, 24, 3)), 30, 16
    model = keras.Sequential([*layers, keras.layers.Dense(10)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("adam", loss, metrics=["accuracy"])
    y = random.integers(0, 10, batches * batch)
    return model, (x.astype("float32"), y), batches, batch


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


class Trainings:
    """The same model without a hook and with one, which take turns. Two models that are the same
    differ by some percent, depending on where they lie: every sample is of a new pair. Nothing is
    removed meanwhile: for minutes ext4 takes many times as long to make files where others were
    removed."""

    made = 0

    def __init__(self, variant, options):
        Trainings.made += 1
        name = f"keras-{options.model}-{variant}-{os.getpid()}-{Trainings.made}"
        self.folder = options.dir / name
        self.hook = make_hook(variant, self.folder)
        self.are_alike = variant in ("reads", "idle") or variant.endswith("_1")
        self.models = [make_model(options.model)[0] for _ in range(2)]
        _, self.data, self.batches, self.batch = make_model(options.model)
        for turn in range(4):
            self.fit(turn % 2)

    def fit(self, watched):
        """The seconds of each batch of an epoch; what is left to be written is waited for outside
        the clock."""
        clock = make_clock()
        callbacks = [self.hook, clock] if watched else [clock]
        model = self.models[watched]
        model.fit(*self.data, batch_size=self.batch, verbose=0, shuffle=False, callbacks=callbacks)
        if hasattr(self.hook, "flush"):
            self.hook.flush()
        return [after - before for before, after in zip(clock.times, clock.times[1:])]

    def sample(self, turns):
        """Where all batches are alike the median is told, so that a moment in which the machine was
        busy elsewhere counts for nothing."""
        times = [], []
        for turn in range(turns):
            for watched in (0, 1) if turn % 2 else (1, 0):
                times[watched].extend(self.fit(watched))
        middle = statistics.median if self.are_alike else statistics.mean
        steps = len(times[0])
        reference, seconds = (middle(part) * steps for part in times)
        return {"seconds": seconds, "reference": reference, "steps": steps}


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
        sample = Trainings(name, options).sample(options.turns)
        print(json.dumps({"name": name, **sample}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
