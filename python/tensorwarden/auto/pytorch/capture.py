"""Selects the models of a process to capture: those that are trained."""

import contextlib
import functools
import os
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Tuple

import torch

from tensorwarden.auto.common.automatic import AutomaticHook, guarded
from tensorwarden.auto.common.messages import inform, warn
from tensorwarden.auto.pytorch.training.observer import Observer
from tensorwarden.base.modes import ModeKeys

if TYPE_CHECKING:
    from tensorwarden.auto.pytorch.dumping import Dumping


class Capture(AutomaticHook):
    """Receives the reports of the wrappers."""

    def __init__(self) -> None:
        super().__init__(torch)
        self.trains = False  # An optimizer was created, or a tensor ran backward.
        self.on_training: List[Callable[[], None]] = []
        self._optimizers: List[weakref.ref[Any]] = []
        self._models: List[weakref.ref[Any]] = []
        self._frozen: weakref.WeakSet[Any] = weakref.WeakSet()
        self._passed_over = False
        self.observer = Observer(self)
        self.dumping: Optional[Dumping] = None  # With --guard dump.

    @guarded
    def note_optimizer(self, optimizer: Any) -> None:
        """Notes an optimizer: this process trains, possibly another model than before."""
        self._optimizers.append(weakref.ref(optimizer))
        self.observer.optimizer(optimizer)
        self.note_training()

    @guarded
    def note_training(self) -> None:
        """Starts looking for models."""
        self.trains = True
        for function in self.on_training:
            function()

    def optimizers(self) -> List[Any]:
        """Returns the optimizers of this process that still exist."""
        return [o for o in (known() for known in self._optimizers) if o is not None]

    def is_model(self, module: Any) -> bool:
        """Returns whether the module, or the module it wraps, is registered."""
        return any(known() is module for known in self._models)

    @guarded
    def consider(self, module: Any) -> bool:
        """Registers a module that is about to be called, if it is a model to capture.

        Called for modules in training mode that no other module calls. Returns whether it is
        captured.
        """
        if self.is_model(module):
            return True
        if not torch.is_grad_enabled():
            return False
        if not self._is_trained(module):
            self.observer.untrained(module)
            return False
        if isinstance(module, torch.jit.ScriptModule):
            self._pass_over(module, "it was compiled by torch.jit")
            return False
        if self.hook is None:
            from tensorwarden.adapters.pytorch import Hook

            hook = self.make_hook(Hook)
            if hook is not None:
                hook.before_close.append(self.observer.end)
                hook.observe = functools.partial(self._observe, hook)
                if self.observer.is_on:
                    hook.count_exponents(asked=False)
                budget = os.environ.get("TENSORWARDEN_BUDGET")
                if budget:
                    hook.keep_within(float(budget) / 100)
        model = _unwrapped(module)
        if self.hook is None or any(part in self.hook.module_set for part in model.modules()):
            return False
        self._register(model)
        self._models += [weakref.ref(known) for known in {module, model}]
        return True

    @guarded
    def note_frozen(self, module: Any) -> None:
        """Notes a module that is about to be called and is not trained: an encoder, perhaps."""
        if module in self._frozen or self.is_model(module) or not self.observer.is_on:
            return
        if isinstance(module, torch.jit.ScriptModule) or self._is_trained(module):
            return
        if next(module.parameters(), None) is None:
            return
        self._frozen.update(module.modules())
        self._remember(module, self.observer.frozen_arguments)

    def _remember(self, module: Any, function: Callable[..., None]) -> None:
        """Calls the function with the arguments of each call of a module."""
        from tensorwarden.adapters.pytorch.inert import (
            ModuleHook,
            call_before,
            follow_compilations,
        )

        follow_compilations(module)

        def remember(called: Any, args: Any, kwargs: Optional[Dict[str, Any]] = None) -> None:
            function(called, args, kwargs or {})

        call_before(module, ModuleHook(remember), with_kwargs=True)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Returns a context in which nothing that runs is captured."""
        off, self.off = self.off, True
        try:
            yield
        finally:
            self.off = off

    def _pass_over(self, module: Any, why: str) -> None:
        """Reports a model that cannot be captured."""
        if self._passed_over or self._models:  # It may be a copy of a captured model.
            return
        self._passed_over = True
        name = getattr(module, "original_name", type(module).__name__)
        warn(f"{name} is not captured: {why}; train it uncompiled or with torch.compile(model)")

    def at_exit(self) -> None:
        """Explains at exit why nothing was captured."""
        if self.trains and not (self.off or self._models or self._passed_over):
            inform(
                "a PyTorch training ran but no model was detected; models called inside a "
                "function compiled by torch.compile cannot be captured"
            )

    def _is_trained(self, module: Any) -> bool:
        """Returns whether an optimizer has a parameter of the module.

        Without optimizers, returns whether a parameter requires a gradient. Parameters of captured
        models do not count: the module is the same model in another form.
        """
        wanting = {id(p) for p in module.parameters() if p.requires_grad}
        for model in (known() for known in self._models):
            if model is not None:
                wanting -= {id(p) for p in model.parameters()}
        optimizers = self.optimizers()
        if not optimizers:
            return bool(wanting)
        groups = (group for optimizer in optimizers for group in optimizer.param_groups)
        return any(id(p) in wanting for group in groups for p in group["params"])

    def _register(self, model: Any) -> None:
        from tensorwarden.adapters.pytorch.inert import (
            ModuleHook,
            call_after,
            follow_compilations,
        )

        follow_compilations(model)
        if self.dumping is not None:
            self._remember(model, self.dumping.forward)
            call_after(model, ModuleHook(self.dumping.output))
        self.hook.register_module(model)
        if self._models:
            inform(
                f"{type(model).__name__} is also captured; each forward pass of a model counts as "
                "a step, so choose a --save-interval that includes the forward passes of all "
                "models"
            )

    def _observe(
        self, hook: Any, model: Any, called: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]
    ) -> bool:
        """A captured model is about to be called. Returns whether the step has begun."""
        observer = self.observer
        if observer.begin_bare_step(model, called, args, kwargs):
            return True
        observer.forward(called, args, model.entry.between_compiled)
        mode = ModeKeys.TRAIN if called.training else ModeKeys.EVAL
        if hook.mode is not mode:
            hook.set_mode(mode)
        observer.arguments(called, args, kwargs)
        return False

    def is_evaluating(self) -> bool:
        """Returns whether what is computed now belongs to evaluation, although the last forward
        pass of a captured model was one of training: a copy of the model may be evaluated."""
        hook = self.hook
        return (
            hook is not None
            and not torch.is_grad_enabled()
            and hook.mode.name == "TRAIN"
            and self.observer.is_on
        )

    @guarded
    def record_loss(self, name: str, value: Any) -> None:
        """Records the value of a loss."""
        if self.hook is not None:
            self.hook.record_loss(name, value)

    @guarded
    def register_loss(self, module: Any) -> None:
        """Captures this loss module from now on."""
        self.hook.register_loss(module)


def _unwrapped(module: Any) -> Any:
    """Returns the model inside DistributedDataParallel, which keeps its tensor names unchanged."""
    parallel: Optional[Any] = getattr(torch.nn.parallel, "DistributedDataParallel", None)
    return module.module if parallel is not None and isinstance(module, parallel) else module
