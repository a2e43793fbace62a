"""Tensors on a GPU: copied into pinned memory beside the training, or reduced where they are.

What is to be saved is first copied on the GPU, in the training's own stream, so that the training
may change it at once; a stream of our own then brings it to pinned host memory, and the writer's
thread reads it there. Nothing waits for the GPU but that thread. Of tensors of which only
reductions are kept, nothing but the reductions leaves the GPU."""

import glob
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch

from tensorwarden import _core
from tensorwarden.adapters.pytorch.device_reductions import derive, figures_of
from tensorwarden.adapters.pytorch.slots import Slot, SlotPool
from tensorwarden.troubles import logger

_ALIGNMENT = 64
_SUMMARIZED = (torch.float32, torch.float16, torch.bfloat16, torch.float64)
# Names of types as the core has them; str(dtype) would cost more than a launch.
_NAMES = {
    torch.float16: "float16",
    torch.bfloat16: "bfloat16",
    torch.float32: "float32",
    torch.float64: "float64",
    torch.int8: "int8",
    torch.int16: "int16",
    torch.int32: "int32",
    torch.int64: "int64",
    torch.uint8: "uint8",
    torch.bool: "bool",
    torch.complex64: "complex64",
    torch.complex128: "complex128",
}
_current_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)


def can_save(tensor: torch.Tensor) -> bool:
    """Whether it is dense and of a type that the core has."""
    return tensor.layout == torch.strided and tensor.dtype in _NAMES


