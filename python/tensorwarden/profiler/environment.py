"""Settings from environment variables."""

from __future__ import annotations

import os

from tensorwarden.log import get_logger


def whole_number(variable: str, default: int) -> int:
    """A variable that counts something; anything but a whole number is reported and not used."""
    text = os.getenv(variable)
    if text is None:
        return default
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        get_logger().warning(f"{variable} is '{text}', not a number: {default} is used")
        return default
