"""Adds up the ranks of all processes, as plain torch.distributed does it."""

import os
import socket

import torch
import torch.distributed as dist

first = socket.gethostbyname("algo-1") if os.environ["SM_MODEL_DIR"].startswith("/opt/ml") else ""
dist.init_process_group("gloo")
total = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(total)
print(f"rank {dist.get_rank()} of {dist.get_world_size()}: {total.item()} {first}", flush=True)
dist.destroy_process_group()
