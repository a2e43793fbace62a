"""States of the training beside its checkpoints."""

from tensorwarden.sagemaker.state_store import StateStore

__all__ = [
    "StateStore",
]
