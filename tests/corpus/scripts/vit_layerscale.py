# Tiny Vision Transformer with LayerScale and stochastic depth, trained from scratch.
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--depth", type=int, default=3)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--patch", type=int, default=6)
    p.add_argument("--steps", type=int, default=400)
    p.add_argument("--bs", type=int, default=32)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--wd", type=float, default=0.05)
    p.add_argument("--warmup", type=int, default=40)
    return p.parse_args()


def sample_batch(n, g):
    """A small striped patch somewhere on a noisy field; the class is the direction of the stripes."""
    label = torch.randint(0, 6, (n,), generator=g)
    center = 5 + 14 * torch.rand(n, 2, generator=g)
    phase = 2 * math.pi * torch.rand(n, generator=g)
    yy, xx = torch.meshgrid(torch.arange(24.0), torch.arange(24.0), indexing="ij")
    angle = label * math.pi / 6
    u = torch.cos(angle)[:, None, None] * xx + torch.sin(angle)[:, None, None] * yy
    window = torch.exp(-((yy - center[:, :1, None]) ** 2 + (xx - center[:, 1:, None]) ** 2) / 30)
    img = 0.6 * torch.randn(n, 3, 24, 24, generator=g)
    img += (1.5 * torch.sin(1.3 * u + phase[:, None, None]) * window)[:, None]
    return img, label


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=True)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-2, -1)) / math.sqrt(d // self.heads)
        attn = attn.softmax(dim=-1)
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, d))


class LayerScale(nn.Module):
    def __init__(self, dim, init=1e-2):
        super().__init__()
        self.gamma = nn.Parameter(init * torch.ones(dim))

    def forward(self, x):
        return x * self.gamma


class Block(nn.Module):
    def __init__(self, dim, heads, drop_path):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn = Attention(dim, heads)
        self.ls1 = LayerScale(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.ls2 = LayerScale(dim)
        self.drop_path = drop_path

    def skip(self, y):
        if not self.training or self.drop_path == 0:
            return y
        keep = 1 - self.drop_path
        return y * torch.bernoulli(torch.full((y.shape[0], 1, 1), keep)) / keep

    def forward(self, x):
        x = x + self.skip(self.ls1(self.attn(self.norm1(x))))
        return x + self.skip(self.ls2(self.mlp(self.norm2(x))))


class ViT(nn.Module):
    def __init__(self, a, classes=6):
        super().__init__()
        self.patch_embed = nn.Conv2d(3, a.dim, a.patch, a.patch)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, a.dim))
        self.pos_embed = nn.Parameter(0.02 * torch.randn(1, (24 // a.patch) ** 2 + 1, a.dim))
        self.blocks = nn.ModuleList([Block(a.dim, a.heads, 0.05 * i / a.depth) for i in range(a.depth)])
        self.norm = nn.LayerNorm(a.dim)
        self.head = nn.Linear(a.dim, classes)

    def forward(self, x):
        x = self.patch_embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], 1) + self.pos_embed
        for blk in self.blocks:
            x = blk(x)
        return self.head(self.norm(x)[:, 0])


if __name__ == "__main__":
    args = get_args()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    pool_x, pool_y = sample_batch(4000, g)
    val_x, val_y = sample_batch(400, g)
    model = ViT(args)
    decay = [p for n, p in model.named_parameters() if p.ndim > 1 and "token" not in n and "pos" not in n]
    no_decay = [p for n, p in model.named_parameters() if not (p.ndim > 1 and "token" not in n and "pos" not in n)]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": args.wd}, {"params": no_decay, "weight_decay": 0.0}], lr=args.lr)

    for it in range(args.steps):
        lr = args.lr * min((it + 1) / args.warmup, 0.5 * (1 + math.cos(math.pi * it / args.steps)))
        for group in opt.param_groups:
            group["lr"] = lr
        idx = torch.randint(0, len(pool_x), (args.bs,))
        model.train()
        loss = F.cross_entropy(model(pool_x[idx]), pool_y[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if (it + 1) % 50 == 0:
            model.eval()
            with torch.no_grad():
                logits = model(val_x)
            acc = (logits.argmax(1) == val_y).float().mean()
            print(f"it {it + 1} lr {lr:.2e} train {loss.item():.4f} val {F.cross_entropy(logits, val_y).item():.4f} acc {acc.item():.3f}")
