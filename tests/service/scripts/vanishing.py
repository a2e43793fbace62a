"""Trains a deep network of sigmoids, which learns nothing, until somebody stops it.

Plain PyTorch: nothing in here knows that it is watched."""

import argparse
import time

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=100_000)
parser.add_argument("--depth", type=int, default=10)
options = parser.parse_args()

torch.manual_seed(0)
torch.set_num_threads(1)
layers = [nn.Linear(4, 16), nn.Sigmoid()]
for _ in range(options.depth):
    layers += [nn.Linear(16, 16), nn.Sigmoid()]
model = nn.Sequential(*layers, nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
x, y = torch.randn(32, 4), torch.randint(0, 2, (32,))
for step in range(options.steps):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(f"step {step}: loss {loss.item():.4f}", flush=True)
    time.sleep(0.01)
