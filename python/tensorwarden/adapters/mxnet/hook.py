"""The hook for MXNet Gluon."""

import re
import threading
import weakref
from typing import Any, Dict, List, Optional, Sequence, Set, Union

import numpy as np
from mxnet import autograd
from mxnet.gluon import Block
from mxnet.gluon.loss import Loss
from mxnet.ndarray import NDArray

from tensorwarden.adapters.mxnet.collection import CollectionManager
from tensorwarden.adapters.mxnet.gradients import HeldGradients
from tensorwarden.adapters.mxnet.inert import BlockHook
from tensorwarden.adapters.mxnet.model import Model, data_of, gradient_of, io_names, is_traced
from tensorwarden.adapters.mxnet.roles import roles_of_loss, roles_of_model
from tensorwarden.adapters.mxnet.tensors import ComputationError, named_arrays, to_array, to_host
from tensorwarden.adapters.mxnet.workers import Place, find_place
from tensorwarden.base.troubles import logger, say_once
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.hook.framework_hook import FrameworkHook
from tensorwarden.hook.options import HookOptions
from tensorwarden.profiler.recording.step_timeline import PlainStepTimeline
from tensorwarden.sagemaker.framework import FRAMEWORK

_WHAT = "error while capturing a step"
_GRADIENT = "gradient/"
# Collections whose tensors are all visible outside of blocks.
_OUTSIDE = {
    CollectionKeys.WEIGHTS,
    CollectionKeys.BIASES,
    CollectionKeys.GRADIENTS,
    CollectionKeys.LOSSES,
}


