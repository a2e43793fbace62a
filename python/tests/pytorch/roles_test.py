"""What parts tensors play is in the manifest, under the names that they are saved by."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest
import torch
from torch import nn
from training import make_model, read, step, train

import smdebug.pytorch as smd


def manifest(hook: smd.Hook) -> Dict[str, Any]:
    (path,) = Path(hook.out_dir).rglob("*_collections.json")
    return json.loads(path.read_text())


def roles(hook: smd.Hook) -> Dict[str, List[str]]:
    hook.close()
    return manifest(hook)["_meta"].get("roles", {})


def played(hook: smd.Hook) -> Dict[str, List[str]]:
    """The saved tensors that play each role."""
    names = read(hook).tensor_names()
    return {
        role: sorted(n for n in names if n.startswith(tuple(beginnings)))
        for role, beginnings in roles(hook).items()
    }


class Block(nn.Module):
    """One ReLU called twice, a functional one, and activations with a name of their own."""

    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.squash = nn.ModuleDict({"t-1": nn.Tanh(), "s": nn.Sigmoid()})

    def forward(self, x):
        x = self.act(nn.functional.relu(x) - 1)
        return self.act(self.squash["s"](self.squash["t-1"](x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(5, 4)
        self.places = nn.Embedding(5, 4)
        self.body = nn.Sequential(nn.Linear(4, 4), Block(), nn.ReLU6(), nn.LeakyReLU(), nn.GELU())

    def forward(self, words, places):
        return self.body(self.words(words) + self.places(places))


def save_everything_of_net(hook: smd.Hook) -> None:
    model, criterion = Net(), nn.MSELoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    indices = torch.tensor([[0, 1, 2]])
    criterion(model(indices, indices), torch.ones(1, 3, 4)).backward()


def test_a_sequential_model(make_hook):
    hook = make_hook(save_all=True)
    train(hook, steps=2)
    assert played(hook) == {
        "first_input": ["Sequential_input_0"],
        "relu_input": ["1_input_0"],
        "relu_output": ["1_output_0"],
        "predictions": ["CrossEntropyLoss_input_0"],
        "labels": ["CrossEntropyLoss_input_1"],
    }


def test_a_nested_model(make_hook):
    hook = make_hook(save_all=True)
    save_everything_of_net(hook)
    assert played(hook) == {
        "first_input": ["Net_input_0"],
        "first_embedding_input": ["words_input_0"],
        "relu_input": ["body.1.act_input_0", "body.1.act_input_1", "body.2_input_0"],
        "relu_output": ["body.1.act_output_0", "body.1.act_output_1", "body.2_output_0"],
        "tanh_input": ["body.1.squash.t-1_input_0"],
        "tanh_output": ["body.1.squash.t-1_output_0"],
        "sigmoid_input": ["body.1.squash.s_input_0"],
        "sigmoid_output": ["body.1.squash.s_output_0"],
        "predictions": ["MSELoss_input_0"],
        "labels": ["MSELoss_input_1"],
    }


def test_functions_play_none(make_hook):
    class Functional(nn.Module):
        def forward(self, x):
            return torch.tanh(nn.functional.relu(x))

    hook = make_hook(save_all=True)
    hook.register_module(Functional())
    assert roles(hook) == {"first_input": ["Functional_input_0"]}


def test_what_an_activation_in_place_has_overwritten_is_no_input(make_hook):
    hook = make_hook(save_all=True)
    model = nn.Sequential(nn.Linear(8, 3), nn.ReLU(inplace=True))
    hook.register_module(model)
    step(model, -torch.ones(1, 8))
    trial = read(hook)
    assert (trial.tensor("1_input_0").value(0) == trial.tensor("1_output_0").value(0)).all()
    assert roles(hook) == {"first_input": ["Sequential_input_0"], "relu_output": ["1_output_"]}


@pytest.mark.parametrize(
    ("criterion", "pairs"),
    [
        (nn.BCEWithLogitsLoss(), True),
        (nn.CTCLoss(), True),
        (nn.TripletMarginLoss(), False),
        (nn.MarginRankingLoss(), False),
    ],
)
def test_losses_without_labels(make_hook, criterion, pairs):
    hook = make_hook()
    hook.register_loss(criterion)
    name = type(criterion).__name__
    expected = {"predictions": [f"{name}_input_0"], "labels": [f"{name}_input_1"]}
    assert roles(hook) == (expected if pairs else {})


def test_a_loss_inside_of_a_model(make_hook):
    class WithLoss(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Linear(8, 3)
            self.criterion = nn.CrossEntropyLoss()

        def forward(self, x, target):
            return self.criterion(self.body(x), target)

    hook = make_hook(save_all=True)
    model = WithLoss()
    hook.register_module(model)
    step(model, torch.ones(2, 8), torch.tensor([0, 1]))
    found = played(hook)
    assert found["predictions"] == ["criterion_input_0"]
    assert found["labels"] == ["criterion_input_1"]


def test_models_and_losses_that_come_late(make_hook):
    hook = make_hook(include_collections=["relu_output", "labels"])
    train(hook, steps=1)
    save_everything_of_net(hook)
    trial = read(hook)
    assert roles(hook)["labels"] == ["CrossEntropyLoss_input_1", "MSELoss_input_1"]
    assert roles(hook)["relu_output"] == ["1_output_", "body.1.act_output_", "body.2_output_"]
    assert trial.collection("labels").tensor_names == set(roles(hook)["labels"])
    assert trial.tensor("MSELoss_input_1").steps() == [1]
    assert trial.tensor("body.2_output_0").steps() == [1]
    assert trial.tensor("1_output_0").steps() == [0]


AUTOMATIC = """
import torch
from torch import nn
model, criterion = nn.Sequential(nn.Linear(8, 4), nn.ReLU()), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    criterion(model(torch.ones(2, 8)), torch.tensor([0, 1])).backward()
    optimizer.step()
