# Shape classification with a small CNN: circle / square / triangle / cross.
import os
import random
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)

SIZE = 28
CLASSES = ["circle", "square", "triangle", "cross"]
BATCH = 32
EPOCHS = 8
LR = 2e-3


def draw(kind):
    yy, xx = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    cx, cy = np.random.uniform(9, SIZE - 9, 2)
    r = np.random.uniform(5, 8)
    dx, dy = xx - cx, yy - cy
    if kind == 0:
        mask = dx ** 2 + dy ** 2 <= r ** 2
    elif kind == 1:
        mask = (abs(dx) <= r * 0.85) & (abs(dy) <= r * 0.85)
    elif kind == 2:
        mask = (dy <= r * 0.8) & (dy >= 2 * abs(dx) - r)
    else:
        mask = ((abs(dx) <= r * 0.3) & (abs(dy) <= r)) | ((abs(dy) <= r * 0.3) & (abs(dx) <= r))
    img = np.random.normal(60, 25, (3, SIZE, SIZE))
    color = np.random.uniform(110, 220, (3, 1))
    img[:, mask] = color + np.random.normal(0, 20, (3, int(mask.sum())))
    return np.clip(img, 0, 255).astype(np.uint8)


# write the data set to disk once, as a preprocessing step would
folder = tempfile.mkdtemp()
for split, n in (("train", 1024), ("test", 256)):
    labels = np.random.randint(0, len(CLASSES), n)
    images = np.stack([draw(k) for k in labels])
    np.savez(os.path.join(folder, split + ".npz"), images=images, labels=labels)


class ShapesDataset(Dataset):
    def __init__(self, path, augment=False):
        self.path = path
        data = np.load(path)
        self.images, self.labels = data["images"], data["labels"]
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i]).float()
        img = img / 255.0
        img = (img - 0.35) / 0.22
        if self.augment and random.random() < 0.5:
            img = img.flip(-1)
        return img, int(self.labels[i])


train_loader = DataLoader(ShapesDataset(os.path.join(folder, "train.npz"), augment=True), batch_size=BATCH, shuffle=True)
test_loader = DataLoader(ShapesDataset(os.path.join(folder, "test.npz")), batch_size=BATCH)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc1 = nn.Linear(32 * 7 * 7, 64)
        self.fc2 = nn.Linear(64, len(CLASSES))

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = x.flatten(1)
        x = F.relu(self.fc1(x))
        return self.fc2(x)


net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=LR * 5, momentum=0.9)

for epoch in range(EPOCHS):
    net.train()
    running_loss = 0.0
    for i, (inputs, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
        if i % 16 == 15:
            print("[%d, %3d] loss: %.4f" % (epoch + 1, i + 1, running_loss / 16))
            running_loss = 0.0

    net.eval()
    correct = total = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            predicted = net(inputs).argmax(1)
            total += labels.size(0)
            correct += (predicted == labels).sum().item()
    print("epoch %d: test accuracy %.1f%%" % (epoch + 1, 100.0 * correct / total))

print("Finished training")
