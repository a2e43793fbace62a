"""See `tensorwarden.adapters.pytorch.hook`."""

from tensorwarden.adapters.pytorch.collection import CollectionManager
from tensorwarden.adapters.pytorch.hook import Hook
from tensorwarden.collection import CollectionKeys
from tensorwarden.reduction_config import ReductionConfig
from tensorwarden.save_config import SaveConfig, SaveConfigMode

__all__ = [
    "CollectionKeys",
    "CollectionManager",
    "Hook",
    "ReductionConfig",
    "SaveConfig",
    "SaveConfigMode",
]
