"""Exceptions under the names that existing programs catch."""

from typing import Optional

from tensorwarden.modes import ModeKeys


class SMDebugError(Exception):
    """The base of all of them."""


class SMDebugCustomerError(SMDebugError):
    """Something that the user's own code or settings caused."""


class SMDebugTypeError(SMDebugError, TypeError):
    """A value of the wrong type."""


class SMDebugRuntimeError(SMDebugError, RuntimeError):
    """Something that does not work in this state, e.g. saving into a finished run."""


class SMDebugNotImplementedError(SMDebugError, NotImplementedError):
    """Something that is not offered."""


class SMDebugValueError(SMDebugError, ValueError):
    """A value that is not accepted."""


class InvalidCollectionConfiguration(SMDebugError):
    """A collection that can match nothing."""

    def __init__(self, c_name: str):
        self.c_name = c_name

    def __str__(self) -> str:
        return (
            f"collection '{self.c_name}' has neither tensor names nor patterns, so nothing would "
            "ever be in it: give it include_regex, or add tensors to it"
        )


class StepNotYetAvailable(SMDebugError):
    """The step may still come."""

    def __init__(self, step: int, mode: ModeKeys):
        self.step = step
        self.mode = mode

    def __str__(self) -> str:
        return f"step {self.step} of mode {self.mode.name} has not been saved yet"


class StepUnavailable(SMDebugError):
    """The step was passed, or the job ended, without saving it."""

    def __init__(self, step: int, mode: ModeKeys):
        self.step = step
        self.mode = mode

    def __str__(self) -> str:
        return f"step {self.step} of mode {self.mode.name} was not saved and never will be"


class MissingCollectionFiles(SMDebugError):
    """The job ended without writing its collections."""

    def __str__(self) -> str:
        return "the job has ended, but not every worker wrote its collections file"


class IndexReaderException(SMDebugError):
    """An index file that cannot be used."""

    def __init__(self, message: str):
        self.message = message

    def __str__(self) -> str:
        return self.message


class TensorUnavailableForStep(SMDebugError):
    """The step is there, the tensor's value is not."""

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
            text += "; only reductions of it were: ask reduction_value or reduction_values for them"
        return text


class ShapeUnavailableForStep(SMDebugError):
    """Neither a shape nor a value to take it from."""

    def __init__(self, tname: str, step: int, mode: ModeKeys = ModeKeys.GLOBAL):
        self.tname = tname
        self.step = step
        self.mode = mode

    def __str__(self) -> str:
        return (
            f"the shape of tensor '{self.tname}' was not saved at step {self.step} of mode "
            f"{self.mode.name}: set save_shape in the collection's ReductionConfig"
        )


class TensorUnavailable(SMDebugError):
    """No tensor of that name in the run."""

    def __init__(self, tname: str):
        self.tname = tname

    def __str__(self) -> str:
        return f"no tensor named '{self.tname}' was saved"


class InvalidWorker(SMDebugError):
    """This worker saved nothing at the step."""

    def __init__(self, worker: str):
        self.worker = worker

    def __str__(self) -> str:
        return f"worker '{self.worker}' saved nothing at this step"


class NoMoreProfilerData(SMDebugError):
    """The job ended before that time."""

    def __init__(self, timestamp: int):
        self.timestamp = timestamp
        self.msg = f"the job ended before {timestamp}: no more profiler data will come"

    def __str__(self) -> str:
        return self.msg


class NoMoreData(SMDebugError):
    """The job ended before that step."""

    def __init__(self, step: int, mode: ModeKeys, last_step: Optional[int]):
        self.step = step
        self.mode = mode
        self.last_step = last_step
        self.msg = (
            f"step {step} of mode {mode.name} will not come: the job has ended and its last step "
            f"is {last_step}"
        )

    def __str__(self) -> str:
        return self.msg


class RuleEvaluationConditionMet(SMDebugError):
    """A rule found what it looks for."""

    def __init__(self, rule_name: str, step: int, end_of_rule: bool = False):
        self.rule_name = rule_name
        self.step = step
        self.end_of_rule = end_of_rule

    def __str__(self) -> str:
        return f"rule {self.rule_name} found an issue at step {self.step}"


class InsufficientInformationForRuleInvocation(SMDebugError):
    """A rule lacks something that it needs."""

    def __init__(self, rule_name: str, message: str):
        self.rule_name = rule_name
        self.message = message

    def __str__(self) -> str:
        return f"rule {self.rule_name} lacks what it needs: {self.message}"
