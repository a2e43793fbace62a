"""Small trainings."""

from typing import Any, Dict, Optional

import numpy as np
import xgboost as xgb

import smdebug.xgboost as smd

NAMES = ["age", "zip code", "in/come", "größe"]
BINARY = {"objective": "binary:logistic", "eval_metric": ["logloss", "auc"], "max_depth": 2}
CLASSES = {"objective": "multi:softprob", "num_class": 3, "eval_metric": "mlogloss", "max_depth": 2}


def features(rows: int = 80, columns: int = 4) -> np.ndarray:
    return np.random.RandomState(0).rand(rows, columns).astype(np.float32)


def data(classes: int = 2, **settings: Any) -> xgb.DMatrix:
    """Labels that depend on the first two features."""
    x = features()
    labels = np.minimum((x[:, 0] + x[:, 1]) / 2 * classes, classes - 1).astype(int)
    chosen = {"label": labels, "feature_names": NAMES, **settings}
    return xgb.DMatrix(x, **chosen)


def train(
    hook: Any, params: Optional[Dict[str, Any]] = None, rounds: int = 4, **settings: Any
) -> xgb.Booster:
    """A model; hook: one, or none."""
    params = {"nthread": 1, "seed": 0, **(BINARY if params is None else params)}
    matrix = settings.pop("data", None) or data(params.get("num_class", 2))
    chosen = {
        "evals": [(matrix, "train"), (matrix, "validation")],
        "verbose_eval": False,
        "callbacks": [] if hook is None else [hook],
        **settings,
    }
    return xgb.train(params, matrix, rounds, **chosen)


def read(hook: smd.Hook) -> Any:
    """The run, whole."""
    hook.close()
    return smd.create_trial(hook.out_dir)


def content(model: xgb.Booster) -> bytes:
    """The trained model, for comparison."""
    return bytes(model.save_raw("json"))
