"""Short trainings with XGBoost, each with a fault that one rule is made to find, and a sound twin.

A training saves every round whole into a folder and tells at which step its fault begins."""

import math
from typing import Callable, Dict, NamedTuple, Tuple

import numpy as np
import xgboost as xgb

import smdebug.xgboost as smd

COLLECTIONS = [
    *("metrics", "losses", "predictions", "labels", "feature_importance", "trees"),
    *("average_shap", "hyperparameters"),
]
BINARY = {"objective": "binary:logistic", "eval_metric": "logloss", "max_depth": 3, "eta": 0.3}


def points(rows: int = 200, features: int = 12, seed: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """Labels that hang on all features alike, in equal numbers."""
    x = np.random.RandomState(seed).rand(rows, features).astype(np.float32)
    return x, (x.sum(axis=1) > np.median(x.sum(axis=1))).astype(int)


def apart(rows: int = 200, seed: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """Labels that any model can tell."""
    x, _ = points(rows, seed=seed)
    y = np.arange(rows) % 2
    return x + y[:, None], y


def boost(folder, train, validation, rounds=10, params=(), **settings):
    """Under a hook that saves every round."""
    train, validation = xgb.DMatrix(*train), xgb.DMatrix(*validation)
    params = {**BINARY, "nthread": 1, "seed": 0, **dict(params)}
    hook = smd.Hook(
        out_dir=str(folder),
        include_collections=COLLECTIONS,
        save_config=smd.SaveConfig(save_interval=1),
        hyperparameters={"eta": params["eta"], "objective": params["objective"]},
        train_data=train,
        validation_data=validation,
    )
    evals = [(train, "train"), (validation, "validation")]
    xgb.train(params, train, rounds, evals=evals, callbacks=[hook], verbose_eval=False, **settings)
    hook.close()


def tree_depth(folder, faulty):
    boost(folder, points(), points(seed=1), params={"max_depth": 8 if faulty else 3})
    return 0


def feature_importance_overweight(folder, faulty):
    x, y = points()
    if faulty:
        y = (x[:, 0] > 0.5).astype(int)
    boost(folder, (x, y), (x, y), params={"max_depth": 4})
    return 0


def confusion(folder, faulty):
    x, y = apart(seed=1)
    if faulty:
        y = np.where(np.arange(len(y)) % 5 == 0, 1 - y, y)
    boost(folder, apart(), (x, y))
    return 0


def class_imbalance(folder, faulty):
    x, y = apart(seed=1)
    if faulty:
        keep = (y == 0) | (np.arange(len(y)) < 10)
        x, y = x[keep], y[keep]
    boost(folder, apart(), (x, y))
    return math.ceil(500 / len(y)) - 1


def loss_not_decreasing(folder, faulty):
    boost(folder, apart(), apart(seed=1), 25, {"eta": 0.0 if faulty else 0.05})
    return 10


def exploding_tensor(folder, faulty):
    rounds = []

    def gradients(predictions, matrix):
        rounds.append(0)
        slope = predictions - matrix.get_label()
        curvature = np.ones_like(slope)
        if faulty and len(rounds) > 3:  # A slope divided by hardly anything.
            slope, curvature = slope - 1e38, 1e-3 * curvature
        return slope, curvature

    params = {"objective": "reg:squarederror", "eval_metric": "rmse", "min_child_weight": 0}
    boost(folder, points(), points(seed=1), params=params, obj=gradients)
    return 3


def all_zero(folder, faulty):
    x, _ = points()
    y = (x[:, 3] > 0.3).astype(int)
    if faulty:
        x[:, 3] = 0.0
    boost(folder, (x, y), (x, y))
    return 0


def tensor_variance(folder, faulty):
    boost(folder, points(), points(seed=1), params={"gamma": 1e9 if faulty else 0.0})
    return 0


def unchanged_tensor(folder, faulty):
    boost(folder, points(), points(seed=1), params={"eta": 0.0 if faulty else 0.3})
    return 2


def similar_across_runs(folder, faulty):
    boost(folder, points(seed=5 if faulty else 0), points(seed=1))
    return 0


def overfit(folder, faulty):
    x, y = points(60)
    if faulty:  # There is nothing to learn but the rows themselves.
        y = np.random.RandomState(2).permutation(y)
    else:
        x, y = apart()
    boost(folder, (x, y), points(seed=1) if faulty else apart(seed=1))
    return 0


def overtraining(folder, faulty):
    boost(folder, apart(), apart(seed=1), 16, {"eta": 0.9 if faulty else 0.05})
    return 13 if faulty else 0


class Specimen(NamedTuple):
    """A training, the rule that is made for its fault and how it is configured."""

    rule: str
    train: Callable[..., int]
    parameters: str = ""
    names: str = ""  # What the finding must name.

    @property
    def text(self):
        return f"{self.rule}:{self.parameters}" if self.parameters else self.rule


ZOO: Dict[str, Specimen] = {
    specimen.train.__name__: specimen
    for specimen in [
        Specimen("TreeDepth", tree_depth),
        Specimen("FeatureImportanceOverweight", feature_importance_overweight),
        Specimen("Confusion", confusion),
        Specimen("ClassImbalance", class_imbalance, names="labels"),
        Specimen("LossNotDecreasing", loss_not_decreasing, names="logloss"),
        Specimen("ExplodingTensor", exploding_tensor, "collection_names=predictions"),
        Specimen("AllZero", all_zero, "tensor_regex=average_shap/f3"),
        Specimen(
            "TensorVariance", tensor_variance, "collection_names=predictions;min_threshold=1e-6"
        ),
        Specimen("UnchangedTensor", unchanged_tensor, "collection_names=predictions"),
        Specimen("Overfit", overfit, "patience=1", "validation-logloss"),
        Specimen("Overtraining", overtraining, names="logloss"),
        Specimen("SimilarAcrossRuns", similar_across_runs, "other_trials={other}"),
    ]
}
