# Vanilla GAN on six Gaussians placed on a ring.
import math
import torch
from torch import nn

torch.manual_seed(3)

latent_dim = 2
batch_size = 256
steps = 300
n_modes = 6
angles = [2 * math.pi * i / n_modes for i in range(n_modes)]
centers = torch.tensor([[math.cos(a), math.sin(a)] for a in angles])


def sample_real(n):
    idx = torch.randint(0, n_modes, (n,))
    return centers[idx] + 0.15 * torch.randn(n, 2)


def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.orthogonal_(m.weight, math.sqrt(2))
        nn.init.zeros_(m.bias)


generator = nn.Sequential(
    nn.Linear(latent_dim, 128), nn.ReLU(),
    nn.Linear(128, 128), nn.ReLU(),
    nn.Linear(128, 2),
)
discriminator = nn.Sequential(
    nn.Linear(2, 128), nn.LeakyReLU(0.2),
    nn.Linear(128, 128), nn.LeakyReLU(0.2),
    nn.Linear(128, 1),
)
generator.apply(weights_init)
discriminator.apply(weights_init)

opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(discriminator.parameters(), lr=4e-3, betas=(0.5, 0.9))
criterion = nn.BCEWithLogitsLoss()
real_label = torch.ones(batch_size, 1)
fake_label = torch.zeros(batch_size, 1)


def modes_covered(n=2000):
    generator.eval()
    with torch.no_grad():
        x = generator(torch.randn(n, latent_dim))
    generator.train()
    near, idx = torch.cdist(x, centers).min(1)
    good = near < 0.4
    hits = torch.bincount(idx[good], minlength=n_modes)
    return int((hits > 0.02 * n).sum()), good.float().mean().item()


for step in range(1, steps + 1):
    # --- discriminator ---
    real = sample_real(batch_size)
    noise = torch.randn(batch_size, latent_dim)
    fake = generator(noise)
    loss_real = criterion(discriminator(real), real_label)
    loss_fake = criterion(discriminator(fake.detach()), fake_label)
    loss_d = loss_real + loss_fake
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()

    # --- generator ---
    loss_g = criterion(discriminator(fake), real_label)
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()

    if step % 25 == 0:
        modes, quality = modes_covered()
        print(f"step {step}: loss_d {loss_d.item():.3f} loss_g {loss_g.item():.3f} "
              f"modes {modes}/{n_modes} near a mode {quality:.2f}")
