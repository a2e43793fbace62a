"""Values in a graph being traced: they exist only when the graph runs."""

from typing import Any, Callable, List, TypeVar

from tensorwarden.adapters.keras.tensors import tensorflow
from tensorwarden.base.troubles import say_once

Function = TypeVar("Function", bound=Callable[..., Any])


def as_it_is(function: Function) -> Function:
    """Marks a function that traced code may call, which stops TensorFlow from converting it."""
    function.autograph_info__ = {}  # type: ignore[attr-defined]  # Read by TensorFlow.
    return function


def is_symbolic(value: Any) -> bool:
    """Returns whether the value is not known yet."""
    return getattr(value, "graph", None) is not None and not hasattr(value, "_numpy")


def can_call_python(what: str) -> bool:
    """Returns whether the graph being traced can call Python when it runs; logs the reason if
    not."""
    tf = tensorflow()
    if _is_xla():
        say_once(
            f"{what} cannot be captured in tf.function(jit_compile=True), because XLA cannot call "
            "Python; remove jit_compile"
        )
        return False
    context = tf.distribute.get_replica_context()
    if context is not None and context.num_replicas_in_sync > 1:
        say_once(
            f"{what} cannot be captured in a tf.function that runs on several replicas; use "
            "model.fit or one replica"
        )
        return False
    return True


def call_when_run(function: Callable[..., None], values: List[Any]) -> Any:
    """Calls the function with the values whenever the graph runs; returns the operation."""
    return tensorflow().py_function(function, [_tensor(value) for value in values], [])


def _tensor(value: Any) -> Any:
    held = getattr(value, "value", value)
    return tensorflow().convert_to_tensor(value if callable(held) else held)


def _is_xla() -> bool:
    """Returns whether XLA compiles the graph being traced."""
    from tensorflow.python.ops import control_flow_util

    graph = tensorflow().compat.v1.get_default_graph()
    return bool(control_flow_util.GraphOrParentsInXlaContext(graph))
