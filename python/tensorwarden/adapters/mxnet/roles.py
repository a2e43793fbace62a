"""The roles of tensors of a Gluon model (see `tensorwarden.hook.roles`).

Some are found by Gluon's names, such as "dense0_relu_output_0" for an activation inside a layer. A
separate block is named "relu0", and blocks can have any name.
"""

from typing import Any, Dict

from mxnet.gluon import loss, nn

from tensorwarden.hook.roles import (
    FIRST_EMBEDDING_INPUT,
    FIRST_INPUT,
    LABELS,
    PREDICTIONS,
    Roles,
    merge,
)

_ACTIVATIONS = ("relu", "tanh", "sigmoid")
# Their second input is another sample, not a label.
_WITHOUT_LABELS = (loss.CosineEmbeddingLoss, loss.SDMLLoss, loss.TripletLoss)


def roles_of_model(root: Any, blocks: Dict[Any, str]) -> Roles:
    """Returns the roles of the inputs and outputs of a model's blocks."""
    roles: Roles = {FIRST_INPUT: [f"{root.name}_input_0"]}
    for block, name in blocks.items():
        if isinstance(block, loss.Loss):
            merge(roles, roles_of_loss(block))
        if FIRST_EMBEDDING_INPUT not in roles and isinstance(block, nn.Embedding):
            roles[FIRST_EMBEDDING_INPUT] = [f"{name}_input_0"]
        kind = getattr(block, "_act_type", None) if isinstance(block, nn.Activation) else None
        if kind in _ACTIVATIONS:
            merge(
                roles, {f"{kind}_output": [f"{name}_output_"], f"{kind}_input": [f"{name}_input_"]}
            )
    return roles


def roles_of_loss(block: Any) -> Roles:
    """Returns the roles of the inputs of a loss."""
    if isinstance(block, _WITHOUT_LABELS):
        return {}
    return {PREDICTIONS: [f"{block.name}_input_0"], LABELS: [f"{block.name}_input_1"]}
