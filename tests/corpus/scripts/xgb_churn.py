# needs: xgboost
"""Customer churn with the native API, early stopping and a validation set."""
import numpy as np
import xgboost as xgb
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split


def make_customers(n=12000, seed=0):
    rng = np.random.default_rng(seed)
    tenure = rng.exponential(24, n)
    monthly = rng.normal(60, 20, n).clip(15)
    tickets = rng.poisson(1.2, n)
    contract = rng.integers(0, 3, n)
    usage = rng.gamma(2.0, 10, n)
    usage[rng.random(n) < 0.1] = np.nan  # meters that did not report
    score = (-0.04 * tenure + 0.03 * (monthly - 60) + 0.6 * tickets - 0.9 * contract
             - 0.01 * np.nan_to_num(usage, nan=20.0) + 0.4)
    churn = (rng.random(n) < 1 / (1 + np.exp(-score))).astype(int)
    noise = rng.normal(size=(n, 5))
    X = np.column_stack([tenure, monthly, tickets, contract, usage, noise])
    names = ["tenure", "monthly", "tickets", "contract", "usage"] + [f"noise{i}" for i in range(5)]
    return X, churn, names


X, y, names = make_customers()
X_train, X_val, y_train, y_val = train_test_split(X, y, test_size=0.25, random_state=1, stratify=y)
dtrain = xgb.DMatrix(X_train, label=y_train, feature_names=names)
dval = xgb.DMatrix(X_val, label=y_val, feature_names=names)

params = {
    "objective": "binary:logistic",
    "eval_metric": ["logloss", "auc"],
    "eta": 0.05,
    "max_depth": 4,
    "subsample": 0.8,
    "colsample_bytree": 0.8,
    "min_child_weight": 5,
    "seed": 7,
    "nthread": 1,
}
booster = xgb.train(
    params,
    dtrain,
    num_boost_round=300,
    evals=[(dtrain, "train"), (dval, "validation")],
    early_stopping_rounds=30,
    verbose_eval=25,
)
p = booster.predict(dval, iteration_range=(0, booster.best_iteration + 1))
print(f"best iteration {booster.best_iteration} logloss {log_loss(y_val, p):.4f} "
      f"auc {roc_auc_score(y_val, p):.4f}")
for name, gain in sorted(booster.get_score(importance_type="gain").items(), key=lambda kv: -kv[1])[:5]:
    print(f"{name:>10s} {gain:.1f}")
