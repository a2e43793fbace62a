"""See `tensorwarden.adapters.pytorch.hook`."""

from tensorwarden.adapters.pytorch.collection import CollectionManager
from tensorwarden.adapters.pytorch.hook import Hook
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode

__all__ = [
    "CollectionKeys",
    "CollectionManager",
    "Hook",
    "ReductionConfig",
    "SaveConfig",
    "SaveConfigMode",
]
