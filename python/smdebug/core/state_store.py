"""States of the training, stored next to its checkpoints."""

from tensorwarden.sagemaker.state_store import StateStore

__all__ = [
    "StateStore",
]
