"""See `tensorwarden.adapters.mxnet.hook`."""

from tensorwarden.adapters.mxnet.collection import CollectionManager
from tensorwarden.adapters.mxnet.hook import Hook
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
