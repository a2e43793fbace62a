"""Reads the configuration file of the profiler at every step and applies it."""

from __future__ import annotations

import atexit
import math
import os
from enum import Enum
from pathlib import Path
from typing import Any

from tensorwarden.base.modes import ModeKeys
from tensorwarden.base.troubles import logger
from tensorwarden.profiler.common.constants import (
    BASE_FOLDER_DEFAULT,
    CLOSE_FILE_INTERVAL_DEFAULT,
    CONFIG_PATH_DEFAULT,
    FILE_OPEN_FAIL_THRESHOLD_DEFAULT,
    MAX_FILE_SIZE_DEFAULT,
)
from tensorwarden.profiler.common.units import str2bool
from tensorwarden.profiler.config.profiler_config import (
    MetricsConfigsField,
    ProfileRange,
    ProfilerConfig,
)
from tensorwarden.profiler.config.text import parse_document, parse_part
from tensorwarden.profiler.python.modes import StepPhase, mode_keys_to_python_profile_mode
from tensorwarden.profiler.python.profiler import PythonProfiler
from tensorwarden.sagemaker.files import is_first_process
from tensorwarden.sagemaker.framework import FRAMEWORK
from tensorwarden.sagemaker.job import get_node_id, get_node_id_from_resource_config


class MetricsCategory(Enum):
    """The kinds of profiling."""

    DETAILED_PROFILING = 1
    DATALOADER_PROFILING = 2
    PYTHON_PROFILING = 3
    SMDATAPARALLEL_PROFILING = 4
    KERNEL_PROFILING = 5


class ProfilingParametersField(Enum):
    """The fields of the configuration, with keys in lower case."""

    PROFILING_PARAMETERS = "profilingparameters"
    DISABLE_PROFILER = "disableprofiler"
    LOCAL_PATH = "localpath"
    FILE_MAX_SIZE = "rotatemaxfilesizeinbytes"
    FILE_CLOSE_INTERVAL = "rotatefilecloseintervalinseconds"
    FILE_OPEN_FAIL_THRESHOLD = "fileopenfailthreshold"
    DETAILED_PROFILING_CONFIG = "detailedprofilingconfig"
    DATALOADER_PROFILING_CONFIG = "dataloaderprofilingconfig"
    PYTHON_PROFILING_CONFIG = "pythonprofilingconfig"
    SMDATAPARALLEL_PROFILING_CONFIG = "smdataparallelprofilingconfig"
    KERNEL_PROFILING_CONFIG = "kernelprofilingconfig"
    CPU_PROFILING_DURATION = "cpuprofilingduration"


_PARTS = {
    MetricsCategory.DETAILED_PROFILING: "detailed_profiling_config",
    MetricsCategory.DATALOADER_PROFILING: "dataloader_profiling_config",
    MetricsCategory.PYTHON_PROFILING: "python_profiling_config",
    MetricsCategory.SMDATAPARALLEL_PROFILING: "smdataparallel_profiling_config",
    MetricsCategory.KERNEL_PROFILING: "kernel_profiling_config",
}


