"""What happens when something of ours fails inside a training process: it is told once, and the
training goes on."""

import functools
import logging
import os
from typing import Any, Callable, Optional, Set, TypeVar

# Its own name: existing programs set up the logger "smdebug" for themselves.
logger = logging.getLogger("tensorwarden")

Function = TypeVar("Function", bound=Callable[..., Any])
_told: Set[str] = set()


def strict() -> bool:
    """Whether failures are raised into the training script: TENSORWARDEN_STRICT=1, for tests."""
    return os.environ.get("TENSORWARDEN_STRICT", "").lower() in ("1", "true", "yes")


def say_once(message: str) -> None:
    """Warns of something that capture cannot do; each message once in a process."""
    if message not in _told:
        _told.add(message)
        logger.warning("tensorwarden: %s", message)


def tell_failure(what: str, error: BaseException, advice: str) -> None:
    """Tells a failure with what to do about it; the traceback is there at level debug."""
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    logger.error("tensorwarden: %s: %s. %s", what, reason, advice)
    logger.debug("tensorwarden: the failure in full", exc_info=error)


class ErrorHandlingAgent:
    """The original's name for the one who catches; hooks here catch for themselves, this is for
    programs that ask."""

    _agent: Optional["ErrorHandlingAgent"] = None

    def __init__(self) -> None:
        self.hook: Any = None
        self.disable_smdebug = False

    @classmethod
    def get_error_handling_agent(cls) -> "ErrorHandlingAgent":
        """The only one."""
        if cls._agent is None:
            cls._agent = cls()
        return cls._agent

    def set_hook(self, hook: Any) -> None:
        """The hook that failures are about."""
        self.hook = hook

    def catch_smdebug_errors(
        self, default_return_val: Any = None, *_: Any, **__: Any
    ) -> Callable[[Function], Function]:
        """A decorator: failures are told, capture is off from then on, and the default returned."""

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

            return call  # type: ignore[return-value]

        return decorate


BASE_ERROR_MESSAGE = "Nothing further is captured; the training goes on"
