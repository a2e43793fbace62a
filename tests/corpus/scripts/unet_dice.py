"""Binary segmentation of cells with a small U-Net, loss = BCE + soft Dice."""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(7)
rng = np.random.RandomState(7)


def fake_microscopy(size=24):
    """1..4 bright elliptic cells on an uneven background. A few images hold no cell at all."""
    yy, xx = np.mgrid[:size, :size]
    img = 0.3 + 0.2 * (xx / size) + 0.1 * rng.randn(size, size)
    mask = np.zeros((size, size), dtype=np.float32)
    n_cells = rng.randint(1, 5) if rng.rand() > 0.08 else 0
    for _ in range(n_cells):
        cy, cx = rng.uniform(4, size - 4, 2)
        a, b = rng.uniform(2.5, 5, 2)
        cell = ((yy - cy) / a) ** 2 + ((xx - cx) / b) ** 2 <= 1
        img[cell] += rng.uniform(0.35, 0.6)
        mask[cell] = 1.0
    return img.astype(np.float32), mask


class CellDataset(Dataset):
    def __init__(self, n, train=True):
        samples = [fake_microscopy() for _ in range(n)]
        self.images = np.stack([s[0] for s in samples])
        self.masks = np.stack([s[1] for s in samples])
        self.train = train

    def __len__(self):
        return len(self.images)

    def __getitem__(self, idx):
        image = torch.from_numpy(self.images[idx])[None]
        mask = torch.from_numpy(self.masks[idx])[None]
        image = (image - 0.5) / 0.25
        if self.train and torch.rand(1) < 0.5:
            image, mask = image.flip(-1), mask.flip(-1)
        return image, mask


class DoubleConv(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(
            nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        )


class UNet(nn.Module):
    def __init__(self, base=8):
        super().__init__()
        self.down1 = DoubleConv(1, base)
        self.down2 = DoubleConv(base, base * 2)
        self.bottom = DoubleConv(base * 2, base * 4)
        self.pool = nn.MaxPool2d(2)
        self.up2 = nn.ConvTranspose2d(base * 4, base * 2, 2, stride=2)
        self.dec2 = DoubleConv(base * 4, base * 2)
        self.up1 = nn.ConvTranspose2d(base * 2, base, 2, stride=2)
        self.dec1 = DoubleConv(base * 2, base)
        self.out = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        d1 = self.down1(x)
        d2 = self.down2(self.pool(d1))
        x = self.bottom(self.pool(d2))
        x = self.dec2(torch.cat([self.up2(x), d2], dim=1))
        x = self.dec1(torch.cat([self.up1(x), d1], dim=1))
        return self.out(x)


class DiceBCELoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth
        self.bce = nn.BCEWithLogitsLoss()

    def forward(self, logits, target):
        prob = torch.sigmoid(logits)
        inter = (prob * target).sum(dim=(1, 2, 3))
        union = prob.sum(dim=(1, 2, 3)) + target.sum(dim=(1, 2, 3))
        dice = (2 * inter + self.smooth) / (union + self.smooth)
        return self.bce(logits, target) + (1 - dice).mean()


def iou(logits, target):
    pred, target = logits > 0, target > 0.5
    return ((pred & target).sum() / (pred | target).sum().clamp(min=1)).item()


train_loader = DataLoader(CellDataset(400), batch_size=16, shuffle=True)
valid_loader = DataLoader(CellDataset(80, train=False), batch_size=16)

model = UNet()
loss_fn = DiceBCELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)

for epoch in range(8):
    model.train()
    train_loss = []
    for images, masks in train_loader:
        optimizer.zero_grad()
        loss = loss_fn(model(images), masks)
        loss.backward()
        optimizer.step()
        train_loss.append(loss.item())

    model.eval()
    valid_loss, valid_iou = [], []
    with torch.no_grad():
        for images, masks in valid_loader:
            logits = model(images)
            valid_loss.append(loss_fn(logits, masks).item())
            valid_iou.append(iou(logits, masks))
    scheduler.step(np.mean(valid_loss))
    print(f"Epoch {epoch + 1}: train={np.mean(train_loss):.4f} valid={np.mean(valid_loss):.4f} IoU={np.mean(valid_iou):.4f}")
