"""Metrics of Amazon's algorithm that XGBoost itself does not have."""

from typing import Any, Callable, Dict, List, Tuple

import numpy as np

Score = Callable[[np.ndarray, np.ndarray], float]  # Of labels and predictions.


def _classes(predictions: np.ndarray) -> np.ndarray:
    """Returns the predicted class of each row; a single value is a probability or a class."""
    if predictions.ndim == 2 and predictions.shape[1] > 1:
        return predictions.argmax(axis=1)
    values = predictions.ravel()
    is_share = bool(((values >= 0) & (values <= 1)).all())
    return (values > 0.5).astype(int) if is_share else np.rint(values).astype(int)


def _shares(labels: np.ndarray, predictions: np.ndarray) -> List[Tuple[float, float, float]]:
    """Returns precision, recall and F1 of each class; 0 where there is nothing to divide by."""
    predicted = _classes(predictions)
    found = []
    for each in np.union1d(labels.astype(int), predicted):
        right = float(((predicted == each) & (labels == each)).sum())
        precision = right / max(1.0, float((predicted == each).sum()))
        recall = right / max(1.0, float((labels == each).sum()))
        both = precision + recall
        found.append((precision, recall, 2 * precision * recall / both if both else 0.0))
    return found


def _mean(column: int) -> Score:
    return lambda labels, values: float(np.mean([row[column] for row in _shares(labels, values)]))


def _of_last(column: int) -> Score:
    """The class 1 of two."""
    return lambda labels, values: _shares(labels, values)[-1][column]


def _accuracy(labels: np.ndarray, predictions: np.ndarray) -> float:
    return float((_classes(predictions) == labels).mean())


def _balanced_accuracy(labels: np.ndarray, predictions: np.ndarray) -> float:
    predicted = _classes(predictions)
    return float(np.mean([(predicted[labels == each] == each).mean() for each in set(labels)]))


def _mse(labels: np.ndarray, predictions: np.ndarray) -> float:
    return float(np.mean((labels - predictions.ravel()) ** 2))


def _r2(labels: np.ndarray, predictions: np.ndarray) -> float:
    spread = float(((labels - labels.mean()) ** 2).mean())
    return 1.0 - _mse(labels, predictions) / spread if spread else 0.0


# By name. All but "mse" should rise.
SCORES: Dict[str, Score] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced_accuracy,
    "f1": _mean(2),
    "f1_binary": _of_last(2),
    "f1_macro": _mean(2),
    "mse": _mse,
    "precision": _of_last(0),
    "precision_macro": _mean(0),
    "r2": _r2,
    "recall": _of_last(1),
    "recall_macro": _mean(1),
}


def should_rise(name: str) -> bool:
    """Returns whether larger values of this score are better."""
    return name != "mse"


def metric_function(names: List[str]) -> Callable[[np.ndarray, Any], List[Tuple[str, float]]]:
    """Returns the function that xgboost.train calls for these scores."""

    def evaluate(predictions: np.ndarray, data: Any) -> List[Tuple[str, float]]:
        labels = data.get_label()
        return [(name, SCORES[name](labels, predictions)) for name in names]

    return evaluate
