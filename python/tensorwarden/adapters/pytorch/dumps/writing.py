"""Writes what a step starts from into the folder of a run."""

import json
import os
import platform
import shutil
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.dumps.layout import (
    FOLDER,
    FORMAT,
    INDEX,
    OPTIMIZERS,
    PASSES,
    STATE,
    DumpError,
    digest_of,
    model_file,
    one_line,
    size_text,
    type_text,
)
from tensorwarden.adapters.pytorch.dumps.links import Link
from tensorwarden.adapters.pytorch.dumps.pickling import (
    pickle_model,
    plain_tensors,
    wrapping_autocast,
)
from tensorwarden.adapters.pytorch.dumps.recorder import ForwardPass
from tensorwarden.adapters.pytorch.replay.calls import Call
from tensorwarden.adapters.pytorch.tensors import tensors_in


class BadStep(NamedTuple):
    """A step to dump."""

    step: int
    worker: str
    why: str
    found: Optional[Dict[str, Any]]  # What is known of its first NaN.
    passes: List[ForwardPass]
    left_out: int
    optimizers: List[Any]
    scale: Optional[float]


def write_dump(run: str, bad: BadStep, most_bytes: int) -> Tuple[Path, int]:
    """Writes a dump into the folder of a run, as a whole or not at all. Returns its folder and its
    size. Raises DumpError."""
    if "://" in run:
        raise DumpError(f"{run} is not a folder on this machine")
    models = _models_of(bad.passes)
    for model in models:
        if any(hasattr(p, "to_local") for p in model.parameters()):
            raise DumpError("the parameters are distributed among workers")
    folder = Path(run) / FOLDER
    _check_size(folder, _bytes_of(bad, models), most_bytes)
    place = folder / f"{bad.step:012d}_{bad.worker}"
    unfinished = folder / f"{place.name}.tmp"
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        _write_files(unfinished, bad, models)
        shutil.rmtree(place, ignore_errors=True)  # Of a training that was started again.
        unfinished.rename(place)
    except BaseException as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        if isinstance(error, DumpError) or not isinstance(error, Exception):
            raise
        raise DumpError(one_line(error)) from error
    return place, sum(file.stat().st_size for file in place.iterdir())


def _models_of(passes: List[ForwardPass]) -> List[Any]:
    models: List[Any] = []
    for made in passes:
        if all(made.call.model is not known for known in models):
            models.append(made.call.model)
    return models


def _bytes_of(bad: BadStep, models: List[Any]) -> int:
    tensors: List[torch.Tensor] = []
    for model in models:
        tensors += [*model.parameters(), *model.buffers()]
    for optimizer in bad.optimizers:
        tensors += tensors_in([*optimizer.state.values()])
    for made in bad.passes:
        tensors += tensors_in((made.call.args, made.call.kwargs))
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def _check_size(folder: Path, size: int, most_bytes: int) -> None:
    if size > most_bytes:
        raise DumpError(
            f"it has {size_text(size)}, more than --max-dump-size {size_text(most_bytes)}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if size > free:
        raise DumpError(f"it has {size_text(size)}, and {folder} has {size_text(free)} free")


def _write_files(folder: Path, bad: BadStep, models: List[Any]) -> None:
    about_models = []
    for number, model in enumerate(models):
        about: Dict[str, Any] = {"class": type(model).__name__, "module": type(model).__module__}
        try:
            (folder / model_file(number)).write_bytes(pickle_model(model))
        except OSError:
            raise
        except Exception as error:  # Whatever a class does to refuse.
            about["error"] = one_line(error)
        about_models.append(about)
    _save(folder / STATE, [_state_of(model, bad.passes) for model in models], "the weights")
    states = [{"class": type(o).__name__, "state": o.state_dict()} for o in bad.optimizers]
    _save(folder / OPTIMIZERS, states, "the state of the optimizer")
    passes = [_packed(made, bad.passes, models) for made in bad.passes]
    _save(folder / PASSES, passes, "the batch")
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir())}
    index = {
        "format": FORMAT,
        "step": bad.step,
        "worker": bad.worker,
        "why": bad.why,
        "found": bad.found,
        "time": time.time(),
        "models": about_models,
        "passes": [_about(made, models) for made in bad.passes],
        "passes_left_out": bad.left_out,
        "optimizers": [state["class"] for state in states],
        "scale": bad.scale,
        "settings": _settings(),
        "main": _main(),
        "program": sys.executable,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "files": sizes,
    }
    (folder / INDEX).write_text(json.dumps(index, indent=1))


def _save(path: Path, value: Any, what: str) -> None:
    with path.open("wb") as file:
        sink = _Sink(file)
        try:
            torch.save(value, sink)
        except Exception as error:
            raise DumpError(f"{what} cannot be pickled: {one_line(error)}") from error
    if sink.error is not None:
        raise sink.error