"""


def test_a_loss_that_is_seen_when_it_is_called_first(tmp_path):
    (tmp_path / "train.py").write_text(AUTOMATIC)
    collection = {"CollectionName": "labels", "CollectionParameters": {"include_regex": ".*labels"}}
    settings = {"HookParameters": {"save_interval": 2}, "CollectionConfigurations": [collection]}
    (tmp_path / "hook.json").write_text(json.dumps(settings))
    subprocess.run(
        [sys.executable, "-m", "tensorwarden", "--config", "hook.json", "--out", "run", "train.py"],
        cwd=tmp_path,
        timeout=300,
        check=True,
    )
    trial = smd.create_trial(str(tmp_path / "run"))
    assert trial.tensor_names() == ["CrossEntropyLoss_input_1", "CrossEntropyLoss_output_0"]
    assert trial.tensor("CrossEntropyLoss_input_1").steps() == [0, 2]
    assert trial.collection("labels").tensor_names == {"CrossEntropyLoss_input_1"}


# ---- Collections that bear the name of a role.


def configured(tmp_path: Path, *collections: Dict[str, Any]) -> smd.Hook:
    path = tmp_path / "hook.json"
    path.write_text(
        json.dumps(
            {"LocalPath": str(tmp_path / "run"), "CollectionConfigurations": list(collections)}
        )
    )
    return smd.Hook.create_from_json_file(str(path))


def test_the_originals_configuration_finds_every_relu(tmp_path):
    hook = configured(
        tmp_path,
        {
            "CollectionName": "relu_output",
            "CollectionParameters": {"include_regex": ".*relu_output", "save_interval": "500"},
        },
    )
    save_everything_of_net(hook)
    outputs = {"body.1.act_output_0", "body.1.act_output_1", "body.2_output_0"}
    trial = read(hook)
    assert set(trial.tensor_names()) == {*outputs, "MSELoss_output_0"}
    assert trial.collection("relu_output").tensor_names == outputs
    assert manifest(hook)["collections"]["relu_output"]["include_regex"] == [
        ".*relu_output",
        r"^(?:body\.1\.act_output_|body\.2_output_)",
    ]


def test_a_model_of_many_relus(make_hook):
    hook = make_hook(include_collections=["relu_output"])
    model = nn.Sequential(*(nn.ReLU() for _ in range(300)))
    hook.register_module(model)
    step(model, torch.ones(1))
    assert set(read(hook).tensor_names()) == {f"{number}_output_0" for number in range(300)}
    patterns = manifest(hook)["collections"]["relu_output"]["include_regex"]
    assert len(patterns) == 5 and max(map(len, patterns)) < 1000


@pytest.mark.parametrize(
    ("collection", "tensors"),
    [
        ("relu_input", {"body.1.act_input_0", "body.1.act_input_1", "body.2_input_0"}),
        ("tanh_input", {"body.1.squash.t-1_input_0"}),
        ("sigmoid_input", {"body.1.squash.s_input_0"}),
        ("first_input", {"Net_input_0"}),
        ("input_image", {"Net_input_0"}),
        ("first_embedding_input", {"words_input_0"}),
        ("input_sequence", {"words_input_0"}),
        ("predictions", {"MSELoss_input_0"}),
        ("labels", {"MSELoss_input_1"}),
    ],
)
def test_collections_without_patterns(make_hook, collection, tensors):
    hook = make_hook(include_collections=[collection])
    save_everything_of_net(hook)
    assert set(read(hook).tensor_names()) == {*tensors, "MSELoss_output_0"}


def test_one_that_is_not_saved_stays_as_it_is(make_hook):
    hook = make_hook()
    hook.get_collection("relu_output").include("mine")
    train(hook, steps=1)
    assert read(hook).tensor_names() == ["CrossEntropyLoss_output_0"]
    assert manifest(hook)["collections"]["relu_output"]["include_regex"] == ["mine"]


def test_one_with_nothing_to_hold_does_no_harm(make_hook, told):
    hook = make_hook(include_collections=["sigmoid_input", "labels"])
    model = make_model()
    hook.register_module(model)
    hook.save_tensor("labels", torch.ones(2), "labels")
    step(model, torch.ones(1, 8))
    assert not hook.disabled
    assert read(hook).tensor_names() == ["labels"]
    assert told() == []


def test_a_loss_of_many_calls_keeps_its_labels_apart(make_hook):
    hook = make_hook(include_collections=["labels"])
    model, criterion = make_model(), nn.CrossEntropyLoss()
    hook.register_module(model)
    hook.register_loss(criterion)
    output = model(torch.ones(1, 8))
    for _ in range(6):
        criterion(output, torch.tensor([1]))
    assert read(hook).collection("labels").tensor_names == {"CrossEntropyLoss_input_1"}


# ---- Other forms of models.


def test_a_model_that_is_compiled(make_hook):
    if not hasattr(torch, "compile"):
        pytest.skip("this PyTorch has no torch.compile")
    model = make_model()
    try:
        fast = torch.compile(model, backend="aot_eager")
        fast(torch.ones(1, 8))
    except Exception as error:
        pytest.skip(f"torch.compile does not work here: {error}")
    hook = make_hook(save_all=True)
    train(hook, fast, steps=1)
    assert played(hook) == {
        "first_input": ["Sequential_input_0"],
        "predictions": ["CrossEntropyLoss_input_0"],
        "labels": ["CrossEntropyLoss_input_1"],
    }


def test_a_model_with_scripted_parts(make_hook):
    inner = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
    model = nn.Sequential(torch.jit.script(inner), torch.jit.script(nn.ReLU()), nn.Linear(8, 3))
    hook = make_hook(save_all=True)
    train(hook, model, steps=1)
    found = played(hook)
    assert found["relu_output"] == ["1_output_0"], "inside of a scripted module nothing is seen"
    assert found["relu_input"] == ["1_input_0"]


def test_the_original_reads_a_run_with_roles(make_hook, run_original):
    hook = make_hook(save_all=True, include_collections=["relu_output"])
    train(hook, steps=2)
    trial = read(hook)
    assert roles(hook)
    seen = run_original(
        "import json, sys\n"
        "from smdebug.trials import create_trial\n"
        "trial = create_trial(sys.argv[1])\n"
        "names = sorted(trial.tensor_names(collection='relu_output'))\n"
        "print('READ', json.dumps([trial.steps(), sorted(trial.tensor_names()), names]))\n",
        hook.out_dir,
    )
    steps, names, outputs = json.loads(seen[seen.index("READ ") + 5 :])
    assert steps == trial.steps() and names == sorted(trial.tensor_names())
    assert outputs == ["1_output_0"]
