"""The hook for Keras and TensorFlow 2."""

import contextlib
import re
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union

import keras

from tensorwarden.adapters.keras.collector import Collector
from tensorwarden.adapters.keras.graphs import (
    as_it_is,
    call_when_run,
    can_call_python,
    is_symbolic,
)
from tensorwarden.adapters.keras.install import install, uninstall
from tensorwarden.adapters.keras.model import WatchedModel
from tensorwarden.adapters.keras.names import INPUTS, PREDICTIONS
from tensorwarden.adapters.keras.roles import roles_of_model
from tensorwarden.adapters.keras.saving import SavingHook
from tensorwarden.adapters.keras.tensors import runs_on_tensorflow
from tensorwarden.collection import CollectionKeys
from tensorwarden.exceptions import SMDebugError
from tensorwarden.hook import BaseHook
from tensorwarden.modes import ModeKeys
from tensorwarden.profiler.step_timeline import PlainStepTimeline
from tensorwarden.reduction_config import ReductionConfig
from tensorwarden.troubles import logger

_WHAT = "capturing failed"
_TAPE_LOSS = re.compile(r"loss(_\d+)?")  # How a tape's targets are called.
_BATCH = "batch"  # The original's figure that tells the number of the batch, or of the epoch.


class KerasHook(SavingHook, keras.callbacks.Callback):
    """Captures weights, gradients, inputs, outputs, losses and metrics of Keras models.

        hook = KerasHook(out_dir="run", include_collections=["weights", "gradients"])
        model.fit(x, y, callbacks=[hook])

    A step is one batch of fit, evaluate or predict, or one use of a tape from wrap_tape."""

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
    ):
        keras.callbacks.Callback.__init__(self)
        SavingHook.__init__(
            self,
            out_dir,
            export_tensorboard,
            tensorboard_dir,
            dry_run,
            reduction_config,
            save_config,
            include_regex,
            include_collections,
            save_all,
            include_workers,
        )
        self.is_in_step = False  # What runs meanwhile belongs to that step.
        self.tape_mode = ModeKeys.TRAIN
        self._began_in_vain: Optional[ModeKeys] = None
        self._batch = 0
        self._epoch = 0
        self._is_fitting = False
        self._train_logs: Any = None
        self._awaited: Optional[ModeKeys] = None
        self._timeline: Optional[PlainStepTimeline] = PlainStepTimeline()

    # ---- Registration.

    def register_model(self, model: Any) -> None:
        """Captures a model from now on, also where it is trained without this hook among the
        callbacks. Models that have it there need not be registered."""
        if not isinstance(model, keras.Model):
            raise SMDebugError(f"{type(model).__name__} is no keras.Model")
        self._watch(model)

    def _watch(self, model: Any) -> None:
        if self.disabled and self._timeline is None:
            return
        self._watched = [watched for watched in self._watched if watched.model is not None]
        known = next((w for w in self._watched if w.model is model), None)
        try:
            if known is None:
                known = WatchedModel(model)
                self._watched.append(known)
                logger.info("tensorwarden: captures %s", known.name)
            self._roles.add(roles_of_model(known.layers()))
            if runs_on_tensorflow():
                install(self, known)
        except Exception as error:
            self._fail(f"{type(model).__name__} cannot be captured", error)

    @as_it_is
    def wrap_optimizer(self, optimizer: Any) -> Any:
        """Captures the optimizer's variables in a loop with wrap_tape; model.fit needs no such
        call. The optimizer itself is returned."""
        if not any(known is optimizer for known in self._optimizers):
            self._optimizers.append(optimizer)
        return optimizer

    @as_it_is
    def wrap_tape(self, tape: Any) -> Any:
        """Captures losses, gradients and weights of a loop written by hand:
        `with hook.wrap_tape(tf.GradientTape()) as tape:`. Each use of a tape is a step."""
        from tensorwarden.adapters.keras.tape import watch_tape

        if not hasattr(tape, "gradient"):
            raise SMDebugError(f"{tape!r} is no tf.GradientTape")
        try:
            return watch_tape(self, tape)
        except Exception as error:
            self._fail("the tape cannot be watched", error)
            return tape

    # ---- What Keras calls.

    def set_model(self, model: Any) -> None:
        """Keras says which model is about to run."""
        keras.callbacks.Callback.set_model(self, model)
        if isinstance(model, keras.Model):
            self._watch(model)

    def on_train_begin(self, logs: Any = None) -> None:
        """fit begins."""
        self._forget_plans()
        self._is_fitting = True
        self._train_logs = None

    def on_train_end(self, logs: Any = None) -> None:
        """fit ends; others may follow."""
        self._is_fitting = False

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """An epoch begins, before which a script may have changed its model."""
        self._forget_plans()
        self._epoch = epoch
        self._train_logs = None

    def on_test_begin(self, logs: Any = None) -> None:
        """Validation begins: the epoch's figures of training are saved with the last step of
        training, not among those of validation."""
        if self._is_fitting and self._train_logs is not None:
            figures, self._train_logs = self._train_logs, None
            self._save_figures_now(figures)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """The figures of an epoch are saved whatever is due."""
        self._epoch = epoch
        figures = dict(logs or {})
        if self._mode is ModeKeys.EVAL:
            figures = {name: v for name, v in figures.items() if name.startswith("val_")}
        self._train_logs = None
        self._save_figures_now(figures)

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """A batch of fit begins."""
        self._batch, self._awaited = batch, ModeKeys.TRAIN

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """A batch of evaluate begins."""
        self._batch, self._awaited = batch, ModeKeys.EVAL

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """A batch of predict begins."""
        self._batch, self._awaited = batch, ModeKeys.PREDICT

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """A batch of fit ends."""
        self._end_unseen_batch(logs)

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """A batch of evaluate ends."""
        self._end_unseen_batch(logs)

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """A batch of predict ends."""
        self._end_unseen_batch(None)

    def _end_unseen_batch(self, logs: Any) -> None:
        """For batches that did not run through us: Keras on something other than TensorFlow, or a
        loop that calls its callbacks by hand."""
        mode = self._awaited
        if mode is None:
            return
        if self.begin_batch(mode):
            model = self.model
            watched = next((w for w in self._watched if w.model is model), None)
            self.end_batch(watched, mode, logs, {})
        else:
            self.end_quiet_batch(mode, logs)

    # ---- What step functions and tapes call. None of it raises.

    def begin_batch(self, mode: ModeKeys) -> int:
        """Begins a step and tells what is due in it; 0 if nothing is."""
        self._awaited = None
        if self._timeline is not None:
            self._timeline.begin(mode)
        if self.disabled:
            return 0
        if self._began_in_vain is not None:
            began, self._began_in_vain = self._began_in_vain, None
            if began is mode:
                return self._due
        if self._mode is mode and self._quiet_steps > 0:
            self._quiet_steps -= 1
            self._untold_steps += 1
            self._due = 0
            return 0
        try:
            if self._mode is not mode:
                self.set_mode(mode)
            self._due = self._begin_step()
            return self._due
        except Exception as error:
            self._fail(_WHAT, error)
            return 0

    def no_batch(self) -> None:
        """There was no more data for the step that began: the next one takes its place."""
        self._began_in_vain = self._mode

    def end_quiet_batch(self, mode: ModeKeys, outputs: Any) -> None:
        """A step in which nothing is due has ended."""
        if mode is ModeKeys.TRAIN:
            self._train_logs = outputs
        self._batch += 1
        if self._timeline is not None:
            self._timeline.end()

    def end_batch(
        self, watched: Optional[WatchedModel], mode: ModeKeys, outputs: Any, captured: Any
    ) -> None:
        """Saves what is due of a step that has ended."""
        try:
            if not self.disabled:
                if mode is not ModeKeys.PREDICT and isinstance(outputs, dict):
                    self._save_figures({**outputs, _BATCH: self._batch})
                if captured:
                    self._save_named(captured)
                if watched is not None:
                    self._save_variables(watched, mode)
        except Exception as error:
            self._fail(_WHAT, error)
        self.end_quiet_batch(mode, outputs)

    def _save_figures_now(self, figures: Any) -> None:
        """At the end of an epoch."""
        if self.disabled or self._core is None or not isinstance(figures, dict) or not figures:
            return
        if self._began_in_vain is not None:
            # A step began, but there was no more data: it need not be if all is saved already.
            if self._figures.issuperset(figures):
                return
            self._began_in_vain = None
        try:
            self._save_figures({**figures, _BATCH: self._epoch}, now=True)
        except Exception as error:
            self._fail(_WHAT, error)

    def save_of_tape(self, tensors: Dict[str, Any]) -> None:
        """Saves what a tape has seen, by name."""
        if self.disabled or not self._due:
            return
        try:
            losses = {name: t for name, t in tensors.items() if _TAPE_LOSS.fullmatch(name)}
            self._save_figures(losses)
            self._save_named({n: t for n, t in tensors.items() if n not in losses})
        except Exception as error:
            self._fail(_WHAT, error)

    def fail(self, error: Exception) -> None:
        """Turns the hook off."""
        self._fail(_WHAT, error)

    # ---- Saving by hand.

    @as_it_is
    def save_scalar(
        self, name: str, value: Any, sm_metric: bool = False, timestamp: Optional[float] = None
    ) -> None:
        """Saves a number at the current step, as tensor "scalar/<name>"; within a tf.function,
        whenever that runs."""
        self._when_known(value, lambda v: BaseHook.save_scalar(self, name, v, sm_metric, timestamp))

    @as_it_is
    def save_tensor(
        self,
        tensor_name: str,
        tensor_value: Any,
        collections_to_write: Union[str, Sequence[str]] = CollectionKeys.DEFAULT,
    ) -> None:
        """Puts a tensor into these collections and saves it at the current step if one of them is
        due; within a tf.function, whenever that runs."""
        self._when_known(
            tensor_value, lambda v: BaseHook.save_tensor(self, tensor_name, v, collections_to_write)
        )

    def _when_known(self, value: Any, save: Callable[[Any], None]) -> None:
        if not is_symbolic(value):
            save(value)
        elif can_call_python("what save_scalar and save_tensor are given"):
            call_when_run(save, [value])

    @as_it_is
    def record_tensor_value(self, tensor_name: str, tensor_value: Any) -> None:
        """Saves a figure of the current step, in collection "metrics" or, if it is called a loss,
        "losses"."""
        if self.disabled or self._core is None:
            return
        try:
            self._when_known(tensor_value, lambda v: self._save_figures({tensor_name: v}))
        except Exception as error:
            self._fail(_WHAT, error)

    @as_it_is
    def save_tape_logs(self, model_inputs: Any = None, outputs: Any = None) -> None:
        """Saves what went into a model and what came out, in a loop with wrap_tape."""
        if self.disabled:
            return
        try:
            collector = Collector(
                {}, self.variable_name, lambda name: bool(self.matches(name)), self.fail
            )
            collector.add(INPUTS, model_inputs)
            collector.add(PREDICTIONS, outputs)
            names, tensors = list(collector.tensors), list(collector.tensors.values())
            if not any(is_symbolic(tensor) for tensor in tensors):
                self.save_of_tape(collector.tensors)
            elif can_call_python("what save_tape_logs is given"):
                call_when_run(lambda *v: self.save_of_tape(dict(zip(names, v))), tensors)
        except Exception as error:
            self._fail(_WHAT, error)

    # ---- The timeline.

    def profiling_start_batch(self, mode: ModeKeys = ModeKeys.TRAIN) -> None:
        """A step of a loop that is only profiled begins."""
        if self._timeline is not None:
            self._timeline.begin(mode)

    def profiling_end_batch(self, mode: ModeKeys = ModeKeys.TRAIN) -> None:
        """It ends."""
        if self._timeline is not None:
            self._timeline.end()

    def profiling_end(self) -> None:
        """The loop ends."""
        self.profiling_end_batch()

    @contextlib.contextmanager
    def profiler(self, mode: ModeKeys = ModeKeys.TRAIN) -> Iterator["KerasHook"]:
        """One step of a loop that is only profiled."""
        self.profiling_start_batch(mode)
        try:
            yield self
        finally:
            self.profiling_end_batch(mode)

    def _close_profiling(self) -> None:
        if self._timeline is not None:
            self._timeline.close()
            self._timeline = None

    def stand_back(self) -> None:
        """Does nothing more, for another hook has taken over."""
        self.disabled = True
        if self._timeline is not None:
            self._timeline.stop()
            self._timeline = None
        for watched in self._watched:
            uninstall(watched)
