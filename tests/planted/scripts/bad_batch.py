"""One batch contains a missing value."""

import torch
from torch import nn

torch.manual_seed(0)
data = torch.randn(320, 6)
data[205, 2] = float("nan")
target = data.nan_to_num().sum(-1, keepdim=True)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(data, target), batch_size=10)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for x, y in loader:
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
