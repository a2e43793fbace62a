"""Tensors on a GPU: copied into pinned memory beside the training, or reduced where they are.

What is to be saved is first copied on the GPU, in the training's own stream, so that the training
may change it at once; a stream of our own then brings it to pinned host memory, and the writer's
thread reads it there. Nothing waits for the GPU but that thread. Of tensors of which only reductions
are kept, nothing but the reductions leaves the GPU."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch

# Pinned memory is taken in pieces of this size, and no more of it than the second number.
SLOT_BYTES = 64 << 20
MOST_BYTES = 1 << 30
_ALIGNMENT = 64
_PLAIN, _ABSOLUTE = 0, 9
_MIN, _MAX, _MEAN, _STD, _VARIANCE, _SUM, _PROD, _L1, _L2 = range(9)

_TYPES = frozenset(
    "float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 bool complex64 complex128".split()
)


def can_save(tensor: torch.Tensor) -> bool:
    """Whether it is dense and of a type that the core has."""
    return tensor.layout == torch.strided and _type_name(tensor) in _TYPES


class Slot:
    """A buffer on the GPU, one of the same size in pinned host memory, and the event that says
    that the one has been copied to the other."""

    def __init__(self, number: int, size: int, device: torch.device):
        self.number = number
        self.size = size
        self.on_device = torch.empty(size, dtype=torch.uint8, device=device)
        self.on_host = torch.empty(size, dtype=torch.uint8, pin_memory=True)
        self.event = torch.cuda.Event(blocking=True)
        self.address = self.on_host.data_ptr()


class SlotPool:
    """A bounded number of slots. When all are on loan, taking one waits: training then goes at the
    pace of the storage, as it does with tensors in host memory."""

    def __init__(self, core: Any, device: torch.device):
        self._core = core
        self._device = device
        self._slots: Dict[int, Slot] = {}
        self._free: List[Slot] = []
        self._next = 0

    def take(self, size: int) -> Slot:
        """A slot of at least that size."""
        size = max(size, SLOT_BYTES)
        self._take_back(0)
        while True:
            fitting = [slot for slot in self._free if slot.size >= size]
            if fitting:
                slot = min(fitting, key=lambda s: s.size)
                self._free.remove(slot)
                return slot
            total = sum(slot.size for slot in self._slots.values())
            if total + size <= MOST_BYTES or not self._slots:
                return self._make(size)
            if self._free:  # None is large enough: give one up for one that is.
                del self._slots[self._free.pop().number]
            else:
                self._take_back(100)

    def _take_back(self, timeout_ms: int) -> None:
        for number in self._core.returned_slots(timeout_ms):
            slot = self._slots.get(number)
            if slot is not None:
                self._free.append(slot)

    def _make(self, size: int) -> Slot:
        slot = Slot(self._next, size, self._device)
        self._next += 1
        self._slots[slot.number] = slot
        return slot


class _Row(NamedTuple):
    number: int
    dtype: str
    shape: Tuple[int, ...]
    count: int
    figures: List[torch.Tensor]


class DeviceSaver:
    """Saves tensors of one GPU. flush() must be called before a step ends."""

    def __init__(self, core: Any, device: torch.device):
        self._core = core
        self._device = device
        self._pool = SlotPool(core, device)
        self._stream = torch.cuda.Stream(device)
        self._slot: Optional[Slot] = None
        self._used = 0
        self._lent: List[Tuple[int, int, str, Tuple[int, ...]]] = []
        self._filled_on: Optional[torch.cuda.Stream] = None
        self._rows: Dict[Tuple[int, ...], List[_Row]] = {}

    def save(self, number: int, tensor: torch.Tensor) -> None:
        """Saves what the collections want of a tensor that they want now."""
        with torch.no_grad(), torch.cuda.device(self._device):
            raw, _, histogram, reductions = self._core.plan(number)
            if raw or histogram or tensor.is_complex() or not reductions:
                self._copy(number, tensor)
            else:
                self._reduce(number, tensor, tuple(reductions))

    def flush(self) -> None:
        """Hands over what was gathered."""
        with torch.no_grad(), torch.cuda.device(self._device):
            self._send()
            for reductions, rows in self._rows.items():
                self._send_rows(reductions, rows)
            self._rows.clear()

    def _copy(self, number: int, tensor: torch.Tensor) -> None:
        size = tensor.numel() * tensor.element_size()
        stream = torch.cuda.current_stream()
        if self._slot is None or self._used + size > self._slot.size or stream != self._filled_on:
            self._send()
            self._slot = self._pool.take(size)
            self._filled_on = stream
        place = self._used
        if size:
            target = self._slot.on_device[place : place + size].view(tensor.dtype)
            target.view(tensor.shape).copy_(tensor)
        name = _type_name(tensor)
        self._lent.append((number, self._slot.address + place, name, tuple(tensor.shape)))
        self._used = -(-(place + size) // _ALIGNMENT) * _ALIGNMENT

    def _send(self) -> None:
        slot, lent, used = self._slot, self._lent, self._used
        self._slot, self._lent, self._used = None, [], 0
        if slot is None:
            return
        used = min(used, slot.size)
        self._bring(slot, used, self._filled_on)
        self._core.lend_many(slot.number, self._device.index, slot.event.cuda_event, lent)

    def _bring(self, slot: Slot, used: int, filled_on: Any) -> None:
        self._stream.wait_stream(filled_on)
        with torch.cuda.stream(self._stream):
            slot.on_host[:used].copy_(slot.on_device[:used], non_blocking=True)
            slot.event.record(self._stream)

    def _reduce(self, number: int, tensor: torch.Tensor, reductions: Tuple[int, ...]) -> None:
        if tensor.numel() == 0:
            return
        row = _Row(
            number,
            _type_name(tensor),
            tuple(tensor.shape),
            tensor.numel(),
            _figures(tensor, reductions),
        )
        self._rows.setdefault(reductions, []).append(row)

    def _send_rows(self, reductions: Tuple[int, ...], rows: List[_Row]) -> None:
        figures = torch.stack([figure for row in rows for figure in row.figures])
        table = figures.double().view(len(rows), -1)
        counts = torch.tensor([row.count for row in rows], dtype=torch.float64)
        counts = counts.pin_memory().to(self._device, non_blocking=True)
        values = _derive(table, counts, reductions)
        slot = self._pool.take(values.numel() * 8)
        used = values.numel() * 8
        slot.on_device[:used].copy_(values.reshape(-1).view(torch.uint8))
        self._bring(slot, used, torch.cuda.current_stream())
        width = len(reductions) * 8
        lent = [
            (row.number, slot.address + i * width, row.dtype, row.shape)
            for i, row in enumerate(rows)
        ]
        self._core.lend_reductions(slot.number, self._device.index, slot.event.cuda_event, lent)


# What is computed of a tensor, one pass each; the reductions follow from these.
_EXTREMES, _MOMENTS, _PRODUCT, _NORM1, _NORM2, _ABS_MIN, _ABS_MOMENT = range(7)
_NEEDS = {
    _PLAIN + _MIN: (_EXTREMES,),
    _PLAIN + _MAX: (_EXTREMES,),
    _PLAIN + _MEAN: (_MOMENTS,),
    _PLAIN + _STD: (_MOMENTS,),
    _PLAIN + _VARIANCE: (_MOMENTS,),
    _PLAIN + _SUM: (_MOMENTS,),
    _PLAIN + _PROD: (_PRODUCT,),
    _PLAIN + _L1: (_NORM1,),
    _PLAIN + _L2: (_NORM2,),
    _ABSOLUTE + _MIN: (_ABS_MIN,),
    _ABSOLUTE + _MAX: (_EXTREMES,),
    _ABSOLUTE + _MEAN: (_NORM1,),
    _ABSOLUTE + _STD: (_ABS_MOMENT,),
    _ABSOLUTE + _VARIANCE: (_ABS_MOMENT,),
    _ABSOLUTE + _SUM: (_NORM1,),
    _ABSOLUTE + _PROD: (_PRODUCT,),
    _ABSOLUTE + _L1: (_NORM1,),
    _ABSOLUTE + _L2: (_NORM2,),
}


def _needed(reductions: Tuple[int, ...]) -> List[int]:
    return sorted({need for reduction in reductions for need in _NEEDS[reduction]})


def _figures(tensor: torch.Tensor, reductions: Tuple[int, ...]) -> List[torch.Tensor]:
    """The figures that the reductions need, in the order of _needed."""
    if tensor.dtype in (torch.float16, torch.bfloat16):
        tensor = tensor.float()
    elif not tensor.is_floating_point():
        tensor = tensor.double()
    figures: List[torch.Tensor] = []
    absolute = None
    for need in _needed(reductions):
        if need in (_ABS_MIN, _ABS_MOMENT) and absolute is None:
            absolute = tensor.abs()
        if need == _EXTREMES:
            figures.extend(torch.aminmax(tensor))
        elif need == _MOMENTS:
            figures.extend(reversed(torch.var_mean(tensor, unbiased=True)))
        elif need == _PRODUCT:
            figures.append(tensor.prod())
        elif need == _NORM1:
            figures.append(torch.linalg.vector_norm(tensor, 1))
        elif need == _NORM2:
            figures.append(torch.linalg.vector_norm(tensor, 2))
        elif need == _ABS_MIN:
            figures.append(absolute.min())
        else:
            figures.append(absolute.var(unbiased=True))
    return figures


def _derive(table: torch.Tensor, counts: torch.Tensor, reductions: Tuple[int, ...]) -> torch.Tensor:
    """The reductions of all rows at once, from the columns that _figures made."""
    column: Dict[Tuple[int, int], torch.Tensor] = {}
    place = 0
    for need in _needed(reductions):
        for part in range(2 if need in (_EXTREMES, _MOMENTS) else 1):
            column[need, part] = table[:, place]
            place += 1

    def of(reduction: int) -> torch.Tensor:
        (need,) = _NEEDS[reduction]
        first = column[need, 0]
        operation = reduction % 9
        if need == _EXTREMES:
            if reduction >= _ABSOLUTE:
                return torch.maximum(first.abs(), column[need, 1].abs())
            return first if operation == _MIN else column[need, 1]
        if need == _MOMENTS:
            if operation == _MEAN:
                return first
            if operation == _SUM:
                return first * counts
            variance = column[need, 1]
            return variance.sqrt() if operation == _STD else variance
        if need == _ABS_MOMENT:
            return first.sqrt() if operation == _STD else first
        if need == _PRODUCT:
            return first.abs() if reduction >= _ABSOLUTE else first
        return first / counts if operation == _MEAN else first

    return torch.stack([of(reduction) for reduction in reductions], dim=1).contiguous()


def _type_name(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).split(".")[-1]
