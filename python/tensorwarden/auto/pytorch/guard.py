"""Keeps gradients that are not finite from optimizers: `warden run --guard skip|stop`.

Wraps the step of each class of optimizers. If a gradient is NaN or infinite, the step is left out
or the training ends. A mixed precision scaler does the first itself: its optimizer is not called.
"""

import os
from typing import Any, Callable, Optional, Set

import torch

from tensorwarden.adapters.pytorch.compiling import compiling
from tensorwarden.adapters.pytorch.safe_steps import first_bad_gradient
from tensorwarden.auto.common.messages import warn
from tensorwarden.auto.pytorch.capture import Capture
from tensorwarden.base.patching import Patches

VARIABLE = "TENSORWARDEN_GUARD"
EXIT_CODE = 3  # As of a training that a rule has stopped.
_MOST_MESSAGES = 5


def watch(capture: Capture) -> None:
    """Guards all optimizers that are created from now on, if `warden run` asks for it."""
    action = os.environ.get(VARIABLE)
    if action not in ("skip", "stop"):
        return
    guard = _Guard(capture, action)

    def make(original: Any) -> Any:
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            guard.add(type(self))

        return init

    Patches().put(torch.optim.Optimizer, "__init__", make)


class _Guard:
    def __init__(self, capture: Capture, action: str):
        self._capture = capture
        self._action = action
        self._wrapped: Set[type] = set()
        self._skipped = 0
        self._off = False

    def add(self, kind: type) -> None:
        """Wraps the steps of a class of optimizers."""
        if any(known in self._wrapped for known in kind.__mro__):
            return
        self._wrapped.add(kind)
        Patches().put(kind, "step", self._wrap)

    def _wrap(self, original: Any) -> Any:
        def step(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            if compiling():
                return original(optimizer, *args, **kwargs)
            closure = args[0] if args else kwargs.get("closure")
            if closure is not None:
                guarded = self._guard_closure(optimizer, closure)
                if args:
                    return original(optimizer, guarded, *args[1:], **kwargs)
                return original(optimizer, **{**kwargs, "closure": guarded})
            bad = self._bad(optimizer)
            if bad is None:
                return original(optimizer, *args, **kwargs)
            self._act(optimizer, bad)
            return None

        return step

    def _guard_closure(self, optimizer: Any, closure: Callable[[], Any]) -> Callable[[], Any]:
        """Runs forward and backward within the step; without gradients it changes nothing."""

        def guarded() -> Any:
            result = closure()
            bad = self._bad(optimizer)
            if bad is not None:
                self._act(optimizer, bad)
                for group in optimizer.param_groups:
                    for parameter in group["params"]:
                        parameter.grad = None
            return result

        return guarded

    def _bad(self, optimizer: Any) -> Optional[str]:
        # A scaler has put it there for an optimizer that skips by itself.
        if self._off or getattr(optimizer, "found_inf", None) is not None:
            return None
        hook = self._capture.hook
        try:
            return first_bad_gradient([] if hook is None else hook._models, optimizer)
        except Exception as error:
            self._off = True
            warn(f"Guard disabled: {type(error).__name__}: {error}. Training continues.")
            return None

    def _act(self, optimizer: Any, bad: str) -> None:
        self._skipped += 1
        bad = self._capture.observer.unsafe_step(optimizer, self._skipped) or bad
        step = self._step()
        if self._action == "stop":
            warn(f"training stopped before the optimizer step: {bad} is NaN or infinite{step}")
            raise SystemExit(EXIT_CODE)
        if self._skipped <= _MOST_MESSAGES:
            warn(f"optimizer step skipped: {bad} is NaN or infinite{step}")

    def _step(self) -> str:
        hook = self._capture.hook
        try:
            return "" if hook is None else f" at step {hook.step}"
        except Exception:
            return ""
