"""The hook for PyTorch."""

import re
from time import perf_counter
from typing import Any, Dict, List, Optional, Set, Tuple

import torch

from tensorwarden.adapters.pytorch.backward import in_backward
from tensorwarden.adapters.pytorch.collection import CollectionManager
from tensorwarden.adapters.pytorch.cuda import DeviceSaver, can_save
from tensorwarden.adapters.pytorch.inert import ModuleHook, hide_from_torchscript
from tensorwarden.adapters.pytorch.model import Model, Watched
from tensorwarden.adapters.pytorch.profiling import StepTimeline
from tensorwarden.adapters.pytorch.roles import roles_of_loss, roles_of_model
from tensorwarden.adapters.pytorch.slots import SlotPool
from tensorwarden.adapters.pytorch.tensors import (
    has_more_names,
    named_tensors,
    prepared,
    to_dlpack,
)
from tensorwarden.adapters.pytorch.workers import find_place
from tensorwarden.base.exceptions import SMDebugError
from tensorwarden.base.troubles import logger, say_once
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.hook.framework_hook import FrameworkHook
from tensorwarden.hook.options import HookOptions
from tensorwarden.profiler.recording.session import get_session

_WHAT = "error while capturing a step"
_PLAIN = (torch.Tensor, torch.nn.Parameter)


