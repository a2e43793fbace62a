"""Trains a small network; a batch of NaN comes at a step, and everything after it is NaN too.

Plain PyTorch: nothing in here knows that it is watched."""

import argparse
import time

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--nan-at", type=int, default=12)
parser.add_argument("--steps", type=int, default=40)
options = parser.parse_args()

torch.manual_seed(0)
torch.set_num_threads(1)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for step in range(options.steps):
    x, y = torch.randn(32, 4), torch.randint(0, 2, (32,))
    if step == options.nan_at:
        x[3, 1] = float("nan")
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}", flush=True)
    time.sleep(0.05)
