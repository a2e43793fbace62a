"""The roles of tensors of a Keras model (see `tensorwarden.hook.roles`)."""

from typing import Any, Iterable, Tuple

from tensorwarden.adapters.keras.names import ACTIVATION_INPUTS
from tensorwarden.hook.roles import (
    FIRST_EMBEDDING_INPUT,
    FIRST_INPUT,
    LABELS,
    PREDICTIONS,
    Roles,
    merge,
)

ACTIVATIONS = ("relu", "tanh", "sigmoid")
# Layers that only apply an activation.
_PLAIN_LAYERS = {"ReLU": "relu", "Activation": None}


def roles_of_model(layers: Iterable[Tuple[str, Any]]) -> Roles:
    """Returns the roles of the captured tensors of a model with these layers, given by name."""
    roles: Roles = {
        FIRST_INPUT: ["inputs", "inputs_0"],
        LABELS: ["labels", "labels_"],
        PREDICTIONS: ["predictions", "predictions_"],
    }
    for name, layer in layers:
        if FIRST_EMBEDDING_INPUT not in roles and _is_embedding(layer):
            roles[FIRST_EMBEDDING_INPUT] = [f"{name}/inputs"]
        activation = activation_of(layer)
        if activation is None:
            continue
        inputs = ACTIVATION_INPUTS if is_fused(layer) else "inputs"
        merge(roles, {f"{activation}_output": [f"{name}/outputs", f"{name}/outputs_"]})
        merge(roles, {f"{activation}_input": [f"{name}/{inputs}", f"{name}/{inputs}_"]})
    return roles


def activation_of(layer: Any) -> Any:
    """Returns "relu", "tanh" or "sigmoid" if the layer's outputs come from one; else None."""
    kind = type(layer).__name__
    if _PLAIN_LAYERS.get(kind) is not None:
        return _PLAIN_LAYERS[kind]
    function = getattr(layer, "activation", None)
    name = getattr(function, "__name__", None)
    # A recurrent layer applies its activation at each time step to values that are not visible.
    if hasattr(layer, "recurrent_activation") or hasattr(layer, "cell"):
        return None
    return name if name in ACTIVATIONS else None


def is_fused(layer: Any) -> bool:
    """Returns whether the layer computes the input of its activation."""
    return type(layer).__name__ not in _PLAIN_LAYERS


def _is_embedding(layer: Any) -> bool:
    return any(kind.__name__ == "Embedding" for kind in type(layer).__mro__)
