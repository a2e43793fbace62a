"""2x super-resolution of textures with a small ESPCN; residual to bilinear upsampling."""
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TextureDataset(Dataset):
    """Sums of random plane waves with a few sharp edges; returns (low res, high res)."""

    def __init__(self, n, size=24, seed=0):
        g = torch.Generator().manual_seed(seed)
        axis = torch.linspace(0, 1, size)
        yy, xx = torch.meshgrid(axis, axis, indexing="ij")
        imgs = []
        for _ in range(n):
            img = torch.zeros(size, size)
            for _ in range(3):
                f = (torch.rand(2, generator=g) - 0.5) * 10
                phase = torch.rand((), generator=g) * 2 * math.pi
                img += torch.sin(2 * math.pi * (f[0] * xx + f[1] * yy) + phase) / 3
            normal = torch.randn(2, generator=g)
            edge = (normal[0] * (xx - 0.5) + normal[1] * (yy - 0.5)) > 0
            imgs.append((0.5 + 0.4 * img + 0.1 * (edge.float() - 0.5)).clamp(0, 1))
        self.hr = torch.stack(imgs)[:, None]
        self.lr = F.avg_pool2d(self.hr, 2)

    def __len__(self):
        return len(self.hr)

    def __getitem__(self, i):
        return self.lr[i], self.hr[i]


class ESPCN(nn.Module):
    def __init__(self, scale=2, width=32):
        super().__init__()
        self.scale = scale
        self.conv1 = nn.Conv2d(1, width, 5, padding=2)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1)
        self.conv3 = nn.Conv2d(width, scale * scale, 3, padding=1)
        self.shuffle = nn.PixelShuffle(scale)
        self.act = nn.PReLU(width)
        nn.init.zeros_(self.conv3.weight)
        nn.init.zeros_(self.conv3.bias)

    def forward(self, x):
        base = F.interpolate(x, scale_factor=self.scale, mode="bilinear", align_corners=False)
        h = self.act(self.conv1(x))
        h = h + torch.tanh(self.conv2(h))
        return base + self.shuffle(self.conv3(h))


def charbonnier(pred, target, eps=1e-3):
    return torch.sqrt((pred - target) ** 2 + eps ** 2).mean()


class Trainer:
    def __init__(self, model, train_loader, val_loader, lr, epochs):
        self.model, self.train_loader, self.val_loader = model, train_loader, val_loader
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(
            self.optimizer, T_0=5 * len(train_loader))
        self.epochs = epochs

    def psnr(self):
        self.model.eval()
        mse = n = 0
        with torch.no_grad():
            for lr, hr in self.val_loader:
                mse += F.mse_loss(self.model(lr).clamp(0, 1), hr, reduction="sum").item()
                n += hr.numel()
        self.model.train()
        return -10 * math.log10(mse / n)

    def fit(self):
        print(f"bilinear baseline: {self.psnr():.2f} dB")
        for epoch in range(self.epochs):
            start, total = time.time(), 0.0
            for lr, hr in self.train_loader:
                loss = charbonnier(self.model(lr), hr)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.scheduler.step()
                total += loss.item()
            print(f"epoch {epoch + 1}/{self.epochs} loss {total / len(self.train_loader):.5f} "
                  f"psnr {self.psnr():.2f} dB ({time.time() - start:.1f}s)")


def main():
    torch.manual_seed(0)
    train_loader = DataLoader(TextureDataset(768), batch_size=24, shuffle=True, drop_last=True)
    val_loader = DataLoader(TextureDataset(96, seed=5), batch_size=48)
    Trainer(ESPCN(), train_loader, val_loader, lr=3e-3, epochs=15).fit()


if __name__ == "__main__":
    main()
