"""Looks at the arguments of loss functions: activations applied twice, shapes that do not match,
and predictions that are always the same class."""

from typing import Any, Dict, Tuple

import torch

from tensorwarden.adapters.pytorch.compiling import compiling, hide_from_torchscript
from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.pytorch.training.looks import Looks
from tensorwarden.auto.pytorch.training.modes import Modes
from tensorwarden.base.lines import calling_line
from tensorwarden.base.patching import Patches

_EVERY = 20
_EARLY = 5
_MOST_VALUES = 1 << 20
_ELEMENTWISE = (
    "mse_loss",
    "l1_loss",
    "smooth_l1_loss",
    "huber_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
)
_FUNCTION_OF = {
    "CrossEntropyLoss": "cross_entropy",
    "NLLLoss": "nll_loss",
    "MSELoss": "mse_loss",
    "L1Loss": "l1_loss",
    "SmoothL1Loss": "smooth_l1_loss",
    "HuberLoss": "huber_loss",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
}


class LossInputs:
    """Looks at some calls of each loss function."""

    def __init__(self, journal: Journal, modes: Modes, guard: Any, looks: Looks) -> None:
        """`guard` calls a function whose failure must not reach the script."""
        self._journal = journal
        self._guard = guard
        self._modes = modes
        self._looks = looks
        self._calls: Dict[str, int] = {}
        self._looked: Dict[str, int] = {}  # The call that was looked at last.
        self._losses = 0  # Before the first backward pass.

    def watch(self) -> None:
        """Watches for log_softmax, from which scripts make custom losses."""
        patches = Patches()
        patches.put(torch.nn.functional, "log_softmax", self._wrap_log_softmax)
        hide_from_torchscript(patches)

    def _wrap_log_softmax(self, original: Any) -> Any:
        def log_softmax(input: Any, *args: Any, **kwargs: Any) -> Any:
            if not compiling() and torch.is_grad_enabled():
                self._guard(self._look_at_logits, input, args, kwargs)
            return original(input, *args, **kwargs)

        return log_softmax

    def _look_at_logits(self, values: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        if type(values) is not torch.Tensor or not values.requires_grad or values.dim() < 2:
            return
        if not self._is_due("log_softmax", values.is_cuda):
            return
        if not 0 < values.numel() <= _MOST_VALUES:
            return
        dim = kwargs.get("dim", args[0] if args else None)
        if isinstance(dim, int):
            if not self._journal.has("loss_line"):
                self._journal.fact("loss_line", calling_line())
            with torch.no_grad():
                twice = _sums_to_one(values.detach().float(), dim)
            self._journal.note("loss_input_is_probability", float(twice))

    def _is_due(self, function: str, on_gpu: bool) -> bool:
        count = self._calls[function] = self._calls.get(function, -1) + 1
        due = count < _EARLY or on_gpu or count - self._looked.get(function, 0) >= _EVERY
        due = due and self._looks.allowed(on_gpu)
        if due:
            self._looked[function] = count
        return due

    def look_at_module(self, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        """A loss module is about to be called."""
        function = _FUNCTION_OF.get(type(module).__name__)
        if function is not None:
            self.look(function, args, {"reduction": getattr(module, "reduction", None), **kwargs})

    def look(self, function: str, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        """A function of torch.nn.functional is about to be called."""
        given = [*args[:2], kwargs.get("input"), kwargs.get("target")]
        values = [value for value in given if isinstance(value, torch.Tensor)][:2]
        if not torch.is_grad_enabled():
            self._modes.loss_without_gradient()
        if len(values) < 2 or not torch.is_grad_enabled() or not values[0].requires_grad:
            return
        if not self._modes.saw_backward:
            self._losses += 1
            self._journal.note("losses_without_backward", self._losses)
        due = self._is_due(function, values[0].is_cuda)
        if self._calls[function] == 0:
            self._journal.fact("loss_line", calling_line())
            self._journal.fact("loss_function", function)
            self._journal.fact("loss_reduction", kwargs.get("reduction") or "mean")
        if not due:
            return
        with torch.no_grad():
            self._check(function, values[0].detach(), values[1].detach())

    def _check(self, function: str, values: torch.Tensor, target: torch.Tensor) -> None:
        note = self._journal.note
        if function in _ELEMENTWISE:
            differ = values.shape != target.shape
            note("loss_shapes_differ", float(differ))
            if differ:
                self._journal.fact("loss_shapes", [list(values.shape), list(target.shape)])
        if values.numel() == 0 or values.numel() > _MOST_VALUES or not values.is_floating_point():
            return
        values = values.float()
        if function in _ELEMENTWISE and values.shape == target.shape:
            logits = function == "binary_cross_entropy_with_logits"
            self._note_correlation(values.sigmoid() if logits else values, target.float())
        if function == "binary_cross_entropy_with_logits":
            low, high = float(values.min()), float(values.max())
            note("loss_input_is_probability", float(low >= 0 and high <= 1 and high > low))
            self._binary(values, target, 0.0)
        elif function == "binary_cross_entropy":
            self._binary(values, target, 0.5)
        elif function in ("cross_entropy", "nll_loss") and values.dim() >= 2:
            self._classes(function, values, target)

    def _note_correlation(self, values: torch.Tensor, target: torch.Tensor) -> None:
        """Notes whether predictions differ between samples as targets do. A single value for each
        sample may be a judgement that should not: that of a discriminator."""
        if values.dim() < 2 or len(values) < 8 or values.numel() < 4 * len(values):
            return
        values, target = values - values.mean(dim=0), target - target.mean(dim=0)
        sizes = float(values.norm()), float(target.norm())
        if sizes[1] > 0:
            product = float((values * target).sum())
            self._journal.note("prediction_correlation", product / max(sizes[0], 1e-12) / sizes[1])

    def _binary(self, values: torch.Tensor, target: torch.Tensor, cut: float) -> None:
        if values.shape != target.shape or values.numel() < 8:
            return
        predicted = float((values > cut).float().mean())
        positive = float((target > 0.5).float().mean())
        note = self._journal.note
        note("predicted_share", max(predicted, 1 - predicted))
        note("label_share", max(positive, 1 - positive))
        note("accuracy", float(((values > cut) == (target > 0.5)).float().mean()))
        note("classes", 2)

    def _classes(self, function: str, values: torch.Tensor, target: torch.Tensor) -> None:
        note = self._journal.note
        if function == "cross_entropy":
            note("loss_input_is_probability", float(_sums_to_one(values, 1)))
            inside = float(values.min()) >= 0 and float(values.max()) <= 1
            note("loss_input_in_unit_interval", float(inside))
            wrong = _sums_to_one(values, 0)
        else:
            note("nll_input_is_no_log_probability", float(not _sums_to_one(values.exp(), 1)))
            wrong = False
        wrong = wrong or _sums_to_one(values.exp(), 0)
        note("loss_input_sums_over_batch", float(wrong and values.shape[0] > 1))
        if target.is_floating_point() or target.numel() < 8:
            return
        predicted = values.argmax(dim=1)
        if predicted.shape != target.shape:
            return
        counted = target >= 0
        predicted, target = predicted[counted], target[counted]
        if target.numel() < 8:
            return
        classes = values.shape[1]
        note("predicted_share", _commonest(predicted, classes))
        note("label_share", _commonest(target, classes))
        note("accuracy", float((predicted == target).float().mean()))
        note("classes", classes)


def _commonest(ids: torch.Tensor, classes: int) -> float:
    counts = torch.bincount(ids.reshape(-1), minlength=classes)
    return float(counts.max()) / ids.numel()


def _sums_to_one(values: torch.Tensor, dim: int) -> bool:
    if values.shape[dim] < 2 or float(values.min()) < 0:
        return False
    return float((values.sum(dim=dim) - 1).abs().max()) < 1e-3
