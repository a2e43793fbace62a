"""How much a model uses each feature."""

from typing import Any, Dict, List, Tuple

import numpy as np
import xgboost

KINDS = ("weight", "gain", "cover", "total_gain", "total_cover")

# Names of features with their values.
Scores = Tuple[List[str], np.ndarray]


def importances(booster: Any) -> Dict[str, Scores]:
    """The five kinds, each summing to one; features that are not used have none. A linear model
    has one kind only.

    Three of them are asked for: each question goes through all trees. The means are the totals by
    the counts, in single precision as XGBoost computes them."""
    names, weight = _scores(booster, "weight")
    scores = {"weight": (names, weight)}
    try:
        totals = {kind: _scores(booster, f"total_{kind}") for kind in ("gain", "cover")}
    except xgboost.core.XGBoostError:  # It has no trees.
        totals = {}
    count = np.maximum(weight.astype(np.float32), np.float32(1))
    for kind, (names, total) in totals.items():
        scores[f"total_{kind}"] = (names, total)
        scores[kind] = (names, (total.astype(np.float32) / count).astype(np.float64))
    return {kind: (names, _normalised(values)) for kind, (names, values) in scores.items()}


def _scores(booster: Any, kind: str) -> Scores:
    scores = booster.get_score(importance_type=kind)
    values = np.array(list(scores.values()), np.float64)
    if values.ndim > 1:  # A linear model of several classes has a weight for each.
        values = np.abs(values).sum(axis=1)
    return list(scores), values


def _normalised(values: np.ndarray) -> np.ndarray:
    total = sum(values.tolist())  # In the order of the features, as the original adds.
    return values / total if total else values
