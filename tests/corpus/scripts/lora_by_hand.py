"""Adapt a frozen transformer with low-rank updates (LoRA) written by hand.

Stage 1 trains a small transformer on one task, stage 2 freezes it and trains only the LoRA
matrices (A random, B zero) and a new head on a related task.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(11)
VOCAB, LENGTH, DIM = 24, 12, 48


def make_task(n, topic_of, topics, seed):
    """Each sequence has a topic; about half of its tokens belong to that topic."""
    g = torch.Generator().manual_seed(seed)
    groups = torch.stack([torch.tensor([t for t in range(VOCAB) if topic_of(t) == k])
                          for k in range(topics)])
    y = torch.randint(0, topics, (n,), generator=g)
    noise = torch.randint(0, VOCAB, (n, LENGTH), generator=g)
    choice = torch.randint(0, groups.size(1), (n, LENGTH), generator=g)
    on_topic = torch.rand(n, LENGTH, generator=g) < 0.5
    return torch.where(on_topic, groups[y].gather(1, choice), noise), y


class Block(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.query, self.key = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.value, self.proj = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.fc1, self.fc2 = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)
        self.heads = heads

    def split(self, t):
        b, n, d = t.shape
        return t.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x):
        h = self.norm1(x)
        q, k, v = self.split(self.query(h)), self.split(self.key(h)), self.split(self.value(h))
        att = (q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))).softmax(-1)
        x = x + self.proj((att @ v).transpose(1, 2).flatten(2))
        return x + self.fc2(F.gelu(self.fc1(self.norm2(x))))


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, DIM)
        self.pos = nn.Parameter(0.1 * torch.randn(1, LENGTH, DIM))
        self.blocks = nn.ModuleList([Block(DIM) for _ in range(2)])
        self.norm = nn.LayerNorm(DIM)
        self.head = nn.Linear(DIM, classes)

    def forward(self, x):
        h = self.tok(x) + self.pos
        for block in self.blocks:
            h = block(h)
        return self.head(self.norm(h).mean(1))


class LoRALinear(nn.Module):
    def __init__(self, base, rank=8, alpha=16):
        super().__init__()
        self.base = base
        self.lora_A = nn.Parameter(torch.empty(rank, base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        self.scaling = alpha / rank

    def forward(self, x):
        return self.base(x) + F.linear(F.linear(x, self.lora_A), self.lora_B) * self.scaling


def fit(model, optimizer, x, y, epochs, name, batch=40):
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(x)).split(batch):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        print(f"{name} epoch {epoch}: loss {total / len(x):.4f}")


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


model = Net(classes=3)
x, y = make_task(2000, lambda t: t // 8, 3, seed=1)
fit(model, torch.optim.Adam(model.parameters(), lr=2e-3), x, y, epochs=3, name="pretrain")

for p in model.parameters():
    p.requires_grad = False
model.head = nn.Linear(DIM, 4)
for block in model.blocks:
    for name in ("query", "value", "fc1", "fc2"):
        setattr(block, name, LoRALinear(getattr(block, name)))

trainable = [p for p in model.parameters() if p.requires_grad]
total = sum(p.numel() for p in model.parameters())
print("trainable", sum(p.numel() for p in trainable), "of", total)
x, y = make_task(2000, lambda t: t % 4, 4, seed=2)
xt, yt = make_task(500, lambda t: t % 4, 4, seed=3)
optimizer = torch.optim.AdamW(trainable, lr=5e-3)
fit(model, optimizer, x, y, epochs=6, name="adapt")
print(f"test accuracy {accuracy(model, xt, yt):.3f}")
