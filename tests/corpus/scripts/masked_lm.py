"""BERT-style masked language model on a small artificial language."""
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

CONFIG = {
    "seed": 7,
    "sentences": 3200,
    "max_len": 20,
    "mask_prob": 0.15,
    "hidden": 48,
    "layers": 2,
    "heads": 4,
    "batch_size": 32,
    "epochs": 4,
    "lr": 3e-3,
    "warmup": 40,
}

PAD, CLS, SEP, MASK = 0, 1, 2, 3
SPECIAL = 4
NOUNS, VERBS, ADJ = 12, 12, 12
VOCAB = SPECIAL + NOUNS + VERBS + ADJ + 20  # the last 20 ids are reserved and never occur


def make_sentence(rng):
    """Every word follows from the topic of the sentence and from its neighbours."""
    topic = rng.randrange(4)
    words = []
    for _ in range(rng.randint(2, 5)):
        noun = topic * 3 + rng.randrange(3)
        verb, adjective = NOUNS + (noun + topic) % VERBS, NOUNS + VERBS + noun
        words += [SPECIAL + adjective, SPECIAL + noun, SPECIAL + verb]
    return [CLS, *words, SEP]


class MLMDataset(Dataset):
    def __init__(self, size, max_len, mask_prob, seed):
        self.rng = random.Random(seed)
        self.sentences = [make_sentence(self.rng) for _ in range(size)]
        self.max_len, self.mask_prob = max_len, mask_prob

    def __len__(self):
        return len(self.sentences)

    def __getitem__(self, i):
        ids = list(self.sentences[i])
        labels = [-100] * self.max_len
        for j in range(1, len(ids) - 1):
            if self.rng.random() < self.mask_prob:
                labels[j] = ids[j]
                roll = self.rng.random()
                if roll < 0.8:
                    ids[j] = MASK
                elif roll < 0.9:
                    ids[j] = self.rng.randrange(SPECIAL, VOCAB - 20)
        ids += [PAD] * (self.max_len - len(ids))
        return torch.tensor(ids), torch.tensor(labels)


class MiniBert(nn.Module):
    def __init__(self, vocab, hidden, layers, heads, max_len):
        super().__init__()
        self.tok = nn.Embedding(vocab, hidden, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.drop = nn.Dropout(0.1)
        layer = nn.TransformerEncoderLayer(
            hidden, heads, 4 * hidden, dropout=0.1, activation="gelu", batch_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.transform = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.LayerNorm(hidden))
        self.decoder = nn.Linear(hidden, vocab)

    def forward(self, ids):
        pos = torch.arange(ids.size(1), device=ids.device)
        x = self.drop(self.norm(self.tok(ids) + self.pos(pos)))
        x = self.encoder(x, src_key_padding_mask=ids == PAD)
        return self.decoder(self.transform(x))


def train_one_epoch(model, loader, optimizer, scheduler, criterion):
    model.train()
    total = 0.0
    for ids, labels in loader:
        logits = model(ids)
        loss = criterion(logits.view(-1, VOCAB), labels.view(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        total += loss.item()
    return total / len(loader)


def evaluate(model, loader):
    model.eval()
    right = count = 0
    with torch.no_grad():
        for ids, labels in loader:
            pred = model(ids).argmax(-1)
            chosen = labels != -100
            right += (pred[chosen] == labels[chosen]).sum().item()
            count += chosen.sum().item()
    return right / count


def main(cfg):
    torch.manual_seed(cfg["seed"])
    train_set = MLMDataset(cfg["sentences"], cfg["max_len"], cfg["mask_prob"], seed=1)
    valid_set = MLMDataset(400, cfg["max_len"], 0.15, seed=2)
    train_loader = DataLoader(train_set, cfg["batch_size"], shuffle=True)
    valid_loader = DataLoader(valid_set, cfg["batch_size"])

    model = MiniBert(VOCAB, cfg["hidden"], cfg["layers"], cfg["heads"], cfg["max_len"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=0.01)
    total = cfg["epochs"] * len(train_loader)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda s: min((s + 1) / cfg["warmup"], max(0.0, (total - s) / (total - cfg["warmup"]))),
    )
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    for epoch in range(cfg["epochs"]):
        loss = train_one_epoch(model, train_loader, optimizer, scheduler, criterion)
        accuracy = evaluate(model, valid_loader)
        print(f"epoch {epoch + 1}: loss {loss:.4f}, masked accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main(CONFIG)
