"""Capture in PyTorch with smdebug's API: `import smdebug.pytorch as smd`."""

from tensorwarden.adapters.pytorch.collection import Collection
from tensorwarden.adapters.pytorch.hook import Hook
from tensorwarden.adapters.pytorch.singleton import del_hook, get_hook, set_hook
from tensorwarden.collection import CollectionKeys
from tensorwarden.modes import ModeKeys as modes
from tensorwarden.reduction_config import ReductionConfig
from tensorwarden.save_config import SaveConfig, SaveConfigMode
from tensorwarden.trials import create_trial

__all__ = [
    "Collection",
    "CollectionKeys",
    "Hook",
    "ReductionConfig",
    "SaveConfig",
    "SaveConfigMode",
    "create_trial",
    "del_hook",
    "get_hook",
    "modes",
    "set_hook",
]
