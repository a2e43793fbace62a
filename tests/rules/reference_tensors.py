"""Rules that evaluate each step by itself, or by statistics that add up over the run."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
from made_up import Run, Saved
from reference_statistics import (
    Evaluated,
    finite,
    largest_magnitude,
    mean,
    mean_magnitude,
    non_finite,
    percent_inside,
    percent_zero,
    units,
    variance,
)


def selection(p: dict, **default) -> dict:
    """collection_names and tensor_regex together, else what the rule looks at by itself."""
    chosen = {"collections": p.get("collection_names", ()), "patterns": p.get("tensor_regex", ())}
    return chosen if any(chosen.values()) else default


def _each(run: Run, chosen: dict, evaluate):
    """evaluate(saved) gives whether it fires and the value; None skips the tensor."""
    for step in run.steps:
        for name, worker, saved in run.select(step, **chosen):
            verdict = evaluate(name, saved)
            if verdict is not None:
                yield Evaluated(step.step, step.mode, name, worker, *verdict)


def vanishing_gradient(run: Run, p: dict):
    threshold = p.get("threshold", 1e-7)

    def evaluate(_, saved):
        value = mean_magnitude(saved)
        if value is not None:
            return value < threshold, value
        largest = largest_magnitude(saved)  # The mean is no larger.
        return (True, largest) if largest is not None and largest < threshold else None

    return _each(run, {"collections": ["gradients"]}, evaluate)


def all_zero(run: Run, p: dict):
    def evaluate(_, saved):
        value = percent_zero(saved)
        return None if value is None else (value >= p.get("threshold", 100), value)

    return _each(run, selection(p), evaluate)


def tensor_variance(run: Run, p: dict):
    most, least = p.get("max_threshold", math.inf), p.get("min_threshold", -math.inf)

    def evaluate(_, saved):
        value = variance(saved)
        return None if value is None else (value > most or value < least, value)

    return _each(run, selection(p), evaluate)


def exploding_tensor(run: Run, p: dict):
    only_nan = p.get("only_nan", False)

    def evaluate(_, saved):
        found = non_finite(saved)
        if found is None:
            return None
        bad = found.nan + (0 if only_nan else found.inf)
        told = found.counted or found.inf == 0 or bool({"min", "max"} & saved.reductions.keys())
        if not bad and not told:
            return None  # An infinite mean neither proves a NaN nor that there is none.
        return bad > 0, bad if found.counted else None

    return _each(run, selection(p, everything=True), evaluate)


def saturated_activation(run: Run, p: dict):
    default = {
        "patterns": [".*tanh_input", ".*sigmoid_input", ".*Tanh_input", ".*Sigmoid_input"],
        "roles": ["tanh_input", "sigmoid_input"],
    }
    limits = {
        "tanh": (p.get("threshold_tanh_min", -9.4999), p.get("threshold_tanh_max", 9.4999)),
        "sigmoid": (p.get("threshold_sigmoid_min", -23), p.get("threshold_sigmoid_max", 16.99999)),
    }
    given = {kind for kind in limits if any(key.startswith(f"threshold_{kind}") for key in p)}

    def kind_of(name):
        for kind in limits:
            if name.startswith(tuple(run.roles.get(f"{kind}_input", ()))):
                return kind
        told = [kind for kind in limits if kind in name.lower()]
        if told:
            return told[0]
        return next(iter(given)) if len(given) == 1 else None

    def evaluate(name, saved):
        kind, layer = kind_of(name), units(saved)
        if kind is None or layer is None:
            return None
        inside = [percent_inside(unit, *limits[kind]) for unit in layer]
        known = [percent for percent in inside if percent is not None]
        few = sum(percent < p.get("threshold_inactivity", 1.0) for percent in known)
        value = 100.0 * few / len(known)
        return value > p.get("threshold_layer", 50.0), value

    return _each(run, selection(p, **default), evaluate)


def nlp_sequence_ratio(run: Run, p: dict):
    default = {"patterns": [".*embedding0_input_0"], "roles": ["first_embedding_input"]}
    tokens, limits = p.get("token_values", [0]), p.get("token_thresholds_percent", [50])

    def evaluate(_, saved):
        values = finite(saved)
        if values is None:
            return None
        percents = [100.0 * np.count_nonzero(values == token) / values.size for token in tokens]
        above = [x for x, limit in zip(percents, limits, strict=True) if x > limit]
        return bool(above), above[0] if above else None

    return _each(run, selection(p, **default), evaluate)


def dead_relu(run: Run, p: dict):
    default = {"patterns": [".*relu_output", ".*ReLU_output"], "roles": ["relu_output"]}
    history = defaultdict(list)  # By tensor, worker and mode: percentages of each unit.
    for step in run.steps:
        for name, worker, saved in run.select(step, **selection(p, **default)):
            layer = units(saved)
            if layer is None:
                continue
            key = name, worker, step.mode
            if len(history[key]) != len(layer):
                history[key] = [[] for _ in layer]
            for past, unit in zip(history[key], layer, strict=True):
                percent = percent_inside(unit, 0, math.inf)
                if percent is not None:
                    past.append(percent)
            known = [sum(past) / len(past) for past in history[key] if past]
            dead = sum(activity < p.get("threshold_inactivity", 1.0) for activity in known)
            value = 100.0 * dead / len(known)
            fired = value > p.get("threshold_layer", 50.0)
            yield Evaluated(step.step, step.mode, name, worker, fired, value)


def check_input_images(run: Run, p: dict):
    patterns, axis = p.get("regex"), p.get("channel", 1)
    chosen = {"patterns": [".*hybridsequential0_input_0"], "roles": ["first_input"]}
    chosen = {"patterns": patterns} if patterns else chosen
    images = defaultdict(int)
    seen = defaultdict(lambda: defaultdict(list))  # By tensor and worker, then channel: values.
    for step in run.steps:
        for name, worker, saved in run.select(step, **chosen):
            if finite(saved) is None or saved.raw.ndim <= axis:
                continue
            key = name, worker
            images[key] += saved.raw.shape[0]
            for i, channel in enumerate(np.moveaxis(saved.raw.astype(np.float64), axis, 0)):
                seen[key][i].extend(channel[np.isfinite(channel)])
            if images[key] < p.get("threshold_samples", 500):
                continue
            means = [math.fsum(x) / len(x) for x in seen[key].values() if x]
            worst = max(means, key=abs)
            fired = abs(worst) > p.get("threshold_mean", 0.2)
            yield Evaluated(step.step, step.mode, name, worker, fired, worst)


def feature_importance_overweight(run: Run, p: dict):
    """The finding is of no tensor in particular."""
    patterns = p.get("tensor_regex", [".*feature_importance/weight"])
    for step in run.steps:
        weights = defaultdict(list)
        for _, worker, saved in run.select(step, patterns=patterns):
            weight = mean(saved)
            if weight is not None:
                weights[worker].append(weight)
        for worker, all_weights in weights.items():
            top = sorted(all_weights, reverse=True)[: p.get("nfeatures", 3)]
            total = math.fsum(all_weights)
            value = math.fsum(top) / total if total else math.nan
            yield Evaluated(
                step.step, step.mode, "", worker, value > p.get("threshold", 0.8), value
            )


def _depth(ids: list[str], children: dict[str, list[str]] | None) -> int:
    if children is None:
        return max(int(math.log2(int(node.split("-")[1]) + 1)) for node in ids)
    fed = {child for pair in children.values() for child in pair}

    def below(node):
        inner = [child for child in children[node] if child in children]
        return 1 + max(map(below, inner)) if inner else 0

    return max(below(node) for node in ids if node not in fed)


def tree_depth(run: Run, p: dict):
    for step in run.steps:
        for worker, tensors in step.workers.items():
            columns = [tensors.get(f"trees/{name}", Saved()).raw for name in ("ID", "Yes", "No")]
            if columns[0] is None:
                continue
            ids, yes, no = (None if column is None else column.tolist() for column in columns)
            linked = yes is not None and no is not None
            children = dict(zip(ids, zip(yes, no, strict=True), strict=True)) if linked else None
            value = _depth(ids, children)
            fired = value > p.get("depth", 4)
            yield Evaluated(step.step, step.mode, "trees/ID", worker, fired, value)


def _module(name: str, kind: str) -> str | None:
    head, mark, number = name.rpartition(f"_{kind}_")
    return head if mark and number.isdigit() and not name.startswith("gradient/") else None


def _origin(bad: dict[str, bool]) -> str:
    """Of a step's tensors in the order of saving: where it began."""
    first = next(name for name, is_bad in bad.items() if is_bad)
    if _module(first, "input") is None and _module(first, "output") is None:
        return first  # A weight, saved before forward, or the first gradient of backward.
    for name, is_bad in bad.items():
        module = _module(name, "output")
        if not is_bad or module is None:
            continue
        if not any(b for other, b in bad.items() if _module(other, "input") == module):
            return name
    return first


def nan_origin(run: Run, p: dict):
    """One finding when it begins; what follows is its consequence, until the mode is clean."""
    broken = {}
    for step in run.steps:
        wanted = {one[:2] for one in run.select(step, **selection(p, everything=True))}
        for worker, tensors in step.workers.items():
            found = {
                name: non_finite(saved)
                for name, saved in tensors.items()
                if (name, worker) in wanted
            }
            bad = {name: n.nan + n.inf > 0 for name, n in found.items() if n is not None}
            for name, is_bad in bad.items():
                if not is_bad:
                    yield Evaluated(step.step, step.mode, name, worker, False)
            if not any(bad.values()):
                if bad and broken.get(worker) == step.mode:
                    del broken[worker]
            elif worker not in broken:
                broken[worker] = step.mode
                name = _origin(bad)
                n = found[name]
                value = n.nan + n.inf if n.counted else None
                yield Evaluated(step.step, step.mode, name, worker, True, value)
