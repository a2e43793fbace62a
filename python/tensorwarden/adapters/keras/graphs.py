"""Values within a graph that is being traced: they exist only when the graph runs."""

from typing import Any, Callable, List, TypeVar

from tensorwarden.adapters.keras.tensors import tensorflow
from tensorwarden.troubles import say_once

Function = TypeVar("Function", bound=Callable[..., Any])


def as_it_is(function: Function) -> Function:
    """Marks what a traced function may call, for TensorFlow to leave its source alone."""
    function.autograph_info__ = {}  # type: ignore[attr-defined]
    return function


def is_symbolic(value: Any) -> bool:
    """Whether it has no value yet."""
    return getattr(value, "graph", None) is not None and not hasattr(value, "_numpy")


def can_call_python(what: str) -> bool:
    """Whether the graph that is traced now can call us when it runs; says why not."""
    tf = tensorflow()
    if _is_xla():
        say_once(
            f"{what} is not captured within tf.function(jit_compile=True), as XLA cannot call "
            "Python; leave jit_compile out"
        )
        return False
    context = tf.distribute.get_replica_context()
    if context is not None and context.num_replicas_in_sync > 1:
        say_once(
            f"{what} is not captured within a tf.function that runs on several replicas; use "
            "model.fit, or one replica"
        )
        return False
    return True


def call_when_run(function: Callable[..., None], values: List[Any]) -> Any:
    """Calls the function with the values whenever the graph runs; the operation that does so."""
    return tensorflow().py_function(function, [_tensor(value) for value in values], [])


def _tensor(value: Any) -> Any:
    held = getattr(value, "value", value)
    return tensorflow().convert_to_tensor(value if callable(held) else held)


def _is_xla() -> bool:
    """Whether the graph that is traced is compiled by XLA."""
    from tensorflow.python.ops import control_flow_util

    graph = tensorflow().compat.v1.get_default_graph()
    return bool(control_flow_util.GraphOrParentsInXlaContext(graph))
