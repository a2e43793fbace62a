"""Detects losses: modules, functions, and tensors that run backward. Each is recorded once."""

import sys
import threading
from typing import Any, Callable, Dict, Optional, Set, Tuple, Type

import torch

from tensorwarden.adapters.pytorch.compiling import (
    compiling,
    hide_from_torchscript,
    not_compiled_alone,
)
from tensorwarden.auto.common.automatic import guarded
from tensorwarden.auto.pytorch.capture import Capture
from tensorwarden.auto.pytorch.training.graphs import MARK
from tensorwarden.base.patching import Patches

FUNCTIONS = (
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "cross_entropy",
    "ctc_loss",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
)
# Limits the search for recorded losses in the graph of a tensor, such as a sum or a mean of them.
_MOST_STEPS = 32
_SCALED = f"{MARK} scaled"  # Marks losses that a mixed precision scaler has multiplied.

_CALL = torch.nn.Module._call_impl.__code__

_losses: Optional["_Losses"] = None


def watch(capture: Capture) -> None:
    """Reports every loss to the capture from now on."""
    global _losses
    losses = _losses = _Losses(capture)
    functions = Patches()
    for name in FUNCTIONS:
        functions.put(torch.nn.functional, name, losses.wrap_function)
    functions.put(torch.nn.functional, "logsigmoid", losses.wrap_logsigmoid)
    hide_from_torchscript(functions)
    Patches().put(torch.nn.modules.loss._Loss, "__call__", lambda _: _call_loss_module)
    Patches().put(torch.Tensor, "backward", losses.wrap_backward)
    # It runs backward with a multiple of the loss.
    scaler = getattr(getattr(torch, "amp", None), "GradScaler", torch.cuda.amp.GradScaler)
    Patches().put(scaler, "scale", losses.wrap_scale)


@not_compiled_alone
def _call_loss_module(module: Any, *args: Any, **kwargs: Any) -> Any:
    # Not a closure: torch.compile could not trace through one.
    if compiling() or _losses is None:
        return torch.nn.Module.__call__(module, *args, **kwargs)
    return _losses.call_module(module, args, kwargs)


class _Inside(threading.local):
    """Whether this thread is computing a loss. Parts of a loss are not losses themselves."""

    a_loss = False


