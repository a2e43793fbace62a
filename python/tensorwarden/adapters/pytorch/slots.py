"""Buffers that tensors travel through from a GPU to the writer's thread."""

from typing import Any, Dict, List

import torch

# Pinned memory is taken in pieces of this size, or the smaller one where little is to be carried,
# and no more of it than the last number.
SLOT_BYTES = 64 << 20
SMALL_SLOT_BYTES = 1 << 20
MOST_BYTES = 1 << 30


class Slot:
    """A buffer on the GPU, one of the same size in pinned host memory, and the event that says
    that the one has been copied to the other."""

    def __init__(self, number: int, size: int, device: torch.device):
        self.number = number
        self.size = size
        self.device = device
        self.on_device = torch.empty(size, dtype=torch.uint8, device=device)
        self.on_host = torch.empty(size, dtype=torch.uint8, pin_memory=True)
        self.event = torch.cuda.Event(blocking=True)
        self.device_address = self.on_device.data_ptr()
        self.host_address = self.on_host.data_ptr()


class SlotPool:
    """A bounded number of slots, for all GPUs of a hook. When all are on loan, taking one waits:
    training then goes at the pace of the storage, as it does with tensors in host memory."""

    def __init__(self, core: Any):
        self._core = core
        self._slots: Dict[int, Slot] = {}
        self._free: List[Slot] = []
        self._next = 0

    def take(self, size: int, device: torch.device, small: bool = False) -> Slot:
        """A slot of at least that size."""
        size = max(size, SMALL_SLOT_BYTES if small else SLOT_BYTES)
        self._take_back(0)
        while True:
            fitting = [s for s in self._free if s.size >= size and s.device == device]
            if fitting:
                slot = min(fitting, key=lambda s: s.size)
                self._free.remove(slot)
                return slot
            total = sum(slot.size for slot in self._slots.values())
            if total + size <= MOST_BYTES or not self._slots:
                return self._make(size, device)
            if self._free:  # None is large enough: give one up for one that is.
                del self._slots[self._free.pop().number]
            else:
                self._take_back(100)

    def _take_back(self, timeout_ms: int) -> None:
        for number in self._core.returned_slots(timeout_ms):
            slot = self._slots.get(number)
            if slot is not None:
                self._free.append(slot)

    def _make(self, size: int, device: torch.device) -> Slot:
        with torch.cuda.device(device):
            slot = Slot(self._next, size, device)
        self._next += 1
        self._slots[slot.number] = slot
        return slot
