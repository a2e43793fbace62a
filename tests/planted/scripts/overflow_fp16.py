"""Squared ReLU in float16: a batch of large, finite values overflows in the second block."""

import torch
from torch import nn


class SquaredReLU(nn.Module):
    def forward(self, x):
        return x.relu() * x.relu()


class Block(nn.Module):
    def __init__(self, gain):
        super().__init__()
        self.up = nn.Linear(16, 16)
        self.act = SquaredReLU()
        self.gain = gain

    def forward(self, x):
        return self.act(self.up(x) * self.gain)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 16), Block(1.0), Block(8.0), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for step in range(25):
    x = torch.randn(32, 16) * (30.0 if step == 12 else 0.5)
    with torch.autocast(x.device.type, dtype=torch.float16):
        loss = model(x).float().square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
