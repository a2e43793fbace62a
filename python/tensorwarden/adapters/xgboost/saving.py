"""Saves the requested results of a round of boosting."""

import json
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Set

import numpy as np

from tensorwarden import _core
from tensorwarden.adapters.xgboost.importance import KINDS, importances
from tensorwarden.adapters.xgboost.metrics import is_loss, latest
from tensorwarden.adapters.xgboost.sink import Sink
from tensorwarden.adapters.xgboost.trees import COLUMNS, tree_at, trees_of_round
from tensorwarden.base.troubles import say_once, strict
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.config.collection_manager import CollectionManager

# smdebug's name for the constant part of a prediction.
_BIAS = "bias"
_BUILTIN = {c["name"]: c["include_regex"] for c in json.loads(_core.builtin_collections("xgboost"))}


class Sources(NamedTuple):
    """The data that the user passed to the hook; None if not given."""

    hyperparameters: Any
    train_data: Any
    validation_data: Any


class Choices(NamedTuple):
    """Options of the hook, and whether it reports what is missing."""

    shap_by_feature: bool
    all_trees: bool
    quiet: bool


class _Part(NamedTuple):
    """A collection: its possible names, its source, and the function that saves it."""

    names: Callable[[Any], Iterable[str]]
    source: str  # The required argument of the hook; "" if none.
    save: Callable[[Any], None]


