# Intent classification of short queries; four small batches make up one optimizer step.
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

MICRO_BATCH = 8
ACCUMULATION = 4
EPOCHS = 6
LR = 0.1

INTENTS = {
    "play": ["play", "song", "album", "music", "listen", "artist"],
    "weather": ["rain", "weather", "sunny", "forecast", "temperature", "umbrella"],
    "alarm": ["wake", "alarm", "timer", "remind", "morning", "minutes"],
    "call": ["call", "phone", "dial", "ring", "contact", "number"],
    "shop": ["buy", "order", "price", "cheap", "deliver", "basket"],
}
COMMON = "please can you the a me for to i my now tomorrow it is what some".split()
WORDS = ["<pad>", *COMMON, *[w for ws in INTENTS.values() for w in ws]]
INDEX = {w: i for i, w in enumerate(WORDS)}


class Queries(Dataset):
    def __init__(self, n, seed, max_len=12):
        rng = random.Random(seed)
        self.items = []
        for _ in range(n):
            label = rng.randrange(len(INTENTS))
            own = list(INTENTS.values())[label]
            words = rng.choices(COMMON, k=rng.randint(3, 7)) + rng.choices(own, k=2)
            if rng.random() < 0.3:
                words.append(rng.choice(WORDS[1:]))
            rng.shuffle(words)
            ids = [INDEX[w] for w in words] + [0] * (max_len - len(words))
            self.items.append((torch.tensor(ids), label))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class ConvNet(nn.Module):
    """Kim's CNN for sentences: convolutions of several widths and max over time."""

    def __init__(self, vocab, classes, dim=32, channels=24):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(dim, channels, k, padding=k // 2) for k in (1, 3, 5))
        self.norms = nn.ModuleList(nn.BatchNorm1d(channels) for _ in range(3))
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(3 * channels, classes)

    def forward(self, ids):
        x = self.embed(ids).transpose(1, 2)
        pooled = [torch.relu(n(c(x))).amax(2) for c, n in zip(self.convs, self.norms)]
        return self.fc(self.drop(torch.cat(pooled, 1)))


def train(model, loader, criterion, optimizer):
    model.train()
    total = 0.0
    optimizer.zero_grad()
    for step, (ids, labels) in enumerate(loader):
        loss = criterion(model(ids), labels)
        (loss / ACCUMULATION).backward()
        total += loss.item()
        if (step + 1) % ACCUMULATION == 0:
            optimizer.step()
            optimizer.zero_grad()
    return total / len(loader)


@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    losses, hits, n = 0.0, 0, 0
    for ids, labels in loader:
        logits = model(ids)
        losses += criterion(logits, labels).item() * len(labels)
        hits += (logits.argmax(1) == labels).sum().item()
        n += len(labels)
    return losses / n, hits / n


if __name__ == "__main__":
    torch.manual_seed(21)
    train_loader = DataLoader(Queries(1600, seed=1), batch_size=MICRO_BATCH, shuffle=True)
    valid_loader = DataLoader(Queries(400, seed=2), batch_size=100)
    model = ConvNet(len(WORDS), len(INTENTS))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)
    for epoch in range(EPOCHS):
        train_loss = train(model, train_loader, criterion, optimizer)
        valid_loss, acc = validate(model, valid_loader, criterion)
        scheduler.step()
        print(f"[{epoch + 1}/{EPOCHS}] train {train_loss:.4f}  "
              f"valid {valid_loss:.4f}  acc {acc:.3f}")
