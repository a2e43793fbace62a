"""How values of TensorFlow reach the core: without a copy where they lie in host memory."""

from typing import Any, Optional

import numpy as np

_PACKED = {
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
}


def tensorflow() -> Any:
    """The module; Keras may run on something else, so it is imported when it is needed."""
    import tensorflow

    return tensorflow


def runs_on_tensorflow() -> bool:
    """Whether Keras does, rather than on JAX or PyTorch."""
    import keras

    return keras.backend.backend() == "tensorflow"


def to_dlpack(value: Any) -> Any:
    """What the core takes from us; None if the tensor must be prepared first."""
    tensor = _read(value)
    # TensorFlow ends the whole process when it is asked for text.
    if not hasattr(tensor, "_numpy") or tensor.dtype.name not in _PACKED:
        return None
    try:
        return tensorflow().experimental.dlpack.to_dlpack(tensor)
    except Exception:  # A device that DLPack has not; each says so in its own way.
        return None


def prepared(value: Any) -> np.ndarray:
    """The tensor in host memory, in C order, and of a type that the core knows; TypeError if there
    is none."""
    array = np.asarray(_read(value), order="C")
    if array.dtype.kind in "biufc" and array.dtype.isbuiltin == 1:
        return array
    try:
        return array.astype(np.float32)  # Types of eight bits and such.
    except (TypeError, ValueError):
        raise TypeError(f"values of type {array.dtype} cannot be saved") from None


def figure(value: Any) -> Optional[np.ndarray]:
    """What is logged under one name, as an array; a single number as an array of one, which is what
    the original makes of it. None if it is no number."""
    try:
        return np.array([float(value)], np.float64)
    except Exception:  # Not a single one; each library says so by an error of its own.
        pass
    try:
        array = np.ascontiguousarray(_read(value))
        return array if array.dtype.kind in "biuf" else array.astype(np.float64)
    except (TypeError, ValueError, AttributeError):
        return None


def _read(value: Any) -> Any:
    """The tensor that a variable holds now; of one on several devices, the first's."""
    held = getattr(value, "value", value)
    if callable(held):  # TensorFlow's own variables have a method of that name.
        held = value
    read = getattr(held, "read_value", None)
    return held if read is None else read()
