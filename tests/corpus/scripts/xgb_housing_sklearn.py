# needs: xgboost
"""House prices with XGBRegressor, K-fold evaluation and a final model on all folds."""
import numpy as np
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold
from xgboost import XGBRegressor

RNG = np.random.default_rng(20)


def load_houses(n=6000):
    area = RNG.lognormal(4.6, 0.35, n)
    rooms = np.clip(np.round(area / 25 + RNG.normal(0, 0.8, n)), 1, 9)
    age = RNG.integers(0, 100, n)
    lat, lon = RNG.uniform(0, 1, n), RNG.uniform(0, 1, n)
    centre = np.exp(-((lat - 0.4) ** 2 + (lon - 0.6) ** 2) / 0.05)
    energy = RNG.choice([0, 1, 2, 3], n, p=[0.2, 0.4, 0.3, 0.1])
    price = 1800 * area * (0.7 + 0.9 * centre) * (1 - 0.003 * age) + 9000 * energy + 5000 * rooms
    price *= np.exp(RNG.normal(0, 0.08, n))
    return np.column_stack([area, rooms, age, lat, lon, energy]), price


def build_model(**overrides):
    params = dict(
        n_estimators=150,
        learning_rate=0.08,
        max_depth=5,
        subsample=0.8,
        reg_lambda=1.0,
        eval_metric="rmse",
        n_jobs=1,
        random_state=0,
    )
    params.update(overrides)
    return XGBRegressor(**params)


def main():
    X, price = load_houses()
    y = np.log(price)
    scores = []
    folds = KFold(n_splits=3, shuffle=True, random_state=0)
    for fold, (tr, va) in enumerate(folds.split(X)):
        model = build_model()
        model.fit(X[tr], y[tr], eval_set=[(X[tr], y[tr]), (X[va], y[va])], verbose=50)
        mae = mean_absolute_error(np.exp(y[va]), np.exp(model.predict(X[va])))
        scores.append(mae)
        print(f"fold {fold}: MAE {mae:,.0f} on a mean price of {price.mean():,.0f}")
    print(f"MAE over folds {np.mean(scores):,.0f} +- {np.std(scores):,.0f}")

    final = build_model(n_estimators=200, learning_rate=0.06)
    final.fit(X, y, eval_set=[(X, y)], verbose=50)
    print("importances", np.round(final.feature_importances_, 3))


if __name__ == "__main__":
    main()
