"""Capture in MXNet with smdebug's API: `import smdebug.mxnet as smd`."""

from tensorwarden.adapters.mxnet.collection import Collection
from tensorwarden.adapters.mxnet.hook import Hook
from tensorwarden.adapters.mxnet.singleton import del_hook, get_hook, set_hook
from tensorwarden.base.modes import ModeKeys as modes
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode
from tensorwarden.trial.opening import create_trial

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
