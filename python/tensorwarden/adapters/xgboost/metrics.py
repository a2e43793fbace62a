"""The figures by which a round is evaluated."""

from typing import Any, Iterator, Tuple

# Figures that rise as a model gets better, by the end of their names: they are no losses.
_RISING = ("auc", "map")


def latest(evals_log: Any) -> Iterator[Tuple[str, float]]:
    """What the last round came to, by "<data>-<metric>". Of a cross-validation, which has a mean
    and a deviation over its folds, the mean."""
    for data, metrics in (evals_log or {}).items():
        for metric, values in metrics.items():
            if len(values) == 0:
                continue
            value = values[-1]
            yield f"{data}-{metric}", float(value[0] if isinstance(value, tuple) else value)


def is_loss(name: str) -> bool:
    """Whether the figure falls as the model gets better, as the original tells it."""
    return not name.endswith(_RISING)
