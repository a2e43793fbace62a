"""Handles failures inside a training process: each is logged once, and training continues."""

import functools
import logging
import os
from typing import Any, Callable, Optional, Set, TypeVar

# Not "smdebug", because existing scripts configure that logger.
logger = logging.getLogger("tensorwarden")

Function = TypeVar("Function", bound=Callable[..., Any])
_told: Set[str] = set()


def strict() -> bool:
    """Returns whether failures are raised into the training script: TENSORWARDEN_STRICT=1, for
    tests."""
    return os.environ.get("TENSORWARDEN_STRICT", "").lower() in ("1", "true", "yes")


def say_once(message: str) -> None:
    """Logs a warning, once per process for each message."""
    if message not in _told:
        _told.add(message)
        logger.warning("tensorwarden: %s", message)


def tell_failure(what: str, error: BaseException, advice: str) -> None:
    """Logs a failure that disabled capture. The traceback is logged at level DEBUG."""
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    logger.error("tensorwarden: Capture disabled: %s: %s. %s", what, reason, advice)
    logger.debug("tensorwarden: traceback of the failure", exc_info=error)


class ErrorHandlingAgent:
    """Catches errors for scripts that use smdebug's API. Hooks of this package do not need it."""

    _agent: Optional["ErrorHandlingAgent"] = None

    def __init__(self) -> None:
        self.hook: Any = None
        self.disable_smdebug = False

    @classmethod
    def get_error_handling_agent(cls) -> "ErrorHandlingAgent":
        """Returns the only instance."""
        if cls._agent is None:
            cls._agent = cls()
        return cls._agent

    def set_hook(self, hook: Any) -> None:
        """Sets the hook that failures refer to."""
        self.hook = hook

    def catch_smdebug_errors(
        self, default_return_val: Any = None, *_: Any, **__: Any
    ) -> Callable[[Function], Function]:
        """Returns a decorator that logs a failure, disables capture and returns the default.

        The default may be a function, which is called with the same arguments.
        """

        def decorate(function: Function) -> Function:
            @functools.wraps(function)
            def call(*args: Any, **kwargs: Any) -> Any:
                def default() -> Any:
                    if callable(default_return_val):
                        return default_return_val(*args, **kwargs)
                    return default_return_val

                if self.disable_smdebug:
                    return default()
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    if strict():
                        raise
                    self.disable_smdebug = True
                    tell_failure(f"{function.__qualname__} failed", error, BASE_ERROR_MESSAGE)
                    return default()

            return call  # type: ignore[return-value]  # It has the same signature.

        return decorate


BASE_ERROR_MESSAGE = "Training continues."
