"""Units of time and conversions between them."""

from __future__ import annotations

import calendar
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


class TimeUnits(Enum):
    """The unit of a timestamp since 1970, UTC."""

    SECONDS = 1
    MILLISECONDS = 2
    MICROSECONDS = 3
    NANOSECONDS = 4


_NANOSECONDS = {
    TimeUnits.SECONDS: 1_000_000_000,
    TimeUnits.MILLISECONDS: 1_000_000,
    TimeUnits.MICROSECONDS: 1_000,
    TimeUnits.NANOSECONDS: 1,
}


def _nanoseconds_per(unit: TimeUnits) -> int:
    if unit not in _NANOSECONDS:
        raise ValueError(f"unit is {unit!r}; expected a member of TimeUnits")
    return _NANOSECONDS[unit]


def convert_utc_timestamp_to_nanoseconds(
    timestamp: float, unit: TimeUnits = TimeUnits.MICROSECONDS
) -> int:
    """Converts a timestamp to nanoseconds."""
    return int(timestamp * _nanoseconds_per(unit))


def convert_utc_timestamp_to_microseconds(
    timestamp: float, unit: TimeUnits = TimeUnits.MICROSECONDS
) -> float:
    """Converts a timestamp to microseconds; an integer for all units except nanoseconds."""
    if unit is TimeUnits.NANOSECONDS:
        return timestamp / 1_000
    return int(timestamp * (_nanoseconds_per(unit) // 1_000))


def convert_utc_timestamp_to_seconds(
    timestamp: float, unit: TimeUnits = TimeUnits.MICROSECONDS
) -> int:
    """Converts a timestamp to seconds, rounded down."""
    return int(timestamp * _nanoseconds_per(unit) // 1_000_000_000)


def whole_microseconds(microseconds: float) -> int:
    """Returns the time as a 64-bit integer; infinity becomes the largest."""
    most = (1 << 63) - 1
    return int(max(-most, min(most, microseconds)))


def convert_utc_datetime_to_microseconds(timestamp_datetime: datetime) -> int:
    """Converts a datetime to microseconds. A naive datetime counts as UTC."""
    return calendar.timegm(timestamp_datetime.utctimetuple()) * 1_000_000 + (
        timestamp_datetime.microsecond
    )


def convert_utc_datetime_to_nanoseconds(timestamp_datetime: datetime) -> int:
    """Converts a datetime to nanoseconds. A naive datetime counts as UTC."""
    return convert_utc_datetime_to_microseconds(timestamp_datetime) * 1_000


def us_since_epoch_to_human_readable_time(us_since_epoch: int) -> str:
    """Returns `YYYY-mm-ddTHH:MM:SS:ffffff`, with a colon before the microseconds."""
    at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=int(us_since_epoch))
    return at.strftime("%Y-%m-%dT%H:%M:%S:%f")


def human_readable_times(us_since_epoch: np.ndarray) -> np.ndarray:
    """Returns many times as Python strings; consecutive equal times are the same object."""
    import numpy as np

    begins = np.ones(len(us_since_epoch), dtype=bool)
    begins[1:] = us_since_epoch[1:] != us_since_epoch[:-1]
    moments = us_since_epoch[begins].astype("datetime64[us]")
    texts = np.datetime_as_string(moments, unit="us").astype("U26")
    # Sets the colon before the microseconds in all of them at once.
    texts.view(np.uint32).reshape(len(texts), 26)[:, 19] = ord(":")
    return texts.astype(object)[np.cumsum(begins) - 1]


def ns_since_epoch_to_human_readable_time(ns_since_epoch: int) -> str:
    """Returns a time in nanoseconds as `YYYY-mm-ddTHH:MM:SS:ffffff`."""
    return us_since_epoch_to_human_readable_time(int(ns_since_epoch) // 1_000)


def str2bool(v: bool | str) -> bool:
    """Converts a word of a configuration file to a bool. Raises ValueError for another word."""
    if isinstance(v, bool):
        return v
    word = v.strip().lower()
    if word in ("y", "yes", "t", "true", "on", "1"):
        return True
    if word in ("n", "no", "f", "false", "off", "0"):
        return False
    raise ValueError(
        f"value is '{v}'; expected one of: y, yes, t, true, on, 1, n, no, f, false, off, 0"
    )
