"""The logger."""

from tensorwarden.base.log import (
    LOG_DUPLICATION_THRESHOLD,
    DuplicateLogFilter,
    MaxLevelFilter,
    get_logger,
)

__all__ = [
    "DuplicateLogFilter",
    "LOG_DUPLICATION_THRESHOLD",
    "MaxLevelFilter",
    "get_logger",
]
