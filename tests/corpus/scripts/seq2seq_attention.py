"""Sequence to sequence with Bahdanau attention: reverse and re-spell short words."""
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

SOS, EOS, OFFSET = 0, 1, 2
LETTERS = 10
VOCAB = OFFSET + LETTERS
LENGTH = 6
HIDDEN = 48
TEACHER_FORCING = 0.7


def make_pairs(n, seed):
    """The target is the source backwards with each letter moved by one place in the alphabet."""
    g = torch.Generator().manual_seed(seed)
    src = torch.randint(0, LETTERS, (n, LENGTH), generator=g)
    tgt = (src.flip(1) + 1) % LETTERS
    eos = torch.full((n, 1), EOS)
    return torch.cat([src + OFFSET, eos], 1), torch.cat([tgt + OFFSET, eos], 1)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, HIDDEN)
        self.gru = nn.GRU(HIDDEN, HIDDEN, batch_first=True)

    def forward(self, src):
        return self.gru(self.embedding(src))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.Wa = nn.Linear(HIDDEN, HIDDEN)
        self.Ua = nn.Linear(HIDDEN, HIDDEN)
        self.Va = nn.Linear(HIDDEN, 1)

    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys))).squeeze(2)
        weights = F.softmax(scores, dim=-1)
        return torch.bmm(weights.unsqueeze(1), keys), weights


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, HIDDEN)
        self.attention = Attention()
        self.gru = nn.GRU(2 * HIDDEN, HIDDEN, batch_first=True)
        self.out = nn.Linear(2 * HIDDEN, VOCAB)

    def step(self, token, hidden, keys):
        query = hidden.permute(1, 0, 2)
        context, _ = self.attention(query, keys)
        output, hidden = self.gru(torch.cat([self.embedding(token), context], 2), hidden)
        return self.out(torch.cat([output, context], 2)), hidden

    def forward(self, keys, hidden, target=None, teacher_forcing=0.0):
        token = torch.full((keys.size(0), 1), SOS)
        outputs = []
        for t in range(LENGTH + 1):
            logits, hidden = self.step(token, hidden, keys)
            outputs.append(logits)
            if target is not None and random.random() < teacher_forcing:
                token = target[:, t : t + 1]
            else:
                token = logits.argmax(-1).detach()
        return torch.cat(outputs, 1)


def train_epoch(src, tgt, encoder, decoder, enc_opt, dec_opt, criterion, batch_size=32):
    encoder.train()
    decoder.train()
    total = 0.0
    perm = torch.randperm(len(src))
    for i in range(0, len(src), batch_size):
        idx = perm[i : i + batch_size]
        enc_opt.zero_grad()
        dec_opt.zero_grad()
        enc_out, enc_hidden = encoder(src[idx])
        logits = decoder(enc_out, enc_hidden, tgt[idx], TEACHER_FORCING)
        loss = criterion(logits.view(-1, VOCAB), tgt[idx].view(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        enc_opt.step()
        dec_opt.step()
        total += loss.item() * len(idx)
    return total / len(src)


def evaluate(src, tgt, encoder, decoder):
    encoder.eval()
    decoder.eval()
    with torch.no_grad():
        keys, hidden = encoder(src)
        pred = decoder(keys, hidden).argmax(-1)
    return (pred == tgt).float().mean().item(), (pred == tgt).all(1).float().mean().item()


def main():
    random.seed(5)
    torch.manual_seed(5)
    src, tgt = make_pairs(2000, seed=1)
    test_src, test_tgt = make_pairs(200, seed=2)
    encoder, decoder = Encoder(), Decoder()
    enc_opt = optim.Adam(encoder.parameters(), lr=4e-3)
    dec_opt = optim.Adam(decoder.parameters(), lr=4e-3)
    criterion = nn.CrossEntropyLoss()
    start = time.time()
    for epoch in range(1, 9):
        loss = train_epoch(src, tgt, encoder, decoder, enc_opt, dec_opt, criterion)
        letters, words = evaluate(test_src, test_tgt, encoder, decoder)
        print(f"{time.time() - start:5.1f}s epoch {epoch} loss {loss:.4f} "
              f"letters {letters:.3f} words {words:.3f}")


if __name__ == "__main__":
    main()
