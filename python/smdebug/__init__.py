"""The names of the original library over Tensorwarden, for scripts and notebooks written for it."""

from tensorwarden.collection import CollectionKeys
from tensorwarden.modes import ModeKeys as modes
from tensorwarden.reduction_config import ReductionConfig
from tensorwarden.save_config import SaveConfig, SaveConfigMode

# Of the original library that this stands for: scripts compare with it.
__version__ = "1.0.34"

__all__ = [
    "CollectionKeys",
    "ReductionConfig",
    "SaveConfig",
    "SaveConfigMode",
    "__version__",
    "modes",
]
