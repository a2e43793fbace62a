"""Trains in processes that mpirun starts; they find each other by its variables."""

import os

import torch
import torch.distributed as dist

import smdebug.pytorch as smd

rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
world = int(os.environ["OMPI_COMM_WORLD_SIZE"])
os.environ.setdefault("MASTER_PORT", "29511")
dist.init_process_group("gloo", rank=rank, world_size=world)
total = torch.tensor([float(rank + 1)])
dist.all_reduce(total)
node = os.environ.get("SLURMD_NODENAME", "")
print(f"rank {rank} of {world}: {total.item()} {node}", flush=True)

torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
hook = smd.Hook.create_from_json_file()
hook.register_module(model)
for _ in range(3):
    loss = model(torch.ones(2, 4)).square().mean()
    hook.record_loss("loss", loss)
    loss.backward()
hook.close()
dist.destroy_process_group()