class _Sink:
    """A file whose errors wait until the end: PyTorch's writer ends the process at some of them."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.error: Optional[OSError] = None

    def write(self, data: Any) -> int:
        """Writes, unless an error was met before."""
        if self.error is None:
            try:
                self._file.write(data)
            except OSError as error:
                self.error = error
        return len(data)

    def flush(self) -> None:
        """Does what a file does."""
        if self.error is None:
            try:
                self._file.flush()
            except OSError as error:
                self.error = error


def _state_of(model: Any, passes: List[ForwardPass]) -> Dict[str, Any]:
    parameters, buffers = plain_tensors(model)
    before = _first_of(model, passes).buffers
    return {
        "parameters": {name: value.detach() for name, value in parameters.items()},
        "frozen": [name for name, value in parameters.items() if not value.requires_grad],
        "buffers": {name: before.get(name, value.detach()) for name, value in buffers.items()},
    }


def _first_of(model: Any, passes: List[ForwardPass]) -> ForwardPass:
    return next(made for made in passes if made.call.model is model)


def _packed(made: ForwardPass, passes: List[ForwardPass], models: List[Any]) -> Dict[str, Any]:
    call = made.call
    first = _first_of(call.model, passes)
    losses, reason = _losses_of(made)
    return {
        "model": next(i for i, model in enumerate(models) if model is call.model),
        "name": call.name,
        "step": call.step,
        "args": _compact(call.args),
        "kwargs": _compact(call.kwargs),
        "random": call.random,
        "device_random": call.device_random,
        "python_random": made.python_random,
        "numpy_random": made.numpy_random,
        "autocast": _autocast_of(call),
        # Those that an earlier pass has changed.
        "buffers": {n: b for n, b in made.buffers.items() if b is not first.buffers.get(n)},
        "own_loss": None if made.own_loss is None else tuple(made.own_loss),
        "losses": losses,
        "no_loss": reason,
        "value": made.value,
    }


def _losses_of(made: ForwardPass) -> Tuple[List[Dict[str, Any]], str]:
    """Returns the losses in a form that can be loaded, or why there are none."""
    if made.own_loss is not None:
        return [], ""
    if not made.losses:
        return [], "the script computes it in a way that is not recorded"
    packed = []
    for loss in made.losses:
        entry = {**loss._asdict(), "args": _linked(loss.args), "kwargs": _linked(loss.kwargs)}
        try:
            pickle_model(torch.nn.ModuleList() if loss.module is None else loss.module)
        except Exception as error:
            return [], f"{loss.name} cannot be pickled: {one_line(error)}"
        packed.append(entry)
    return packed, ""


def _linked(values: Any) -> Any:
    """Returns nested values with links as plain tuples: they need no class of ours to be loaded."""
    if isinstance(values, Link):
        return {"link": tuple(values)}
    if isinstance(values, dict):
        return {key: _linked(value) for key, value in values.items()}
    if isinstance(values, tuple):
        return [_linked(value) for value in values]
    return _compact(values)


def _compact(values: Any) -> Any:
    """Returns nested tensors without graphs, and without the rest of the memory that they view."""
    if type(values) is torch.Tensor:
        plain = values.detach()
        plain = plain.clone() if _views_more(plain) else plain
        return plain.requires_grad_() if values.requires_grad else plain
    if type(values) in (list, tuple):
        return type(values)(_compact(value) for value in values)
    if type(values) is dict:
        return {key: _compact(value) for key, value in values.items()}
    return values


def _views_more(tensor: torch.Tensor) -> bool:
    if tensor.layout is not torch.strided:
        return False
    storage: Any = getattr(tensor, "untyped_storage", tensor.storage)()
    return int(storage.nbytes()) > tensor.numel() * tensor.element_size()


def _autocast_of(call: Call) -> Dict[str, Tuple[bool, Any]]:
    inside = wrapping_autocast(call.model)
    return {**call.autocast, **({inside[0]: inside[1:]} if inside is not None else {})}


def _about(made: ForwardPass, models: List[Any]) -> Dict[str, Any]:
    call = made.call
    named = [*enumerate(call.args), *call.kwargs.items()]
    return {
        "step": call.step,
        "model": next(i for i, model in enumerate(models) if model is call.model),
        "inputs": [
            {"name": str(key), "shape": list(value.shape), "type": type_text(value.dtype)}
            for key, value in named
            if isinstance(value, torch.Tensor)
        ],
        "inputs_have_changed": made.inputs_have_changed(),
        "autocast": {
            device: type_text(dtype) if enabled else None
            for device, (enabled, dtype) in _autocast_of(call).items()
        },
        "loss": "model" if made.own_loss is not None else [loss.name for loss in made.losses],
    }


def _settings() -> Dict[str, Any]:
    return {
        "default_type": type_text(torch.get_default_dtype()),
        "matmul_tf32": bool(torch.backends.cuda.matmul.allow_tf32),
        "cudnn_tf32": bool(torch.backends.cudnn.allow_tf32),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "keyword_arguments": hasattr(torch.nn.Module(), "_forward_pre_hooks_with_kwargs"),
    }


def _main() -> Dict[str, Any]:
    main = sys.modules.get("__main__")
    spec: Any = getattr(main, "__spec__", None)
    path: Optional[str] = getattr(main, "__file__", None)
    path = None if path is None else str(Path(path).resolve())
    known = path is not None and Path(path).is_file()
    return {
        "script": path if known else None,
        "module": spec.name if spec is not None else None,
        "sha256": digest_of(path) if known and path is not None else None,
        "folder": os.getcwd(),  # noqa: PTH109
        "path": [entry for entry in sys.path[:1] if entry],
    }
