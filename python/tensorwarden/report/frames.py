"""The sections of the profiling report as pandas data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    import pandas as pd

Results = dict  # The content of profiler-reports/<Rule>.json by rule.


def details_of(results: Results, rule: str) -> dict[str, Any]:
    """Returns what a rule recorded; empty for a rule that did not run."""
    return table(results.get(rule, {}).get("Details"))


def table(value: Any) -> dict[str, Any]:
    """Returns the value if it is a dictionary, else an empty one: files may contain anything."""
    return value if isinstance(value, dict) else {}


def nodes_in(details: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Returns the entries per node, without the other entries next to them."""
    return [(name, value) for name, value in details.items() if isinstance(value, dict)]


def rules_frame(results: Results) -> pd.DataFrame:
    """Returns how often each rule found a problem, with its parameters."""
    import pandas as pd

    rows = [
        {
            "rule": rule,
            "triggered": result.get("RuleTriggered"),
            "violations": result.get("Violations"),
            "data points": result.get("Datapoints"),
            "parameters": str(result.get("RuleParameters") or "").replace("\n", ", "),
        }
        for rule, result in results.items()
    ]
    columns = ["rule", "triggered", "violations", "data points", "parameters"]
    frame = pd.DataFrame(rows, columns=columns).set_index("rule")
    return frame.sort_values("triggered", ascending=False, kind="stable")


def job_frame(results: Results) -> pd.DataFrame:
    """Returns start, end and duration of the job and its phases."""
    import pandas as pd

    details = details_of(results, "MaxInitializationTime")
    steps = table(details.get("step_num"))
    start, end = details.get("job_start"), details.get("job_end")
    first, last = (
        None if (us := steps.get(key)) is None else us / 1e6 for key in ("first", "last")
    )

    def between(begin: float | None, finish: float | None) -> float | None:
        return None if begin is None or finish is None else finish - begin

    whole = between(start, end)
    parts = {
        "initialization": between(start, first),
        "training loop": between(first, last),
        "finalization": between(last, end),
    }
    values: dict[str, Any] = {
        "start_time": _moment(start),
        "end_time": _moment(end),
        "job_duration_in_seconds": whole,
        "training_loop_start": _moment(first),
        "training_loop_end": _moment(last),
        "training_loop_duration_in_seconds": parts["training loop"],
        "initialization_in_seconds": parts["initialization"],
        "finalization_in_seconds": parts["finalization"],
    }
    for name, seconds in parts.items():
        values[f"{name} (%)"] = 100 * seconds / whole if whole and seconds is not None else None
    return pd.DataFrame({"value": pd.Series(values, dtype=object)})


def _moment(seconds: float | None) -> Any:
    import pandas as pd

    return None if seconds is None else pd.Timestamp(seconds, unit="s", tz="UTC")


def system_frame(results: Results) -> pd.DataFrame:
    """Returns statistics of the system metrics per node."""
    import pandas as pd

    rows = []
    for metric, nodes in nodes_in(details_of(results, "OverallSystemUsage")):
        if metric in ("series", "gpus"):
            continue
        unit = "bytes/s" if metric == "Network" else "%"
        for node, statistics in nodes_in(nodes):
            rows.append({"node": node, "metric": metric, "unit": unit, **statistics})
    columns = ["node", "metric", "unit", "max", "p99", "p95", "p90", "p50", "min"]
    return pd.DataFrame(rows, columns=columns).sort_values(["node", "metric"], ignore_index=True)


def framework_frame(results: Results) -> pd.DataFrame:
    """Returns the share of time per kind of event."""
    import pandas as pd

    details = details_of(results, "OverallFrameworkMetrics")
    rows = [
        {"of": member, "part": part, "percent": percent}
        for member in ("ratio", "forward_backward", "CPU_GPU", "general", "horovod")
        for part, percent in table(details.get(member)).items()
    ]
    return pd.DataFrame(rows, columns=["of", "part", "percent"])


