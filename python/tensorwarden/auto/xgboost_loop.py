"""Observes XGBoost trainings: the learning rate, the balance of the labels, and predictions.

Notes the same names as the observer of PyTorch (docs/formats/training.md).
"""

import os
from typing import Any, Callable, Dict, Optional

import numpy as np

from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.common.messages import inform

_EARLY = 3
_EVERY = 5  # Rounds between two looks at predictions.
_MOST_ROWS = 1000
_DEFAULT_RATE = 0.3  # Of XGBoost.


class XgboostLoop:
    """Notes what is known of a training. A failure ends the observation, and nothing else."""

    def __init__(self) -> None:
        self._off = os.environ.get("TENSORWARDEN_OBSERVE") != "1"
        self._journal = Journal()
        self._rate: Optional[float] = None
        self._objective = ""
        self._sample: Any = None  # Rows of the training data.
        self._share: Optional[float] = None
        self._rounds = 0

    def begin(self, arguments: Dict[str, Any], params: Dict[str, Any]) -> None:
        """A training begins."""
        self._guard(self._begin, arguments, params)

    def _begin(self, arguments: Dict[str, Any], params: Dict[str, Any]) -> None:
        self._journal.fact("framework", "xgboost")
        self._journal.fact("rounds", int(params.get("num_boost_round", 10)))
        self._journal.fact("booster", str(params.get("booster", "gbtree")))
        self._rate = float(params.get("eta", params.get("learning_rate", _DEFAULT_RATE)))
        self._objective = str(params.get("objective", ""))
        data = arguments.get("dtrain")
        classes = self._objective.startswith(("multi:", "binary:"))
        weighted = float(params.get("scale_pos_weight", 1) or 1) != 1
        # Only a plain matrix can be cut.
        if data is None or type(data).__name__ != "DMatrix" or not classes or weighted:
            return
        labels = data.get_label()
        if len(labels) < 8:
            return
        weights = data.get_weight()
        totals = np.bincount(
            labels.astype(np.int64), weights=weights if len(weights) == len(labels) else None
        )
        self._share = float(totals.max() / totals.sum())
        self._journal.note("classes", max(2, len(totals)))
        rows = np.linspace(0, len(labels) - 1, min(len(labels), _MOST_ROWS)).astype(np.int32)
        self._sample = data.slice(np.unique(rows))

    def end(self) -> None:
        """Releases the data of a training that has ended."""
        self._sample = None

    def after_round(self, hook: Any, model: Any) -> None:
        """A round has ended."""
        self._guard(self._after_round, hook, model)

    def _after_round(self, hook: Any, model: Any) -> None:
        self._rounds += 1
        if self._rate is not None:
            self._journal.note("learning_rate", self._rate)
        if self._sample is not None and (self._rounds <= _EARLY or self._rounds % _EVERY == 0):
            self._look_at_predictions(model)
        self._journal.save(hook)

    def _look_at_predictions(self, model: Any) -> None:
        values = np.asarray(model.predict(self._sample))
        if values.ndim == 2:
            predicted = values.argmax(axis=1)
        elif self._objective == "binary:logitraw":
            predicted = (values > 0).astype(np.int64)
        else:
            predicted = np.rint(values).astype(np.int64)
        labels = self._sample.get_label()
        counts = np.unique(predicted, return_counts=True)[1]
        self._journal.note("predicted_share", float(counts.max() / predicted.size))
        self._journal.note("label_share", self._share or 1.0)
        self._journal.note("accuracy", float((predicted == labels).mean()))

    def _guard(self, method: Callable[..., None], *args: Any) -> None:
        if self._off:
            return
        try:
            method(*args)
        except Exception as error:
            self._off = True
            inform(f"the training loop is not observed: {type(error).__name__}: {error}")
