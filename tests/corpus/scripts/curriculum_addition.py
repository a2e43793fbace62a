"""Learn to sum digits with a GRU and a curriculum: sequences grow longer as the model improves."""
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F


class DigitSum(nn.Module):
    """Reads digits 0-4 and predicts their sum modulo 5."""

    def __init__(self, hidden=48):
        super().__init__()
        self.embed = nn.Embedding(5, 16)
        self.rnn = nn.GRU(16, hidden, batch_first=True)
        self.bn = nn.BatchNorm1d(hidden)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(hidden, 5)

    def forward(self, x):
        _, h = self.rnn(self.embed(x))
        return self.fc(self.drop(self.bn(h[-1])))


class EMA:
    def __init__(self, model, decay=0.95):
        self.decay = decay
        self.shadow = {k: v.clone() for k, v in model.state_dict().items()}

    def update(self, model):
        for k, v in model.state_dict().items():
            if v.dtype.is_floating_point:
                self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)
            else:
                self.shadow[k].copy_(v)


class Trainer:
    def __init__(self, model, lr=5e-3, batch=96, max_length=8, steps=600):
        self.model, self.batch, self.max_length, self.steps = model, batch, max_length, steps
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.ema = EMA(model)
        self.length = 2
        self.folder = Path(tempfile.mkdtemp())
        self.losses = []

    def sample(self, n, length):
        x = torch.randint(0, 5, (n, length))
        return x, x.sum(1) % 5

    def train_step(self):
        # A few easy and a few harder examples are mixed in.
        offset = int(torch.randint(-1, 2, (1,)))
        length = min(max(2, self.length + offset), self.max_length)
        x, y = self.sample(self.batch, length)
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.ema.update(self.model)
        self.losses.append(loss.item())

    @torch.no_grad()
    def validate(self, length):
        self.model.eval()
        x, y = self.sample(200, length)
        acc = (self.model(x).argmax(1) == y).float().mean().item()
        self.model.train()
        return acc

    def fit(self):
        self.model.train()
        for step in range(1, self.steps + 1):
            self.train_step()
            if step % 25 == 0:
                acc = self.validate(self.length)
                recent = sum(self.losses[-25:]) / 25
                print(f"step {step} length {self.length} loss {recent:.3f} accuracy {acc:.3f}")
                if acc > 0.9 and self.length < self.max_length:
                    self.length += 1
                    torch.save(self.model.state_dict(), self.folder / f"length{self.length}.pt")
        print(f"longest length reached {self.length}, accuracy {self.validate(self.length):.3f}")
        self.model.load_state_dict(self.ema.shadow)
        print(f"with averaged weights {self.validate(self.length):.3f}")


if __name__ == "__main__":
    torch.manual_seed(8)
    Trainer(DigitSum()).fit()
