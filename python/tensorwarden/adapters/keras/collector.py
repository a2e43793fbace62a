"""Watches layers and optimizers while a step runs or is traced.

A step in which nothing of them is due uses the original Keras classes.
"""

import contextlib
from typing import Any, Callable, Dict, Iterator, List, Set, Tuple

from tensorwarden.adapters.keras.names import (
    ACTIVATION_INPUTS,
    INPUTS,
    PREDICTIONS,
    flat_tensors,
    gradient_name,
)
from tensorwarden.adapters.keras.roles import activation_of, is_fused
from tensorwarden.adapters.keras.tensors import tensorflow
from tensorwarden.adapters.keras.wrappers import active_collector, reporting_to
from tensorwarden.base.troubles import say_once

_NO_TENSORS = ("training", "mask")


class Collector:
    """The requested tensors of one step, by name."""

    def __init__(
        self,
        names: Dict[int, str],
        variable_name: Callable[[Any], str],
        wants: Callable[[str], bool],
        on_failure: Callable[[Exception], None],
    ):
        """`names` contains the layers' names by id; the name of the model itself is empty."""
        self.tensors: Dict[str, Any] = {}
        self._names = names
        self._variable_name = variable_name
        self._wants = wants
        self._on_failure = on_failure
        self._counts: Dict[str, int] = {}
        self._elsewhere: Set[str] = set()  # Names of tensors seen in other graphs.
        self._in_apply = False
        self._graph = _graph()

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Returns a context in which the layers and optimizers of this thread report here."""
        with reporting_to(self):
            yield
        self._guarded(self._tell_of_loops)

    def add(self, name: str, values: Any) -> None:
        """Adds a tensor with this name, or several with numbers. Repeated names continue the
        numbers."""
        leaves = [leaf for leaf in flat_tensors(values) if _is_tensor(leaf)]
        if _graph() is not self._graph:
            self._elsewhere.update([name] if leaves and self._wants(name) else ())
            return
        for leaf in leaves:
            count = self._counts.get(name, 0)
            self._counts[name] = count + 1
            full = name if count == 0 and len(leaves) == 1 else f"{name}_{count}"
            if self._wants(full):
                self._keep(full, leaf)

    def add_safely(self, name: str, look: Callable[[], Any]) -> None:
        """Adds like `add`, without raising. `look` returns the values."""
        self._guarded(lambda: self.add(name, look()))

    def add_gradients(self, gradients: Any, variables: Any, scale: Any = None) -> None:
        """Adds gradients with the names of their variables."""
        for gradient, variable in zip(gradients, variables):
            name = gradient_name(self._variable_name(variable))
            if gradient is None or not self._wants(name):
                continue
            gradient = dense(gradient)
            if scale is not None:
                gradient = gradient / tensorflow().cast(scale, gradient.dtype)
            self.add(name, _over_replicas(gradient))

    def call_layer(self, layer: Any, call: Any, args: Tuple[Any, ...], kwargs: Any) -> Any:
        """Calls a layer and records its inputs and outputs."""
        name = self._names.get(id(layer))
        if name is None:
            return call(layer, *args, **kwargs)
        if name:
            with self._activation_watched(layer, name):
                outputs = call(layer, *args, **kwargs)
        else:
            outputs = call(layer, *args, **kwargs)
        self._guarded(lambda: self._see_layer(name, args, kwargs, outputs))
        return outputs

    def apply_gradients(self, optimizer: Any, apply: Any, gradients: Any, variables: Any) -> Any:
        """Calls an optimizer and records the gradients, once for nested optimizers."""
        if self._in_apply:
            return apply(optimizer, gradients, variables)
        gradients = list(gradients)
        variables = None if variables is None else list(variables)
        self._in_apply = True
        try:
            self._guarded(
                lambda: self.add_gradients(
                    gradients,
                    _variables_of(optimizer) if variables is None else variables,
                    _scale_of(optimizer),
                )
            )
            return apply(optimizer, gradients, variables)
        finally:
            self._in_apply = False

    def _see_layer(self, name: str, args: Tuple[Any, ...], kwargs: Any, outputs: Any) -> None:
        given = [*args, *(v for key, v in kwargs.items() if key not in _NO_TENSORS)]
        self.add(f"{name}/inputs" if name else INPUTS, given)
        self.add(f"{name}/outputs" if name else PREDICTIONS, outputs)

    @contextlib.contextmanager
    def _activation_watched(self, layer: Any, name: str) -> Iterator[None]:
        key = f"{name}/{ACTIVATION_INPUTS}"
        activation = vars(layer).get("activation")
        if not (
            callable(activation)
            and activation_of(layer) is not None
            and is_fused(layer)
            and self._wants(key)
        ):
            yield
            return

        def watched(x: Any, *args: Any, **kwargs: Any) -> Any:
            current = active_collector()
            if current is not None:
                current.add_safely(key, lambda: x)
            return activation(x, *args, **kwargs)

        watched.__name__ = activation.__name__
        vars(layer)["activation"] = watched
        try:
            yield
        finally:
            vars(layer)["activation"] = activation

    def _keep(self, name: str, value: Any) -> None:
        tensor = dense(value)
        if self._graph is not None:
            tensor = tensorflow().convert_to_tensor(tensor)
            if tensor.graph is not self._graph:
                self._elsewhere.add(name)
                return
        self.tensors[name] = tensor

    def _tell_of_loops(self) -> None:
        """Reports values of other graphs, which cannot be read.

        In eager mode there are none, except those of layers that Keras builds.
        """
        for name in self._elsewhere - set(self.tensors) if self._graph is not None else ():
            say_once(
                f"'{name}' is not captured: it is computed in a loop, a branch or a nested "
                "function; compile with run_eagerly=True to capture it"
            )

    def _guarded(self, look: Callable[[], None]) -> None:
        try:
            look()
        except Exception as error:
            self._on_failure(error)


# ---- Queries of TensorFlow.


def _graph() -> Any:
    """Returns the graph being traced; None in eager mode."""
    tf = tensorflow()
    return None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()


def _is_tensor(value: Any) -> bool:
    tf = tensorflow()
    kinds = (tf.Tensor, tf.SparseTensor, tf.RaggedTensor, tf.IndexedSlices)
    return isinstance(value, kinds) or type(value).__name__ == "ndarray"


def dense(value: Any) -> Any:
    """Converts a sparse tensor to a dense one."""
    tf = tensorflow()
    if isinstance(value, tf.SparseTensor):
        return tf.sparse.todense(value)
    if isinstance(value, tf.RaggedTensor):
        return value.to_tensor()
    return tf.convert_to_tensor(value) if isinstance(value, tf.IndexedSlices) else value


def _over_replicas(gradient: Any) -> Any:
    """Returns the applied gradient: the sum over the replicas."""
    tf = tensorflow()
    context = tf.distribute.get_replica_context()
    if context is None or context.num_replicas_in_sync == 1:
        return gradient
    return context.all_reduce(tf.distribute.ReduceOp.SUM, gradient)


def _variables_of(optimizer: Any) -> List[Any]:
    inner = getattr(optimizer, "inner_optimizer", optimizer)
    return list(getattr(inner, "_trainable_variables", ()))


def _scale_of(optimizer: Any) -> Any:
    """Returns the factor of the loss, and thereby of the gradients; None if there is none."""
    if hasattr(optimizer, "initial_scale"):  # Scales dynamically once it is built.
        return getattr(optimizer, "dynamic_scale", optimizer.initial_scale)
    return getattr(optimizer, "loss_scale_factor", None)
