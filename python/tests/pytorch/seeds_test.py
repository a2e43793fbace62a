"""Scripts and analyses that people have written for the original run as they are."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from training import make_model, run_script

import smdebug.pytorch as smd
from smdebug.core.modes import ModeKeys
from smdebug.exceptions import RuleEvaluationConditionMet
from smdebug.trials import create_trial

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests/guide"))
from manifest import code

# As published, down to the imports that it does not use.
TRAIN = code("tutorial-3")


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """The configuration file that a job of the article would be given."""
    path = tmp_path / "debughookconfig.json"
    collections = {"losses": "10", "weights": "100", "gradients": "100"}
    path.write_text(
        json.dumps(
            {
                "S3OutputPath": "s3://bucket/debugger-output",
                "LocalPath": str(tmp_path / "tensors"),
                "CollectionConfigurations": [
                    {"CollectionName": name, "CollectionParameters": {"save_interval": interval}}
                    for name, interval in collections.items()
                ],
            }
        )
    )
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(path))
    return tmp_path / "tensors"


def loader(count: int) -> DataLoader:
    generator = torch.Generator().manual_seed(2)
    features = torch.randn(count, 6, generator=generator)
    return DataLoader(TensorDataset(features, features.sum(dim=1) > 0), batch_size=8)


@pytest.fixture
def trained(configured, capsys):
    """A run of the article's script."""
    torch.manual_seed(0)
    script = {"train_loader": loader(400), "val_loader": loader(80)}
    exec(compile(TRAIN, "train.py", "exec"), script)
    script["train"](argparse.Namespace(input_dim=6, learning_rate=0.001, epochs=3))
    smd.get_hook().close()
    assert capsys.readouterr().out.endswith("Training complete!\n")
    return configured


def test_the_articles_script(trained):
    trial = create_trial(str(trained))
    losses = trial.tensor("BCELoss_output_0")
    assert losses.steps(mode=smd.modes.TRAIN) == list(range(0, 150, 10))
    assert losses.steps(mode=smd.modes.EVAL) == [0, 10, 20]
    assert trial.tensor("Sequential_0.weight").steps(mode=smd.modes.TRAIN) == [0, 100]
    assert trial.tensor("gradient/Sequential_0.weight").steps(mode=smd.modes.TRAIN) == [0, 100]
    assert trial.tensor("Sequential_0.weight").steps(mode=smd.modes.EVAL) == [0]


def test_the_articles_analysis(trained, capsys):
    trial = create_trial(str(trained))

    print("Available tensors:")
    for name in trial.tensor_names()[:20]:
        print(f"  {name}")

    # The article has a loss of another class here.
    loss_tensor = trial.tensor("BCELoss_output_0")
    steps = loss_tensor.steps()
    print(f"\nLoss values across {len(steps)} steps:")
    for step in steps[::10]:  # Every 10th step
        value = loss_tensor.value(step)
        print(f"  Step {step}: {value:.6f}")
    assert "  BCELoss_output_0\n" in capsys.readouterr().out

    # And a gradient of a layer with another name.
    weight_tensor = trial.tensor("gradient/Sequential_0.weight")
    for step in weight_tensor.steps()[-5:]:  # Last 5 steps
        values = weight_tensor.value(step)
        print(f"Step {step}:")
        print(f"  Mean: {np.mean(values):.8f}")
        print(f"  Std:  {np.std(values):.8f}")
        print(f"  Max:  {np.max(np.abs(values)):.8f}")
        print(f"  Min:  {np.min(np.abs(values)):.8f}")
    assert capsys.readouterr().out.count("Mean") == 2


def test_the_guides_steps(configured):
    """The developer guide's adaptation of a PyTorch script, steps 1 to 7."""
    hook = smd.get_hook(create_if_not_exists=True)
    if hook is None:
        hook = smd.Hook(out_dir="/path/to/your/local/output/", export_tensorboard=True)
    assert hook.out_dir == str(configured)
    model, loss_function = make_model(), nn.CrossEntropyLoss()
    hook.register_module(model)
    hook.register_loss(loss_function)

    def train():
        hook.set_mode(ModeKeys.TRAIN)
        for _ in range(11):
            image_inputs = torch.randn(4, 8)
            loss_function(model(image_inputs), torch.zeros(4, dtype=torch.long)).backward()
            hook.save_tensor("images", image_inputs)
            hook.save_tensor("mine", image_inputs, collections_to_write="custom")

    def validation():
        hook.set_mode(ModeKeys.EVAL)
        loss_function(model(torch.randn(4, 8)), torch.zeros(4, dtype=torch.long))
        accuracy = 0.75
        hook.save_scalar("accuracy", accuracy)

    train()
    validation()
    hook.save_scalar("accuracy", 3 / 4, sm_metric=True)
    hook.close()
    trial = create_trial(str(configured))
    assert trial.tensor("CrossEntropyLoss_output_0").steps(mode=ModeKeys.TRAIN) == [0, 10]
    assert trial.tensor("scalar/accuracy").value(0, mode=ModeKeys.EVAL) == 0.75
    # Not every step is due: by default each five hundredth is.
    assert trial.tensor("images").steps(mode=ModeKeys.TRAIN) == [0]
    assert trial.collection("custom").tensor_names == {"mine"}


def test_the_guides_hook_outside_of_a_job(tmp_path, monkeypatch):
    monkeypatch.setenv("SMDEBUG_CONFIG_FILE_PATH", str(tmp_path / "none.json"))
    hook = smd.get_hook(create_if_not_exists=True)
    assert hook is None
    hook = smd.Hook(out_dir=str(tmp_path / "output") + "/", export_tensorboard=True)
    model = make_model()
    hook.register_module(model)
    loss = nn.functional.nll_loss(model(torch.ones(1, 8)), torch.tensor([1]))
    hook.record_tensor_value(tensor_name="nll_loss", tensor_value=loss)
    hook.close()
    assert create_trial(str(tmp_path / "output")).tensor_names() == ["nll_loss_output_0"]
    assert (tmp_path / "output" / "tensorboard").is_dir()


def test_the_guides_rule(trained):
    names = {}
    exec(code("p794-1"), names)
    CustomGradientRule = names["CustomGradientRule"]
    trial = create_trial(str(trained))
    (first, last) = trial.tensor("gradient/Sequential_0.weight").steps()
    CustomGradientRule(trial).invoke(first)
    CustomGradientRule(trial, threshold="20.0").invoke(last)
    with pytest.raises(RuleEvaluationConditionMet):
        CustomGradientRule(trial, threshold=0.0).invoke(last)


def test_the_articles_script_as_a_program(configured):
    """Nobody closes the hook there."""
    data = """
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.randn(40, 6), torch.ones(40))
train_loader = val_loader = DataLoader(data, batch_size=8)
train(argparse.Namespace(input_dim=6, learning_rate=0.001, epochs=2))
"""
    done = run_script(TRAIN + data)
    assert "warden" not in done.stderr and "Training complete!" in done.stdout
    assert (configured / "training_job_end.ts").exists()
    assert create_trial(str(configured)).tensor("BCELoss_output_0").steps(smd.modes.TRAIN) == [0]
