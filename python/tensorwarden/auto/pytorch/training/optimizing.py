"""Watches optimizers: which parameters they update, when gradients are cleared, and how far
parameters move."""

import importlib
import math
import weakref
from typing import Any, Dict, List, Optional, Set, Tuple

import numpy as np
import torch

from tensorwarden.adapters.pytorch.tensors import array_of
from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.pytorch.training.first_nan import FirstNan
from tensorwarden.auto.pytorch.training.jumps import Jumps
from tensorwarden.auto.pytorch.training.late_number import LateNumber
from tensorwarden.auto.pytorch.training.looks import Looks
from tensorwarden.auto.pytorch.training.scaling import Scaling
from tensorwarden.base.lines import calling_line
from tensorwarden.base.patching import Patches

_MOST_VALUES = 1 << 12  # Of a parameter whose movement is measured.
_COVERAGE_EVERY = 25
_COVERAGE_EARLY = 6
_RECENT = 20  # Steps of optimizers.
# Steps of optimizers at which the line is looked up from which a backward pass is started.
_LINE_EARLY = 8
_LINE_EVERY = 25
_GPU_EVERY = 5
# Libraries whose models come with trained values, which they load in their own ways.
_PRETRAINED = ("transformers.", "timm.", "torchvision.", "diffusers.")
_SENTINELS = 3  # Parameters whose gradients show whether they were cleared.


class _Followed:
    """One optimizer."""

    def __init__(self, optimizer: Any) -> None:
        self.reference = weakref.ref(optimizer)
        self.line = calling_line()
        self.steps = 0
        self.cleared = True  # Since its last step, or in it by a closure.
        self.in_step = False
        self.cleared_in_step = False
        self.uncleared = 0  # Steps in a row before which nothing was cleared.
        self.turn = 0  # Which parameter is measured next.
        self.covered = 0  # Step at which its parameters were last looked at.

    def parameters(self) -> List[torch.Tensor]:
        optimizer = self.reference()
        if optimizer is None:
            return []
        return [p for group in optimizer.param_groups for p in group["params"]]


