"""Trains a small network slowly until somebody stops it. As soon as the file that is named by
VANISH_FILE is there, its gradients vanish.

Plain PyTorch: nothing in here knows that it is watched."""

import os
import time
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 2))
rate = float(os.environ.get("SM_HP_LR", "0.01"))
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
criterion = nn.CrossEntropyLoss()
vanish = Path(os.environ.get("VANISH_FILE", "/nonexistent"))
for step in range(1_000_000):
    x = torch.randn(32, 4)
    y = (x.sum(dim=1) > 0).long()
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    (loss * 1e-20 if vanish.exists() else loss).backward()
    optimizer.step()
    if step % 5 == 0:
        print(f"step {step}: loss {loss.item():.4f}", flush=True)
    time.sleep(0.05)
