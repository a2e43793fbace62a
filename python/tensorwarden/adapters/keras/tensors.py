"""Passes TensorFlow values to the core, without a copy if they are in host memory."""

from typing import Any, Optional

import numpy as np

_PACKED = {
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
}


def tensorflow() -> Any:
    """Returns the module, imported on demand because Keras may use another backend."""
    import tensorflow

    return tensorflow


def runs_on_tensorflow() -> bool:
    """Returns whether Keras uses TensorFlow, and not JAX or PyTorch."""
    import keras

    return keras.backend.backend() == "tensorflow"


def to_dlpack(value: Any) -> Any:
    """Returns a DLPack capsule for the core; None if the tensor must be prepared first."""
    tensor = _read(value)
    # TensorFlow aborts the process if the tensor contains text.
    if not hasattr(tensor, "_numpy") or tensor.dtype.name not in _PACKED:
        return None
    try:
        return tensorflow().experimental.dlpack.to_dlpack(tensor)
    except Exception:  # An unsupported device; each raises its own error.
        return None


def prepared(value: Any) -> np.ndarray:
    """Returns the tensor in host memory, in C order, with a type known to the core.

    Raises TypeError if there is no such type.
    """
    array = np.asarray(_read(value), order="C")
    if array.dtype.kind in "biufc" and array.dtype.isbuiltin == 1:
        return array
    try:
        return array.astype(np.float32)  # Eight-bit types and similar.
    except (TypeError, ValueError):
        raise TypeError(f"cannot save values of type {array.dtype}") from None


def logged_number(value: Any) -> Optional[np.ndarray]:
    """Returns a logged value as an array; None if it is not a number.

    A single number becomes an array of one element, as in smdebug.
    """
    try:
        return np.array([float(value)], np.float64)
    except Exception:  # Not a single number; each library raises its own error.
        pass
    try:
        array = np.ascontiguousarray(_read(value))
        return array if array.dtype.kind in "biuf" else array.astype(np.float64)
    except (TypeError, ValueError, AttributeError):
        return None


def _read(value: Any) -> Any:
    """Returns the tensor that a variable holds now; the first one if it is on several devices."""
    held = getattr(value, "value", value)
    if callable(held):  # TensorFlow's variables have a method with this name.
        held = value
    read = getattr(held, "read_value", None)
    return held if read is None else read()
