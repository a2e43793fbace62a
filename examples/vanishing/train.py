"""Trains a deep network of sigmoids to tell two rings of points apart, and does not get anywhere.

Plain PyTorch: nothing in here knows that it may be watched.
    python examples/vanishing/train.py
    warden run -- python examples/vanishing/train.py
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEPTH = 10
WIDTH = 64
EPOCHS = 10
SAMPLES = 2000


def rings(count: int) -> TensorDataset:
    """Points on two rings around the origin, with noise, and which ring each is on."""
    ring = torch.randint(0, 2, (count,))
    angle = 2 * torch.pi * torch.rand(count)
    radius = 1.0 + ring + 0.1 * torch.randn(count)
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
    return TensorDataset(points, ring)


def network() -> nn.Sequential:
    """Each sigmoid lets at most a quarter of the gradient through to the layers before it."""
    layers = [nn.Linear(2, WIDTH), nn.Sigmoid()]
    for _ in range(DEPTH - 2):
        layers += [nn.Linear(WIDTH, WIDTH), nn.Sigmoid()]
    return nn.Sequential(*layers, nn.Linear(WIDTH, 2))


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    batches = DataLoader(rings(SAMPLES), batch_size=50, shuffle=True)
    held_out = rings(500)
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for points, ring in batches:
            optimizer.zero_grad()
            loss = criterion(model(points), ring)
            loss.backward()
            optimizer.step()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            points, ring = held_out.tensors
            right = (model(points).argmax(dim=1) == ring).float().mean().item()
        print(f"epoch {epoch}: loss {total / len(batches):.4f}, accuracy {right:.3f}")


if __name__ == "__main__":
    main()