class Hook(FrameworkHook):
    """Captures parameters, gradients, inputs, outputs and losses of PyTorch models.

    ```python
    hook = Hook(out_dir="run", include_collections=["weights", "gradients"])
    hook.register_module(model)
    hook.register_loss(criterion)
    ```

    A step is one forward pass of a registered model. See `BaseHook` for the arguments.
    """

    framework = "pytorch"

    _manager_class = CollectionManager

    def _set_up(self, collection_manager: Any, options: HookOptions) -> None:
        super()._set_up(collection_manager, options)
        self.has_registered_module = False
        self.has_registered_loss_module = False
        self.module_set: Set[Any] = set()
        self._models: List[Model] = []
        self._due = 0
        self._numbers: Dict[str, int] = {}  # Numbers of tensors by name.
        self._counts: Dict[str, int] = {}  # Counts of a module's inputs or outputs in this step.
        self._installed: Dict[Model, Tuple[Watched, List[Any]]] = {}  # With handles to remove.
        self._devices: Dict[torch.device, DeviceSaver] = {}
        self._slots: Optional[SlotPool] = None
        # Continues when capture has failed; None when another hook has taken over.
        self._timeline: Optional[StepTimeline] = StepTimeline(
            self._resume.last_step, self._resume.last_mode_steps
        )

    @property
    def worker(self) -> str:
        """The name of this worker: "worker_<rank>"."""
        return f"worker_{find_place().rank}"

    def _get_num_workers(self) -> int:
        return find_place().size

    # ---- Registration.

    def register_module(self, module: torch.nn.Module) -> None:
        """Captures a model from now on. Parts of it need not, and cannot, be registered again.

        Raises SMDebugError for anything but a module and AssertionError if it is already
        registered.
        """
        if not isinstance(module, torch.nn.Module):
            raise SMDebugError(f"module is {type(module).__name__}; expected a torch.nn.Module")
        parts = set(module.modules())
        assert not parts & self.module_set, f"{type(module).__name__} is already registered"
        self.module_set |= parts
        self.has_registered_module = True
        if self.disabled and not get_session().on:
            return
        try:
            model = Model(module)
            hide_from_torchscript()
            # Scripted modules hide the method.
            torch.nn.Module.register_forward_pre_hook(
                module, ModuleHook(lambda called, inputs: self._before_forward(model, called))
            )
            self._models.append(model)
            self._roles.add(roles_of_model(model))
            logger.info("tensorwarden: capturing %s", model.describe())
        except Exception as error:
            self._fail(f"cannot capture {type(module).__name__}", error)

    def register_hook(self, module: torch.nn.Module) -> None:
        """Captures a model; another name for register_module."""
        self.register_module(module)

    def register_loss(self, loss_module: torch.nn.Module) -> None:
        """Captures the results of a loss module, for example nn.CrossEntropyLoss().

        Raises AssertionError for anything but a loss module of PyTorch.
        """
        assert isinstance(loss_module, torch.nn.modules.loss._Loss), (
            f"loss_module is {loss_module!r}; expected a subclass of torch.nn.modules.loss._Loss. "
            "Use record_loss for other losses."
        )
        self.module_set.add(loss_module)
        self.has_registered_loss_module = True
        if self.disabled:
            return
        name = loss_module._get_name()
        loss_module._module_name = name
        loss_module.register_forward_hook(
            ModuleHook(lambda _, inputs, outputs: self._after_forward(name, inputs, outputs))
        )
        try:
            self._roles.add(roles_of_loss(loss_module, name))
        except Exception as error:
            self._fail(_WHAT, error)

    def record_tensor_value(self, tensor_name: str, tensor_value: torch.Tensor) -> None:
        """Saves the result of a function, for example a functional loss, as "<name>_output_0"."""
        assert isinstance(
            tensor_value, torch.Tensor
        ), f"tensor_value is {tensor_value!r}; expected a torch.Tensor"
        self._after_forward(tensor_name, None, tensor_value)

    def record_loss(self, name: str, value: torch.Tensor) -> None:
        """Saves a loss that was computed by a function, in collection "losses" as
        "<name>_output_0"."""
        if self.disabled or not self._due:
            return
        try:
            number = self._counts.get(name, 0)
            self._counts[name] = number + 1
            self._save_by_hand(f"{name}_output_{number}", value, [CollectionKeys.LOSSES])
        except Exception as error:
            self._fail(_WHAT, error)

    # ---- Called by PyTorch.

    def _before_forward(self, model: Model, called: torch.nn.Module) -> None:
        """Starts a step. `called` is the model, or its copy on another device."""
        timeline = self._timeline
        if called is not model.root or (self.disabled and timeline is None):
            return
        quiet = self._quiet_steps > 0 or self.disabled
        if model.recalls.is_recall(quiet) or torch._C._get_tracing_state() is not None:
            return
        if timeline is not None:
            timeline.begin(model, self._mode)
        if self.disabled:
            return
        if quiet:
            self._quiet_steps -= 1
            self._untold_steps += 1
            return
        self._save_step(model)
        if timeline is not None:
            timeline.forward_begins()

    def _spend(self, begin: float) -> None:
        if self._pacer is not None:
            self._pacer.spend(perf_counter() - begin)

    def _save_step(self, model: Model) -> None:
        """Saves what is due at the start of the step."""
        begin = perf_counter()
        try:
            due = self._begin_step()
            self._due = due
            if due:
                self._counts.clear()
                self._save_parameters(model, due)
            for other in self._models:
                self._install(other, due, other is model)
        except Exception as error:
            self._fail(_WHAT, error)
        self._spend(begin)

    def _install(self, model: Model, due: int, just_seen: bool) -> None:
        """Adds hooks only to tensors and modules that are due; the others cost nothing."""
        watched = None
        if due:
            watched = model.known(due) if just_seen else None
            watched = watched or model.watched(due, self._core.matches, self._number)
        installed, handles = self._installed.get(model, (None, []))
        if installed is watched:
            return
        for handle in handles:
            handle.remove()
        self._installed.pop(model, None)
        if watched is None:
            return
        handles = [p.register_hook(self._on_gradient(number)) for p, number in watched.gradients]
        self._installed[model] = (watched, handles)
        for module, name in watched.modules:
            handles += self._watch_module(model, module, name)
        for module, name in watched.others:
            if model.has_more_names.get(module, True):
                handles.append(self._look_at_module(model, module, name))

    def _watch_module(self, model: Model, module: torch.nn.Module, name: str) -> List[Any]:
        if model.root is not model.named:
            if module is not model.named:
                say_once(
                    f"{model.name} is compiled: inputs and outputs of the modules inside it are "
                    "not captured"
                )
                return []
            module = model.root

        def after(_: Any, inputs: Any, outputs: Any) -> None:
            if not _is_no_step():
                self._after_forward(name, inputs, outputs)

        try:
            return [torch.nn.Module.register_forward_hook(module, ModuleHook(after))]
        except Exception as error:
            say_once(f"inputs and outputs of '{name}' are not captured: {error}")
            return []

    def _look_at_module(self, model: Model, module: torch.nn.Module, name: str) -> Any:
        """Checks at the first call of a module whether it has unforeseen names that may be
        requested.

        If not, removes the hook.
        """

        def after(_: Any, inputs: Any, outputs: Any) -> None:
            if _is_no_step():
                return
            if module not in model.has_more_names:
                model.has_more_names[module] = has_more_names((inputs, outputs))
            if model.has_more_names[module]:
                self._after_forward(name, inputs, outputs)
            else:
                handle.remove()

        handle = torch.nn.Module.register_forward_hook(module, ModuleHook(after))
        return handle

    def _after_forward(self, name: str, inputs: Any, outputs: Any) -> None:
        if self.disabled or not self._due:
            return
        begin = perf_counter()
        try:
            self._save_nested(f"{name}_input_", inputs)
            self._save_nested(f"{name}_output_", outputs)
        except Exception as error:
            self._fail(_WHAT, error)
        self._spend(begin)

    def _on_gradient(self, number: int) -> Any:
        def on_gradient(gradient: torch.Tensor) -> None:
            if self.disabled:
                return
            begin = perf_counter()
            try:
                self._save(number, gradient)
            except Exception as error:
                self._fail(_WHAT, error)
            self._spend(begin)

        return on_gradient

    # ---- Saving.

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._core.register(name)
        return number

    def _save_parameters(self, model: Model, due: int) -> None:
        watched = model.watched(due, self._core.matches, self._number)
        if not watched.parameters:
            return
        numbers, parameters = watched.parameter_numbers, watched.parameters
        if parameters[0].is_cuda:
            for number, parameter in zip(numbers, parameters):
                self._save(number, parameter)
            return
        for place in self._core.save_many(numbers, [to_dlpack(p) for p in parameters]):
            self._save(numbers[place], parameters[place])

    def _save_nested(self, prefix: str, values: Any) -> None:
        for name, tensor in named_tensors(values, prefix, self._counts):
            self._save(self._number(name), tensor)

    def _save(self, number: int, tensor: torch.Tensor) -> None:
        if not self._core.wants(number):
            return
        if tensor.is_cuda and type(tensor) in _PLAIN and can_save(tensor):
            self._device(tensor.device).save(number, tensor.detach())
            return
        try:
            saved = self._core.save(number, to_dlpack(tensor))
        except (RuntimeError, BufferError):  # A type or layout that DLPack does not support.
            saved = False
        if not saved:
            self._save_prepared(number, tensor)

    def _device(self, device: torch.device) -> DeviceSaver:
        saver = self._devices.get(device)
        if saver is None:
            if self._slots is None:
                self._slots = SlotPool(self._core)
            saver = self._devices[device] = DeviceSaver(self._core, self._slots, device)
        return saver

    def _begin_step(self, number: Optional[int] = None) -> int:
        for saver in self._devices.values():
            saver.flush()
        return super()._begin_step(number)

    def _finish(self) -> None:
        for saver in self._devices.values():
            saver.flush()
        super()._finish()

    def _save_prepared(self, number: int, tensor: torch.Tensor) -> None:
        ready = prepared(tensor)
        if ready is not None and not self._core.save(number, *ready):
            say_once(f"cannot save tensors of type {tensor.dtype}")

    def _save_by_hand(self, name: str, value: Any, collections: List[str]) -> None:
        if not isinstance(value, torch.Tensor):
            super()._save_by_hand(name, value, collections)
            return
        for collection in collections:
            self.collection_manager.get(collection)
        ready = prepared(value)
        if ready is not None:
            self._core.save_tensor(name, *ready, collections)

    def _prepare(self) -> None:
        for collection in self.collection_manager.get_collections().values():
            for module, (inputs, outputs) in getattr(collection, "modules", {}).items():
                self._include_module(collection, module, inputs, outputs)
        super()._prepare()

    def _include_module(self, collection: Any, module: Any, inputs: bool, outputs: bool) -> None:
        name = getattr(module, "_module_name", None)
        if name is None:
            say_once(
                f"collection '{collection.name}': {type(module).__name__} does not belong to a "
                "registered model; call register_module first"
            )
            return
        for kind, wanted in (("input", inputs), ("output", outputs)):
            pattern = f"^{re.escape(name)}_{kind}_"
            if wanted and pattern not in collection.include_regex:
                collection.include(pattern)

    def should_save_dataloader_metrics(self, metrics_name: str) -> bool:
        """Returns whether this metric of data loaders is saved at the next step."""
        return self._timeline is not None and self._timeline.loads_at_next_step(metrics_name)

    def _close_profiling(self) -> None:
        if self._timeline is not None:
            self._timeline.close()
            self._timeline = None

    def stand_back(self) -> None:
        """Stops capturing, because another hook has taken over."""
        self.disabled = True
        if self._timeline is not None:
            self._timeline.stop()
            self._timeline = None


def _is_no_step() -> bool:
    """Returns whether a module is called for export, or again in a backward pass to save memory."""
    return torch._C._get_tracing_state() is not None or in_backward()
