"""`warden run --guard` keeps gradients that are not finite from optimizers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from planted_test import WARDEN

# A batch of zeros at step 6: the gradient of a norm is NaN, and the loss is finite.
MODEL = """
import torch
from torch import nn


class Length(nn.Module):
    def forward(self, x):
        return (x * x).sum(-1, keepdim=True).sqrt()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 4, bias=False), Length(), nn.Linear(1, 1))


def batch(step):
    return torch.zeros(8, 4) if step == 6 else torch.randn(8, 4)


def is_finite():
    return all(bool(p.isfinite().all()) for p in model.parameters())

"""
LOOPS = {
    "plain": """
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(10):
    optimizer.zero_grad()
    model(batch(step)).square().mean().backward()
    optimizer.step()
""",
    "scaler": """
optimizer = torch.optim.AdamW(model.parameters())
scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
for step in range(10):
    optimizer.zero_grad()
    scaler.scale(model(batch(step)).square().mean()).backward()
    scaler.step(optimizer)
    scaler.update()
""",
    "closure": """
optimizer = torch.optim.Adam(model.parameters())
for step in range(10):
    def closure():
        optimizer.zero_grad()
        loss = model(batch(step)).square().mean()
        loss.backward()
        return loss
    optimizer.step(closure)
""",
    "lightning": """
import lightning


class Task(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = model

    def training_step(self, x, number):
        return self.net(x[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


data = torch.utils.data.TensorDataset(torch.cat([batch(step) for step in range(10)]))
trainer = lightning.Trainer(max_epochs=1, accelerator="cpu", logger=False, devices=1,
                            enable_checkpointing=False, enable_progress_bar=False)
trainer.fit(Task(), torch.utils.data.DataLoader(data, batch_size=8))
""",
    "trainer": """
import transformers


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = model

    def forward(self, x):
        return {"loss": self.net(x).square().mean()}


class Ordered(transformers.Trainer):
    def _get_train_sampler(self, *_):
        return None


rows = [{"x": row} for step in range(10) for row in batch(step)]
settings = transformers.TrainingArguments(
    output_dir="out", max_steps=10, per_device_train_batch_size=8, report_to=[], use_cpu=True,
    save_strategy="no", remove_unused_columns=False, max_grad_norm=0.0)
Ordered(Task(), settings, train_dataset=rows).train()
""",
}
END = '\nprint("finite" if is_finite() else "broken", flush=True)\n'


def run(folder: Path, guard: str, loop: str) -> subprocess.CompletedProcess:
    """Runs a training under a guard."""
    (folder / "train.py").write_text(MODEL + LOOPS[loop] + END)
    return subprocess.run(
        [WARDEN, "run", "--out", "run", *guard.split(), "--", sys.executable, "train.py"],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )


def test_without_a_guard_the_weights_break(tmp_path: Path) -> None:
    assert "broken" in run(tmp_path, "", "plain").stdout


@pytest.mark.parametrize("loop", LOOPS)
def test_a_step_is_skipped(tmp_path: Path, loop: str) -> None:
    done = run(tmp_path, "--guard skip", loop)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "finite" in done.stdout
    assert "Guard disabled" not in done.stderr
    if loop != "scaler":  # It skips by itself.
        assert "optimizer step skipped: gradient/" in done.stderr, done.stderr[-3000:]
        assert "0.weight is NaN or infinite at step 6" in done.stderr, done.stderr[-3000:]
        assert "backward of Sqrt" in done.stderr


def test_the_training_stops(tmp_path: Path) -> None:
    done = run(tmp_path, "--guard stop", "plain")
    assert done.returncode == 3
    assert "finite" not in done.stdout and "broken" not in done.stdout
    assert "training stopped before the optimizer step: gradient/Sequential_0.weight" in done.stderr
    assert "at step 6" in done.stderr


def test_a_guard_must_be_known(tmp_path: Path) -> None:
    done = run(tmp_path, "--guard wait", "plain")
    assert done.returncode == 2
    assert "wait" in done.stderr
