"""Everything that observes a training loop, in one place."""

import math
import os
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

from tensorwarden.adapters.pytorch.compiling import compiling
from tensorwarden.adapters.pytorch.tensors import single_number
from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.common.messages import inform
from tensorwarden.auto.pytorch.training.activations import Activations
from tensorwarden.auto.pytorch.training.batches import Batches
from tensorwarden.auto.pytorch.training.exchange import Exchange
from tensorwarden.auto.pytorch.training.first_nan import FirstNan
from tensorwarden.auto.pytorch.training.graphs import MARK, Graphs
from tensorwarden.auto.pytorch.training.jumps import Jumps
from tensorwarden.auto.pytorch.training.loading import Loading
from tensorwarden.auto.pytorch.training.looks import Looks
from tensorwarden.auto.pytorch.training.loss_inputs import LossInputs
from tensorwarden.auto.pytorch.training.modes import Modes
from tensorwarden.auto.pytorch.training.optimizing import Optimizing


class Observer:
    """Receives the reports of the wrappers. A failure ends the observation, and nothing else.

    Off unless $TENSORWARDEN_OBSERVE is 1: who writes a configuration gets what it asks for.
    """

    def __init__(self, capture: Any) -> None:
        self._capture = capture
        self._off = os.environ.get("TENSORWARDEN_OBSERVE") != "1"
        self._in_step = False  # Of the training: it has begun and was not ended.
        self._journal = Journal()
        self.graphs = Graphs()
        self._loading = Loading(self._journal)
        self._exchange = Exchange(self._journal)
        self._batches = Batches(self._journal, self._loading)
        self.looks = self._looks = Looks()
        self._alone = True  # No other worker is known of.
        self._activations = Activations(self._journal, self._batches, self._guard, self._looks)
        self._modes = Modes(self._journal)
        self._loss_inputs = LossInputs(self._journal, self._modes, self._guard, self._looks)
        self._first_nan = FirstNan(self._journal, lambda: capture.hook, capture.paused)
        self._jumps = Jumps(lambda: self._look_closely(urgent=False))
        self._optimizing = Optimizing(
            self._journal, self._models, self._guard, self._looks, self._first_nan, self._jumps
        )

    def watch(self) -> None:
        """Wraps the functions that are observed."""
        self._guard(self._optimizing.watch)
        self._guard(self._loading.watch)
        self._guard(self._modes.watch)
        self._guard(self._batches.watch)
        self._guard(self._loss_inputs.watch)

    def optimizer(self, optimizer: Any) -> None:
        """An optimizer was created."""
        self._guard(self._optimizing.add, optimizer)
        self._batches.forget_orders()

    def untrained(self, module: Any) -> None:
        """A module in train mode is called that no optimizer updates."""
        self._guard(self._optimizing.add_untrained, module)

    def begin_bare_step(
        self, model: Any, called: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]
    ) -> bool:
        """A captured model is about to be called. If the budget of the run leaves room for nothing
        but losses, begins such a step and returns True."""
        hook = self._capture.hook
        if self._off or hook is None or self._capture.off:
            return False
        if not self._looks.is_left_out:
            self._guard(self._end_step)
        if not hook.begin_bare_step(model, called):
            return False
        self._try(self._bare_forward, hook, model, args, kwargs)
        return True

    def _bare_forward(self, hook: Any, model: Any, args: Any, kwargs: Dict[str, Any]) -> None:
        self._end_step()
        self._in_step = True
        self._looks.next_is_left_out(self._alone and self._capture.dumping is None, hook._pacer)
        self._modes.forward_of_training()
        self._optimizing.forward(model.root)
        self._activations.rest()
        self._first_nan.forward_on_cpu(model, hook.step_so_far, args, kwargs)

    def forward(self, model: Any, inputs: Tuple[Any, ...], compiled: bool = False) -> None:
        """A forward pass of a captured model begins, and with it the next step. `compiled`: it runs
        as compiled code."""
        self._guard(self._next_step, model, inputs, compiled)

    def _next_step(self, model: Any, inputs: Tuple[Any, ...], compiled: bool) -> None:
        self._end_step()
        self._in_step = True
        pacer = getattr(self._capture.hook, "_pacer", None)
        if pacer is None:
            self._looks.next_step()
        else:
            self._looks.next_step(pacer.next_has_numbers(), pacer.room)
        self._modes.forward(model)
        self._optimizing.forward(model)
        self._activations.forward(model, type(model).__name__, inputs, compiled)

    def arguments(self, model: Any, args: Any, kwargs: Dict[str, Any]) -> None:
        """A captured model is about to be called with these arguments."""
        self._guard(self._first_nan.forward, model, args, kwargs)

    def frozen_arguments(self, module: Any, args: Any, kwargs: Dict[str, Any]) -> None:
        """A module that is not trained is about to be called with these arguments."""
        self._guard(self._first_nan.frozen, module, args, kwargs)

    def backward(self, value: Any) -> None:
        """A loss is about to run backward."""
        self._try(self._backward, value)

    def bare_backward(self, value: Any) -> bool:
        """A loss is about to run backward in a bare step. Returns whether it was dealt with here,
        as nearly all are."""
        number = single_number(value)
        if number is None or not math.isfinite(number):
            return False
        if MARK not in getattr(value.grad_fn, "metadata", ()):
            return False
        self._jumps.look("backward_value", number)
        self._first_nan.loss(value, True)
        self._optimizing.backward()
        self._modes.backward()
        return True

    def _backward(self, value: Any) -> None:
        if value.numel() == 1 and not value.is_cuda:
            single = single_number(value)
            number = float(value.detach()) if single is None else single
            self._journal.note("backward_value", number)
            self._jumps.look("backward_value", number)
            if not math.isfinite(number):
                self._look_closely()
            self._first_nan.loss(value, math.isfinite(number))
        elif value.numel() == 1 and value.is_cuda:
            self._first_nan.loss_on_gpu(value)
        self._optimizing.backward()
        self._modes.backward()
        self._journal.note("live_graphs", self.graphs.alive)
        self._alone = self._exchange.begin(value)

    def scale(self, scaler: Any) -> None:
        """A mixed precision scaler is about to multiply a loss."""
        self._guard(self._optimizing.scale, scaler)

    def after_backward(self) -> None:
        """A loss has run backward."""
        if self._exchange.is_measured:
            self._guard(self._exchange.end)

    def _look_closely(self, urgent: bool = True) -> None:
        pacer = getattr(self._capture.hook, "_pacer", None)
        if pacer is not None:
            pacer.look_closely(urgent=urgent)

    def unsafe_step(self, optimizer: Any, count: int) -> str:
        """A step is left out, because gradients are not finite; it is the `count`-th. Returns the
        name of the first tensor that is not finite, if it was found."""
        tensor = self.bad_step(optimizer)
        self._guard(self._journal.note, "skipped_steps", count)
        self._guard(self._first_nan.stepped)
        return tensor

    def bad_step(self, optimizer: Any) -> str:
        """Gradients of an optimizer are not finite. Returns the name of the first tensor that is
        not, if it was found."""
        self._first_nan.tensor = ""
        self._guard(self._first_nan.gradients, optimizer)
        return self._first_nan.tensor

    @property
    def found(self) -> Optional[Dict[str, Any]]:
        """What was found last of the first value that is not finite."""
        return self._first_nan.found

    def loss_module(self, module: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        """A loss module is about to be called."""
        if self._modes.looks_at_losses or not self._looks.is_left_out:
            self._guard(self._loss_inputs.look_at_module, module, args, kwargs)

    def loss_function(self, name: str, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        """A loss function is about to be called."""
        if self._modes.looks_at_losses or not self._looks.is_left_out:
            self._guard(self._loss_inputs.look, name, args, kwargs)

    @property
    def is_on(self) -> bool:
        """Whether anything is observed."""
        return not self._off

    def evaluation_loss(self, name: str, value: Any) -> None:
        """A loss was computed without gradients after a forward pass of training."""
        self._guard(self._note_evaluation, name, value)

    def _note_evaluation(self, name: str, value: Any) -> None:
        self._journal.note_mean(f"evaluation_loss/{name}", float(value.detach()))

    def end(self) -> None:
        """The run is about to be closed."""
        self._guard(self._end_step)

    def _end_step(self) -> None:
        if not self._in_step:
            return
        self._in_step = False
        hook = self._capture.hook
        self._loading.end_step()
        if hook is None or self._looks.is_left_out:
            return
        training = hook.mode.name in ("TRAIN", "GLOBAL")
        self._exchange.note(training, self._loading.steps)
        self._loading.note(training)
        if hook._pacer is not None:
            self._journal.note("capture_share", hook._pacer.spent_share)
        self._journal.save(hook)

    def _models(self) -> List[Tuple[str, Any]]:
        hook = self._capture.hook
        return [] if hook is None else [(model.name, model.named) for model in hook._models]

    def _guard(self, method: Callable[..., None], *args: Any) -> None:
        if not compiling():
            self._try(method, *args)

    def _try(self, method: Callable[..., None], *args: Any) -> None:
        """As _guard, for callers who know that nothing is being compiled."""
        if self._off or self._capture.off:
            return
        pacer = getattr(self._capture.hook, "_pacer", None)
        if pacer is not None and not pacer.is_timed:
            try:
                method(*args)
            except Exception as error:
                self._fail(error)
            return
        clock = time.perf_counter if pacer is None else pacer.clock
        start, begin = time.perf_counter(), clock()
        try:
            method(*args)
        except Exception as error:
            self._fail(error)
        # The GPU is busy while the host waits for a loss, so the wait costs the training nothing.
        waited, busy = self._first_nan.take_waited(), self._first_nan.take_busy()
        seconds = max(0.0, clock() - begin - waited) + busy
        if pacer is not None:
            pacer.spend(seconds)
        self._looks.spend(seconds, max(0.0, time.perf_counter() - start - waited) + busy)

    def _fail(self, error: Exception) -> None:
        self._off = True
        self._looks.is_bare = False
        inform(f"the training loop is not observed: {type(error).__name__}: {error}")
