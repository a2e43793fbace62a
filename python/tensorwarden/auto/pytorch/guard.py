"""Acts before optimizers use gradients that are not finite: `warden run --guard`.

Wraps the step of each class of optimizers. If a gradient is NaN or infinite, the step is dumped,
left out, or the training ends. A mixed precision scaler leaves it out itself: its optimizer is not
called.
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
# In a row, by a scaler. It skips a few whenever its scale is too large.
_TOO_MANY_SKIPPED = 3


def watch(capture: Capture) -> None:
    """Guards all optimizers that are created from now on, if `warden run` asks for it."""
    actions = set((os.environ.get(VARIABLE) or "").split(","))
    if not actions & {"skip", "stop", "dump"}:
        return
    if "dump" in actions:
        from tensorwarden.auto.pytorch.dumping import Dumping

        capture.dumping = Dumping(lambda: capture.hook, capture.optimizers)
    guard = _Guard(capture, actions)

    def make(original: Any) -> Any:
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            guard.add(type(self))

        return init

    Patches().put(torch.optim.Optimizer, "__init__", make)
    if "dump" in actions:
        scaler = getattr(getattr(torch, "amp", None), "GradScaler", torch.cuda.amp.GradScaler)
        Patches().put(scaler, "_maybe_opt_step", guard.wrap_scaler)


class _Guard:
    def __init__(self, capture: Capture, actions: Set[str]):
        self._capture = capture
        self._actions = actions
        self._prevents = bool(actions & {"skip", "stop"})
        self._in_a_row: Optional[int] = None  # Steps that a scaler skipped, after a finite one.
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
            if bad is not None:
                self._act(optimizer, bad)
            else:
                self._try(self._look_at_scaled, optimizer)
            result = None
            if bad is None or not self._prevents:
                result = original(optimizer, *args, **kwargs)
            self._stepped()
            return result

        return step

    def wrap_scaler(self, original: Any) -> Any:
        """Wraps what calls an optimizer if the gradients of a scaler are finite."""

        def step(scaler: Any, optimizer: Any, state: Any, *args: Any, **kwargs: Any) -> Any:
            scale = scaler.get_scale()
            result = original(scaler, optimizer, state, *args, **kwargs)
            found = state["found_inf_per_device"].values()
            self._try(self._after_scaled, optimizer, any(bool(v) for v in found), scale)
            self._stepped()
            return result

        return step

    def _look_at_scaled(self, optimizer: Any) -> None:
        """Looks at what a scaler has found for an optimizer that skips steps."""
        found, scale = getattr(optimizer, "found_inf", None), getattr(optimizer, "grad_scale", None)
        if self._capture.dumping is not None and found is not None:
            self._after_scaled(optimizer, bool(found), 0.0 if scale is None else float(scale))

    def _after_scaled(self, optimizer: Any, bad: bool, scale: float) -> None:
        """Dumps a step that a scaler skips, unless it is only looking for its scale."""
        dumping = self._capture.dumping
        if dumping is None or not dumping.is_on:
            return
        if not bad:
            self._in_a_row = 0
            return
        if self._in_a_row is not None:
            self._in_a_row += 1
        why = dumping.bad_loss()
        if why is None and (self._in_a_row == _TOO_MANY_SKIPPED or scale <= 1):
            why = f"a gradient is NaN or infinite at a loss scale of {scale:g}"
        if why is not None:
            self._capture.observer.bad_step(optimizer)
            dumping.dump(why, self._capture.observer.found, scale or None)

    def _stepped(self) -> None:
        if self._capture.dumping is not None:
            self._capture.dumping.stepped()

    def _guard_closure(self, optimizer: Any, closure: Callable[[], Any]) -> Callable[[], Any]:
        """Runs forward and backward within the step; without gradients it changes nothing."""

        def guarded() -> Any:
            result = closure()
            bad = self._bad(optimizer)
            if bad is not None:
                self._act(optimizer, bad)
            if bad is not None and self._prevents:
                for group in optimizer.param_groups:
                    for parameter in group["params"]:
                        parameter.grad = None
            self._stepped()
            return result

        return guarded

    def _bad(self, optimizer: Any) -> Optional[str]:
        # A scaler has put it there for an optimizer that skips by itself.
        if self._off or getattr(optimizer, "found_inf", None) is not None:
            return None
        bad: Optional[str] = self._try(self._look_at_gradients, optimizer)
        return bad

    def _look_at_gradients(self, optimizer: Any) -> Optional[str]:
        hook = self._capture.hook
        bad = first_bad_gradient([] if hook is None else hook._models, optimizer)
        if bad is None:
            self._look_at_loss()
        return bad

    def _try(self, method: Callable[..., Any], *args: Any) -> Any:
        """Returns the result of a method, None if it fails, which disables the guard."""
        try:
            return None if self._off else method(*args)
        except Exception as error:
            self._off = True
            warn(f"Guard disabled: {type(error).__name__}: {error}. Training continues.")
            return None

    def _look_at_loss(self) -> None:
        """Dumps a step with a bad loss and finite gradients, and lets it happen."""
        dumping = self._capture.dumping
        why = None if dumping is None else dumping.bad_loss()
        if dumping is not None and why is not None:
            dumping.dump(why, self._capture.observer.found, None)

    def _act(self, optimizer: Any, bad: str) -> None:
        observer = self._capture.observer
        if self._prevents:
            self._skipped += 1
            bad = observer.unsafe_step(optimizer, self._skipped) or bad
        else:
            bad = observer.bad_step(optimizer) or bad
        if self._capture.dumping is not None:
            self._capture.dumping.dump(f"{bad} is NaN or infinite", observer.found, None)
        step = self._step()
        if "stop" in self._actions:
            warn(f"training stopped before the optimizer step: {bad} is NaN or infinite{step}")
            raise SystemExit(EXIT_CODE)
        if "skip" in self._actions and self._skipped <= _MOST_MESSAGES:
            warn(f"optimizer step skipped: {bad} is NaN or infinite{step}")

    def _step(self) -> str:
        hook = self._capture.hook
        try:
            return "" if hook is None else f" at step {hook.step}"
        except Exception:
            return ""
