"""Observes Keras trainings: optimizers, frozen layers, what the loss receives, and the data.

Notes the same names as the observer of PyTorch, as far as Keras shows them
(docs/formats/training.md).
"""

import math
import os
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import keras
import numpy as np

from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.common.messages import inform
from tensorwarden.base.lines import calling_line
from tensorwarden.base.patching import Patches

_EARLY = 8  # Every step before this one is looked at.
_EVERY = 10
_MOST_VALUES = 1 << 18  # Of a weight, whose change is measured.
_MOST_DATA = 1 << 22  # Values of the data.
_WITH_LOGITS = (
    "sparse_softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits",
    "sigmoid_cross_entropy_with_logits",
)
_PASSING = ("Identity", "Reshape", "Cast", "Squeeze", "ExpandDims")  # They keep values.
_ACCURACIES = ("accuracy", "acc", "sparse_categorical_accuracy", "categorical_accuracy")


class KerasLoop:
    """Receives the reports of the wrappers. A failure ends the observation, and nothing else."""

    def __init__(self) -> None:
        self._off = os.environ.get("TENSORWARDEN_OBSERVE") != "1"
        self._journal = Journal()
        self._optimizer: Any = None
        self._created = 0
        self._steps = 0  # Of this optimizer.
        self._variables: List[Any] = []  # What it trains.
        self._trained: Set[int] = set()
        self._assigned: Set[int] = set()  # Variables that got values after their creation.
        self._constant: Dict[str, float] = {}  # Numbers that hold for each step.
        self._turn = 0
        self._before: Optional[Tuple[Any, np.ndarray]] = None

    def watch(self, patches: Patches) -> None:
        """Wraps the functions that are observed."""
        if self._off:
            return
        patches.put(keras.Variable, "assign", self._wrap_assign)
        if keras.backend.backend() == "tensorflow":
            import tensorflow as tf

            for name in _WITH_LOGITS:
                patches.put(tf.nn, name, self._wrap_loss)

    def _wrap_assign(self, original: Any) -> Any:
        def assign(variable: Any, *args: Any, **kwargs: Any) -> Any:
            self._assigned.add(id(variable))
            return original(variable, *args, **kwargs)

        assign.autograph_info__ = {}  # type: ignore[attr-defined]  # Read by TensorFlow.
        return assign

    def _wrap_loss(self, original: Any) -> Any:
        def loss(*args: Any, **kwargs: Any) -> Any:
            logits = kwargs.get("logits", args[1] if len(args) > 1 else None)
            self._guard(self._look_at_logits, logits)
            return original(*args, **kwargs)

        loss.autograph_info__ = {}  # type: ignore[attr-defined]  # Read by TensorFlow.
        return loss

    def _look_at_logits(self, logits: Any) -> None:
        """Looks at the graph: a softmax before a loss that has its own."""
        twice = _made_by(logits, ("Softmax", "Sigmoid"))
        self._constant["loss_input_is_probability"] = float(twice)
        if twice:
            self._journal.fact("loss_line", calling_line())

    # ---- Trainings.

    def begin_fit(self, model: Any, x: Any, y: Any, is_weighted: bool) -> None:
        """model.fit or train_on_batch begins."""
        self._guard(self._begin_fit, model, x, y, is_weighted)

    def _begin_fit(self, model: Any, x: Any, y: Any, is_weighted: bool) -> None:
        optimizer = getattr(model, "optimizer", None)
        if optimizer is not self._optimizer:
            self._constant.clear()
        self._train(optimizer, list(model.trainable_variables))
        self._note_layers(model)
        self._constant["loss_gets_logits"] = float(_lacks_softmax(model))
        if isinstance(x, np.ndarray) and np.issubdtype(x.dtype, np.floating) and x.size:
            self._look_at_data(model, x)
        if isinstance(y, np.ndarray) and not is_weighted:
            share = _label_share(y)
            if share is not None:
                self._constant["label_share"] = share

    def begin_apply(self, optimizer: Any, variables: List[Any]) -> None:
        """An optimizer is about to update variables, in a loop of the script."""
        self._guard(self._train, optimizer, variables)

    def _train(self, optimizer: Any, variables: List[Any]) -> None:
        self._variables = variables
        if optimizer is self._optimizer:
            return
        self._optimizer = optimizer
        self._created += 1
        self._steps = 0
        self._before = None
        note = self._journal
        note.note("optimizers_created", self._created)
        note.fact("framework", "keras")
        decay = getattr(optimizer, "weight_decay", None)
        row = {"class": type(optimizer).__name__, "line": None, "weight_decay": float(decay or 0)}
        note.fact("optimizers", [row])

    def _note_layers(self, model: Any) -> None:
        """Notes which variables of the layers are trained, and what the others hold."""
        parameters: List[List[Any]] = []
        frozen: Dict[str, str] = {}
        own: Set[int] = set()
        for layer in model._flatten_layers(include_self=True, recursive=True):
            for variable in getattr(layer, "_trainable_variables", ()):
                if id(variable) in own:
                    continue
                own.add(id(variable))
                name = f"{layer.name}/{variable.name}"
                parameters.append([name, type(layer).__name__, len(variable.shape)])
                if not variable.trainable:
                    frozen[name] = self._history(variable)
        self._journal.fact("parameters", parameters)
        self._journal.fact("frozen", frozen)
        self._trained.update(id(v) for v in model.trainable_variables)

    def _history(self, variable: Any) -> str:
        if id(variable) in self._trained:
            return "trained"
        return "loaded" if id(variable) in self._assigned else "initial"

    def _look_at_data(self, model: Any, x: np.ndarray) -> None:
        part = x.reshape(-1)[:_MOST_DATA]
        finite = part[np.isfinite(part)]
        self._journal.fact("data_not_finite", int(part.size - finite.size))
        if finite.size:
            self._constant["input_largest"] = float(np.abs(finite).max())
            self._constant["input_mean"] = float(finite.mean(dtype=np.float64))
            self._constant["input_deviation"] = float(finite.std(dtype=np.float64))
        first = next((v for v in model.layers if not isinstance(v, keras.layers.InputLayer)), None)
        name = type(first).__name__
        normalized = "Normalization" in name or name == "Rescaling"
        self._journal.fact("input_is_normalized", normalized)

    # ---- Steps.

    def step(self, hook: Any, outputs: Any = None) -> None:
        """A step of training begins. `outputs` are the metrics of the step before."""
        self._guard(self._step, hook, outputs)

    def _step(self, hook: Any, outputs: Any) -> None:
        note = self._journal.note
        if self._before is not None:
            variable, old = self._before
            self._before = None
            change = np.linalg.norm(_values(variable) - old)
            if math.isfinite(change):
                note("update_ratio", float(change / np.linalg.norm(old)))
        look = self._steps < _EARLY or self._steps % _EVERY == 0
        self._steps += 1
        note("optimizer_step", self._steps)
        if look:
            rate = getattr(self._optimizer, "learning_rate", None)
            if rate is not None:
                note("learning_rate", float(rate))
            for name, value in self._constant.items():
                note(name, value)
            self._note_accuracy(outputs)
            self._choose_weight()
        self._journal.save(hook)

    def _note_accuracy(self, outputs: Any) -> None:
        if not isinstance(outputs, dict) or "label_share" not in self._constant:
            return
        for name in _ACCURACIES:
            if name in outputs:
                self._journal.note("accuracy", float(outputs[name]))
                return

    def _choose_weight(self) -> None:
        matrices = [v for v in self._variables if len(v.shape) > 1]
        if not matrices:
            return
        variable = matrices[self._turn % len(matrices)]
        self._turn += 1
        old = _values(variable).copy()
        if np.linalg.norm(old) > 0:
            self._before = (variable, old)

    def _guard(self, method: Callable[..., None], *args: Any) -> None:
        if self._off:
            return
        try:
            method(*args)
        except Exception as error:
            self._off = True
            inform(f"the training loop is not observed: {type(error).__name__}: {error}")


