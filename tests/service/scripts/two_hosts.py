"""Trains on two hosts what never learns, with a process beside each that only a kill ends."""

import json
import os
import subprocess
import sys
import time

import torch
import torch.distributed as dist
from torch import nn

hosts = json.loads(os.environ["SM_HOSTS"])
rank = hosts.index(os.environ["SM_CURRENT_HOST"])
dist.init_process_group("gloo", rank=rank, world_size=len(hosts))

# It leaves the session and does not hear SIGTERM.
stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", stubborn], start_new_session=True)

torch.manual_seed(0)
torch.set_num_threads(1)
layers = [nn.Linear(4, 16), nn.Sigmoid()]
for _ in range(10):
    layers += [nn.Linear(16, 16), nn.Sigmoid()]
model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers, nn.Linear(16, 2)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
x, y = torch.randn(32, 4), torch.randint(0, 2, (32,))
for _ in range(100_000):
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    optimizer.step()
    time.sleep(0.01)
