"""Phases of a training over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tensorwarden.base.log import get_logger

if TYPE_CHECKING:
    import pandas as pd


def _spans(
    framework: pd.DataFrame, phases: Sequence[str], join: bool
) -> list[tuple[int, int, str]]:
    """Returns the spans of some phases in order of time; `join` merges consecutive spans of a
    phase."""
    frame = framework[framework["process"].isin(phases)].sort_values("start_time_us")
    found: list[tuple[int, int, str]] = []
    for start, end, name in zip(frame["start_time_us"], frame["end_time_us"], frame["process"]):
        if found and join and found[-1][2] == name:
            found[-1] = (found[-1][0], max(found[-1][1], int(end)), name)
        else:
            found.append((int(start), int(end), name))
    return found


def phase_intervals(
    system: pd.DataFrame, framework: pd.DataFrame, phase: str | Sequence[str] | None
) -> pd.DataFrame | None:
    """Returns the intervals of the given phases (None: all steps) and of the time around them.

    A single phase is shown step by step. With several phases, consecutive steps of the same phase
    form one interval.
    """
    import pandas as pd

    known = list(framework["process"].unique())
    if phase is None:
        phase = [name for name in known if "Step:ModeKeys" in name]
    wanted = [phase] if isinstance(phase, str) else phase
    if not isinstance(wanted, (list, tuple)):
        get_logger().info(f"phase is {phase!r}; expected a name or a list of names")
        return None
    wanted = [name for name in wanted if name in known]
    if not wanted or system.empty:
        get_logger().info(f"the timeline has no phase {phase!r}")
        return None
    spans = _spans(framework, wanted, join=len(wanted) > 1)
    begin, end = int(system["timestamp_us"].min()), int(system["timestamp_us"].max())
    rows = [(begin, spans[0][0] - 1, f"Before {spans[0][2]}")]
    for span, following in zip(spans, [*spans[1:], None]):
        rows.append(span)
        if following is not None:
            between = " and ".join(sorted([span[2], following[2]]))
            rows.append((span[1] + 1, following[0] - 1, f"Between {between}"))
    rows.append((spans[-1][1] + 1, end, f"After {spans[-1][2]}"))
    return pd.DataFrame(rows, columns=["start_time_us", "end_time_us", "phase"])


def mark_phases(system: pd.DataFrame, intervals: pd.DataFrame) -> pd.DataFrame:
    """Adds a column `Training_phase` to system metrics; drops rows outside of all intervals."""
    marked = system.copy()
    marked["Training_phase"] = None
    for start, end, phase in intervals.itertuples(index=False):
        marked.loc[marked["timestamp_us"].between(start, end), "Training_phase"] = phase
    return marked[marked["Training_phase"].notna()]
