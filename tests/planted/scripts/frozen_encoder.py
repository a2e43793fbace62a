"""A frozen encoder, outside of the trained model, divides by the deviation of a constant."""

import torch
from torch import nn


class Standardize(nn.Module):
    def forward(self, x):
        return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)


torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(6, 8, bias=False), nn.Sequential(Standardize(), nn.Linear(8, 8)))
encoder.requires_grad_(False).eval()
head = nn.Linear(8, 2)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(60):
    x = torch.randn(8, 6)
    if step == 48:
        x[7] = 0
    with torch.no_grad():
        features = encoder(x)
    loss = nn.functional.cross_entropy(head(features), torch.randint(0, 2, (8,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
