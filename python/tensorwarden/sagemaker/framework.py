"""The frameworks, and checks of the job's configuration against them."""

from __future__ import annotations

import os
from enum import Enum
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol

from tensorwarden.base.exceptions import SMDebugNotImplementedError
from tensorwarden.base.log import get_logger
from tensorwarden.sagemaker.job import check_smmodelparallel_training


class ProfilerConfigParser(Protocol):
    """What a parser of the profiler's configuration has."""

    config: Any


class FRAMEWORK(Enum):
    """The supported frameworks. The values are folder names below `framework/`."""

    PYTORCH = "pytorch"
    TENSORFLOW = "tensorflow"
    MXNET = "mxnet"
    XGBOOST = "xgboost"


_MODULES = {
    FRAMEWORK.PYTORCH: ("torch", (1, 5)),
    FRAMEWORK.TENSORFLOW: ("tensorflow", (1, 15)),
    FRAMEWORK.MXNET: ("mxnet", (1, 6)),
    FRAMEWORK.XGBOOST: ("xgboost", (0, 90)),
}
SupportedFrameworks = list(FRAMEWORK)


@lru_cache(maxsize=16)
def is_framework_version_supported(framework_type: FRAMEWORK) -> bool:
    """Returns whether the installed framework is recent enough for the hooks."""
    if framework_type not in _MODULES:
        names = ", ".join(str(known) for known in FRAMEWORK)
        raise SMDebugNotImplementedError(
            f"unknown framework type {framework_type}; expected one of: {names}"
        )
    module, oldest = _MODULES[framework_type]
    numbers = import_module(module).__version__.split(".")[:2]
    return tuple(int("".join(filter(str.isdigit, part)) or 0) for part in numbers) >= oldest


def _truth(text: str) -> bool:
    return text.strip().lower() not in ("0", "false", "f", "no", "n", "off")


class ConfigValidator:
    """Decides whether hooks are created and disables what does not work in this job."""

    def __init__(self, framework_type: FRAMEWORK):
        self._create_hook = _truth(os.getenv("USE_SMDEBUG", "true"))
        self._framework_type = framework_type

    @staticmethod
    def validate_profiler_config(profiler_config_parser: ProfilerConfigParser) -> None:
        """Disables detailed profiling for jobs with SageMaker model parallelism."""
        detailed = getattr(profiler_config_parser.config, "detailed_profiling_config", None)
        if check_smmodelparallel_training() and detailed is not None and not detailed.disabled:
            detailed.disabled = True
            get_logger().warning("detailed profiling disabled: the job uses model parallelism")

    def validate_training_job(self) -> bool:
        """Returns whether a hook may be created in this process."""
        if not self._create_hook or self._framework_type not in SupportedFrameworks:
            return False
        if not is_framework_version_supported(self._framework_type):
            get_logger().warning(
                f"no hook created: this version of {self._framework_type.value} is too old"
            )
            # Child processes must not try again.
            os.environ["USE_SMDEBUG"] = "False"
            self._create_hook = False
        return self._create_hook


_validators: dict[str, ConfigValidator] = {}


def get_config_validator(framework: FRAMEWORK) -> ConfigValidator:
    """Returns the validator of this process."""
    if "one" not in _validators:
        _validators["one"] = ConfigValidator(framework)
    return _validators["one"]


def reset_config_validator() -> None:
    """Removes the validator and everything cached about the environment."""
    _validators.clear()
    check_smmodelparallel_training.cache_clear()
    is_framework_version_supported.cache_clear()
