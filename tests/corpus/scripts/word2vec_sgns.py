"""Skip-gram with negative sampling (word2vec) with sparse embeddings and SparseAdam."""
from collections import Counter

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

rng = np.random.default_rng(0)
torch.manual_seed(0)

TOPICS, WORDS_PER_TOPIC, STOP = 8, 30, 12
VOCAB = TOPICS * WORDS_PER_TOPIC + STOP
DIM, WINDOW, NEGATIVE = 32, 2, 5
BATCH, EPOCHS = 640, 3


def make_documents(n=900, length=40):
    """Each document has one topic; words inside a topic follow a Zipf law, so many are rare."""
    zipf = 1.0 / np.arange(1, WORDS_PER_TOPIC + 1)
    zipf /= zipf.sum()
    docs = []
    for _ in range(n):
        topic = rng.integers(TOPICS)
        words = STOP + topic * WORDS_PER_TOPIC + rng.choice(WORDS_PER_TOPIC, length, p=zipf)
        stop = rng.random(length) < 0.15
        words[stop] = rng.integers(0, STOP, stop.sum())
        docs.append(words)
    return docs


docs = make_documents()
counts = np.zeros(VOCAB)
for word, c in Counter(np.concatenate(docs).tolist()).items():
    counts[word] = c
noise = torch.tensor(counts**0.75)

# Frequent words are dropped at random, as in the original paper.
freq = counts / counts.sum()
keep_prob = np.minimum(1.0, np.sqrt(5e-3 / np.maximum(freq, 1e-9)))
pairs = []
for doc in docs:
    doc = doc[rng.random(len(doc)) < keep_prob[doc]]
    for i, word in enumerate(doc):
        for j in range(max(0, i - WINDOW), min(len(doc), i + WINDOW + 1)):
            if j != i:
                pairs.append((word, doc[j]))
pairs = torch.tensor(np.array(pairs))
print(f"{len(pairs)} pairs, {VOCAB} words")


class SkipGram(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.center = nn.Embedding(vocab, dim, sparse=True)
        self.context = nn.Embedding(vocab, dim, sparse=True)
        nn.init.uniform_(self.center.weight, -0.5 / dim, 0.5 / dim)
        nn.init.normal_(self.context.weight, std=0.1)

    def forward(self, center, positive, negative):
        v = self.center(center)
        pos = (v * self.context(positive)).sum(-1)
        neg = torch.bmm(self.context(negative), v.unsqueeze(2)).squeeze(2)
        return -(F.logsigmoid(pos) + F.logsigmoid(-neg).sum(1)).mean()


def topic_purity(model, k=5):
    """Share of the nearest neighbours that belong to the same topic."""
    vectors = F.normalize(model.center.weight.detach()[STOP:], dim=1)
    topic = torch.arange(len(vectors)) // WORDS_PER_TOPIC
    common = torch.arange(len(vectors)) % WORDS_PER_TOPIC < 15
    near = (vectors @ vectors.t()).topk(k + 1).indices[:, 1:]
    return (topic[near] == topic[:, None])[common].float().mean().item()


model = SkipGram(VOCAB, DIM)
optimizer = torch.optim.SparseAdam(list(model.parameters()), lr=0.02)

for epoch in range(EPOCHS):
    total, n = 0.0, 0
    for idx in torch.randperm(len(pairs)).split(BATCH):
        center, positive = pairs[idx].t()
        negative = torch.multinomial(noise, len(idx) * NEGATIVE, replacement=True)
        loss = model(center, positive, negative.view(len(idx), NEGATIVE))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        n += 1
    print(f"epoch {epoch}: loss {total / n:.4f} purity {topic_purity(model):.3f} ({n} steps)")
