"""The roles of tensors of a PyTorch model (see `tensorwarden.hook.roles`)."""

from typing import Any, Dict, Tuple

import torch
from torch import nn

from tensorwarden.adapters.pytorch.model import Model
from tensorwarden.hook.roles import (
    FIRST_EMBEDDING_INPUT,
    FIRST_INPUT,
    LABELS,
    PREDICTIONS,
    Roles,
    merge,
)

_ACTIVATIONS: Dict[str, Tuple[Any, ...]] = {
    "relu": (nn.ReLU, nn.ReLU6),
    "tanh": (nn.Tanh,),
    "sigmoid": (nn.Sigmoid,),
}
# Their second input is another sample, not a label.
_WITHOUT_LABELS = (
    nn.CosineEmbeddingLoss,
    nn.MarginRankingLoss,
    nn.TripletMarginLoss,
    nn.TripletMarginWithDistanceLoss,
)


def roles_of_model(model: Model) -> Roles:
    """Returns the roles of the captured tensors of a model."""
    roles: Roles = {FIRST_INPUT: [f"{model.name}_input_0"]}
    for module, name in model.captured_modules().items():
        if isinstance(module, nn.modules.loss._Loss):
            merge(roles, roles_of_loss(module, name))
        if FIRST_EMBEDDING_INPUT not in roles and _is_a(module, (nn.Embedding,)):
            roles[FIRST_EMBEDDING_INPUT] = [f"{name}_input_0"]
        for activation, classes in _ACTIVATIONS.items():
            if not _is_a(module, classes):
                continue
            merge(roles, {f"{activation}_output": [f"{name}_output_"]})
            # In place, the input already contains the output when it is captured.
            if not getattr(module, "inplace", False):
                merge(roles, {f"{activation}_input": [f"{name}_input_"]})
    return roles


def roles_of_loss(module: Any, name: str) -> Roles:
    """Returns the roles of the inputs of a loss module."""
    if isinstance(module, _WITHOUT_LABELS):
        return {}
    return {PREDICTIONS: [f"{name}_input_0"], LABELS: [f"{name}_input_1"]}


def _is_a(module: Any, classes: Tuple[Any, ...]) -> bool:
    if isinstance(module, torch.jit.ScriptModule):  # Only the name of its class is left.
        return getattr(module, "original_name", None) in [kind.__name__ for kind in classes]
    return isinstance(module, classes)
