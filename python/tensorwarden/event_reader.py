"""Reads one event file, without the index of its run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Iterator

from tensorwarden import _core
from tensorwarden._core import StatusError
from tensorwarden.exceptions import SMDebugNotImplementedError
from tensorwarden.modes import ModeKeys
from tensorwarden.trial_errors import plain_error

if TYPE_CHECKING:
    import numpy as np


class FileReader:
    """The tensors of an event file.

    with FileReader(path) as reader:
        for name, step, values, mode, mode_step in reader.read_tensors():
            ...
    """

    def __init__(self, fname: str, wtype: str = "tfevent"):
        if wtype != "tfevent":
            raise SMDebugNotImplementedError(
                f"files of type '{wtype}' cannot be read, only tfevent"
            )
        self._path = Path(fname)

    def __enter__(self) -> FileReader:
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        """Nothing stays open."""

    def read_tensors(
        self, check: str = "minimal"
    ) -> Iterator[tuple[str, int, np.ndarray, ModeKeys, int]]:
        """Name, global step, values, mode and the mode's step of each tensor, in order.

        `check="full"` demands true checksums of the values, which files of a run do not have.
        """
        folder = self._path.expanduser().absolute()
        try:
            file = _core.EventFile.open(str(folder.parent), folder.name, check == "full")
            while True:
                tensors = file.next()
                if tensors is None:
                    return
                for name, step, values, mode, mode_step in tensors:
                    yield name, step, values, ModeKeys(mode), mode_step
        except StatusError as error:
            raise plain_error(error) from None
