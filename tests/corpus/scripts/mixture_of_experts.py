"""Sparse mixture of experts with a noisy top-2 router and a load-balancing loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Config:
    seed = 3
    vocab = 40
    length = 10
    dim = 40
    experts = 6
    top_k = 2
    noise = 1.0
    aux_weight = 0.02
    steps = 400
    batch = 48
    lr = 2e-3


cfg = Config()


def sample_batch(n, g):
    """Four kinds of sequence with a rule for the next token each; the first token is the kind."""
    kind = torch.randint(0, 4, (n,), generator=g)
    step = torch.tensor([1, 3, 5, 7])[kind]
    start = torch.randint(0, 36, (n,), generator=g)
    pos = torch.arange(cfg.length)
    seq = (start[:, None] + step[:, None] * pos) % 36
    return torch.cat([36 + kind[:, None], seq], 1)


class NoisyTopKRouter(nn.Module):
    def __init__(self, dim, experts, top_k):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.noise = nn.Linear(dim, experts)
        self.top_k = top_k

    def forward(self, x):
        logits = self.gate(x)
        if self.training:
            logits = logits + cfg.noise * torch.randn_like(logits) * F.softplus(self.noise(x))
        top, idx = logits.topk(self.top_k, dim=-1)
        sparse = torch.full_like(logits, float("-inf")).scatter(-1, idx, top)
        return F.softmax(sparse, dim=-1), idx, F.softmax(logits, dim=-1)


class SparseMoE(nn.Module):
    def __init__(self, dim, experts, top_k):
        super().__init__()
        self.router = NoisyTopKRouter(dim, experts, top_k)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(dim, 2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))
            for _ in range(experts)
        )

    def forward(self, x):
        flat = x.reshape(-1, x.size(-1))
        weights, idx, probs = self.router(flat)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows = (idx == i).any(-1).nonzero().squeeze(1)
            if len(rows):
                out = out.index_add(0, rows, expert(flat[rows]) * weights[rows, i, None])
        load = F.one_hot(idx, len(self.experts)).float().mean((0, 1))
        aux = len(self.experts) * (load * probs.mean(0)).sum()
        return out.view_as(x), aux, load


class MoETransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Embedding(cfg.length, cfg.dim)
        self.norm1, self.norm2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)
        self.attn = nn.MultiheadAttention(cfg.dim, 4, batch_first=True)
        self.moe = SparseMoE(cfg.dim, cfg.experts, cfg.top_k)
        self.head = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, x):
        n = x.size(1)
        h = self.tok(x) + self.pos(torch.arange(n))
        mask = torch.triu(torch.full((n, n), float("-inf")), diagonal=1)
        a = self.norm1(h)
        h = h + self.attn(a, a, a, attn_mask=mask, need_weights=False)[0]
        moe, aux, load = self.moe(self.norm2(h))
        return self.head(h + moe), aux, load


torch.manual_seed(cfg.seed)
gen = torch.Generator().manual_seed(cfg.seed)
model = MoETransformer()
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=5 * cfg.lr, total_steps=cfg.steps)
held_out = sample_batch(300, torch.Generator().manual_seed(99))

for step in range(cfg.steps):
    model.train()
    batch = sample_batch(cfg.batch, gen)
    logits, aux, load = model(batch[:, :-1])
    task = F.cross_entropy(logits.reshape(-1, cfg.vocab), batch[:, 1:].reshape(-1))
    loss = task + cfg.aux_weight * aux
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    if step % 50 == 0 or step == cfg.steps - 1:
        model.eval()
        with torch.no_grad():
            out, _, share = model(held_out[:, :-1])
            hits = (out.argmax(-1) == held_out[:, 1:])[:, 1:].float().mean()
        spread = " ".join(f"{s:.2f}" for s in share.tolist())
        print(f"step {step:4d} task {task:.4f} aux {aux:.3f} acc {hits:.3f} load {spread}")
