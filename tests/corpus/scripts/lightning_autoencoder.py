# needs: lightning
"""Sequence autoencoder of sensor windows for anomaly scores, as a LightningModule."""
import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class SensorData(L.LightningDataModule):
    """Four machine sensors: pressure in Pa, temperature, vibration and current."""

    def __init__(self, batch_size=32, windows=1100, length=20):
        super().__init__()
        self.batch_size, self.windows, self.length = batch_size, windows, length

    def setup(self, stage=None):
        g = torch.Generator().manual_seed(12)
        n, t = self.windows, torch.arange(self.length).float()
        phase = 6.28 * torch.rand(n, 1, generator=g)
        speed = 0.2 + 0.4 * torch.rand(n, 1, generator=g)
        wave = torch.sin(speed * t + phase)
        pressure = 101_000 + 2_500 * wave
        temperature = 60 + 12 * speed / 0.6 + 3 * torch.cos(speed * t + phase)
        vibration = 0.02 * wave**2 + 0.01 * speed
        current = 8 + 2 * speed - 1.5 * wave
        x = torch.stack([pressure, temperature, vibration, current], -1)
        scale = torch.tensor([2000.0, 4.0, 0.01, 1.2])
        x = x + 0.1 * scale * torch.randn(x.shape, generator=g)
        x = (x - x.mean((0, 1))) / x.std((0, 1))
        self.train, self.valid = TensorDataset(x[:900]), TensorDataset(x[900:])

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.valid, 100)


class SequenceAutoencoder(L.LightningModule):
    def __init__(self, hidden=32, latent=6, lr=5e-3):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = nn.GRU(4, hidden, batch_first=True)
        self.to_latent = nn.Linear(hidden, latent)
        self.from_latent = nn.Linear(latent, hidden)
        self.decoder = nn.GRU(hidden, hidden, batch_first=True)
        self.output = nn.Linear(hidden, 4)

    def _register_sharded_tensor_state_dict_hooks_if_available(self):
        pass  # torch 1.13 cannot import its sharded tensors on Python 3.11

    def forward(self, x):
        _, h = self.encoder(x)
        z = self.to_latent(h[-1])
        start = torch.tanh(self.from_latent(z))
        h, _ = self.decoder(start.unsqueeze(1).expand(-1, x.size(1), -1))
        return self.output(h)

    def training_step(self, batch, batch_idx):
        (x,) = batch
        loss = F.mse_loss(self(x), x)
        self.log("train_loss", loss, on_epoch=True, on_step=False)
        return loss

    def validation_step(self, batch, batch_idx):
        (x,) = batch
        self.log("val_loss", F.mse_loss(self(x), x))

    def on_train_epoch_end(self):
        m = self.trainer.callback_metrics
        print(f"epoch {self.current_epoch} train {m['train_loss']:.4f} val {m['val_loss']:.4f}")

    def configure_optimizers(self):
        optimizer = torch.optim.Adam(self.parameters(), lr=self.hparams.lr)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=8, gamma=0.3)
        return {"optimizer": optimizer, "lr_scheduler": scheduler}


if __name__ == "__main__":
    L.seed_everything(1)
    trainer = L.Trainer(
        max_epochs=14, accelerator="cpu", devices=1, gradient_clip_val=1.0, logger=False,
        enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    trainer.fit(SequenceAutoencoder(), datamodule=SensorData())
    print("final validation loss", round(trainer.callback_metrics["val_loss"].item(), 4))
