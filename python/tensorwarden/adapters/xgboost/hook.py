"""The hook for XGBoost."""

from typing import Any, Dict, List, Optional, Sequence, Union

import xgboost

from tensorwarden.adapters.xgboost.collection import CollectionManager
from tensorwarden.adapters.xgboost.data import to_matrix
from tensorwarden.adapters.xgboost.saving import Choices, RoundSaver, Sources
from tensorwarden.adapters.xgboost.workers import find_place
from tensorwarden.base.exceptions import SMDebugTypeError
from tensorwarden.base.troubles import say_once
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig
from tensorwarden.hook.base import BaseHook
from tensorwarden.hook.options import HookOptions
from tensorwarden.profiler.recording.step_timeline import PlainStepTimeline
from tensorwarden.sagemaker.framework import FRAMEWORK

_WHAT = "error while capturing a round"
_DEFAULT_INTERVAL = 10
_WHOLE = ReductionConfig(save_raw_tensor=True).to_json_dict()


class Hook(BaseHook, xgboost.callback.TrainingCallback):
    """Captures metrics, predictions, feature importance, SHAP values and trees of each round.

    ```python
    hook = Hook(out_dir="run", include_collections=["feature_importance"])
    xgboost.train(params, data, evals=[(data, "train")], callbacks=[hook])
    ```

    A step is a round of boosting. Tensors are saved as in smdebug, with two options. With
    `shap_by_feature`, "full_shap/<feature>" contains the column of that feature instead of the
    whole matrix, and no feature is skipped because of the last letter of its name. With
    `all_trees`, "trees" contains all trees of the round, of which there are several with several
    classes, instead of only the tree with the number of the round. See `BaseHook` for the other
    arguments.
    """

    framework = "xgboost"
    # Whether to suppress messages about what cannot be captured, if the user did not request it.
    quiet = False

    def __init__(
        self,
        out_dir: Optional[str] = None,
        export_tensorboard: bool = False,
        tensorboard_dir: Optional[str] = None,
        dry_run: bool = False,
        reduction_config: Optional[ReductionConfig] = None,
        save_config: Any = None,
        include_regex: Optional[Union[str, List[str]]] = None,
        include_collections: Optional[Sequence[Any]] = None,
        save_all: bool = False,
        include_workers: str = "one",
        hyperparameters: Optional[Dict[str, Any]] = None,
        train_data: Any = None,
        validation_data: Any = None,
        shap_by_feature: bool = False,
        all_trees: bool = False,
    ):
        if hyperparameters is not None and not isinstance(hyperparameters, dict):
            raise SMDebugTypeError(f"hyperparameters is {hyperparameters!r}; expected a dictionary")
        self.hyperparameters = hyperparameters
        self.train_data = to_matrix(train_data, "train_data")
        self.validation_data = to_matrix(validation_data, "validation_data")
        options = HookOptions(
            out_dir,
            export_tensorboard,
            tensorboard_dir,
            dry_run,
            self._without_reductions(reduction_config, "reduction_config"),
            SaveConfig(save_interval=_DEFAULT_INTERVAL) if save_config is None else save_config,
            include_regex,
            include_collections,
            save_all,
            include_workers,
        )
        self._set_up(CollectionManager(), options)
        self._choices = Choices(bool(shap_by_feature), bool(all_trees), self.quiet)
        self._saver: Optional[RoundSaver] = None
        self._first_step: Optional[int] = None  # Of the training's first round.
        self._begun: Optional[int] = None  # A round that has not been recorded yet.
        self._evals_log: Any = None
        # Continues when capture has failed; None when another hook has taken over.
        self._timeline: Optional[PlainStepTimeline] = PlainStepTimeline(FRAMEWORK.XGBOOST)

    @classmethod
    def hook_from_config(cls, json_config_path: Optional[str] = None) -> "Hook":
        """Creates a hook from a configuration file; another name for create_from_json_file."""
        return cls.create_from_json_file(json_config_path)

    @property
    def worker(self) -> str:
        """The name of this worker: "worker_<rank>"."""
        return f"worker_{find_place().rank}"

    def _get_num_workers(self) -> int:
        return find_place().size

    # ---- Called by XGBoost.

    def before_training(self, model: Any) -> Any:
        """Called when a training begins."""
        self._begun = self._first_step = None
        return model

    def before_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Called when a round begins. Callbacks have saved what belongs to the previous round."""
        if self._is_copy():
            return False
        if self._timeline is not None:
            self._timeline.begin(self._mode)
        if self.disabled:
            return False
        try:
            self._end_round()
            self._begun, self._evals_log = epoch, evals_log
        except Exception as error:
            self._fail(_WHAT, error)
        return False

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Called when a round has ended. Returns False: it never stops the training."""
        if self._is_copy():
            return False
        self._begun = None
        if not self.disabled:
            self._record(model, epoch, evals_log)
        if self._timeline is not None:
            self._timeline.end()
        return False

    def after_training(self, model: Any) -> Any:
        """Called when a training has ended.

        If an earlier callback stopped the training, its last round is recorded here, because
        XGBoost does not call later callbacks in this case.
        """
        if self._is_copy():
            return model
        epoch, self._begun = self._begun, None
        if epoch is not None and not self.disabled:
            self._record(model, epoch, self._evals_log)
            if self._timeline is not None:
                self._timeline.end()
        self._evals_log = None
        try:
            self._end_round()
        except Exception as error:
            self._fail(_WHAT, error)
        return model

    def _is_copy(self) -> bool:
        """Returns whether this is a copy in another process, which has no state and does
        nothing."""
        return "_choices" not in self.__dict__

    # ---- Rounds.

    def _step_of(self, model: Any, epoch: int) -> int:
        """Returns the number of the round that has ended.

        A model that is trained further continues its count. Steps continue after earlier trainings
        of the same run.
        """
        if self._first_step is None:
            count = getattr(model, "num_boosted_rounds", None)
            self._first_step = max(self.step + 1, 0 if count is None else count() - 1) - epoch
        return self._first_step + epoch

    def _record(self, model: Any, epoch: int, evals_log: Any) -> None:
        try:
            due = self._begin_step(self._step_of(model, epoch))
            if due:
                if self._saver is None:
                    names = [collection.name for collection in self._collections_to_save()]
                    self._saver = RoundSaver(
                        self._core, self.collection_manager, names, self._choices
                    )
                sources = Sources(self.hyperparameters, self.train_data, self.validation_data)
                self._saver.save(model, evals_log, due, sources)
        except Exception as error:
            self._fail(_WHAT, error)

    def _end_round(self) -> None:
        if self._raw_core is not None and not self.disabled:
            self._raw_core.end_step()

    def _prepare(self) -> None:
        for collection in self.collection_manager.get_collections().values():
            what = f"the reduction_config of collection '{collection.name}'"
            config = self._without_reductions(collection.reduction_config, what)
            collection.reduction_config = config
        super()._prepare()

    def _without_reductions(
        self, config: Optional[ReductionConfig], what: str
    ) -> Optional[ReductionConfig]:
        """Returns a configuration without reductions: most tensors are single numbers or text."""
        if not isinstance(config, ReductionConfig) or config.to_json_dict() == _WHOLE:
            return config
        if not self.quiet:
            say_once(f"{what} is ignored: XGBoost tensors are saved with all values")
        return ReductionConfig(save_raw_tensor=True)

    # ---- The timeline.

    def _close_profiling(self) -> None:
        if self._timeline is not None:
            self._timeline.close()
            self._timeline = None

    def stand_back(self) -> None:
        """Stops capturing, because another hook has taken over."""
        self.disabled = True
        if self._timeline is not None:
            self._timeline.stop()
            self._timeline = None
