"""Node classification on a stochastic block model with hand-written message passing."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)

# ---------------------------------------------------------------- graph
NUM_CLASSES, PER_CLASS, FEATS = 4, 150, 32
N = NUM_CLASSES * PER_CLASS
labels = torch.arange(NUM_CLASSES).repeat_interleave(PER_CLASS)
same = labels[:, None] == labels[None, :]
prob = torch.where(same, torch.tensor(0.05), torch.tensor(0.008))
upper = torch.triu(torch.rand(N, N) < prob, diagonal=1)
src, dst = upper.nonzero(as_tuple=True)
edge_index = torch.stack([torch.cat([src, dst, torch.arange(N)]),
                          torch.cat([dst, src, torch.arange(N)])])  # both ways + self loops
prototypes = torch.randn(NUM_CLASSES, FEATS)
x = 0.25 * prototypes[labels] + torch.randn(N, FEATS)
perm = torch.randperm(N)
train_idx, val_idx, test_idx = perm[:200], perm[200:350], perm[350:]


# ---------------------------------------------------------------- model
class GCNConv(nn.Module):
    def __init__(self, in_dim, out_dim):
        super().__init__()
        self.lin = nn.Linear(in_dim, out_dim, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_dim))
        nn.init.xavier_uniform_(self.lin.weight)

    def forward(self, x, edge_index):
        row, col = edge_index
        deg = torch.zeros(x.size(0)).index_add_(0, col, torch.ones(col.size(0)))
        norm = deg[row].rsqrt() * deg[col].rsqrt()
        msg = self.lin(x)[row] * norm[:, None]
        out = torch.zeros(x.size(0), msg.size(1)).index_add(0, col, msg)
        return out + self.bias


class GCN(nn.Module):
    def __init__(self, in_dim, hidden, out_dim, dropout=0.5):
        super().__init__()
        self.conv1 = GCNConv(in_dim, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.conv2 = GCNConv(hidden, hidden)
        self.classifier = nn.Linear(hidden, out_dim)
        self.dropout = dropout

    def forward(self, x, edge_index):
        h = F.relu(self.norm(self.conv1(x, edge_index)))
        h = F.dropout(h, self.dropout, training=self.training)
        h = h + F.relu(self.conv2(h, edge_index))
        h = F.dropout(h, self.dropout, training=self.training)
        return self.classifier(h)


model = GCN(FEATS, 64, NUM_CLASSES)
optimizer = torch.optim.Adam(model.parameters(), lr=0.003, weight_decay=1e-2)


def train():
    model.train()
    optimizer.zero_grad()
    out = model(x, edge_index)
    loss = F.cross_entropy(out[train_idx], labels[train_idx])
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def evaluate():
    model.eval()
    out = model(x, edge_index)
    pred = out.argmax(1)
    acc = {name: (pred[idx] == labels[idx]).float().mean().item()
           for name, idx in [("train", train_idx), ("val", val_idx), ("test", test_idx)]}
    return acc, F.cross_entropy(out[val_idx], labels[val_idx]).item()


best_val = test_at_best = 0.0
for epoch in range(1, 111):
    loss = train()
    acc, val_loss = evaluate()
    if acc["val"] > best_val:
        best_val, test_at_best = acc["val"], acc["test"]
    if epoch % 10 == 0:
        print(f"Epoch {epoch:03d} loss {loss:.4f} val loss {val_loss:.4f} "
              f"train {acc['train']:.3f} val {acc['val']:.3f} test {acc['test']:.3f}")
print(f"best val {best_val:.3f}, test at best val {test_at_best:.3f}")
