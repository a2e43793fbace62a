"""Rules about labels and predictions."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from made_up import Run, Saved, Step
from reference_statistics import Evaluated, is_real


def _pairs(run: Run, step: Step, labels: dict, predictions: dict):
    """Worker, labels and predictions (name and content), the first with the first; None for
    predictions that cannot be told to be theirs."""
    for worker in step.workers:
        ours = [
            [one for one in run.select(step, **c) if one[1] == worker]
            for c in (labels, predictions)
        ]
        told = ours[1] if len(ours[0]) == len(ours[1]) else [None] * len(ours[0])
        for label, prediction in zip(ours[0], told, strict=True):
            yield worker, label, prediction


def _label_ids(saved: Saved, one_hot: bool = False) -> np.ndarray | None:
    """NaN where a label is not finite."""
    if not is_real(saved):
        return None
    values = saved.raw.astype(np.float64)
    if one_hot:
        return _arg_max(values)
    values = np.where(np.isfinite(values), values, np.nan).ravel()
    known = values[~np.isnan(values)]
    return values if np.all(known == np.floor(known)) else None


def _arg_max(values: np.ndarray) -> np.ndarray:
    rows = values.reshape(-1, values.shape[-1])
    largest = np.where(np.isfinite(rows), rows, -np.inf).argmax(axis=1).astype(np.float64)
    largest[~np.isfinite(rows).any(axis=1)] = np.nan
    return largest


def _predicted_ids(saved: Saved, labels: np.ndarray, arg_max: bool, categories=None):
    if not is_real(saved):
        return None
    values = saved.raw.astype(np.float64)
    row_for_each = values.ndim > 1 and values.shape[-1] > 1
    if arg_max or (row_for_each and values.size == labels.size * values.shape[-1]):
        ids = _arg_max(values) if values.ndim else None
    else:
        ids = np.where(np.isfinite(values), values, np.nan).ravel()
        known = ids[~np.isnan(ids)]
        if not np.all(known == np.floor(known)):
            if categories is None:
                categories = np.nanmax(labels, initial=-1) + 1
            cut = np.where(np.isnan(ids), np.nan, ids > 0.5)
            ids = cut if categories <= 2 else np.rint(ids)
    return ids if ids is not None and ids.size == labels.size else None


def class_imbalance(run: Run, p: dict):
    labels = (
        {"patterns": p["labels_regex"]}
        if "labels_regex" in p
        else {"patterns": [".*labels"], "roles": ["labels"]}
    )
    predictions = (
        {"patterns": p["predictions_regex"]}
        if "predictions_regex" in p
        else {"patterns": [".*predictions"], "roles": ["predictions"]}
    )
    seen, wrong = defaultdict(Counter), defaultdict(Counter)
    for step in run.steps:
        for worker, (name, _, saved), prediction in _pairs(run, step, labels, predictions):
            ids = _label_ids(saved)
            if ids is None:
                continue
            counts, errors = seen[name, worker], wrong[name, worker]
            counts.update(ids[~np.isnan(ids)])
            predicted = None
            if prediction is not None:
                predicted = _predicted_ids(prediction[2], ids, p.get("argmax", False))
            if predicted is not None:
                both = ~np.isnan(ids) & ~np.isnan(predicted)
                errors.update(ids[both & (ids != predicted)])
            if counts.total() < p.get("samples", 500):
                continue
            ratio = max(counts.values()) / min(counts.values())
            fired = ratio > p.get("threshold_imbalance", 10)
            yield Evaluated(step.step, step.mode, name, worker, fired, ratio)
            if predicted is not None:
                share = max(errors[label] / counts[label] for label in counts)
                fired = share > p.get("threshold_misprediction", 0.7)
                yield Evaluated(step.step, step.mode, prediction[0], worker, fired, share)


def confusion(run: Run, p: dict):
    sources = [_inside(run, p, what) for what in ("labels", "predictions")]
    for step in run.steps:
        for worker, label, prediction in _pairs(run, step, *sources):
            if prediction is None:
                continue
            matrix = _matrix(label[2], prediction[2], p.get("category_no"))
            if matrix is None:
                continue
            at = step.step, step.mode
            yield Evaluated(*at, label[0], worker, False)
            count = p.get("category_no") or len(matrix)
            value = _on_diagonal(matrix, count, p)
            value = _off_diagonal(matrix, count, p) if value is None else value
            yield Evaluated(*at, prediction[0], worker, value is not None, value)


def _inside(run: Run, p: dict, what: str) -> dict:
    """The patterns name tensors inside the collection; here all of them begin with its name."""
    return {"patterns": p[what]} if what in p else {"collections": [what], "roles": [what]}


def _matrix(label: Saved, prediction: Saved, categories) -> np.ndarray | None:
    if not is_real(label) or not is_real(prediction):
        return None
    rows = prediction.raw.ndim == 2 and prediction.raw.shape[1] > 1
    labels = _label_ids(label, one_hot=rows and label.raw.shape == prediction.raw.shape)
    if labels is None:
        return None
    predicted = _predicted_ids(prediction, labels, rows, categories)
    if predicted is None:
        return None
    both = ~np.isnan(labels) & ~np.isnan(predicted)
    if not both.any():
        return None
    i, j = labels[both].astype(int), predicted[both].astype(int)
    size = max(i.max(), j.max()) + 1
    matrix = np.zeros((size, size))
    np.add.at(matrix, (i, j), 1)
    return matrix


def _on_diagonal(matrix: np.ndarray, count: int, p: dict) -> float | None:
    """The least share, if it is too small."""
    diagonal = np.diag(matrix)[:count]
    wholes = matrix.sum(axis=1)[:count]
    if p.get("compat_diagonal", False):
        wholes = np.full(count, diagonal.sum())
        diagonal = np.pad(diagonal, (0, count - diagonal.size))
    shares = [d / whole for d, whole in zip(diagonal, wholes, strict=True) if whole]
    worst = min(shares, default=1.0)
    return worst if worst < p.get("min_diag", 0.9) else None


def _off_diagonal(matrix: np.ndarray, count: int, p: dict) -> float | None:
    """The largest share, if it is too large."""
    off = matrix - np.diag(np.diag(matrix))
    columns = matrix.sum(axis=0)
    known = np.flatnonzero(columns[:count])
    worst = (off[:, known] / columns[known]).max(initial=0)
    return float(worst) if worst > p.get("max_off_diag", 0.1) else None
