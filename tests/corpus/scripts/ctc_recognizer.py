"""Read strings of digits from noisy strips of feature frames with a CNN, a BiLSTM and CTC."""
import torch
import torch.nn as nn

torch.manual_seed(6)

FEATURES, SYMBOLS, BLANK = 12, 6, 0
EPOCHS, BATCH = 8, 32
# Each symbol looks like a fixed random template that lasts three to five frames.
TEMPLATES = torch.randn(SYMBOLS, FEATURES, generator=torch.Generator().manual_seed(100))


def make_strip(g):
    n = int(torch.randint(3, 6, (1,), generator=g))
    label = torch.randint(0, SYMBOLS, (n,), generator=g)
    frames = []
    for s in label:
        width = int(torch.randint(3, 6, (1,), generator=g))
        gap = int(torch.randint(1, 3, (1,), generator=g))
        frames.append(TEMPLATES[s].expand(width, -1))
        frames.append(torch.zeros(gap, FEATURES))
    strip = torch.cat(frames)
    return strip + 0.4 * torch.randn(strip.shape, generator=g), label + 1


def collate(items):
    lengths = torch.tensor([len(x) for x, _ in items])
    x = nn.utils.rnn.pad_sequence([x for x, _ in items], batch_first=True)
    targets = torch.cat([y for _, y in items])
    target_lengths = torch.tensor([len(y) for _, y in items])
    return x, lengths, targets, target_lengths


class CRNN(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.cnn = nn.Sequential(
            nn.Conv1d(FEATURES, hidden, 3, padding=1), nn.BatchNorm1d(hidden), nn.ReLU(),
            nn.Conv1d(hidden, hidden, 3, padding=1), nn.BatchNorm1d(hidden), nn.ReLU(),
        )
        self.rnn = nn.LSTM(hidden, hidden, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(2 * hidden, SYMBOLS + 1)

    def forward(self, x):
        h = self.cnn(x.transpose(1, 2)).transpose(1, 2)
        h, _ = self.rnn(h)
        return self.fc(h).log_softmax(dim=2)


def greedy_decode(log_probs, lengths):
    texts = []
    for path, n in zip(log_probs.argmax(-1), lengths):
        path = torch.unique_consecutive(path[:n])
        texts.append(path[path != BLANK].tolist())
    return texts


g = torch.Generator().manual_seed(1)
train_set = [make_strip(g) for _ in range(1280)]
valid_set = [make_strip(g) for _ in range(160)]
loader = torch.utils.data.DataLoader(train_set, BATCH, shuffle=True, collate_fn=collate)

model = CRNN()
ctc = nn.CTCLoss(blank=BLANK)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(
    optimizer, max_lr=6e-3, epochs=EPOCHS, steps_per_epoch=len(loader)
)

for epoch in range(EPOCHS):
    model.train()
    total = 0.0
    for x, lengths, targets, target_lengths in loader:
        log_probs = model(x)
        loss = ctc(log_probs.transpose(0, 1), targets, lengths, target_lengths)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        scheduler.step()
        total += loss.item()

    model.eval()
    with torch.no_grad():
        x, lengths, targets, target_lengths = collate(valid_set)
        log_probs = model(x)
        valid_loss = ctc(log_probs.transpose(0, 1), targets, lengths, target_lengths)
        read = greedy_decode(log_probs, lengths)
    right = sum(r == y.tolist() for r, (_, y) in zip(read, valid_set))
    print(f"epoch {epoch} loss {total / len(loader):.4f} valid {valid_loss:.4f} "
          f"exact {right / len(valid_set):.3f}")
