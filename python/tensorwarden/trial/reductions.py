"""Computes reductions of arrays as NumPy defines them, and the names under which they are saved.

The core computes the statistics of floating-point arrays in one pass. NumPy handles integers, to
keep all digits, and complex numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tensorwarden import _core
from tensorwarden.base.exceptions import SMDebugTypeError, SMDebugValueError

if TYPE_CHECKING:
    import numpy as np

ALLOWED_REDUCTIONS = ["min", "max", "mean", "std", "variance", "sum", "prod"]
ALLOWED_NORMS = ["l1", "l2"]
REDUCTIONS_PREFIX = "smdebug/reductions/"

_EXACT = frozenset(["min", "max", "sum", "prod"])


def _check_name(reduction_name: str) -> None:
    if reduction_name not in ALLOWED_REDUCTIONS and reduction_name not in ALLOWED_NORMS:
        known = ", ".join(ALLOWED_REDUCTIONS + ALLOWED_NORMS)
        raise SMDebugValueError(f"unknown reduction '{reduction_name}'; expected one of: {known}")


def get_numpy_reduction(reduction_name: str, numpy_data: Any, abs: bool = False) -> np.generic:
    """Returns a reduction of the values, or of their absolute values, as a NumPy scalar.

    `std` and `variance` are those of the population. Norms of a matrix are matrix norms (l1: the
    largest column sum, l2: the largest singular value). Norms of other arrays treat the values as
    one vector. Raises SMDebugValueError for an unknown reduction and SMDebugTypeError for values
    that are not numbers.
    """
    import numpy as np

    _check_name(reduction_name)
    values = np.asarray(numpy_data)
    kind = values.dtype.kind
    if kind not in "fiubc":
        raise SMDebugTypeError(f"cannot reduce values of type {values.dtype}")
    in_core = kind == "f" or (kind in "iub" and reduction_name not in _EXACT)
    if in_core and values.dtype.itemsize <= 8:
        native = values.astype(values.dtype.newbyteorder("="), copy=False)
        return _core.reduce(np.ascontiguousarray(native).reshape(values.shape), reduction_name, abs)
    return _with_numpy(reduction_name, _absolute(values) if abs else values)


def get_basic_numpy_reduction(reduction_name: str, numpy_data: Any) -> np.generic:
    """Returns a reduction of the values."""
    return get_numpy_reduction(reduction_name, numpy_data)


def _absolute(values: np.ndarray) -> np.ndarray:
    """Returns the absolute values, also of the least integer: 128 for the int8 -128."""
    import numpy as np

    found = np.abs(values)
    if found.dtype.kind == "i" and found.size and found.min() < 0:  # NumPy wraps around.
        return found.view(found.dtype.str.replace("i", "u"))
    return found


def _with_numpy(reduction_name: str, values: np.ndarray) -> np.generic:
    import numpy as np

    if reduction_name in ALLOWED_NORMS:
        order = 1 if reduction_name == "l1" else 2
        return np.linalg.norm(values if values.ndim in (1, 2) else values.reshape(-1), ord=order)
    return getattr(values, "var" if reduction_name == "variance" else reduction_name)()


def get_reduction_tensor_name(
    tensorname: str, reduction_name: str, abs: bool, remove_colon_index: bool = True
) -> str:
    """Returns the tensor name under which a reduction is saved."""
    _check_name(reduction_name)
    return _core.reduction_tensor_name(tensorname, reduction_name, abs, remove_colon_index)


def reverse_reduction_tensor_name(reduction_tensor_name: str) -> tuple[str, str, bool]:
    """Returns tensor name, reduction, and whether it uses absolute values, from a saved name.

    Raises SMDebugValueError if the name is not that of a saved reduction.
    """
    parsed = _core.parse_reduction_tensor_name(reduction_tensor_name)
    if parsed is None:
        raise SMDebugValueError(f"'{reduction_tensor_name}' is not the name of a saved reduction")
    return parsed
