"""Exceptions, with the class names that scripts written for smdebug catch."""

from typing import Optional

from tensorwarden.base.modes import ModeKeys


class SMDebugError(Exception):
    """Base class of all exceptions of this package."""


class SMDebugCustomerError(SMDebugError):
    """An error caused by the user's code or settings."""


class SMDebugTypeError(SMDebugError, TypeError):
    """A value has the wrong type."""


class SMDebugRuntimeError(SMDebugError, RuntimeError):
    """An operation is not possible in this state, for example saving into a finished run."""


class SMDebugNotImplementedError(SMDebugError, NotImplementedError):
    """An operation is not supported."""


class SMDebugValueError(SMDebugError, ValueError):
    """A value is not accepted."""


class InvalidCollectionConfiguration(SMDebugError):
    """A collection cannot match any tensor."""

    def __init__(self, c_name: str):
        self.c_name = c_name

    def __str__(self) -> str:
        return (
            f"collection '{self.c_name}' has no tensor names and no patterns; set include_regex "
            "or add tensors"
        )


class StepNotYetAvailable(SMDebugError):
    """The step is not saved yet but may still come."""

    def __init__(self, step: int, mode: ModeKeys):
        self.step = step
        self.mode = mode

    def __str__(self) -> str:
        return f"step {self.step} of mode {self.mode.name} has not been saved yet"


class StepUnavailable(SMDebugError):
    """The step was skipped, or the job ended without saving it."""

    def __init__(self, step: int, mode: ModeKeys):
        self.step = step
        self.mode = mode

    def __str__(self) -> str:
        return f"step {self.step} of mode {self.mode.name} was not saved and will not be"


class MissingCollectionFiles(SMDebugError):
    """The job ended without writing all collections files."""

    def __str__(self) -> str:
        return "the job has ended, but some workers did not write their collections file"


class IndexReaderException(SMDebugError):
    """An index file cannot be used."""

    def __init__(self, message: str):
        self.message = message

    def __str__(self) -> str:
        return self.message


class TensorUnavailableForStep(SMDebugError):
    """The step was saved, but not the value of this tensor."""

    def __init__(
        self,
        tname: str,
        step: int,
        mode: ModeKeys = ModeKeys.GLOBAL,
        has_reductions: bool = False,
    ):
        self.tname = tname
        self.step = step
        self.mode = mode
        self.has_reductions = has_reductions

    def __str__(self) -> str:
        text = f"tensor '{self.tname}' was not saved at step {self.step} of mode {self.mode.name}"
        if self.has_reductions:
            text += "; only its reductions were: use reduction_value or reduction_values"
        return text


class ShapeUnavailableForStep(SMDebugError):
    """Neither the shape nor the value of the tensor was saved at the step."""

    def __init__(self, tname: str, step: int, mode: ModeKeys = ModeKeys.GLOBAL):
        self.tname = tname
        self.step = step
        self.mode = mode

    def __str__(self) -> str:
        return (
            f"the shape of tensor '{self.tname}' was not saved at step {self.step} of mode "
            f"{self.mode.name}; set save_shape in the collection's ReductionConfig"
        )


class TensorUnavailable(SMDebugError):
    """The run has no tensor with this name."""

    def __init__(self, tname: str):
        self.tname = tname

    def __str__(self) -> str:
        return f"no tensor named '{self.tname}' was saved"


class InvalidWorker(SMDebugError):
    """The worker saved nothing at the step."""

    def __init__(self, worker: Optional[str]):
        self.worker = worker

    def __str__(self) -> str:
        return f"worker '{self.worker}' saved nothing at this step"


class NoMoreProfilerData(SMDebugError):
    """The job ended before this time."""

    def __init__(self, timestamp: int):
        self.timestamp = timestamp
        self.msg = f"the job ended before {timestamp}; there is no more profiler data"

    def __str__(self) -> str:
        return self.msg


class NoMoreData(SMDebugError):
    """The job ended before this step."""

    def __init__(self, step: int, mode: ModeKeys, last_step: Optional[int]):
        self.step = step
        self.mode = mode
        self.last_step = last_step
        self.msg = (
            f"step {step} of mode {mode.name} was not saved: the job has ended at step {last_step}"
        )

    def __str__(self) -> str:
        return self.msg


class RuleEvaluationConditionMet(SMDebugError):
    """A rule found the problem it checks for."""

    def __init__(self, rule_name: str, step: int, end_of_rule: bool = False):
        self.rule_name = rule_name
        self.step = step
        self.end_of_rule = end_of_rule

    def __str__(self) -> str:
        return f"rule {self.rule_name} found a problem at step {self.step}"


class InsufficientInformationForRuleInvocation(SMDebugError):
    """A rule cannot run because something it needs is missing."""

    def __init__(self, rule_name: str, message: str):
        self.rule_name = rule_name
        self.message = message

    def __str__(self) -> str:
        return f"rule {self.rule_name} cannot run: {self.message}"
