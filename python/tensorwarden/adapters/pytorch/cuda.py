"""Saves tensors on a GPU: copied to pinned memory, or reduced on the GPU.

Tensors are first copied on the GPU, in the stream of the training, which may then change them at
once. A separate stream copies them to pinned host memory, where the writer thread reads them. Only
that thread waits for the GPU. If only reductions are saved, only the reductions leave the GPU.
"""

import glob
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch

from tensorwarden import _core
from tensorwarden.adapters.pytorch.device_reductions import derive, statistics_of
from tensorwarden.adapters.pytorch.slots import (
    SLOT_BYTES,
    SMALL_SLOT_BYTES,
    Slot,
    SlotPool,
    Stage,
    StageBuffer,
)
from tensorwarden.base.troubles import logger

_ALIGNMENT = 64
_SUMMARIZED = (torch.float32, torch.float16, torch.bfloat16, torch.float64)
# Type names of the core; str(dtype) would cost more than a kernel launch.
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
_current_stream: Any = getattr(torch._C, "_cuda_getCurrentRawStream", None)


def can_save(tensor: torch.Tensor) -> bool:
    """Returns whether the tensor is dense, of a type that the core supports, and on an NVIDIA GPU.

    AMD GPUs are also called cuda.
    """
    return (
        tensor.layout == torch.strided and tensor.dtype in _NAMES and torch.version.cuda is not None
    )


