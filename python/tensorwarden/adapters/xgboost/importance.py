"""The importance of features."""

from typing import Any, Dict, List, Tuple

import numpy as np
import xgboost

KINDS = ("weight", "gain", "cover", "total_gain", "total_cover")

# Names of features with their values.
Scores = Tuple[List[str], np.ndarray]


def importances(booster: Any) -> Dict[str, Scores]:
    """Returns the five kinds of importance, each with a sum of one, without unused features.

    A linear model has only one kind. XGBoost is asked for three of them, because each query reads
    all trees. The means are totals divided by counts, in single precision as XGBoost computes them.
    """
    names, weight = _scores(booster, "weight")
    scores = {"weight": (names, weight)}
    try:
        totals = {kind: _scores(booster, f"total_{kind}") for kind in ("gain", "cover")}
    except xgboost.core.XGBoostError:  # The model has no trees.
        totals = {}
    count = np.maximum(weight.astype(np.float32), np.float32(1))
    for kind, (names, total) in totals.items():
        scores[f"total_{kind}"] = (names, total)
        scores[kind] = (names, (total.astype(np.float32) / count).astype(np.float64))
    return {kind: (names, _normalised(values)) for kind, (names, values) in scores.items()}


def _scores(booster: Any, kind: str) -> Scores:
    scores = booster.get_score(importance_type=kind)
    values = np.array(list(scores.values()), np.float64)
    if values.ndim > 1:  # A linear model of several classes has one weight per class.
        values = np.abs(values).sum(axis=1)
    return list(scores), values


def _normalised(values: np.ndarray) -> np.ndarray:
    total = sum(values.tolist())  # In the order of the features, as smdebug sums them.
    return values / total if total else values
