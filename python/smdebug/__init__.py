"""The API of the smdebug library on top of Tensorwarden, for existing scripts and notebooks."""

from tensorwarden.base.modes import ModeKeys as modes
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.config.reduction_config import ReductionConfig
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode

# The smdebug version that this API corresponds to; scripts compare with it.
__version__ = "1.0.34"

__all__ = [
    "CollectionKeys",
    "ReductionConfig",
    "SaveConfig",
    "SaveConfigMode",
    "__version__",
    "modes",
]
