"""Configures how a training job is profiled."""

from typing import Any, Dict, Optional

from tensorwarden.debugger.profiling_ranges import (
    ALL_KINDS,
    DataloaderProfilingConfig,
    DetailedProfilingConfig,
    HorovodProfilingConfig,
    PythonProfilingConfig,
    SMDataParallelProfilingConfig,
)


class FrameworkProfile:
    """What is recorded inside the training process.

    Only the given kinds of profiling are recorded. Without any, a range of steps or time applies to
    all kinds. Without a range, each kind uses its default steps. Raises ValueError for wrong
    values.
    """

    def __init__(
        self,
        local_path: str = "/opt/ml/output/profiler",
        file_max_size: int = 10485760,
        file_close_interval: float = 60,
        file_open_fail_threshold: int = 50,
        detailed_profiling_config: Optional[DetailedProfilingConfig] = None,
        dataloader_profiling_config: Optional[DataloaderProfilingConfig] = None,
        python_profiling_config: Optional[PythonProfilingConfig] = None,
        horovod_profiling_config: Optional[HorovodProfilingConfig] = None,
        smdataparallel_profiling_config: Optional[SMDataParallelProfilingConfig] = None,
        start_step: Optional[int] = None,
        num_steps: Optional[int] = None,
        start_unix_time: Optional[int] = None,
        duration: Optional[float] = None,
    ):
        if not isinstance(local_path, str):
            raise ValueError(f"local_path is {local_path!r}; expected a string")
        _check_positive("file_max_size", file_max_size, int)
        _check_positive("file_close_interval", file_close_interval, (int, float))
        _check_positive("file_open_fail_threshold", file_open_fail_threshold, int)
        self.profiling_parameters = {
            "LocalPath": local_path,
            "RotateMaxFileSizeInBytes": str(file_max_size),
            "RotateFileCloseIntervalInSeconds": str(file_close_interval),
            "FileOpenFailThreshold": str(file_open_fail_threshold),
        }
        kinds = [
            detailed_profiling_config,
            dataloader_profiling_config,
            python_profiling_config,
            horovod_profiling_config,
            smdataparallel_profiling_config,
        ]
        chosen = [kind for kind in kinds if kind is not None]
        given = (start_step, num_steps, start_unix_time, duration)
        if not chosen and any(value is not None for value in given):
            chosen = [kind(*given) for kind in ALL_KINDS]
        elif not chosen:
            chosen = [kind(profile_default_steps=True) for kind in ALL_KINDS]
        for kind in chosen:
            self.profiling_parameters[kind.name] = kind.to_json_string()


class Profiler:
    """Settings of SageMaker Profiler; both values are in seconds."""

    def __init__(self, cpu_profiling_duration: str = "3600", file_rotation_interval: str = "600"):
        self.profiling_parameters = {
            "CPUProfilingDuration": str(cpu_profiling_duration),
            "SMPFileRotationSecs": str(file_rotation_interval),
        }


class ProfilerConfig:
    """Whether and how a training job is profiled.

    Raises ValueError if both `framework_profile_params` and `profile_params` are given.
    """

    def __init__(
        self,
        s3_output_path: Optional[str] = None,
        system_monitor_interval_millis: Optional[int] = None,
        framework_profile_params: Optional[FrameworkProfile] = None,
        profile_params: Optional[Profiler] = None,
        disable_profiler: bool = False,
    ):
        _check_type("framework_profile_params", framework_profile_params, FrameworkProfile)
        _check_type("profile_params", profile_params, Profiler)
        if framework_profile_params is not None and profile_params is not None:
            raise ValueError(
                "framework_profile_params and profile_params are both given; "
                "expected at most one"
            )
        self.s3_output_path = s3_output_path
        self.system_monitor_interval_millis = system_monitor_interval_millis
        self.framework_profile_params = framework_profile_params
        self.profile_params = profile_params
        self.disable_profiler = disable_profiler

    def to_request_dict(self) -> Dict[str, Any]:
        """Returns a ProfilerConfig."""
        request: Dict[str, Any] = {}
        if self.s3_output_path is not None and self.disable_profiler is False:
            request["S3OutputPath"] = self.s3_output_path
        request["DisableProfiler"] = self.disable_profiler
        if self.system_monitor_interval_millis is not None:
            request["ProfilingIntervalInMilliseconds"] = self.system_monitor_interval_millis
        for params in (self.framework_profile_params, self.profile_params):
            if params is not None:
                request["ProfilingParameters"] = params.profiling_parameters
        return request

    _to_request_dict = to_request_dict


def _check_positive(name: str, value: Any, types: Any) -> None:
    if not isinstance(value, types) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} is {value!r}; expected a positive number")


def _check_type(name: str, value: object, wanted: type) -> None:
    if value is not None and not isinstance(value, wanted):
        raise ValueError(f"{name} is {value!r}; expected a {wanted.__name__}")