def _values(variable: Any) -> np.ndarray:
    values: np.ndarray = keras.ops.convert_to_numpy(variable).reshape(-1)[:_MOST_VALUES]
    return values.astype(np.float32)


def _made_by(tensor: Any, kinds: Tuple[str, ...]) -> bool:
    """Returns whether a tensor of a graph is the result of one of these operations."""
    for _ in range(len(_PASSING)):
        operation = getattr(tensor, "op", None) if _is_in_graph(tensor) else None
        if operation is None:
            return False
        if operation.type in kinds:
            return True
        if operation.type not in _PASSING or not operation.inputs:
            return False
        tensor = operation.inputs[0]
    return False


def _is_in_graph(tensor: Any) -> bool:
    return hasattr(tensor, "graph") and not hasattr(tensor, "_numpy")


def _lacks_softmax(model: Any) -> bool:
    """Returns whether a cross entropy that expects probabilities gets the values of a layer without
    activation."""
    loss = getattr(model, "loss", None)
    name = loss if isinstance(loss, str) else type(loss).__name__
    if name.replace("_", "").lower() not in (
        "sparsecategoricalcrossentropy",
        "categoricalcrossentropy",
        "binarycrossentropy",
    ):
        return False
    if not isinstance(loss, str) and getattr(loss, "from_logits", True):
        return False
    outputs = getattr(model, "outputs", None) or []
    history = getattr(outputs[0], "_keras_history", None) if len(outputs) == 1 else None
    last = getattr(history, "operation", None)
    plain = isinstance(last, (keras.layers.Dense, keras.layers.Conv2D, keras.layers.Conv1D))
    return plain and getattr(last, "activation", None) is keras.activations.linear


def _label_share(y: np.ndarray) -> Optional[float]:
    """Returns the share of the most frequent class; None if the labels are not classes."""
    if y.size < 8 or y.size != len(y) or not np.issubdtype(y.dtype, np.integer) or y.min() < 0:
        return None
    counts = np.unique(y, return_counts=True)[1]
    return None if len(counts) > 1000 else float(counts.max() / y.size)
