# Logistic regression on measurements of cells: L-BFGS, full batch, L2 penalty.
import numpy as np
import torch

rng = np.random.default_rng(0)
torch.manual_seed(0)

# Columns have very different scales: micrometres, square micrometres, ratios.
names = ["radius", "perimeter", "area", "texture", "smoothness", "concavity", "symmetry", "age"]
n = 900
malignant = rng.random(n) < 0.4
radius = rng.normal(12.5, 2.0, n) + 4.0 * malignant
columns = [
    radius,
    2 * np.pi * radius * rng.normal(1.05, 0.03, n),
    np.pi * radius ** 2 * rng.normal(1.0, 0.06, n),
    rng.normal(18, 4, n) + 3 * malignant,
    rng.normal(0.095, 0.012, n) + 0.008 * malignant,
    np.abs(rng.normal(0.05, 0.03, n) + 0.08 * malignant),
    rng.normal(0.175, 0.025, n) + 0.015 * malignant,
    rng.normal(52, 12, n),
]
X = np.stack(columns, axis=1)
y = malignant.astype(np.float32)

order = rng.permutation(n)
train, test = order[:630], order[630:]
mean, std = X[train].mean(0), X[train].std(0)
X = (X - mean) / std
X_train, X_test = (torch.tensor(X[i], dtype=torch.float32) for i in (train, test))
y_train, y_test = torch.from_numpy(y[train]), torch.from_numpy(y[test])


class LogisticRegression(torch.nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.linear = torch.nn.Linear(n_features, 1)
        torch.nn.init.zeros_(self.linear.weight)
        torch.nn.init.zeros_(self.linear.bias)

    def forward(self, x):
        return self.linear(x).squeeze(1)


def auc(scores, labels):
    pos, neg = scores[labels == 1], scores[labels == 0]
    return (pos[:, None] > neg[None, :]).float().mean().item()


C = 1.0
model = LogisticRegression(X_train.shape[1])
criterion = torch.nn.BCEWithLogitsLoss()
optimizer = torch.optim.LBFGS(
    model.parameters(), lr=0.1, max_iter=2, history_size=10, tolerance_grad=1e-9)


def objective():
    penalty = model.linear.weight.pow(2).sum() / (2 * C * len(X_train))
    return criterion(model(X_train), y_train) + penalty


def closure():
    optimizer.zero_grad()
    loss = objective()
    loss.backward()
    return loss


history = []
for iteration in range(120):
    loss = optimizer.step(closure)
    history.append(loss.item())
    if iteration % 10 == 0 or iteration == 119:
        with torch.no_grad():
            logits = model(X_test)
            test_loss = criterion(logits, y_test).item()
            acc = ((logits > 0).float() == y_test).float().mean().item()
        print(f"iter {iteration:3d} objective {history[-1]:.6f} test loss {test_loss:.4f} "
              f"acc {acc:.3f} auc {auc(logits, y_test):.4f}")

weights = model.linear.weight.detach().numpy().ravel()
for i in np.argsort(-np.abs(weights))[:5]:
    print(f"{names[i]:>12s} {weights[i]:+.3f}")
