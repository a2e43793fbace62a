"""`warden run --guard dump` writes a bad step, and `warden replay` finds where it stopped being
finite, with a current PyTorch."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import List

import pytest
from planted_test import SCRIPTS, WARDEN

ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}

# In bfloat16 the values of a row are equal, and so their variance is zero.
NET = """
import torch
from torch import nn


class Standardize(nn.Module):
    def forward(self, x):
        return (x - x.mean(-1, keepdim=True)) / x.var(-1, keepdim=True).sqrt()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.norm = Standardize()
        self.batch_norm = nn.BatchNorm1d(8)
        self.last = nn.Linear(8, 2)
        nn.init.constant_(self.first.bias, 300.0)

    def forward(self, x, labels=None):
        logits = self.last(self.batch_norm(self.norm(self.first(x))))
        if labels is None:
            return logits
        return {"loss": nn.functional.cross_entropy(logits, labels), "logits": logits}


torch.manual_seed(0)
BATCHES = [torch.randn(4, 4) * (0.05 if number == 10 else 50) for number in range(16)]
"""
TRAINER = """
import transformers


class Ordered(transformers.Trainer):
    def _get_train_sampler(self, *_):
        return None


rows = [{"x": row, "labels": 1} for batch in BATCHES for row in batch]
settings = transformers.TrainingArguments(
    output_dir="out", max_steps=8, per_device_train_batch_size=4, report_to=[], use_cpu=True,
    bf16=True, gradient_accumulation_steps=2, save_strategy="no", remove_unused_columns=False)
Ordered(Net(), settings, train_dataset=rows).train()
"""
LIGHTNING = """
import lightning


class Task(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def training_step(self, batch, number):
        return nn.functional.mse_loss(self.net(batch[0])[:, 0], torch.ones(4))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


data = torch.utils.data.TensorDataset(torch.cat(BATCHES))
lightning.Trainer(
    max_epochs=1, accelerator="cpu", logger=False, devices=1, precision="bf16-mixed",
    enable_checkpointing=False, enable_progress_bar=False,
).fit(Task(), torch.utils.data.DataLoader(data, batch_size=4))
"""
# A gradient that is NaN, or more than float16 has, of a finite loss.
BACKWARD = """
import sys

import torch
from torch import nn


class Length(nn.Module):
    def forward(self, x):
        return (x * x).sum(-1, keepdim=True).sqrt()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8, bias=False)
        self.length = Length()
        self.last = nn.Linear(1, 2)

    def forward(self, x):
        return {"logits": self.last(self.length(self.first(x)))}


if __name__ == "__main__":
    torch.manual_seed(0)
    model = Net()
    called = torch.compile(model, backend="eager") if "compiled" in sys.argv else model
    optimizer = torch.optim.AdamW(model.parameters(), fused="fused" in sys.argv)
    # Its first steps overflow, until it has found a scale.
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**24, enabled="unscaled" not in sys.argv)
    criterion = nn.CrossEntropyLoss()
    for step in range(24):
        large = 1e8 if step == 9 and not scaler.is_enabled() else 0.5
        x = torch.zeros(4, 4) if step > 19 else torch.randn(4, 4)
        with torch.autocast("cpu", dtype=torch.float16):
            logits = called(x)["logits"].reshape(2, 2, 2)[:, :1].transpose(1, 2)
            loss = criterion(logits, torch.tensor([[0], [1]])) * large
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    print("trained", scaler.get_scale())
"""


def run(folder: Path, guard: str, script: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [WARDEN, "run", "--out", "run", "--guard", guard, "--", sys.executable, script, *words],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=900,
    )


def replay(folder: Path, step: int, *options: str) -> dict:
    done = subprocess.run(
        [WARDEN, "replay", "run", str(step), "--json", *options],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    found: dict = json.loads(done.stdout)
    return found


def dumps(folder: Path) -> List[str]:
    return sorted(path.name for path in (folder / "run/dumps").glob("*"))


def test_an_overflow_in_float16_is_found(tmp_path: Path) -> None:
    done = run(tmp_path, "dump", str(SCRIPTS / "overflow_fp16.py"))
    assert done.returncode == 0
    assert "step 12 is dumped to" in done.stderr and "warden replay" in done.stderr
    assert dumps(tmp_path) == ["000000000012_worker_0"]
    found = replay(tmp_path, 12)
    first = found["passes"][0]["first"]
    assert (first["phase"], first["module"]) == ("forward", "2.act")
    assert (first["operator"], first["line"]) == ("mul", "overflow_fp16.py:9")
    assert first["only_in_original_precision"]
    assert first["values"]["dtype"] == "float16" and first["values"]["positive_infinity"] == 109
    assert first["reference_values"]["high"] > 65504
    modules = {module["module"]: module for module in found["passes"][0]["modules"]}
    assert list(modules) == ["0", "1.up", "1.act", "1", "2.up", "2.act", "2", "3", ""]
    assert 0 < modules["2.up"]["relative_difference"] < 0.01
    assert any("Forward pass only" in note for note in found["notes"])


@pytest.mark.parametrize("trainer", ["trainer", "lightning"])
def test_a_step_of_a_trainer_is_found(tmp_path: Path, trainer: str) -> None:
    (tmp_path / "train.py").write_text(NET + (TRAINER if trainer == "trainer" else LIGHTNING))
    done = run(tmp_path, "skip,dump", "train.py")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "optimizer step skipped" in done.stderr
    found = replay(tmp_path, 10)
    bad = found["passes"][found["bad_pass"]]
    assert bad["autocast"] == {"cpu": "bfloat16", "cuda": None}
    assert (bad["step"], bad["first"]["phase"], bad["first"]["module"]) == (10, "forward", "norm")
    assert bad["first"]["operator"] == "div" and bad["first"]["only_in_original_precision"]
    assert bad["backward"] and bad["loss"] == "nan" and 0 < bad["reference_loss"] < 10
    if trainer == "trainer":  # Two micro-batches, of which the second is healthy.
        assert len(found["passes"]) == 2 and found["passes"][1]["first"] is None


@pytest.mark.parametrize("kind", ["fused", "compiled"])
def test_a_scaler_looks_for_its_scale_without_dumps(tmp_path: Path, kind: str) -> None:
    (tmp_path / "train.py").write_text(BACKWARD)
    done = run(tmp_path, "dump", "train.py", kind)
    assert "trained" in done.stdout, done.stderr
    # The third in a row that is skipped.
    assert dumps(tmp_path) == ["000000000022_worker_0"], done.stderr
    found = replay(tmp_path, 22)
    first = found["passes"][0]["first"]
    assert (first["phase"], first["module"]) == ("backward", "length"), first
    assert first["operator"] == "Sqrt" and first["line"].startswith("train.py:")
    assert not first["only_in_original_precision"]
    assert found["scale"] and found["passes"][0]["loss"] == pytest.approx(0.35, abs=0.3)


def test_a_gradient_that_overflows_is_found(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(BACKWARD)
    done = run(tmp_path, "stop,dump", "train.py", "unscaled")
    assert done.returncode == 3 and "training stopped" in done.stderr
    found = replay(tmp_path, 9, "--reference", "float64")
    first = found["passes"][0]["first"]
    assert (first["phase"], first["module"]) == ("backward", ""), first  # Of the loss.
    assert first["only_in_original_precision"]
    assert found["passes"][0]["reference_loss"] > 1e7  # As the script multiplied it.
