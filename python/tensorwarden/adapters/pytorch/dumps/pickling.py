"""Pickles a model without its weights, which are saved apart."""

import io
import pickle
from typing import Any, Dict, List, Optional, Tuple

import torch

_PLAIN = (torch.Tensor, torch.nn.Parameter)
_MOST_WRAPPERS = 64


def plain_tensors(model: Any) -> Tuple[Dict[str, Any], Dict[str, torch.Tensor]]:
    """Returns parameters and buffers by name, each once. Those of other classes stay a part of the
    model."""
    parameters = {n: p for n, p in model.named_parameters() if type(p) in _PLAIN}
    buffers = {n: b for n, b in model.named_buffers() if type(b) in _PLAIN}
    return parameters, buffers


def pickle_model(model: Any) -> bytes:
    """Returns the model with names in place of its weights. Raises what pickling raises."""
    parameters, buffers = plain_tensors(model)
    file = io.BytesIO()
    _Pickler(
        file, {id(tensor): name for name, tensor in [*parameters.items(), *buffers.items()]}
    ).dump(model)
    return file.getvalue()


def unpickle_model(data: bytes, tensors: Dict[str, Any]) -> Any:
    """Returns the model with these weights. Executes what the bytes say."""
    return _Unpickler(io.BytesIO(data), tensors).load()


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, names: Dict[int, str]) -> None:
        super().__init__(file, protocol=4)
        self._names = names

    def persistent_id(self, obj: Any) -> Optional[str]:
        return self._names.get(id(obj)) if isinstance(obj, torch.Tensor) else None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, torch.nn.Module) and wrapping_autocast(obj) is not None:
            # What wraps the forward pass often refuses to be pickled.
            reduced = list(obj.__reduce_ex__(4))
            reduced[2] = {key: value for key, value in reduced[2].items() if key != "forward"}
            return tuple(reduced)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, tensors: Dict[str, Any]) -> None:
        super().__init__(file)
        self._tensors = tensors

    def persistent_load(self, pid: Any) -> Any:
        return self._tensors[pid]


def wrapping_autocast(model: Any) -> Optional[Tuple[str, bool, Any]]:
    """Returns device, state and type of the mixed precision that was put around the forward method
    of this one object, as accelerate does; None if there is none."""
    waiting: List[Any] = [vars(model).get("forward")]
    for value in waiting:
        if isinstance(value, torch.autocast):
            settings: Any = value
            return settings.device, settings._enabled, settings.fast_dtype
        if value is None or len(waiting) > _MOST_WRAPPERS:
            continue
        waiting += [getattr(value, name, None) for name in ("__func__", "__wrapped__")]
        waiting += [getattr(value, "model_forward", None)]
        waiting += [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
    return None
