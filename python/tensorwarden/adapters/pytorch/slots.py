"""Buffers for tensors on their way from a GPU to the writer thread."""

import os
from collections import deque
from typing import Any, Deque, Dict, List

import torch

# Pinned memory is allocated in slots of this size, or of the smaller size for little data.
SLOT_BYTES = 64 << 20
SMALL_SLOT_BYTES = 1 << 20
# The limits of pinned memory, in small slots and in others: enough for a step of a large model,
# which may be written until the next step is saved. They are separate, because a small slot may be
# kept while another one is waited for.
MOST_SMALL_BYTES = 64 << 20
MOST_BYTES = max(1 << 30, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 16)
# The share of GPU memory for data on its way to pinned memory.
STAGE_PART = 1 / 32


class Slot:
    """A buffer in pinned host memory, and the event of its complete arrival."""

    def __init__(self, number: int, size: int, small: bool):
        self.number = number
        self.size = size
        self.small = small
        self.memory = torch.empty(size, dtype=torch.uint8, device="cpu", pin_memory=True)
        self.address = self.memory.data_ptr()
        self.event = torch.cuda.Event(blocking=True)


class SlotPool:
    """A limited number of slots for all GPUs of a hook.

    When all are in use, taking one waits. Training then runs at the speed of the storage, as with
    tensors in host memory.
    """

    def __init__(self, core: Any):
        self._core = core
        self._slots: Dict[int, Slot] = {}
        self._free: List[Slot] = []
        self._next = 0

    def take(self, size: int, small: bool = False) -> Slot:
        """Returns a slot of at least this size."""
        size = max(size, SMALL_SLOT_BYTES if small else SLOT_BYTES)
        limit = MOST_SMALL_BYTES if small else MOST_BYTES
        self._take_back(0)
        while True:
            free = [slot for slot in self._free if slot.small == small]
            fitting = [slot for slot in free if slot.size >= size]
            if fitting:
                slot = min(fitting, key=lambda s: s.size)
                self._free.remove(slot)
                return slot
            total = sum(slot.size for slot in self._slots.values() if slot.small == small)
            if total + size <= limit or not total:
                return self._make(size, small)
            if free:  # None is large enough: replace one.
                self._free.remove(free[-1])
                del self._slots[free[-1].number]
            else:
                self._take_back(100)

    def _take_back(self, timeout_ms: int) -> None:
        for number in self._core.returned_slots(timeout_ms):
            slot = self._slots.get(number)
            if slot is not None:
                self._free.append(slot)

    def _make(self, size: int, small: bool) -> Slot:
        slot = Slot(self._next, size, small)
        self._next += 1
        self._slots[slot.number] = slot
        return slot


class StageBuffer:
    """A buffer on the GPU, and the event of its copy to the host."""

    def __init__(self, size: int, device: torch.device):
        self.size = size
        self.memory = torch.empty(size, dtype=torch.uint8, device=device)
        self.address = self.memory.data_ptr()
        self.copied = torch.cuda.Event()


class Stage:
    """A limited number of buffers on the GPU.

    Beyond the limit, a stream that takes one waits on the GPU until its content has been copied;
    the script does not wait.
    """

    def __init__(self, size: int, device: torch.device):
        memory = torch.cuda.get_device_properties(device).total_memory
        self._most = max(2, int(memory * STAGE_PART) // size)
        self._size = size
        self._device = device
        self._buffers: Deque[StageBuffer] = deque()  # Least recently used first.

    def take(self, stream: torch.cuda.Stream) -> StageBuffer:
        """Returns a buffer for use in this stream."""
        oldest = self._buffers[0] if self._buffers else None
        if oldest is None or (len(self._buffers) < self._most and not oldest.copied.query()):
            buffer = StageBuffer(self._size, self._device)
        else:
            buffer = self._buffers.popleft()
            stream.wait_event(buffer.copied)
        self._buffers.append(buffer)
        return buffer