class Optimizing:
    """Follows all optimizers of the process."""

    def __init__(
        self,
        journal: Journal,
        models: Any,
        guard: Any,
        looks: Looks,
        first_nan: FirstNan,
        jumps: Jumps,
    ) -> None:
        """`models` returns the captured models as pairs of a name and a module; `guard` calls a
        function whose failure must not reach the script."""
        self._first_nan = first_nan
        self._jumps = jumps
        self._journal = journal
        self._looks = looks
        self._guard = guard
        self._models = models
        self._followed: List[_Followed] = []
        self._reached: Set[int] = set()  # Parameters that had a gradient at a step.
        self._updated: Set[int] = set()  # Parameters that an optimizer has updated.
        self._loaded: weakref.WeakSet[Any] = weakref.WeakSet()  # Modules with loaded values.
        self._called: Dict[int, int] = {}  # Models, with the step at which they were last called.
        self._untrained: weakref.WeakSet[Any] = weakref.WeakSet()
        self._created = 0
        self._steps = 0
        self._line_at = 0  # The step at which the line of a backward pass was last looked up.
        self._backwards = 0  # Since the last step of an optimizer.
        self._uncleared = 0  # Backward passes since gradients were last cleared.
        self._wasted = 0  # Gradients that were cleared before the first step of any optimizer.
        self._unmoved = _Unmoved()
        self._before: Optional[Tuple[torch.Tensor, Any]] = None  # With values before the step.
        self._ratio = LateNumber()
        self._clipped = LateNumber()
        self._scaling = Scaling(journal)
        self._by_class = False  # This PyTorch has no hooks for all optimizers.
        self._wrapped: Set[type] = set()

    def watch(self) -> None:
        """Follows steps, clearing and clipping from now on."""
        optimizer = importlib.import_module("torch.optim.optimizer")
        before = getattr(optimizer, "register_optimizer_step_pre_hook", None)
        after = getattr(optimizer, "register_optimizer_step_post_hook", None)
        self._by_class = before is None or after is None
        if before is not None and after is not None:
            before(self._begin_any)
            after(self._end_any)
        Patches().put(torch.optim.Optimizer, "zero_grad", self._wrap_clearing)
        Patches().put(torch.nn.Module, "zero_grad", self._wrap_clearing)
        Patches().put(torch.nn.Module, "load_state_dict", self._wrap_load)
        Patches().put(torch.nn.utils, "clip_grad_norm_", self._wrap_clip)
        scaler = getattr(getattr(torch, "amp", None), "GradScaler", torch.cuda.amp.GradScaler)
        Patches().put(scaler, "_maybe_opt_step", self._wrap_scaler)

    def add(self, optimizer: Any) -> None:
        """Follows an optimizer that was created."""
        self._followed = [f for f in self._followed if f.reference() is not None]
        self._followed.append(_Followed(optimizer))
        self._created += 1
        self._called.clear()  # Another model may be trained from now on.
        self._journal.note("optimizers_created", self._created)
        if self._by_class:
            self._wrap_class(type(optimizer))

    def add_untrained(self, module: Any) -> None:
        """A module is called that has no parameter of an optimizer."""
        if any(p.requires_grad for p in module.parameters()):
            self._untrained.add(module)

    def forward(self, model: Any) -> None:
        """A captured model is called."""
        if model.training and torch.is_grad_enabled():
            self._called[id(model)] = self._steps

    def backward(self) -> None:
        """A loss is about to run backward."""
        self._backwards += 1
        self._uncleared += 1
        is_line_due = self._steps < _LINE_EARLY or self._steps - self._line_at >= _LINE_EVERY
        if self._backwards == 1 and is_line_due and not self._looks.is_left_out:
            self._line_at = self._steps
            self._journal.fact("backward_line", calling_line())
        for followed in self._followed:
            if not followed.cleared and followed.steps:
                sample = [p for p in followed.parameters()[:16] if p.requires_grad][:_SENTINELS]
                if all(p.grad is None or not bool(p.grad.any()) for p in sample):
                    followed.cleared = True
        if self._backwards > 1:
            self._journal.note("backwards_since_step", self._backwards)

    def scale(self, scaler: Any) -> None:
        """A mixed precision scaler is about to multiply a loss."""
        if scaler.is_enabled():
            self._scaling.scale(scaler)

    # ---- Wrappers.

    def _wrap_class(self, kind: type) -> None:
        if kind in self._wrapped:
            return
        self._wrapped.add(kind)

        def make(original: Any) -> Any:
            def step(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
                self._guard(self._before_step, optimizer)
                result = original(optimizer, *args, **kwargs)
                self._guard(self._after_step, optimizer)
                return result

            return step

        Patches().put(kind, "step", make)

    def _wrap_clearing(self, original: Any) -> Any:
        def zero_grad(owner: Any, *args: Any, **kwargs: Any) -> Any:
            if self._steps == 0:
                self._guard(self._note_waste)
            self._first_nan.cleared()
            for followed in self._followed:
                if isinstance(owner, torch.nn.Module) or followed.reference() is owner:
                    followed.cleared = True
                    followed.cleared_in_step = followed.in_step
            return original(owner, *args, **kwargs)

        return zero_grad

    def _note_waste(self) -> None:
        """Counts gradients that were computed and cleared while no optimizer has made a step."""
        wasted, self._uncleared = self._uncleared > 0, 0
        if wasted:
            self._wasted += 1
            self._journal.note("cleared_without_step", self._wasted)

    def _wrap_load(self, original: Any) -> Any:
        def load_state_dict(module: Any, *args: Any, **kwargs: Any) -> Any:
            self._loaded.update(module.modules())
            return original(module, *args, **kwargs)

        return load_state_dict

    def _wrap_clip(self, original: Any) -> Any:
        def clip_grad_norm_(parameters: Any, max_norm: Any, *args: Any, **kwargs: Any) -> Any:
            total = original(parameters, max_norm, *args, **kwargs)
            self._guard(self._note_clip, total, max_norm)
            return total

        return clip_grad_norm_

    def _note_clip(self, total: Any, max_norm: Any) -> None:
        norm: Optional[float]
        if getattr(total, "is_cuda", False):
            norm = self._clipped.take()
            if self._steps % _GPU_EVERY == 0:
                self._clipped.send(total)
        else:
            norm = float(total)
        if norm is not None:
            self._journal.note("gradient_norm_before_clipping", norm)
            self._jumps.look("gradient_norm_before_clipping", norm)
            self._journal.note("clip_limit", float(max_norm))

    def _wrap_scaler(self, original: Any) -> Any:
        """Wraps what calls an optimizer if the gradients of a scaler are finite."""

        def step(scaler: Any, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            followed = self._find(optimizer)
            before = None if followed is None else followed.steps
            result = original(scaler, optimizer, *args, **kwargs)
            if followed is not None:
                self._guard(self._after_scaler, scaler, optimizer, followed.steps == before)
            return result

        return step

    def _after_scaler(self, scaler: Any, optimizer: Any, skipped: bool) -> None:
        self._scaling.step(scaler, skipped)
        if not skipped:
            return
        # The scaler has waited for the gradients, and with them for the losses.
        for loss in self._first_nan.losses_of_gpu():
            self._journal.note("backward_value", loss)
        if self._scaling.is_stuck:
            self._first_nan.gradients(optimizer, is_idle=True)
        self._first_nan.left_out()
        self._backwards = self._uncleared = 0  # They were not in vain: step() was called.

    # ---- Steps.

    def _find(self, optimizer: Any) -> Optional[_Followed]:
        for followed in self._followed:
            if followed.reference() is optimizer:
                return followed
        return None

    def _begin_any(self, optimizer: Any, *_: Any) -> None:
        if self._looks.is_bare:
            self._looks.bare(self._step_begins, optimizer)
        else:
            self._guard(self._before_step, optimizer)

    def _end_any(self, optimizer: Any, *_: Any) -> None:
        if self._looks.is_bare:
            self._looks.bare(self._step_ends, optimizer)
        else:
            self._guard(self._after_step, optimizer)

    def _step_begins(self, optimizer: Any) -> Optional[_Followed]:
        self._before = None
        followed = self._find(optimizer)
        if followed is not None:
            followed.in_step, followed.cleared_in_step = True, False
            followed.uncleared = 0 if followed.cleared else followed.uncleared + 1
        return followed

    def _before_step(self, optimizer: Any) -> None:
        followed = self._step_begins(optimizer)
        if followed is None:
            return
        for loss in self._first_nan.losses_of_gpu():
            self._journal.note("backward_value", loss)
        if getattr(optimizer, "found_inf", None) is not None:
            self._scaling.step_of(optimizer)
        if self._looks.is_left_out:
            return
        self._first_nan.gradients(optimizer)
        if followed.steps == 0:
            self._journal.fact("step_line", calling_line())
        parameters = followed.parameters()
        with_gradient = [p for p in parameters if p.grad is not None]
        self._reached.update(map(id, with_gradient))
        self._journal.note("steps_without_clearing", self._most_uncleared())
        self._unmoved.remember(with_gradient)
        weights = [p for p in with_gradient if p.dim() > 1] or with_gradient
        # On a GPU, starting a kernel takes its time.
        measures = not weights or not weights[0].is_cuda or self._steps % _GPU_EVERY == 0
        if weights and measures:
            measured = weights[followed.turn % len(weights)]
            followed.turn += 1
            values = _first_values(measured)
            is_array = isinstance(values, np.ndarray)
            self._before = (measured, values.copy() if is_array else values.clone())

    def _most_uncleared(self) -> int:
        return max((f.uncleared for f in self._followed if f.reference() is not None), default=0)

    def _step_ends(self, optimizer: Any) -> Optional[_Followed]:
        followed = self._find(optimizer)
        if followed is not None:
            self._first_nan.stepped()
            followed.steps += 1
            followed.in_step = False
            followed.cleared = followed.cleared_in_step
            self._steps += 1
            self._backwards = 0
        return followed

    def _after_step(self, optimizer: Any) -> None:
        followed = self._step_ends(optimizer)
        if followed is None or self._looks.is_left_out:
            return
        note = self._journal.note
        note("optimizer_step", max(f.steps for f in self._followed))
        live = [o for o in (f.reference() for f in self._followed) if o is not None]
        rates = [float(g["lr"]) for o in live for g in o.param_groups if "lr" in g]
        if rates:
            note("learning_rate", max(rates))
        self._note_update()
        if self._is_coverage_due(followed, optimizer):
            followed.covered = followed.steps
            self._updated.update(id(p) for p in followed.parameters() if p.grad is not None)
            self._note_coverage()

    def _is_coverage_due(self, followed: _Followed, optimizer: Any) -> bool:
        if followed.steps <= _COVERAGE_EARLY:
            return True
        if followed.steps - followed.covered < _COVERAGE_EVERY:
            return False
        first = next((p for group in optimizer.param_groups for p in group["params"]), None)
        return first is None or not first.is_cuda or self._looks.allowed(on_gpu=True)

    def _note_update(self) -> None:
        """Notes how far a parameter was moved by the step that has just ended; on a GPU, by one of
        the last steps."""
        ratio = self._ratio.take()
        if ratio is not None and not math.isfinite(ratio):  # Divided by zero.
            ratio = None
        if self._before is not None:
            measured, old = self._before
            self._before = None
            new = _first_values(measured)
            if measured.is_cuda:
                self._ratio.send((new - old).norm() / old.norm())
            else:
                size = _norm(old)
                ratio = _norm(new - old) / size if size > 0 else None
        if ratio is not None:
            self._journal.note("update_ratio", ratio)
            self._jumps.look("update_ratio", ratio)

    def _note_coverage(self) -> None:
        """Notes which parameters are trained, and why others are not."""
        held = {id(p) for followed in self._followed for p in followed.parameters()}
        own: Set[int] = set()
        frozen: Dict[str, str] = {}
        missing: List[str] = []
        unreached: List[str] = []
        unstepped: List[str] = []
        idle = {id(p) for f in self._followed if f.steps == 0 for p in f.parameters()}
        idle -= {id(p) for f in self._followed if f.steps for p in f.parameters()}
        modules: List[List[Any]] = []
        zero: List[str] = []
        rounded: List[str] = []
        for name, model in self._models():
            # It may have been trained before, with another optimizer.
            if self._called.get(id(model), -_RECENT) + _RECENT <= self._steps:
                own.update(id(p) for p in model.parameters())
                continue
            foreign = _comes_trained(model)
            for path, module in model.named_modules():
                for key, parameter in module.named_parameters(recurse=False):
                    if id(parameter) in own:
                        continue
                    own.add(id(parameter))
                    full = f"{name}_{path}.{key}" if path else f"{name}_{key}"
                    modules.append([full, type(module).__name__, parameter.dim()])
                    if not parameter.requires_grad:
                        # What peft keeps with an adapter is new, and there to be trained.
                        known = foreign and ".modules_to_save." not in f".{path}."
                        frozen[full] = "loaded" if known else self._history(module, parameter)
                    elif id(parameter) not in held:
                        missing.append(full)
                    elif id(parameter) in idle:
                        unstepped.append(full)
                    elif id(parameter) not in self._reached and parameter.grad is None:
                        unreached.append(full)
                    elif self._unmoved.is_zero(parameter):
                        zero.append(full)
                    elif self._unmoved.is_rounded_away(parameter):
                        rounded.append(full)
        for module in self._untrained:
            missing += [
                f"{type(module).__name__}_{name}"
                for name, p in module.named_parameters()
                if p.grad is not None and id(p) not in held and id(p) not in own
            ]
        fact = self._journal.fact
        fact("parameters", modules)
        fact("frozen", frozen)
        fact("not_in_optimizer", missing)
        fact("without_gradient", unreached)
        fact("never_stepped", unstepped)
        fact("still_zero", zero)
        fact("rounded_away", rounded)
        fact("foreign_parameters", len(held - own))
        fact("optimizers", [row for row in map(_describe, self._followed) if row])

    def _history(self, module: Any, parameter: torch.Tensor) -> str:
        if module in self._loaded:
            return "loaded"
        return "trained" if id(parameter) in self._updated else "initial"


class _Unmoved:
    """Knows which parameters have not changed, of those that can be expected to.

    What has changed once is not looked at again.
    """

    _MOST_VALUES = 1 << 14  # Of all parameters that are remembered; they are small ones.

    def __init__(self) -> None:
        self._moved: Set[int] = set()
        self._first: Dict[int, torch.Tensor] = {}
        self._room = self._MOST_VALUES

    def remember(self, parameters: List[torch.Tensor]) -> None:
        """Remembers small parameters of few bits before their first update: mostly the weights of
        normalization, which are near 1."""
        for parameter in parameters:
            key = id(parameter)
            if parameter.dtype not in (torch.bfloat16, torch.float16) or parameter.dim() != 1:
                continue
            if key in self._first or key in self._moved or parameter.numel() > self._room:
                continue
            self._room -= parameter.numel()
            self._first[key] = parameter.detach().clone()

    def is_rounded_away(self, parameter: torch.Tensor) -> bool:
        """Returns whether all its values are the first ones, although it has a gradient."""
        first = self._first.get(id(parameter))
        if first is None or first.device != parameter.device or parameter.grad is None:
            return False
        if not torch.equal(first, parameter.detach()):
            del self._first[id(parameter)]
            self._moved.add(id(parameter))
            return False
        return bool(parameter.grad.any())

    def is_zero(self, parameter: torch.Tensor) -> bool:
        """Returns whether a matrix is all zeros, and its gradient too."""
        gradient = parameter.grad
        if parameter.dim() < 2 or id(parameter) in self._moved or gradient is None:
            return False
        values = parameter.detach()
        if bool(values.reshape(-1)[:64].any()) or bool(values.any()):
            self._moved.add(id(parameter))
            return False
        return not gradient.is_sparse and not bool(gradient.any())


def _first_values(parameter: torch.Tensor) -> Any:
    """Returns the first values in single precision: as an array if they can be one, with which
    computing takes less time. They may change with the parameter."""
    values = parameter.detach().reshape(-1)[:_MOST_VALUES].float()
    array = array_of(values)
    return values if array is None else array


def _norm(values: Any) -> float:
    """Returns the norm of a tensor or an array."""
    if isinstance(values, np.ndarray):
        return math.sqrt(float(values.dot(values)))
    return float(values.norm())


def _describe(followed: _Followed) -> Optional[Dict[str, Any]]:
    optimizer = followed.reference()
    if optimizer is None:
        return None
    group = optimizer.param_groups[0]
    return {
        "class": type(optimizer).__name__,
        "line": followed.line,
        "weight_decay": float(group.get("weight_decay") or 0),
    }


def _comes_trained(model: Any) -> bool:
    """Returns whether a model of a library may have values that were trained elsewhere."""
    if type(model).__module__.startswith("peft."):
        return True
    if not type(model).__module__.startswith(_PRETRAINED):
        return False
    config = getattr(model, "config", None)  # Of transformers: where the values come from.
    return config is None or bool(getattr(config, "_name_or_path", "unknown"))
