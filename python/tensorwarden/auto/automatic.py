"""The automatic hook of a process: made when something is first trained, and off for good when
anything is in its way."""

import functools
import logging
import os
import sys
from typing import Any, Callable, Optional, TypeVar

from tensorwarden.auto.messages import warn

Function = TypeVar("Function", bound=Callable[..., Any])

# Who has made the hook of this process: a run holds what one framework trains.
_owner: Optional["AutomaticHook"] = None


def guarded(method: Function) -> Function:
    """A method that the framework's own code calls through us, of an AutomaticHook or of something
    that has one as `capture`: it does nothing when capture is off, and turns it off rather than
    raise."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        capture = getattr(self, "capture", self)
        if capture.off:
            return None
        try:
            return method(self, *args, **kwargs)
        except Exception as error:
            capture.fail(error)
            return None

    return call  # type: ignore[return-value]


class AutomaticHook:
    """What the wrappers around a framework report to; each framework has its own kind of it."""

    def __init__(self, framework: Any) -> None:
        """framework: the module, for its name and version."""
        self.off = False
        self.hook: Any = None
        self._framework = framework
        os.register_at_fork(after_in_child=self._after_fork)

    def make_hook(self, hook_class: Any) -> Any:
        """A hook as configured; None, and capture is off, if the script has its own, or if another
        framework's trainings are captured already."""
        from tensorwarden import singleton

        global _owner
        if not singleton.enabled() or singleton._hook is not None or _owner is not None:
            self.stand_back()
            return None
        if not os.environ.get("TENSORWARDEN_VERBOSE"):
            # A script that shows everybody's progress should not show ours.
            logging.getLogger("tensorwarden").setLevel(logging.WARNING)
        config_file = os.environ.get("SMDEBUG_CONFIG_FILE_PATH")
        if "TRAINING_JOB_NAME" in os.environ and config_file and not os.path.exists(config_file):  # noqa: PTH110
            self.stand_back()  # The job asks for no tensors.
            return None
        self.hook = hook_class.create_from_json_file(config_file)
        _owner = self
        singleton.del_hook()  # It is not the script's.
        _close_with_multiprocessing(self.hook)
        self._watch_for_another()
        return self.hook

    def _watch_for_another(self) -> None:
        """If the script makes a hook of its own later, ours stands back."""
        from tensorwarden.hook import BaseHook

        original = BaseHook.__init__

        @functools.wraps(original)
        def init(hook: Any, *args: Any, **kwargs: Any) -> None:
            BaseHook.__init__ = original  # type: ignore[method-assign]
            self.stand_back()
            original(hook, *args, **kwargs)

        BaseHook.__init__ = init  # type: ignore[method-assign]

    def stand_back(self) -> None:
        """Captures no more: somebody else does."""
        self.off = True
        if self.hook is not None:
            self.hook.stand_back()
            self.hook = None

    def fail(self, error: Exception) -> None:
        """Tells why capture ends. The timeline goes on."""
        self.off = True
        if self.hook is not None:
            self.hook.disabled = True
            self.hook = None
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        version = f"{self._framework.__name__} {getattr(self._framework, '__version__', '')}"
        warn(
            f"capture is off, the training goes on: {reason} "
            f"(python {sys.version.split()[0]}, {version}; 'warden doctor' may know more)"
        )

    def _after_fork(self) -> None:
        # Workers of a data loader, and whatever else a training forks, are none of the run. But a
        # process that has not trained yet may fork those that do.
        if self.hook is not None:
            self.off = True
            self.hook = None


def _close_with_multiprocessing(hook: Any) -> None:
    """A process of multiprocessing ends without what others do at their end."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.current_process().name != "MainProcess":
        from multiprocessing.util import Finalize

        Finalize(hook, hook.close, exitpriority=0)