class RoundSaver:
    """Saves the rounds of one hook. A part that fails is reported and skipped from then on."""

    def __init__(
        self, core: Any, collections: CollectionManager, to_save: Iterable[str], choices: Choices
    ):
        self._sink = Sink(core)
        self._choices = choices
        self._sources = Sources(None, None, None)
        self._masks: Dict[str, int] = {}  # What must be due for a part to be requested.
        self._left_out: Set[str] = set()
        # Patterns of the built-in collections miss names that XGBoost creates, such as
        # "validation_0-logloss". Metrics are therefore added explicitly unless the user selected
        # them.
        self._by_hand = [
            name
            for name in (CollectionKeys.METRICS, CollectionKeys.LOSSES)
            if name in to_save and collections.get(name).include_regex in ([], _BUILTIN[name])
        ]
        self._parts = self._make_parts()

    def _make_parts(self) -> Dict[str, _Part]:
        keys = CollectionKeys

        def named(*names: str) -> Callable[[Any], Iterable[str]]:
            return lambda _: names

        def shap_names(part: str) -> Callable[[Any], Iterable[str]]:
            return lambda model: self._shap_names(model, part)

        return {
            keys.HYPERPARAMETERS: _Part(
                self._hyperparameter_names, "hyperparameters", self._save_hyperparameters
            ),
            keys.PREDICTIONS: _Part(
                named(keys.PREDICTIONS), "validation_data", self._save_predictions
            ),
            keys.LABELS: _Part(named(keys.LABELS), "validation_data", self._save_labels),
            keys.FEATURE_IMPORTANCE: _Part(_importance_names, "", self._save_importance),
            keys.AVERAGE_SHAP: _Part(shap_names(keys.AVERAGE_SHAP), "train_data", self._save_shap),
            keys.FULL_SHAP: _Part(shap_names(keys.FULL_SHAP), "train_data", self._save_shap),
            keys.TREES: _Part(named(*(f"trees/{c}" for c in COLUMNS)), "", self._save_trees),
        }

    def save(self, model: Any, evals_log: Any, due: int, sources: Sources) -> None:
        """Saves what is due at the end of a round. `model` is a Booster or a cross-validation."""
        self._sources = sources
        self._save_metrics(evals_log)
        if not hasattr(model, "get_score"):
            self._say("only the mean metrics of a cross-validation are captured")
            return
        done = set()
        for name, part in self._parts.items():
            if name in self._left_out or not self._mask(name, part, model) & due:
                continue
            if part.source and getattr(sources, part.source) is None:
                self._leave_out(name, f"the hook has no {part.source}")
            elif part.save not in done:
                done.add(part.save)
                self._save_part(name, part, model)

    def _save_part(self, name: str, part: _Part, model: Any) -> None:
        try:
            part.save(model)
        except Exception as error:
            if strict():
                raise
            reason = str(error).split("\n")[0] or type(error).__name__
            self._leave_out(name, reason)

    def _leave_out(self, name: str, reason: str) -> None:
        self._left_out.add(name)
        self._say(f"'{name}' is not captured: {reason}")

    def _say(self, text: str) -> None:
        if not self._choices.quiet:
            say_once(text)

    def _mask(self, name: str, part: _Part, model: Any) -> int:
        if name not in self._masks:
            mask = 0
            for tensor in part.names(model):
                mask |= self._sink.matches(tensor)
            self._masks[name] = mask
        return self._masks[name]

    # ---- Parts.

    def _save_metrics(self, evals_log: Any) -> None:
        for name, value in latest(evals_log):
            array = np.array([value])
            collections = [c for c in self._by_hand if c != CollectionKeys.LOSSES or is_loss(name)]
            if collections:
                self._sink.into(collections, name, array)
            else:
                self._sink.one(name, array)

    def _hyperparameter_names(self, _: Any) -> List[str]:
        return [f"hyperparameters/{key}" for key in self._sources.hyperparameters or ("any",)]

    def _save_hyperparameters(self, _: Any) -> None:
        for key, value in self._sources.hyperparameters.items():
            array = np.atleast_1d(np.array(value))
            if array.dtype.kind in "biufUS" and array.size:
                self._sink.one(f"hyperparameters/{key}", array)
            elif value is not None:
                self._say(f"hyperparameter '{key}' is not captured: its value is {value!r}")

    def _save_predictions(self, model: Any) -> None:
        self._sink.one(CollectionKeys.PREDICTIONS, model.predict(self._sources.validation_data))

    def _save_labels(self, _: Any) -> None:
        labels = self._sources.validation_data.get_label()
        if labels.size == 0:
            raise ValueError("validation_data has no labels")
        self._sink.one(CollectionKeys.LABELS, labels)

    def _save_importance(self, model: Any) -> None:
        names: List[str] = []
        values: List[np.ndarray] = []
        for kind, (features, scores) in importances(model).items():
            names += [f"feature_importance/{kind}/{feature}" for feature in features]
            values += [scores[i : i + 1] for i in range(len(features))]
        self._sink.many(names, values)

    def _shap_names(self, model: Any, part: str) -> List[str]:
        # "f0" stands for any feature: the pattern skips names that are added explicitly.
        anyone = ["f0"] if self._choices.shap_by_feature else []
        return [f"{part}/{name}" for name in (*feature_names(model), _BIAS, *anyone)]

    def _save_shap(self, model: Any) -> None:
        """Saves both kinds of SHAP values from one computation."""
        shap = model.predict(self._sources.train_data, pred_contribs=True)
        features = [*feature_names(model), _BIAS]
        means = shap.mean(axis=tuple(range(shap.ndim - 1)))
        average = [f"average_shap/{name}" for name in features]
        full = [f"full_shap/{name}" for name in features]
        self._save_columns(average, [means[i : i + 1] for i in range(len(features))])
        if self._choices.shap_by_feature:
            self._save_columns(full, [shap[..., i] for i in range(len(features))])
        else:
            self._sink.many(full, [shap] * len(features))

    def _save_columns(self, names: List[str], values: List[np.ndarray]) -> None:
        """Saves the columns in order; the last is the constant part."""
        collection = names[0].partition("/")[0]
        if self._choices.shap_by_feature and self._masks.get(collection):
            for name, value in zip(names[:-1], values):
                self._sink.into([collection], name, value)
            names, values = names[-1:], values[-1:]
        self._sink.many(names, [np.ascontiguousarray(value) for value in values])

    def _save_trees(self, model: Any) -> None:
        rounds = model.num_boosted_rounds()
        table = (trees_of_round if self._choices.all_trees else tree_at)(model, rounds - 1)
        for column, values in table.items():
            self._sink.one(f"trees/{column}", values)


def feature_names(model: Any) -> List[str]:
    """Returns the user's names, or "f0", "f1" and so on."""
    return list(model.feature_names or (f"f{i}" for i in range(model.num_features())))


def _importance_names(model: Any) -> Iterable[str]:
    features = feature_names(model)
    return (f"feature_importance/{kind}/{name}" for kind in KINDS for name in features)
