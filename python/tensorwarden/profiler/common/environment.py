"""Settings from environment variables."""

from __future__ import annotations

import os

from tensorwarden.base.log import get_logger


def whole_number(variable: str, default: int) -> int:
    """Returns an integer setting. Any other value is reported and the default is used."""
    text = os.getenv(variable)
    if text is None:
        return default
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        get_logger().warning(f"{variable} is '{text}'; expected a number. Using {default}.")
        return default
