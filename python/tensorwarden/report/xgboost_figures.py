"""Bokeh charts of the XGBoost report, for notebooks that adapt them."""

from __future__ import annotations

from typing import Any, Callable

from tensorwarden.report.figures import COLOURS, HEIGHT, WIDTH, colour
from tensorwarden.report.frames import table
from tensorwarden.report.xgboost_frames import (
    Results,
    bins_frame,
    class_accuracy_frame,
    confusion_frame,
    importance_frame,
    labels_frame,
    rows,
)

MOST_LINES = 24


def _figure(title: str, **options: Any) -> Any:
    from bokeh.plotting import figure

    return figure(title=title, **{"width": WIDTH, "height": HEIGHT, **options})


def _lines(title: str, x: str, y: str, series: list[tuple[str, list[Any], list[Any]]]) -> list[Any]:
    if not series:
        return []
    chart = _figure(title, x_axis_label=x, y_axis_label=y)
    for i, (name, places, values) in enumerate(series[:MOST_LINES]):
        measured = [float("nan") if value is None else value for value in values]
        chart.line(places, measured, color=colour(i), legend_label=name)
    chart.legend.click_policy = "hide"
    return [chart]


def _bars(title: str, shares: dict[str, float]) -> Any:
    names = sorted(shares, key=shares.__getitem__)[-20:]
    chart = _figure(title, y_range=names, height=max(120, 60 + 24 * len(names)), x_axis_label="%")
    chart.hbar(y=names, right=[shares[name] for name in names], height=0.7, color=COLOURS[0])
    return chart


def _histogram(title: str, label: str, counts: dict[str, Any]) -> list[Any]:
    edges, found = rows(counts.get("edges")), rows(counts.get("counts"))
    if not found:
        return []
    chart = _figure(title, x_axis_label=label, y_axis_label="rows")
    chart.quad(top=found, bottom=0, left=edges[:-1], right=edges[1:], color=COLOURS[0], alpha=0.6)
    return [chart]


def draw_labels(results: Results) -> list[Any]:
    """Draws the distribution of the labels."""
    labels = table(results.get("labels"))
    if rows(labels.get("classes")):
        frame = labels_frame(results)
        names = [f"class {label:g}" for label in frame["label"]]
        return [_bars("Share of labels per class", dict(zip(names, frame["percent"])))]
    return _histogram("Label distribution", "label", table(labels.get("histogram")))


def draw_loss(results: Results) -> list[Any]:
    """Draws the metrics over the steps, one chart per metric."""
    metrics = rows(results.get("metrics"))
    charts = []
    for name in dict.fromkeys(metric["metric"] for metric in metrics):
        own = [metric for metric in metrics if metric["metric"] == name]
        series = [(metric["data"], metric["steps"], metric["values"]) for metric in own]
        charts += _lines(name, "step", name, series)
    return charts


def draw_importance(results: Results) -> list[Any]:
    """Draws the share of each feature, one chart per importance measure."""
    frame = importance_frame(results)
    return [
        _bars(kind, (100 * frame[kind].dropna() / frame[kind].sum()).to_dict()) for kind in frame
    ]


def draw_confusion(results: Results) -> list[Any]:
    """Draws the confusion matrix."""
    frame = confusion_frame(results)
    if frame.empty:
        return []
    names = [str(label) for label in frame.index]
    chart = _figure(
        "Confusion matrix",
        x_range=names,
        y_range=names[::-1],
        x_axis_label="predicted",
        y_axis_label="label",
        height=min(760, 120 + 60 * len(names)),
    )
    shares = frame.div(frame.sum(axis=1).replace(0, 1), axis=0)
    cells = [(i, j) for i in range(len(names)) for j in range(len(names))]
    chart.rect(
        [names[j] for _, j in cells],
        [names[i] for i, _ in cells],
        0.96,
        0.96,
        color=COLOURS[0],
        alpha=[float(shares.iat[i, j]) for i, j in cells],
    )
    if len(names) <= 20:
        chart.text(
            [names[j] for _, j in cells],
            [names[i] for i, _ in cells],
            text=[f"{frame.iat[i, j]:,}" for i, j in cells],
            text_align="center",
            text_baseline="middle",
        )
    return [chart]


def draw_class_accuracy(results: Results) -> list[Any]:
    """Draws the accuracy of each class over the steps."""
    frame = class_accuracy_frame(results)
    series = [(f"class {label}", list(frame.index), list(frame[label])) for label in frame]
    return _lines("Accuracy per class", "step", "share", series)


def draw_roc(results: Results) -> list[Any]:
    """Draws the ROC curve of each class."""
    series = []
    for roc in rows(results.get("roc")):
        points = rows(roc.get("points"))
        if not points or roc.get("auc") is None:
            continue
        name = f"class {roc['label']} ({roc['auc']:.3f})"
        series.append((name, [p["fpr"] for p in points], [p["tpr"] for p in points]))
    return _lines(
        "Receiver operating characteristic", "false positive rate", "true positive rate", series
    )


def draw_residuals(results: Results) -> list[Any]:
    """Draws the distribution of the residuals."""
    histogram = table(table(results.get("residuals")).get("histogram"))
    return _histogram("Residuals", "label minus prediction", histogram)


def draw_bins(results: Results) -> list[Any]:
    """Draws the mean absolute error per range of labels over the steps."""
    frame = bins_frame(results).dropna(axis=1, how="all")
    series = [(name, list(frame.index), list(frame[name])) for name in frame]
    return _lines("Mean absolute error per range of labels", "step", "mean absolute error", series)


# By section name of the page; missing sections have no charts.
SECTIONS: dict[str, Callable[[Results], list[Any]]] = {
    "labels": draw_labels,
    "loss": draw_loss,
    "importance": draw_importance,
    "confusion": draw_confusion,
    "class-accuracy": draw_class_accuracy,
    "roc": draw_roc,
    "residuals": draw_residuals,
    "bins": draw_bins,
}
