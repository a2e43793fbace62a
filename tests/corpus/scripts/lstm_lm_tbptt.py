"""Word-level LSTM language model with truncated back-propagation through time.

The corpus is one long stream cut into parallel columns; the hidden state is carried from one chunk
to the next and the learning rate is cut when the validation loss stops falling.
"""
import argparse
import math
import random

import torch
import torch.nn as nn


def make_corpus(n_tokens, seed):
    """Nested clauses: an opening word must be closed later, agreement of subject and verb."""
    rng = random.Random(seed)
    singular, plural = ["dog", "king", "river", "poet"], ["dogs", "kings", "rivers", "poets"]
    verb1, verb2 = ["runs", "sings", "falls"], ["run", "sing", "fall"]
    out = []
    while len(out) < n_tokens:
        one = rng.random() < 0.5
        noun = rng.choice(singular if one else plural)
        out += ["the", noun]
        if rng.random() < 0.4:
            out += ["that", "the", rng.choice(singular), "sees"]
        out.append(rng.choice(verb1 if one else verb2))
        if rng.random() < 0.3:
            out += ["(", rng.choice(["always", "never", "often"]), ")"]
        out.append("<eos>")
    return out[:n_tokens]


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers, dropout):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, dropout=dropout)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nlayers, self.nhid = nlayers, nhid
        self.init_weights()

    def init_weights(self):
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)

    def forward(self, tokens, hidden):
        emb = self.drop(self.encoder(tokens))
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(self.drop(output)), hidden

    def init_hidden(self, bsz):
        zeros = next(self.parameters()).new_zeros(self.nlayers, bsz, self.nhid)
        return zeros, zeros


def batchify(ids, bsz):
    nbatch = ids.size(0) // bsz
    return ids[: nbatch * bsz].view(bsz, -1).t().contiguous()


def repackage_hidden(h):
    """Cut the hidden state from its history."""
    return tuple(v.detach() for v in h)


def get_batch(source, i, bptt):
    seq_len = min(bptt, len(source) - 1 - i)
    return source[i : i + seq_len], source[i + 1 : i + 1 + seq_len].reshape(-1)


def evaluate(model, source, criterion, args):
    model.eval()
    total = 0.0
    hidden = model.init_hidden(source.size(1))
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, args.bptt):
            data, targets = get_batch(source, i, args.bptt)
            output, hidden = model(data, hidden)
            total += len(data) * criterion(output.view(-1, output.size(-1)), targets).item()
    return total / (len(source) - 1)


def train(model, source, criterion, optimizer, args):
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(args.batch_size)
    for i in range(0, source.size(0) - 1, args.bptt):
        data, targets = get_batch(source, i, args.bptt)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output.view(-1, output.size(-1)), targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total_loss += loss.item()
    return total_loss / math.ceil((source.size(0) - 1) / args.bptt)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=5.0)
    parser.add_argument("--clip", type=float, default=0.25)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--bptt", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1111)
    args = parser.parse_args()
    torch.manual_seed(args.seed)

    words = make_corpus(24000, seed=3)
    vocab = {w: i for i, w in enumerate(sorted(set(words)))}
    ids = torch.tensor([vocab[w] for w in words])
    train_data, val_data = batchify(ids[:21000], args.batch_size), batchify(ids[21000:], 10)

    model = RNNModel(len(vocab), 32, 48, 2, dropout=0.1)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    best = float("inf")
    for epoch in range(1, args.epochs + 1):
        train_loss = train(model, train_data, criterion, optimizer, args)
        val_loss = evaluate(model, val_data, criterion, args)
        print(f"| epoch {epoch} | lr {optimizer.param_groups[0]['lr']:.2f} "
              f"| train {train_loss:.3f} | valid {val_loss:.3f} | ppl {math.exp(val_loss):.2f}")
        if val_loss < best:
            best = val_loss
        else:
            optimizer.param_groups[0]["lr"] /= 4.0


if __name__ == "__main__":
    main()
