"""Small functions that scripts written for smdebug import from its `core.utils`."""

from __future__ import annotations

import json
import re
from typing import Any, Callable

from tensorwarden.base.exceptions import SMDebugTypeError, SMDebugValueError
from tensorwarden.base.log import get_logger
from tensorwarden.sagemaker.constants import PROFILER_REPORT_VERSION, PROFILER_TELEMETRY_URL


def flatten(lis: list[Any]) -> list[Any]:
    """Flattens nested lists and tuples."""
    flat: list[Any] = []
    for item in lis:
        flat.extend(flatten(list(item)) if isinstance(item, (list, tuple)) else [item])
    return flat


def split(comma_separated_string: str) -> list[str]:
    """Splits text at commas and strips each part."""
    return [part.strip() for part in comma_separated_string.split(",")]


def merge_two_dicts(x: dict[Any, Any], y: dict[Any, Any]) -> dict[Any, Any]:
    """Merges two dictionaries into a new one; the second has priority."""
    return {**x, **y}


def load_json_as_dict(s: str | None) -> dict[str, Any] | None:
    """Parses JSON text. Returns None for None."""
    return None if s is None else json.loads(s)


def match_inc(tname: str, include: list[str]) -> bool:
    """Returns whether a pattern is found in the name."""
    return any(re.search(pattern, tname) for pattern in include)


def index(sorted_list: list[Any], elem: Any) -> int:
    """Returns the position of an element in a sorted list. Raises SMDebugValueError if missing."""
    from bisect import bisect_left

    at = bisect_left(sorted_list, elem)
    if at == len(sorted_list) or sorted_list[at] != elem:
        raise SMDebugValueError(f"Could not find {elem} in the list")
    return at


def step_in_range(range_steps: tuple[int | None, int | None], step: int) -> bool:
    """Returns whether a step is in a half-open range. None means no limit."""
    begin, end = range_steps
    return (begin is None or step >= begin) and (end is None or step < end)


def make_numpy_array(x: Any) -> Any:
    """Converts a value to an array. Numbers, booleans and strings become arrays of one element.

    Raises SMDebugTypeError for other types.
    """
    import numpy as np

    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    if isinstance(x, (list, tuple)):
        return np.asarray(x)
    if isinstance(x, dict):
        return np.array(x, dtype=object)
    raise SMDebugTypeError(
        f"value is {type(x)}; expected an array, number, string, list, tuple or dict"
    )


def size_and_shape(t: Any) -> tuple[int, Any]:
    """Returns the size in bytes and the shape of an array or a text."""
    if isinstance(t, (str, bytes)):
        return (len(t), [len(t)])
    return (t.nbytes, t.shape)


def validate_custom_tensor_value(tensor_value: Any, make_numpy_fn: Callable[[Any], Any]) -> bool:
    """Returns whether the function can convert the value to an array."""
    try:
        make_numpy_fn(tensor_value)
    except TypeError:
        return False
    return True


def get_aws_region_from_processing_job_arn(processing_job_arn: str) -> str:
    """Returns the region of an ARN. Raises SMDebugValueError for other text."""
    parts = processing_job_arn.split(":")
    if len(parts) < 6:
        raise SMDebugValueError(
            f"processing_job_arn is '{processing_job_arn}'; expected arn:aws:sagemaker:<region>:…"
        )
    return parts[3]


def _prepare_telemetry_url(processing_job_arn: str) -> str:
    """Returns the address that smdebug reports to. Exists for imports only; nothing is sent
    there."""
    region = get_aws_region_from_processing_job_arn(processing_job_arn)
    host = PROFILER_TELEMETRY_URL.format(region=region)
    return f"{host}/?x-artifact-id={PROFILER_REPORT_VERSION}&x-arn={processing_job_arn}"


def setup_profiler_report(processing_job_arn: str, opt_out: bool = False) -> None:
    """Does nothing. smdebug reports to its vendor that a report was opened; this package never
    does."""
    get_logger().debug("no telemetry is sent for this report")