class ProfilerConfigParser:
    """Keeps `config` and `profiling_enabled` up to date with the file. Logs each problem once."""

    def __init__(self, framework: FRAMEWORK | None = None):
        self.framework = framework
        self.config: ProfilerConfig | None = None
        self.profiling_enabled = False
        self.last_json_config: dict[str, Any] | None = None
        self._last_message: str | None = None
        self._python_profiler: PythonProfiler | None = None
        self._profiler_config: ProfilerConfig | None = None
        # What each kind of profiling was made from, as long as profiling is on.
        self._parts: dict[str, dict[str, Any]] = {}
        self.load_config()

    def set_framework(self, framework: FRAMEWORK) -> None:
        """Sets the framework of the training, which names the folder of Python profiles."""
        self.framework = framework
        if self._python_profiler is not None:
            self._python_profiler.framework = framework

    def load_config(self) -> None:
        """Reads the file again. An unchanged file keeps everything, including started ranges."""
        path = Path(os.getenv("SMPROFILER_CONFIG_PATH", CONFIG_PATH_DEFAULT))
        try:
            document = parse_document(path.read_text())
        except FileNotFoundError:
            self._disable(f"profiling is off: {path} does not exist", logger.info)
            return
        except (OSError, ValueError) as error:
            self._disable(f"profiling is off: {path} is invalid: {error}", logger.error)
            return
        if document == self.last_json_config:
            return
        field = ProfilingParametersField
        parameters = document.get(field.PROFILING_PARAMETERS.value) or {}
        if self._is_disabled(document) or not isinstance(parameters, dict) or not parameters:
            self._disable(f"profiling is off: disabled in {path}", logger.info)
            return
        self.last_json_config = document
        self.config = self._build(parameters)
        self.profiling_enabled = True
        self._say(f"profiling is on: enabled in {path}", logger.info)

    @staticmethod
    def _is_disabled(document: dict[str, Any]) -> bool:
        value = document.get(ProfilingParametersField.DISABLE_PROFILER.value, False)
        try:
            return str2bool(value) if isinstance(value, str) else bool(value)
        except ValueError as error:
            logger.error(f"tensorwarden: invalid DisableProfiler: {error}; treated as true")
            return True

    def _disable(self, message: str, log: Any) -> None:
        """Turns profiling off and drops the document, because the same one may turn it on again."""
        self.profiling_enabled = False
        self.last_json_config = None
        self._parts = {}
        self._say(message, log)

    def _say(self, message: str, log: Any) -> None:
        if message != self._last_message:
            log(f"tensorwarden: {message}")
        self._last_message = message

    def _build(self, parameters: dict[str, Any]) -> ProfilerConfig:
        field = ProfilingParametersField
        try:
            files = (
                str(parameters.get(field.LOCAL_PATH.value, BASE_FOLDER_DEFAULT)),
                int(float(parameters.get(field.FILE_MAX_SIZE.value, MAX_FILE_SIZE_DEFAULT))),
                float(parameters.get(field.FILE_CLOSE_INTERVAL.value, CLOSE_FILE_INTERVAL_DEFAULT)),
                int(
                    parameters.get(
                        field.FILE_OPEN_FAIL_THRESHOLD.value, FILE_OPEN_FAIL_THRESHOLD_DEFAULT
                    )
                ),
            )
        except (ValueError, TypeError, OverflowError) as error:
            logger.error(
                f"tensorwarden: invalid profiler configuration: {error}; using the default "
                "LocalPath and file limits"
            )
            files = (
                BASE_FOLDER_DEFAULT,
                MAX_FILE_SIZE_DEFAULT,
                CLOSE_FILE_INTERVAL_DEFAULT,
                FILE_OPEN_FAIL_THRESHOLD_DEFAULT,
            )
        cpu_seconds = self._cpu_seconds(parameters)
        detailed = self._part(parameters, field.DETAILED_PROFILING_CONFIG.value)
        if cpu_seconds is not None and field.DETAILED_PROFILING_CONFIG.value not in parameters:
            # SageMaker Profiler's only setting: records from the first step on.
            detailed = {MetricsConfigsField.DURATION.value: cpu_seconds}
        parts = {
            "detailed_profiling_config": detailed,
            "dataloader_profiling_config": self._part(
                parameters, field.DATALOADER_PROFILING_CONFIG.value
            ),
            "python_profiling_config": self._part(parameters, field.PYTHON_PROFILING_CONFIG.value),
            "smdataparallel_profiling_config": self._part(
                parameters, field.SMDATAPARALLEL_PROFILING_CONFIG.value
            ),
            "kernel_profiling_config": self._part(parameters, field.KERNEL_PROFILING_CONFIG.value),
        }
        config = ProfilerConfig(
            *files,
            parts["detailed_profiling_config"],
            parts["dataloader_profiling_config"],
            parts["python_profiling_config"],
            parts["smdataparallel_profiling_config"],
            cpu_seconds,
            parts["kernel_profiling_config"],
        )
        for name in _PARTS.values():
            part: ProfileRange = getattr(config, name)
            if self.config is not None and parts[name] == self._parts.get(name):
                # Something else has changed: steps that were recorded are not recorded again.
                setattr(config, name, getattr(self.config, name))
            elif part.error_message:
                logger.error(f"tensorwarden: {part.error_message}")
        self._parts = parts
        return config

    @staticmethod
    def _cpu_seconds(parameters: dict[str, Any]) -> float | None:
        value = parameters.get(ProfilingParametersField.CPU_PROFILING_DURATION.value)
        if value is None:
            return None
        try:
            seconds = float(value)
        except (ValueError, TypeError):
            seconds = math.nan
        if not 0 < seconds < math.inf:
            logger.error(
                f"tensorwarden: CPUProfilingDuration is {value!r}; expected a positive number of "
                "seconds. Operators are not recorded."
            )
            return None
        return seconds

    @staticmethod
    def _part(parameters: dict[str, Any], name: str) -> dict[str, Any]:
        if name not in parameters:
            return {}
        try:
            return parse_part(parameters[name])
        except ValueError as error:
            logger.error(
                f"tensorwarden: {name} is {parameters[name]!r}; {error}. This kind of profiling "
                "is disabled."
            )
            return {}

    def should_save_metrics(
        self,
        metrics_category: MetricsCategory,
        current_step: int,
        metrics_name: str | None = None,
        current_time: float | None = None,
    ) -> bool:
        """Returns whether a kind of profiling, and for data loaders this metric, is on at a
        step."""
        if not self.profiling_enabled or metrics_category not in _PARTS:
            return False
        part = getattr(self.config, _PARTS[metrics_category])
        loader = metrics_category is MetricsCategory.DATALOADER_PROFILING
        if loader and metrics_name and not part.valid_metrics_name(metrics_name):
            return False
        return part.can_start_profiling(current_step, current_time)

    def write_tf_dataloader_flag(self, flag_filename: str) -> bool:
        """Creates a flag file for TensorFlow's data loader; returns whether this process was the
        first."""
        config = self.config if self.profiling_enabled else None
        if config is None or not config.dataloader_profiling_config.is_enabled():
            return False
        host = get_node_id_from_resource_config() or get_node_id()
        path = Path(config.local_path, host, flag_filename)
        try:
            return is_first_process(str(path), is_dir=False)
        except OSError as error:
            logger.error(f"tensorwarden: cannot write {path}: {error}")
            return False

    def is_python_profiling_enabled(self) -> bool:
        """Returns whether Python profiling is enabled."""
        config = self.config if self.profiling_enabled else None
        return config is not None and config.python_profiling_config.is_enabled()

    @property
    def python_profiler(self) -> PythonProfiler | None:
        """The configured profiler; None while Python profiling is off.

        A running profiler continues to the end of its segment, even if the configuration changes.
        """
        busy = self._python_profiler is not None and self._python_profiler.is_profiling
        if self._profiler_config is not self.config and not busy:
            self._python_profiler = None
            if self.is_python_profiling_enabled():
                framework = self.framework or FRAMEWORK.PYTORCH
                self._python_profiler = PythonProfiler.get_python_profiler(self.config, framework)
                self._profiler_config = self.config
        return self._python_profiler

    def _handle(self, phase: StepPhase, mode: ModeKeys, current_step: int) -> None:
        """Ends the running segment and starts the next one if it is in the range."""
        where = (phase, mode_keys_to_python_profile_mode(mode), current_step)
        if self._python_profiler is not None:
            self._python_profiler.stop_profiling(*where)
        if self.should_save_metrics(MetricsCategory.PYTHON_PROFILING, current_step):
            self._start_python_profiling(*where)

    def _start_python_profiling(self, *where: Any) -> None:
        profiler = self.python_profiler
        if profiler is not None:
            profiler.start_profiling(*where)

    def start_pre_step_zero_python_profiling(self) -> None:
        """Starts a segment before the first step."""
        if self.is_python_profiling_enabled():
            self._start_python_profiling(StepPhase.START)

    def handle_step_start_python_profiling(self, mode: ModeKeys, current_step: int) -> None:
        """Handles the start of a step."""
        self._handle(StepPhase.STEP_START, mode, current_step)

    def handle_forward_pass_end_python_profiling(self, mode: ModeKeys, current_step: int) -> None:
        """Handles the end of a forward pass."""
        self._handle(StepPhase.FORWARD_PASS_END, mode, current_step)

    def handle_step_end_python_profiling(self, mode: ModeKeys, current_step: int) -> None:
        """Handles the end of a step."""
        self._handle(StepPhase.STEP_END, mode, current_step)

    def start_post_hook_close_python_profiling(self) -> None:
        """Starts a segment after the hook is closed. It has the name that readers expect."""
        if self._python_profiler is not None:
            self._python_profiler.stop_profiling(StepPhase.END)
        if self.is_python_profiling_enabled():
            self._start_python_profiling(StepPhase.END)
            atexit.register(self.stop_post_hook_close_python_profiling)

    def stop_post_hook_close_python_profiling(self) -> None:
        """Ends the segment after the hook was closed."""
        if self._python_profiler is not None:
            self._python_profiler.stop_profiling(StepPhase.END)


_parsers: dict[str, ProfilerConfigParser] = {}


def get_profiler_config_parser(framework: FRAMEWORK) -> ProfilerConfigParser:
    """Returns the parser of this process."""
    if "one" not in _parsers:
        _parsers["one"] = ProfilerConfigParser(framework)
    return _parsers["one"]


def reset_profiler_config_parser() -> None:
    """Removes the parser of this process."""
    _parsers.clear()
