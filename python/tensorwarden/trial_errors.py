"""Turns a failure of the core into the exception that programs catch."""

from __future__ import annotations

from tensorwarden import exceptions as ex
from tensorwarden._core import StatusError
from tensorwarden.modes import ModeKeys

_BY_CODE = {
    "Invalid": ex.SMDebugValueError,
    "InvalidType": ex.SMDebugTypeError,
    "InvalidCollectionConfiguration": ex.InvalidCollectionConfiguration,
    "IndexReaderException": ex.IndexReaderException,
}


def code_of(error: StatusError) -> str:
    """The name of the core's code, e.g. "StepUnavailable"."""
    return error.args[0]


def plain_error(error: StatusError) -> ex.SMDebugError:
    """For a failure that is about no tensor or step."""
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
    """For a failure to get something of a tensor at a step."""
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
