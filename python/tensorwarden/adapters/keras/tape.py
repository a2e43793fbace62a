"""A watched TensorFlow tape: a step of a custom training loop.

The tape gets its own class, derived from its class; other tapes are not changed. In an eager loop,
tensors are saved at once. In a traced loop, the graph asks the hook at each step whether something
is due and passes tensors only then.
"""

import contextlib
from typing import Any, Dict, List, Tuple

from tensorwarden.adapters.keras.collector import Collector, dense
from tensorwarden.adapters.keras.graphs import (
    as_it_is,
    call_when_run,
    can_call_python,
    is_symbolic,
)
from tensorwarden.adapters.keras.names import flat_tensors, gradient_name, unique
from tensorwarden.adapters.keras.tensors import tensorflow

_classes: Dict[Any, Any] = {}
_ANY = -1  # In a graph, which runs at many steps: everything that may be due at one of them.


def watch_tape(hook: Any, tape: Any) -> Any:
    """Returns the same tape, watched by the hook."""
    kind = type(tape)
    if hasattr(tape, "_tensorwarden"):
        tape._tensorwarden = TapeStep(hook)
        return tape
    if kind not in _classes:
        _classes[kind] = _watched_class(kind)
    tape._tensorwarden = TapeStep(hook)
    tape.__class__ = _classes[kind]
    return tape


def _watched_class(kind: Any) -> Any:
    class WatchedTape(kind):
        def __enter__(self) -> Any:
            self._tensorwarden.begin()
            return super().__enter__()

        def __exit__(self, *error: Any) -> Any:
            try:
                return super().__exit__(*error)
            finally:
                self._tensorwarden.end_forward(failed=error[0] is not None)

        @as_it_is
        def gradient(self, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
            gradients = super().gradient(target, sources, *args, **kwargs)
            self._tensorwarden.see_gradients(target, sources, gradients)
            return gradients

    WatchedTape.__name__ = kind.__name__
    return WatchedTape


class TapeStep:
    """Records one step of one tape. Nothing here raises into the training."""

    def __init__(self, hook: Any):
        self._hook = hook
        self._due: Any = 0  # A number or, in a graph, a tensor that is true if something is due.
        self._collector: Any = None
        self._watching = contextlib.ExitStack()
        self._losses = 0
        self._names: Dict[str, int] = {}  # Counts of names of weights and gradients.
        self._owns_step = False

    def begin(self) -> None:
        """Called when the tape is entered."""
        hook = self._hook
        self._due, self._collector, self._losses, self._names = 0, None, 0, {}
        if hook.is_in_step:
            return  # A step of model.fit, or a tape inside a tape.
        try:
            if tensorflow().executing_eagerly():
                self._due = hook.begin_batch(hook.tape_mode)
                due = self._due
            else:
                self._due = self._ask_in_graph()
                due = _ANY if is_symbolic(self._due) else 0
            self._owns_step = True
            hook.is_in_step = True
            if due:
                self._collector = Collector(
                    hook.layer_names(),
                    hook.variable_name,
                    lambda name: bool(hook.matches(name) & due),
                    hook.fail,
                )
                self._watching.enter_context(self._collector.active())
        except Exception as error:
            hook.fail(error)

    def end_forward(self, failed: bool) -> None:
        """Called when the tape is left."""
        if not self._owns_step:
            return
        self._owns_step = False
        self._hook.is_in_step = False
        try:
            self._watching.close()
            if self._collector is not None and not failed:
                self._save(dict(self._collector.tensors))
        except Exception as error:
            self._hook.fail(error)

    def see_gradients(self, target: Any, sources: Any, gradients: Any) -> None:
        """Records gradients. A persistent tape may compute them several times."""
        if self._collector is None:
            return
        try:
            self._see_gradients(target, sources, gradients)
        except Exception as error:
            self._hook.fail(error)

    def _see_gradients(self, target: Any, sources: Any, gradients: Any) -> None:
        hook = self._hook
        tensors: Dict[str, Any] = {}
        for loss in flat_tensors(target):
            tensors["loss" if self._losses == 0 else f"loss_{self._losses}"] = loss
            self._losses += 1
        pairs = [(v, g) for v, g in _pairs(sources, gradients) if _is_variable(v)]
        for variable, gradient in pairs:
            name = hook.variable_name(variable)
            if f"weights/{name}" not in self._names:
                tensors[unique(f"weights/{name}", self._names)] = variable
            if gradient is not None:
                tensors[unique(gradient_name(name), self._names)] = dense(gradient)
        wanted = {n: t for n, t in tensors.items() if n.startswith("loss") or hook.matches(n)}
        if self._losses == len(flat_tensors(target)):  # The first time.
            wanted.update(hook.optimizer_variables())
        self._save(wanted)

    def _save(self, tensors: Dict[str, Any]) -> None:
        tf = tensorflow()
        hook = self._hook
        if not is_symbolic(self._due):
            hook.save_of_tape(tensors)
            return
        names = list(tensors)

        def save() -> Any:
            def hand_over(*values: Any) -> None:
                hook.save_of_tape(dict(zip(names, values)))

            with tf.control_dependencies([call_when_run(hand_over, list(tensors.values()))]):
                return tf.constant(True)

        if names:
            tf.cond(self._due, save, lambda: tf.constant(False))

    def _ask_in_graph(self) -> Any:
        """Returns a tensor that is true, at each run of the graph, if something is due.

        Computing it starts the step. Returns 0 if the graph cannot call Python.
        """
        tf = tensorflow()
        hook = self._hook
        if hook.disabled or not can_call_python("a custom training loop"):
            return 0

        def begin() -> Any:
            return bool(hook.begin_batch(hook.tape_mode))

        due = tf.py_function(begin, [], tf.bool)
        due.set_shape(())
        return due


def _pairs(sources: Any, gradients: Any) -> List[Tuple[Any, Any]]:
    nest = tensorflow().nest
    return list(zip(nest.flatten(sources), nest.flatten(gradients)))


def _is_variable(source: Any) -> bool:
    return isinstance(source, tensorflow().Variable) or isinstance(
        getattr(source, "path", None), str
    )
