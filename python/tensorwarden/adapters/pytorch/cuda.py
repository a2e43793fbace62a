"""Saves tensors on a GPU: copied to pinned memory, or reduced on the GPU.

Tensors are first copied on the GPU, in the stream of the training, which may then change them at
once. A separate stream copies them to pinned host memory, where the writer thread reads them. Only
that thread waits for the GPU. If only reductions are saved, only the reductions leave the GPU.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch

from tensorwarden import _core
from tensorwarden.adapters.pytorch.device_reductions import derive, statistics_of
from tensorwarden.adapters.pytorch.device_summaries import (
    SUMMARIZED,
    GroupShape,
    Scratch,
    count_buffers,
    described,
    make_summaries,
    strides_of,
)
from tensorwarden.adapters.pytorch.slots import (
    SLOT_BYTES,
    SMALL_SLOT_BYTES,
    Slot,
    SlotPool,
    Stage,
    StageBuffer,
)
from tensorwarden.base.troubles import say_once

_ALIGNMENT = 64
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
# Rows that fit a slot.
_MOST_TOGETHER = SMALL_SLOT_BYTES // _core.SUMMARY_ROW_BYTES
_current_stream: Any = getattr(torch._C, "_cuda_getCurrentRawStream", None)


def can_save(tensor: torch.Tensor) -> bool:
    """Returns whether the tensor is dense, of a type that the core supports, and on an NVIDIA GPU.

    AMD GPUs are also called cuda.
    """
    return (
        tensor.layout == torch.strided
        and (tensor.dtype in _NAMES or tensor.dtype in SUMMARIZED)
        and torch.version.cuda is not None
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


class RowBatch:
    """Rows of summaries in one slot, and the buffer on the GPU that they are written to."""

    def __init__(self, slot: Slot, buffer: StageBuffer, stream: int, filled_on: torch.cuda.Stream):
        self.slot = slot
        self.stream = stream
        self._buffer = buffer
        self._filled_on = filled_on
        self.rows = _core.DeviceRows(
            buffer.address, slot.address, min(slot.size, buffer.size) // _core.SUMMARY_ROW_BYTES
        )

    def ship(self, side: torch.cuda.Stream) -> None:
        """Copies all rows to the slot, concurrently with the training."""
        size = len(self.rows) * _core.SUMMARY_ROW_BYTES
        side.wait_stream(self._filled_on)
        with torch.no_grad(), torch.cuda.stream(side):
            self.slot.memory[:size].copy_(self._buffer.memory[:size], non_blocking=True)
            self._buffer.copied.record(side)
            self.slot.event.record(side)


class Group:
    """Tensors that are saved together at many steps, such as all gradients of a model."""

    def __init__(self, numbers: Sequence[int], tensors: Sequence[torch.Tensor]):
        self.numbers = list(numbers)
        self.tensors = tensors  # Keeps the list, by whose identity the group is known.
        self.shape = GroupShape(tensors)
        self._all: Optional[_core.DeviceGroup] = None

    def core(self) -> _core.DeviceGroup:
        """Returns what the core knows of the group."""
        if self._all is None:
            self._all = self.shape.for_core(self.numbers)
        return self._all


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
        self._rows: Optional[RowBatch] = None
        self._statistics: Dict[Tuple[int, ...], List[_Statistics]] = {}
        self._summaries = make_summaries(self._index)
        self._scratch: Dict[int, Scratch] = {}  # By stream.
        # Groups of one tensor, by its number, with its type, shape and strides.
        self._single: Dict[int, Tuple[Tuple[Any, ...], _core.DeviceGroup]] = {}

    def save(self, number: int, tensor: torch.Tensor) -> None:
        """Saves what the collections request of a tensor that is due now.

        It may need gradients: its address is all that the kernels use.
        """
        stream = _current_stream(self._index)
        if self._summaries is not None and tensor.dtype in SUMMARIZED and not tensor.is_neg():
            group = self._group_of_one(number, tensor)
            if not self._summarize(group, [tensor.data_ptr()], 1, stream):
                return
        self._save_otherwise(number, tensor.detach(), stream)

    def group(self, numbers: Sequence[int], tensors: Sequence[torch.Tensor]) -> Group:
        """Returns a group for save_group: tensors that have the types and shapes of these."""
        return Group(numbers, tensors)

    def save_group(self, group: Group, tensors: Sequence[Optional[torch.Tensor]]) -> None:
        """Saves what the collections request of all tensors of a group, with one call of the core.

        `tensors` has the order of the group; None leaves one out.
        """
        whole = self._summaries is not None and group.shape.addresses(tensors)
        if not whole or len(whole) > _MOST_TOGETHER:
            for number, tensor in zip(group.numbers, tensors):
                if tensor is not None and self._core.wants(number):
                    self.save(number, tensor)
            return
        stream = _current_stream(self._index)
        for place in self._summarize(group.core(), whole, len(whole), stream):
            tensor = tensors[place]
            if tensor is not None:
                self._save_otherwise(group.numbers[place], tensor.detach(), stream)

    def count_exponents(self, tensors: List[torch.Tensor]) -> Optional[torch.Tensor]:
        """Starts to count the values of tensors by powers of two, in the stream of the training.

        Returns 256 counts of each, on the GPU (see device_summaries.summarize); None if there are
        no kernels, or none for one of the tensors.
        """
        if self._summaries is None or not all(t.dtype in SUMMARIZED for t in tensors):
            return None
        stream = _current_stream(self._index)
        with torch.no_grad(), torch.cuda.device(self._device):
            # PyTorch reuses this memory in the order of the stream.
            bins, rows = count_buffers(len(tensors), self._device)
            scratch = Scratch(self._summaries, len(tensors), stream, self._device)
            self._summaries.launch(
                [described(tensor) for tensor in tensors],
                rows.data_ptr(),
                scratch.address,
                stream,
                histograms=bins.data_ptr(),
            )
        return bins

    def flush(self) -> None:
        """Passes the gathered tensors to the core."""
        if self._values is not None:
            self._send(self._values, self._core.lend_many)
            self._values = None
        if self._rows is not None and len(self._rows.rows):
            self._send_rows(self._rows)
            self._rows = None
        for reductions, rows in self._statistics.items():
            self._send_statistics(reductions, rows)
        self._statistics.clear()

    def _group_of_one(self, number: int, tensor: torch.Tensor) -> _core.DeviceGroup:
        key = (tensor.dtype, tensor.shape, strides_of(tensor))
        known = self._single.get(number)
        if known is None or known[0] != key:
            group = _core.DeviceGroup([number], [SUMMARIZED[key[0]]], [key[1]], [key[2]])
            known = self._single[number] = (key, group)
        return known[1]

    def _summarize(
        self, group: _core.DeviceGroup, addresses: List[int], count: int, stream: int
    ) -> List[int]:
        """Starts the summaries of a group; returns the places of tensors that need another way."""
        batch = self._rows
        if batch is None or batch.stream != stream or batch.rows.room < count:
            unused = batch.slot if batch is not None and not len(batch.rows) else None
            if batch is not None and unused is None:
                self._send_rows(batch)
            filled_on = torch.cuda.ExternalStream(stream, device=self._device)
            slot = unused or self._pool.take(SMALL_SLOT_BYTES, small=True)
            buffer = self._row_stage.take(filled_on)
            batch = self._rows = RowBatch(slot, buffer, stream, filled_on)
        scratch = self._scratch.get(stream)
        if scratch is None or scratch.count < count:
            # PyTorch reuses what this replaces in the order of the stream.
            scratch = Scratch(self._summaries, count, stream, self._device)
            self._scratch[stream] = scratch
        others: List[int] = self._core.save_on_device(
            group, addresses, self._summaries, batch.rows, scratch.address, stream
        )
        return others

    def _send_rows(self, batch: RowBatch) -> None:
        batch.ship(self._side)
        self._core.lend_rows(
            batch.rows, batch.slot.number, self._index, batch.slot.event.cuda_event
        )

    def _save_otherwise(self, number: int, tensor: torch.Tensor, stream: int) -> None:
        raw, _, histogram, reductions = self._core.plan(number)
        if tensor.dtype not in _NAMES:
            say_once(f"cannot save the values of tensors of type {tensor.dtype}, only reductions")
        elif raw or histogram or tensor.is_complex() or not reductions:
            self._copy(number, tensor, stream)
        elif tensor.numel():
            self._reduce(number, tensor, tuple(reductions))

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
            counts = torch.tensor([row.elements for row in rows], dtype=torch.float64, device="cpu")
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
