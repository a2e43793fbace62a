"""Names where a training stopped being finite: the module, forward or backward, and the step.

Each loss is looked at when it runs backward, gradients when an optimizer is about to use them.
Healthy steps cost no more than that. On a GPU, losses are looked at when an optimizer is about to
change the weights, and gradients one step later. When something is not finite, the weights are
still those of the step: its forward pass is run again on a copy of the model
(adapters/pytorch/replay), and the operators tell where it began.
"""

import json
import math
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import torch

from tensorwarden.adapters.pytorch.finite_values import all_finite, bad_among
from tensorwarden.adapters.pytorch.replay.calls import Calls
from tensorwarden.adapters.pytorch.replay.origin import Origin, Search, why_loss
from tensorwarden.adapters.pytorch.workers import find_place
from tensorwarden.auto.common.journal import Journal
from tensorwarden.auto.common.messages import inform
from tensorwarden.auto.pytorch.training.gpu_checks import GpuGradients, GpuLosses

FACT = "first_nan"
FOLDER = "first_nan"  # In the folder of the run: what other workers have found.
_MOST_SEARCHES = 8
_EARLY = 8  # Optimizer steps whose gradients are all looked at.
_SHARE = 0.002  # Of the time, for looking at all gradients later on.
_SMALL = 1 << 14  # Values of a gradient that may be looked at in every step.
_FEW = 8  # Of them.
# Seconds to wait for other workers, whose GPUs have spoilt the weights of all: the one whose loss
# was not finite may still be searching.
_PATIENCE = 3.0


