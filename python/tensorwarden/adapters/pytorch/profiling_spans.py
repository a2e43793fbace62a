"""Records backward passes and optimizer steps on the timeline."""

import functools
import importlib
from typing import Any, Set, Type

import torch

from tensorwarden.adapters.pytorch import backward as _before_patches  # noqa: F401
from tensorwarden.adapters.pytorch.compiling import compiling
from tensorwarden.base.patching import Patches
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.recording.session import get_session, now_us


class _State:
    """What is running."""

    installed = False
    in_backward = False  # A nested one, as in checkpointing, is part of it.
    optimizer_depth = 0  # Some optimizers wrap others.
    optimizer_us = 0


def install() -> None:
    """Records both whenever the session is on."""
    if _State.installed:
        return
    _State.installed = True
    Patches().put(torch.autograd, "backward", _wrap_backward)
    # Some versions shadow the module with its content.
    optimizer = importlib.import_module("torch.optim.optimizer")
    before = getattr(optimizer, "register_optimizer_step_pre_hook", None)
    after = getattr(optimizer, "register_optimizer_step_post_hook", None)
    if before is not None and after is not None:
        before(_begin_optimizer)
        after(_after_step)
    else:
        _wrap_optimizers()


def begin_step() -> None:
    """Resets the state, because an exception may have interrupted it."""
    _State.in_backward = False
    _State.optimizer_depth = 0


def _wrap_backward(original: Any) -> Any:
    session = get_session()

    def backward(*args: Any, **kwargs: Any) -> Any:
        if not session.on or _State.in_backward or compiling():
            return original(*args, **kwargs)
        _State.in_backward = True
        start = now_us()
        try:
            return original(*args, **kwargs)
        finally:
            _State.in_backward = False
            _record("Backward", "", start)

    return backward


def _record(phase: str, name: str, start: int) -> None:
    """Records a span that ends now, as part of the current step if a hook counts steps."""
    session = get_session()
    if not session.on:
        return
    try:
        core = session.core or session.open()
        steps = session.current
        if steps is None:
            core.span(session.kind((phase, name or phase)), start)
        else:
            kind = session.kind((phase, name or steps.model_name))
            steps.last_us = core.span_of_step(kind, start, steps.number)
        for detail in session.details:
            detail.tick(now_us())
    except Exception as error:
        say_once(f"the timeline is incomplete: {type(error).__name__}: {error}")


def _begin_optimizer(*_: Any) -> None:
    if compiling() or not get_session().on:
        return
    _State.optimizer_depth += 1
    if _State.optimizer_depth == 1:
        _State.optimizer_us = now_us()


def _end_optimizer(name: str) -> None:
    if compiling() or _State.optimizer_depth == 0:
        return
    _State.optimizer_depth -= 1
    if _State.optimizer_depth == 0:
        _record("Optimizer", name, _State.optimizer_us)


def _after_step(optimizer: Any, *_: Any) -> None:
    _end_optimizer(type(optimizer).__name__)


# ---- PyTorch before 2.0, which has no hooks for optimizers.


def _wrap_optimizers() -> None:
    """Wraps `step` of all optimizer classes; later classes when their first instance is created."""
    _wrap_known(torch.optim.Optimizer, set())

    def make(original: Any) -> Any:
        def hook_for_profile(self: Any) -> Any:
            result = original(self)
            _wrap_class(type(self))
            return result

        return hook_for_profile

    Patches().put(torch.optim.Optimizer, "_hook_for_profile", make)
    Patches().put(torch.optim.Optimizer, "_optimizer_step_code", _wrap_step_code)


def _wrap_known(kind: Type[Any], seen: Set[Type[Any]]) -> None:
    for known in kind.__subclasses__():
        if known not in seen:
            seen.add(known)
            # An instance exists. Otherwise PyTorch wraps the class first, when one is created.
            if getattr(known.__dict__.get("step"), "hooked", False):
                _wrap_class(known)
            _wrap_known(known, seen)


def _wrap_class(kind: Type[Any]) -> None:
    step = kind.__dict__.get("step")
    if step is not None and not getattr(step, "tells_tensorwarden", False):
        kind.step = _wrap_step(step)


def _wrap_step(original: Any) -> Any:
    @functools.wraps(original)  # This keeps PyTorch's own mark.
    def step(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        _begin_optimizer()
        result = original(optimizer, *args, **kwargs)
        _after_step(optimizer)
        return result

    step.tells_tensorwarden = True  # type: ignore[attr-defined]  # A mark.
    return step


def _wrap_step_code(original: Any) -> Any:
    """Wraps a function that PyTorch calls at the end of every step.

    If a scheduler has wrapped the step of an optimizer first, that wrapper must be wrapped.
    """

    def step_code(optimizer: Any) -> Any:
        own = vars(optimizer).get("step")
        if _State.optimizer_depth == 0 and own is not None and get_session().on:
            _wrap_own_step(optimizer, own)
        return original(optimizer)

    return step_code


def _wrap_own_step(optimizer: Any, own: Any) -> None:
    if getattr(own, "tells_tensorwarden", False):
        return

    @functools.wraps(own)
    def step(*args: Any, **kwargs: Any) -> Any:
        _begin_optimizer()
        result = own(*args, **kwargs)
        _end_optimizer(name)
        return result

    name = type(optimizer).__name__
    step.tells_tensorwarden = True  # type: ignore[attr-defined]  # A mark.
    optimizer.step = step
