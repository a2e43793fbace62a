"""How arrays of MXNet reach the core.

MXNet computes in threads of its own, behind the program. Reading an array waits for it, and is
where the program learns that computing it has failed."""

from typing import Any, Dict, Iterator, Tuple

import numpy as np
from mxnet.ndarray import NDArray

# Enough numbered inputs and outputs to see whether a pattern is meant for them.
PROBES = range(16)


class ComputationError(Exception):
    """MXNet failed to compute what the training asked for: the cause is the training's to see."""


def to_array(tensor: NDArray) -> np.ndarray:
    """The values in host memory, dense. ComputationError if there are none: MXNet tells that only
    once, so that whoever catches it must pass its cause on."""
    try:
        tensor.wait_to_read()
    except Exception as error:
        raise ComputationError from error
    array = tensor.asnumpy()
    # bfloat16, which NumPy has not.
    return tensor.astype("float32").asnumpy() if array.dtype.names else array


def to_host(value: Any) -> Any:
    """The same with arrays of NumPy in the place of those of MXNet, also inside of lists. NumPy
    would take an array of MXNet for a list of lists without end."""
    if isinstance(value, NDArray):
        return to_array(value)
    if isinstance(value, (list, tuple)):
        return [to_host(part) for part in value]
    return value


def named_arrays(values: Any, prefix: str, counts: Dict[str, int]) -> Iterator[Tuple[str, NDArray]]:
    """The arrays in nested lists and tuples by name: the prefix, and how many it had before. What
    is in a dictionary, which the original passes over, is named after its keys."""
    if isinstance(values, NDArray):
        number = counts.get(prefix, 0)
        counts[prefix] = number + 1
        yield f"{prefix}{number}", values
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from named_arrays(value, prefix, counts)
    elif isinstance(values, dict):
        for key, value in values.items():
            yield from named_arrays(value, f"{prefix}{key}_", counts)
