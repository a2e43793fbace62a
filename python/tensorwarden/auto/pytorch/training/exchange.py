"""Measures how long a worker waits for the others while gradients are averaged, and notes its
host."""

import os
import socket
import time
from pathlib import Path
from typing import Any, NamedTuple, Optional

import torch

from tensorwarden.adapters.pytorch.workers import find_place
from tensorwarden.auto.common.journal import Journal
from tensorwarden.sagemaker.job import get_node_id_from_resource_config


class Exchanged(NamedTuple):
    """The exchanges since the last step that was noted."""

    seconds: float  # Spent waiting.
    end: float  # When the last one ended, in seconds since 1970.


class Exchange:
    """Time that backward passes wait for other workers.

    DistributedDataParallel waits in a callback at the end of a backward pass, which it queues when
    the last gradient is computed. Callbacks run in the order in which they were queued: one that is
    queued at the beginning runs when this worker has computed its gradients, and before the wait.
    On a GPU the wait is not in the backward pass, and nothing is measured.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._failed = False
        self._hook: Any = None
        self._computed: Optional[float] = None
        self._exchanged: Optional[Exchanged] = None

    def begin(self, loss: torch.Tensor) -> bool:
        """A loss is about to run backward. Returns whether this process trains alone."""
        distributed = torch.distributed
        if not distributed.is_available() or not distributed.is_initialized():
            return True
        if not self._failed:
            self._watch(loss)
        return False

    def _watch(self, loss: torch.Tensor) -> None:
        if not self._journal.has("host"):
            self._tell_place()
        self._forget()
        if loss.device.type == "cpu" and loss.requires_grad and find_place().size > 1:
            self._hook = loss.register_hook(self._queue)

    def _tell_place(self) -> None:
        self._journal.fact("host", get_node_id_from_resource_config() or socket.gethostname())
        # As the system metrics name the machine, where a launcher has numbered them.
        node = os.environ.get("TENSORWARDEN_NODE")
        if node:
            self._journal.fact("node", node)
        # Hosts of a job may share a machine, and its clock: only this tells.
        try:
            boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        except OSError:
            return
        self._journal.fact("boot", boot)

    @property
    def is_measured(self) -> bool:
        """Whether the backward pass that has begun is measured."""
        return self._hook is not None

    def _queue(self, gradient: torch.Tensor) -> None:
        variable: Any = torch.autograd.Variable
        try:
            # The only way to run something at the end of a backward pass; DDP uses it too.
            variable._execution_engine.queue_callback(self._mark)
        except Exception:  # It must not fail in the backward pass.
            self._failed = True

    def _mark(self) -> None:
        self._computed = time.perf_counter()

    def end(self) -> None:
        """The backward pass has ended."""
        if self._computed is not None:
            before = 0.0 if self._exchanged is None else self._exchanged.seconds
            waited = time.perf_counter() - self._computed
            self._exchanged = Exchanged(before + waited, time.time())
        self._forget()

    def _forget(self) -> None:
        self._computed = None
        if self._hook is not None:
            self._hook.remove()
            self._hook = None

    def note(self, training: bool, steps: int) -> None:
        """Notes the wait of a step, at its end; the mean of `steps` if some were left out."""
        exchanged, self._exchanged = self._exchanged, None
        if exchanged is None or not training:
            return
        self._journal.note("exchange_seconds", exchanged.seconds / steps)
        self._journal.note("exchange_end", exchanged.end)
