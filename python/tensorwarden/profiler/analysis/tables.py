"""Converts columns to pandas data frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from tensorwarden.profiler.common.labels import Labels
from tensorwarden.profiler.common.units import human_readable_times
from tensorwarden.profiler.reading.span_columns import PINNED, SpanColumns
from tensorwarden.profiler.reading.system_columns import SystemColumns


def system_frame(columns: SystemColumns | None, origin_us: int) -> pd.DataFrame:
    """Returns system metrics. Relative times count from `origin_us`."""
    columns = SystemColumns.of_events([]) if columns is None else columns
    labels = (columns.name, columns.dimension, columns.node, columns.type)
    columns = columns.where(distinct(columns.time_us, labels, [columns.value]))
    return _frame(
        {
            "timestamp": human_readable_times(columns.time_us),
            "timestamp_us": columns.time_us - origin_us,
            "value": columns.value,
            "system_metric": columns.name,
            "dimension": columns.dimension,
            "nodeID": columns.node,
            "type": columns.type,
        }
    )


def framework_frame(spans: SpanColumns | None, origin_us: int) -> pd.DataFrame:
    """Returns spans. Relative times count from `origin_us`."""
    spans = SpanColumns.of_events([]) if spans is None else spans
    numbers = [spans.duration_us, spans.tid, spans.pid, spans.step, spans.bytes]
    labels = (spans.name, spans.phase, spans.node)
    spans = spans.where(distinct(spans.start_us, labels, numbers))
    return _frame(
        {
            **_times(spans, origin_us),
            "tid": spans.tid,
            "pid": spans.pid,
            "framework_metric": spans.name,
            "step": spans.step,
            "bytes": spans.bytes,
            "process": spans.phase,
            "nodeID": spans.node,
        }
    )


def dataloader_frame(spans: SpanColumns, origin_us: int) -> pd.DataFrame:
    """Returns spans with the settings of data loaders."""
    numbers = [spans.duration_us, spans.pid, spans.step]
    numbers += [spans.worker, spans.num_workers, spans.pinned]
    labels = (spans.name, spans.phase, spans.node)
    spans = spans.where(distinct(spans.start_us, labels, numbers))
    return _frame(
        {
            **_times(spans, origin_us),
            "duration_us": spans.duration_us,
            "pid": spans.pid,
            "framework_metric": spans.name,
            "step": spans.step,
            "worker_id": spans.worker,
            "num_workers": spans.num_workers,
            "pin_memory": Labels.of(PINNED[pinned] for pinned in spans.pinned.tolist()),
            "process": spans.phase,
            "node_id": spans.node,
        }
    )


def gathered(known: list[pd.DataFrame], new: pd.DataFrame) -> pd.DataFrame:
    """Adds a frame to the earlier ones and returns all of them as one frame."""
    known.append(new)
    # Merged into one frame, which stores each row once.
    known[:] = [pd.concat(known).drop_duplicates().reset_index(drop=True)]
    return known[0].copy()


def distinct(times: np.ndarray, labels: tuple[Labels, ...], numbers: list[np.ndarray]) -> Any:
    """Returns an index that selects the rows that differ from every earlier row.

    Usually all rows differ, which is detected without comparing all columns.
    """
    everything = slice(None)
    if not len(times):
        return everything
    key = times - times.min()
    for label in labels:
        key = key * len(label.texts) + label.codes
    # This sort is fast on nearly sorted data. A key too large to be exact only makes different rows
    # look equal.
    ordered = np.sort(key, kind="stable")
    if not (ordered[1:] == ordered[:-1]).any():
        return everything
    columns = dict(enumerate([times, *(label.codes for label in labels), *numbers]))
    return np.flatnonzero(~pd.DataFrame(columns).duplicated().to_numpy())


def _times(spans: SpanColumns, origin_us: int) -> dict[str, Any]:
    return {
        "start_time": human_readable_times(spans.start_us),
        "end_time": human_readable_times(spans.end_us),
        "start_time_us": spans.start_us - origin_us,
        "end_time_us": spans.end_us - origin_us,
    }


def _frame(columns: dict[str, Any]) -> pd.DataFrame:
    """Creates a frame in which texts stay Python strings."""
    return pd.DataFrame(
        {
            name: pd.Series(
                column.array() if isinstance(column, Labels) else column,
                dtype=object if isinstance(column, Labels) or column.dtype == object else None,
            )
            for name, column in columns.items()
        },
        copy=False,
    )
