"""Trains on all hosts what never learns; the last host is slower than the others."""

import json
import os
import time

import torch
import torch.distributed as dist
from torch import nn

hosts = json.loads(os.environ["SM_HOSTS"])
rank = hosts.index(os.environ["SM_CURRENT_HOST"])
dist.init_process_group("gloo", rank=rank, world_size=len(hosts))
torch.manual_seed(0)
torch.set_num_threads(1)
layers = [nn.Linear(4, 16), nn.Sigmoid()]
for _ in range(10):
    layers += [nn.Linear(16, 16), nn.Sigmoid()]
model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers, nn.Linear(16, 2)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
x, y = torch.randn(32, 4), torch.randint(0, 2, (32,))
print("begun", flush=True)
for _ in range(100_000):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    time.sleep(0.1 if rank == len(hosts) - 1 else 0.01)
    loss.backward()
    optimizer.step()
