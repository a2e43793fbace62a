"""Matrix factorisation on implicit ratings; sparse gradients, items with a long tail."""
import argparse
import math
import os
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class RatingsDataset(Dataset):
    def __init__(self, users, items, ratings):
        self.users = torch.as_tensor(users, dtype=torch.long)
        self.items = torch.as_tensor(items, dtype=torch.long)
        self.ratings = torch.as_tensor(ratings, dtype=torch.float32)

    def __len__(self):
        return len(self.ratings)

    def __getitem__(self, i):
        return self.users[i], self.items[i], self.ratings[i]


def make_ratings(n_users, n_items, n_ratings, rank=4, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.normal(size=(n_users, rank)) / math.sqrt(rank)
    q = rng.normal(size=(n_items, rank))
    popularity = 1.0 / np.arange(1, n_items + 1) ** 0.8
    users = rng.integers(0, n_users, n_ratings)
    items = rng.choice(n_items, n_ratings, p=popularity / popularity.sum())
    score = (p[users] * q[items]).sum(1) + 0.5 * rng.normal(size=n_items)[items]
    ratings = np.clip(3.5 + score + 0.2 * rng.normal(size=n_ratings), 1, 5)
    return users, items, ratings


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, dim, mean):
        super().__init__()
        self.user_factors = nn.Embedding(n_users, dim, sparse=True)
        self.item_factors = nn.Embedding(n_items, dim, sparse=True)
        self.user_bias = nn.Embedding(n_users, 1, sparse=True)
        self.item_bias = nn.Embedding(n_items, 1, sparse=True)
        self.register_buffer("mean", torch.tensor(float(mean)))
        nn.init.normal_(self.user_factors.weight, std=0.1)
        nn.init.normal_(self.item_factors.weight, std=0.1)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, i):
        dot = (self.user_factors(u) * self.item_factors(i)).sum(1)
        return self.mean + dot + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1)


def rmse(model, loader):
    model.eval()
    se = n = 0
    with torch.no_grad():
        for u, i, r in loader:
            se += (model(u, i) - r).pow(2).sum().item()
            n += len(r)
    return math.sqrt(se / n)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dim", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--batch-size", type=int, default=512)
    args = parser.parse_args()
    torch.manual_seed(0)

    n_users, n_items = 400, 600
    users, items, ratings = make_ratings(n_users, n_items, 30000)
    cut = 26000
    train_set = RatingsDataset(users[:cut], items[:cut], ratings[:cut])
    test_set = RatingsDataset(users[cut:], items[cut:], ratings[cut:])
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=2048)

    model = BiasedMF(n_users, n_items, args.dim, ratings[:cut].mean())
    optimizer = torch.optim.SparseAdam(list(model.parameters()), lr=args.lr)
    loss_fn = nn.MSELoss()
    best = rmse(model, test_loader)
    print(f"before training: test rmse {best:.4f}")
    ckpt = os.path.join(tempfile.mkdtemp(), "mf.pt")

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for u, i, r in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(model(u, i), r)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(r)
        for group in optimizer.param_groups:
            group["lr"] *= 0.85
        score = rmse(model, test_loader)
        print(f"epoch {epoch}: train rmse {math.sqrt(total / cut):.4f} test rmse {score:.4f}")
        if score < best:
            best = score
            torch.save(model.state_dict(), ckpt)
    print(f"best test rmse {best:.4f}")


if __name__ == "__main__":
    main()
