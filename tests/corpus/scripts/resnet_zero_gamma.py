"""A small ResNet on synthetic textures (orientation x frequency -> 8 classes).

The last BatchNorm of every residual branch starts with gamma = 0, so each block
is the identity at the start ("Bag of Tricks for Image Classification").
"""
import math
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

cfg = dict(
    seed=42,
    n_train=1024,
    n_val=320,
    batch_size=32,
    epochs=8,
    lr=0.05,
    momentum=0.9,
    weight_decay=5e-4,
    warmup_steps=20,
    width=8,
    label_smoothing=0.1,
)


def textures(n, generator):
    y = torch.randint(0, 8, (n,), generator=generator)
    angle = (y % 4).float() * math.pi / 4 + 0.15 * torch.randn(n, generator=generator)
    freq = torch.where(y < 4, torch.tensor(0.6), torch.tensor(1.2)) + 0.05 * torch.randn(n, generator=generator)
    phase = 2 * math.pi * torch.rand(n, generator=generator)
    yy, xx = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
    u = torch.cos(angle)[:, None, None] * xx + torch.sin(angle)[:, None, None] * yy
    img = torch.sin(freq[:, None, None] * u + phase[:, None, None])
    gain = 0.5 + torch.rand(n, 3, 1, 1, generator=generator)
    x = img[:, None] * gain + 0.6 * torch.randn(n, 3, 16, 16, generator=generator)
    return TensorDataset(x, y)


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1)
        self.bn2 = nn.BatchNorm2d(cout)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or cin != cout:
            self.downsample = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + identity)


class SmallResNet(nn.Module):
    def __init__(self, width, num_classes=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True))
        self.layer1 = nn.Sequential(BasicBlock(width, width), BasicBlock(width, width))
        self.layer2 = nn.Sequential(BasicBlock(width, 2 * width, 2), BasicBlock(2 * width, 2 * width))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(2 * width, num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
        for m in self.modules():
            if isinstance(m, BasicBlock):
                nn.init.zeros_(m.bn2.weight)

    def forward(self, x):
        x = self.layer2(self.layer1(self.stem(x)))
        return self.fc(self.avgpool(x).flatten(1))


def evaluate(model, loader, criterion):
    model.eval()
    loss, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hits / n


def main():
    torch.manual_seed(cfg["seed"])
    g = torch.Generator().manual_seed(cfg["seed"])
    train_loader = DataLoader(textures(cfg["n_train"], g), cfg["batch_size"], shuffle=True, drop_last=True)
    val_loader = DataLoader(textures(cfg["n_val"], g), cfg["batch_size"])

    model = SmallResNet(cfg["width"])
    criterion = nn.CrossEntropyLoss(label_smoothing=cfg["label_smoothing"])
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"], weight_decay=cfg["weight_decay"], nesterov=True)
    total = cfg["epochs"] * len(train_loader)

    def lr_lambda(step):
        if step < cfg["warmup_steps"]:
            return (step + 1) / cfg["warmup_steps"]
        return 0.5 * (1 + math.cos(math.pi * (step - cfg["warmup_steps"]) / (total - cfg["warmup_steps"])))

    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)
    for epoch in range(cfg["epochs"]):
        t0 = time.time()
        model.train()
        train_loss = 0.0
        for x, y in train_loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            train_loss += loss.item()
        val_loss, val_acc = evaluate(model, val_loader, criterion)
        print(f"epoch {epoch:2d}  train {train_loss / len(train_loader):.4f}  val {val_loss:.4f}  acc {val_acc:.3f}  ({time.time() - t0:.1f}s)")


if __name__ == "__main__":
    main()
