"""Compiled models stay whole: as many graphs, breaks and recompilations as without a hook, and the
same results."""

from functools import lru_cache
from typing import Any, Callable, Dict, List, NamedTuple, Optional

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from training import read, values

import smdebug.pytorch as smd

if not hasattr(torch, "compile"):
    pytest.skip("this PyTorch has no torch.compile", allow_module_level=True)

import torch._dynamo as dynamo
from torch._dynamo.utils import (
    clear_compilation_metrics,
    counters,
    get_compilation_metrics,
)

STEPS = 6
EVERYTHING = ["weights", "biases", "gradients", "losses"]


class Block(nn.Module):
    """Has a submodule of each kind that is watched: with parameters and without."""

    def __init__(self, checkpointed: bool):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.up = nn.Linear(8, 16)
        self.act = nn.ReLU()
        self.down = nn.Linear(16, 8)
        self.checkpointed = checkpointed

    def inner(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(self.act(self.up(self.norm(x))))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.checkpointed:
            return x + checkpoint(self.inner, x, use_reentrant=False)
        return x + self.inner(x)


class Net(nn.Module):
    """Returns its loss, as models of transformers do."""

    def __init__(self, checkpointed: bool = False):
        super().__init__()
        torch.manual_seed(0)
        self.blocks = nn.Sequential(*(Block(checkpointed) for _ in range(2)))
        self.head = nn.Linear(8, 3)
        self.loss = nn.CrossEntropyLoss()

    def forward(self, x: torch.Tensor, target: torch.Tensor) -> Dict[str, torch.Tensor]:
        logits = self.head(self.blocks(x))
        return {"loss": self.loss(logits, target), "logits": logits}


class Way(NamedTuple):
    """How a model is compiled."""

    settings: Dict[str, Any]
    checkpointed: bool = False
    dynamic: bool = False


WAYS = {
    "fullgraph": Way({"backend": "aot_eager", "fullgraph": True}),
    "dynamic": Way({"backend": "aot_eager", "dynamic": True, "fullgraph": True}, dynamic=True),
    "recompiled for new shapes": Way({"backend": "aot_eager"}, dynamic=True),
    "checkpointing": Way({"backend": "aot_eager", "fullgraph": True}, checkpointed=True),
    "reduce-overhead": Way({"mode": "reduce-overhead"}),
}


class Outcome(NamedTuple):
    """What a training left behind."""

    losses: List[str]
    weights: List[torch.Tensor]
    counts: Dict[str, Any]


Register = Callable[[nn.Module], None]


def compile_first(model: nn.Module, settings: Dict[str, Any], register: Register) -> nn.Module:
    compiled = torch.compile(model, **settings)
    register(compiled)
    return compiled


def register_first(model: nn.Module, settings: Dict[str, Any], register: Register) -> nn.Module:
    register(model)
    return torch.compile(model, **settings)


def compile_itself_first(
    model: nn.Module, settings: Dict[str, Any], register: Register
) -> nn.Module:
    model.compile(**settings)
    register(model)
    return model


def compile_itself_later(
    model: nn.Module, settings: Dict[str, Any], register: Register
) -> nn.Module:
    register(model)
    model.compile(**settings)
    return model


def compile_blocks(model: nn.Module, settings: Dict[str, Any], register: Register) -> nn.Module:
    register(model)
    for block in model.blocks:
        block.compile(**settings)
    return model


ORDERS = [
    compile_first,
    register_first,
    compile_itself_first,
    compile_itself_later,
    compile_blocks,
]


def train(way: Way, order: Any, hook: Optional[smd.Hook] = None) -> Outcome:
    """Trains on batches whose size changes at every other step if the way is dynamic."""
    dynamo.reset()
    counters.clear()
    clear_compilation_metrics()

    def register(model: nn.Module) -> None:
        if hook is not None:
            hook.register_module(model)

    model = Net(way.checkpointed)
    compiled = order(model, way.settings, register)
    optimizer = torch.optim.AdamW(compiled.parameters(), lr=0.01)
    generator = torch.Generator().manual_seed(1)
    losses = []
    for number in range(STEPS):
        size = 4 + number % 3 if way.dynamic else 4
        x = torch.randn(size, 8, generator=generator)
        target = torch.randint(3, (size,), generator=generator)
        loss = compiled(x, target)["loss"]
        optimizer.zero_grad()
        loss.backward()
        if hook is not None:
            hook.record_loss("loss", loss)
        optimizer.step()
        losses.append(loss.item().hex())
    weights = [p.detach().clone() for p in model.parameters()]
    counts: Dict[str, Any] = {kind: dict(counters[kind]) for kind in ("stats", "graph_break")}
    # Once more for each time that a function was compiled again.
    counts["functions"] = [one.co_name for one in get_compilation_metrics() if one.co_name]
    return Outcome(losses, weights, counts)


def same(a: Outcome, b: Outcome) -> bool:
    return a.losses == b.losses and all(map(torch.equal, a.weights, b.weights))


@lru_cache(maxsize=None)
def train_plainly(way: str, order: Any) -> Outcome:
    """Without a hook, which is compared with several trainings."""
    return train(WAYS[way], order)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_compiled_that_would_not_be_without_a_hook(make_hook, way, order):
    plain = train_plainly(way, order)
    hook = make_hook(include_collections=EVERYTHING)
    ours = train(WAYS[way], order, hook)
    assert ours.counts == plain.counts
    assert same(ours, plain)
    assert not hook.disabled
    trial = read(hook)
    for name in ("Net_head.weight", "gradient/Net_head.weight", "loss_output_0"):
        assert trial.tensor(name).steps() == list(range(STEPS))
    saved = values(trial, "loss_output_0").values()
    assert [float(value).hex() for value in saved] == plain.losses


@pytest.mark.parametrize("interval", [1, 3])
@pytest.mark.parametrize("order", ORDERS)
def test_a_cadence_changes_no_graph(make_hook, order, interval):
    plain = train_plainly("fullgraph", order)
    config = smd.SaveConfig(save_interval=interval)
    ours = train(WAYS["fullgraph"], order, make_hook(save_all=True, save_config=config))
    assert ours.counts == plain.counts
    assert same(ours, plain)
