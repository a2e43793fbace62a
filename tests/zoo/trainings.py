"""Short trainings, each with a fault that one rule is made to find, and a healthy twin.

A training saves every step whole into a folder and tells at which global step its fault begins."""

import math
from typing import Callable, Dict, NamedTuple, Optional

import torch
from torch import nn
from torch.nn import functional

import smdebug.pytorch as smd


class Loop:
    """The usual loop over steps, under a hook that saves all of them."""

    def __init__(self, folder, model, optimizer=None, loss=None, lr=0.1, workers="one"):
        self.model = model
        self.loss = loss or nn.CrossEntropyLoss()
        self.optimizer = optimizer or torch.optim.SGD(model.parameters(), lr=lr)
        self.hook = smd.Hook(
            out_dir=str(folder),
            save_all=True,
            save_config=smd.SaveConfig(save_interval=1),
            include_workers=workers,
        )
        self.hook.register_module(model)
        self.hook.register_loss(self.loss)

    def __enter__(self):
        self.hook.set_mode(smd.modes.TRAIN)
        return self

    def __exit__(self, *_):
        self.hook.close()

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def evaluate(self, x, y):
        self.hook.set_mode(smd.modes.EVAL)
        with torch.no_grad():
            loss = self.loss(self.model(x), y).item()
        self.hook.set_mode(smd.modes.TRAIN)
        return loss


