"""A mask hides all positions of one sequence: softmax of nothing but -inf."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(16, 16) for _ in range(3))

    def forward(self, x, mask):
        scores = self.query(x) @ self.key(x).transpose(1, 2)
        return scores.masked_fill(mask[:, None, :], float("-inf")).softmax(-1) @ self.value(x)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(8, 16)
        self.attention = Attention()
        self.head = nn.Linear(16, 3)

    def forward(self, x, mask=None):
        return self.head(self.attention(self.embed(x), mask).mean(1))


torch.manual_seed(0)
reader = Reader()
optimizer = torch.optim.AdamW(reader.parameters(), lr=1e-3)
for step in range(30):
    x = torch.randn(4, 6, 8)
    mask = torch.zeros(4, 6, dtype=torch.bool)
    mask[:, 4:] = True
    if step == 23:
        mask[2] = True
    loss = nn.functional.cross_entropy(reader(x, mask=mask), torch.randint(0, 3, (4,)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
