"""Replaces the functions that Keras calls for each batch, such as `model.train_function`.

A step in which nothing inside is due runs the function that Keras created. Other steps run a second
function, created by Keras from the same `train_step`, that also returns the requested tensors:
inputs and outputs of layers, gradients, labels. This works for compiled functions, including XLA,
as well as eager ones, and the first function never changes.
"""

import contextlib
import functools
from typing import Any, Callable, Dict, Iterator, NamedTuple, Tuple

from tensorwarden.adapters.keras.collector import Collector
from tensorwarden.adapters.keras.model import WatchedModel
from tensorwarden.adapters.keras.names import LABELS
from tensorwarden.adapters.keras.tensors import tensorflow
from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import logger, say_once

# Beyond this number of combinations of due collections, all share one function.
_MOST_FUNCTIONS = 4
_EVERY = -1  # For the function that returns everything that may be requested at a step.


class Kind(NamedTuple):
    """One of the three ways in which a model is run."""

    name: str
    mode: ModeKeys


KINDS = (
    Kind("train", ModeKeys.TRAIN),
    Kind("test", ModeKeys.EVAL),
    Kind("predict", ModeKeys.PREDICT),
)


class StepFunction:
    """Runs one batch and reports it to the hook."""

    def __init__(self, hook: Any, watched: WatchedModel, kind: Kind, plain: Any, make: Any):
        """`plain` is what Keras created; `make` creates it again, in the model."""
        self.plain = plain
        self.hook = hook
        self._watched = watched
        self._kind = kind
        self._make = make
        self._functions: Dict[int, Any] = {}
        self._asked: Dict[
            int, bool
        ] = {}  # By what is due: whether something inside a step is requested.
        self._run: set = set()
        functools.update_wrapper(self, plain, updated=())

    def __call__(self, data: Any) -> Any:
        hook = self.hook
        if hook.is_in_step:  # A model inside the step of another.
            return self.plain(data)
        due = hook.begin_batch(self._kind.mode)
        if not due:
            hook.is_in_step = True
            try:
                outputs = self.plain(data)
            except (StopIteration, tensorflow().errors.OutOfRangeError):
                hook.no_batch()
                raise
            finally:
                hook.is_in_step = False
            hook.end_quiet_batch(self._kind.mode, outputs)
            return outputs
        return self._run_due(due, data)

    def _run_due(self, due: int, data: Any) -> Any:
        hook = self.hook
        hook.is_in_step = True
        captured: Any
        try:
            function = self._capturing(due)
            if function is None:
                outputs, captured = self.plain(data), {}
            else:
                outputs, captured = self._try(function, data)
        except (StopIteration, tensorflow().errors.OutOfRangeError):
            hook.no_batch()
            raise
        finally:
            hook.is_in_step = False
        hook.end_batch(self._watched, self._kind.mode, outputs, captured)
        return outputs

    def _try(self, function: Any, data: Any) -> Tuple[Any, Any]:
        """Runs a capturing function, or the plain one if it cannot be traced."""
        try:
            result = function(data)
            self._run.add(function)
            return result["outputs"], result["captured"]
        except (StopIteration, tensorflow().errors.OutOfRangeError):
            raise
        except Exception as error:
            if function in self._run or self._watched.model.run_eagerly:
                raise  # An error of the training.
            outputs = self.plain(data)
            say_once(
                f"inputs, outputs and gradients of {self._watched.name} cannot be captured in "
                f"compiled model.fit: {type(error).__name__}: {error}"
            )
            self._asked = dict.fromkeys(self._asked, False)
            self._functions.clear()
            return outputs, {}

    # ---- Capturing functions.

    def _capturing(self, due: int) -> Any:
        """Returns the function for a step in which this is due; None if the plain one suffices."""
        try:
            if due not in self._asked:
                self._asked[due] = self._is_asked(due) and self._is_possible()
            if not self._asked[due] or self.hook.disabled:
                return None
            if due not in self._functions and len(self._functions) >= _MOST_FUNCTIONS:
                due = _EVERY
            if due not in self._functions:
                self._functions[due] = self._make_capturing(due)
            return self._functions[due]
        except Exception as error:
            self.hook.fail(error)
            return None

    def _is_asked(self, due: int) -> bool:
        return any(self.hook.matches(name) & due for name in self._watched.foreseen_names())

    def _is_possible(self) -> bool:
        model = self._watched.model
        several = getattr(model, "steps_per_execution", 1) > 1
        if several and (self._kind.name == "predict" or self._replicas() > 1):
            say_once(
                f"inputs and outputs of {model.name} are not captured; compile it with "
                "steps_per_execution=1"
            )
            return False
        return True

    def _replicas(self) -> int:
        return int(self._watched.model.distribute_strategy.num_replicas_in_sync)

    def _make_capturing(self, due: int) -> Any:
        model = self._watched.model
        logger.debug("tensorwarden: tracing %s again for capture", model.name)
        step_name = f"{self._kind.name}_step"
        step = self._capturing_step(getattr(model, step_name), due)
        if self._replicas() > 1:
            return _distributed(model, step)
        function_name = f"{self._kind.name}_function"
        with _replaced(model, {step_name: step, function_name: None}):
            self._make()
            made = getattr(model, function_name)

        def function(data: Any) -> Any:
            # Keras reads the step when it creates a function or when it first traces it.
            with _replaced(model, {step_name: step}):
                return made(data)

        return function

    def _capturing_step(self, step: Callable[[Any], Any], due: int) -> Callable[[Any], Any]:
        """Returns a step that also returns the requested tensors."""
        hook = self.hook
        watched = self._watched
        labelled = self._kind.mode is not ModeKeys.PREDICT

        @tensorflow().autograph.experimental.do_not_convert
        def capturing_step(data: Any) -> Any:
            collector = Collector(
                watched.names_by_id(),
                watched.variable_name,
                lambda name: bool(hook.matches(name) & due),
                hook.fail,
            )
            with collector.active():
                outputs = step(data)
            if labelled:
                collector.add_safely(LABELS, lambda: _labels(data))
            return {"outputs": outputs, "captured": collector.tensors}

        return capturing_step


def _labels(data: Any) -> Any:
    import keras

    return keras.utils.unpack_x_y_sample_weight(data)[1]


def _distributed(model: Any, step: Callable[[Any], Any]) -> Any:
    """Creates the function for a step on several replicas.

    Keras returns the mean over the replicas, which is right for metrics. For tensors this returns
    those of the first replica.
    """
    from keras.src.backend.tensorflow.trainer import reduce_per_replica

    tf = tensorflow()
    strategy = model.distribute_strategy

    @tf.autograph.experimental.do_not_convert
    def function(iterator: Any) -> Any:
        is_iterator = isinstance(iterator, (tf.data.Iterator, tf.distribute.DistributedIterator))
        data = iterator.get_next() if is_iterator else next(iterator)
        results = strategy.run(step, args=(data,))
        captured = {
            name: strategy.experimental_local_results(value)[0]
            for name, value in results["captured"].items()
        }
        outputs = reduce_per_replica(results["outputs"], strategy, reduction="auto")
        return {"outputs": outputs, "captured": captured}

    if model.run_eagerly:
        return function
    return tf.function(function, reduce_retracing=True, jit_compile=model.jit_compile)


@contextlib.contextmanager
def _replaced(owner: Any, values: Dict[str, Any]) -> Iterator[None]:
    """Replaces attributes of an object temporarily, without notifying Keras."""
    missing = object()
    before = {name: vars(owner).get(name, missing) for name in values}
    vars(owner).update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is missing:
                vars(owner).pop(name, None)
            else:
                vars(owner)[name] = value
