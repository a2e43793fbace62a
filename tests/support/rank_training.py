"""A data-parallel training of several processes: python rank_training.py SIZE FAULT...

Faults are rank:slow, which sleeps in each step, and rank:apart, whose weights are changed once.
"""

import os
import subprocess
import sys
import tempfile
import time
from datetime import timedelta

STEPS = 40
SLEEP = 0.1
APART_AT = 4


def launch(size: int, faults: list[str]) -> int:
    """Starts all ranks as torchrun does, which does not work in some distributions."""
    with tempfile.TemporaryDirectory() as folder:
        shared = {"WORLD_SIZE": str(size), "MEETING": f"file://{folder}/store"}
        ranks = [
            subprocess.Popen(
                [sys.executable, __file__, str(size), *faults],
                env={**os.environ, **shared, "RANK": str(rank)},
            )
            for rank in range(size)
        ]
        return max(abs(rank.wait()) for rank in ranks)


def train(faults: list[str]) -> None:
    import torch
    import torch.distributed as dist
    from torch import nn

    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo",
        init_method=os.environ["MEETING"],
        rank=rank,
        world_size=size,
        timeout=timedelta(minutes=5),
    )
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    model = nn.parallel.DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    torch.manual_seed(rank)
    x, y = torch.randn(32, 8), torch.randint(0, 3, (32,))
    for step in range(STEPS):
        if f"{rank}:slow" in faults:
            time.sleep(SLEEP)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        if f"{rank}:apart" in faults and step == APART_AT:
            with torch.no_grad():
                net[0].weight[0] += 1
    dist.destroy_process_group()


if __name__ == "__main__":
    if "RANK" in os.environ:
        train(sys.argv[2:])
    else:
        sys.exit(launch(int(sys.argv[1]), sys.argv[2:]))
