"""Predicts which customers leave, from synthetic data. The script does not use Tensorwarden.

warden run -- python3 examples/xgboost/train.py
"""

import argparse

import numpy as np
import xgboost as xgb

FEATURES = ["age", "months as customer", "calls to support", "monthly bill", "visits"]


def make_customers(count: int, seed: int) -> xgb.DMatrix:
    """Customers leave if they call often, or if they are new and pay much."""
    random = np.random.default_rng(seed)
    age = random.uniform(18, 90, count)
    months = random.exponential(30, count)
    calls = random.poisson(2, count)
    bill = random.gamma(4, 12, count)
    visits = random.poisson(10, count)
    tendency = 0.9 * calls - 0.05 * months + 0.02 * bill - 2
    leaves = random.random(count) < 1 / (1 + np.exp(-tendency))
    columns = np.column_stack([age, months, calls, bill, visits])
    return xgb.DMatrix(columns, label=leaves, feature_names=FEATURES)


def main() -> None:
    """Trains a model and prints its accuracy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--depth", type=int, default=3)
    options = parser.parse_args()
    train, validation = make_customers(4000, seed=1), make_customers(1000, seed=2)
    params = {
        "objective": "binary:logistic",
        "eval_metric": ["auc", "logloss"],
        "max_depth": options.depth,
        "eta": 0.2,
        "seed": 0,
    }
    model = xgb.train(
        params,
        train,
        options.rounds,
        evals=[(train, "train"), (validation, "validation")],
        verbose_eval=10,
    )
    right = (model.predict(validation) > 0.5) == validation.get_label()
    print(f"accuracy {right.mean():.1%} on {len(right)} customers")


if __name__ == "__main__":
    main()
