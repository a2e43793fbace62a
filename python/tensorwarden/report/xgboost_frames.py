"""The sections of the XGBoost report as pandas data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from tensorwarden.report.frames import table

if TYPE_CHECKING:
    import pandas as pd

Results = dict  # The content of xgboost_report.json.


def rows(value: Any) -> list[Any]:
    """Returns the value if it is a list, else an empty one: files may contain anything."""
    return value if isinstance(value, list) else []


def job_frame(results: Results) -> pd.DataFrame:
    """Returns the task, the saved steps and the hyperparameters."""
    import pandas as pd

    steps = table(results.get("steps"))
    facts: dict[str, Any] = {
        "task": results.get("task"),
        "recognised": results.get("recognised"),
        "saved steps": steps.get("saved"),
        "last step": steps.get("last"),
    }
    for name, value in table(results.get("hyperparameters")).items():
        facts[f"hyperparameters/{name}"] = value
    return pd.DataFrame({"value": pd.Series(facts, dtype=object)})


def labels_frame(results: Results) -> pd.DataFrame:
    """Returns the number of rows per class, or a histogram of the labels."""
    import pandas as pd

    labels = table(results.get("labels"))
    classes = rows(labels.get("classes"))
    if classes:
        frame = pd.DataFrame(classes, columns=["label", "rows"])
        frame["percent"] = 100 * frame["rows"] / frame["rows"].sum()
        return frame
    histogram = table(labels.get("histogram"))
    edges = rows(histogram.get("edges"))
    frame = pd.DataFrame({"from": edges[:-1], "to": edges[1:]})
    frame["rows"] = rows(histogram.get("counts"))
    return frame


def loss_frame(results: Results) -> pd.DataFrame:
    """Returns one row per saved step and one column per metric and data set."""
    import pandas as pd

    columns = {
        metric["name"]: pd.Series(metric["values"], index=metric["steps"], dtype=float)
        for metric in rows(results.get("metrics"))
    }
    frame = pd.DataFrame(columns)
    frame.index.name = "step"
    return frame


def importance_frame(results: Results) -> pd.DataFrame:
    """Returns one row per feature and one column per importance measure, as saved."""
    import pandas as pd

    kinds = table(table(results.get("feature_importance")).get("kinds"))
    columns = {
        kind: pd.Series({name: value for name, value in features}, dtype=float)
        for kind, features in kinds.items()
    }
    frame = pd.DataFrame(columns)
    by = "gain" if "gain" in frame else next(iter(columns), None)
    return frame if by is None else frame.sort_values(by, ascending=False)


def confusion_frame(results: Results) -> pd.DataFrame:
    """Returns one row per label and one column per prediction."""
    import pandas as pd

    found = table(results.get("classification"))
    labels = [one["label"] for one in rows(found.get("classes"))]
    matrix = rows(found.get("matrix"))
    if not matrix:
        return pd.DataFrame()
    index = pd.Index(labels, name="label")
    return pd.DataFrame(matrix, index=index, columns=pd.Index(labels, name="predicted"))


def evaluation_frame(results: Results) -> pd.DataFrame:
    """Returns precision, recall and F1 per class and on average."""
    import pandas as pd

    found = table(results.get("classification"))
    columns = ["precision", "recall", "f1", "support", "predicted", "correct"]
    classes = {str(one["label"]): one for one in rows(found.get("classes"))}
    for average in ("micro", "macro", "weighted"):
        if found:
            classes[average] = {**table(found.get(average)), "support": found.get("rows")}
    return pd.DataFrame.from_dict(classes, orient="index", columns=columns)


def class_accuracy_frame(results: Results) -> pd.DataFrame:
    """Returns one row per saved step and one column with the accuracy of each class."""
    import pandas as pd

    over = table(results.get("class_accuracy"))
    steps = pd.Index(rows(over.get("steps")), name="step")
    columns = {
        one["label"]: pd.Series(one["accuracy"], index=steps, dtype=float)
        for one in rows(over.get("classes"))
    }
    return pd.DataFrame(columns, index=steps)


def roc_frame(results: Results) -> pd.DataFrame:
    """Returns the points of the ROC curve of each class."""
    import pandas as pd

    points = [
        {"label": roc.get("label"), "auc": roc.get("auc"), **point}
        for roc in rows(results.get("roc"))
        for point in rows(roc.get("points"))
    ]
    columns = ["label", "auc", "threshold", "fpr", "tpr", "true_positives", "false_positives"]
    return pd.DataFrame(points, columns=columns)


def residuals_frame(results: Results) -> pd.DataFrame:
    """Returns statistics of the residuals."""
    import pandas as pd

    found = dict(table(results.get("residuals")))
    found.pop("histogram", None)
    return pd.DataFrame({"value": pd.Series(found, dtype=object)})


def bins_frame(results: Results) -> pd.DataFrame:
    """Returns one row per saved step and one column per range of labels."""
    import pandas as pd

    bins = table(results.get("label_bins"))
    edges = rows(bins.get("edges"))
    names = [f"{low:.4g} to {high:.4g}" for low, high in zip(edges, edges[1:])]
    steps = pd.Index(rows(bins.get("steps")), name="step")
    errors = rows(bins.get("mean_absolute_error"))
    return pd.DataFrame(
        {name: pd.Series(e, index=steps, dtype=float) for name, e in zip(names, errors)}
    )


def nothing_frame(results: Results) -> pd.DataFrame:
    """Returns an empty frame, for sections without values."""
    import pandas as pd

    return pd.DataFrame()


# By section name of the page.
SECTIONS: dict[str, Callable[[Results], pd.DataFrame]] = {
    "job": job_frame,
    "labels": labels_frame,
    "loss": loss_frame,
    "importance": importance_frame,
    "confusion": confusion_frame,
    "evaluation": evaluation_frame,
    "class-accuracy": class_accuracy_frame,
    "roc": roc_frame,
    "residuals": residuals_frame,
    "bins": bins_frame,
    "predictions": nothing_frame,
}