class Hook(FrameworkHook):
    """Captures parameters, gradients, inputs, outputs and losses of Gluon blocks.

    ```python
    hook = Hook(out_dir="run", include_collections=["weights", "gradients"])
    hook.register_block(net)
    hook.register_block(loss)
    ```

    A step is one forward pass of a registered block that is not a loss. Its parameters and
    gradients are read when the next step begins, or at the end: after the update, as in smdebug.
    See `BaseHook` for the arguments.
    """

    framework = "mxnet"

    _manager_class = CollectionManager

    def _set_up(self, collection_manager: Any, options: HookOptions) -> None:
        super()._set_up(collection_manager, options)
        self._models: List[Model] = []
        self._registered: Set[Block] = set()
        self._losses: Set[Block] = set()
        self._due = 0
        self._recorded = False  # Whether gradients may come from this step.
        self._numbers: Dict[str, int] = {}  # Numbers of tensors by name.
        self._counts: Dict[str, int] = {}  # Counts of a block's inputs or outputs in this step.
        self._wanted: Dict[str, bool] = {}  # By name of the block.
        self._place: Optional[Place] = None
        self._preparing = threading.Lock()
        self._held = HeldGradients(self._gradient_if_due)
        # Continues when capture has failed; None when another hook has taken over.
        self._timeline: Optional[PlainStepTimeline] = PlainStepTimeline(FRAMEWORK.MXNET)

    @property
    def worker(self) -> str:
        """The name of this worker: "worker_<rank>"."""
        return f"worker_{self._find_place().rank}"

    def _get_num_workers(self) -> int:
        return self._find_place().size

    def _find_place(self) -> Place:
        if self._place is not None:
            return self._place
        return find_place(p for model in self._models for p in model.parameters())

    # ---- Registration.

    def register_block(self, block: Block) -> None:
        """Captures a block, for example a model. For a loss, captures only inputs and outputs.

        Anything that is not a Block is skipped with an error message.
        """
        if not isinstance(block, Block):
            logger.error(
                "tensorwarden: %s is not captured: expected an mxnet.gluon.Block",
                type(block).__name__,
            )
            return
        if self._closed:
            return
        try:
            if isinstance(block, Loss):
                self._register_loss(block)
            else:
                self._register_model(block)
        except Exception as error:
            self._fail(f"cannot capture {block.name}", error)

    def register_hook(self, block: Block) -> None:
        """Captures a block; another name for register_block."""
        self.register_block(block)

    def _register_model(self, block: Block) -> None:
        model = Model(block)
        blocks = set(model.blocks())
        if blocks & self._registered:
            say_once(
                f"'{block.name}' is not registered again: the block or a part of it is already "
                "registered"
            )
            return
        self._registered |= blocks
        self._models.append(model)
        # The block must not keep itself alive through the hook.
        seen = weakref.ref(model)
        block.register_forward_pre_hook(
            BlockHook(lambda called, inputs: self._before_forward(seen(), called, inputs))
        )
        if self._core is not None:
            self._roles.add(roles_of_model(model.root, model.blocks()))
            self._look_into(model)
        logger.info("tensorwarden: capturing %s", model.describe())

    def _register_loss(self, block: Loss) -> None:
        if block in self._losses:
            return
        self._losses.add(block)
        self._watch_block(block, block.name)
        self._roles.add(roles_of_loss(block))
        losses = self.collection_manager.get(CollectionKeys.LOSSES)
        first = f"{block.name}_output_0"
        if any(_found(pattern, first) for pattern in losses.include_regex):
            return
        pattern = f"^{re.escape(block.name)}_output_"
        losses.include(pattern)
        if self._core is not None:
            self._core.include(CollectionKeys.LOSSES, [pattern])

    def _prepare(self) -> None:
        with self._preparing:
            if self._raw_core is None:  # No other thread has done it.
                self._prepare_once()

    def _prepare_once(self) -> None:
        self._place = self._find_place()
        for model in self._models:
            self._roles.add(roles_of_model(model.root, model.blocks()))
        for collection in self.collection_manager.get_collections().values():
            for block, (inputs, outputs) in getattr(collection, "blocks", {}).items():
                self._include_block(collection, block, inputs, outputs)
        super()._prepare()
        for model in self._models:
            self._look_into(model)

    def _include_block(self, collection: Any, block: Any, inputs: bool, outputs: bool) -> None:
        known = self._losses.union(*(model.blocks() for model in self._models))
        if block not in known:
            say_once(
                f"collection '{collection.name}': {getattr(block, 'name', repr(block))} does not "
                "belong to a registered block; call register_block first"
            )
            return
        for kind, wanted in (("input", inputs), ("output", outputs)):
            pattern = f"^{re.escape(block.name)}_{kind}_"
            if wanted and pattern not in collection.include_regex:
                collection.include(pattern)

    def _look_into(self, model: Model) -> None:
        """Adds hooks only to blocks that may be requested; the others cost nothing."""
        looks_inside = any(
            collection.name not in _OUTSIDE
            and (collection.name != CollectionKeys.DEFAULT or collection.include_regex)
            for collection in self._collections_to_save()
        )
        for block, name in model.blocks().items():
            if block is model.root or looks_inside or self._may_want(name):
                self._watch_block(block, name)

    def _may_want(self, name: str) -> bool:
        """Returns whether an input or output of a block can ever be requested."""
        wanted = self._wanted.get(name)
        if wanted is None:
            wanted = any(self._core.matches(tensor) for tensor in io_names(name))
            self._wanted[name] = wanted
        return wanted

    def _watch_block(self, block: Block, name: str) -> None:
        watched = weakref.ref(block)

        def after(called: Block, inputs: Any, outputs: Any) -> None:
            if called is watched():  # Not a copy that shares its hooks.
                self._after_forward(name, inputs, outputs)

        block.register_forward_hook(BlockHook(after))

    # ---- Called by MXNet.

    def _before_forward(self, model: Optional[Model], called: Block, inputs: Any) -> None:
        """Ends a step and starts the next.

        `called` is the model, or a copy that shares its hooks. `model` is None after the hook was
        closed.
        """
        if model is None or called is not model.root or is_traced(inputs):
            return
        if self._timeline is not None:
            self._timeline.begin(self._mode)
        if self.disabled:
            return
        if self._quiet_steps > 0:
            self._quiet_steps -= 1
            self._untold_steps += 1
            return
        try:
            self._save_parameters()
            self._due = self._begin_step()
            if self._due:
                self._counts.clear()
                self._held.begin_step()
                self._recorded = autograd.is_recording()
                self._tell_unreachable(model)
        except ComputationError as error:
            raise error.cause from None
        except Exception as error:
            self._fail(_WHAT, error)

    def _after_forward(self, name: str, inputs: Any, outputs: Any) -> None:
        if self.disabled or not self._due:
            return
        try:
            # A loss may be recorded even if the model was not.
            self._recorded = self._recorded or autograd.is_recording()
            for prefix, values in ((f"{name}_input_", inputs), (f"{name}_output_", outputs)):
                for tensor, value in named_arrays(values, prefix, self._counts):
                    self._save_array(tensor, value)
        except ComputationError as error:
            raise error.cause from None
        except Exception as error:
            self._fail(_WHAT, error)

    # ---- Saving.

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._core.register(name)
        return number

    def _save_array(self, name: str, value: Union[NDArray, np.ndarray, None]) -> None:
        if value is None:
            return
        number = self._number(name)
        if not self._core.wants(number):  # Checked before the training waits for the value.
            return
        array = value if isinstance(value, np.ndarray) else to_array(value)
        if not self._core.save(number, array):
            say_once(f"cannot save arrays of type {array.dtype}")

    def _save_parameters(self) -> None:
        """Saves the parameters of the step that is ending.

        The core still has its number and mode, whatever mode was set for the next step.
        """
        if not self._due:
            return
        parameters = self._parameters()
        for parameter in parameters:
            self._save_array(parameter.name, data_of(parameter))
        if self._recorded:
            held = self._held.take(parameters)
            for parameter in parameters:
                gradient = held.get(parameter.name, gradient_of(parameter))
                self._save_array(_GRADIENT + parameter.name, gradient)
        self._due = 0

    def _gradient_if_due(self, parameter: Any) -> Optional[np.ndarray]:
        """Returns a parameter's gradient if it is due. Raises only ComputationError."""
        if self.disabled or not (self._due and self._recorded):
            return None
        try:
            # Not by number: the parameter may belong to an unregistered block.
            if not self._core.matches(_GRADIENT + parameter.name) & self._due:
                return None
            gradient = gradient_of(parameter)
            return None if gradient is None else to_array(gradient)
        except ComputationError:
            raise
        except Exception as error:
            self._fail(_WHAT, error)
            return None

    def _parameters(self) -> List[Any]:
        """Returns the parameters of all registered blocks, each name once."""
        found: Dict[str, Any] = {}
        for model in self._models:
            for parameter in model.parameters():
                found.setdefault(parameter.name, parameter)
        return list(found.values())

    def _tell_unreachable(self, model: Model) -> None:
        found = model.unreachable(self._may_want)
        if found is not None:
            say_once(
                f"'{found[1]}' is hybridized: inputs and outputs of blocks inside it, such as "
                f"'{found[0]}', are not captured; do not call hybridize to capture them"
            )

    # ---- Saving explicitly.

    def save_scalar(
        self, name: str, value: Any, sm_metric: bool = False, timestamp: Optional[float] = None
    ) -> None:
        """Saves a number at the current step, as tensor "scalar/<name>"."""
        if not self.disabled:
            super().save_scalar(name, self._fetched(value), sm_metric, timestamp)

    def save_scalars(self, values: Dict[str, Any]) -> None:
        """Saves several numbers at once, which is much faster than one call per number."""
        if not self.disabled:
            super().save_scalars({name: self._fetched(value) for name, value in values.items()})

    def save_tensor(
        self,
        tensor_name: str,
        tensor_value: Any,
        collections_to_write: Union[str, Sequence[str]] = CollectionKeys.DEFAULT,
    ) -> None:
        """Adds a tensor to these collections and saves it at the current step if one of them is
        due.

        See `BaseHook.save_tensor`.
        """
        if not self.disabled:
            super().save_tensor(tensor_name, self._fetched(tensor_value), collections_to_write)

    def _fetched(self, value: Any) -> Any:
        try:
            return to_host(value)
        except ComputationError as error:
            raise error.cause from None

    # ---- The end.

    def _finish(self) -> None:
        try:
            if not self.disabled:
                self._save_parameters()
        except ComputationError as error:
            say_once(f"the last step was not saved completely: {error.cause}")
        self._held.stop()
        super()._finish()

    def close(self) -> None:
        """Saves pending tensors, marks the run as finished and releases the blocks."""
        if self._closed:
            return
        try:
            super().close()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        """Releases the blocks, because models must be freed before the process ends."""
        self._models.clear()
        self._registered.clear()
        self._losses.clear()
        for collection in self.collection_manager.get_collections().values():
            getattr(collection, "blocks", {}).clear()

    def _close_profiling(self) -> None:
        if self._timeline is not None:
            self._timeline.close()
            self._timeline = None

    def stand_back(self) -> None:
        """Stops capturing, because another hook has taken over."""
        self.disabled = True
        self._held.stop()
        if self._timeline is not None:
            self._timeline.stop()
            self._timeline = None


def _found(pattern: str, name: str) -> bool:
    try:
        return re.search(pattern, name) is not None
    except re.error:  # The core reports it.
        return False
