"""Capture in Keras with smdebug's API: `import smdebug.tensorflow as smd`."""

from tensorwarden.adapters.keras.collection import Collection
from tensorwarden.adapters.keras.hook import KerasHook
from tensorwarden.adapters.keras.sessions import EstimatorHook, SessionHook
from tensorwarden.adapters.keras.singleton import del_hook, get_hook, set_hook
from tensorwarden.base.modes import ModeKeys as modes
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode
from tensorwarden.trial.opening import create_trial

__all__ = [
    "Collection",
    "CollectionKeys",
    "EstimatorHook",
    "KerasHook",
    "ReductionConfig",
    "SaveConfig",
    "SaveConfigMode",
    "SessionHook",
    "create_trial",
    "del_hook",
    "get_hook",
    "modes",
    "set_hook",
]
