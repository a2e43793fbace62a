"""The gradient of a square root at zero, inside of a block that is checkpointed."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Length(nn.Module):
    def forward(self, x):
        return (x * x).sum(-1, keepdim=True).sqrt() + x


class Block(nn.Module):
    def __init__(self, after):
        super().__init__()
        self.linear = nn.Linear(8, 8, bias=False)
        self.after = after

    def forward(self, x):
        return self.after(self.linear(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(8, 8, bias=False)
        self.blocks = nn.ModuleList([Block(nn.Tanh()), Block(Length()), Block(nn.Tanh())])
        self.leave = nn.Linear(8, 1)

    def forward(self, x):
        x = self.enter(x)
        for number, block in enumerate(self.blocks):
            x = checkpoint(block, x, use_reentrant=number == 1)
        return self.leave(x)


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=1e-3)
for step in range(18):
    x = torch.randn(8, 8)
    if step == 10:
        x[2] = 0
    loss = net(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
