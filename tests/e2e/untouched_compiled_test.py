"""Compiled and transformed functions under `warden run`, which need PyTorch 2."""

import pytest
from launched import HEAD, LOOP, TENSORS, Run, captured

torch = pytest.importorskip("torch", minversion="2.0")


def test_functions_that_are_transformed(tmp_path):
    script = (
        "def step():\n"
        "    torch.func.grad(lambda w: F.mse_loss(x @ w, x[:, :1]))(torch.ones(4, 1))\n"
        "    torch.func.vmap(lambda a: F.mse_loss(a, a * 2))(x)\n"
        "    return ((model(x) - 1) ** 2).mean()\n"
    )
    after = (
        "print(torch.fx.symbolic_trace(lambda a, b: F.mse_loss(a, b))(x, x * 2).item().hex())\n"
        "print(torch.export.export(model, (x,)).module()(x).sum().item().hex())\n"
    )
    run = captured(tmp_path, HEAD + script + LOOP + after)
    assert run.steps("loss_output_0") == {"TRAIN": 10}
    # What was traced is called once with numbers.
    assert run.steps("mse_loss_output_0") == {"TRAIN": 1}


@pytest.mark.parametrize(
    "compiled",
    [
        "net = torch.compile(model, backend='aot_eager', fullgraph=True)",
        "net = model; model.compile(backend='aot_eager', fullgraph=True)",
    ],
)
def test_a_model_that_is_compiled(tmp_path, compiled):
    script = HEAD + compiled + "\nstep = lambda: F.cross_entropy(net(x), y)\n"
    run = captured(tmp_path, script + LOOP)
    assert run.steps("cross_entropy_output_0") == {"TRAIN": 10}
    assert set(run.tensors()) >= TENSORS


def test_a_compiled_step_is_compiled_as_before(tmp_path):
    script = (
        "@torch.compile(backend='aot_eager', fullgraph=True)\n"
        "def compiled(x, y):\n"
        "    return F.cross_entropy(nn.Tanh()(model(x)), y) + nn.MSELoss()(x, x * 2)\n"
        "step = lambda: compiled(x, y)\n"
    )
    assert "no model was detected" in Run(tmp_path, HEAD + script + LOOP, options=["-v"]).errors
