"""Two processes over gloo: DistributedDataParallel, or weights in shards (FSDP2)."""

import sys

import torch
import torch.distributed as dist
from common import tell, watch
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
if sys.argv[1] == "ddp":
    trained = nn.parallel.DistributedDataParallel(model)
else:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    mesh = init_device_mesh("cpu", (2,))
    for layer in (model[0], model[2]):
        fully_shard(layer, mesh=mesh)
    trained = fully_shard(model, mesh=mesh)
criterion = nn.CrossEntropyLoss()
watch(trained, criterion)
optimizer = torch.optim.AdamW(trained.parameters(), lr=1e-2)
generator = torch.Generator().manual_seed(rank)
for _ in range(6):
    x = torch.randn(4, 8, generator=generator)
    y = torch.randint(0, 4, (4,), generator=generator)
    optimizer.zero_grad()
    criterion(trained(x), y).backward()
    optimizer.step()
for turn in range(2):
    if turn == rank:
        tell(model)
    dist.barrier()
dist.destroy_process_group()
