"""Bokeh charts of the profiling report, for notebooks that adapt them."""

from __future__ import annotations

from typing import Any, Callable

from tensorwarden.report.frames import (
    SECTIONS as FRAMES,
)
from tensorwarden.report.frames import (
    Results,
    details_of,
    nodes_in,
    table,
)

# The colors of the page, which are distinguishable without red and green.
COLOURS = ["#0b6aa8", "#cf5a00", "#008c66", "#b85a90", "#b98200", "#3d9fd6", "#6b4c9a", "#767f8a"]
WIDTH, HEIGHT = 760, 260


def colour(number: int) -> str:
    """Returns the color of the series with this number."""
    return COLOURS[number % len(COLOURS)]


def show_in_notebook(charts: list[Any]) -> None:
    """Shows the charts below the cell without loading anything from the network."""
    if not charts:
        return
    from bokeh.io import output_notebook, show
    from bokeh.layouts import column
    from bokeh.resources import INLINE

    output_notebook(resources=INLINE, hide_banner=True)
    show(column(*charts))


def _figure(title: str, **options: Any) -> Any:
    from bokeh.plotting import figure

    return figure(title=title, **{"width": WIDTH, "height": HEIGHT, **options})


def _legend(chart: Any) -> Any:
    if chart.legend:
        chart.legend.click_policy = "hide"
    return chart


def _lines(title: str, unit: str, series: list[tuple[str, list[float], list[Any]]]) -> Any:
    chart = _figure(title, x_axis_type="datetime", y_axis_label=unit)
    for i, (name, seconds, values) in enumerate(series):
        measured = [float("nan") if value is None else value for value in values]
        times = [second * 1000 for second in seconds]
        chart.line(times, measured, color=colour(i), legend_label=name)
    return _legend(chart)


def _shares(title: str, shares: dict[str, Any], unit: str = "%") -> Any:
    known = {name: value for name, value in shares.items() if isinstance(value, (int, float))}
    names = sorted(known, key=known.__getitem__)[-20:]
    height = max(120, 40 + 26 * len(names))
    chart = _figure(title, y_range=names, height=height, x_axis_label=unit)
    chart.hbar(y=names, right=[known[name] for name in names], height=0.7, color=COLOURS[0])
    return chart


def _histogram(title: str, label: str, of: list[tuple[str, list[float], list[float]]]) -> Any:
    chart = _figure(title, x_axis_label=label, y_axis_label="%")
    for i, (name, edges, counts) in enumerate(of):
        total = sum(counts) or 1
        chart.quad(
            top=[100 * count / total for count in counts],
            bottom=0,
            left=edges[:-1],
            right=edges[1:],
            color=colour(i),
            alpha=0.35,
            legend_label=name,
        )
    return _legend(chart)


def _boxes(section: str, title: str) -> Callable[[Results], list[Any]]:
    def draw(results: Results) -> list[Any]:
        frame = FRAMES[section](results)
        needed = ["lower", "p25", "p50", "p75", "upper"]
        if not set(needed) <= set(frame.columns):
            return []
        frame = frame.dropna(subset=needed)
        if frame.empty:
            return []
        frame["name"] = frame["node"] + " " + frame["device"]
        names = list(frame["name"])[::-1]
        chart = _figure(
            title, y_range=names, x_range=(0, 100), height=80 + 30 * len(names), x_axis_label="%"
        )
        chart.segment(
            frame["lower"], frame["name"], frame["upper"], frame["name"], color=COLOURS[0]
        )
        chart.hbar(
            y=frame["name"], left=frame["p25"], right=frame["p75"], height=0.5, color=COLOURS[0]
        )
        chart.scatter(
            frame["p50"], frame["name"], marker="dash", angle=1.5708, size=16, color="#fff"
        )
        return [chart]

    return draw


def draw_system(results: Results) -> list[Any]:
    """Draws the utilization of CPU, GPU, memory, I/O and network over time."""
    nodes = nodes_in(table(details_of(results, "OverallSystemUsage").get("series")))
    charts = []
    for metric in ("CPU", "GPU", "CPU memory", "GPU memory", "I/O", "Network"):
        series = []
        for node, statistics in nodes:
            means = table(statistics.get(metric)).get("mean") or []
            start, interval = statistics.get("start_s", 0), statistics.get("interval_s", 1)
            times = [start + interval * i for i in range(len(means))]
            if any(value is not None for value in means):
                series.append((node, times, means))
        if series:
            charts.append(_lines(metric, "bytes/s" if metric == "Network" else "%", series))
    return charts


def _framework(rule: str) -> Callable[[Results], list[Any]]:
    titles = {
        "ratio": "Time per mode and between steps",
        "forward_backward": "Time within steps",
        "CPU_GPU": "Time in operators on CPU and GPU",
        "general": "Time in everything else by name",
    }

    def draw(results: Results) -> list[Any]:
        details = details_of(results, rule)
        shares = {member: table(details.get(member)) for member in titles}
        return [_shares(titles[member], parts) for member, parts in shares.items() if parts]

    return draw


def draw_steps(results: Results) -> list[Any]:
    """Draws the step times over the run and their distribution."""
    nodes = nodes_in(table(details_of(results, "StepOutlier").get("step_details")))
    if not nodes:
        return []
    series = []
    for node, statistics in nodes:
        points = statistics.get("series") or []
        series.append((node, [us / 1e6 for us, _ in points], [seconds for _, seconds in points]))
    histograms = [
        (node, statistics.get("binedges") or [0, 1], statistics.get("probs") or [0])
        for node, statistics in nodes
    ]
    return [
        _lines("Step time over the run", "seconds", series),
        _histogram("Distribution of step times", "seconds", histograms),
    ]


def draw_loading(results: Results) -> list[Any]:
    """Draws the distribution of the time to load a batch."""
    times = table(details_of(results, "Dataloader").get("dataloading_time"))
    if not times.get("probs"):
        return []
    return [
        _histogram(
            "Time to load a batch", "seconds", [("batches", times["binedges"], times["probs"])]
        )
    ]


def draw_balance(results: Results) -> list[Any]:
    """Draws the distribution of the GPU utilization of each node."""
    charts = []
    for node, statistics in nodes_in(details_of(results, "LoadBalancing")):
        workloads = table(statistics.get("workloads"))
        histograms = [
            (gpu, [100 * i / len(shares) for i in range(len(shares) + 1)], shares)
            for gpu, shares in workloads.items()
            if shares
        ]
        if histograms:
            charts.append(_histogram(f"GPU utilization of {node}", "%", histograms))
    return charts


# By section name of the page; missing sections have no charts.
SECTIONS: dict[str, Callable[[Results], list[Any]]] = {
    "system": draw_system,
    "framework": _framework("OverallFrameworkMetrics"),
    "steps": draw_steps,
    "step-outliers": _framework("StepOutlier"),
    "gpu": _boxes("gpu", "GPU utilization"),
    "balance": draw_balance,
    "loading": draw_loading,
    "batch": _boxes("batch", "CPU, GPU and memory utilization"),
    "cpu-bottlenecks": _framework("CPUBottleneck"),
    "io-bottlenecks": _framework("IOBottleneck"),
    "gpu-memory": _boxes("gpu-memory", "GPU memory"),
}
