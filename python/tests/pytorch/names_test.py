"""Tensors have the names that the original gives them, whatever the model is made of."""

import numpy as np
import torch
from torch import nn
from training import batches, make_model, read, step, train, values

import smdebug.pytorch as smd


def saved_names(hook: smd.Hook, model: nn.Module, *inputs) -> list:
    hook.register_module(model)
    step(model, *inputs)
    return sorted(read(hook).tensor_names())


def test_everything_of_a_sequential_model(make_hook):
    hook = make_hook(save_all=True)
    train(hook, steps=1)
    assert sorted(read(hook).tensor_names()) == sorted(
        [f"Sequential_{p}" for p in ("0.weight", "0.bias", "2.weight", "2.bias")]
        + [f"gradient/Sequential_{p}" for p in ("0.weight", "0.bias", "2.weight", "2.bias")]
        + [f"{m}_{k}_0" for m in ("0", "1", "2", "Sequential") for k in ("input", "output")]
        + ["CrossEntropyLoss_input_0", "CrossEntropyLoss_input_1", "CrossEntropyLoss_output_0"]
    )


def test_values_are_those_of_the_step(make_hook):
    hook = make_hook(save_all=True)
    train(hook, steps=3)
    model = make_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    trial = read(hook)
    for number, (features, target) in enumerate(batches(3)):
        before = model[2].weight.detach().clone()
        optimizer.zero_grad()
        hidden = model[1](model[0](features))
        loss = nn.functional.cross_entropy(model[2](hidden), target)
        loss.backward()
        optimizer.step()

        def saved(name, at=number):
            return trial.tensor(name).value(at)

        np.testing.assert_array_equal(saved("Sequential_2.weight"), before.numpy())
        np.testing.assert_array_equal(
            saved("gradient/Sequential_2.weight"), model[2].weight.grad.numpy()
        )
        np.testing.assert_array_equal(saved("Sequential_input_0"), features.numpy())
        np.testing.assert_array_equal(saved("1_output_0"), hidden.detach().numpy())
        np.testing.assert_array_equal(saved("CrossEntropyLoss_input_1"), target.numpy())
        assert saved("CrossEntropyLoss_output_0") == loss.item()


class Twice(nn.Module):
    """One layer under two names, called under both."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = self.first

    def forward(self, x):
        return self.second(self.first(x))


def test_a_shared_module_has_its_first_name_and_counts_on(make_hook):
    names = saved_names(make_hook(save_all=True), Twice(), torch.ones(2, 4))
    assert names == sorted(
        [
            "Twice_first.weight",
            "Twice_first.bias",
            "Twice_input_0",
            "Twice_output_0",
            "gradient/Twice_first.weight",
            "gradient/Twice_first.bias",
            "first_input_0",
            "first_input_1",
            "first_output_0",
            "first_output_1",
        ]
    )


def test_counting_begins_anew_at_each_step(make_hook):
    hook = make_hook(include_regex="first_output")
    model = Twice()
    hook.register_module(model)
    for _ in range(3):
        step(model, torch.ones(2, 4))
    trial = read(hook)
    for name in ("first_output_0", "first_output_1"):
        assert trial.tensor(name).steps() == [0, 1, 2]
    assert not trial.has_tensor("first_output_2")


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn = kind(3, 5)

    def forward(self, x, state=None):
        return self.rnn(x, state)


def test_nested_outputs_of_recurrent_layers_are_numbered_through(make_hook, tmp_path):
    x = torch.ones(2, 1, 3)
    gru = make_hook(include_regex="rnn_(in|out)put", out_dir=str(tmp_path / "gru"))
    assert saved_names(gru, Recurrent(nn.GRU), x) == ["rnn_input_0", "rnn_output_0", "rnn_output_1"]
    lstm = make_hook(include_regex="rnn_(in|out)put", out_dir=str(tmp_path / "lstm"))
    state = (torch.zeros(1, 1, 5), torch.ones(1, 1, 5))
    assert saved_names(lstm, Recurrent(nn.LSTM), x, state) == [
        *(f"rnn_input_{k}" for k in range(3)),
        *(f"rnn_output_{k}" for k in range(3)),
    ]
    trial = smd.create_trial(str(tmp_path / "lstm"))
    np.testing.assert_array_equal(trial.tensor("rnn_input_2").value(0), np.ones((1, 1, 5)))


def test_transformer_layers(make_hook):
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    model = nn.TransformerEncoder(layer, 2)
    names = saved_names(make_hook(save_all=True), model, torch.randn(2, 3, 8))
    for number in range(2):
        for part in ("self_attn", "linear1", "linear2", "norm1", "norm2", "dropout1"):
            assert f"layers.{number}.{part}_output_0" in names
        assert f"TransformerEncoder_layers.{number}.self_attn.in_proj_weight" in names
        assert f"gradient/TransformerEncoder_layers.{number}.linear1.bias" in names
    assert "TransformerEncoder_output_0" in names
    assert not [n for n in names if n.startswith("layers_")], "a ModuleList is never called"


class Parts(nn.Module):
    """Lists and dictionaries of modules, several inputs, a dictionary of outputs."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.heads = nn.ModuleDict({"left": nn.Linear(4, 2), "right": nn.Linear(4, 3)})

    def forward(self, x, scale, flag):
        for layer in self.layers:
            x = layer(x) * scale
        left = self.heads["left"](x)
        return {"left": left, "pair": (left, self.heads["right"](x)), "flag": flag}


