# needs: accelerate
"""Decide whether two product titles mean the same item: siamese encoder with Accelerate."""
import random

import torch
import torch.nn as nn
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset

BRANDS = [f"brand{i}" for i in range(12)]
KINDS = ["phone", "laptop", "camera", "printer", "router", "tablet"]
COLOURS = ["black", "white", "red", "blue"]
NOISE = ["new", "sale", "original", "2024", "with", "box", "free", "shipping"]
VOCAB = {w: i + 1 for i, w in enumerate(BRANDS + KINDS + COLOURS + NOISE)}


class TitlePairs(Dataset):
    def __init__(self, size, seed, max_len=8):
        self.rng = random.Random(seed)
        self.max_len = max_len
        self.rows = [self.make() for _ in range(size)]

    def title(self, item):
        words = list(item) + self.rng.sample(NOISE, self.rng.randint(0, 4))
        self.rng.shuffle(words)
        ids = [VOCAB[w] for w in words]
        return torch.tensor(ids + [0] * (self.max_len - len(ids)))

    def make(self):
        item = [self.rng.choice(BRANDS), self.rng.choice(KINDS), self.rng.choice(COLOURS)]
        other = list(item)
        same = self.rng.random() < 0.5
        if not same:
            k = self.rng.randrange(3)
            pool = [BRANDS, KINDS, COLOURS][k]
            other[k] = self.rng.choice([w for w in pool if w != item[k]])
        if self.rng.random() < 0.03:  # the people who labelled the pairs made mistakes
            same = not same
        return self.title(item), self.title(other), float(same)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


class Siamese(nn.Module):
    def __init__(self, vocab, dim=48):
        super().__init__()
        self.embedding = nn.EmbeddingBag(vocab, dim, mode="sum", padding_idx=0)
        self.encoder = nn.Sequential(nn.Linear(dim, dim), nn.LayerNorm(dim), nn.GELU(),
                                     nn.Linear(dim, dim))
        self.classifier = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def encode(self, x):
        return self.encoder(self.embedding(x))

    def forward(self, a, b):
        u, v = self.encode(a), self.encode(b)
        return self.classifier(torch.cat([(u - v).abs(), u * v], 1)).squeeze(1)


def main():
    torch.manual_seed(30)
    accelerator = Accelerator(gradient_accumulation_steps=2, cpu=True)
    model = Siamese(len(VOCAB) + 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    train_loader = DataLoader(TitlePairs(4800, seed=1), batch_size=32, shuffle=True)
    valid_loader = DataLoader(TitlePairs(600, seed=2), batch_size=100)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=160)
    model, optimizer, train_loader, valid_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, valid_loader, scheduler
    )
    criterion = nn.BCEWithLogitsLoss()

    for epoch in range(6):
        model.train()
        total = 0.0
        for a, b, same in train_loader:
            with accelerator.accumulate(model):
                loss = criterion(model(a, b), same.float())
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            total += loss.item()

        model.eval()
        right = count = 0
        for a, b, same in valid_loader:
            with torch.no_grad():
                logits = model(a, b)
            logits, same = accelerator.gather_for_metrics((logits, same))
            right += ((logits > 0).float() == same).sum().item()
            count += len(same)
        accelerator.print(f"epoch {epoch}: loss {total / len(train_loader):.4f} "
                          f"accuracy {right / count:.3f}")


if __name__ == "__main__":
    main()
