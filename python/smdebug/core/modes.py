"""See `tensorwarden.modes`."""

from tensorwarden.base.modes import ModeKeys

ALLOWED_MODES = list(ModeKeys)
ALLOWED_MODE_NAMES = [mode.name for mode in ModeKeys]


def str_to_mode_keys(mode_str: str) -> ModeKeys:
    """Returns the mode with this name. Raises KeyError for an unknown name."""
    return ModeKeys[mode_str.strip()]


__all__ = ["ALLOWED_MODES", "ALLOWED_MODE_NAMES", "ModeKeys", "str_to_mode_keys"]