def test_lists_dictionaries_and_several_inputs(make_hook):
    hook = make_hook(save_all=True)
    names = saved_names(hook, Parts(), torch.ones(2, 4), torch.tensor(2.0), True)
    places = [name for name in names if "put_" in name]
    assert places == sorted(
        ["Parts_input_0", "Parts_input_1"]
        + ["Parts_output_left_0", "Parts_output_pair_0", "Parts_output_pair_1"]
        + [
            f"{part}_{kind}_0"
            for part in ("layers.0", "layers.1", "heads.left", "heads.right")
            for kind in ("input", "output")
        ]
    )
    assert "Parts_heads.left.weight" in names and "gradient/Parts_layers.1.bias" in names


def test_a_dictionarys_tensors_keep_their_names_over_several_calls(make_hook):
    class Inner(nn.Module):
        def forward(self, x):
            return {"y": x * 2}

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x)["y"] + self.inner(x + 1)["y"]

    hook = make_hook(include_regex="inner_output")
    model = Outer()
    hook.register_module(model)
    model(torch.zeros(2))
    trial = read(hook)
    assert sorted(trial.tensor_names()) == ["inner_output_y_0", "inner_output_y_1"]
    assert trial.tensor("inner_output_y_1").value(0).tolist() == [2.0, 2.0]


def test_modules_know_their_names(make_hook):
    hook = make_hook()
    model = Parts()
    hook.register_module(model)
    assert model._module_name == "Parts"
    assert model.heads["left"]._module_name == "heads.left"


def test_modules_that_take_no_new_attributes(make_hook):
    class Closed(nn.Linear):
        def __setattr__(self, name, value):
            if name == "_module_name":
                raise AttributeError(name)
            super().__setattr__(name, value)

    names = saved_names(
        make_hook(include_regex="0_output"), nn.Sequential(Closed(2, 2)), torch.ones(2)
    )
    assert names == ["0_output_0"]


def test_a_model_that_is_registered_late(make_hook):
    hook = make_hook(include_collections=["weights", "gradients"])
    model = make_model()
    train(hook, steps=2)
    train(hook, model, steps=2)
    assert hook.step == 3
    assert values(read(hook), "gradient/Sequential_0.weight").keys() == {0, 1, 2, 3}


def test_tied_weights_have_the_first_name(make_hook):
    model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5, bias=False))
    model[1].weight = model[0].weight
    hook = make_hook(include_collections=["weights", "gradients"])
    names = saved_names(hook, model, torch.tensor([1, 2]))
    assert names == ["Sequential_0.weight", "gradient/Sequential_0.weight"]


def test_parameters_that_a_module_returns_are_passed_over(make_hook):
    class Holder(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Parameter(torch.ones(2))

        def forward(self, x):
            return self.table, x * 2

    names = saved_names(make_hook(include_regex="Holder_output"), Holder(), torch.ones(2))
    assert names == ["Holder_output_0"]
    assert values(smd.create_trial(smd.get_hook().out_dir), "Holder_output_0")[0].tolist() == [2, 2]


def test_a_pattern_may_name_a_key_of_a_dictionary(make_hook):
    hook = make_hook(include_regex="output_[lL]eft", save_config=smd.SaveConfig(save_interval=2))
    model = Parts()
    hook.register_module(model)
    for _ in range(5):
        step(model, torch.ones(2, 4), torch.tensor(2.0), True)
    trial = read(hook)
    assert trial.tensor_names() == ["Parts_output_left_0"]
    assert trial.tensor("Parts_output_left_0").steps() == [0, 2, 4]


def test_a_collection_may_name_one_of_many_outputs(make_hook):
    class Many(nn.Module):
        def forward(self, x):
            return [x + k for k in range(40)]

    hook = make_hook(include_collections=["one"])
    hook.get_collection("one").add_tensor_name("Many_output_30")
    names = saved_names(hook, Many(), torch.zeros(1))
    assert names == ["Many_output_30"]
