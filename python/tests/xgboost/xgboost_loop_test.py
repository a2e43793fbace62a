"""What is observed of an XGBoost training in an unchanged script."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import smdebug.xgboost as smd

SCRIPT = """
import numpy as np
import xgboost

rng = np.random.default_rng(0)
x = rng.normal(size=(400, 4))
y = (x[:, 0] > 1.2).astype(int)
data = xgboost.DMatrix(x, label=y)
params = {"objective": "binary:logistic", "eta": 0.1, "max_depth": 2}
xgboost.train(params, data, 12, evals=[(data, "train")], verbose_eval=False)
"""


def observed(folder: Path, old: str = "", new: str = "") -> Any:
    """The run of the script after an edit."""
    (folder / "train.py").write_text(SCRIPT.replace(old, new) if old else SCRIPT)
    command = [sys.executable, "-m", "tensorwarden", "--out", "run", "train.py"]
    subprocess.run(command, cwd=folder, timeout=300, check=True)
    return smd.create_trial(str(folder / "run"))


def numbers(trial: Any, name: str) -> List[float]:
    if f"training/{name}" not in trial.tensor_names():
        return []
    tensor = trial.tensor(f"training/{name}")
    return [float(tensor.value(step)[0]) for step in tensor.steps()]


def facts(trial: Any) -> Dict[str, Any]:
    tensor = trial.tensor("training/facts")
    return json.loads(bytes(tensor.value(tensor.steps()[-1])))


def test_a_healthy_training(tmp_path):
    trial = observed(tmp_path)
    assert facts(trial) == {"framework": "xgboost", "rounds": 12, "booster": "gbtree"}
    assert set(numbers(trial, "learning_rate")) == {0.1}
    assert len(numbers(trial, "learning_rate")) == 12
    assert 0.8 < numbers(trial, "label_share")[0] < 0.95
    assert numbers(trial, "accuracy")[-1] > 0.9
    assert len(numbers(trial, "predicted_share")) == 5  # Rounds 1, 2, 3, 5 and 10.


def test_weights_count_in_the_balance_of_labels(tmp_path):
    weighted = "xgboost.DMatrix(x, label=y, weight=np.where(y == 1, (y == 0).sum() / y.sum(), 1.0))"
    trial = observed(tmp_path, "xgboost.DMatrix(x, label=y)", weighted)
    assert abs(numbers(trial, "label_share")[0] - 0.5) < 0.01


def test_several_classes(tmp_path):
    params = '{"objective": "multi:softprob", "num_class": 2}'
    trial = observed(
        tmp_path, '{"objective": "binary:logistic", "eta": 0.1, "max_depth": 2}', params
    )
    assert set(numbers(trial, "learning_rate")) == {0.3}
    assert numbers(trial, "accuracy")[-1] > 0.9


def test_values_have_no_classes(tmp_path):
    trial = observed(tmp_path, '"binary:logistic"', '"reg:squarederror"')
    assert numbers(trial, "learning_rate")
    assert numbers(trial, "label_share") == []
