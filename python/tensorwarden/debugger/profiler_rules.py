"""The built-in rules that check profiles: one class per rule holds and checks its parameters."""

from typing import Any, Callable, Dict, NamedTuple, Tuple


class Parameter(NamedTuple):
    """A parameter of a rule."""

    name: str
    default: Any
    accepts: Callable[[Any], bool]
    accepted: str


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _percent(name: str, default: float) -> Parameter:
    def accepts(value: Any) -> bool:
        return _is_number(value) and 0 <= value <= 100

    return Parameter(name, default, accepts, "a number between 0 and 100")


def _count(name: str, default: int) -> Parameter:
    return Parameter(
        name, default, lambda value: _is_number(value) and value > 0, "a positive number"
    )


def _text(name: str) -> Parameter:
    return Parameter(name, None, lambda value: value is None or isinstance(value, str), "a string")


_PATIENCE = _count("patience", 1000)
_SCAN = _count("scan_interval_us", 60000000)  # Microseconds between two scans.


class ProfilerRuleConfig:
    """A rule with values for its parameters, by name or in order.

    Raises TypeError for an unknown parameter and ValueError for a wrong value.
    """

    parameters: Tuple[Parameter, ...] = ()

    def __init__(self, *values: Any, **named: Any):
        names = [parameter.name for parameter in self.parameters]
        self.rule_name = type(self).__name__
        unknown = [name for name in named if name not in names]
        if unknown or len(values) > len(names):
            which = repr(unknown[0]) if unknown else f"number {len(values)}"
            accepted = ", ".join(names)
            raise TypeError(
                f"unknown parameter {which} of {self.rule_name}; expected one of: {accepted}"
            )
        given = {**dict(zip(names, values)), **named}
        self.rule_parameters: Dict[str, Any] = {}
        for parameter in self.parameters:
            value = given.get(parameter.name, parameter.default)
            if not parameter.accepts(value):
                raise ValueError(f"{parameter.name} is {value!r}; expected {parameter.accepted}")
            self.rule_parameters[parameter.name] = value
        self.rule_parameters["rule_to_invoke"] = self.rule_name


class BatchSize(ProfilerRuleConfig):
    """Finds GPUs that a larger batch would use better."""

    parameters = (
        _percent("cpu_threshold_p95", 70),
        _percent("gpu_threshold_p95", 70),
        _percent("gpu_memory_threshold_p95", 70),
        _PATIENCE,
        _count("window", 500),
        _SCAN,
    )


class CPUBottleneck(ProfilerRuleConfig):
    """Finds GPUs that wait for the CPU."""

    parameters = (
        _percent("threshold", 50),
        _percent("gpu_threshold", 10),
        _percent("cpu_threshold", 90),
        _PATIENCE,
        _SCAN,
    )


class Dataloader(ProfilerRuleConfig):
    """Finds too few or too many data loading processes."""

    parameters = (_count("min_threshold", 70), _count("max_threshold", 200), _SCAN)


class GPUMemoryIncrease(ProfilerRuleConfig):
    """Finds GPU memory that keeps growing."""

    parameters = (_count("increase", 5), _PATIENCE, _count("window", 10), _SCAN)


class IOBottleneck(ProfilerRuleConfig):
    """Finds GPUs that wait for disk or network I/O."""

    parameters = (
        _percent("threshold", 50),
        _percent("gpu_threshold", 10),
        _percent("io_threshold", 50),
        _PATIENCE,
        _SCAN,
    )


class LoadBalancing(ProfilerRuleConfig):
    """Finds GPUs with unequal load."""

    parameters = (_percent("threshold", 0.5), _PATIENCE, _SCAN)


class LowGPUUtilization(ProfilerRuleConfig):
    """Finds GPUs with low or fluctuating utilization."""

    parameters = (
        _percent("threshold_p95", 70),
        _percent("threshold_p5", 10),
        _count("window", 500),
        _PATIENCE,
        _SCAN,
    )


class MaxInitializationTime(ProfilerRuleConfig):
    """Finds a slow start of the training."""

    parameters = (_count("threshold", 20), _SCAN)


class OverallFrameworkMetrics(ProfilerRuleConfig):
    """Summarizes the time spent in the framework."""

    parameters = (_SCAN,)


class OverallSystemUsage(ProfilerRuleConfig):
    """Summarizes the utilization of the machine."""

    parameters = (_SCAN,)


class StepOutlier(ProfilerRuleConfig):
    """Finds steps that take much longer than others."""

    parameters = (_count("stddev", 3), _text("mode"), _count("n_outliers", 10), _SCAN)


class DetailedProfilerProcessing(ProfilerRuleConfig):
    """Reports how long operators and kernels took."""

    parameters = (_SCAN,)


class ProfilerReport(ProfilerRuleConfig):
    """Runs all profiler rules and writes one report.

    Parameters of a rule are passed as `<Rule>_<parameter>`. Raises ValueError for an unknown rule.
    """

    def __init__(self, **named: Any):
        super().__init__()
        for name, value in named.items():
            rule, _, parameter = name.partition("_")
            kind = _REPORTED.get(rule.lower())
            if kind is None or not parameter:
                rules = ", ".join(each.__name__ for each in _REPORTED.values())
                raise ValueError(
                    f"unknown parameter {name!r}; expected RULE_PARAMETER with one "
                    f"of the rules: {rules}"
                )
            kind(**{parameter: value})
        self.rule_parameters = {**named, "rule_to_invoke": self.rule_name}


_REPORTED = {
    kind.__name__.lower(): kind
    for kind in (
        BatchSize,
        CPUBottleneck,
        Dataloader,
        GPUMemoryIncrease,
        IOBottleneck,
        LoadBalancing,
        LowGPUUtilization,
        MaxInitializationTime,
        OverallSystemUsage,
        StepOutlier,
    )
}


# Names of the same rules that tutorials use, in the style of the rules for tensors.
batch_size = BatchSize
cpu_bottleneck = CPUBottleneck
dataloader = Dataloader
gpu_memory_increase = GPUMemoryIncrease
io_bottleneck = IOBottleneck
load_balancing = LoadBalancing
low_gpu_utilization = LowGPUUtilization
max_initialization_time = MaxInitializationTime
overall_framework_metrics = OverallFrameworkMetrics
overall_system_usage = overallsystem_usage = OverallSystemUsage
profiler_report = ProfilerReport
step_outlier = StepOutlier
