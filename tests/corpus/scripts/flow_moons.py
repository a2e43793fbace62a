# RealNVP on two moons. Affine couplings with a zero-initialised last layer, learnt log scale.
import argparse
import math
import time

import torch
from torch import nn, optim


def two_moons(n, noise=0.07):
    t = math.pi * torch.rand(n)
    upper = torch.rand(n) < 0.5
    x = torch.where(upper, torch.cos(t), 1 - torch.cos(t))
    y = torch.where(upper, torch.sin(t), 0.5 - torch.sin(t))
    pts = torch.stack([x - 0.5, y - 0.25], 1)
    return pts + noise * torch.randn(n, 2)


class Coupling(nn.Module):
    def __init__(self, hidden, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(
            nn.Linear(1, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh(),
            nn.Linear(hidden, 2),
        )
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)
        self.scale = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        a, b = x.chunk(2, dim=1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, dim=1)
        s = torch.tanh(s) * self.scale.exp()
        b = b * s.exp() + t
        out = torch.cat([b, a] if self.flip else [a, b], dim=1)
        return out, s.sum(1)


class RealNVP(nn.Module):
    def __init__(self, layers=6, hidden=48):
        super().__init__()
        self.couplings = nn.ModuleList([Coupling(hidden, i % 2 == 1) for i in range(layers)])
        self.register_buffer("log_z", torch.tensor(math.log(2 * math.pi)))

    def log_prob(self, x):
        log_det = torch.zeros(x.size(0))
        for layer in self.couplings:
            x, ld = layer(x)
            log_det = log_det + ld
        return -0.5 * (x ** 2).sum(1) - self.log_z + log_det


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=500)
    ap.add_argument("--batch", type=int, default=192)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--log-every", type=int, default=50)
    args = ap.parse_args()
    torch.manual_seed(7)

    held_out = two_moons(2000)
    flow = RealNVP()
    optimizer = optim.Adam(flow.parameters(), lr=args.lr, weight_decay=1e-6)
    scheduler = optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.steps)
    start = time.time()
    for step in range(args.steps):
        optimizer.zero_grad(set_to_none=True)
        loss = -flow.log_prob(two_moons(args.batch)).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        optimizer.step()
        scheduler.step()
        if (step + 1) % args.log_every == 0:
            flow.eval()
            with torch.no_grad():
                nll = -flow.log_prob(held_out).mean().item()
            flow.train()
            print(f"step {step + 1} nll {loss.item():.3f} held-out {nll:.3f} "
                  f"lr {scheduler.get_last_lr()[0]:.5f} {time.time() - start:.1f}s", flush=True)


if __name__ == "__main__":
    main()
