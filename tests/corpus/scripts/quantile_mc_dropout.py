"""Quantile regression of electricity demand with dropout kept on for the final estimate."""
import os
import random
import tempfile

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

QUANTILES = [0.1, 0.5, 0.9]
PATIENCE = 6


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def load_demand(hours=24 * 250):
    """Hourly demand in MW: daily and weekly cycles, temperature, noise that grows at noon."""
    t = np.arange(hours)
    hour, weekday = t % 24, (t // 24) % 7
    temperature = 12 + 10 * np.sin(2 * np.pi * t / (24 * 365)) + 4 * np.sin(2 * np.pi * (hour - 9) / 24)
    temperature = temperature + np.random.randn(hours)
    base = 500 + 120 * np.sin(2 * np.pi * (hour - 7) / 24) - 80 * (weekday >= 5)
    spread = 8 + 25 * np.exp(-((hour - 13) / 4.0) ** 2)
    demand = base + 1.2 * np.abs(temperature - 15) ** 1.5 + spread * np.random.randn(hours)
    features = np.stack([
        np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
        np.sin(4 * np.pi * hour / 24), np.cos(4 * np.pi * hour / 24),
        (weekday >= 5).astype(float), temperature,
    ], axis=1)
    return features.astype(np.float32), demand.astype(np.float32)


class QuantileNet(nn.Module):
    def __init__(self, n_in, n_out, hidden=96, p=0.1):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden), nn.GELU(), nn.Dropout(p),
            nn.Linear(hidden, hidden), nn.GELU(), nn.Dropout(p),
            nn.Linear(hidden, n_out),
        )

    def forward(self, x):
        return self.net(x)


def pinball(pred, target):
    q = torch.tensor(QUANTILES)
    err = target[:, None] - pred
    return torch.max(q * err, (q - 1) * err).mean()


class Standardizer:
    def fit(self, a):
        self.mean, self.std = a.mean(0), a.std(0) + 1e-8
        return self

    def transform(self, a):
        return (a - self.mean) / self.std


def train():
    seed_everything(8)
    X, y = load_demand()
    order = np.random.permutation(len(X))
    tr, va = order[:4800], order[4800:]
    sx, sy = Standardizer().fit(X[tr]), Standardizer().fit(y[tr])
    X, y = torch.from_numpy(sx.transform(X)), torch.from_numpy(sy.transform(y))
    loader = DataLoader(TensorDataset(X[tr], y[tr]), batch_size=128, shuffle=True)

    model = QuantileNet(X.shape[1], len(QUANTILES))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    best, waited = float("inf"), 0
    path = os.path.join(tempfile.mkdtemp(), "best.pth")
    for epoch in range(15):
        model.train()
        epoch_loss = []
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = pinball(model(xb), yb)
            loss.backward()
            optimizer.step()
            epoch_loss.append(loss.item())
        model.eval()
        with torch.no_grad():
            pred = model(X[va])
            val = pinball(pred, y[va]).item()
            inside = ((y[va] > pred[:, 0]) & (y[va] < pred[:, 2])).float().mean().item()
        plateau.step(val)
        print(f"epoch {epoch:02d} train {np.mean(epoch_loss):.4f} val {val:.4f} "
              f"coverage {inside:.2f} lr {optimizer.param_groups[0]['lr']:.1e}")
        if val < best:
            best, waited = val, 0
            torch.save(model.state_dict(), path)
        else:
            waited += 1
            if waited >= PATIENCE:
                break

    model.load_state_dict(torch.load(path))
    model.train()  # Monte Carlo dropout
    with torch.no_grad():
        draws = torch.stack([model(X[va])[:, 1] for _ in range(30)])
    print(f"best val {best:.4f}, model uncertainty {draws.std(0).mean() * sy.std:.2f} MW")


if __name__ == "__main__":
    train()
