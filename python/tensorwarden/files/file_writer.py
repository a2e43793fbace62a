"""Writes the files of one step without a hook."""

import os
import time
from pathlib import Path
from typing import Any, Optional, Sequence

import numpy as np

from tensorwarden import _core
from tensorwarden.base.exceptions import SMDebugRuntimeError, SMDebugValueError
from tensorwarden.base.modes import ModeKeys


class FileWriter:
    """Writes one step: an event file with its index ("events") or a TensorBoard file
    ("tensorboard").

    The files appear complete when the writer is closed. Raises SMDebugValueError for another
    `wtype`.
    """

    def __init__(
        self,
        trial_dir: str,
        worker: str,
        step: int = 0,
        wtype: str = "events",
        mode: ModeKeys = ModeKeys.GLOBAL,
        max_queue: int = 10,
        flush_secs: int = 120,
        verbose: bool = False,
        write_checksum: bool = False,
    ):
        if wtype not in ("events", "tensorboard"):
            raise SMDebugValueError(f"wtype is {wtype!r}; expected 'events' or 'tensorboard'")
        self.trial_dir = os.path.expanduser(trial_dir)  # noqa: PTH111, may be s3://
        self.worker, self.step, self.mode = worker, step, mode
        self._closed = False
        self._recorder: Any = None  # Created with the first tensor, which sets the mode step.
        self._records: Optional[list] = [] if wtype == "tensorboard" else None

    def write_tensor(
        self,
        tdata: Any,
        tname: str,
        write_index: bool = True,
        mode: Optional[ModeKeys] = ModeKeys.GLOBAL,
        mode_step: Optional[int] = None,
        timestamp: Optional[float] = None,
    ) -> None:
        """Adds a tensor; without a mode, of mode GLOBAL. Raises SMDebugValueError if its type
        cannot be written."""
        array = np.asarray(tdata, order="C")
        recorder = self._begun(mode, mode_step, timestamp)
        if array.dtype.kind in "US":
            self._check(recorder.write_strings, tname, [str(text) for text in array.ravel()])
        elif not self._check(recorder.write_tensor, tname, array):
            raise SMDebugValueError(
                f"cannot write tensor '{tname}': unsupported type {array.dtype}"
            )

    def write_shape(
        self,
        name: str,
        shape: Sequence[int],
        mode: Optional[ModeKeys] = ModeKeys.GLOBAL,
        mode_step: Optional[int] = None,
        original_name: Optional[str] = None,
    ) -> None:
        """Adds the shape of a tensor whose values are not written."""
        self._check(self._begun(mode, mode_step, None).write_shape, name, list(shape))

    def write_scalar_summary(
        self, name: str, value: float, global_step: int, timestamp: Optional[float] = None
    ) -> None:
        """Adds one point of a TensorBoard curve."""
        when = time.time() if timestamp is None else timestamp
        self._add(_core.scalar_record(when, global_step, name, float(value)))

    def write_histogram_summary(
        self, tdata: Any, tname: str, global_step: int, bins: str = "default"
    ) -> None:
        """Adds a TensorBoard histogram. Values that are all non-finite add nothing."""
        array = np.ascontiguousarray(tdata)
        self._add(_core.histogram_record(time.time(), global_step, tname, array) or b"")

    def write_summary(
        self, summ: bytes, global_step: int, timestamp: Optional[float] = None
    ) -> None:
        """Adds an already encoded record."""
        self._add(bytes(summ))

    def write_graph(self, graph: Any) -> None:
        """Raises SMDebugRuntimeError: graphs are not supported."""
        raise SMDebugRuntimeError(
            "graphs cannot be written; only tensors, scalars and histograms are supported"
        )

    def flush(self) -> None:
        """Does nothing: files appear complete when the writer is closed."""

    def close(self) -> None:
        """Writes the files to their final names."""
        if self._closed:
            return
        self._closed = True
        if self._recorder is not None:
            self._check(self._recorder.close)
        if self._records:
            path = Path(self.name())
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_name(path.name + ".tmp")
            unfinished.write_bytes(b"".join(self._records))
            unfinished.rename(path)

    def name(self) -> str:
        """Returns the path of the file."""
        if self._records is None:
            key = _core.event_file_key(self.step, self.worker)
        else:
            key = _core.tensorboard_key(self.mode.value, self.step)
        return os.path.join(self.trial_dir, key)  # noqa: PTH118

    def __enter__(self) -> "FileWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begun(
        self, mode: Optional[ModeKeys], mode_step: Optional[int], timestamp: Optional[float]
    ) -> "_core.StepFile":
        if self._closed or self._records is not None:
            raise SMDebugRuntimeError(
                "cannot write tensors: the writer is closed or its wtype is not 'events'"
            )
        mode = ModeKeys.GLOBAL if mode is None else mode
        if mode_step is None:
            if mode is not ModeKeys.GLOBAL:
                raise SMDebugValueError(f"mode_step is missing; mode {mode.name} requires it")
            mode_step = self.step
        if self._recorder is None:
            when = time.time() if timestamp is None else timestamp
            self._recorder = self._check(
                _core.StepFile, self.trial_dir, self.worker, self.step, mode.value, mode_step, when
            )
        return self._recorder

    def _add(self, record: bytes) -> None:
        if self._closed or self._records is None:
            raise SMDebugRuntimeError(
                "cannot add a record: the writer is closed or its wtype is not 'tensorboard'"
            )
        self._records.append(record)

    @staticmethod
    def _check(function: Any, *args: Any) -> Any:
        try:
            return function(*args)
        except _core.StatusError as error:
            raise SMDebugRuntimeError(error.args[-1]) from None
