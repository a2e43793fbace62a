"""Converts errors of the core to exceptions that scripts catch."""

from __future__ import annotations

from tensorwarden._core import StatusError
from tensorwarden.base import exceptions as ex
from tensorwarden.base.modes import ModeKeys

_BY_CODE = {
    "Invalid": ex.SMDebugValueError,
    "InvalidType": ex.SMDebugTypeError,
    "InvalidCollectionConfiguration": ex.InvalidCollectionConfiguration,
    "IndexReaderException": ex.IndexReaderException,
}


def code_of(error: StatusError) -> str:
    """Returns the name of the core's error code, for example "StepUnavailable"."""
    return error.args[0]


def plain_error(error: StatusError) -> ex.SMDebugError:
    """Returns the exception for an error that concerns no tensor or step."""
    code, message = error.args
    if code == "MissingCollectionFiles":
        return ex.MissingCollectionFiles()
    return _BY_CODE.get(code, ex.SMDebugRuntimeError)(message)


def tensor_error(
    error: StatusError,
    tname: str,
    step: int,
    mode: ModeKeys,
    worker: str | None = None,
    has_reductions: bool = False,
) -> ex.SMDebugError:
    """Returns the exception for a failure to read a tensor at a step."""
    code = code_of(error)
    if code == "TensorUnavailable":
        return ex.TensorUnavailable(tname)
    if code == "TensorUnavailableForStep":
        return ex.TensorUnavailableForStep(tname, step, mode, has_reductions)
    if code == "ShapeUnavailableForStep":
        return ex.ShapeUnavailableForStep(tname, step, mode)
    if code == "StepUnavailable":
        return ex.StepUnavailable(step, mode)
    if code == "StepNotYetAvailable":
        return ex.StepNotYetAvailable(step, mode)
    if code == "InvalidWorker":
        return ex.InvalidWorker(worker)
    return plain_error(error)
