"""The automatic hook of a process. It is created when training starts, and a failure disables
it."""

import functools
import logging
import os
import sys
from typing import Any, Callable, Optional, TypeVar

from tensorwarden.auto.common.messages import warn

Function = TypeVar("Function", bound=Callable[..., Any])

# The capture that owns the hook of this process: a run holds the training of one framework.
_owner: Optional["AutomaticHook"] = None


def guarded(method: Function) -> Function:
    """Decorates a method that framework code calls through a wrapper.

    The method belongs to an AutomaticHook or to an object with one as `capture`. It does nothing
    when capture is off. An exception turns capture off instead of reaching the framework.
    """

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        capture = getattr(self, "capture", self)
        if capture.off:
            return None
        pacer = getattr(capture.hook, "_pacer", None)
        if pacer is not None and not pacer.is_timed:
            pacer = None
        begin, spent = (0.0, 0.0) if pacer is None else (pacer.clock(), pacer.in_step)
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            capture.fail(error)
            return None
        finally:
            if pacer is not None:
                pacer.spend_since(begin, spent)

    return call  # type: ignore[return-value]  # It has the same signature.


class AutomaticHook:
    """Receives the reports of the wrappers; each framework has a subclass."""

    def __init__(self, framework: Any) -> None:
        """`framework` is the module, for its name and version."""
        self.off = False
        self.hook: Any = None
        self._framework = framework
        os.register_at_fork(after_in_child=self._after_fork)

    def make_hook(self, hook_class: Any) -> Any:
        """Creates the configured hook.

        Returns None and turns capture off if the script has its own hook or another framework is
        already captured.
        """
        from tensorwarden.hook import singleton

        global _owner
        if not singleton.enabled() or singleton.current_hook() is not None or _owner is not None:
            self.stand_back()
            return None
        if not os.environ.get("TENSORWARDEN_VERBOSE"):
            # A script that logs at INFO should not show messages of the hook.
            logging.getLogger("tensorwarden").setLevel(logging.WARNING)
        config_file = os.environ.get("SMDEBUG_CONFIG_FILE_PATH")
        if "TRAINING_JOB_NAME" in os.environ and config_file and not os.path.exists(config_file):  # noqa: PTH110
            # The job does not save tensors, but it may be profiled.
            if not os.path.exists(os.environ.get("SMPROFILER_CONFIG_PATH") or ""):  # noqa: PTH110
                self.stand_back()
                return None
            self.hook = hook_class(out_dir=f"{config_file}.none")
            self.hook.only_profile()
        else:
            self.hook = hook_class.create_from_json_file(config_file)
        _owner = self
        singleton.del_hook()  # The script must not find it.
        _close_with_multiprocessing(self.hook)
        self._watch_for_another()
        return self.hook

    def _watch_for_another(self) -> None:
        """Turns capture off if the script creates its own hook later."""
        from tensorwarden.hook.base import BaseHook

        original = BaseHook._set_up

        @functools.wraps(original)
        def set_up(hook: Any, *args: Any, **kwargs: Any) -> None:
            BaseHook._set_up = original  # type: ignore[method-assign]  # Restored.
            self.stand_back()
            original(hook, *args, **kwargs)

        BaseHook._set_up = set_up  # type: ignore[method-assign,assignment]  # Wrapped.

    def stand_back(self) -> None:
        """Turns capture off because something else captures."""
        self.off = True
        if self.hook is not None:
            self.hook.stand_back()
            self.hook = None

    def fail(self, error: Exception) -> None:
        """Reports the failure and turns capture off. The timeline continues."""
        self.off = True
        if self.hook is not None:
            self.hook.disabled = True
            self.hook = None
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        version = f"{self._framework.__name__} {getattr(self._framework, '__version__', '')}"
        warn(
            f"Capture disabled: {reason} (python {sys.version.split()[0]}, {version}). Training "
            "continues. Run 'warden doctor' to check the installation."
        )

    def _after_fork(self) -> None:
        # Data loader workers and other forked processes do not belong to the run. A process that
        # has not trained yet may fork processes that do.
        if self.hook is not None:
            self.off = True
            self.hook = None


def _close_with_multiprocessing(hook: Any) -> None:
    """Closes the hook at the end of a multiprocessing process, which skips atexit handlers."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.current_process().name != "MainProcess":
        from multiprocessing.util import Finalize

        Finalize(hook, hook.close, exitpriority=0)
