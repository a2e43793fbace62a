"""Part-of-speech-like tagging with a bidirectional GRU, packed sequences and a held-out set."""
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

random.seed(0)
torch.manual_seed(0)

TAGS = ["O", "DET", "ADJ", "NOUN", "VERB", "NAME"]
LEXICON = {
    "DET": [f"d{i}" for i in range(4)],
    "ADJ": [f"a{i}" for i in range(20)],
    "NOUN": [f"n{i}" for i in range(40)] + [f"x{i}" for i in range(20)],
    "VERB": [f"v{i}" for i in range(25)] + [f"x{i}" for i in range(20)],
    "NAME": [f"P{i}" for i in range(150)],
    "O": [".", ",", "and"],
}


def phrase():
    if random.random() < 0.2:
        return ["NAME"] * random.randint(1, 2)
    return ["DET"] + ["ADJ"] * random.randint(0, 2) + ["NOUN"]


def sample_sentence():
    tags = phrase() + ["VERB"] + phrase()
    if random.random() < 0.4:
        tags += ["O", *phrase(), "VERB"]
    tags.append("O")
    return [random.choice(LEXICON[t]) for t in tags], tags


sentences = [sample_sentence() for _ in range(2000)]
word2id = {"<pad>": 0, "<unk>": 1}
for words, _ in sentences[:1700]:
    for w in words:
        word2id.setdefault(w, len(word2id))
tag2id = {t: i for i, t in enumerate(TAGS)}


def to_batch(chunk):
    x = [torch.tensor([word2id.get(w, 1) for w in words]) for words, _ in chunk]
    y = [torch.tensor([tag2id[t] for t in tags]) for _, tags in chunk]
    lengths = torch.tensor([len(s) for s in x])
    return pad_sequence(x, True), pad_sequence(y, True, padding_value=-1), lengths


def batches(data, size, shuffle):
    order = list(range(len(data)))
    if shuffle:
        random.shuffle(order)
    for i in range(0, len(order), size):
        yield to_batch([data[j] for j in order[i : i + size]])


class Tagger(nn.Module):
    def __init__(self, vocab, tags, emb=32, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb, padding_idx=0)
        self.gru = nn.GRU(emb, hidden, bidirectional=True, batch_first=True)
        self.norm = nn.LayerNorm(2 * hidden)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, x, lengths):
        e = self.emb(x)
        packed = pack_padded_sequence(e, lengths, batch_first=True, enforce_sorted=False)
        h, _ = self.gru(packed)
        h, _ = pad_packed_sequence(h, batch_first=True)
        scores = self.out(self.norm(h))
        return scores.log_softmax(dim=-1)


train_set, test_set = sentences[:1700], sentences[1700:]
model = Tagger(len(word2id), len(TAGS))
loss_fn = nn.NLLLoss(ignore_index=-1)
opt = torch.optim.Adam(model.parameters(), lr=0.002)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=3, gamma=0.3)

for epoch in range(5):
    model.train()
    losses = []
    for x, y, lengths in batches(train_set, 20, shuffle=True):
        opt.zero_grad()
        logp = model(x, lengths)
        loss = loss_fn(logp.reshape(-1, len(TAGS)), y.reshape(-1))
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sched.step()

    model.eval()
    hit = total = 0
    with torch.no_grad():
        for x, y, lengths in batches(test_set, 100, shuffle=False):
            pred = model(x, lengths).argmax(-1)
            keep = y >= 0
            hit += (pred[keep] == y[keep]).sum().item()
            total += keep.sum().item()
    print(f"epoch {epoch}  loss {sum(losses) / len(losses):.4f}  tag accuracy {hit / total:.4f}")
