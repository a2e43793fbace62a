"""Remembers what the last forward passes of a model started from."""

import contextlib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.tensors import tensors_in

_MOST = 4  # Calls that are remembered between two steps of an optimizer.
_DEVICES = ("cpu", "cuda")
_HAS_DEVICES = hasattr(torch, "get_autocast_dtype")  # Autocast is asked by the device.
_is_autocast_on_cpu = torch.is_autocast_enabled if _HAS_DEVICES else torch.is_autocast_cpu_enabled
_CPU = ("cpu",) if _HAS_DEVICES else ()
_NO_AUTOCAST: Dict[str, Tuple[bool, Any]] = {
    "cpu": (False, torch.bfloat16),
    "cuda": (False, torch.float16),
}


class Call(NamedTuple):
    """A forward pass that can be run again."""

    model: Any  # The module itself, not its compiled form.
    name: str
    step: int
    args: Tuple[Any, ...]
    kwargs: Dict[str, Any]
    random: Optional[torch.Tensor]  # The state of PyTorch's generator, if the pass uses it.
    device_random: Optional[torch.Tensor]  # Of the current GPU.
    autocast: Dict[str, Tuple[bool, Any]]  # By device: whether it is on, and its type.


class Calls:
    """The last calls of models, the newest last. Holds references, no copies."""

    def __init__(self) -> None:
        self._calls: List[Call] = []

    def add(
        self, model: Any, name: str, step: int, args: Any, kwargs: Dict[str, Any]
    ) -> Optional[torch.Tensor]:
        """Remembers a forward pass that is about to begin. Returns the state of random numbers."""
        self._calls.append(call_now(model, name, step, args, kwargs))
        del self._calls[:-_MOST]
        return self._calls[-1].random

    def add_on_cpu(
        self,
        model: Any,
        name: str,
        step: int,
        args: Any,
        kwargs: Dict[str, Any],
        random: Optional[torch.Tensor],
    ) -> None:
        """The same for a model that uses no GPU, in a fraction of the time. `random`: the state of
        random numbers, None if the pass draws none."""
        autocast = autocast_settings() if _is_autocast_on_cpu(*_CPU) else _NO_AUTOCAST
        self._calls.append(Call(model, name, step, args, kwargs, random, None, autocast))
        if len(self._calls) > _MOST:
            del self._calls[0]

    @property
    def last_step(self) -> int:
        """The step of the newest call; -1 if there is none."""
        return self._calls[-1].step if self._calls else -1

    def clear(self) -> None:
        """Forgets all calls: their models are about to change."""
        self._calls.clear()

    def __iter__(self) -> Iterator[Call]:
        return iter(self._calls)


def call_now(model: Any, name: str, step: int, args: Any, kwargs: Dict[str, Any]) -> Call:
    """Returns a call that is about to begin, with random numbers and precision as they are."""
    on_gpu = any(tensor.is_cuda for tensor in tensors_in((args, kwargs)))
    return Call(
        model,
        name,
        step,
        tuple(args),
        dict(kwargs),
        torch.get_rng_state(),
        torch.cuda.get_rng_state() if on_gpu else None,
        autocast_settings(),
    )


def autocast_settings() -> Dict[str, Tuple[bool, Any]]:
    """Returns for each device whether mixed precision is on, and its type."""
    if _HAS_DEVICES:
        return {
            device: (torch.is_autocast_enabled(device), torch.get_autocast_dtype(device))
            for device in _DEVICES
        }
    return {
        "cpu": (torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype()),
        "cuda": (torch.is_autocast_enabled(), torch.get_autocast_gpu_dtype()),
    }


@contextlib.contextmanager
def as_it_was(call: Call) -> Iterator[None]:
    """Returns a context with the random numbers and the precision of a call."""
    on_gpu = call.device_random is not None
    with contextlib.ExitStack() as stack:
        devices = [torch.cuda.current_device()] if on_gpu else []
        stack.enter_context(torch.random.fork_rng(devices=devices))
        if call.random is not None:
            torch.set_rng_state(call.random)
        if call.device_random is not None:
            torch.cuda.set_rng_state(call.device_random)
        stack.enter_context(autocast_as(call.autocast))
        yield


@contextlib.contextmanager
def autocast_as(settings: Dict[str, Tuple[bool, Any]]) -> Iterator[None]:
    """Returns a context with these settings of autocast_settings()."""
    with contextlib.ExitStack() as stack:
        for device, (enabled, dtype) in settings.items():
            if device == "cpu" or torch.cuda.is_available():
                stack.enter_context(torch.autocast(device, enabled=enabled, dtype=dtype))
        yield
