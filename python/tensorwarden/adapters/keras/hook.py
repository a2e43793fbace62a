"""The hook for Keras and TensorFlow 2."""

import contextlib
import re
from typing import Any, Callable, Dict, Iterator, Optional, Sequence, Union

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
from tensorwarden.adapters.keras.profiling import the_tracer
from tensorwarden.adapters.keras.roles import roles_of_model
from tensorwarden.adapters.keras.saving import SavingHook
from tensorwarden.adapters.keras.tensors import runs_on_tensorflow
from tensorwarden.base.exceptions import SMDebugError
from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import logger
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.hook.base import BaseHook
from tensorwarden.hook.options import HookOptions
from tensorwarden.profiler.recording.step_timeline import PlainStepTimeline
from tensorwarden.sagemaker.framework import FRAMEWORK

_WHAT = "error while capturing a step"
_TAPE_LOSS = re.compile(r"loss(_\d+)?")  # Names of a tape's targets.
_BATCH = "batch"  # smdebug's name for the number of the batch or epoch.


class KerasHook(SavingHook, keras.callbacks.Callback):
    """Captures weights, gradients, inputs, outputs, losses and metrics of Keras models.

    ```python
    hook = KerasHook(out_dir="run", include_collections=["weights", "gradients"])
    model.fit(x, y, callbacks=[hook])
    ```

    A step is one batch of fit, evaluate or predict, or one use of a tape from wrap_tape. See
    `BaseHook` for the arguments.
    """

    def _set_up(self, collection_manager: Any, options: HookOptions) -> None:
        keras.callbacks.Callback.__init__(self)
        super()._set_up(collection_manager, options)
        self.is_in_step = False  # What runs now belongs to that step.
        self.tape_mode = ModeKeys.TRAIN
        self._began_in_vain: Optional[ModeKeys] = None
        self._batch = 0
        self._epoch = 0
        self._is_fitting = False
        self._train_logs: Any = None
        self._awaited: Optional[ModeKeys] = None
        self._timeline: Optional[PlainStepTimeline] = PlainStepTimeline(
            FRAMEWORK.TENSORFLOW, the_tracer if runs_on_tensorflow() else None
        )

    # ---- Registration.

    def register_model(self, model: Any) -> None:
        """Captures a model that is trained without this hook among the callbacks.

        Models that have it there need not be registered. Raises SMDebugError for anything but a
        model.
        """
        if not isinstance(model, keras.Model):
            raise SMDebugError(f"model is {type(model).__name__}; expected a keras.Model")
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
                logger.info("tensorwarden: capturing %s", known.name)
            self._roles.add(roles_of_model(known.layers()))
            if runs_on_tensorflow():
                install(self, known)
        except Exception as error:
            self._fail(f"cannot capture {type(model).__name__}", error)

    @as_it_is
    def wrap_optimizer(self, optimizer: Any) -> Any:
        """Captures the variables of an optimizer in a loop with wrap_tape. Returns the optimizer.

        model.fit does not need this call.
        """
        if not any(known is optimizer for known in self._optimizers):
            self._optimizers.append(optimizer)
        return optimizer

    @as_it_is
    def wrap_tape(self, tape: Any) -> Any:
        """Captures losses, gradients and weights of a custom training loop.

        Use it as `with hook.wrap_tape(tf.GradientTape()) as tape:`. Each use of a tape is a step.
        Raises SMDebugError for anything but a tape.
        """
        from tensorwarden.adapters.keras.tape import watch_tape

        if not hasattr(tape, "gradient"):
            raise SMDebugError(f"tape is {tape!r}; expected a tf.GradientTape")
        try:
            return watch_tape(self, tape)
        except Exception as error:
            self._fail("cannot watch the tape", error)
            return tape

    # ---- Called by Keras.

    def set_model(self, model: Any) -> None:
        """Called with the model that is about to run."""
        keras.callbacks.Callback.set_model(self, model)
        if isinstance(model, keras.Model):
            self._watch(model)

    def on_train_begin(self, logs: Any = None) -> None:
        """Called when fit begins."""
        self._forget_plans()
        self._is_fitting = True
        self._train_logs = None

    def on_train_end(self, logs: Any = None) -> None:
        """Called when fit ends; it may be called again."""
        self._is_fitting = False
        if self._timeline is not None:
            self._timeline.rest()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Called when an epoch begins. The script may have changed its model before."""
        self._forget_plans()
        self._epoch = epoch
        self._train_logs = None

    def on_test_begin(self, logs: Any = None) -> None:
        """Called when validation begins.

        Saves the epoch's training metrics with the last training step, not with those of
        validation.
        """
        if self._is_fitting and self._train_logs is not None:
            metrics, self._train_logs = self._train_logs, None
            self._save_metrics_now(metrics)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Called when an epoch ends. Saves its metrics, whether due or not."""
        self._epoch = epoch
        metrics = dict(logs or {})
        if self._mode is ModeKeys.EVAL:
            metrics = {name: v for name, v in metrics.items() if name.startswith("val_")}
        self._train_logs = None
        self._save_metrics_now(metrics)

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called when a batch of fit begins."""
        self._batch, self._awaited = batch, ModeKeys.TRAIN

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called when a batch of evaluate begins."""
        self._batch, self._awaited = batch, ModeKeys.EVAL

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Called when a batch of predict begins."""
        self._batch, self._awaited = batch, ModeKeys.PREDICT

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called when a batch of fit ends."""
        self._end_unseen_batch(logs)

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called when a batch of evaluate ends."""
        self._end_unseen_batch(logs)

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Called when a batch of predict ends."""
        self._end_unseen_batch(None)

    def _end_unseen_batch(self, logs: Any) -> None:
        """Ends a batch that did not run through a step function: with another backend than
        TensorFlow, or in a loop that calls its callbacks directly."""
        mode = self._awaited
        if mode is None:
            return
        if self.begin_batch(mode):
            model = self.model
            watched = next((w for w in self._watched if w.model is model), None)
            self.end_batch(watched, mode, logs, {})
        else:
            self.end_quiet_batch(mode, logs)

    # ---- Called by step functions and tapes. None of it raises.

    def begin_batch(self, mode: ModeKeys) -> int:
        """Starts a step. Returns what is due; 0 if nothing is."""
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
        """Called when there was no data for the step that started; the next one takes its place."""
        self._began_in_vain = self._mode

    def end_quiet_batch(self, mode: ModeKeys, outputs: Any) -> None:
        """Ends a step in which nothing is due."""
        if mode is ModeKeys.TRAIN:
            self._train_logs = outputs
        self._batch += 1
        if self._timeline is not None:
            self._timeline.end()

    def end_batch(
        self, watched: Optional[WatchedModel], mode: ModeKeys, outputs: Any, captured: Any
    ) -> None:
        """Saves what is due at the end of a step."""
        try:
            if not self.disabled:
                if mode is not ModeKeys.PREDICT and isinstance(outputs, dict):
                    self._save_metrics({**outputs, _BATCH: self._batch})
                if captured:
                    self._save_named(captured)
                if watched is not None:
                    self._save_variables(watched, mode)
        except Exception as error:
            self._fail(_WHAT, error)
        self.end_quiet_batch(mode, outputs)

    def _save_metrics_now(self, metrics: Any) -> None:
        """Saves metrics at the end of an epoch."""
        if self.disabled or self._core is None or not isinstance(metrics, dict) or not metrics:
            return
        if self._began_in_vain is not None:
            # A step started without data. It is not needed if everything is saved already.
            if self._saved_metrics.issuperset(metrics):
                return
            self._began_in_vain = None
        try:
            self._save_metrics({**metrics, _BATCH: self._epoch}, now=True)
        except Exception as error:
            self._fail(_WHAT, error)

    def save_of_tape(self, tensors: Dict[str, Any]) -> None:
        """Saves the tensors that a tape has recorded, by name."""
        if self.disabled or not self._due:
            return
        try:
            losses = {name: t for name, t in tensors.items() if _TAPE_LOSS.fullmatch(name)}
            self._save_metrics(losses)
            self._save_named({n: t for n, t in tensors.items() if n not in losses})
        except Exception as error:
            self._fail(_WHAT, error)

    def fail(self, error: Exception) -> None:
        """Turns the hook off and logs the error."""
        self._fail(_WHAT, error)

    # ---- Saving explicitly.

    @as_it_is
    def save_scalar(
        self, name: str, value: Any, sm_metric: bool = False, timestamp: Optional[float] = None
    ) -> None:
        """Saves a number at the current step, as tensor "scalar/<name>".

        In a tf.function, saves it whenever the function runs.
        """
        self._when_known(value, lambda v: BaseHook.save_scalar(self, name, v, sm_metric, timestamp))

    @as_it_is
    def save_tensor(
        self,
        tensor_name: str,
        tensor_value: Any,
        collections_to_write: Union[str, Sequence[str]] = CollectionKeys.DEFAULT,
    ) -> None:
        """Adds a tensor to these collections and saves it at the current step if one of them is
        due.

        In a tf.function, saves it whenever the function runs.
        """
        self._when_known(
            tensor_value, lambda v: BaseHook.save_tensor(self, tensor_name, v, collections_to_write)
        )

    def _when_known(self, value: Any, save: Callable[[Any], None]) -> None:
        if not is_symbolic(value):
            save(value)
        elif can_call_python("a value passed to save_scalar or save_tensor"):
            call_when_run(save, [value])

    @as_it_is
    def record_tensor_value(self, tensor_name: str, tensor_value: Any) -> None:
        """Saves a metric of the current step, in collection "metrics" or, for losses, "losses"."""
        if self.disabled or self._core is None:
            return
        try:
            self._when_known(tensor_value, lambda v: self._save_metrics({tensor_name: v}))
        except Exception as error:
            self._fail(_WHAT, error)

    @as_it_is
    def save_tape_logs(self, model_inputs: Any = None, outputs: Any = None) -> None:
        """Saves the inputs and outputs of a model, in a loop with wrap_tape."""
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
            elif can_call_python("a value passed to save_tape_logs"):
                call_when_run(lambda *v: self.save_of_tape(dict(zip(names, v))), tensors)
        except Exception as error:
            self._fail(_WHAT, error)

    # ---- The timeline.

    def profiling_start_batch(self, mode: ModeKeys = ModeKeys.TRAIN) -> None:
        """Starts a step of a loop that is only profiled."""
        if self._timeline is not None:
            self._timeline.begin(mode)

    def profiling_end_batch(self, mode: ModeKeys = ModeKeys.TRAIN) -> None:
        """Ends a step of a loop that is only profiled."""
        if self._timeline is not None:
            self._timeline.end()

    def profiling_end(self) -> None:
        """Ends a loop that is only profiled."""
        self.profiling_end_batch()

    @contextlib.contextmanager
    def profiler(self, mode: ModeKeys = ModeKeys.TRAIN) -> Iterator["KerasHook"]:
        """Returns a context for one step of a loop that is only profiled."""
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
        """Stops capturing, because another hook has taken over."""
        self.disabled = True
        if self._timeline is not None:
            self._timeline.stop()
            self._timeline = None
        for watched in self._watched:
            uninstall(watched)