class _Losses:
    def __init__(self, capture: Capture):
        self.capture = capture
        self._inside = _Inside()
        self._registered: Set[Type[Any]] = set()
        self._has_scaler = False

    def wrap_function(self, original: Any) -> Any:
        """Wraps a function of torch.nn.functional."""
        capture, inside, name = self.capture, self._inside, original.__name__

        def loss_function(*args: Any, **kwargs: Any) -> Any:
            if compiling() or capture.hook is None or inside.a_loss:
                return original(*args, **kwargs)
            inside.a_loss = True
            capture.observer.loss_function(name, args, kwargs)
            try:
                result = original(*args, **kwargs)
            finally:
                inside.a_loss = False
            self._record(name, result)
            if capture.dumping is not None:
                capture.dumping.loss(name, None, args, kwargs, result)
            return result

        return loss_function

    def wrap_logsigmoid(self, original: Any) -> Any:
        """Wraps logsigmoid, the loss of pairs when it is computed outside of models: of reward
        models and direct preference optimization. Inside of models it is an activation."""

        def logsigmoid(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if not (compiling() or self.capture.hook is None or self._inside.a_loss):
                self._record_pairs(result)
            return result

        return logsigmoid

    @guarded
    def _record_pairs(self, result: Any) -> None:
        if isinstance(result, torch.Tensor) and result.numel() and not _is_in_module():
            self._record("logsigmoid", -result.detach().float().mean())

    def call_module(self, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        """Calls a loss module. Scripts often create a new one for each step."""
        inside, capture = self._inside, self.capture
        hook = capture.hook
        if hook is None or inside.a_loss:
            return torch.nn.Module.__call__(module, *args, **kwargs)
        is_bare = capture.observer.looks.is_bare and torch.is_grad_enabled()
        if is_bare and module in hook.module_set:
            return self._call_bare(module, args, kwargs)
        registered = module in hook.module_set or self._is_registered(module)
        evaluating = registered and capture.is_evaluating()
        inside.a_loss = True
        capture.observer.loss_module(module, args, kwargs)
        try:
            if evaluating:
                with hook.muted():
                    result = torch.nn.Module.__call__(module, *args, **kwargs)
            else:
                result = torch.nn.Module.__call__(module, *args, **kwargs)
        finally:
            inside.a_loss = False
        if registered and not evaluating and type(result) is torch.Tensor and result.dim() == 0:
            capture.observer.graphs.mark(result)  # The hook has saved it, with its name.
        else:
            self._record(type(module).__name__, result, registered)
        if capture.dumping is not None:
            capture.dumping.loss(type(module).__name__, module, args, kwargs, result)
        return result

    def _call_bare(self, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        """Calls a loss module that the hook watches, in a bare step."""
        inside = self._inside
        inside.a_loss = True
        try:
            result = torch.nn.Module.__call__(module, *args, **kwargs)
        finally:
            inside.a_loss = False
        observer = self.capture.observer
        observer.looks.bare(observer.graphs.mark_uncounted, result)
        return result

    def wrap_backward(self, original: Any) -> Any:
        """Wraps Tensor.backward."""

        def backward(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            if compiling():
                return original(tensor, *args, **kwargs)
            observer = self.capture.observer
            if observer.looks.is_bare and observer.looks.bare(observer.bare_backward, tensor):
                return original(tensor, *args, **kwargs)
            # What a scaler has multiplied was looked at before.
            if not (self._has_scaler and _has_mark(tensor, _SCALED)):
                self._before_backward(tensor)
            result = original(tensor, *args, **kwargs)
            self.capture.observer.after_backward()
            return result

        return backward

    def wrap_scale(self, original: Any) -> Any:
        """Wraps the scale method of the mixed precision scaler."""

        def scale(scaler: Any, outputs: Any) -> Any:
            if compiling():
                return original(scaler, outputs)
            self.capture.observer.scale(scaler)
            if not isinstance(outputs, torch.Tensor):  # Several: each is looked at in backward().
                return original(scaler, outputs)
            self._before_backward(outputs, scaler)
            result = original(scaler, outputs)
            self._mark_scaled(result)
            return result

        return scale

    @guarded
    def _mark_scaled(self, value: Any) -> None:
        metadata = getattr(getattr(value, "grad_fn", None), "metadata", None)
        if metadata is not None:
            self._has_scaler = True
            metadata[_SCALED] = True

    @guarded
    def _is_registered(self, module: Any) -> bool:
        """Returns whether the hook watches this module directly.

        It watches the first of each class, which lets it save the inputs of the loss too. It
        recognizes losses by name and saves all values of those that are not single numbers.
        """
        kind = type(module)
        if module in self.capture.hook.module_set:
            return True
        if kind in self._registered or getattr(module, "reduction", "mean") == "none":
            return False
        if not kind.__name__.lower().endswith("loss"):
            return False
        self._registered.add(kind)
        self.capture.register_loss(module)
        return not self.capture.off

    @guarded
    def _record(self, name: str, value: Any, is_saved: bool = False) -> None:
        """Marks the loss as recorded, and records it unless the hook has saved it itself."""
        if not _is_number(value):
            return
        if self.capture.is_evaluating():
            self.capture.observer.evaluation_loss(f"{name}_output_0", value)
            return
        if not is_saved:
            self.capture.record_loss(name, value)
        self.capture.observer.graphs.mark(value)

    def _before_backward(self, value: Any, scaler: Any = None) -> None:
        capture = self.capture
        if capture.off:
            return
        try:
            if capture.dumping is not None:
                capture.dumping.backward(value, scaler)
            if not capture.trains:
                capture.note_training()
            capture.observer.backward(value)
            if capture.hook is not None and not _has_mark(value, MARK):
                self._record("loss", value)
        except Exception as error:
            capture.fail(error)


def _is_in_module() -> bool:
    """Returns whether a module is being called."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code is _CALL:
            return True
    return False


def _is_number(value: Any) -> bool:
    """Returns whether it is a tensor with one value. Tensors being transformed or exported have
    none."""
    if not isinstance(value, torch.Tensor):
        return False
    has_values = type(value) is torch.Tensor or hasattr(value, "to_local")
    return has_values and value.numel() == 1 and not _is_wrapped(value)


_is_wrapped: Callable[[Any], bool] = getattr(
    getattr(torch._C, "_functorch", None), "is_functorch_wrapped_tensor", lambda _: False
)


def _has_mark(value: Any, mark: str) -> bool:
    """Returns whether the tensor is a marked loss or a simple combination of a few."""
    nodes = [getattr(value, "grad_fn", None)]
    for node in nodes:
        if node is None:
            continue
        if mark in getattr(node, "metadata", ()):
            return True
        if len(nodes) < _MOST_STEPS:
            nodes += [before for before, _ in node.next_functions]
    return False