def _operators(device: str) -> Callable[[Results], pd.DataFrame]:
    def frame(results: Results) -> pd.DataFrame:
        import pandas as pd

        totals = table(details_of(results, "OverallFrameworkMetrics").get(f"{device}_total"))
        found = pd.DataFrame({"operator": list(totals), "us": list(totals.values())})
        found.insert(0, "percent", 100 * found["us"] / (found["us"].sum() or 1))
        return found.sort_values("us", ascending=False, ignore_index=True)

    return frame


def steps_frame(results: Results) -> pd.DataFrame:
    """Returns statistics of the step times per node."""
    import pandas as pd

    rows = [
        {
            "node": node,
            "phase": statistics.get("phase"),
            **table(statistics.get("step_stats")),
            "stddev": statistics.get("stddev"),
            "outliers": statistics.get("number_of_outliers"),
        }
        for node, statistics in nodes_in(
            table(details_of(results, "StepOutlier").get("step_details"))
        )
    ]
    columns = ["node", "phase", "mean", "max", "p99", "p95", "p50", "min", "stddev", "outliers"]
    return pd.DataFrame(rows, columns=columns)


def outliers_frame(results: Results) -> pd.DataFrame:
    """Returns the steps that took much longer than others, slowest first."""
    import pandas as pd

    rows = [
        (node, *outlier[:3])
        for node, statistics in nodes_in(
            table(details_of(results, "StepOutlier").get("step_details"))
        )
        for outlier in statistics.get("outliers") or []
    ]
    frame = pd.DataFrame(rows, columns=["node", "step", "start_us", "seconds"])
    return frame.sort_values("seconds", ascending=False, ignore_index=True)


def _by_device(rule: str) -> Callable[[Results], pd.DataFrame]:
    def frame(results: Results) -> pd.DataFrame:
        import pandas as pd

        rows = [
            {"node": node, "device": device, **statistics}
            for node, devices in nodes_in(details_of(results, rule))
            for device, statistics in nodes_in(devices)
        ]
        return pd.DataFrame(rows) if rows else pd.DataFrame(columns=["node", "device"])

    return frame


def balance_frame(results: Results) -> pd.DataFrame:
    """Returns the differences in load between GPUs, largest first."""
    import pandas as pd

    rows = [
        (node, one, other, distance)
        for node, statistics in nodes_in(details_of(results, "LoadBalancing"))
        for one, others in table(statistics.get("distances")).items()
        for other, distance in table(others).items()
    ]
    frame = pd.DataFrame(rows, columns=["node", "GPU", "other GPU", "distance"])
    return frame.sort_values("distance", ascending=False, ignore_index=True)


def loading_frame(results: Results) -> pd.DataFrame:
    """Returns the settings and times of data loading."""
    import pandas as pd

    details = details_of(results, "Dataloader")
    times = table(details.get("dataloading_time"))
    names = ("dataloaders", "num_workers", "prefetch", "cores", "seconds", "pin_memory")
    values = {name: details.get(name) for name in names}
    values.update({f"{name} (s)": times.get(name) for name in ("p25", "p50", "p95")})
    return pd.DataFrame({"value": pd.Series(values, dtype=object)})


def _bottlenecks(rule: str) -> Callable[[Results], pd.DataFrame]:
    def frame(results: Results) -> pd.DataFrame:
        import pandas as pd

        nodes = nodes_in(table(details_of(results, rule).get("nodes")))
        rows = [{"node": node, **statistics} for node, statistics in nodes]
        return pd.DataFrame(rows, columns=["node", "points", "low_gpu", "bottlenecks"])

    return frame


# By section name of the page.
SECTIONS: dict[str, Callable[[Results], pd.DataFrame]] = {
    "job": job_frame,
    "system": system_frame,
    "framework": framework_frame,
    "operators-cpu": _operators("CPU"),
    "operators-gpu": _operators("GPU"),
    "rules": rules_frame,
    "steps": steps_frame,
    "step-outliers": outliers_frame,
    "gpu": _by_device("LowGPUUtilization"),
    "balance": balance_frame,
    "loading": loading_frame,
    "batch": _by_device("BatchSize"),
    "cpu-bottlenecks": _bottlenecks("CPUBottleneck"),
    "io-bottlenecks": _bottlenecks("IOBottleneck"),
    "gpu-memory": _by_device("GPUMemoryIncrease"),
}
