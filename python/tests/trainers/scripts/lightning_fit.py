"""Lightning with mixed precision and validation."""

import warnings

import lightning
import torch
from common import images, tell, watch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")


class Classifier(lightning.LightningModule):
    """Two convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 30 * 30, 4)
        )
        self.criterion = nn.CrossEntropyLoss()

    def training_step(self, batch, _):
        x, y = batch
        return self.criterion(self.net(x), y)

    def validation_step(self, batch, _):
        x, y = batch
        self.log("validation_loss", self.criterion(self.net(x), y))

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


module = Classifier()
watch(module.net, module.criterion)
loader = DataLoader(TensorDataset(*images()), batch_size=4)
trainer = lightning.Trainer(
    accelerator="cpu",
    precision="bf16-mixed",
    max_epochs=2,
    gradient_clip_val=1.0,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(module, loader, loader)
tell(module)
