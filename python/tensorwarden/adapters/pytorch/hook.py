"""The hook for PyTorch."""

import contextlib
import re
from time import perf_counter
from typing import (
    Any,
    Callable,
    ContextManager,
    Dict,
    Iterator,
    List,
    Optional,
    Sequence,
    Set,
    Tuple,
)

import torch

from tensorwarden import _core
from tensorwarden.adapters.pytorch.backward import in_backward
from tensorwarden.adapters.pytorch.collection import CollectionManager
from tensorwarden.adapters.pytorch.cuda import DeviceSaver, Group, can_save
from tensorwarden.adapters.pytorch.exponents import ExponentCounts
from tensorwarden.adapters.pytorch.exposed_clock import ExposedClock
from tensorwarden.adapters.pytorch.gpu_time import GpuTime
from tensorwarden.adapters.pytorch.gradients import PassWatch, seen_at_the_end
from tensorwarden.adapters.pytorch.inert import (
    ModuleHook,
    call_after,
    call_before,
    follow_compilations,
    hide_from_torchscript,
)
from tensorwarden.adapters.pytorch.light_steps import LightSteps
from tensorwarden.adapters.pytorch.model import Model, Watched, WatchedModule
from tensorwarden.adapters.pytorch.original_names import OverridableHook
from tensorwarden.adapters.pytorch.profiling import StepTimeline
from tensorwarden.adapters.pytorch.roles import roles_of_loss, roles_of_model
from tensorwarden.adapters.pytorch.safe_steps import SafeSteps
from tensorwarden.adapters.pytorch.slots import SlotPool
from tensorwarden.adapters.pytorch.tensors import (
    PROBES,
    has_more_names,
    named_tensors,
    prepared,
    single_number,
    to_dlpack,
)
from tensorwarden.adapters.pytorch.workers import find_place
from tensorwarden.base.exceptions import SMDebugError
from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import logger, say_once
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.hook.options import HookOptions
from tensorwarden.profiler.recording.session import get_session

_WHAT = "error while capturing a step"
_PLAIN = (torch.Tensor, torch.nn.Parameter)
_UNCOUNTED = contextlib.nullcontext()

# Called before a model's forward pass with the arguments of that pass. Returns whether it has begun
# the step, by begin_bare_step.
Observe = Callable[[Model, torch.nn.Module, Tuple[Any, ...], Dict[str, Any]], bool]


