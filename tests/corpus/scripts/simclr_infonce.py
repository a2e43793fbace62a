"""Contrastive pretraining (SimCLR) on coloured textures, then a nearest-centroid probe."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    seed: int = 3
    classes: int = 12
    n_images: int = 1500
    size: int = 20
    batch_size: int = 64
    epochs: int = 9
    lr: float = 1.5e-3
    temperature: float = 0.2
    proj_dim: int = 32


def build_images(cfg, g):
    y = torch.randint(0, cfg.classes, (cfg.n_images,), generator=g)
    angle = (math.pi / cfg.classes) * y + 0.04 * torch.randn(cfg.n_images, generator=g)
    freq = 0.7 + 0.6 * torch.rand(cfg.n_images, generator=g)
    yy, xx = torch.meshgrid(torch.arange(cfg.size).float(), torch.arange(cfg.size).float(), indexing="ij")
    u = torch.cos(angle)[:, None, None] * xx + torch.sin(angle)[:, None, None] * yy
    x = torch.sin(freq[:, None, None] * u)[:, None].repeat(1, 3, 1, 1)
    tint = torch.rand(cfg.n_images, 3, 1, 1, generator=g)
    return x * (0.4 + tint) + 0.2 * torch.randn(x.shape, generator=g), y


def augment(x):
    dy, dx = torch.randint(-6, 7, (2,)).tolist()
    x = torch.roll(x, (dy, dx), dims=(2, 3))
    gain = 0.8 + 0.4 * torch.rand(len(x), 1, 1, 1)
    gray = (torch.rand(len(x), 1, 1, 1) < 0.2).float()
    x = gray * x.mean(1, keepdim=True) + (1 - gray) * x
    return gain * x + 0.3 * torch.randn_like(x)


class SimCLR(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(3, 16, 5, stride=2, padding=2), nn.BatchNorm2d(16), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        )
        self.projector = nn.Sequential(
            nn.Linear(128, 64, bias=False), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, cfg.proj_dim)
        )

    def forward(self, x):
        h = self.encoder(x)
        z = self.projector(h)
        return h, F.normalize(z, dim=1)


def info_nce(z1, z2, temperature):
    n = len(z1)
    z = torch.cat([z1, z2])
    sim = z @ z.t() / temperature
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)
    target = (torch.arange(2 * n) + n) % (2 * n)
    loss = F.cross_entropy(sim, target)
    top1 = (sim.argmax(1) == target).float().mean().item()
    return loss, top1


@torch.no_grad()
def probe(model, x, y, classes):
    model.eval()
    h = F.normalize(torch.cat([model(b)[0] for b in x.split(250)]), dim=1)
    half = len(h) // 2
    centroids = torch.stack([h[:half][y[:half] == c].mean(0) for c in range(classes)])
    return ((h[half:] @ F.normalize(centroids, dim=1).t()).argmax(1) == y[half:]).float().mean().item()


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    images, labels = build_images(cfg, torch.Generator().manual_seed(cfg.seed))
    model = SimCLR(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=1e-5)
    steps_per_epoch = cfg.n_images // cfg.batch_size
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=cfg.epochs * steps_per_epoch)
    print(f"probe before training: {probe(model, images, labels, cfg.classes):.3f}")
    for epoch in range(cfg.epochs):
        model.train()
        perm = torch.randperm(cfg.n_images)
        mean_loss = mean_top1 = 0.0
        for i in range(steps_per_epoch):
            x = images[perm[i * cfg.batch_size:(i + 1) * cfg.batch_size]]
            _, z1 = model(augment(x))
            _, z2 = model(augment(x))
            loss, top1 = info_nce(z1, z2, cfg.temperature)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            mean_loss += loss.item() / steps_per_epoch
            mean_top1 += top1 / steps_per_epoch
        print(f"epoch {epoch} nt-xent {mean_loss:.4f} top1 {mean_top1:.3f} probe {probe(model, images, labels, cfg.classes):.3f}")


if __name__ == "__main__":
    main()
