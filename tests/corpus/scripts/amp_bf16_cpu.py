"""Mixed precision on the CPU: forward in bfloat16 under autocast, weights and optimizer in float32."""
import os
import tempfile
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

CONFIG = {
    "amp": True,
    "batch_size": 32,
    "accum_steps": 2,
    "epochs": 10,
    "lr": 0.01,
    "max_grad_norm": 2.0,
    "seed": 17,
}


def depthwise_block(cin, cout, stride):
    return nn.Sequential(
        nn.Conv2d(cin, cin, 3, stride, 1, groups=cin, bias=False),
        nn.BatchNorm2d(cin),
        nn.ReLU(inplace=True),
        nn.Conv2d(cin, cout, 1),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class MobileTiny(nn.Module):
    def __init__(self, num_classes=5):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 12, 3, 2, 1), nn.BatchNorm2d(12), nn.ReLU(inplace=True))
        self.blocks = nn.Sequential(depthwise_block(12, 24, 1), depthwise_block(24, 32, 2), depthwise_block(32, 48, 1))
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(48, num_classes)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.classifier(self.dropout(x.mean(dim=(2, 3))))


def synth_flowers(n, seed):
    """Flowers that differ in the number of petals (3..7)."""
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 5, (n,), generator=g)
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 24), torch.linspace(-1, 1, 24), indexing="ij")
    cx = 0.2 * torch.randn(n, 2, 1, 1, generator=g)
    dy, dx = yy - cx[:, 0], xx - cx[:, 1]
    r, phi = (dx ** 2 + dy ** 2).sqrt(), torch.atan2(dy, dx)
    rot = 6.28 * torch.rand(n, 1, 1, generator=g)
    petals = (y[:, None, None] + 3).float()
    radius = 0.55 + 0.25 * torch.cos(petals * phi + rot)
    flower = torch.sigmoid((radius - r) * 15)
    color = 0.5 + torch.rand(n, 3, 1, 1, generator=g)
    hue = (y.float() / 4 - 0.5)[:, None, None]  # species differ a little in colour as well
    img = flower[:, None] * color
    img[:, 0] += 0.5 * hue * flower
    return img + 0.1 * torch.randn(n, 3, 24, 24, generator=g) - 0.4, y


def batches(x, y, size, shuffle):
    order = torch.randperm(len(x)) if shuffle else torch.arange(len(x))
    for idx in order.split(size):
        yield x[idx], y[idx]


def main(cfg):
    torch.manual_seed(cfg["seed"])
    train, val = synth_flowers(1600, 0), synth_flowers(320, 1)
    model = MobileTiny()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"] * 4, momentum=0.9, weight_decay=1e-4)
    steps = cfg["epochs"] * (len(train[0]) // cfg["batch_size"] // cfg["accum_steps"])
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=cfg["lr"] * 4, total_steps=steps, pct_start=0.2)
    ckpt = os.path.join(tempfile.mkdtemp(), "best.pt")
    best = float("inf")

    for epoch in range(cfg["epochs"]):
        start = time.time()
        model.train()
        train_loss, n = 0.0, 0
        optimizer.zero_grad(set_to_none=True)
        for i, (x, y) in enumerate(batches(*train, cfg["batch_size"], shuffle=True)):
            with torch.autocast(device_type="cpu", dtype=torch.bfloat16, enabled=cfg["amp"]):
                logits = model(x)
            loss = F.cross_entropy(logits.float(), y)
            (loss / cfg["accum_steps"]).backward()
            if (i + 1) % cfg["accum_steps"] == 0:
                nn.utils.clip_grad_norm_(model.parameters(), cfg["max_grad_norm"])
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad(set_to_none=True)
            train_loss += loss.item() * len(x)
            n += len(x)

        model.eval()
        val_loss, hits = 0.0, 0
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=cfg["amp"]):
            for x, y in batches(*val, cfg["batch_size"], shuffle=False):
                logits = model(x).float()
                val_loss += F.cross_entropy(logits, y, reduction="sum").item()
                hits += (logits.argmax(1) == y).sum().item()
        val_loss /= len(val[0])
        print(f"epoch {epoch} train {train_loss / n:.4f} val {val_loss:.4f} acc {hits / len(val[0]):.3f} [{time.time() - start:.1f}s]")
        if val_loss < best:
            best = val_loss
            torch.save(model.state_dict(), ckpt)


if __name__ == "__main__":
    main(CONFIG)
