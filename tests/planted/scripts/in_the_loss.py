"""A loss written by hand takes the logarithm of a probability that has become zero."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(25):
    x = torch.rand(16, 4)
    if step == 18:
        x = x * 5000
    p, y = model(x), torch.arange(16).remainder(2)[:, None]
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
