"""Multi-task learning (Kendall et al. 2018): class, size and position of an object.

The three losses are weighted by learnt log variances.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split


class ObjectsDataset(Dataset):
    def __init__(self, n, size=16, seed=0):
        g = torch.Generator().manual_seed(seed)
        yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        self.samples = []
        for _ in range(n):
            c = torch.rand(2, generator=g) * 8 + 4
            r = float(torch.rand((), generator=g)) * 2.5 + 2.0
            kind = int(torch.randint(0, 3, (), generator=g))
            dx, dy = xx - c[0], yy - c[1]
            if kind == 0:
                img = (dx.abs() < r) & (dy.abs() < r)
            elif kind == 1:
                img = (dx ** 2 + dy ** 2) < r * r
            else:
                img = (dx.abs() + dy.abs() < r + 1) & (dx.abs() + dy.abs() > r - 1)
            img = img.float() + 0.1 * torch.randn(size, size, generator=g)
            self.samples.append((img[None], kind, torch.tensor([r]), c / size))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        return self.samples[i]


class MultiTaskNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1, stride=2), nn.BatchNorm2d(16), nn.ReLU(inplace=True),
            nn.Conv2d(16, 32, 3, padding=1, stride=2), nn.BatchNorm2d(32), nn.ReLU(inplace=True),
            nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(inplace=True), nn.Dropout(0.1),
        )
        self.class_head = nn.Linear(64, 3)
        self.size_head = nn.Linear(64, 1)
        self.position_head = nn.Linear(64, 2)

    def forward(self, x):
        h = self.backbone(x)
        return self.class_head(h), self.size_head(h), torch.sigmoid(self.position_head(h))


class UncertaintyLoss(nn.Module):
    def __init__(self, n_tasks=3):
        super().__init__()
        self.log_vars = nn.Parameter(torch.zeros(n_tasks))

    def forward(self, losses):
        stacked = torch.stack(losses)
        return (torch.exp(-self.log_vars) * stacked + 0.5 * self.log_vars).sum()


def task_losses(outputs, batch):
    logits, size, position = outputs
    _, kind, true_size, true_position = batch
    return [
        F.cross_entropy(logits, kind, label_smoothing=0.05),
        F.mse_loss(size, true_size),
        F.l1_loss(position, true_position),
    ]


def evaluate(model, loader):
    model.eval()
    correct = size_err = pos_err = n = 0
    with torch.no_grad():
        for batch in loader:
            logits, size, position = model(batch[0])
            b = len(batch[1])
            correct += (logits.argmax(1) == batch[1]).sum().item()
            size_err += (size - batch[2]).abs().mean().item() * b
            pos_err += (position - batch[3]).abs().mean().item() * b * 16
            n += b
    model.train()
    return correct / n, size_err / n, pos_err / n


torch.manual_seed(2)
dataset = ObjectsDataset(2400)
train_set, val_set = random_split(dataset, [2000, 400])
train_loader = DataLoader(train_set, batch_size=50, shuffle=True)
val_loader = DataLoader(val_set, batch_size=200)

model = MultiTaskNet()
weighting = UncertaintyLoss()
optimizer = torch.optim.AdamW([
    {"params": model.parameters(), "weight_decay": 1e-3},
    {"params": weighting.parameters(), "lr": 1e-2, "weight_decay": 0.0},
], lr=2e-3)
epochs = 12
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * len(train_loader))

for epoch in range(1, epochs + 1):
    sums = torch.zeros(4)
    for batch in train_loader:
        losses = task_losses(model(batch[0]), batch)
        loss = weighting(losses)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        sums += torch.tensor([loss.item()] + [l.item() for l in losses])
    acc, size_err, pos_err = evaluate(model, val_loader)
    sums /= len(train_loader)
    print(f"epoch {epoch} total {sums[0]:.3f} class {sums[1]:.3f} size {sums[2]:.3f} "
          f"position {sums[3]:.4f} | val acc {acc:.3f} size {size_err:.2f}px position {pos_err:.2f}px")
