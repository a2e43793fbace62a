"""torch.compile in the way that the first argument names."""

import sys

import torch
from common import tell, tokens, watch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    """A layer whose activations are computed again in the backward pass."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

    def forward(self, x):
        return x + checkpoint(self.net, x, use_reentrant=False)


class Words(nn.Module):
    """Predicts the next word."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.blocks = nn.Sequential(Block(), Block())
        self.head = nn.Linear(16, 50)

    def forward(self, ids):
        return self.head(self.blocks(self.words(ids)))


# Where only what is traced differs, no kernels are made of it: they take minutes to compile.
TRACED = {"backend": "aot_eager"}
way = sys.argv[1]
model = Words()
criterion = nn.CrossEntropyLoss()
compiled = model
if way == "blocks":
    for block in model.blocks:
        block.compile(fullgraph=True, **TRACED)
elif way == "itself":
    model.compile(fullgraph=True, **TRACED)
elif way == "dynamic":
    compiled = torch.compile(model, dynamic=True, **TRACED)
elif way in ("optimizer", "function"):
    compiled = torch.compile(model, **TRACED) if way == "optimizer" else model
else:
    compiled = torch.compile(model, fullgraph=True, mode=way)
watch(compiled, criterion)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
rows = tokens()


def loss_of(ids, length):
    logits = compiled(ids[:, :length])
    return criterion(logits.flatten(0, 1), ids[:, 1 : length + 1].flatten())


update = optimizer.step
if way == "optimizer":
    update = torch.compile(optimizer.step, **TRACED)
elif way == "function":
    loss_of = torch.compile(loss_of, fullgraph=True, **TRACED)
for number in range(8):
    length = 8 + number % 3 if way == "dynamic" else 11
    ids = rows[number : number + 4]
    optimizer.zero_grad()
    loss_of(ids, length).backward()
    update()
tell(model)
counters = torch._dynamo.utils.counters
breaks = sum(counters["graph_break"].values())
print(f"graphs {counters['stats']['unique_graphs']}, breaks {breaks}")
