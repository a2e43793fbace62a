"""One of two replicas of a model that exchange gradients: python replicas.py FOLDER FAULTY

RANK and WORLD_SIZE say which one it is. The fault: the second leaves its gradients as they are from
the fourth step on."""

import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from trainings import Loop, blobs, relu_net

FAULT_AT = 4


class Replica(Loop):
    def __init__(self, folder, model):
        super().__init__(folder, model, lr=0.1, workers="all")

    def step(self, x, y, exchange=True):
        self.optimizer.zero_grad()
        self.loss(self.model(x), y).backward()
        for parameter in self.model.parameters():
            total = parameter.grad.clone()
            dist.all_reduce(total)
            if exchange:
                parameter.grad.copy_(total / dist.get_world_size())
        self.optimizer.step()


def main():
    folder, faulty = sys.argv[1], sys.argv[2] == "faulty"
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model: nn.Module = relu_net()
    x, y = blobs(seed=rank)
    with Replica(folder, model) as loop:
        for step in range(10):
            # What is saved at a step are the weights that it begins with.
            alone = faulty and rank == 1 and step >= FAULT_AT - 1
            loop.step(x, y, exchange=not alone)
        dist.barrier()


if __name__ == "__main__":
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    main()
