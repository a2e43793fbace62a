"""XGBoost trainings for the tests of their report: runs as the hook writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tensorwarden.files.file_writer import FileWriter

COLLECTIONS = {
    "metrics": r"^[a-zA-z]+-[a-zA-z0-9]+$",
    "hyperparameters": "^hyperparameters/.*$",
    "predictions": "^predictions$",
    "labels": "^labels$",
    "feature_importance": "^feature_importance/.*",
}
Steps = Mapping[int, Mapping[str, Any]]


def write_run(folder: Path, steps: Steps) -> Path:
    """A finished run of one worker: the tensors of each step by name."""
    collections = {
        name: {
            "name": name,
            "include_regex": [regex],
            "tensor_names": [],
            "reduction_config": None,
            "save_config": None,
            "save_histogram": True,
        }
        for name, regex in COLLECTIONS.items()
    }
    manifest = folder / "collections/000000000/worker_0_collections.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"collections": collections, "_meta": {"num_workers": 1}}))
    for step, tensors in steps.items():
        with FileWriter(str(folder), "worker_0", step=step) as writer:
            for name, value in tensors.items():
                writer.write_tensor(np.atleast_1d(value), name, mode_step=step)
    (folder / "training_job_end.ts").touch()
    return folder


def predicted(
    labels: np.ndarray, predictions: Sequence[np.ndarray], **hyperparameters: Any
) -> dict[int, dict[str, Any]]:
    """Steps 0, 5, 10, … with these predictions."""
    steps: dict[int, dict[str, Any]] = {
        5 * i: {"labels": labels, "predictions": values} for i, values in enumerate(predictions)
    }
    for name, value in hyperparameters.items():
        steps[0][f"hyperparameters/{name}"] = value
    return steps


def train(folder: Path, parameters: Mapping[str, Any], rounds: int, seed: int = 0) -> Path:
    """Trains XGBoost on made-up data and saves what its hook would."""
    import xgboost

    random = np.random.default_rng(seed)
    names = ["age", "income", "visits", "distance", "a rather long name of a feature", "noise"]
    features = random.normal(size=(2000, len(names)))
    signal = features @ np.array([1.0, -0.7, 0.4, 0.0, 0.25, 0.0]) + features[:, 0] * features[:, 2]
    noisy = signal + random.normal(scale=0.8, size=len(signal))
    objective = str(parameters["objective"])
    if objective.startswith("binary:"):
        labels = (noisy > 1.2).astype(float)
    elif objective.startswith("multi:"):
        labels = np.digitize(noisy, [-1.5, -0.2, 0.8, 2.2]).astype(float)
    else:
        labels = 20 + 5 * noisy
    data = {
        name: xgboost.DMatrix(features[part], labels[part], feature_names=names)
        for name, part in (("train", slice(0, 1500)), ("validation", slice(1500, None)))
    }
    steps: dict[int, dict[str, Any]] = {}

    class Save(xgboost.callback.TrainingCallback):
        def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
            tensors = {
                f"{name}-{metric}": np.float64(values[-1])
                for name, metrics in evals_log.items()
                for metric, values in metrics.items()
            }
            if epoch % 5 == 0:
                tensors["labels"] = data["validation"].get_label()
                tensors["predictions"] = model.predict(data["validation"])
                for kind in ("weight", "gain", "cover", "total_gain", "total_cover"):
                    scores = model.get_score(importance_type=kind)
                    for feature, score in scores.items():
                        share = np.float64(score / sum(scores.values()))
                        tensors[f"feature_importance/{kind}/{feature}"] = share
            if epoch == 0:
                for key, value in {**parameters, "num_round": rounds}.items():
                    tensors[f"hyperparameters/{key}"] = value
            steps[epoch] = tensors
            return False

    evals = [(matrix, name) for name, matrix in data.items()]
    xgboost.train(
        dict(parameters), data["train"], rounds, evals=evals, callbacks=[Save()], verbose_eval=False
    )
    return write_run(folder, steps)


BINARY = {"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "eta": 0.3}
MULTICLASS = {"objective": "multi:softprob", "num_class": 5, "eval_metric": ["mlogloss", "merror"]}
REGRESSION = {"objective": "reg:squarederror", "eval_metric": ["rmse", "mae"], "max_depth": 4}
