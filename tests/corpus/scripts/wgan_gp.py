"""WGAN-GP (Gulrajani et al. 2017) on tiny images of stripes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CONFIG = dict(
    seed=0,
    z_dim=32,
    img=8,
    batch=48,
    n_critic=2,
    gp_weight=10.0,
    lr=2e-3,
    betas=(0.5, 0.9),
    iterations=200,
)


class StripeDataset(torch.utils.data.IterableDataset):
    """Images of a horizontal or vertical bar with values in [-1, 1]."""

    def __init__(self, size, n):
        self.size, self.n = size, n

    def __iter__(self):
        for _ in range(self.n):
            img = -torch.ones(1, self.size, self.size)
            pos = int(torch.randint(1, self.size - 2, ()))
            if torch.rand(()) < 0.5:
                img[:, pos:pos + 2, :] = 1.0
            else:
                img[:, :, pos:pos + 2] = 1.0
            yield (img + 0.05 * torch.randn_like(img)).clamp(-1, 1)


class Generator(nn.Module):
    def __init__(self, z_dim):
        super().__init__()
        self.project = nn.Linear(z_dim, 32 * 2 * 2)
        self.bn0 = nn.BatchNorm2d(32)
        self.up1 = nn.ConvTranspose2d(32, 32, 4, 2, 1)
        self.bn1 = nn.BatchNorm2d(32)
        self.up2 = nn.ConvTranspose2d(32, 1, 4, 2, 1)

    def forward(self, z):
        h = F.relu(self.bn0(self.project(z).view(-1, 32, 2, 2)))
        h = F.relu(self.bn1(self.up1(h)))
        return torch.tanh(self.up2(h))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 32, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(32, 32, 4, 2, 1), nn.LeakyReLU(0.2),
        )
        self.out = nn.Linear(32 * 2 * 2, 1)

    def forward(self, x):
        return self.out(self.body(x).flatten(1))


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1, 1, 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = torch.autograd.grad(score.sum(), mixed, create_graph=True)
    return ((grad.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


def batches(loader):
    while True:
        for x in loader:
            yield x


def main(cfg):
    torch.manual_seed(cfg["seed"])
    data = StripeDataset(cfg["img"], 4096)
    loader = torch.utils.data.DataLoader(data, batch_size=cfg["batch"], drop_last=True)
    stream = batches(loader)
    G, D = Generator(cfg["z_dim"]), Critic()
    opt_G = torch.optim.Adam(G.parameters(), lr=cfg["lr"], betas=cfg["betas"])
    opt_D = torch.optim.Adam(D.parameters(), lr=cfg["lr"], betas=cfg["betas"])

    for it in range(cfg["iterations"]):
        for _ in range(cfg["n_critic"]):
            real = next(stream)
            with torch.no_grad():
                fake = G(torch.randn(cfg["batch"], cfg["z_dim"]))
            opt_D.zero_grad()
            wasserstein = D(real).mean() - D(fake).mean()
            penalty = gradient_penalty(D, real, fake)
            loss_D = -wasserstein + cfg["gp_weight"] * penalty
            loss_D.backward()
            opt_D.step()

        opt_G.zero_grad()
        fake = G(torch.randn(cfg["batch"], cfg["z_dim"]))
        loss_G = -D(fake).mean()
        loss_G.backward()
        opt_G.step()

        if (it + 1) % 10 == 0:
            with torch.no_grad():
                rows, cols = fake.std(dim=3), fake.std(dim=2)
                flat = torch.min(rows.mean(dim=(1, 2)), cols.mean(dim=(1, 2))).mean()
            print(f"[{it + 1:4d}] critic {loss_D.item():8.3f} W {wasserstein.item():7.3f} "
                  f"gp {penalty.item():.3f} mean pixel real {real.mean().item():.2f} "
                  f"fake {fake.mean().item():.2f} variation along the bar {flat.item():.3f}")


if __name__ == "__main__":
    main(CONFIG)
