"""A gate takes the logarithm of a sum that is zero for one empty sample."""

import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        return torch.log(x.abs().sum(-1, keepdim=True)) * x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16, bias=False)
        self.gate = Gate()
        self.last = nn.Linear(16, 3)

    def forward(self, x):
        return self.last(self.gate(self.first(x).relu()))


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.Adam(net.parameters())
criterion = nn.CrossEntropyLoss()
for step in range(30):
    x = torch.randn(16, 8)
    if step == 15:
        x[3] = 0
    loss = criterion(net(x), torch.randint(0, 3, (16,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
