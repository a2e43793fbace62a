"""System metrics as columns: a few arrays instead of an object for each measurement."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tensorwarden import _core
from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import CONVERT_TO_MICROSECS
from tensorwarden.profiler.common.labels import Labels
from tensorwarden.profiler.common.units import whole_microseconds

LABELS = ("type", "name", "dimension", "node")


class ProfilerSystemEvent:
    """One measurement; `timestamp` is in seconds since 1970."""

    __slots__ = ("dimension", "name", "node_id", "timestamp", "type", "value")

    def __init__(
        self,
        event_type: str,
        name: str | None,
        dimension: str,
        value: float,
        node_id: str,
        timestamp: float,
    ):
        self.type = event_type
        self.name = name
        self.dimension = dimension
        self.value = value
        self.node_id = node_id
        self.timestamp = timestamp

    def __repr__(self) -> str:
        return (
            f"ProfilerSystemEvent({self.type} {self.dimension} {self.name} of {self.node_id}: "
            f"{self.value} at {self.timestamp})"
        )


@dataclass
class SystemColumns:
    """Measurements in the order of their files.

    Times are since 1970, in whole microseconds and in seconds as the files contain them.
    """

    time_us: np.ndarray
    time_s: np.ndarray
    value: np.ndarray
    type: Labels
    name: Labels
    dimension: Labels
    node: Labels

    def __len__(self) -> int:
        return len(self.value)

    def where(self, rows: np.ndarray) -> SystemColumns:
        """Returns the rows with these numbers, or those selected by a mask."""
        labels = {key: getattr(self, key).where(rows) for key in LABELS}
        return SystemColumns(self.time_us[rows], self.time_s[rows], self.value[rows], **labels)

    def events(self) -> list[ProfilerSystemEvent]:
        """Returns an object for each measurement."""
        texts = (self.type, self.name, self.dimension, self.node)
        kind, name, dimension, node = (labels.array().tolist() for labels in texts)
        rows = zip(kind, name, dimension, self.value.tolist(), node, self.time_s.tolist())
        return [ProfilerSystemEvent(*row) for row in rows]

    @classmethod
    def of_events(cls, events: Iterable[ProfilerSystemEvent]) -> SystemColumns:
        """Creates columns from events."""
        rows = list(events)
        seconds = np.array([event.timestamp for event in rows], dtype=np.float64)
        return cls(
            # A double cannot represent current times more precisely.
            np.rint(seconds * CONVERT_TO_MICROSECS).astype(np.int64),
            seconds,
            np.array([event.value for event in rows], dtype=np.float64),
            Labels.of(event.type for event in rows),
            Labels.of(event.name for event in rows),
            Labels.of(event.dimension for event in rows),
            Labels.of(event.node_id for event in rows),
        )

    @classmethod
    def of_core(cls, table: dict[str, Any]) -> SystemColumns:
        """Creates columns from a core table."""
        names = table["names"]
        return cls(
            table["times_us"],
            table["times_s"],
            table["values"],
            Labels(table["types"], names),
            # A line without a name has the empty name.
            Labels(table["metrics"], [None, *names[1:]]),
            Labels(table["dimensions"], names),
            Labels(table["nodes"], names),
        )


def columns_of_text(
    text: bytes, start_us: float = -math.inf, end_us: float = math.inf, types: Sequence[str] = ()
) -> tuple[SystemColumns, int]:
    """Returns the metrics of a range in a file's text, and the number of invalid lines."""
    ended = text if text.endswith(b"\n") else text + b"\n"
    range_us = (whole_microseconds(start_us), whole_microseconds(end_us))
    table = _core.read_metric_text(ended, *range_us, list(types))
    return SystemColumns.of_core(table), table["broken"]


def columns_of_folder(
    folder: str, start_us: float, end_us: float, types: Sequence[str], buffer_us: int
) -> SystemColumns:
    """Returns the metrics of a range in a profiler's folder; logs problems with files."""
    if not Path(folder).is_dir():
        return SystemColumns.of_events([])
    range_us = (whole_microseconds(start_us), whole_microseconds(end_us))
    table = _core.read_metrics(folder, *range_us, list(types), buffer_us)
    for problem in table["problems"]:
        get_logger().error(problem)
    return SystemColumns.of_core(table)


def read_columns(reader: Any, start_us: float, end_us: float) -> SystemColumns:
    """Returns the metrics of a reader in a time range; uses `get_events` of other readers."""
    if hasattr(reader, "get_columns"):
        return reader.get_columns(start_us, end_us)
    return SystemColumns.of_events(reader.get_events(start_us, end_us))
