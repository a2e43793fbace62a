"""How long a GPU was busy with something, measured without waiting for it."""

import contextlib
from typing import Iterator, List, Tuple

import torch


class GpuTime:
    """Measures sections of work that is started on the current stream."""

    def __init__(self) -> None:
        self._sections: List[Tuple[torch.cuda.Event, torch.cuda.Event]] = []
        self._unused: List[Tuple[torch.cuda.Event, torch.cuda.Event]] = []

    @contextlib.contextmanager
    def section(self) -> Iterator[None]:
        """Returns a context whose work is measured, unless a graph is being captured."""
        if torch.cuda.is_current_stream_capturing():
            yield
            return
        pair = self._unused.pop() if self._unused else _events()
        pair[0].record()
        yield
        pair[1].record()
        self._sections.append(pair)

    def take(self) -> float:
        """Returns the seconds of all sections that have ended since the last call."""
        seconds = 0.0
        while self._sections and self._sections[0][1].query():
            pair = self._sections.pop(0)
            seconds += pair[0].elapsed_time(pair[1]) / 1e3
            self._unused.append(pair)
        return seconds


def _events() -> Tuple[torch.cuda.Event, torch.cuda.Event]:
    return torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
