"""A norm without epsilon divides a sample of zeros by its length."""

import torch
from torch import nn


class UnitNorm(nn.Module):
    def forward(self, x):
        return x / x.norm(dim=-1, keepdim=True)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = UnitNorm()
        self.linear = nn.Linear(12, 12)

    def forward(self, x):
        return x + self.linear(self.norm(x))


torch.manual_seed(0)
model = nn.Sequential(Layer(), Layer(), nn.Linear(12, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(20):
    x = torch.randn(8, 12)
    if step == 9:
        x[5] = 0
    loss = nn.functional.cross_entropy(model(x), torch.randint(0, 2, (8,)))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
