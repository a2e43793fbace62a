"""Decides whether hooks may be created."""

from tensorwarden.sagemaker.framework import (
    ConfigValidator,
    SupportedFrameworks,
    get_config_validator,
    reset_config_validator,
)

__all__ = [
    "ConfigValidator",
    "SupportedFrameworks",
    "get_config_validator",
    "reset_config_validator",
]
