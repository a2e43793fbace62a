import numpy as np
import torch
from torch import nn

# ---------------------------------------------------------------- data
# Price of a used machine from five columns of very different scale.
rng = np.random.default_rng(2024)
n = 2400
age_days = rng.uniform(0, 4000, n)
hours = rng.lognormal(8, 0.6, n)
power_w = rng.uniform(500, 90000, n)
humidity = rng.uniform(0, 1, n)
grade = rng.integers(1, 6, n)
price = (
    20000 * np.exp(-age_days / 3000)
    + 0.12 * power_w * (0.6 + 0.1 * grade)
    - 0.4 * 9000 * np.tanh(hours / 9000)
    + 800 * np.sin(3 * humidity)
)
X = np.stack([age_days, hours, power_w, humidity, grade], axis=1).astype(np.float32)
y = price.astype(np.float32)

perm = rng.permutation(n)
train_idx, val_idx = perm[:2000], perm[2000:]
mean, std = X[train_idx].mean(0), X[train_idx].std(0)
X = (X - mean) / std
y = (y - y[train_idx].mean()) / y[train_idx].std()

X_train, y_train = torch.from_numpy(X[train_idx]), torch.from_numpy(y[train_idx])
X_val, y_val = torch.from_numpy(X[val_idx]), torch.from_numpy(y[val_idx])

# ---------------------------------------------------------------- model
torch.manual_seed(1)


class MLP(nn.Module):
    def __init__(self, in_dim, hidden=64, depth=2, act=nn.SiLU):
        super().__init__()
        layers = [nn.Linear(in_dim, hidden), act()]
        for _ in range(depth - 1):
            layers += [nn.Linear(hidden, hidden), act()]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


model = MLP(X.shape[1])
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.85)
loss_fn = nn.MSELoss()

# ---------------------------------------------------------------- training
batch_size = 64
for epoch in range(1, 19):
    model.train()
    order = torch.randperm(len(X_train))
    total = 0.0
    for start in range(0, len(order), batch_size):
        idx = order[start:start + batch_size]
        pred = model(X_train[idx])
        loss = loss_fn(pred, y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    scheduler.step()

    model.eval()
    with torch.no_grad():
        val = loss_fn(model(X_val), y_val).item()
    r2 = 1 - val / y_val.var(unbiased=False).item()
    print(f"epoch {epoch:02d} | train mse {total / len(order):.6f} | val mse {val:.6f} | R2 {r2:.4f}")