def blobs(count=128, features=8, classes=4, spread=0.5, seed=0):
    """Points around the corners of a cube, with the corner as label: easily learnt."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(count) % classes
    centres = torch.randn(classes, features, generator=torch.Generator().manual_seed(99))
    points = centres[labels] + spread * torch.randn(count, features, generator=generator)
    return points, labels


def relu_net(features=8, classes=4, width=16):
    return nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, classes))


def vanishing_gradient(folder, faulty):
    layers = [nn.Linear(8, 16)]
    for _ in range(20 if faulty else 2):
        layers += [nn.Sigmoid() if faulty else nn.ReLU(), nn.Linear(16, 16)]
    x, y = blobs(classes=16)
    with Loop(folder, nn.Sequential(*layers)) as loop:
        for _ in range(20):
            loop.step(x, y)
    return 0


def exploding_tensor(folder, faulty):
    x, y = torch.randn(64, 8), torch.randn(64, 1)
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
    first = None
    with Loop(folder, model, loss=nn.MSELoss(), lr=3.0 if faulty else 0.01) as loop:
        for step in range(60):
            loss = loop.step(x, y)
            gradients = [p.grad for p in model.parameters()]
            sound = math.isfinite(loss) and all(torch.isfinite(g).all() for g in gradients)
            if first is None and not sound:
                first = step
    return first


def dead_relu(folder, faulty):
    model = relu_net()
    if faulty:
        nn.init.constant_(model[0].bias, -50.0)
    x, y = blobs()
    with Loop(folder, model) as loop:
        for _ in range(10):
            loop.step(x, y)
    return 0


def poor_weight_initialization(folder, faulty):
    model = nn.Sequential(
        nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4)
    )
    if faulty:
        for layer in (model[0], model[2]):
            nn.init.constant_(layer.weight, 0.1)
    x, y = blobs()
    with Loop(folder, model, lr=0.2) as loop:
        for _ in range(12):
            loop.step(x, y)
    return 0


def saturated_activation(folder, faulty):
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    x, y = blobs()
    if faulty:
        x = 1e4 * x
    with Loop(folder, model) as loop:
        for _ in range(10):
            loop.step(x, y)
    return 0


def weight_update_ratio(folder, faulty):
    x, y = blobs()
    with Loop(folder, relu_net(), lr=1e-12 if faulty else 0.1) as loop:
        for _ in range(10):
            loop.step(x, y)
    return 1


def all_zero(folder, faulty):
    model = relu_net()
    if faulty:
        nn.init.zeros_(model[2].weight)
    x, y = blobs()
    with Loop(folder, model) as loop:
        for _ in range(5):
            loop.step(x, y)
    return 0


def class_imbalance(folder, faulty):
    x, y = blobs(count=256)
    if faulty:
        keep = (y != 3) | (torch.arange(256) % 64 == 3)
        x, y = x[keep], y[keep]
    with Loop(folder, relu_net(), lr=0.5) as loop:
        for _ in range(12):
            loop.step(x, y)
    return math.ceil(500 / len(y)) - 1


def loss_not_decreasing(folder, faulty):
    x, y = blobs()
    with Loop(folder, relu_net(), lr=0.0 if faulty else 0.1) as loop:
        for _ in range(40):
            loop.step(x, y)
    return 10


def overfit(folder, faulty):
    x, y = blobs(count=32, spread=3.0 if faulty else 0.3)
    x_eval, y_eval = blobs(count=256, spread=3.0 if faulty else 0.3, seed=1)
    first = None
    with Loop(folder, relu_net(width=64), lr=0.3) as loop:
        step = -1
        for _ in range(20):
            losses = []
            for _ in range(5):
                losses.append(loop.step(x, y))
                step += 1
            evaluated = loop.evaluate(x_eval, y_eval)
            step += 1
            mean = sum(losses) / len(losses)
            if first is None and (evaluated - mean) / abs(mean) > 0.5:
                first = step
    return first


def overtraining(folder, faulty):
    x, y = blobs(count=32, spread=3.0 if faulty else 0.3)
    x_eval, y_eval = blobs(count=256, spread=3.0 if faulty else 0.3, seed=1)
    best, since, step, first = math.inf, 0, -1, None
    with Loop(folder, relu_net(width=64), lr=0.3 if faulty else 0.05) as loop:
        for _ in range(60 if faulty else 15):
            loop.step(x, y)
            evaluated = loop.evaluate(x_eval, y_eval)
            step += 2
            since = since + 1 if evaluated >= best + 0.01 else 0
            best = min(best, evaluated)
            if first is None and since >= 10:
                first = step
    return first


def similar_across_runs(folder, faulty):
    torch.manual_seed(1 if faulty else 0)
    x, y = blobs()
    with Loop(folder, relu_net()) as loop:
        for _ in range(5):
            loop.step(x, y)
    return 0


def tensor_variance(folder, faulty):
    model = relu_net()
    if faulty:
        nn.init.normal_(model[0].weight, std=20.0)
    x, y = blobs()
    with Loop(folder, model, lr=1e-3) as loop:
        for _ in range(5):
            loop.step(x, y)
    return 0


def unchanged_tensor(folder, faulty):
    model = relu_net()
    trained = model[2].parameters() if faulty else model.parameters()
    x, y = blobs()
    with Loop(folder, model, optimizer=torch.optim.SGD(trained, lr=0.1)) as loop:
        for _ in range(8):
            loop.step(x, y)
    return 2


def check_input_images(folder, faulty):
    images = torch.rand(128, 3, 8, 8)
    images = 255 * images if faulty else (images - 0.5) / 0.29
    y = torch.arange(128) % 4
    model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 8 * 8, 4))
    with Loop(folder, model, lr=1e-6 if faulty else 1e-2) as loop:
        for _ in range(8):
            loop.step(images, y)
    return 3  # 512 images have been seen.


def nlp_sequence_ratio(folder, faulty):
    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(50, 8)
            self.out = nn.Linear(8, 4)

        def forward(self, tokens):
            return self.out(self.embedding(tokens).mean(1))

    tokens = torch.randint(1, 50, (32, 20))
    tokens[:, 5 if faulty else 15 :] = 0
    with Loop(folder, Classifier()) as loop:
        for _ in range(5):
            loop.step(tokens, torch.arange(32) % 4)
    return 0


def confusion(folder, faulty):
    x, y = blobs(spread=0.05)
    model = nn.Linear(8, 4)
    with torch.no_grad():  # Knows the corners from the start.
        centres = blobs(count=4, spread=0.0)[0]
        model.weight.copy_(0.4 * centres)
        model.bias.copy_(-0.2 * (centres**2).sum(1))
    if faulty:
        y = torch.where(torch.arange(len(y)) % 16 == 1, torch.tensor(2), y)
    with Loop(folder, model, lr=1e-4) as loop:
        for _ in range(5):
            loop.step(x, y)
    return 0


def loss_spike(folder, faulty):
    torch.manual_seed(3)
    x, y = blobs(count=640)
    with Loop(folder, relu_net(), lr=0.05) as loop:
        for step in range(60):
            at = torch.randint(0, 640, (64,))
            scale = -100.0 if faulty and step == 45 else 1.0
            loop.step(scale * x[at], y[at])
    return 45


def nan_origin(folder, faulty):
    class Logarithm(nn.Module):
        def forward(self, x):
            return torch.log(x)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(8, 8)
            self.logarithm = Logarithm()
            self.out = nn.Linear(8, 4)
            self.floor = 1e-3

        def forward(self, x):
            return self.out(self.logarithm(functional.relu(self.inner(x)) + self.floor))

    x, y = blobs()
    model = Net()
    with Loop(folder, model, lr=0.01) as loop:
        for step in range(10):
            if faulty and step == 7:
                model.floor = -1.0  # Of the logarithm's argument.
            loop.step(x, y)
    return 7


class Specimen(NamedTuple):
    """A training, the rule that is made for its fault and how it is configured."""

    rule: str
    train: Callable[..., Optional[int]]
    parameters: str = ""
    other_run: bool = False  # The healthy twin is what the rule compares with.
    names: str = ""  # What the finding must name.

    @property
    def text(self):
        return f"{self.rule}:{self.parameters}" if self.parameters else self.rule


ZOO: Dict[str, Specimen] = {
    specimen.train.__name__ if name is None else name: specimen
    for name, specimen in [
        (None, Specimen("VanishingGradient", vanishing_gradient)),
        (None, Specimen("ExplodingTensor", exploding_tensor)),
        (None, Specimen("DeadRelu", dead_relu, names="1_output_0")),
        (None, Specimen("PoorWeightInitialization", poor_weight_initialization)),
        (None, Specimen("SaturatedActivation", saturated_activation)),
        (None, Specimen("WeightUpdateRatio", weight_update_ratio)),
        (None, Specimen("AllZero", all_zero, "tensor_regex=^(?!gradient).*2.weight")),
        (None, Specimen("ClassImbalance", class_imbalance, "threshold_misprediction=1")),
        (None, Specimen("LossNotDecreasing", loss_not_decreasing)),
        (None, Specimen("Overfit", overfit, "ratio_threshold=0.5")),
        (None, Specimen("Overtraining", overtraining)),
        (
            None,
            Specimen("SimilarAcrossRuns", similar_across_runs, "other_trials={other}", True),
        ),
        (
            None,
            Specimen(
                "TensorVariance", tensor_variance, "collection_names=weights;max_threshold=10"
            ),
        ),
        (None, Specimen("UnchangedTensor", unchanged_tensor, "collection_names=weights")),
        (None, Specimen("CheckInputImages", check_input_images)),
        (None, Specimen("NLPSequenceRatio", nlp_sequence_ratio)),
        (None, Specimen("Confusion", confusion)),
        (None, Specimen("LossSpike", loss_spike)),
        ("gradient_norm_spike", Specimen("GradientNormSpike", loss_spike)),
        (None, Specimen("NaNOrigin", nan_origin, names="logarithm_output_0")),
    ]
}
