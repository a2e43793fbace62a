"""System metrics by dimension, node and event, as charts show them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tensorwarden.profiler.reading.system_columns import SystemColumns

# The mean over the events of a dimension, shown next to them.
TOTAL = "total"
# The measurements of one sample are taken within this time.
SAMPLE_US = 20_000
FOREVER_US = 1 << 62


@dataclass
class Series:
    """The measurements of one event in order of time; microseconds since 1970."""

    time_us: np.ndarray
    value: np.ndarray


# By key (dimension and node), then by event.
SeriesByKey = dict  # dict[str, dict[str, Series]]


def matches(text: str, patterns: Sequence[str]) -> bool:
    """Returns whether a pattern is found in the text."""
    return any(re.search(pattern, text) for pattern in patterns)


def end_of_range(reader: Any, endtime: float | None) -> float:
    """Returns the end of a range of samples for a reader of system metrics (µs since 1970).

    A file is named after the minute in which it begins. The time of the newest file, which scripts
    use as the end of the run, therefore includes all of its samples; so does None.
    """
    if endtime is None or endtime == reader.get_timestamp_of_latest_available_file():
        return FOREVER_US
    return endtime


def key_of(dimension: str, node: str, show_workers: bool) -> str:
    """Returns the name under which the events of a dimension of a node are shown."""
    return f"{dimension}-nodeid:{node}" if show_workers else dimension


def title_of(key: str) -> str:
    """Returns a readable key: metrics of memory and disks have no dimension."""
    return key if key and not key.startswith("-") else f"(no dimension){key}"


def gather(
    columns: SystemColumns, dimensions: Sequence[str] = (".*",), show_workers: bool = True
) -> SeriesByKey:
    """Returns the events whose dimension matches a pattern, and the mean over them for each key.

    Without workers, the nodes of a dimension are combined.
    """
    found: SeriesByKey = {}
    labels = (columns.dimension, columns.node, columns.name)
    order = np.lexsort((columns.time_us, *(label.codes for label in reversed(labels))))
    for rows in _runs(order, [label.codes[order] for label in labels]):
        dimension, node, event = (str(one.texts[one.codes[rows[0]]] or "") for one in labels)
        if matches(dimension, dimensions):
            key = found.setdefault(key_of(dimension, node, show_workers), {})
            key.setdefault(event, []).append((columns.time_us[rows], columns.value[rows]))
    return {key: _with_total(parts) for key, parts in sorted(found.items())}


def select(series: SeriesByKey, events: Sequence[str]) -> SeriesByKey:
    """Returns the events whose name matches a pattern; the mean is called "total"."""
    patterns = [f".*{event}" for event in events]
    found = {
        key: {event: one for event, one in some.items() if matches(event, patterns)}
        for key, some in series.items()
    }
    return {key: some for key, some in found.items() if some}


def append(series: SeriesByKey, more: SeriesByKey) -> None:
    """Adds later measurements."""
    for key, events in more.items():
        known = series.setdefault(key, {})
        for event, new in events.items():
            old = known.get(event, Series(np.empty(0, np.int64), np.empty(0)))
            known[event] = Series(
                np.concatenate([old.time_us, new.time_us]), np.concatenate([old.value, new.value])
            )


def _runs(order: np.ndarray, codes: list[np.ndarray]) -> list[np.ndarray]:
    """Returns the rows of each combination of codes, for rows sorted by them."""
    if not len(order):
        return []
    changes = np.zeros(len(order), dtype=bool)
    for code in codes:
        changes[1:] |= code[1:] != code[:-1]
    return np.split(order, np.flatnonzero(changes))


def _joined(parts: list[tuple[np.ndarray, np.ndarray]]) -> Series:
    times = np.concatenate([time for time, _ in parts])
    values = np.concatenate([value for _, value in parts])
    order = np.argsort(times, kind="stable")
    return Series(times[order], values[order])


def _with_total(parts: dict[str, list[tuple[np.ndarray, np.ndarray]]]) -> dict[str, Series]:
    gathered = {event: _joined(pieces) for event, pieces in sorted(parts.items())}
    every = [Series(*piece) for pieces in parts.values() for piece in pieces]
    return {**gathered, TOTAL: mean_of(every)}


def mean_of(series: list[Series]) -> Series:
    """Returns the mean over several series at each point in time that one of them has.

    Measurements shortly after one another count as the same point in time, unless they belong to
    the same series.
    """
    joined = _joined([(one.time_us, one.value) for one in series])
    if not len(joined.value):
        return joined
    gaps = [int(np.diff(one.time_us).min()) for one in series if len(one.time_us) > 1]
    together = min([SAMPLE_US, *(gap // 2 for gap in gaps)])
    starts = np.flatnonzero(np.diff(joined.time_us, prepend=joined.time_us[0]) > together)
    starts = np.concatenate([[0], starts])
    counts = np.diff(np.concatenate([starts, [len(joined.value)]]))
    return Series(joined.time_us[starts], np.add.reduceat(joined.value, starts) / counts)
