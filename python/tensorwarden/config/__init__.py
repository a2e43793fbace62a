"""What is saved, of which tensors, and when."""

from tensorwarden.config.collection import Collection, CollectionKeys
from tensorwarden.config.collection_manager import CollectionManager
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode

__all__ = [
    "Collection",
    "CollectionKeys",
    "CollectionManager",
    "ReductionConfig",
    "SaveConfig",
    "SaveConfigMode",
]
