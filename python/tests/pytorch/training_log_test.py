"""What is observed of a training loop in an unchanged script."""

import json
import os
from pathlib import Path
from typing import Any, Dict, List

import pytest
from warm_start import run_warm

import smdebug.pytorch as smd

pytest.importorskip("torch")

SCRIPT = """
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
kept = []
for step in range(12):
    x = torch.randn(32, 4)
    y = x.argmax(dim=1).clamp(max=2)
    out = model(x)
    loss = F.cross_entropy(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def observed(folder: Path, *edits: str) -> smd.create_trial:
    """The run of the script after edits: the old text, then the new one, and so on."""
    text = SCRIPT
    for old, new in zip(edits[::2], edits[1::2]):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    launch(folder, text)
    return smd.create_trial(str(folder / "run"))


def launch(folder: Path, script: str, *options: str) -> None:
    """As `python -m tensorwarden` does."""
    (folder / "train.py").write_text(script)
    words = ["-m", *options, "--out", "run", "train.py"]
    code = "import runpy; runpy.run_module('tensorwarden', run_name='__main__', alter_sys=True)"
    done = run_warm(code, words, dict(os.environ), timeout=300, folder=str(folder))
    assert done.returncode == 0, done.stderr


def numbers(trial: Any, name: str) -> List[float]:
    if f"training/{name}" not in trial.tensor_names():
        return []
    tensor = trial.tensor(f"training/{name}")
    return [float(tensor.value(step)[0]) for step in tensor.steps()]


def facts(trial: Any) -> Dict[str, Any]:
    tensor = trial.tensor("training/facts")
    return json.loads(bytes(tensor.value(tensor.steps()[-1])))


def test_a_healthy_loop(tmp_path):
    trial = observed(tmp_path)
    assert numbers(trial, "optimizer_step") == list(range(1, 13))
    assert set(numbers(trial, "steps_without_clearing")) == {0}
    assert set(numbers(trial, "learning_rate")) == {0.01}
    assert max(numbers(trial, "live_graphs")) <= 2
    assert set(numbers(trial, "loss_input_is_probability")) == {0}
    assert all(0 < ratio < 1 for ratio in numbers(trial, "update_ratio"))
    found = facts(trial)
    assert found["step_line"] == "train.py:17"
    assert found["loss_function"] == "cross_entropy"
    assert found["not_in_optimizer"] == found["without_gradient"] == []
    assert found["parameters"][0] == ["Sequential_0.weight", "Linear", 2]
    assert found["optimizers"] == [{"class": "Adam", "line": "train.py:8", "weight_decay": 0.0}]


def test_gradients_that_are_not_cleared(tmp_path):
    trial = observed(tmp_path, "    optimizer.zero_grad()\n", "")
    assert numbers(trial, "steps_without_clearing") == list(range(12))


@pytest.mark.parametrize(
    "clearing",
    [
        "model.zero_grad()",
        "[setattr(p, 'grad', None) for p in model.parameters()]",
        "[p.grad.zero_() for p in model.parameters() if p.grad is not None]",
    ],
)
def test_every_way_of_clearing(tmp_path, clearing):
    trial = observed(tmp_path, "optimizer.zero_grad()", clearing)
    assert set(numbers(trial, "steps_without_clearing")) == {0}


def test_accumulation_is_no_missing_clearing(tmp_path):
    trial = observed(
        tmp_path,
        "    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
        "    (loss / 4).backward()\n    if step % 4 == 3:\n        optimizer.step()\n"
        "        optimizer.zero_grad()\n",
    )
    assert numbers(trial, "optimizer_step") == [1, 2, 3]
    assert set(numbers(trial, "steps_without_clearing")) == {0}
    assert max(numbers(trial, "backwards_since_step")) == 4


def test_a_closure_clears_within_the_step(tmp_path):
    trial = observed(
        tmp_path,
        "torch.optim.Adam(model.parameters(), lr=0.01)",
        "torch.optim.LBFGS(model.parameters(), lr=0.1, max_iter=2)",
        "    out = model(x)\n    loss = F.cross_entropy(out, y)\n    optimizer.zero_grad()\n"
        "    loss.backward()\n    optimizer.step()\n",
        "    def closure():\n        optimizer.zero_grad()\n"
        "        loss = F.cross_entropy(model(x), y)\n        loss.backward()\n"
        "        return loss\n"
        "    optimizer.step(closure)\n",
    )
    assert set(numbers(trial, "steps_without_clearing")) == {0}


def test_parameters_without_an_optimizer(tmp_path):
    trial = observed(tmp_path, "Adam(model.parameters()", "Adam(model[0].parameters()")
    assert facts(trial)["not_in_optimizer"] == ["Sequential_3.weight", "Sequential_3.bias"]
    assert facts(trial)["foreign_parameters"] == 0


def test_an_optimizer_of_a_layer_that_was_replaced(tmp_path):
    trial = observed(tmp_path, "kept = []", "model[3] = nn.Linear(16, 3)\nkept = []")
    assert facts(trial)["not_in_optimizer"] == ["Sequential_3.weight", "Sequential_3.bias"]
    assert facts(trial)["foreign_parameters"] == 2


def test_layers_that_get_no_gradient(tmp_path):
    cut = "class Cut(nn.Module):\n    def forward(self, x):\n        return x.detach().relu()\n"
    trial = observed(
        tmp_path, "torch.manual_seed(0)", cut + "torch.manual_seed(0)", "nn.ReLU()", "Cut()"
    )
    assert facts(trial)["without_gradient"] == ["Sequential_0.weight", "Sequential_0.bias"]


def test_frozen_layers(tmp_path):
    trial = observed(tmp_path, "kept = []", "model[0].requires_grad_(False)\nkept = []")
    assert facts(trial)["frozen"] == {
        "Sequential_0.weight": "initial",
        "Sequential_0.bias": "initial",
    }


def test_losses_that_stay_alive(tmp_path):
    trial = observed(
        tmp_path, "    optimizer.step()\n", "    optimizer.step()\n    kept.append(loss)\n"
    )
    assert numbers(trial, "live_graphs")[-1] >= 11


@pytest.mark.parametrize(
    ("new", "name"),
    [
        ("out = model(x).softmax(dim=1)", "loss_input_is_probability"),
        ("out = model(x).log_softmax(dim=0)", "loss_input_sums_over_batch"),
    ],
)
def test_what_a_loss_function_gets(tmp_path, new, name):
    assert set(numbers(observed(tmp_path, "out = model(x)", new), name)) == {1}


def test_shapes_that_do_not_match(tmp_path):
    trial = observed(tmp_path, "F.cross_entropy(out, y)", "F.mse_loss(out[:, :1], y.float())")
    assert set(numbers(trial, "loss_shapes_differ")) == {1}
    assert facts(trial)["loss_shapes"] == [[32, 1], [32]]


def test_modes(tmp_path):
    evaluation = "    with torch.no_grad():\n        F.cross_entropy(model(x), y)\n"
    trial = observed(tmp_path, "    optimizer.step()\n", "    optimizer.step()\n" + evaluation)
    assert numbers(trial, "evaluations_in_train_mode")[-1] == 12
    assert facts(trial)["evaluation_line"] == "train.py:19"
    other = tmp_path / "other"
    other.mkdir()
    trial = observed(
        other,
        "    out = model(x)\n",
        "    if step == 4:\n        model.eval()\n    out = model(x)\n",
    )
    assert numbers(trial, "backwards_in_eval_mode")[-1] == 8
    assert facts(trial)["eval_mode_line"] == "train.py:18"


def test_inputs_that_are_not_finite(tmp_path):
    trial = observed(
        tmp_path, "    y = x", "    x[0, 0] = float('nan') if step == 3 else 0\n    y = x"
    )
    assert numbers(trial, "input_not_finite") == [1]


def test_a_loop_under_a_configuration_of_its_own_is_not_observed(tmp_path):
    (tmp_path / "hook.json").write_text('{"HookParameters": {"save_interval": 2}}')
    launch(tmp_path, SCRIPT, "--config", "hook.json")
    names = smd.create_trial(str(tmp_path / "run")).tensor_names()
    assert names
    assert not [name for name in names if name.startswith("training/")]


def test_the_same_batch_again_and_again(tmp_path):
    # The script goes through its data in an order that it does not use.
    trial = observed(
        tmp_path,
        "kept = []",
        "data = torch.randn(320, 4)\norder = torch.randperm(len(data))",
        "x = torch.randn(32, 4)",
        "x = data[:32]",
    )
    assert numbers(trial, "same_batch")[-1] >= 6


def test_a_batch_that_is_all_the_data_may_repeat(tmp_path):
    trial = observed(
        tmp_path, "kept = []", "x = torch.randn(32, 4)", "    x = torch.randn(32, 4)\n", ""
    )
    assert set(numbers(trial, "same_batch")) == {0}


def test_a_loader_that_starts_over_for_each_batch(tmp_path):
    loader = "from torch.utils.data import DataLoader\nloader = DataLoader(torch.randn(320, 4), 32)"
    trial = observed(
        tmp_path, "kept = []", loader, "x = torch.randn(32, 4)", "x = next(iter(loader))"
    )
    assert numbers(trial, "same_batch")[-1] >= 6


def test_where_the_slow_loader_is_used(tmp_path):
    # Two loaders: only the training waits for its own.
    loaders = """
