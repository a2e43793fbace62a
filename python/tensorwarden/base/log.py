"""Configures the logger "smdebug" from the environment, once per process."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections import Counter

LOG_DUPLICATION_THRESHOLD = 3
LEVELS = {
    "info": logging.INFO,
    "debug": logging.DEBUG,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "off": logging.CRITICAL + 1,
}
_setup = threading.Lock()


class DuplicateLogFilter:
    """Drops a message after it was logged `LOG_DUPLICATION_THRESHOLD` times."""

    def __init__(self) -> None:
        self.msgs: Counter = Counter()
        self.repeat_threshold = LOG_DUPLICATION_THRESHOLD

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns whether the record is logged."""
        text = record.getMessage()
        self.msgs[text] += 1
        return self.msgs[text] <= self.repeat_threshold


class MaxLevelFilter(logging.Filter):
    """Passes records below `level`."""

    def __init__(self, level: int):
        super().__init__()
        self.level = level

    def filter(self, record: logging.LogRecord) -> bool:
        """Returns whether the record is logged."""
        return record.levelno < self.level


def _level() -> int:
    name = os.getenv("SMDEBUG_LOG_LEVEL", "info").lower()
    if name not in LEVELS:
        names = ", ".join(LEVELS)
        print(
            f"unknown SMDEBUG_LOG_LEVEL '{name}'; expected one of: {names}. Using info.",
            file=sys.stderr,
        )
    return LEVELS.get(name, logging.INFO)


def _handlers() -> list[logging.Handler]:
    standard = logging.StreamHandler(sys.stdout)
    handlers: list[logging.Handler] = [standard]
    if os.getenv("SMDEBUG_LOG_ALL_TO_STDOUT", "true").lower() == "false":
        standard.addFilter(MaxLevelFilter(logging.ERROR))
        errors = logging.StreamHandler(sys.stderr)
        errors.setLevel(logging.ERROR)
        handlers.append(errors)
    path = os.getenv("SMDEBUG_LOG_PATH")
    if path:
        handlers.append(logging.FileHandler(path))
    return handlers


def get_logger(name: str = "smdebug") -> logging.Logger:
    """Returns the logger with this name. The first call sets level, handlers and filters."""
    logger = logging.getLogger(name)
    with _setup:
        if not any(isinstance(known, DuplicateLogFilter) for known in logger.filters):
            context = os.getenv("SMDEBUG_LOG_CONTEXT", f"{socket.gethostname()}:{os.getpid()}")
            context = context.replace("%", "%%")
            layout = logging.Formatter(
                "[%(asctime)s.%(msecs)03d "
                + context
                + " %(levelname)s %(filename)s:%(lineno)d] %(message)s",
                datefmt="%Y-%m-%d %H:%M:%S",
            )
            for handler in _handlers():
                handler.setFormatter(layout)
                logger.addHandler(handler)
            logger.setLevel(_level())
            logger.addFilter(DuplicateLogFilter())
            logger.propagate = False
    return logger
