"""Reads one event file without the index of its run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence

from tensorwarden import _core
from tensorwarden._core import StatusError
from tensorwarden.base.core_errors import plain_error
from tensorwarden.base.exceptions import SMDebugNotImplementedError
from tensorwarden.base.modes import ModeKeys

if TYPE_CHECKING:
    import numpy as np


class FileReader:
    """Reads the tensors of an event file.

    ```python
    with FileReader(path) as reader:
        for name, step, values, mode, mode_step in reader.read_tensors():
            ...
    ```
    """

    def __init__(self, fname: str, wtype: str = "tfevent"):
        if wtype != "tfevent":
            raise SMDebugNotImplementedError(f"wtype is '{wtype}'; expected 'tfevent'")
        self._path = Path(fname)

    def __enter__(self) -> FileReader:
        return self

    def __exit__(self, *_: object) -> None:
        """Does nothing: no file stays open."""

    def read_tensors(
        self, check: str = "minimal"
    ) -> Iterator[tuple[str, int, np.ndarray, ModeKeys, int]]:
        """Yields name, global step, values, mode and mode step of each tensor, in file order.

        `check="full"` verifies the checksums of the values, which the files of a run do not have.
        """
        for _, name, step, values, mode, mode_step in self._tensors(check):
            yield name, step, values, ModeKeys(mode), mode_step

    def read_events(
        self, check: str = "minimal", regex_list: Sequence[str] | None = None
    ) -> list[dict[str, Any]]:
        """Returns "timestamp", "step", "name" and "value" of each tensor, in file order.

        With patterns, only of tensors whose name contains one of them.
        """
        return [
            {"timestamp": time, "step": step, "name": name, "value": values}
            for time, name, step, values, _, _ in self._tensors(check)
            if regex_list is None or any(re.search(pattern, name) for pattern in regex_list)
        ]

    def _tensors(self, check: str) -> Iterator[tuple[float, str, int, np.ndarray, int, int]]:
        folder = self._path.expanduser().absolute()
        try:
            file = _core.EventFile.open(str(folder.parent), folder.name, check == "full")
            while True:
                tensors = file.next()
                if tensors is None:
                    return
                yield from tensors
        except StatusError as error:
            raise plain_error(error) from None
