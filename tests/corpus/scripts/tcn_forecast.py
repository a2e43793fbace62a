"""Forecast the next hours of electricity demand with a temporal convolutional network."""
import copy

import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils import weight_norm
from torch.utils.data import DataLoader, Dataset

HISTORY, BATCH, EPOCHS, LR = 48, 64, 6, 2e-3


def load_demand(hours=4500, seed=4):
    """Demand in MW: daily and weekly cycles, slow trend, temperature effect and noise."""
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    temperature = 10 + 8 * np.sin(2 * np.pi * t / 24 - 2) + np.cumsum(rng.normal(0, 0.1, hours))
    demand = 5200 + 900 * np.sin(2 * np.pi * t / 24) + 300 * np.sin(4 * np.pi * t / 24)
    demand += np.where((t // 24) % 7 >= 5, -600, 0) - 25 * (temperature - 10) + 0.05 * t
    demand += rng.normal(0, 60, hours)
    return np.stack([demand, temperature], axis=1).astype(np.float32)


class Windows(Dataset):
    def __init__(self, series, history):
        self.series, self.history = torch.from_numpy(series), history

    def __len__(self):
        return len(self.series) - self.history

    def __getitem__(self, i):
        window = self.series[i : i + self.history]
        return window.t(), self.series[i + self.history, 0]


class Chomp(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return x[:, :, : -self.size].contiguous()


class TemporalBlock(nn.Module):
    def __init__(self, inputs, outputs, dilation, kernel=3, dropout=0.05):
        super().__init__()
        pad = (kernel - 1) * dilation
        self.net = nn.Sequential(
            weight_norm(nn.Conv1d(inputs, outputs, kernel, padding=pad, dilation=dilation)),
            Chomp(pad), nn.ReLU(), nn.Dropout(dropout),
            weight_norm(nn.Conv1d(outputs, outputs, kernel, padding=pad, dilation=dilation)),
            Chomp(pad), nn.ReLU(), nn.Dropout(dropout),
        )
        self.skip = nn.Conv1d(inputs, outputs, 1) if inputs != outputs else nn.Identity()

    def forward(self, x):
        return torch.relu(self.net(x) + self.skip(x))


class TCN(nn.Module):
    def __init__(self, inputs=2, channels=(16, 16, 16, 16)):
        super().__init__()
        layers = []
        for i, c in enumerate(channels):
            layers.append(TemporalBlock(inputs if i == 0 else channels[i - 1], c, 2**i))
        self.tcn = nn.Sequential(*layers)
        self.linear = nn.Linear(channels[-1], 1)

    def forward(self, x):
        return self.linear(self.tcn(x)[:, :, -1]).squeeze(-1)


def run_epoch(model, loader, criterion, optimizer=None):
    model.train(optimizer is not None)
    losses = []
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            loss = criterion(model(x), y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            losses.append(loss.item())
    return float(np.mean(losses))


def main():
    torch.manual_seed(0)
    series = load_demand()
    split = 3600
    mean, std = series[:split].mean(0), series[:split].std(0)
    series = (series - mean) / std
    train = DataLoader(Windows(series[:split], HISTORY), BATCH, shuffle=True)
    valid = DataLoader(Windows(series[split:], HISTORY), 128)
    model = TCN()
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1, factor=0.3)
    criterion = nn.MSELoss()
    best, best_state = float("inf"), None
    for epoch in range(EPOCHS):
        train_loss = run_epoch(model, train, criterion, optimizer)
        valid_loss = run_epoch(model, valid, criterion)
        scheduler.step(valid_loss)
        print(f"epoch {epoch:2d}  train mse {train_loss:.4f}  valid mse {valid_loss:.4f}  "
              f"lr {optimizer.param_groups[0]['lr']:.1e}")
        if valid_loss < best:
            best, best_state = valid_loss, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
    print(f"best validation rmse {best ** 0.5 * std[0]:.0f} MW")


if __name__ == "__main__":
    main()
