"""A learning rate far too high: values grow by orders of magnitude until float32 ends."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=3.0)
for _ in range(20):
    x = torch.randn(64, 10)
    loss = nn.functional.mse_loss(model(x), x.sum(-1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
