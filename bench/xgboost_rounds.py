"""Rounds of boosting with a hook and without, measured as our other programs are: variants named on
the command line or, line by line, on the standard input; one JSON object for each.

Runs with whatever package `smdebug` its Python has: ours, or the original's. A sample alternates
trainings without a hook and with one, so that both see the same machine."""

import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path

os.environ.setdefault("SMDEBUG_LOG_LEVEL", "error")

import numpy
import xgboost

import smdebug.xgboost as smd

FEATURES = 30
PARAMS = {"objective": "binary:logistic", "max_depth": 6, "tree_method": "hist", "nthread": 1}


def make_data(rows):
    random = numpy.random.RandomState(0)
    x = random.rand(rows, FEATURES).astype(numpy.float32)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + 0.3 * random.rand(rows) > 0.9).astype(int)
    return xgboost.DMatrix(x, y)


def hook_for(variant, folder, data):
    """The hook of a variant."""
    if variant == "idle":
        return smd.Hook(out_dir=folder, save_config=smd.SaveConfig(end_step=0))
    collections = {
        "importance_5": ["feature_importance"],
        "report_5": ["feature_importance", "predictions", "labels", "trees"],
    }[variant]
    hook = smd.Hook(
        out_dir=folder,
        include_collections=collections,
        save_config=smd.SaveConfig(save_interval=5),
        validation_data=data,
    )
    hook.get_collection("metrics").save_config = smd.SaveConfig(save_interval=1)
    return hook


class Bench:
    """Answers one sample for each variant."""

    def __init__(self, options):
        self._options = options
        self._data = make_data(options.rows)
        self._trainings = 0

    def train(self, callbacks):
        """Seconds that the rounds take."""
        begin = time.perf_counter()
        xgboost.train(
            PARAMS,
            self._data,
            self._options.rounds,
            evals=[(self._data, "train")],
            callbacks=callbacks,
            verbose_eval=False,
        )
        return time.perf_counter() - begin

    def sample(self, variant):
        plain = watched = 0.0
        for _ in range(self._options.blocks):
            plain += self.train([])
            self._trainings += 1
            folder = Path(self._options.dir) / f"xgboost-{os.getpid()}-{self._trainings}"
            hook = hook_for(variant, str(folder), self._data)
            watched += self.train([hook])
            hook.close()
            shutil.rmtree(folder, ignore_errors=True)
        steps = self._options.blocks * self._options.rounds
        return {"seconds": watched, "reference": plain, "steps": steps}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dir", default="build/bench", help="where to write")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=50, help="of one training")
    parser.add_argument("--blocks", type=int, default=2, help="trainings of each kind in a sample")
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    options = parser.parse_args()
    bench = Bench(options)
    for name in options.variants or map(str.strip, sys.stdin):
        print(json.dumps({"name": name, **bench.sample(name)}), flush=True)


main()
