"""Counts values by powers of two, of tensors in half precision and of 8-bit types.

They show which values a type loses to zero or infinity. They are saved beside the tensors, as
`exponents/<type>/<tensor>` (docs/formats/training.md).
"""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

import torch

PREFIX = "exponents/"
_COLLECTIONS = ["exponents"]
_GRADIENTS = "gradient/"
_BINS = 256
# Types with fewer exponents than float32, and the one with as many.
_NARROW: Dict[torch.dtype, str] = {torch.float16: "float16"}
for _name in ("float8_e4m3fn", "float8_e5m2"):
    if hasattr(torch, _name):  # Newer versions of PyTorch.
        _NARROW[getattr(torch, _name)] = _name
_HALF: Dict[torch.dtype, str] = {**_NARROW, torch.bfloat16: "bfloat16"}

# When they are saved unasked: of gradients, in the first steps and then rarely.
_EARLY = 5
_EVERY = 20
_MOST_VALUES = 1 << 16  # Of a tensor on the CPU, evenly spread.


class _Arriving(NamedTuple):
    """Counts that a GPU copies to the host."""

    names: List[str]
    counts: torch.Tensor
    arrived: torch.cuda.Event


class ExponentCounts:
    """Counts the values of tensors that are saved.

    Args:
        asked: Whether the script wants the counts of all its tensors, at each step. If not, those
            of gradients in types narrower than float32 are saved at a few steps.
        on_device: Starts to count tensors of one GPU there; returns the counts, on the GPU, or None
            if it cannot.
    """

    def __init__(
        self, asked: bool, on_device: Callable[[List[torch.Tensor]], Optional[torch.Tensor]]
    ):
        self.asked = asked
        self.is_due = False
        self._types = _HALF if asked else _NARROW
        self._on_device = on_device
        self._steps = 0
        self._computed_in: Optional[torch.dtype] = None  # By matrix products in this step.
        self._arriving: List[_Arriving] = []

    def begin(self, core: Any, due: bool, device: str) -> None:
        """A step begins, with the forward pass. `due`: tensors are saved in it."""
        self._deliver(core, wait=False)
        self.is_due = False
        if not due:
            return
        self.is_due = self.asked or self._steps < _EARLY or self._steps % _EVERY == 0
        self._steps += 1
        if self.is_due:
            self._computed_in = autocast_type(device)

    def add(
        self, core: Any, names: Sequence[str], tensors: Sequence[Optional[torch.Tensor]]
    ) -> None:
        """Tensors are saved, in a step in which counts are due."""
        on_gpu: Dict[str, torch.Tensor] = {}
        for name, tensor in zip(names, tensors):
            kind = None if tensor is None else self._type_of(name, tensor)
            if tensor is None or kind is None:
                continue
            full = f"{PREFIX}{kind}/{name}"
            if tensor.is_cuda:
                on_gpu[full] = tensor.detach()
            elif tensor.device.type == "cpu":
                counts = count(tensor, None if self.asked else _MOST_VALUES)
                core.save_tensor_now(full, counts.numpy(), _COLLECTIONS)
        if on_gpu and not torch.cuda.is_current_stream_capturing():
            self._send(on_gpu)

    def end(self, core: Any) -> None:
        """Saves what is on its way, before the run is closed."""
        self._deliver(core, wait=True)

    def _type_of(self, name: str, tensor: torch.Tensor) -> Optional[str]:
        """Returns the name of the type whose range the values had to fit; None if they are not
        counted."""
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or not tensor.numel():
            return None
        if tensor.layout is not torch.strided:
            return None
        is_gradient = name.startswith(_GRADIENTS)
        if not is_gradient and not self.asked:
            return None
        kind = self._types.get(tensor.dtype)
        if kind is None and is_gradient and tensor.dtype is torch.float32 and tensor.dim() > 1:
            # The backward pass has computed it in the type of the forward pass, and widened it.
            kind = self._types.get(self._computed_in) if self._computed_in is not None else None
        return kind

    def _send(self, tensors: Dict[str, torch.Tensor]) -> None:
        counts = self._on_device(list(tensors.values()))
        if counts is None:
            return
        with torch.no_grad():
            host = torch.empty(counts.shape, dtype=counts.dtype, device="cpu", pin_memory=True)
            host.copy_(counts, non_blocking=True)
        arrived = torch.cuda.Event()
        arrived.record(torch.cuda.current_stream(counts.device))
        self._arriving.append(_Arriving(list(tensors), host, arrived))

    def _deliver(self, core: Any, wait: bool) -> None:
        """Saves the counts that a GPU has sent, into the step that is under way."""
        while self._arriving and (wait or self._arriving[0].arrived.query()):
            names, counts, arrived = self._arriving.pop(0)
            arrived.synchronize()
            for name, row in zip(names, counts.numpy()):
                core.save_tensor_now(name, row, _COLLECTIONS)


def count(tensor: torch.Tensor, most: Optional[int] = None) -> torch.Tensor:
    """Returns 256 counts of the values of a tensor on the CPU by the exponent of a float32: entry
    127 is for magnitudes from 1 to below 2, entry 0 for zeros and all smaller values, entry 255 for
    all larger ones, infinities and NaN.

    With `most`, looks at about so many values.
    """
    with torch.no_grad():
        values = tensor.detach().reshape(-1)
        if most is not None and values.numel() > most:
            values = values[:: -(-values.numel() // most)]
        bits = values.float().contiguous().view(torch.int32)
        counts = torch.bincount((bits >> 23) & 0xFF, minlength=_BINS)
    return counts


def autocast_type(device: str) -> Optional[torch.dtype]:
    """Returns the type in which matrix products are computed now; None if autocast is off."""
    autocast: Any = torch
    try:
        on = autocast.is_autocast_enabled(device)
    except TypeError:  # An older PyTorch.
        if device == "cuda":
            return autocast.get_autocast_gpu_dtype() if autocast.is_autocast_enabled() else None
        return autocast.get_autocast_cpu_dtype() if autocast.is_autocast_cpu_enabled() else None
    return autocast.get_autocast_dtype(device) if on else None
