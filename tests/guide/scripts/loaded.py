"""Trains on what a loader of PyTorch reads, with a hook: twelve steps, some of them profiled."""

import torch
from torch.utils.data import DataLoader, TensorDataset

import smdebug.pytorch as smd

torch.manual_seed(0)
torch.set_num_threads(1)
hook = smd.get_hook(create_if_not_exists=True)
model, criterion = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()), torch.nn.MSELoss()
hook.register_module(model)
hook.register_loss(criterion)
hook.set_mode(smd.modes.TRAIN)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = TensorDataset(torch.randn(48, 4), torch.rand(48, 8))
for inputs, labels in DataLoader(data, batch_size=4):
    optimizer.zero_grad()
    criterion(model(inputs), labels).backward()
    optimizer.step()
hook.close()
