"""Fault classification from machine sensors.

Class 0 ("all is well") is about 82 % of the rows, the rarest class about 2 %.
The imbalance is handled by a weighted sampler; the model is judged by macro F1.
"""
import logging

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("faults")

PARAMS = {
    "seed": 11,
    "rows": 6000,
    "batch_size": 128,
    "epochs": 12,
    "lr": 2e-3,
    "hidden": 64,
    "dropout": 0.25,
    "weight_decay": 1e-3,
}
PRIORS = [0.82, 0.09, 0.04, 0.03, 0.02]
LINES = 30  # production lines; a few of them are rare


def load_table(params):
    rng = np.random.RandomState(params["seed"])
    y = rng.choice(len(PRIORS), size=params["rows"], p=PRIORS)
    centers = rng.normal(0, 0.65, (len(PRIORS), 12))
    X = centers[y] + rng.normal(0, 0.9, (params["rows"], 12))
    X[:, 3] = 1000 + 40 * X[:, 3]          # pressure in hPa
    X[:, 7] = np.exp(0.5 * X[:, 7])        # a skewed column
    line = np.minimum(rng.geometric(0.15, params["rows"]) - 1, LINES - 1)
    return X.astype(np.float32), line.astype(np.int64), y.astype(np.int64)


def split_and_scale(X, line, y, frac=0.8):
    cut = int(len(X) * frac)
    mu, sd = X[:cut].mean(0), X[:cut].std(0)
    X = (X - mu) / sd
    tensors = [torch.from_numpy(a) for a in (X, line, y)]
    return [t[:cut] for t in tensors], [t[cut:] for t in tensors]


class TabularNet(nn.Module):
    def __init__(self, n_num, n_lines, hidden, n_classes, dropout):
        super().__init__()
        self.emb = nn.Embedding(n_lines, 4)
        self.bn_in = nn.BatchNorm1d(n_num)
        self.layers = nn.Sequential(
            nn.Linear(n_num + 4, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden // 2), nn.BatchNorm1d(hidden // 2), nn.ReLU(), nn.Dropout(dropout),
        )
        self.classifier = nn.Linear(hidden // 2, n_classes)

    def forward(self, num, line):
        x = torch.cat([self.bn_in(num), self.emb(line)], dim=1)
        return self.classifier(self.layers(x))


def macro_f1(pred, true, n_classes):
    scores = []
    for c in range(n_classes):
        tp = ((pred == c) & (true == c)).sum().item()
        fp = ((pred == c) & (true != c)).sum().item()
        fn = ((pred != c) & (true == c)).sum().item()
        scores.append(2 * tp / max(2 * tp + fp + fn, 1))
    return float(np.mean(scores)), [round(s, 2) for s in scores]


def run(params):
    torch.manual_seed(params["seed"])
    train, valid = split_and_scale(*load_table(params))
    counts = torch.bincount(train[2], minlength=len(PRIORS)).float()
    log.info("class counts %s", counts.int().tolist())
    sample_weights = (1.0 / counts.sqrt())[train[2]]
    sampler = WeightedRandomSampler(sample_weights, num_samples=len(sample_weights))
    train_loader = DataLoader(TensorDataset(*train), batch_size=params["batch_size"], sampler=sampler, drop_last=True)

    model = TabularNet(12, LINES, params["hidden"], len(PRIORS), params["dropout"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=params["lr"], weight_decay=params["weight_decay"])
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[7, 10], gamma=0.3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.02)

    for epoch in range(params["epochs"]):
        model.train()
        losses = []
        for num, line, target in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(num, line), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
        model.eval()
        with torch.no_grad():
            logits = model(valid[0], valid[1])
            val_loss = criterion(logits, valid[2]).item()
        f1, per_class = macro_f1(logits.argmax(1), valid[2], len(PRIORS))
        log.info("epoch %2d train %.4f valid %.4f macro-F1 %.3f %s", epoch, np.mean(losses), val_loss, f1, per_class)


if __name__ == "__main__":
    run(PARAMS)
