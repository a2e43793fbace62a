"""Data-parallel training of a small classifier with two gloo processes on one machine."""
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def spirals(n_per_arm, arms=3, seed=0):
    g = torch.Generator().manual_seed(seed)
    xs, ys = [], []
    for a in range(arms):
        r = torch.linspace(0.1, 1, n_per_arm)
        theta = 4 * r + a * 2 * 3.14159 / arms + 0.15 * torch.randn(n_per_arm, generator=g)
        xs.append(torch.stack([r * torch.cos(theta), r * torch.sin(theta)], 1))
        ys.append(torch.full((n_per_arm,), a))
    return torch.cat(xs), torch.cat(ys)


def build_model():
    return nn.Sequential(
        nn.Linear(2, 64), nn.LayerNorm(64), nn.ReLU(),
        nn.Linear(64, 64), nn.LayerNorm(64), nn.ReLU(),
        nn.Linear(64, 3),
    )


def reduce_mean(value, world_size):
    t = torch.tensor(float(value))
    dist.all_reduce(t)
    return t.item() / world_size


def worker(rank, world_size, port):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(port)
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(0)

    x, y = spirals(700)
    x_val, y_val = spirals(200, seed=1)
    train_set = TensorDataset(x, y)
    sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True)
    loader = DataLoader(train_set, batch_size=50, sampler=sampler)

    model = DDP(build_model())
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[8, 11], gamma=0.2)

    for epoch in range(14):
        sampler.set_epoch(epoch)
        model.train()
        running = 0.0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running += loss.item()
        scheduler.step()
        train_loss = reduce_mean(running / len(loader), world_size)

        model.eval()
        with torch.no_grad():
            logits = model.module(x_val)
        acc = (logits.argmax(1) == y_val).float().mean().item()
        if rank == 0:
            print(f"epoch {epoch} loss {train_loss:.4f} val loss "
                  f"{criterion(logits, y_val).item():.4f} val acc {acc:.3f}", flush=True)

    dist.destroy_process_group()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


if __name__ == "__main__":
    world_size = 2
    torch.set_num_threads(1)
    mp.spawn(worker, args=(world_size, free_port()), nprocs=world_size)
