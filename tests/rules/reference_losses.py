"""Rules about how losses and gradient norms get on."""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import median

import numpy as np
from made_up import Run, Step
from reference_statistics import Evaluated, finite, is_real, mean, norm, reduction, variance
from reference_tensors import selection


def _losses(run: Run, step: Step, chosen: dict):
    """Name, worker and number of the losses that are finite."""
    for name, worker, saved in run.select(step, **chosen):
        loss = mean(saved)
        if loss is not None:
            yield name, worker, loss


def loss_not_decreasing(run: Run, p: dict):
    chosen = {
        "collections": list(p.get("collection_names", ())),
        "patterns": p.get("tensor_regex", ()),
    }
    if p.get("use_losses_collection", True):
        chosen["collections"].append("losses")
    modes = [s.mode for s in run.steps]
    mode = p.get("mode") or next((m for m in ("EVAL", "TRAIN") if m in modes), "GLOBAL")
    num_steps = p.get("num_steps", 10)
    series = defaultdict(list)
    last_check = {}
    for step in run.steps:
        if mode not in ("GLOBAL", step.mode):
            continue
        s = step.step if mode == "GLOBAL" else step.mode_step
        for name, worker, loss in _losses(run, step, chosen):
            points = series[name, worker]
            points.append((s, loss))
            if s < last_check.setdefault((name, worker), s) + num_steps:
                continue
            last_check[name, worker] = s
            before = [old for at, old in points if at <= s - num_steps][-1]
            d = _percent_fallen(before, loss)
            rises = d < -p.get("increase_threshold_percent", 5)
            fired = rises or 0 <= d < p.get("diff_percent", 0.1)
            yield Evaluated(step.step, mode, name, worker, fired, abs(d))


def _percent_fallen(before: float, now: float) -> float:
    if before != 0:
        return 100 * (before - now) / abs(before)
    return 0.0 if now == 0 else math.copysign(math.inf, -now)


def _phases(run: Run, start: int):
    """Each evaluation: the TRAIN steps since the one before, and its own."""
    train, evaluation = [], []
    for step in run.steps:
        if step.step < start:
            continue
        last = evaluation[-1] if evaluation else None
        goes_on = (
            last is not None
            and step.mode == "EVAL"
            and step.step - last.step == step.mode_step - last.mode_step
        )
        if evaluation and not goes_on:
            yield train, evaluation
            train, evaluation = [], []
        if step.mode == "TRAIN":
            train.append(step)
        elif step.mode == "EVAL":
            evaluation.append(step)
    if evaluation:
        yield train, evaluation


def overfit(run: Run, p: dict):
    chosen = selection(p, collections=["losses"])
    in_a_row = defaultdict(int)
    for train, evaluation in _phases(run, p.get("start_step", 0)):
        values = {"TRAIN": defaultdict(list), "EVAL": defaultdict(list)}
        for step in [*train, *evaluation]:
            for name, worker, loss in _losses(run, step, chosen):
                values[step.mode][name, worker].append(loss)
        for key, losses in sorted(values["EVAL"].items()):
            if key not in values["TRAIN"]:
                continue
            before, now = (math.fsum(x) / len(x) for x in (values["TRAIN"][key], losses))
            ratio = -_percent_fallen(before, now) / 100
            in_a_row[key] = in_a_row[key] + 1 if ratio > p.get("ratio_threshold", 0.1) else 0
            fired = in_a_row[key] >= p.get("patience", 1)
            yield Evaluated(evaluation[-1].step, "EVAL", *key, fired, ratio)


class _Progress:
    """One loss in one mode."""

    def __init__(self):
        self.losses, self.best = [], math.inf
        self.stale = self.risen = 0

    def take(self, loss: float, delta: float) -> None:
        better = not self.losses or (loss < self.best and self.best - loss >= delta)
        lowest = min(self.losses, default=loss)
        self.best = loss if better else self.best
        self.stale = 0 if better else self.stale + 1
        self.risen = self.risen + 1 if loss > lowest and loss - lowest >= delta else 0
        self.losses.append(loss)


def overtraining(run: Run, p: dict):
    delta = p.get("delta", 0.01)
    for_train, for_eval = p.get("patience_train", 5), p.get("patience_validation", 10)
    progress = defaultdict(_Progress)
    for step in run.steps:
        if step.mode not in ("TRAIN", "EVAL"):
            continue
        for name, worker, loss in _losses(run, step, {"collections": ["losses"]}):
            progress[name, worker, step.mode].take(loss, delta)
            train, evaluation = (progress[name, worker, mode] for mode in ("TRAIN", "EVAL"))
            if len(evaluation.losses) <= for_eval:
                continue
            value = None
            if rises := evaluation.risen >= for_eval:
                value = evaluation.losses[-1] - min(evaluation.losses)
            fired = rises or (train.stale >= for_train and evaluation.stale >= for_eval)
            yield Evaluated(step.step, step.mode, name, worker, fired, value)


