"""A timeline event, as scripts create it."""

from __future__ import annotations

import json
import math
from typing import Any

from tensorwarden.profiler.common.constants import CONVERT_TO_MICROSECS


class TimelineRecord:
    """An event: `timestamp` is in seconds since 1970, `duration` in microseconds."""

    def __init__(
        self,
        timestamp: float,
        base_start_time: int,
        training_phase: str = "",
        phase: str = "X",
        operator_name: str = "",
        args: dict[str, Any] | None = None,
        duration: int = 0,
    ):
        at = round(timestamp * CONVERT_TO_MICROSECS)
        self.training_phase = training_phase
        self.phase = phase
        self.op_name = operator_name
        self.args = args
        self.base_start_time = base_start_time
        self.rel_ts_micros = at - base_start_time
        self.duration = duration
        self.event_end_ts_micros = at + duration
        self.pid = 0

    def split_args(self) -> tuple[str, dict[str, Any]]:
        """Returns the scope of an instant, which is part of its args, and the other args."""
        args = dict(self.args or {})
        scope = str(args.pop("s", "t")) if self.phase == "i" and args else ""
        return scope, args

    def to_json(self) -> str:
        """Returns its line in a file, without the comma."""
        event: dict[str, Any] = {
            "name": self.op_name,
            "pid": self.pid,
            "ph": self.phase,
            "ts": self.rel_ts_micros,
        }
        scope, args = self.split_args()
        if scope:
            event["s"] = scope
        elif self.phase == "X":
            event["dur"] = self.duration
        if args:
            event["args"] = args
        return json.dumps(event, default=str)


def args_text(args: dict[str, Any]) -> str:
    """Returns the members of the args' JSON object.

    Values that JSON cannot represent become strings, which keeps the file readable.
    """
    if not args:
        return ""
    try:
        return json.dumps(args, default=str, allow_nan=False)[1:-1]
    except (ValueError, TypeError, RecursionError):
        return json.dumps(_plain(args, 0), default=str)[1:-1]


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if depth < 8 and isinstance(value, dict):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if depth < 8 and isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def clean_text(text: Any) -> str:
    """Returns a name that can be written, without incomplete characters."""
    text = str(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-8", "replace").decode()
    return text
