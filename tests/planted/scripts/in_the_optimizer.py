"""Adam without epsilon: a parameter whose first gradient is zero is divided by zero."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(5, 5)
        self.extra = nn.Linear(5, 1, bias=False).requires_grad_(False)

    def forward(self, x):
        y = self.linear(x)
        return y.sum(-1, keepdim=True) + self.extra(y * 0)


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), eps=0)
for step in range(20):
    if step == 14:
        net.extra.requires_grad_(True)
    loss = (net(torch.randn(16, 5)) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