class FirstNan:
    """Finds origins. `paused` returns a context in which nothing is captured, and `hook` the hook
    of the process."""

    def __init__(
        self, journal: Journal, hook: Callable[[], Any], paused: Callable[[], Any]
    ) -> None:
        self._journal = journal
        self._hook = hook
        self._paused = paused
        self._calls = Calls()
        self._frozen = Calls()
        self._gpu_losses = GpuLosses()
        self._gpu_gradients = GpuGradients()
        self._is_on_gpu = False
        self._waited = 0.0  # Seconds; see take_waited.
        self._busy = 0.0  # Seconds; see take_busy.
        self.tensor = ""  # What was found last.
        self.found: Optional[Dict[str, Any]] = None
        self._broken = False
        self._searches = 0
        self._steps = 0
        self._gradients_checked = True  # At the last step of an optimizer.
        self._bad_gradients = False  # A stuck scaler has left out the last step.
        # The state of random numbers before a forward pass, and whether such passes draw some.
        self._random: Optional[torch.Tensor] = None
        self._is_random = True
        self._last_step = -1  # Of the run, at the last step of an optimizer.
        self._micro_batches = 0
        self._backward_begun = 0.0
        self._spent = 0.0
        self._begin = time.perf_counter()

    def forward(self, model: Any, args: Any, kwargs: Dict[str, Any]) -> None:
        """A captured model is about to be called."""
        hook = self._hook()
        if hook is None or not model.training or not torch.is_grad_enabled():
            return
        named = getattr(model, "_orig_mod", model)
        # The hook counts the step only after this.
        self._random = self._calls.add(named, named._get_name(), hook.step + 1, args, kwargs)

    def forward_on_cpu(self, model: Any, step: int, args: Any, kwargs: Dict[str, Any]) -> None:
        """A captured model of the CPU is about to be called in train mode; its step has begun."""
        random = torch.get_rng_state() if self._is_random else None
        self._calls.add_on_cpu(model.named, model.name, step, args, kwargs, random)

    def frozen(self, module: Any, args: Any, kwargs: Dict[str, Any]) -> None:
        """A module that is not trained is about to be called."""
        hook = self._hook()
        if hook is not None:
            name = module._get_name()
            self._frozen.add(getattr(module, "_orig_mod", module), name, -1, args, kwargs)

    def loss(self, value: torch.Tensor, is_finite: bool) -> None:
        """A loss is about to run backward."""
        self._micro_batches += 1
        if self._random is not None:
            self._is_random = not torch.equal(self._random, torch.get_rng_state())
            self._random = None
        if is_finite:
            return
        self._find(value, None)

    def loss_on_gpu(self, value: torch.Tensor) -> None:
        """A loss on a GPU is about to run backward."""
        self._micro_batches += 1
        self._gpu_losses.add(value)

    def losses_of_gpu(self) -> List[float]:
        """An optimizer is about to change the weights. Returns the losses of the step, for which it
        waits; the GPU does not."""
        if not self._gpu_losses.has_any:
            return []
        begin = time.perf_counter()
        losses = self._gpu_losses.take()
        self._waited += time.perf_counter() - begin
        bad = [number for number, loss in enumerate(losses) if not math.isfinite(loss)]
        if bad:
            of_all, self._micro_batches = self._micro_batches, bad[0] + 1
            self._find(None, None)
            self._micro_batches = of_all
        elif losses and not self._bad_gradients:
            self._broken = False
        return losses

    def cleared(self) -> None:
        """Gradients are cleared: losses that no optimizer has used are forgotten."""
        self._micro_batches = 0
        self._gpu_losses.forget()

    def take_waited(self) -> float:
        """Returns the seconds since the last call that the host has waited for a GPU, which was
        busy with the training."""
        waited, self._waited = self._waited, 0.0
        return waited

    def take_busy(self) -> float:
        """Returns the seconds that a GPU was busy with our looks, as far as known and not returned
        before."""
        busy, self._busy = self._busy, 0.0
        return busy

    def gradients(self, optimizer: Any, is_idle: bool = False) -> None:
        """An optimizer is about to use gradients. `is_idle`: the host has just waited for them, so
        those of a GPU may be read at once."""
        self._gradients_checked = self._bad_gradients = False
        if getattr(optimizer, "found_inf", None) is not None:
            return
        parameters = [
            p for group in optimizer.param_groups for p in group["params"] if p.grad is not None
        ]
        self._is_on_gpu = bool(parameters) and parameters[0].is_cuda
        if self._is_on_gpu and is_idle:
            bad = _bad(parameters)
            self._bad_gradients = bool(bad)
        elif self._is_on_gpu:
            self._busy += self._gpu_gradients.look(parameters)
            return
        elif self._can_afford_all():
            begin = time.perf_counter()
            bad = _bad(parameters)
            self._spent += time.perf_counter() - begin
            self._gradients_checked = True
        else:
            # What goes wrong on the way back reaches the small gradients of all layers before it.
            small = _small(parameters)
            self._gradients_checked = len(small) == len(parameters)
            bad = [] if all_finite([p.grad for p in small]) else _bad(parameters)
        if bad:
            self._find(None, bad)
        elif not self._calls_are_stale():
            self._broken = False

    def stepped(self) -> None:
        """An optimizer has changed the models."""
        self._steps += 1
        self._last_step = max(self._last_step, self._calls.last_step)
        self.left_out()

    def left_out(self) -> None:
        """A step of an optimizer is over, and did not change the models."""
        self._micro_batches = 0
        self._calls.clear()
        self._frozen.clear()

    def _calls_are_stale(self) -> bool:
        return not list(self._calls)

    def _can_afford_all(self) -> bool:
        if self._steps == _EARLY:
            self._begin, self._spent = time.perf_counter(), 0.0
        return self._steps < _EARLY or self._spent < _SHARE * (time.perf_counter() - self._begin)

    # ---- The search.

    def _find(self, loss: Optional[torch.Tensor], bad: Optional[List[Any]]) -> None:
        if self._broken or self._searches >= _MOST_SEARCHES:
            return
        self._broken = True
        self._searches += 1
        try:
            with self._paused():
                found = self._search(loss, bad)
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            inform(f"the step was not run again to find its first NaN: {reason}")
            return
        if found is not None:
            self._tell(found)

    def _search(
        self, loss: Optional[torch.Tensor], bad: Optional[List[Any]]
    ) -> Optional[Dict[str, Any]]:
        ranges = []
        for call in self._calls:
            search = Search(call)
            origin = search.find(backward=bad is not None)
            if origin is not None and origin.phase == "input":
                return self._from_frozen(call.step) or self._describe(call.step, origin, bad)
            if origin is not None:
                found = self._describe(call.step, origin, bad)
                if search.bad_gradient:  # Clipping may have spread it to others since.
                    found["tensor"] = f"gradient/{call.name}_{search.bad_gradient}"
                return found
            ranges.append((call.name, search.output_range))
        step = max((call.step for call in self._calls), default=-1)
        if step < 0:
            return None
        if bad is not None:
            return self._from_elsewhere(step, bad)
        return self._from_loss(step, loss, ranges)

    def _describe(self, step: int, origin: Origin, bad: Optional[List[Any]]) -> Dict[str, Any]:
        at = f" ({origin.line})" if origin.line else ""
        path = origin.name
        found: Dict[str, Any] = {
            "step": step,
            "phase": origin.phase,
            "module": path or origin.model,
        }
        if origin.phase == "weights":
            found["step"] = self._last_step if self._last_step >= 0 else step
            found["tensor"] = f"{origin.model}_{path}"
            found["module"] = path.rpartition(".")[0]
            others = self._found_by_others(found["step"], _PATIENCE) if self._is_on_gpu else None
            return others or {**found, **(self._of_gpu_gradients() or self._of_update())}
        if origin.phase == "input":
            found["module"] = origin.model
            found["tensor"] = f"{origin.model}_input_{path}"
            found["what"] = (
                f"the batch has NaN or infinite values in input {path} of {origin.model}"
                f"{_range_text(origin.range, 'the others are')}"
            )
            return found
        operator = origin.operator
        if origin.phase == "forward":
            found["tensor"] = f"{path or origin.model}_output_0"
            what = f"{operator} in the forward pass of {origin.kind}{at}"
            what += _range_text(origin.range, "its inputs are")
        else:
            found["tensor"] = self._gradient_name(bad) or f"{path or origin.model}_output_0"
            what = f"backward of {operator} in {path or origin.model} ({origin.kind}){at}"
            what += ", after a finite forward pass"
        found.update(operator=operator, line=origin.line, what=what)
        found["class"] = origin.kind
        return found

    def _from_frozen(self, step: int) -> Optional[Dict[str, Any]]:
        """Returns which module that is not trained has made the bad input of a model."""
        for call in self._frozen:
            origin = Search(call).find(backward=False)
            if origin is not None:
                path = f"{call.name}.{origin.name}" if origin.name else call.name
                found = self._describe(step, origin._replace(name=path), None)
                return {**found, "what": f"{found['what']}, frozen"}
        return None

    def _of_gpu_gradients(self) -> Optional[Dict[str, Any]]:
        """Returns which gradient of the last step was not finite, if they were looked at."""
        bad = self._gpu_gradients.bad() if self._last_step >= 0 else []
        if not bad:
            self._gradients_checked = self._gradients_checked or self._gpu_gradients.knows_all
            return None
        name = self._gradient_name(bad)
        what = "the backward pass made it NaN or infinite, after a finite forward pass"
        module = name.partition("_")[2].rpartition(".")[0]
        return {"phase": "backward", "module": module, "tensor": name, "what": what}

    def _of_update(self) -> Dict[str, Any]:
        if self._last_step < 0:
            return {"what": "a weight is NaN or infinite before the first step"}
        if self._gradients_checked:
            what = "the optimizer made it NaN or infinite, of finite gradients"
            return {"phase": "optimizer", "what": what}
        return {"phase": "optimizer", "what": "NaN or infinite since the last optimizer step"}

    def _from_loss(self, step: int, loss: Any, ranges: List[Any]) -> Dict[str, Any]:
        why = why_loss(loss) if loss is not None else ""
        outputs = "; ".join(
            f"outputs of {name} are finite{_range_text(values, '', ',')}" for name, values in ranges
        )
        what = f"{why} in the loss" if why else "the loss itself is NaN or infinite"
        return {
            "step": step,
            "phase": "loss",
            "module": "",
            "tensor": "loss",
            "operator": why,
            "what": f"{what}; {outputs}" if outputs else what,
        }

    def _from_elsewhere(self, step: int, bad: List[Any]) -> Dict[str, Any]:
        name = self._gradient_name(bad)
        others = self._found_by_others(step)
        if others is not None:
            return others
        if find_place().size > 1:
            what = "NaN or infinite after the exchange of gradients; this worker's were finite"
        else:
            what = "backward of the loss: its gradient is NaN or infinite, its value is finite"
        return {"step": step, "phase": "backward", "module": "", "tensor": name, "what": what}

    def _gradient_name(self, bad: Optional[List[Any]]) -> str:
        """Returns the name of the first gradient in backward order."""
        wanted = {id(parameter) for parameter in bad or ()}
        for call in self._calls:
            for name, parameter in reversed(list(call.model.named_parameters())):
                if id(parameter) in wanted:
                    return f"gradient/{call.name}_{name}"
        return ""

    # ---- Other workers.

    def _found_by_others(self, step: int, patience: float = 0.0) -> Optional[Dict[str, Any]]:
        """Returns what another worker has found at this step, before gradients were exchanged.
        Waits for it so many seconds."""
        if find_place().size < 2:
            return None
        end = time.perf_counter() + patience
        while True:
            for path in sorted((Path(self._hook().out_dir) / FOLDER).glob("worker_*.json")):
                found: Dict[str, Any] = json.loads(path.read_text())
                if found["step"] == step and found.get("worker") != self._hook().worker:
                    return found
            if time.perf_counter() >= end:
                return None
            time.sleep(0.05)

    def _tell(self, found: Dict[str, Any]) -> None:
        hook = self._hook()
        if self._micro_batches > 1:
            found["micro_batch"] = self._micro_batches - 1
            found["what"] += f", micro-batch {self._micro_batches - 1}"
        if "worker" not in found and find_place().size > 1:
            found["worker"] = hook.worker
            folder = Path(hook.out_dir) / FOLDER
            folder.mkdir(parents=True, exist_ok=True)
            unfinished = folder / f"{hook.worker}.tmp"
            unfinished.write_text(json.dumps(found))
            unfinished.replace(folder / f"{hook.worker}.json")
        self._journal.fact(FACT, found)
        self.found = found
        self.tensor = found["tensor"]


def _bad(parameters: List[Any]) -> List[Any]:
    return [parameters[i] for i in bad_among([p.grad for p in parameters])]


def _small(parameters: List[Any]) -> List[Any]:
    """Returns the first parameters that are small, which are the last on the way back."""
    return [p for p in parameters if p.numel() <= _SMALL][:_FEW]


def _range_text(values: Any, words: str, joint: str = ";") -> str:
    if values is None:
        return ""
    return f"{joint} {words} from {values[0]:.3g} to {values[1]:.3g}".replace("  ", " ")
