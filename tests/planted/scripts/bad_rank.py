"""Two processes; in the second one a sample of zeros is divided by its length."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(6, 8, bias=False)
        self.scale = Scale()
        self.outer = nn.Linear(8, 2)

    def forward(self, x):
        return self.outer(self.scale(self.inner(x)))


class Scale(nn.Module):
    def forward(self, x):
        return x / x.abs().sum(-1, keepdim=True)


dist.init_process_group("gloo")
torch.manual_seed(0)
torch.set_num_threads(1)
model = DistributedDataParallel(Net())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(dist.get_rank())
for step in range(20):
    x = torch.randn(8, 6)
    if dist.get_rank() == 1 and step == 11:
        x[0] = 0
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), torch.randint(0, 2, (8,))).backward()
    optimizer.step()
dist.destroy_process_group()
