"""Text classification with nn.TransformerEncoder, label smoothing and early stopping."""
import math
import random
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

SEED = 42
EPOCHS = 7
BATCH_SIZE = 32
LR = 2e-3
PATIENCE = 3

random.seed(SEED)
torch.manual_seed(SEED)

GOOD = "great lovely excellent fun brilliant charming superb warm".split()
BAD = "dull awful boring poor tedious clumsy bland cold".split()
FILLER = "the movie plot actor scene was with and some rather quite music a story it".split()
# A long tail of words that occur once or twice only.
RARE = [f"name{i}" for i in range(400)]


def make_example():
    label = random.random() < 0.5
    words = []
    for _ in range(random.randint(1, 3)):
        words += random.choices(FILLER, k=random.randint(1, 4))
        positive = label if random.random() < 0.93 else not label
        if random.random() < 0.3:
            words += ["not", random.choice(BAD if positive else GOOD)]
        else:
            words.append(random.choice(GOOD if positive else BAD))
        if random.random() < 0.2:
            words.append(random.choice(RARE))
    return " ".join(words), int(label)


texts, labels = [], []
for _ in range(2400):
    text, label = make_example()
    texts.append(text)
    labels.append(label)

vocab = {"<pad>": 0, "<unk>": 1}
for text in texts[:2000]:
    for word in text.split():
        vocab.setdefault(word, len(vocab))


def encode(text):
    return torch.tensor([vocab.get(word, 1) for word in text.split()], dtype=torch.long)


def collate(batch):
    ids = pad_sequence([encode(t) for t, _ in batch], batch_first=True)
    return ids, torch.tensor([y for _, y in batch])


train_data = list(zip(texts[:2000], labels[:2000]))
valid_data = list(zip(texts[2000:], labels[2000:]))
train_loader = DataLoader(train_data, BATCH_SIZE, shuffle=True, collate_fn=collate)
valid_loader = DataLoader(valid_data, 100, collate_fn=collate)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=128):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[: x.size(1)]


class TextClassifier(nn.Module):
    def __init__(self, vocab_size, d_model=48, nhead=4, num_layers=2, num_classes=2):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.positions = PositionalEncoding(d_model)
        layer = nn.TransformerEncoderLayer(d_model, nhead, 96, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers, enable_nested_tensor=False)
        self.classifier = nn.Linear(d_model, num_classes)

    def forward(self, ids):
        mask = ids == 0
        x = self.positions(self.embedding(ids))
        x = self.encoder(x, src_key_padding_mask=mask)
        x = x.masked_fill(mask.unsqueeze(-1), 0.0)
        return self.classifier(x.sum(1) / (~mask).sum(1, keepdim=True).clamp(min=1))


model = TextClassifier(len(vocab))
criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=1e-2)
checkpoint = Path(tempfile.mkdtemp()) / "best.pt"
best, waited = float("inf"), 0

for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    for ids, y in train_loader:
        optimizer.zero_grad()
        logits = model(ids)
        loss = criterion(logits, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running += loss.item()

    model.eval()
    valid_loss, correct = 0.0, 0
    with torch.no_grad():
        for ids, y in valid_loader:
            logits = model(ids)
            valid_loss += criterion(logits, y).item() * len(y)
            correct += (logits.argmax(1) == y).sum().item()
    valid_loss /= len(valid_data)
    print(f"epoch {epoch}: train loss {running / len(train_loader):.4f} "
          f"valid loss {valid_loss:.4f} valid acc {correct / len(valid_data):.3f}")
    if valid_loss < best:
        best, waited = valid_loss, 0
        torch.save(model.state_dict(), checkpoint)
    else:
        waited += 1
        if waited >= PATIENCE:
            print("early stopping")
            break

model.load_state_dict(torch.load(checkpoint))
print(f"best validation loss {best:.4f}")