class Hook(SafeSteps, OverridableHook):
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
        self._light_steps = LightSteps()
        super()._set_up(collection_manager, options)
        self.has_registered_module = False
        self.has_registered_loss_module = False
        self.module_set: Set[Any] = set()
        self._models: List[Model] = []
        self._due = 0
        self._is_light = False  # What is due is nothing but losses, and so it was before.
        self.observe: Optional[Observe] = None  # Set before models are registered.
        self._unforeseen: Optional[bool] = None
        self._numbers: Dict[str, int] = {}  # Numbers of tensors by name.
        self._hand_numbers: Dict[Tuple[str, Tuple[str, ...]], int] = {}  # Of save_tensor.
        self._losses: Dict[str, Tuple[str, Optional[int]]] = {}  # With prefix and number.
        self._counts: Dict[str, int] = {}  # Counts of a module's inputs or outputs in this step.
        self._installed: Dict[Model, Tuple[Watched, List[Any]]] = {}  # With handles to remove.
        self._late: Dict[Model, Watched] = {}  # Their gradients are saved when a pass ends.
        self._passes = PassWatch(self._late.values, self._save_many, self._save, self._guarded)
        self._devices: Dict[torch.device, DeviceSaver] = {}
        self._exponents: Optional[ExponentCounts] = None
        self._gpu_time = GpuTime()
        self._clock: Callable[[], float] = perf_counter
        self._slots: Optional[SlotPool] = None
        self._groups: Dict[int, Group] = {}  # By the identity of their list of parameters.
        # Continues when capture has failed; None when another hook has taken over.
        self._only_profiles = False
        self._timeline: Optional[StepTimeline] = StepTimeline(
            self._resume.last_step, self._resume.last_mode_steps
        )

    @property
    def worker(self) -> str:
        """The name of this worker: "worker_<rank>"."""
        return f"worker_{find_place().rank}"

    def _get_num_workers(self) -> int:
        return find_place().size

    @property
    def _core(self) -> _core.Hook:
        """As of the base class, with the steps that were gathered."""
        if self._light_steps.count and self._raw_core is not None:
            try:
                self._light_steps.tell(self._raw_core)
            except Exception as error:
                self._fail(_WHAT, error)
        return super()._core

    @property
    def step_so_far(self) -> int:
        """The same as `step`, without telling the core of the steps that were gathered."""
        core = self._raw_core
        return self.step if core is None else core.step + self._light_steps.count

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
        if self.disabled and not (get_session().on or self._only_profiles):
            return
        try:
            model = Model(module)
            hide_from_torchscript()
            follow_compilations(module)
            model.entry = ModuleHook(
                lambda called, *given: self._before_forward(model, called, *given)
            )
            call_before(module, model.entry, with_kwargs=self.observe is not None)
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
            ModuleHook(
                self._call_forward_hook
                if self._overrides_forward_hook
                else lambda _, inputs, outputs: self._after_forward(name, inputs, outputs)
            )
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
            full = f"{name}_output_{number}"
            single = single_number(value)
            if single is not None:
                tensor = self._number_in(full, (CollectionKeys.LOSSES,))
                self._save_number(tensor, single, value.dtype is torch.float64)
            else:
                self._save_by_hand(full, value, [CollectionKeys.LOSSES])
        except Exception as error:
            self._fail(_WHAT, error)

    @contextlib.contextmanager
    def muted(self) -> Iterator[None]:
        """Returns a context in which nothing is saved."""
        due, self._due = self._due, 0
        try:
            yield
        finally:
            self._due = due

    def count_exponents(self, asked: bool = True) -> None:
        """Also saves how the values of tensors in half precision and 8-bit types spread over powers
        of two, for rule HalfPrecisionRange: of each tensor that is saved.

        If not `asked`, then only of gradients that a narrower range than that of float32 may spoil,
        at a few steps.
        """
        self._exponents = ExponentCounts(asked, self._count_on_device)

    def _count_on_device(self, tensors: List[torch.Tensor]) -> Optional[torch.Tensor]:
        device = tensors[0].device
        if any(tensor.device != device for tensor in tensors):
            return None
        with self._gpu_section():
            counts = self._device(device).count_exponents(tensors)
        return counts

    # ---- Called by PyTorch.

    def _before_forward(
        self,
        model: Model,
        called: torch.nn.Module,
        args: Tuple[Any, ...] = (),
        kwargs: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Starts a step. `called` is the model, or its copy on another device."""
        if self.observe is not None and self.observe(model, called, args, kwargs or {}):
            return
        timeline = self._timeline
        if called is not model.root or (self.disabled and timeline is None):
            return
        quiet = self._quiet_steps > 0 or self.disabled
        if model.recalls.is_recall(quiet) or torch._C._get_tracing_state() is not None:
            return
        begin = self._clock()
        if timeline is not None:
            timeline.begin(model, self._mode)
        if self.disabled:
            return
        if quiet:
            self._quiet_steps -= 1
            self._untold_steps += 1
            return
        self._spend(begin)  # For the step that ends here.
        self._save_step(model)
        if timeline is not None:
            timeline.forward_begins()

    def begin_bare_step(self, model: Model, called: torch.nn.Module) -> bool:
        """Begins a step of training with losses only, if the budget asks for one. Returns whether
        it has. Takes much less time than other steps."""
        pacer, timeline = self._pacer, self._timeline
        if pacer is None or not self._can_be_bare(called is model.root and called.training):
            return False
        if timeline is None or timeline.session.watches_steps or not torch.is_grad_enabled():
            return False
        if model.recalls.is_recall(True) or torch._C._get_tracing_state() is not None:
            return False
        if not pacer.next_is_bare():
            return False
        begin = self._clock() if pacer.is_timed else 0.0
        try:
            timeline.begin(model, self._mode)
            self._counts.clear()
            if self._is_light:
                self._light_steps.begin()
            else:
                self._due = self._core.begin_step(True)
                self._is_light = True
                for other in self._models:
                    self._install(other, self._due, other is model)
        except Exception as error:
            self._fail(_WHAT, error)
        if pacer.is_timed:
            self._spend(begin)
        timeline.forward_begins()
        return True

    def _can_be_bare(self, trains: bool) -> bool:
        """Returns whether nothing but losses can be due. On a GPU, other things take the time."""
        return (
            trains
            and self._mode is ModeKeys.TRAIN
            and self._raw_core is not None
            and not self.disabled
            and not self._devices
            and not self._quiet_steps
            and not self._held_tensors
            and not self._given_names
            and not self._resume.active
        )

    def keep_within(self, share: float) -> None:
        """Captures as many training steps as this share of the time allows. See `BaseHook`."""
        super().keep_within(share)
        if self._pacer is not None:
            if torch.cuda.is_initialized():
                self._pacer.clock = ExposedClock()
            self._clock = self._pacer.clock

    def _spend(self, begin: float) -> None:
        if self._pacer is not None:
            self._pacer.spend(self._clock() - begin)

    def _save_step(self, model: Model) -> None:
        """Saves what is due at the start of the step."""
        begin = self._clock()
        try:
            due = self._begin_step()
            self._due = due
            self._is_light = self._pacer is not None and self._pacer.is_light and due != 0
            if self._exponents is not None:
                self._exponents.begin(self._raw_core, due != 0 and not self._is_light, model.device)
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
            watched = watched or self._watched(model, due)
        installed, handles = self._installed.get(model, (None, []))
        if installed is watched:
            return
        for handle in handles:
            handle.remove()
        self._installed.pop(model, None)
        self._late.pop(model, None)
        if watched is None:
            return
        handles = []
        self._installed[model] = (watched, handles)
        if watched.trained and self._can_wait(model, watched):
            self._late[model] = watched
            hook = ModuleHook(lambda called, _, outputs: self._follow(model, called, outputs))
            handles.append(call_after(model.root, hook))
        else:
            handles += self._watch_gradients(watched)
        if watched.inside:
            say_once(
                f"{model.name} is compiled: inputs and outputs of the modules inside it are not "
                "captured"
            )
        if self._overrides_forward_hook:
            for module in model.hookable_modules():
                handles.append(call_after(module, ModuleHook(self._call_forward_hook)))
            return
        for one in watched.modules:
            handles += self._watch_module(model, one)
        for module, name in watched.others:
            if model.has_more_names.get(module, True):
                handles.append(self._look_at_module(model, module, name))

    def _can_wait(self, model: Model, watched: Watched) -> bool:
        return not self._passes.misses and seen_at_the_end(
            model.root, watched.trained, self._get_num_workers()
        )

    def _watch_gradients(self, watched: Watched) -> List[Any]:
        """Adds a hook to each parameter whose gradient is due."""
        return [
            parameter.register_hook(self._on_gradient(number))
            for parameter, number in zip(watched.trained, watched.gradient_numbers)
        ]

    def _follow(self, model: Model, called: torch.nn.Module, outputs: Any) -> None:
        """The forward pass of a model has ended whose gradients are due."""
        if self.disabled or called is not model.root or _is_no_step():
            return
        if model not in self._late or not torch.is_grad_enabled():
            return
        if self._passes.misses or not self._passes.follow(outputs):
            # Gradients are not seen at the end of a pass, or nothing shows when one begins.
            watched, handles = self._installed[model]
            del self._late[model]
            handles += self._watch_gradients(watched)

    def _watch_module(self, model: Model, watched: WatchedModule) -> List[Any]:
        module, name, wants_inputs, wants_outputs = watched
        if module is model.named:
            module = model.root

        def after(_: Any, inputs: Any, outputs: Any) -> None:
            if _is_no_step():
                return
            # Naming tensors takes as long as a small operation.
            if not wants_inputs and not has_more_names(inputs):
                inputs = None
            if not wants_outputs and not has_more_names(outputs):
                outputs = None
            self._after_forward(name, inputs, outputs)

        try:
            return [call_after(module, ModuleHook(after))]
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

        handle = call_after(model.root if module is model.named else module, ModuleHook(after))
        return handle

    def _after_forward(self, name: str, inputs: Any, outputs: Any) -> None:
        if self._due and not self._save_loss(name, outputs):
            self._guarded(self._save_inputs_and_outputs, name, inputs, outputs)

    def _save_loss(self, name: str, value: Any) -> bool:
        """Saves the result of a module in a step with losses only, if it is a single number.
        Returns whether it has."""
        pacer = self._pacer
        if pacer is None or not pacer.is_light or self.disabled:
            return False
        begin = self._clock() if pacer.is_timed else 0.0
        try:
            single = single_number(value)
            prefix, number = self._losses.get(name) or self._learn_loss(name)
            if single is None or number is None or prefix in self._counts:
                return False
            self._counts[prefix] = 1
            self._save_number(number, single, value.dtype is torch.float64)
        except Exception as error:
            self._fail(_WHAT, error)
        if pacer.is_timed:
            self._spend(begin)
        return True

    def _save_number(self, tensor: int, value: float, wide: bool) -> None:
        if self._light_steps.count:
            self._light_steps.add(tensor, value, wide)
        else:
            self._core.save_number(tensor, value, wide)

    def _learn_loss(self, name: str) -> Tuple[str, Optional[int]]:
        """Returns the prefix of a module's outputs and the number of the first one; None if its
        inputs may be due together with losses."""
        matches = self._core.matches
        prefix = f"{name}_output_"
        inputs_are_due = any(matches(f"{name}_input_{k}") & self._due for k in PROBES)
        self._losses[name] = prefix, None if inputs_are_due else self._number(f"{prefix}0")
        return self._losses[name]

    def _save_inputs_and_outputs(self, name: str, inputs: Any, outputs: Any) -> None:
        self._write_inputs(name, inputs)
        self._write_outputs(name, outputs)

    def _call_forward_hook(self, module: torch.nn.Module, inputs: Any, outputs: Any) -> None:
        """Calls the method of a subclass."""
        if self._due and not _is_no_step():
            self._guarded(self.forward_hook, module, inputs, outputs)

    def _on_gradient(self, number: int) -> Any:
        def on_gradient(gradient: torch.Tensor) -> None:
            self._guarded(self._save, number, gradient)

        return on_gradient

    def _guarded(self, function: Callable[..., None], *args: Any) -> None:
        """Calls a function that saves something. A failure turns the hook off."""
        if self.disabled:
            return
        begin = self._clock()
        try:
            function(*args)
        except Exception as error:
            self._fail(_WHAT, error)
        self._spend(begin)

    # ---- Saving.

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._core.register(name)
        return number

    def _number_in(self, name: str, collections: Tuple[str, ...]) -> int:
        """Returns the number of a tensor that is put into collections by hand."""
        number = self._hand_numbers.get((name, collections))
        if number is None:
            number = self._core.register_in(name, list(collections))
            self._hand_numbers[name, collections] = number
        return number

    def _watched(self, model: Model, due: int) -> Watched:
        return model.watched(due, self._core.matches, self._number, self._may_want_unforeseen())

    def _may_want_unforeseen(self) -> bool:
        """Returns whether names of inputs and outputs may be requested that are known only when a
        module is called. The built-in collections have none."""
        if self._unforeseen is None:
            plain = CollectionManager().get_collections()
            del plain[CollectionKeys.ALL]
            self._unforeseen = bool(self.include_regex) or any(
                collection.name not in plain
                or collection.include_regex != plain[collection.name].include_regex
                or collection.tensor_names
                for collection in self._collections_to_save()
            )
        return self._unforeseen

    def _save_parameters(self, model: Model, due: int) -> None:
        watched = self._watched(model, due)
        if not watched.parameters:
            return
        self._save_many(watched.parameter_numbers, watched.parameters, watched.parameters)

    def _save_many(
        self,
        numbers: List[int],
        parameters: List[torch.Tensor],
        tensors: Sequence[Optional[torch.Tensor]],
    ) -> None:
        """Saves parameters, or what belongs to each of them, such as a gradient; None for those to
        leave out."""
        self._count(numbers, tensors)
        if parameters[0].is_cuda:
            self._save_many_on_device(numbers, parameters, tensors)
            return
        pairs = [(n, t) for n, t in zip(numbers, tensors) if t is not None]
        packed = [to_dlpack(tensor) for _, tensor in pairs]
        for place in self._core.save_many([number for number, _ in pairs], packed):
            self._save_uncounted(*pairs[place])

    def _save_many_on_device(
        self,
        numbers: List[int],
        parameters: List[torch.Tensor],
        tensors: Sequence[Optional[torch.Tensor]],
    ) -> None:
        device = parameters[0].device
        if any(
            t is not None
            and (type(t) not in _PLAIN or t.layout is not torch.strided or t.device != device)
            for t in tensors
        ):
            for number, tensor in zip(numbers, tensors):
                if tensor is not None:
                    self._save_uncounted(number, tensor)
            return
        saver = self._device(device)
        group = self._groups.get(id(parameters))
        if group is None or group.tensors is not parameters:
            group = self._groups[id(parameters)] = saver.group(numbers, parameters)
        with self._gpu_section():
            saver.save_group(group, tensors)

    def _gpu_section(self) -> ContextManager[None]:
        """Returns a context whose work on the GPU counts towards the budget, if there is one."""
        if self._pacer is None:
            return _UNCOUNTED
        self._clock()  # What the host did until now is judged without this work.
        return self._gpu_time.section()

    def _save_nested(self, prefix: str, values: Any) -> None:
        for name, tensor in named_tensors(values, prefix, self._counts):
            self._save(self._number(name), tensor)

    def _save_one(self, name: str, tensor: torch.Tensor) -> None:
        self._save(self._number(name), tensor)

    def _save(self, number: int, tensor: torch.Tensor) -> None:
        if not self._core.wants(number):
            return
        self._count([number], [tensor])
        self._save_uncounted(number, tensor)

    def _count(self, numbers: Sequence[int], tensors: Sequence[Optional[torch.Tensor]]) -> None:
        """Counts the exponents of tensors that are saved, if that is due."""
        if self._exponents is not None and self._exponents.is_due and not self._is_light:
            names = [self._core.tensor_name(number) for number in numbers]
            self._exponents.add(self._core, names, tensors)

    def _save_uncounted(self, number: int, tensor: torch.Tensor) -> None:
        if not self._core.wants(number):
            return
        if tensor.is_cuda and type(tensor) in _PLAIN and can_save(tensor):
            with self._gpu_section():
                self._device(tensor.device).save(number, tensor)
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
        if self._pacer is not None and self._devices:
            self._pacer.spend(self._gpu_time.take())
        return super()._begin_step(number)

    def _finish(self) -> None:
        if self._exponents is not None:
            self._exponents.end(self._core)
        for saver in self._devices.values():
            saver.flush()
        super()._finish()

    def _save_prepared(self, number: int, tensor: torch.Tensor) -> None:
        name = self._core.tensor_name(number)
        try:
            saved = self._core.save(number, *prepared(tensor))
        except (TypeError, NotImplementedError) as error:  # The latter: no such kernel.
            say_once(f"'{name}' is not saved: {error}")
            return
        if not saved:
            say_once(f"'{name}' is not saved: {_unsupported(tensor)}")

    def _save_by_hand(self, name: str, value: Any, collections: List[str]) -> None:
        if not isinstance(value, torch.Tensor):
            super()._save_by_hand(name, value, collections)
            return
        for collection in collections:
            self.collection_manager.get(collection)
        if self._exponents is not None and self._exponents.is_due and not self._is_light:
            self._exponents.add(self._core, [name], [value])
        if value.is_cuda and type(value) in _PLAIN and can_save(value):
            number = self._number_in(name, tuple(collections))
            if self._core.wants(number):
                with self._gpu_section():
                    self._device(value.device).save(number, value)
            return
        try:
            saved = self._core.save_tensor(name, *prepared(value), collections)
        except NotImplementedError as error:  # No such kernel.
            raise TypeError(str(error)) from None
        if not saved:
            raise TypeError(_unsupported(value))

    def _kept_copy(self, value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return super()._kept_copy(value)
        return value.detach().clone()

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

    def only_profile(self) -> None:
        """Saves no tensors, and writes no files but those of the profiler."""
        super().only_profile()
        self._only_profiles = True  # Profiling may be turned on later.

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


def _unsupported(tensor: torch.Tensor) -> str:
    return f"unsupported type {tensor.dtype} or number of dimensions {tensor.dim()}"
