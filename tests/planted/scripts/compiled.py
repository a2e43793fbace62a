"""exp overflows in the middle of a compiled model."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(4, 8)
        self.middle = Middle()
        self.leave = nn.Linear(8, 1)

    def forward(self, x):
        return self.leave(self.middle(self.enter(x)))


class Middle(nn.Module):
    def forward(self, x):
        return x / (1 + x.exp()) - x.exp()


torch.manual_seed(0)
model = torch.compile(Net(), backend="aot_eager")
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for step in range(20):
    x = torch.randn(16, 4) * (300.0 if step == 13 else 1.0)
    loss = model(x).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
