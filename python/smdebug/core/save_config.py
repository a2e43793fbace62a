"""See `tensorwarden.save_config`."""

from tensorwarden.config.save_config import SaveConfig, SaveConfigMode

__all__ = ["SaveConfig", "SaveConfigMode"]
