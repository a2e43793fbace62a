"""Metric learning with a triplet loss and batch-hard mining; recall@1 on unseen classes."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_signals(n_classes, per_class, length=48, seed=0):
    """Each class is a mix of two sine waves; samples differ in phase, gain and noise."""
    rng = np.random.RandomState(seed)
    t = np.linspace(0, 1, length)
    xs, ys = [], []
    for c in range(n_classes):
        f1, f2 = rng.uniform(1, 5), rng.uniform(5, 12)
        w = rng.uniform(0.3, 0.9)
        for _ in range(per_class):
            p = rng.uniform(0, 2 * np.pi, 2)
            s = w * np.sin(2 * np.pi * f1 * t + p[0]) + (1 - w) * np.sin(2 * np.pi * f2 * t + p[1])
            xs.append(rng.uniform(0.7, 1.3) * s + 0.1 * rng.randn(length))
            ys.append(c)
    return torch.tensor(np.array(xs), dtype=torch.float32)[:, None], torch.tensor(ys)


class PKSampler:
    """P classes times K samples in each batch."""

    def __init__(self, labels, p, k, batches):
        self.index = {int(c): (labels == c).nonzero().flatten() for c in labels.unique()}
        self.p, self.k, self.batches = p, k, batches

    def __iter__(self):
        classes = list(self.index)
        for _ in range(self.batches):
            chosen = [classes[i] for i in torch.randperm(len(classes))[:self.p]]
            picks = [self.index[c][torch.randperm(len(self.index[c]))[:self.k]] for c in chosen]
            yield torch.cat(picks)


class EmbeddingNet(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 24, 7, padding=3), nn.BatchNorm1d(24), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(24, 48, 5, padding=2), nn.BatchNorm1d(48), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(48, 64, 3, padding=1), nn.BatchNorm1d(64), nn.ReLU(),
        )
        self.embed = nn.Linear(64, dim)

    def forward(self, x):
        h = self.features(x).mean(-1)
        return F.normalize(self.embed(h), dim=1)


def batch_hard_triplet_loss(emb, labels, margin):
    dist = torch.cdist(emb, emb)
    same = labels[:, None] == labels[None, :]
    hardest_pos = (dist * same).max(1).values
    hardest_neg = (dist + 10.0 * same).min(1).values
    losses = F.softplus((hardest_pos - hardest_neg + margin) * 5) / 5
    return losses.mean(), (losses > margin).float().mean()


@torch.no_grad()
def recall_at_1(model, x, y):
    model.eval()
    emb = model(x)
    dist = torch.cdist(emb, emb)
    dist.fill_diagonal_(float("inf"))
    return (y[dist.argmin(1)] == y).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--margin", type=float, default=0.2)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    torch.manual_seed(0)

    x_train, y_train = make_signals(40, 24, seed=0)
    x_test, y_test = make_signals(20, 12, seed=99)
    model = EmbeddingNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-5)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.5)
    sampler = PKSampler(y_train, p=10, k=6, batches=30)
    print(f"untrained recall@1 {recall_at_1(model, x_test, y_test):.3f}")
    for epoch in range(args.epochs):
        model.train()
        losses, active = [], []
        for idx in sampler:
            loss, frac = batch_hard_triplet_loss(model(x_train[idx]), y_train[idx], args.margin)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            active.append(frac.item())
        scheduler.step()
        print(f"epoch {epoch} loss {np.mean(losses):.4f} active {np.mean(active):.2f} "
              f"recall@1 new classes {recall_at_1(model, x_test, y_test):.3f}")


if __name__ == "__main__":
    main()
