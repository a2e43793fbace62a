"""Captures XGBoost trainings. Every training calls `xgboost.train`, also from scikit-learn and
Dask.

A run holds one training: the first, and any that continue its model. Other trainings of a parameter
search or a cross-validation would make the losses appear to jump. For the same reason `xgboost.cv`
is not captured.
"""

import inspect
import numbers
import sys
from typing import Any, Dict, List, Optional, Set, Tuple

from tensorwarden.adapters.xgboost.hook import Hook
from tensorwarden.auto.common.automatic import AutomaticHook, guarded
from tensorwarden.auto.common.messages import inform
from tensorwarden.auto.xgboost_loop import XgboostLoop
from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.patching import Patches
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode

# The collections that the XGBoost report needs, and trees for the rules about them.
_CHOSEN = (
    CollectionKeys.FEATURE_IMPORTANCE,
    CollectionKeys.PREDICTIONS,
    CollectionKeys.LABELS,
    CollectionKeys.TREES,
)
_OURS = {
    *_CHOSEN,
    CollectionKeys.HYPERPARAMETERS,
    CollectionKeys.METRICS,
    CollectionKeys.AVERAGE_SHAP,
    CollectionKeys.FULL_SHAP,
}
# Rounds are fewer and longer than steps of a neural network. If `warden run` was given no interval,
# its default for steps is too long.
_INTERVAL = 5
_INTERVAL_OF_STEPS = 50

# Positional and keyword arguments.
Call = Tuple[Tuple[Any, ...], Dict[str, Any]]

# The modules that contain a reference to a training function, and its name.
_PLACES = (
    ("xgboost.training", "train"),
    ("xgboost", "train"),
    ("xgboost.sklearn", "train"),
    ("xgboost.dask", "worker_train"),
)


class _QuietHook(Hook):
    """A hook that does not report what it cannot capture, because the user did not request it."""

    quiet = True
    loop: Optional[XgboostLoop] = None

    def _record(self, model: Any, epoch: int, evals_log: Any) -> None:
        super()._record(model, epoch, evals_log)
        if self.loop is not None and not self.disabled:
            self.loop.after_round(self, model)


class Watcher(AutomaticHook):
    """Creates the hook when the first training starts."""

    def __init__(self, xgboost: Any) -> None:
        super().__init__(xgboost)
        self._told = False
        self._loop = XgboostLoop()

    @guarded
    def begin(self, parameters: List[str], call: Call) -> Optional[Call]:
        """Prepares the capture of a training.

        Returns the arguments to train with, or None if it is not captured. `parameters` are the
        names of the positional parameters.
        """
        args, kwargs = call
        arguments = {**dict(zip(parameters, args)), **kwargs}
        evals = arguments.get("evals")
        evals = (
            evals if isinstance(evals, (list, tuple)) else ()
        )  # Others may be consumed by iterating.
        if self.hook is None:
            made = self.make_hook(_QuietHook)
            if made is None:
                return None
            _choose_collections(made, bool(evals))
            made.loop = self._loop
        elif not self._goes_on(arguments.get("xgb_model")):
            self._tell_others()
            return None
        hook: Hook = self.hook
        hook.train_data = arguments.get("dtrain")
        hook.validation_data = evals[-1][0] if evals else None
        hook.hyperparameters = _hyperparameters(arguments)
        self._loop.begin(arguments, hook.hyperparameters)
        return _with_callback(hook, parameters, call)

    @guarded
    def end(self) -> None:
        """Releases the data of a training that has ended."""
        self._loop.end()
        if self.hook is not None:
            self.hook.train_data = self.hook.validation_data = None

    def _goes_on(self, model: Any) -> bool:
        """Returns whether the model is the captured one, as far as its rounds tell."""
        count = getattr(model, "num_boosted_rounds", None)
        return count is not None and count() == self.hook.step + 1

    def _tell_others(self) -> None:
        if not self._told:
            self._told = True
            inform("only the first XGBoost training is captured")


def install() -> None:
    """Wraps the training functions. xgboost must be imported."""
    xgboost = sys.modules["xgboost"]
    watcher = Watcher(xgboost)
    patches = Patches()

    def make(original: Any) -> Any:
        parameters = list(inspect.signature(original).parameters)

        def train(*args: Any, **kwargs: Any) -> Any:
            captured = watcher.begin(parameters, (args, kwargs))
            if captured is None:
                return original(*args, **kwargs)
            try:
                return original(*captured[0], **captured[1])
            finally:
                watcher.end()

        return train

    for module, name in _PLACES:
        if module in sys.modules:
            patches.put(sys.modules[module], name, make)


def _with_callback(hook: Hook, parameters: List[str], call: Call) -> Call:
    """Returns the arguments with the hook added to the callbacks, which old scripts pass by
    position."""
    args, kwargs = call
    place = parameters.index("callbacks")
    if place < len(args):
        return (*args[:place], [*(args[place] or ()), hook], *args[place + 1 :]), kwargs
    return args, {**kwargs, "callbacks": [*(kwargs.get("callbacks") or ()), hook]}


def _choose_collections(hook: Hook, has_evals: bool) -> None:
    """Adds what the report needs unless the configuration names XGBoost collections, and sets
    intervals suitable for rounds."""
    every = hook.save_config.get_save_config(ModeKeys.GLOBAL).save_interval
    named = (set(hook.include_collections) - {CollectionKeys.METRICS}) & _OURS
    if not named and not hook.save_all:
        hook.get_collection(CollectionKeys.METRICS).save_config = SaveConfig(save_interval=1)
        named = {
            name
            for name in _CHOSEN
            if has_evals or name not in (CollectionKeys.PREDICTIONS, CollectionKeys.LABELS)
        }
        hook.include_collections += [*named, CollectionKeys.HYPERPARAMETERS]
        _save_with(hook, named, every)
    if every == _INTERVAL_OF_STEPS:
        _save_with(hook, named, _INTERVAL)
    if CollectionKeys.HYPERPARAMETERS in hook.include_collections:
        first = SaveConfigMode(save_steps=[0], end_step=0)
        hook.get_collection(CollectionKeys.HYPERPARAMETERS).save_config = SaveConfig(
            {mode: first for mode in ModeKeys}
        )


def _save_with(hook: Hook, collections: Set[str], interval: int) -> None:
    for name in sorted(collections):
        hook.get_collection(name).save_config = SaveConfig(save_interval=interval)


def _hyperparameters(arguments: Dict[str, Any]) -> Dict[str, Any]:
    """Returns the hyperparameters that are numbers or text."""
    params = arguments.get("params")
    params = dict(params) if isinstance(params, (dict, list, tuple)) else {}
    params["num_boost_round"] = arguments.get("num_boost_round", 10)
    return {str(key): value for key, value in params.items() if _is_plain(value)}


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(part, str) for part in value)
    return isinstance(value, (str, numbers.Real))
