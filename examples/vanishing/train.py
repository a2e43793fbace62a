"""Trains a deep sigmoid network to separate two rings of points. It does not learn.

Plain PyTorch: the script does not use Tensorwarden.
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
    """Noisy points on two rings around the origin, and the ring of each point."""
    ring = torch.randint(0, 2, (count,))
    angle = 2 * torch.pi * torch.rand(count)
    radius = 1.0 + ring + 0.1 * torch.randn(count)
    points = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
    return TensorDataset(points, ring)


def network() -> nn.Sequential:
    """Each sigmoid passes at most a quarter of the gradient on to the layers before it."""
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
