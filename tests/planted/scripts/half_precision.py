"""Training in a narrow type: `half_precision.py float16|bfloat16 [scaled] [small]`. "small": the
loss is so small that gradients do not fit float16 unless a scaler multiplies it."""

import sys

import torch
from torch import nn

words = sys.argv[1:]
device = torch.get_default_device().type
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-12)
scaler = torch.amp.GradScaler(device, enabled="scaled" in words)
centers = 2 * torch.randn(8, 16)
factor = 1e-4 if "small" in words else 1.0
for _ in range(80):
    y = torch.randint(0, 8, (64,))
    x = centers[y] + torch.randn(64, 16)
    with torch.autocast(device, dtype=getattr(torch, words[0])):
        logits = model(x)
    loss = factor * nn.functional.cross_entropy(logits.float(), y)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print("scale", scaler.get_scale())
