"""The automatic hook of a process: made when the first model is trained, and off for good when
anything is in its way."""

import functools
import logging
import os
import sys
import weakref
from typing import Any, Callable, List, Optional, TypeVar

import torch

from tensorwarden.auto.messages import inform, warn

Function = TypeVar("Function", bound=Callable[..., Any])


def guarded(method: Function) -> Function:
    """A method that PyTorch's own code calls through us, of a capture or of something that has one:
    it does nothing when capture is off, and turns it off rather than raise."""

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


class Capture:
    """What the wrappers report to."""

    def __init__(self) -> None:
        self.off = False
        self.trains = False  # An optimizer was made, or something went backward.
        self.hook: Any = None
        self.on_training: List[Callable[[], None]] = []
        self._optimizers: List[weakref.ref[Any]] = []
        self._models: List[weakref.ref[Any]] = []
        self._passed_over = False
        os.register_at_fork(after_in_child=self._after_fork)

    @guarded
    def note_optimizer(self, optimizer: Any) -> None:
        """This process trains, or begins to train something else."""
        self._optimizers.append(weakref.ref(optimizer))
        self.note_training()

    @guarded
    def note_training(self) -> None:
        """From now on models are looked for."""
        self.trains = True
        for function in self.on_training:
            function()

    def is_model(self, module: Any) -> bool:
        """Whether the module is registered: itself, or as what it wraps."""
        return any(known() is module for known in self._models)

    @guarded
    def consider(self, module: Any) -> bool:
        """A module is about to be called for training, from no other one: registers it if it is a
        model to capture. Whether it is one."""
        if self.is_model(module):
            return True
        if not torch.is_grad_enabled() or not self._is_trained(module):
            return False
        if isinstance(module, torch.jit.ScriptModule):
            self._pass_over(module, "it was compiled by torch.jit")
            return False
        if getattr(module, "_compiled_call_impl", None) is not None:
            # Our hooks would be compiled into it.
            self._pass_over(module, "it was compiled by its method compile()")
            return False
        if self.hook is None:
            self.hook = self._make_hook()
        model = _unwrapped(module)
        if self.hook is None or any(part in self.hook.module_set for part in model.modules()):
            return False
        self._register(model)
        self._models += [weakref.ref(known) for known in {module, model}]
        return True

    def _pass_over(self, module: Any, why: str) -> None:
        """Nobody can look at this model."""
        if self._passed_over or self._models:  # It may be a copy of what is captured.
            return
        self._passed_over = True
        name = getattr(module, "original_name", type(module).__name__)
        warn(f"{name} is not captured: {why}; train it as it is, or as torch.compile(model)")

    def at_exit(self) -> None:
        """Tells a person who waits for results why there are none."""
        if self.trains and not (self.off or self._models or self._passed_over):
            inform(
                "something was trained, but no model was seen: the forward of one cannot be seen "
                "within a function that torch.compile has compiled"
            )

    def _is_trained(self, module: Any) -> bool:
        """Whether an optimizer has a parameter of it; without any, whether one wants gradients.
        Those of a model that is captured do not count: it is the same one in another form."""
        wanting = {id(p) for p in module.parameters() if p.requires_grad}
        for model in (known() for known in self._models):
            if model is not None:
                wanting -= {id(p) for p in model.parameters()}
        optimizers = [o for o in (known() for known in self._optimizers) if o is not None]
        if not optimizers:
            return bool(wanting)
        groups = (group for optimizer in optimizers for group in optimizer.param_groups)
        return any(id(p) in wanting for group in groups for p in group["params"])

    def _make_hook(self) -> Any:
        """A hook as configured; None, and capture is off, if the script has its own."""
        from tensorwarden import singleton
        from tensorwarden.adapters.pytorch import Hook

        if not singleton.enabled() or singleton._hook is not None:
            self.stand_back()
            return None
        if not os.environ.get("TENSORWARDEN_VERBOSE"):
            # A script that shows everybody's progress should not show ours.
            logging.getLogger("tensorwarden").setLevel(logging.WARNING)
        hook = Hook.create_from_json_file(os.environ.get("SMDEBUG_CONFIG_FILE_PATH"))
        singleton.del_hook()  # It is not the script's.
        _close_with_multiprocessing(hook)
        self._watch_for_another()
        return hook

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

    def _register(self, model: Any) -> None:
        from tensorwarden.adapters.pytorch.inert import ModuleHook
        from tensorwarden.modes import ModeKeys

        hook = self.hook

        def set_mode(module: Any, _: Any) -> None:
            mode = ModeKeys.TRAIN if module.training else ModeKeys.EVAL
            if hook.mode is not mode:
                hook.set_mode(mode)

        # Before the hook's own, which begins the step.
        model.register_forward_pre_hook(ModuleHook(set_mode))
        hook.register_module(model)
        if self._models:
            inform(
                f"{type(model).__name__} is captured too: each forward of a model counts as a "
                "step; choose a --save-interval that meets the forwards of all"
            )

    @guarded
    def record_loss(self, name: str, value: Any) -> None:
        """A loss was computed."""
        if self.hook is not None:
            self.hook.record_loss(name, value)

    @guarded
    def register_loss(self, module: Any) -> None:
        """What this loss module computes is captured from now on."""
        self.hook.register_loss(module)

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
        warn(
            f"capture is off, the training goes on: {reason} "
            f"(python {sys.version.split()[0]}, torch {torch.__version__}; "
            "'warden doctor' may know more)"
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


def _unwrapped(module: Any) -> Any:
    """The model in DistributedDataParallel, so that its tensors are named as they are without."""
    parallel: Optional[Any] = getattr(torch.nn.parallel, "DistributedDataParallel", None)
    return module.module if parallel is not None and isinstance(module, parallel) else module