import time
from torch.utils.data import DataLoader
class Slow(torch.utils.data.Dataset):
    def __len__(self): return 384
    def __getitem__(self, index):
        time.sleep(0.002)
        return torch.randn(4)
for _ in DataLoader(torch.randn(320, 4), 32): pass
"""
    trial = observed(
        tmp_path,
        "kept = []",
        loaders,
        "for step in range(12):",
        "for x in DataLoader(Slow(), 32):",
        "    x = torch.randn(32, 4)\n",
        "",
    )
    assert facts(trial)["loader_line"] == "train.py:19"


def test_batches_of_equal_samples(tmp_path):
    trial = observed(tmp_path, "torch.randn(32, 4)", "torch.randn(1, 4).repeat(32, 1)")
    assert set(numbers(trial, "input_rows_same")) == {1}


def test_gradients_that_are_cleared_before_any_step(tmp_path):
    trial = observed(tmp_path, "    optimizer.step()\n", "")
    assert numbers(trial, "cleared_without_step")[-1] == 11
    assert numbers(trial, "optimizer_step") == []


def test_losses_that_never_run_backward(tmp_path):
    trial = observed(tmp_path, "    loss.backward()\n", "")
    assert numbers(trial, "losses_without_backward")[-1] >= 11


def test_losses_run_backward(tmp_path):
    assert numbers(observed(tmp_path), "losses_without_backward") == [1]


def test_parameters_that_stay_zero(tmp_path):
    zeros = "model[0].weight.data.zero_(), model[0].bias.data.zero_(), model[3].weight.data.zero_()"
    trial = observed(tmp_path, "kept = []", zeros)
    assert facts(trial)["still_zero"] == ["Sequential_0.weight", "Sequential_3.weight"]


def test_updates_that_are_rounded_away(tmp_path):
    trial = observed(
        tmp_path,
        "nn.ReLU(), nn.Dropout(0.1)",
        "nn.LayerNorm(16)",
        "nn.Linear(16, 3))",
        "nn.Linear(16, 3)).bfloat16()",
        "lr=0.01",
        "lr=0.0001",
        "torch.randn(32, 4)",
        "torch.randn(32, 4).bfloat16()",
        "F.cross_entropy(out, y)",
        "F.cross_entropy(out.float(), y)",
    )
    assert "Sequential_1.weight" in facts(trial)["rounded_away"]


def test_a_loss_of_its_own_that_gets_probabilities(tmp_path):
    trial = observed(
        tmp_path,
        "out = model(x)",
        "out = model(x).softmax(dim=1)",
        "F.cross_entropy(out, y)",
        "-F.log_softmax(out, dim=-1)[torch.arange(32), y].mean()",
    )
    assert set(numbers(trial, "loss_input_is_probability")) == {1}


@pytest.mark.parametrize("loss", ["F.cross_entropy", "nn.CrossEntropyLoss()"])
def test_losses_of_a_copy_of_the_model_are_those_of_evaluation(tmp_path, loss):
    trial = observed(
        tmp_path,
        "kept = []",
        f"import copy\nshadow = copy.deepcopy(model).eval()\ncriterion = {loss}",
        "F.cross_entropy(out, y)",
        "criterion(out, y)",
        "    optimizer.step()\n",
        "    optimizer.step()\n    with torch.no_grad():\n"
        "        values = [criterion(shadow(x), y).item() for _ in range(3)]\n",
    )
    name = "cross_entropy_output_0" if loss.startswith("F") else "CrossEntropyLoss_output_0"
    assert len(numbers(trial, f"evaluation_loss/{name}")) == 12
    assert trial.tensor(name).steps() == list(range(12))
    assert f"{name[:-1]}1" not in trial.tensor_names()


def test_whether_predictions_follow_their_targets(tmp_path):
    trial = observed(
        tmp_path,
        "nn.Linear(16, 3)",
        "nn.Linear(16, 4)",
        "F.cross_entropy(out, y)",
        "F.mse_loss(out, x)",
    )
    assert all(-1 <= value <= 1 for value in numbers(trial, "prediction_correlation"))
    assert len(numbers(trial, "prediction_correlation")) == 5


def test_the_loss_of_pairs(tmp_path):
    trial = observed(
        tmp_path, "F.cross_entropy(out, y)", "-F.logsigmoid(out[:16, 0] - out[16:, 0]).mean()"
    )
    pairs = trial.tensor("logsigmoid_output_0")
    assert pairs.steps() == list(range(12))
    assert all(pairs.value(step) > 0 for step in pairs.steps())


def test_logsigmoid_inside_a_model_is_an_activation(tmp_path):
    trial = observed(tmp_path, "nn.ReLU()", "nn.LogSigmoid()")
    assert "logsigmoid_output_0" not in trial.tensor_names()


def test_the_arguments_of_the_script_with_their_defaults(tmp_path):
    text = """
import argparse
first = argparse.ArgumentParser(add_help=False)
first.add_argument("--config", default="none.yaml")
first.parse_known_args()
parser = argparse.ArgumentParser(parents=[first])
parser.add_argument("--batch-size", type=int, default=32)
parser.add_argument("--lr", type=float, default=1e-3)
parser.add_argument("--layers", type=int, nargs="+", default=[64, 10])
parser.add_argument("--amp", action="store_true")
parser.add_argument("--limit", type=float, default=float("inf"))
parser.add_argument("--resume")
parser.add_argument("--hub-token", default="hf_12345")
parser.add_argument("--loader", default=object())
parser.set_defaults(lr=0.5)
args = parser.parse_args(["--batch-size", "8"])
"""
    trial = observed(tmp_path, "import torch\n", "import torch\n" + text)
    tensor = trial.tensor("training/arguments")
    assert len(tensor.steps()) == 1
    assert json.loads(bytes(tensor.value(tensor.steps()[0]))) == {
        "config": "none.yaml",
        "batch_size": 8,
        "lr": 0.5,
        "layers": [64, 10],
        "amp": False,
        "limit": "inf",
        "hub_token": "***",
    }
