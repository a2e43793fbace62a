"""Denoising diffusion (DDPM) on 8x8 images, with an EMA of the weights.

The last convolution of every residual block and of the network starts at zero, as in the
reference code.
"""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def zero_module(module):
    for p in module.parameters():
        p.detach().zero_()
    return module


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half, dtype=torch.float32) / half)
    args = t[:, None].float() * freqs[None]
    return torch.cat([torch.cos(args), torch.sin(args)], dim=-1)


class ResBlock(nn.Module):
    def __init__(self, ch, emb, dropout=0.05):
        super().__init__()
        self.norm1 = nn.GroupNorm(8, ch)
        self.conv1 = nn.Conv2d(ch, ch, 3, padding=1)
        self.emb = nn.Linear(emb, ch)
        self.norm2 = nn.GroupNorm(8, ch)
        self.drop = nn.Dropout(dropout)
        self.conv2 = zero_module(nn.Conv2d(ch, ch, 3, padding=1))

    def forward(self, x, emb):
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.emb(F.silu(emb))[:, :, None, None]
        h = self.conv2(self.drop(F.silu(self.norm2(h))))
        return x + h


class UNetish(nn.Module):
    def __init__(self, ch=32):
        super().__init__()
        self.ch = ch
        self.time = nn.Sequential(nn.Linear(ch, 2 * ch), nn.SiLU(), nn.Linear(2 * ch, 2 * ch))
        self.conv_in = nn.Conv2d(1, ch, 3, padding=1)
        self.blocks = nn.ModuleList([ResBlock(ch, 2 * ch) for _ in range(2)])
        self.norm_out = nn.GroupNorm(8, ch)
        self.conv_out = zero_module(nn.Conv2d(ch, 1, 3, padding=1))

    def forward(self, x, t):
        emb = self.time(timestep_embedding(t, self.ch))
        h = self.conv_in(x)
        for block in self.blocks:
            h = block(h, emb)
        return self.conv_out(F.silu(self.norm_out(h)))


class Diffusion:
    def __init__(self, steps=200):
        self.steps = steps
        betas = torch.linspace(1e-4, 0.04, steps)
        self.alpha_bar = torch.cumprod(1 - betas, dim=0)

    def q_sample(self, x0, t, noise):
        a = self.alpha_bar[t][:, None, None, None]
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    def loss(self, model, x0):
        t = torch.randint(0, self.steps, (x0.size(0),))
        noise = torch.randn_like(x0)
        return F.mse_loss(model(self.q_sample(x0, t, noise), t), noise)


def blobs(n, size=8):
    c = torch.rand(n, 2) * 4 + 2
    g = torch.arange(size, dtype=torch.float32)
    dy = (g[None, :, None] - c[:, 0, None, None]) ** 2
    dx = (g[None, None, :] - c[:, 1, None, None]) ** 2
    return (2 * torch.exp(-(dx + dy) / 4) - 1)[:, None]


@torch.no_grad()
def update_ema(ema, model, decay):
    for e, p in zip(ema.parameters(), model.parameters()):
        e.mul_(decay).add_(p, alpha=1 - decay)


if __name__ == "__main__":
    torch.manual_seed(0)
    train_x, val_x = blobs(4096), blobs(512)
    model = UNetish()
    ema = copy.deepcopy(model).requires_grad_(False)
    diffusion = Diffusion()
    total_steps, warmup = 320, 30
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / warmup))
    running = 0.0
    for step in range(1, total_steps + 1):
        x0 = train_x[torch.randint(0, len(train_x), (24,))]
        loss = diffusion.loss(model, x0)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        update_ema(ema, model, 0.98)
        running += loss.item()
        if step % 40 == 0:
            ema.eval()
            with torch.no_grad():
                val = diffusion.loss(ema, val_x).item()
            print(f"step {step:4d} loss {running / 40:.4f} ema val {val:.4f} "
                  f"lr {sched.get_last_lr()[0]:.1e}")
            running = 0.0
