# needs: xgboost
"""Fault types of a pump from sensor statistics; rare classes get a larger weight."""
import argparse

import numpy as np
import xgboost as xgb
from sklearn.metrics import classification_report, f1_score
from sklearn.utils.class_weight import compute_sample_weight


def sensors(n, rng):
    kind = rng.choice(4, n, p=[0.7, 0.15, 0.1, 0.05])
    vibration = rng.gamma(2, 1, n) + np.where(kind == 1, 5.0, 0) + np.where(kind == 3, 1.0, 0)
    temperature = rng.normal(60, 5, n) + np.where(kind == 2, 15, 0) + np.where(kind == 3, 8, 0)
    pressure = rng.normal(4, 0.4, n) - np.where(kind == 3, 1.6, 0) - np.where(kind == 2, 0.3, 0)
    current = 0.1 * temperature + 0.5 * vibration + rng.normal(0, 0.5, n)
    rest = rng.normal(size=(n, 4))
    return np.column_stack([vibration, temperature, pressure, current, rest]), kind


class PrintMean(xgb.callback.TrainingCallback):
    def __init__(self, every):
        self.every = every

    def after_iteration(self, model, epoch, evals_log):
        if epoch % self.every == 0:
            parts = [f"{d} {m} {v[-1]:.4f}" for d, ms in evals_log.items() for m, v in ms.items()]
            print(f"round {epoch}: " + ", ".join(parts))
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--eta", type=float, default=0.08)
    args = parser.parse_args()
    rng = np.random.default_rng(5)
    X, y = sensors(8000, rng)
    X_val, y_val = sensors(3000, rng)
    dtrain = xgb.DMatrix(X, label=y, weight=compute_sample_weight("balanced", y))
    dval = xgb.DMatrix(X_val, label=y_val, weight=compute_sample_weight("balanced", y_val))
    params = dict(
        objective="multi:softprob", num_class=4, eval_metric=["mlogloss", "merror"],
        max_depth=args.depth, eta=args.eta, subsample=0.7, min_child_weight=20, gamma=1.0,
        nthread=1, seed=3,
    )
    booster = xgb.train(
        params, dtrain, args.rounds, evals=[(dtrain, "train"), (dval, "val")],
        callbacks=[PrintMean(10)], verbose_eval=False,
    )
    pred = booster.predict(dval).argmax(1)
    print(classification_report(y_val, pred, digits=3, zero_division=0))
    print(f"macro f1 {f1_score(y_val, pred, average='macro'):.3f}")


if __name__ == "__main__":
    main()
