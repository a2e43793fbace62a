"""Passes MXNet arrays to the core.

MXNet computes in its own threads. Reading an array waits for it, and raises if the computation
failed.
"""

from typing import Any, Dict, Iterator, Tuple

import numpy as np
from mxnet.ndarray import NDArray

# Enough numbered inputs and outputs to check whether a pattern matches them.
PROBES = range(16)


class ComputationError(Exception):
    """MXNet failed to compute a value of the training, which must see the cause."""

    @property
    def cause(self) -> BaseException:
        """The error that MXNet raised."""
        return self.__cause__ or self


def to_array(tensor: NDArray) -> np.ndarray:
    """Returns the values in host memory, dense.

    Raises ComputationError if computing them failed. MXNet reports that only once, so the caller
    must pass the cause on.
    """
    try:
        tensor.wait_to_read()
    except Exception as error:
        raise ComputationError from error
    array = tensor.asnumpy()
    # bfloat16, which NumPy does not have.
    return tensor.astype("float32").asnumpy() if array.dtype.names else array


def to_host(value: Any) -> Any:
    """Replaces MXNet arrays with NumPy arrays, also inside lists.

    NumPy would treat an MXNet array as an endless list of lists.
    """
    if isinstance(value, NDArray):
        return to_array(value)
    if isinstance(value, (list, tuple)):
        return [to_host(part) for part in value]
    return value


def named_arrays(values: Any, prefix: str, counts: Dict[str, int]) -> Iterator[Tuple[str, NDArray]]:
    """Yields the arrays in nested lists and tuples by name: the prefix and a count.

    Arrays in a dictionary, which smdebug skips, are named after its keys.
    """
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
