"""Looks at what modules receive: dead, saturated and badly scaled inputs."""

import math
import weakref
from typing import Any, List, Optional, Tuple

import torch
from torch import nn

from tensorwarden.adapters.pytorch.inert import ModuleHook, inside_of_compiled
from tensorwarden.adapters.pytorch.tensors import array_of
from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.pytorch.training.batches import Batches
from tensorwarden.auto.pytorch.training.looks import Looks

_LAYERS = (nn.Linear, nn.modules.conv._ConvNd)
_NORMALIZING = (nn.modules.batchnorm._BatchNorm, nn.LayerNorm, nn.GroupNorm)
_MOST_VALUES = 1 << 18
_MOST_ON_ONE_CORE = 1 << 16


class Activations:
    """Looks at the inputs of layers at some steps, and at the inputs of the model at each."""

    def __init__(self, journal: Journal, batches: Batches, guard: Any, looks: Looks) -> None:
        """`guard` calls a function whose failure must not reach the script."""
        self._journal = journal
        self._guard = guard
        self._batches = batches
        self._looks = looks
        self._handles: List[Any] = []
        self._input: Optional[int] = None  # Where the input of the model is.
        # The first parameter of each model, which takes a while to find.
        self._parameters: weakref.WeakKeyDictionary[Any, torch.Tensor] = weakref.WeakKeyDictionary()

    def forward(self, model: Any, name: str, inputs: Tuple[Any, ...], compiled: bool) -> None:
        """A forward pass of a model begins, which may run as compiled code as a whole."""
        self.rest()
        if not model.training or not torch.is_grad_enabled() or self._looks.is_left_out:
            return
        on_gpu = any(isinstance(v, torch.Tensor) and v.is_cuda for v in inputs)
        on_gpu = on_gpu or self._is_on_gpu(model)
        look = self._looks.begin_look(on_gpu)
        value = _first_float(inputs)
        self._input = None if value is None else value.data_ptr()
        if value is not None and (look or not value.is_cuda):
            self._look_at_input(value, look, model)
        if look:
            self._look_at_batch(model, inputs, compiled)
        if look and not compiled and not hasattr(model, "_orig_mod"):
            inside = inside_of_compiled(model)
            for part, module in model.named_modules():
                if isinstance(module, _LAYERS) and module not in inside:
                    self._watch(module, self._watcher(f"{name}_{part}"))

    def rest(self) -> None:
        """Stops looking at layers."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def _is_on_gpu(self, model: Any) -> bool:
        known = self._parameters.get(model)
        if known is None:
            known = self._parameters[model] = next(model.parameters(), torch.empty(0))
        return known.is_cuda

    def _look_at_batch(self, model: Any, inputs: Tuple[Any, ...], compiled: bool) -> None:
        if any(isinstance(value, torch.Tensor) for value in inputs):
            self._batches.look(model, inputs)
            return
        if compiled:
            return
        # Inputs that are passed by name are seen where the first layer gets them.
        table = next((m for m in model.modules() if isinstance(m, nn.Embedding)), None)
        if table is not None and table not in inside_of_compiled(model):
            self._watch(table, lambda _, ids: self._batches.look(model, ids))

    def _watch(self, module: Any, function: Any) -> None:
        hook = ModuleHook(lambda *args: self._guard(function, *args))
        self._handles.append(module.register_forward_pre_hook(hook))

    def _look_at_input(self, value: torch.Tensor, look: bool, model: Any) -> None:
        with torch.no_grad():
            largest = _largest(value)
            if not math.isfinite(largest):
                self._journal.note(
                    "input_not_finite", int(value.numel() - torch.isfinite(value).sum())
                )
            self._journal.note("input_largest", largest)
            if not look:
                return
            part = _part(value)
            self._journal.note("input_mean", float(part.mean()))
            self._journal.note("input_deviation", float(part.std(unbiased=False)))
        first = next((m for m in model.modules() if isinstance(m, (*_LAYERS, *_NORMALIZING))), None)
        self._journal.fact("input_is_normalized", isinstance(first, _NORMALIZING))

    def _watcher(self, name: str) -> Any:
        def watch(module: Any, inputs: Tuple[Any, ...]) -> None:
            value = _first_float(inputs)
            if value is None or value.dim() < 2 or value.shape[0] < 2:
                return
            with torch.no_grad():
                part = value.detach()
                if part.numel() > _MOST_VALUES:
                    part = part[: max(2, _MOST_VALUES * len(part) // part.numel())]
                # Units are columns of a linear layer's input, and channels of a convolution's.
                axis = -1 if isinstance(module, nn.Linear) else 1
                others = [d for d in range(part.dim()) if d != axis % part.dim()]
                # Inputs of the model may be zeros and ones.
                if value.data_ptr() == self._input:
                    return
                lows, highs = part.amin(dim=others), part.amax(dim=others)
                dead = ((lows == 0) & (highs == 0)).float().mean()
                self._journal.note(f"dead_inputs/{name}", float(dead))
                low, high = float(lows.min()), float(highs.max())
                if max(-low, high) <= 1:
                    edge = (part.abs() > 0.99) if low < 0 else ((part > 0.99) | (part < 0.01))
                    both = low < 0 or bool((part > 0.99).any() and (part < 0.01).any())
                    share = float(edge.float().mean()) if both else 0.0
                    self._journal.note(f"saturated_inputs/{name}", share)

        return watch


def _largest(value: torch.Tensor) -> float:
    """Returns the largest magnitude; not finite if a value is not."""
    value = value.detach()
    if value.dtype not in (torch.float32, torch.float64):
        value = value.float()
    array = None if value.numel() > _MOST_ON_ONE_CORE else array_of(value)
    if array is None:
        low, high = (float(end) for end in torch.aminmax(value))
    else:
        low, high = float(array.min()), float(array.max())
    return max(-low, high) if low == low else low  # A NaN is both ends.


def _first_float(inputs: Any) -> Optional[torch.Tensor]:
    for value in inputs:
        if isinstance(value, torch.Tensor):
            plain = value.is_floating_point() and value.numel() > 0 and type(value) is torch.Tensor
            return value if plain else None
    return None


def _part(value: torch.Tensor) -> torch.Tensor:
    return value.detach().reshape(-1)[:_MOST_VALUES].float()
