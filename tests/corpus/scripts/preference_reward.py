"""Reward model from pairs of answers: a ranking loss plus a language-model loss (two losses)."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def build_pairs(n, length, seed):
    """Preferred answers hold more of the helpful tokens (20-29) and fewer rude ones (30-34)."""
    g = torch.Generator().manual_seed(seed)

    def answers():
        x = torch.randint(0, 20, (n, length), generator=g)
        helpful = torch.rand(n, length, generator=g) < 0.6 * torch.rand(n, 1, generator=g)
        rude = torch.rand(n, length, generator=g) < 0.3 * torch.rand(n, 1, generator=g)
        # The token after a helpful one repeats its last digit, so there is something to predict.
        x[helpful] = torch.randint(20, 30, (int(helpful.sum()),), generator=g)
        x[rude] = torch.randint(30, 35, (int(rude.sum()),), generator=g)
        follow = helpful[:, :-1] & ~helpful[:, 1:] & ~rude[:, 1:]
        x[:, 1:][follow] = (x[:, :-1] - 20)[follow]
        score = ((x >= 20) & (x < 30)).sum(1) - 2 * (x >= 30).sum(1)
        return x, score.float()

    (a, sa), (b, sb) = answers(), answers()
    noise = torch.randn(n, generator=g)
    first = (sa - sb + noise) > 0
    chosen = torch.where(first[:, None], a, b)
    rejected = torch.where(first[:, None], b, a)
    return chosen, rejected


class RewardModel(nn.Module):
    def __init__(self, vocab=40, dim=40):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True)
        self.lm_head = nn.Linear(dim, vocab)
        self.value_head = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 1))

    def forward(self, x):
        h, _ = self.lstm(self.emb(x))
        return self.lm_head(h), self.value_head(h.mean(1)).squeeze(-1)


def compute_losses(model, chosen, rejected):
    logits, r_chosen = model(chosen)
    _, r_rejected = model(rejected)
    margin = r_chosen - r_rejected
    rank_loss = -F.logsigmoid(margin).mean()
    lm_loss = F.cross_entropy(logits[:, :-1].flatten(0, 1), chosen[:, 1:].flatten())
    return rank_loss, lm_loss, (margin > 0).float().mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--lm-weight", type=float, default=0.2)
    parser.add_argument("--lr", type=float, default=4e-3)
    args = parser.parse_args()

    torch.manual_seed(17)
    train = DataLoader(TensorDataset(*build_pairs(2400, 14, seed=1)), batch_size=48, shuffle=True)
    valid = build_pairs(500, 14, seed=2)
    model = RewardModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs * len(train))
    for epoch in range(args.epochs):
        model.train()
        sums = torch.zeros(3)
        for chosen, rejected in train:
            rank_loss, lm_loss, acc = compute_losses(model, chosen, rejected)
            loss = rank_loss + args.lm_weight * lm_loss
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            scheduler.step()
            sums += torch.tensor([rank_loss.item(), lm_loss.item(), acc.item()])
        model.eval()
        with torch.no_grad():
            v_rank, v_lm, v_acc = compute_losses(model, *valid)
        rank, lm, acc = (sums / len(train)).tolist()
        print(f"epoch {epoch}: rank {rank:.4f} lm {lm:.4f} acc {acc:.3f} | "
              f"valid rank {v_rank:.4f} lm {v_lm:.4f} acc {v_acc:.3f}")


if __name__ == "__main__":
    main()
