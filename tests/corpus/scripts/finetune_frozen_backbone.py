"""Transfer learning: pretrain a backbone on a source task, then train only a new head on a small target set."""
import copy
import os
import tempfile

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
CKPT = os.path.join(tempfile.mkdtemp(), "backbone.pth")


def blobs_and_bars(n, seed, target_task=False):
    """Images with a blob, a horizontal bar, a vertical bar or a ring (source task: which one; target task: round or bar)."""
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(20.0), torch.arange(20.0), indexing="ij")
    c = 6 + 8 * torch.rand(n, 2, 1, 1, generator=g)
    r = 2 + 3 * torch.rand(n, 1, 1, generator=g)
    kind = torch.randint(0, 4, (n,), generator=g)
    dy, dx = yy - c[:, 0], xx - c[:, 1]
    dist = (dy ** 2 + dx ** 2).sqrt()
    shapes = torch.stack([
        (dist < r).float(),
        ((dy.abs() < 1.5) & (dx.abs() < r + 2)).float(),
        ((dx.abs() < 1.5) & (dy.abs() < r + 2)).float(),
        ((dist - r - 1).abs() < 1).float(),
    ], 1)
    img = shapes[torch.arange(n), kind] + 0.2 * torch.randn(n, 20, 20, generator=g)
    labels = kind if not target_task else ((kind == 0) | (kind == 3)).long()
    return TensorDataset(img.unsqueeze(1), labels)


class SmallNet(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(),
        )
        self.fc = nn.Linear(32 * 25, num_classes)

    def forward(self, x):
        return self.fc(self.features(x))


def train_model(model, dataloaders, criterion, optimizer, num_epochs, freeze_bn=False):
    best_acc, best_wts = 0.0, copy.deepcopy(model.state_dict())
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
                if freeze_bn:
                    model.features.eval()
            else:
                model.eval()
            running_loss, running_corrects, n = 0.0, 0, 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(outputs.argmax(1) == labels).item()
                n += inputs.size(0)
            print("{} {} Loss: {:.4f} Acc: {:.4f}".format(epoch, phase, running_loss / n, running_corrects / n))
            if phase == "val" and running_corrects / n > best_acc:
                best_acc, best_wts = running_corrects / n, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_wts)
    return model


# ---- source task -------------------------------------------------------------------------
source = {"train": DataLoader(blobs_and_bars(1280, 1), batch_size=32, shuffle=True),
          "val": DataLoader(blobs_and_bars(256, 2), batch_size=128)}
net = SmallNet(num_classes=4)
net = train_model(net, source, nn.CrossEntropyLoss(), torch.optim.Adam(net.parameters(), lr=1e-3), num_epochs=4)
torch.save(net.state_dict(), CKPT)

# ---- target task -------------------------------------------------------------------------
target = {"train": DataLoader(blobs_and_bars(640, 3, target_task=True), batch_size=16, shuffle=True),
          "val": DataLoader(blobs_and_bars(256, 4, target_task=True), batch_size=128)}
model = SmallNet(num_classes=4)
model.load_state_dict(torch.load(CKPT))
for param in model.parameters():
    param.requires_grad = False
num_ftrs = model.fc.in_features
model.fc = nn.Linear(num_ftrs, 2)
optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.002, momentum=0.9, weight_decay=1e-3)
model = train_model(model, target, nn.CrossEntropyLoss(), optimizer, num_epochs=6, freeze_bn=True)
