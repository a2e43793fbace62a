"""Company-style training code: a Trainer with EMA weights, early stopping and checkpoints."""
import copy
import math
import os
import tempfile
from typing import Optional

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class EMA:
    def __init__(self, model: nn.Module, decay: float = 0.98):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model: nn.Module):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)
        for s, b in zip(self.shadow.buffers(), model.buffers()):
            s.copy_(b)


class EarlyStopping:
    def __init__(self, patience: int, min_delta: float = 1e-3):
        self.patience, self.min_delta = patience, min_delta
        self.best: Optional[float] = None
        self.bad_epochs = 0

    def __call__(self, value: float) -> bool:
        if self.best is None or value < self.best - self.min_delta:
            self.best, self.bad_epochs = value, 0
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience


class DefectNet(nn.Module):
    """Finds scratches on noisy metal surfaces (scratch / dent / clean)."""

    def __init__(self, num_classes: int = 3):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 12, 5, padding=2), nn.GroupNorm(3, 12), nn.SiLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.GroupNorm(4, 24), nn.SiLU(), nn.MaxPool2d(2),
            nn.Conv2d(24, 32, 3, padding=1), nn.GroupNorm(4, 32), nn.SiLU(),
        )
        self.attention_pool = nn.Conv2d(32, 1, 1)
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(32, num_classes))

    def forward(self, x: Tensor) -> Tensor:
        f = self.features(x)
        w = self.attention_pool(f).flatten(2).softmax(dim=-1)
        return self.head((f.flatten(2) * w).sum(-1))


class Trainer:
    def __init__(self, model, train_set, val_set, lr=2e-3, batch_size=32, max_epochs=12, patience=2):
        self.model = model
        self.train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)
        self.val_loader = DataLoader(val_set, batch_size=128)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-2)
        self.criterion = nn.CrossEntropyLoss()
        self.ema = EMA(model)
        self.stopper = EarlyStopping(patience)
        self.max_epochs = max_epochs
        self.ckpt_dir = tempfile.mkdtemp(prefix="defects_")

    def train_step(self, x, y) -> float:
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.ema.update(self.model)
        return loss.item()

    @torch.no_grad()
    def validate(self):
        losses, hits, n = 0.0, 0, 0
        for x, y in self.val_loader:
            out = self.ema.shadow(x)
            losses += self.criterion(out, y).item() * len(y)
            hits += (out.argmax(-1) == y).sum().item()
            n += len(y)
        return losses / n, hits / n

    def fit(self):
        for epoch in range(1, self.max_epochs + 1):
            epoch_loss = [self.train_step(x, y) for x, y in self.train_loader]
            val_loss, val_acc = self.validate()
            print(f"[{epoch:02d}] loss={sum(epoch_loss) / len(epoch_loss):.4f} ema_val={val_loss:.4f} ema_acc={val_acc:.3f}")
            torch.save({"ema": self.ema.shadow.state_dict(), "epoch": epoch}, os.path.join(self.ckpt_dir, f"{epoch}.pt"))
            if self.stopper(val_loss):
                print("early stopping")
                break


def surfaces(n: int, seed: int = 0) -> TensorDataset:
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(24.0), torch.arange(24.0), indexing="ij")
    x = 0.35 * torch.randn(n, 24, 24, generator=g)
    y = torch.randint(0, 3, (n,), generator=g)
    for i in range(n):
        cy, cx = (6 + 12 * torch.rand(2, generator=g)).tolist()
        if y[i] == 0:
            a = math.pi * torch.rand(1, generator=g).item()
            across = (xx - cx) * math.sin(a) - (yy - cy) * math.cos(a)
            along = (xx - cx) * math.cos(a) + (yy - cy) * math.sin(a)
            x[i] += 0.9 * ((across.abs() < 0.8) & (along.abs() < 6)).float()
        elif y[i] == 1:
            x[i] += 0.8 * torch.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / 10)
    return TensorDataset(x.unsqueeze(1), y)


if __name__ == "__main__":
    torch.manual_seed(1234)
    train_set, val_set = random_split(surfaces(1200), [1000, 200])
    Trainer(DefectNet(), train_set, val_set).fit()
