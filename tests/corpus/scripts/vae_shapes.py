"""Convolutional VAE on small grey images of squares, discs and crosses."""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def draw_shapes(n, size=16, seed=0):
    rng = np.random.RandomState(seed)
    yy, xx = np.mgrid[:size, :size]
    images = np.zeros((n, 1, size, size), dtype=np.float32)
    for i in range(n):
        cx, cy = rng.uniform(5, size - 5, 2)
        r = rng.uniform(2.5, 4.5)
        kind = rng.randint(3)
        if kind == 0:
            mask = (abs(xx - cx) < r) & (abs(yy - cy) < r)
        elif kind == 1:
            mask = (xx - cx) ** 2 + (yy - cy) ** 2 < r * r
        else:
            mask = (abs(xx - cx) < 1.2) | (abs(yy - cy) < 1.2)
            mask &= (abs(xx - cx) < r) & (abs(yy - cy) < r)
        images[i, 0] = mask * rng.uniform(0.7, 1.0)
    return torch.from_numpy(images)


class VAE(nn.Module):
    def __init__(self, latent=12):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1),
            nn.BatchNorm2d(16),
            nn.LeakyReLU(0.2),
            nn.Conv2d(16, 32, 3, stride=2, padding=1),
            nn.BatchNorm2d(32),
            nn.LeakyReLU(0.2),
            nn.Flatten(),
        )
        self.fc_mu = nn.Linear(32 * 4 * 4, latent)
        self.fc_logvar = nn.Linear(32 * 4 * 4, latent)
        self.fc_up = nn.Linear(latent, 32 * 4 * 4)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(32, 16, 4, stride=2, padding=1),
            nn.BatchNorm2d(16),
            nn.LeakyReLU(0.2),
            nn.ConvTranspose2d(16, 1, 4, stride=2, padding=1),
        )

    def encode(self, x):
        h = self.encoder(x)
        return self.fc_mu(h), self.fc_logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def decode(self, z):
        h = F.leaky_relu(self.fc_up(z), 0.2).view(-1, 32, 4, 4)
        return self.decoder(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def vae_loss(logits, x, mu, logvar, beta):
    n = x.size(0)
    recon = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / n
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / n
    return recon + beta * kld, recon, kld


def run_epoch(model, loader, beta, optimizer=None):
    model.train(optimizer is not None)
    totals = np.zeros(3)
    for (x,) in loader:
        with torch.set_grad_enabled(optimizer is not None):
            logits, mu, logvar = model(x)
            loss, recon, kld = vae_loss(logits, x, mu, logvar, beta)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        totals += np.array([loss.item(), recon.item(), kld.item()]) * len(x)
    return totals / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--beta", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    images = draw_shapes(3000, seed=args.seed)
    train_set, val_set = TensorDataset(images[:2560]), TensorDataset(images[2560:])
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)

    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        beta = args.beta * min(1.0, epoch / 4)  # KL annealing
        tr = run_epoch(model, train_loader, beta, optimizer)
        va = run_epoch(model, val_loader, beta)
        print(f"epoch {epoch:2d} train {tr[0]:7.2f} (recon {tr[1]:.2f} kl {tr[2]:.2f}) "
              f"val {va[0]:7.2f} (recon {va[1]:.2f} kl {va[2]:.2f})")


if __name__ == "__main__":
    main()
