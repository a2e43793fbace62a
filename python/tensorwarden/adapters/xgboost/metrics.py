"""The evaluation metrics of a round."""

from typing import Any, Iterator, Tuple

# Endings of metrics that increase as a model improves; they are not losses.
_RISING = ("auc", "map")


def latest(evals_log: Any) -> Iterator[Tuple[str, float]]:
    """Yields the metrics of the last round by "<data>-<metric>".

    For a cross-validation, which has a mean and a deviation over its folds, yields the mean.
    """
    for data, metrics in (evals_log or {}).items():
        for metric, values in metrics.items():
            if len(values) == 0:
                continue
            value = values[-1]
            yield f"{data}-{metric}", float(value[0] if isinstance(value, tuple) else value)


def is_loss(name: str) -> bool:
    """Returns whether the metric decreases as the model improves, by smdebug's definition."""
    return not name.endswith(_RISING)
