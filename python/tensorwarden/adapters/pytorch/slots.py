"""Buffers that tensors travel through from a GPU to the writer's thread."""

import os
from collections import deque
from typing import Any, Deque, Dict, List

import torch

# Pinned memory is taken in pieces of this size, or the smaller one where little is to be carried.
SLOT_BYTES = 64 << 20
SMALL_SLOT_BYTES = 1 << 20
# And no more of it than this: room for a step of a large model, so that writing it may take until
# the next one is saved.
MOST_BYTES = max(1 << 30, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 16)
# Of the GPU's memory, the part that may hold what is on its way to pinned memory.
STAGE_PART = 1 / 32


class Slot:
    """A buffer in pinned host memory, and the event that says that all of it has arrived."""

    def __init__(self, number: int, size: int):
        self.number = number
        self.size = size
        self.memory = torch.empty(size, dtype=torch.uint8, pin_memory=True)
        self.address = self.memory.data_ptr()
        self.event = torch.cuda.Event(blocking=True)


class SlotPool:
    """A bounded number of slots, for all GPUs of a hook. When all are on loan, taking one waits:
    training then goes at the pace of the storage, as it does with tensors in host memory."""

    def __init__(self, core: Any):
        self._core = core
        self._slots: Dict[int, Slot] = {}
        self._free: List[Slot] = []
        self._next = 0

    def take(self, size: int, small: bool = False) -> Slot:
        """A slot of at least that size."""
        size = max(size, SMALL_SLOT_BYTES if small else SLOT_BYTES)
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
        slot = Slot(self._next, size)
        self._next += 1
        self._slots[slot.number] = slot
        return slot


class StageBuffer:
    """A buffer on the GPU, and the event that says that it has been copied to the host."""

    def __init__(self, size: int, device: torch.device):
        self.size = size
        self.memory = torch.empty(size, dtype=torch.uint8, device=device)
        self.address = self.memory.data_ptr()
        self.copied = torch.cuda.Event()


class Stage:
    """Buffers on the GPU, as many as are on their way at a time, up to a bound. Beyond it a stream
    that takes one waits, on the GPU, until what was in it has been copied; the program does not."""

    def __init__(self, size: int, device: torch.device):
        memory = torch.cuda.get_device_properties(device).total_memory
        self._most = max(2, int(memory * STAGE_PART) // size)
        self._size = size
        self._device = device
        self._buffers: Deque[StageBuffer] = deque()  # The one used longest ago comes first.

    def take(self, stream: torch.cuda.Stream) -> StageBuffer:
        """A buffer for use in that stream."""
        oldest = self._buffers[0] if self._buffers else None
        if oldest is None or (len(self._buffers) < self._most and not oldest.copied.query()):
            buffer = StageBuffer(self._size, self._device)
        else:
            buffer = self._buffers.popleft()
            stream.wait_event(buffer.copied)
        self._buffers.append(buffer)
        return buffer
