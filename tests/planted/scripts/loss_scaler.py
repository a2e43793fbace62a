"""Mixed precision with a scaler whose first scale is far too large. From step 60 on, the loss or a
gradient is NaN if that is asked for; "fused" lets the optimizer leave out steps on its own."""

import sys

import torch
from torch import nn

FROM = 60


class Length(nn.Module):
    factor = 1

    def forward(self, x):
        x = self.factor * x
        return (x * x).sum(-1, keepdim=True).sqrt()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 32)
        self.second = nn.Linear(32, 32)
        self.last = nn.Linear(32, 2)
        self.side = nn.Linear(2, 4, bias=False)
        self.length = Length()

    def forward(self, x, z):
        hidden = torch.relu(self.second(torch.relu(self.first(x))))
        return self.last(hidden) + 0.01 * self.length(self.side(z))


faults = sys.argv[1:]
device = torch.get_default_device().type
torch.manual_seed(0)
model = Net()
fused = {"fused": True} if "fused" in faults else {}
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, **fused)
scaler = torch.amp.GradScaler(device, init_scale=2.0**30)
for step in range(120):
    x = torch.randn(64, 2)
    y = (x[:, 0] * x[:, 1] > 0).long()
    z = torch.randn(64, 2)
    model.length.factor = 0 if "gradient" in faults and step >= FROM else 1
    with torch.autocast(device, dtype=torch.float16):
        logits = model(x, z)
    loss = nn.functional.cross_entropy(logits.float(), y)
    if "loss" in faults and step >= FROM:
        loss = loss * torch.log(-loss.detach())
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    scaler.step(optimizer)
    scaler.update()
print("scale", scaler.get_scale())
