"""Captures Keras trainings in unchanged scripts.

- model.fit or model.train_on_batch: the model is registered with a hook.
- optimizer.apply outside of those: a custom training loop. Its loss, gradients and weights are
  captured.
"""

import atexit
import functools
import inspect
from typing import Any, Dict, List, Optional

import keras

from tensorwarden.auto.common.automatic import AutomaticHook, guarded
from tensorwarden.auto.common.messages import inform
from tensorwarden.auto.keras_loop import KerasLoop
from tensorwarden.base.patching import Patches


class KerasCapture(AutomaticHook):
    """Receives the reports of the wrappers."""

    def __init__(self) -> None:
        super().__init__(keras)
        self.patches = Patches()
        self._applied = False
        self._in_apply = False
        self._loss: Any = None
        self.loop = KerasLoop()

    @guarded
    def begin_training(self, model: Any, arguments: Dict[str, Any]) -> Any:
        """Registers a model that is about to be trained and returns its hook. `arguments` are those
        of fit."""
        if self._need_hook() is not None:
            self.hook.register_model(model)
            weighted = any(arguments.get(n) is not None for n in ("class_weight", "sample_weight"))
            self.loop.begin_fit(model, arguments.get("x"), arguments.get("y"), weighted)
        return self.hook

    def _need_hook(self) -> Any:
        return self.hook if self.hook is not None else self.make_hook(_observing(self.loop))

    @guarded
    def note_loss(self, target: Any, sources: Any) -> None:
        """Remembers the tensor that a tape differentiates."""
        self._loss = target

    @guarded
    def note_gradients(
        self, optimizer: Any, gradients: List[Any], variables: Optional[List[Any]]
    ) -> None:
        """Captures a step of a custom loop when an optimizer is about to apply gradients."""
        from tensorwarden.adapters.keras.tape import TapeStep

        self._applied = True
        loss, self._loss = self._loss, None
        # Without a list of variables, the names of the gradients are unknown.
        if variables is None or (self.hook is not None and self.hook.is_in_step):
            return
        if self._need_hook() is None:
            return
        self.loop.begin_apply(optimizer, variables)
        step = TapeStep(self.hook)
        step.begin()
        step.end_forward(failed=False)
        step.see_gradients(loss if _is_reachable(loss) else [], variables, gradients)

    def at_exit(self) -> None:
        """Explains at exit why nothing was captured."""
        if self._applied and not self.off and (self.hook is None or self.hook.step < 0):
            inform(
                "a Keras training ran but could not be captured; use model.fit, or remove "
                "jit_compile and distribution from the loop's tf.function"
            )

    def stand_back(self) -> None:
        """Turns capture off because something else captures."""
        super().stand_back()
        self.patches.remove()


def _observing(loop: KerasLoop) -> Any:
    """Returns the class of a hook that tells the loop of each step."""
    from tensorwarden.adapters.keras.hook import KerasHook
    from tensorwarden.base.modes import ModeKeys

    class ObservingHook(KerasHook):
        def begin_batch(self, mode: ModeKeys) -> int:
            due = super().begin_batch(mode)
            if mode is ModeKeys.TRAIN and not self.disabled:
                loop.step(self, self._train_logs)
            return due

    return ObservingHook


def install() -> None:
    """Watches for trainings. keras must be imported."""
    capture = KerasCapture()
    capture.loop.watch(capture.patches)
    capture.patches.put(keras.Model, "fit", lambda fit: _watched_fit(capture, fit))
    capture.patches.put(keras.Model, "train_on_batch", lambda train: _watched_batch(capture, train))
    if keras.backend.backend() == "tensorflow":
        _watch_loops(capture)
    atexit.register(capture.at_exit)


def _watched_fit(capture: KerasCapture, original: Any) -> Any:
    signature = inspect.signature(original)

    def fit(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(self, *args, **kwargs)
        except TypeError:
            return original(self, *args, **kwargs)  # The original reports the wrong arguments.
        hook = capture.begin_training(self, given.arguments)
        if hook is None:
            return original(self, *args, **kwargs)
        given.arguments["callbacks"] = _with_hook(given.arguments.get("callbacks"), hook, self)
        return original(*given.args, **given.kwargs)

    return fit


def _with_hook(callbacks: Any, hook: Any, model: Any) -> Any:
    """Adds the hook before the script's callbacks, which may end the training within a step."""
    if isinstance(callbacks, keras.callbacks.CallbackList):
        if hook not in callbacks.callbacks:
            hook.set_model(model)
            callbacks.callbacks.insert(0, hook)
        return callbacks
    if callbacks is None:
        return [hook]
    given = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
    return given if hook in given else [hook, *given]


def _watched_batch(capture: KerasCapture, original: Any) -> Any:
    def train_on_batch(self: Any, *args: Any, **kwargs: Any) -> Any:
        capture.begin_training(self, {})
        return original(self, *args, **kwargs)

    return train_on_batch


# ---- Custom training loops.


def _watch_loops(capture: KerasCapture) -> None:
    import tensorflow as tf

    from tensorwarden.adapters.keras.wrappers import optimizer_classes

    for owner in optimizer_classes(keras):
        capture.patches.put(owner, "apply", functools.partial(_watched_apply, capture))
    capture.patches.put(tf.GradientTape, "gradient", lambda g: _watched_gradient(capture, g))


def _watched_apply(capture: KerasCapture, original: Any) -> Any:
    def apply(self: Any, grads: Any, trainable_variables: Any = None) -> Any:
        if capture.off or capture._in_apply:
            return original(self, grads, trainable_variables)
        grads = list(grads)
        variables = None if trainable_variables is None else list(trainable_variables)
        capture._in_apply = True
        try:
            capture.note_gradients(self, grads, variables)
            return original(self, grads, variables)
        finally:
            capture._in_apply = False

    apply.autograph_info__ = {}  # type: ignore[attr-defined]  # Read by TensorFlow.
    return apply


def _watched_gradient(capture: KerasCapture, original: Any) -> Any:
    def gradient(self: Any, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        capture.note_loss(target, sources)
        return original(self, target, sources, *args, **kwargs)

    gradient.autograph_info__ = {}  # type: ignore[attr-defined]  # Read by TensorFlow.
    return gradient


def _is_reachable(loss: Any) -> bool:
    """Returns whether a value can be read here: eagerly, or in the graph being traced."""
    import tensorflow as tf

    if loss is None:
        return False
    if tf.executing_eagerly():
        return hasattr(loss, "_numpy")
    return getattr(loss, "graph", None) is tf.compat.v1.get_default_graph()