class Batch:
    """Tensors, or rows of summaries, in one slot."""

    def __init__(self, slot: Slot, stream: int):
        self.slot = slot
        self.stream = stream
        self.used = 0
        self.lent: List[Tuple[int, int, str, Tuple[int, ...]]] = []

    def fits(self, size: int, stream: int) -> bool:
        """Whether so much more has room, and comes from the same stream."""
        return stream == self.stream and self.used + size <= self.slot.size

    def add(self, number: int, tensor: torch.Tensor, size: int) -> int:
        """Takes so many bytes for a tensor; tells where they begin."""
        place = self.used
        self.lent.append(
            (number, self.slot.host_address + place, _NAMES[tensor.dtype], tuple(tensor.shape))
        )
        self.used = -(-(place + size) // _ALIGNMENT) * _ALIGNMENT
        return place


class _Figures(NamedTuple):
    number: int
    tensor_type: str
    shape: Tuple[int, ...]
    count: int
    figures: List[torch.Tensor]


class DeviceSaver:
    """Saves tensors of one GPU. flush() must be called before a step ends."""

    def __init__(self, core: Any, pool: SlotPool, device: torch.device):
        self._core = core
        self._pool = pool
        self._device = device
        self._index = device.index
        self._stream = torch.cuda.Stream(device)
        self._values: Optional[Batch] = None
        self._rows: Optional[Batch] = None
        self._figures: Dict[Tuple[int, ...], List[_Figures]] = {}
        self._summary = _make_summary(self._index)
        self._scratch: Dict[int, torch.Tensor] = {}  # By stream.

    def save(self, number: int, tensor: torch.Tensor) -> None:
        """Saves what the collections want of a tensor that they want now."""
        raw, _, histogram, reductions = self._core.plan(number)
        stream = _current_stream(self._index)
        if raw or histogram or tensor.is_complex() or not reductions:
            self._copy(number, tensor, stream)
        elif tensor.numel():
            if self._summary is not None and tensor.dtype in _SUMMARIZED:
                self._summarize(number, tensor, stream)
            else:
                self._reduce(number, tensor, tuple(reductions))

    def flush(self) -> None:
        """Hands over what was gathered."""
        if self._values is not None:
            self._send(self._values, self._core.lend_many)
            self._values = None
        if self._rows is not None:
            self._send(self._rows, self._core.lend_summaries)
            self._rows = None
        for reductions, rows in self._figures.items():
            self._send_figures(reductions, rows)
        self._figures.clear()

    def _copy(self, number: int, tensor: torch.Tensor, stream: int) -> None:
        size = tensor.numel() * tensor.element_size()
        if self._values is None or not self._values.fits(size, stream):
            if self._values is not None:
                self._send(self._values, self._core.lend_many)
            self._values = Batch(self._pool.take(size, self._device), stream)
        batch = self._values
        place = batch.add(number, tensor, size)
        if not size:
            return
        if tensor.is_contiguous() and not tensor.is_conj() and not tensor.is_neg():
            target = batch.slot.device_address + place
            _core.copy_on_device(self._index, target, tensor.data_ptr(), size, stream)
            return
        with torch.no_grad(), torch.cuda.device(self._device):
            view = batch.slot.on_device[place : place + size].view(tensor.dtype)
            view.view(tensor.shape).copy_(tensor)

    def _summarize(self, number: int, tensor: torch.Tensor, stream: int) -> None:
        if not tensor.is_contiguous():
            tensor = tensor.detach().contiguous()
        size = _core.SUMMARY_ROW_BYTES
        if self._rows is None or not self._rows.fits(size, stream):
            if self._rows is not None:
                self._send(self._rows, self._core.lend_summaries)
            self._rows = Batch(self._pool.take(size, self._device, small=True), stream)
        row = self._rows.slot.device_address + self._rows.add(number, tensor, size)
        scratch = self._scratch.get(stream)
        if scratch is None:
            with torch.cuda.device(self._device):
                scratch = torch.zeros(
                    _core.SUMMARY_SCRATCH_BYTES, dtype=torch.uint8, device=self._device
                )
            self._scratch[stream] = scratch
        self._summary.launch(
            tensor.data_ptr(),
            tensor.numel(),
            _NAMES[tensor.dtype],
            row,
            scratch.data_ptr(),
            stream,
        )

    def _send(self, batch: Batch, lend: Any) -> None:
        self._bring(batch.slot, min(batch.used, batch.slot.size), batch.stream)
        lend(batch.slot.number, self._index, batch.slot.event.cuda_event, batch.lent)

    def _bring(self, slot: Slot, used: int, stream: int) -> None:
        with torch.no_grad(), torch.cuda.device(self._device):
            self._stream.wait_stream(torch.cuda.ExternalStream(stream, device=self._device))
            with torch.cuda.stream(self._stream):
                slot.on_host[:used].copy_(slot.on_device[:used], non_blocking=True)
                slot.event.record(self._stream)

    def _reduce(self, number: int, tensor: torch.Tensor, reductions: Tuple[int, ...]) -> None:
        with torch.no_grad(), torch.cuda.device(self._device):
            figures = figures_of(tensor.detach(), reductions)
        self._figures.setdefault(reductions, []).append(
            _Figures(number, _NAMES[tensor.dtype], tuple(tensor.shape), tensor.numel(), figures)
        )

    def _send_figures(self, reductions: Tuple[int, ...], rows: List[_Figures]) -> None:
        with torch.no_grad(), torch.cuda.device(self._device):
            figures = torch.stack([figure for row in rows for figure in row.figures])
            counts = torch.tensor([row.count for row in rows], dtype=torch.float64)
            counts = counts.pin_memory().to(self._device, non_blocking=True)
            values = derive(figures.double().view(len(rows), -1), counts, reductions)
            used = values.numel() * 8
            slot = self._pool.take(used, self._device, small=True)
            slot.on_device[:used].copy_(values.reshape(-1).view(torch.uint8))
        self._bring(slot, used, _current_stream(self._index))
        width = len(reductions) * 8
        lent = [
            (row.number, slot.host_address + i * width, row.tensor_type, row.shape)
            for i, row in enumerate(rows)
        ]
        self._core.lend_reductions(slot.number, self._index, slot.event.cuda_event, lent)


def _make_summary(device: int) -> Optional[_core.DeviceSummary]:
    if torch.version.cuda is None:  # AMD's GPUs go by the name of cuda too.
        return None
    try:
        return _core.DeviceSummary(device, _find_compiler())
    except _core.StatusError as error:
        logger.info("tensorwarden: reductions by PyTorch's operations: %s", error.args[-1])
        return None


def _find_compiler() -> str:
    """NVRTC's library as PyTorch's wheels bring it; empty to leave it to the system."""
    packages = os.path.dirname(os.path.dirname(torch.__file__))  # noqa: PTH120
    found = glob.glob(os.path.join(packages, "nvidia", "*", "lib", "libnvrtc.so.*"))  # noqa: PTH118, PTH207
    found = [path for path in found if "builtins" not in path and "alt" not in path]
    return sorted(found)[-1] if found else ""
