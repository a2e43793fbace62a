"""Records every kernel, copy and CUDA call of a few steps."""

import os
import sys
from pathlib import Path
from typing import Optional

import torch

from tensorwarden import _core
from tensorwarden.adapters.pytorch.profiling_others import OthersFirst, another_is_running
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.recording.session import Session
from tensorwarden.sagemaker.job import get_node_id

# Where NVIDIA's packages for Python keep CUPTI, below a folder of packages.
_LIBRARIES = (
    "nvidia/cu13/lib/libcupti.so.13",
    "nvidia/cuda_cupti/lib/libcupti.so.13",
    "nvidia/cuda_cupti/lib/libcupti.so.12",
)


class KernelProfiler:
    """Records the GPU activity of the selected steps.

    Nothing is turned on between them. Does nothing but log a message where nothing can be recorded,
    for example while another profiler is running. All functions are called by the thread that
    trains.
    """

    def __init__(self, session: Session):
        self._session = session
        self._recorder: Optional[_core.KernelRecorder] = None
        self._folder = ""
        self._gave_up = False  # For these steps.
        self._guard: Optional[OthersFirst] = None

    @property
    def is_running(self) -> bool:
        """Whether GPU activity is being recorded."""
        return self._guard is not None

    def at_step(self, step: int, at_us: int, wanted: bool) -> None:
        """Called at the start of a step; `wanted` is whether it is selected."""
        if not wanted:
            self._gave_up = False
            self.stop()
            return
        if not self.is_running and not self._gave_up:
            self._gave_up = not self._start()
        if self.is_running and self._recorder is not None:
            self._recorder.mark_step(step)

    def stop(self) -> None:
        """Ends the window. The core writes it while the training continues."""
        guard, self._guard = self._guard, None
        if guard is None or self._recorder is None:
            return
        guard.remove()
        try:
            # What was started is recorded when it has run.
            torch.cuda.synchronize()
        except Exception as error:
            say_once(f"the last recorded kernels are incomplete: {error}")
        self._recorder.stop()

    def close(self) -> None:
        """Ends the recording and waits a limited time until it is written."""
        self.stop()
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        if not recorder.close():
            say_once("recorded kernels are incomplete: the disk does not respond")
        counters = recorder.counters()
        if counters["dropped"] or counters["untimed"]:
            say_once(
                f"{counters['dropped']:,} GPU events were dropped for lack of memory, "
                f"{counters['untimed']:,} had no valid time; {counters['events']:,} were recorded"
            )

    # What scripts start by hand is recorded by PyTorch's own profiler.

    def start_by_hand(self, cpu_seconds: Optional[float]) -> None:
        """Makes way for that profiler."""
        self.stop()

    def stop_by_hand(self) -> None:
        """Does nothing."""

    def rest(self) -> None:
        """Called between steps, when none follows soon."""
        self.stop()

    def tick(self, now: int) -> None:
        """Does nothing: windows end with steps."""

    def _start(self) -> bool:
        if another_is_running():
            say_once("kernels are not recorded: another PyTorch profiler is running")
            return False
        if not (torch.cuda.is_available() and torch.cuda.is_initialized()):
            say_once("kernels are not recorded: the training does not use a CUDA device")
            return False
        if torch.version.hip:
            say_once("kernels are not recorded: CUPTI needs a GPU by NVIDIA")
            return False
        try:
            # PyTorch holds on to CUPTI after its profiler has run once, and records nothing then.
            self._open().start(subscriber_is_idle=True)
        except _core.StatusError as error:
            say_once(f"kernels are not recorded: {error.args[-1]}. Training continues.")
            return False
        self._guard = OthersFirst(self.stop)
        return True

    def _open(self) -> _core.KernelRecorder:
        assert self._session.config is not None
        folder = self._session.config.local_path
        if self._recorder is not None and folder != self._folder:
            self._recorder.close()
            self._recorder = None
        if self._recorder is None:
            self._folder = folder
            self._recorder = _core.KernelRecorder(folder, get_node_id(), find_cupti())
        return self._recorder


def find_cupti() -> str:
    """Returns the path of CUPTI in NVIDIA's packages; empty to use one that is loaded or that of
    the system. TENSORWARDEN_CUPTI names another one."""
    chosen = os.environ.get("TENSORWARDEN_CUPTI")
    if chosen:
        return chosen
    places = (Path(folder, library) for library in _LIBRARIES for folder in sys.path)
    return next((str(place) for place in places if place.is_file()), "")


_kernels: Optional[KernelProfiler] = None


def the_kernels(session: Session) -> KernelProfiler:
    """Returns the recorder of this process, which belongs to the session: CUPTI serves one."""
    global _kernels
    if _kernels is None or _kernels not in session.details:
        _kernels = KernelProfiler(session)
        session.details.append(_kernels)
    return _kernels