class Batch:
    """Tensors, or rows of summaries, in one slot.

    They pass through buffers on the GPU, each of which holds a range of the slot.
    """

    def __init__(self, slot: Slot, stage: Stage, stream: int, device: torch.device):
        self.slot = slot
        self.stream = stream
        self.used = 0
        self.lent: List[Tuple[int, int, str, Tuple[int, ...]]] = []
        self._stage = stage
        self._filled_on = torch.cuda.ExternalStream(stream, device=device)
        self._buffer: Optional[StageBuffer] = None
        self._start = self._end = 0  # The range of the slot that the buffer holds.

    def fits(self, size: int, stream: int) -> bool:
        """Returns whether this size fits and comes from the same stream."""
        return stream == self.stream and self.used + size <= self.slot.size

    def add(self, number: int, tensor: torch.Tensor, size: int) -> int:
        """Reserves bytes for a tensor and returns their position."""
        place = self.used
        self.lent.append(
            (number, self.slot.address + place, _NAMES[tensor.dtype], tuple(tensor.shape))
        )
        self.used = -(-(place + size) // _ALIGNMENT) * _ALIGNMENT
        return place

    def room_at(self, place: int, size: int, side: torch.cuda.Stream) -> Tuple[int, int]:
        """Returns an address on the GPU for a position of the slot, and the size that fits there.

        Only tensors larger than a buffer are split.
        """
        if self._buffer is not None:
            room = self._buffer.size - (place - self._start)
            if room < min(size, self._buffer.size):
                self.ship(side)
        if self._buffer is None:
            self._buffer = self._stage.take(self._filled_on)
            self._start = place
        part = min(size, self._buffer.size - (place - self._start))
        self._end = place + part
        return self._buffer.address + place - self._start, part

    def ship(self, side: torch.cuda.Stream) -> None:
        """Copies the buffer to its place in the slot, concurrently with the training."""
        buffer, self._buffer = self._buffer, None
        if buffer is None:
            return
        side.wait_stream(self._filled_on)
        with torch.no_grad(), torch.cuda.stream(side):
            self.slot.memory[self._start : self._end].copy_(
                buffer.memory[: self._end - self._start], non_blocking=True
            )
            buffer.copied.record(side)


class _Statistics(NamedTuple):
    number: int
    tensor_type: str
    shape: Tuple[int, ...]
    elements: int
    statistics: List[torch.Tensor]


class DeviceSaver:
    """Saves tensors of one GPU. flush() must be called before a step ends."""

    def __init__(self, core: Any, pool: SlotPool, device: torch.device):
        self._core = core
        self._pool = pool
        self._device = device
        self._index = device.index
        self._side = torch.cuda.Stream(device)
        self._stage = Stage(SLOT_BYTES, device)
        self._row_stage = Stage(SMALL_SLOT_BYTES, device)
        self._values: Optional[Batch] = None
        self._rows: Optional[Batch] = None
        self._statistics: Dict[Tuple[int, ...], List[_Statistics]] = {}
        self._summary = _make_summary(self._index)
        self._scratch: Dict[int, torch.Tensor] = {}  # By stream.

    def save(self, number: int, tensor: torch.Tensor) -> None:
        """Saves what the collections request of a tensor that is due now."""
        raw, _, histogram, reductions = self._core.plan(number)
        stream = _current_stream(self._index)
        if raw or histogram or tensor.is_complex() or not reductions:
            self._copy(number, tensor, stream)
        elif tensor.numel():
            if self._summary is not None and tensor.dtype in _SUMMARIZED:
                self._summarize(self._summary, number, tensor, stream)
            else:
                self._reduce(number, tensor, tuple(reductions))

    def flush(self) -> None:
        """Passes the gathered tensors to the core."""
        if self._values is not None:
            self._send(self._values, self._core.lend_many)
            self._values = None
        if self._rows is not None:
            self._send(self._rows, self._core.lend_summaries)
            self._rows = None
        for reductions, rows in self._statistics.items():
            self._send_statistics(reductions, rows)
        self._statistics.clear()

    def _copy(self, number: int, tensor: torch.Tensor, stream: int) -> None:
        size = tensor.numel() * tensor.element_size()
        if self._values is None or not self._values.fits(size, stream):
            if self._values is not None:
                self._send(self._values, self._core.lend_many)
            slot = self._pool.take(size)
            self._values = Batch(slot, self._stage, stream, self._device)
        place = self._values.add(number, tensor, size)
        if not tensor.is_contiguous() or tensor.is_conj() or tensor.is_neg():
            with torch.no_grad():
                tensor = tensor.resolve_conj().resolve_neg().contiguous()
        done = 0
        while done < size:
            target, part = self._values.room_at(place + done, size - done, self._side)
            _core.copy_on_device(self._index, target, tensor.data_ptr() + done, part, stream)
            done += part

    def _summarize(
        self, summary: _core.DeviceSummary, number: int, tensor: torch.Tensor, stream: int
    ) -> None:
        if not tensor.is_contiguous():
            tensor = tensor.detach().contiguous()
        size = _core.SUMMARY_ROW_BYTES
        if self._rows is None or not self._rows.fits(size, stream):
            if self._rows is not None:
                self._send(self._rows, self._core.lend_summaries)
            slot = self._pool.take(size, small=True)
            self._rows = Batch(slot, self._row_stage, stream, self._device)
        place = self._rows.add(number, tensor, size)
        row, _ = self._rows.room_at(place, size, self._side)
        scratch = self._scratch.get(stream)
        if scratch is None:
            scratch = torch.zeros(
                _core.SUMMARY_SCRATCH_BYTES, dtype=torch.uint8, device=self._device
            )
            self._scratch[stream] = scratch
        name = _NAMES[tensor.dtype]
        count = tensor.numel()
        summary.launch(tensor.data_ptr(), count, name, row, scratch.data_ptr(), stream)

    def _send(self, batch: Batch, lend: Any) -> None:
        batch.ship(self._side)
        batch.slot.event.record(self._side)
        lend(batch.slot.number, self._index, batch.slot.event.cuda_event, batch.lent)

    def _reduce(self, number: int, tensor: torch.Tensor, reductions: Tuple[int, ...]) -> None:
        with torch.no_grad(), torch.cuda.device(self._device):
            statistics = statistics_of(tensor.detach(), reductions)
        self._statistics.setdefault(reductions, []).append(
            _Statistics(
                number, _NAMES[tensor.dtype], tuple(tensor.shape), tensor.numel(), statistics
            )
        )

    def _send_statistics(self, reductions: Tuple[int, ...], rows: List[_Statistics]) -> None:
        with torch.no_grad(), torch.cuda.device(self._device):
            statistics = torch.stack([statistic for row in rows for statistic in row.statistics])
            counts = torch.tensor([row.elements for row in rows], dtype=torch.float64)
            counts = counts.pin_memory().to(self._device, non_blocking=True)
            values = derive(statistics.double().view(len(rows), -1), counts, reductions)
            slot = self._pool.take(values.numel() * 8, small=True)
            self._side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self._side):
                target = slot.memory[: values.numel() * 8].view(torch.float64)
                target.copy_(values.reshape(-1), non_blocking=True)
                values.record_stream(self._side)
                slot.event.record(self._side)
        width = len(reductions) * 8
        lent = [
            (row.number, slot.address + i * width, row.tensor_type, row.shape)
            for i, row in enumerate(rows)
        ]
        self._core.lend_reductions(slot.number, self._index, slot.event.cuda_event, lent)


def _make_summary(device: int) -> Optional[_core.DeviceSummary]:
    try:
        return _core.DeviceSummary(device, _find_compiler())
    except _core.StatusError as error:
        logger.info(
            "tensorwarden: computing reductions with PyTorch operations: %s", error.args[-1]
        )
        return None


def _find_compiler() -> str:
    """Returns the NVRTC library in PyTorch's wheels; empty to use that of the system."""
    packages = os.path.dirname(os.path.dirname(torch.__file__))  # noqa: PTH120
    found = glob.glob(os.path.join(packages, "nvidia", "*", "lib", "libnvrtc.so.*"))  # noqa: PTH118, PTH207
    found = [path for path in found if "builtins" not in path and "alt" not in path]
    return sorted(found)[-1] if found else ""
