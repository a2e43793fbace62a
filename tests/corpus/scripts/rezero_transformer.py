"""A transformer without normalisation: every branch starts at zero (ReZero) and grows by itself.

Task: find the position at which a noisy signal with three channels changes its pattern.
"""
import math

import torch
from torch import nn

torch.manual_seed(2024)

hparams = dict(dim=48, heads=4, depth=6, length=16, batch=32, steps=360, lr=2e-3, warmup=20,
               weight_decay=1e-4, dropout=0.0, clip=1.0)


def draw(batch, length):
    """Two patterns glued together; the label is the place of the seam."""
    seam = torch.randint(2, length - 2, (batch,))
    t = torch.arange(length, dtype=torch.float32)
    left = torch.stack([torch.sin(t), torch.cos(t), torch.ones(length)], -1)
    right = torch.stack([torch.cos(2 * t), torch.sin(2 * t), -torch.ones(length)], -1)
    mask = (torch.arange(length) < seam[:, None]).unsqueeze(-1)
    return torch.where(mask, left, right) + 0.5 * torch.randn(batch, length, 3), seam


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim)
        self.to_k = nn.Linear(dim, dim)  # its bias has no effect on the softmax
        self.to_v = nn.Linear(dim, dim)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = (
            f(x).view(b, n, self.heads, d // self.heads).permute(0, 2, 1, 3)
            for f in (self.to_q, self.to_k, self.to_v)
        )
        weights = (q @ k.transpose(-1, -2) * (d // self.heads) ** -0.5).softmax(dim=-1)
        return self.to_out((weights @ v).permute(0, 2, 1, 3).reshape(b, n, d))


class ReZeroBlock(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.attn = Attention(dim, heads)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))
        self.drop = nn.Dropout(dropout)
        self.resweight = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        x = x + self.resweight[0] * self.drop(self.attn(x))
        return x + self.resweight[1] * self.drop(self.ff(x))


class SeamFinder(nn.Module):
    def __init__(self, dim, heads, depth, length, dropout):
        super().__init__()
        self.inp = nn.Linear(3, dim)
        self.pos = nn.Parameter(torch.randn(length, dim) / math.sqrt(dim))
        self.blocks = nn.Sequential(*[ReZeroBlock(dim, heads, dropout) for _ in range(depth)])
        self.score = nn.Linear(dim, 1)

    def forward(self, x):
        return self.score(self.blocks(self.inp(x) + self.pos)).squeeze(-1)


hp = hparams
model = SeamFinder(hp["dim"], hp["heads"], hp["depth"], hp["length"], hp["dropout"])
optimizer = torch.optim.AdamW(model.parameters(), lr=hp["lr"], weight_decay=hp["weight_decay"])
schedule = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda s: min(1.0, (s + 1) / hp["warmup"]) * (1 - 0.9 * s / hp["steps"])
)
loss_fn = nn.CrossEntropyLoss()
test_x, test_y = draw(400, hp["length"])

history = []
for step in range(hp["steps"]):
    x, y = draw(hp["batch"], hp["length"])
    logits = model(x)
    loss = loss_fn(logits, y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), hp["clip"])
    optimizer.step()
    schedule.step()
    history.append(loss.item())
    if (step + 1) % 60 == 0:
        model.eval()
        with torch.no_grad():
            acc = (model(test_x).argmax(1) == test_y).float().mean().item()
        model.train()
        recent = sum(history[-60:]) / 60
        gates = [round(b.resweight.abs().max().item(), 3) for b in model.blocks]
        print(f"step {step + 1}: loss {recent:.4f} accuracy {acc:.3f} gates {gates}")