def loss_spike(run: Run, p: dict):
    """A spike is kept out of what is usual until patience of them came in a row."""
    window, patience = p.get("window", 50), p.get("patience", 5)
    usual, held_back, in_a_row = defaultdict(list), defaultdict(list), defaultdict(int)
    for step in run.steps:
        if not step.trains:
            continue
        for name, worker, loss in _losses(run, step, selection(p, collections=["losses"])):
            key = name, worker, step.mode
            past = usual[key][-window:]
            if len(past) < p.get("min_steps", 20):
                usual[key].append(loss)
                continue
            middle = median(past)
            deviation = 1.4826 * median(abs(x - middle) for x in past)
            rise = loss - middle
            score = rise / deviation if deviation else math.copysign(math.inf, rise)
            least = p.get("min_increase_percent", 50) / 100 * abs(middle)
            fired = rise > 0 and score > p.get("threshold", 10) and rise >= least
            held_back[key].append(loss)
            in_a_row[key] = in_a_row[key] + 1 if fired else 0
            if not fired:
                held_back[key] = [loss]
            if not fired or in_a_row[key] >= patience:
                usual[key] += held_back.pop(key)
            yield Evaluated(step.step, step.mode, name, worker, fired, score)


def gradient_norm_spike(run: Run, p: dict):
    usual = defaultdict(list)
    for step in run.steps:
        squares = defaultdict(list)
        for _, worker, saved in run.select(step, collections=["gradients"]):
            part = norm(saved)
            if part is not None:
                squares[worker].append(part * part)
        for worker, parts in squares.items():
            value = math.sqrt(math.fsum(parts))
            past = usual[worker, step.mode][-p.get("window", 50) :]
            usual[worker, step.mode].append(value)
            told = None
            if value > p.get("max_norm", math.inf):
                told = value
            elif len(past) >= p.get("min_steps", 10):
                middle = median(past)
                if middle > 0 and value > p.get("threshold", 10) * middle:
                    told = value / middle
            elif "max_norm" not in p:
                continue
            yield Evaluated(step.step, step.mode, "", worker, told is not None, told)


def poor_weight_initialization(run: Run, p: dict):
    activations = {"patterns": [".*relu_input", ".*ReLU_input"], "roles": ["relu_input"]}
    if "activation_inputs_regex" in p:
        activations = {"patterns": p["activation_inputs_regex"]}
    inputs = [activations, *({"collections": [c]} for c in ("gradients", "weights", "losses"))]
    training = [s for s in run.steps if s.trains and any(any(run.select(s, **i)) for i in inputs)]
    best, since = {}, defaultdict(dict)  # Of each worker and mode apart.
    for step in training[: p.get("steps", 10)]:
        at = step.step, step.mode
        for name, worker, loss in _losses(run, step, inputs[3]):
            key, waited = (name, worker, step.mode), since[worker, step.mode]
            fell = loss < best.get(key, math.inf)
            best[key] = loss if fell else best[key]
            waited[name] = 0 if fell else waited[name] + 1
            if p.get("compat_any", False):
                yield Evaluated(
                    *at, name, worker, waited[name] >= p.get("patience", 5), waited[name]
                )
        yield from _unlike_layers(run, step, inputs[0], p)
        for name, worker, saved in run.select(step, **inputs[1]):
            narrow = _spread(saved, p.get("distribution_range", 0.001))
            if narrow is None:
                continue
            waited = min(since[worker, step.mode].values(), default=math.inf)
            stalled = waited >= p.get("patience", 5) or p.get("compat_any", False)
            yield Evaluated(*at, name, worker, narrow[0] and stalled, narrow[1])
        for name, worker, saved in run.select(step, **inputs[2]):
            alike = _rows_alike(saved)
            if alike is not None:
                yield Evaluated(*at, name, worker, alike)


def _unlike_layers(run: Run, step: Step, chosen: dict, p: dict):
    workers = defaultdict(list)
    for name, worker, saved in run.select(step, **chosen):
        spread = variance(saved)
        if spread is not None:
            workers[worker].append((spread, name))
    for worker, layers in workers.items():
        if len(layers) < 2:
            continue
        (least, _), (most, widest) = min(layers), max(layers)
        ratio = most / least if least else math.inf
        fired = ratio > p.get("threshold", 10.0)
        for _, name in layers:
            yield Evaluated(step.step, step.mode, name, worker, fired and name == widest, ratio)


def _spread(saved, limit: float) -> tuple[bool, float] | None:
    """Whether p95 - p5 is below the limit; of reductions alone only max - min can prove it."""
    values = finite(saved)
    if values is not None:
        low, high = np.quantile(values, [0.05, 0.95])
        return high - low < limit, high - low
    low, high = reduction(saved, "min"), reduction(saved, "max")
    if is_real(saved) or low is None or high is None or high - low >= limit:
        return None
    return True, high - low


def _rows_alike(saved) -> bool | None:
    if not is_real(saved) or saved.raw.ndim < 2 or len(saved.raw) < 2:
        return None
    rows = saved.raw.reshape(len(saved.raw), -1).astype(np.float64)
    if rows.shape[1] < 2:
        return None
    alike = all(np.array_equal(rows[0], row, equal_nan=True) for row in rows)
    return None if alike and finite(saved) is None else alike
