"""Trains a small network with an attention layer to classify shapes in images.

It also saves images, layer outputs, attention weights, and gradients of the predicted scores, so
that the run has something to show in every view of the dashboard.
    python examples/images/train.py --out runs/images
    warden run --out runs/images -- python examples/images/train.py --out runs/images
The second command also checks and profiles the run. Then: warden serve --runs runs
With --broken, gradients vanish first and become NaN in the end.
"""

import argparse
from typing import List, Tuple

import torch
from torch import nn

import smdebug.pytorch as smd

SHAPES = ("disc", "square", "cross")
SIZE = 24  # Width and height of an image.
CHANNELS = 16
BATCH = 64
SHOWN = 16  # Images per evaluation.
STEPS_PER_EPOCH = 40


def pictures(count: int) -> Tuple[torch.Tensor, torch.Tensor]:
    """Images with one colored shape each on a noisy background, and the shape's class."""
    shape = torch.randint(len(SHAPES), (count,))
    center = torch.randint(6, SIZE - 6, (2, count, 1, 1))
    radius = 3 + 2 * torch.rand(count, 1, 1)
    row, column = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    down, right = (row - center[0]).abs(), (column - center[1]).abs()
    inside = torch.stack(
        [
            down**2 + right**2 <= radius**2,
            torch.maximum(down, right) <= radius,
            (torch.minimum(down, right) <= 1) & (torch.maximum(down, right) <= radius),
        ]
    )[shape, torch.arange(count)]
    color = 0.4 + 0.6 * torch.rand(count, 3, 1, 1)
    noise = 0.4 * torch.rand(count, 3, SIZE, SIZE)
    return torch.where(inside.unsqueeze(1), 0.7 * color + 0.5 * noise, noise), shape


class Attention(nn.Module):
    """Self-attention over all positions of an image; `look` outputs the attention weights."""

    def __init__(self, width: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width)
        self.look = nn.Softmax(dim=2)

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        even = self.norm(places)
        match = self.query(even) @ self.key(even).transpose(1, 2)
        return places + self.look(match / places.shape[2] ** 0.5) @ self.value(even)


def layer(channels: int, broken: bool) -> List[nn.Module]:
    """A convolution with its activation. A sigmoid passes at most a quarter of the gradient on to
    the layers before it."""
    convolution = nn.Conv2d(channels, CHANNELS, 3, padding=1, padding_mode="replicate", bias=broken)
    return (
        [convolution, nn.Sigmoid()]
        if broken
        else [convolution, nn.BatchNorm2d(CHANNELS), nn.ReLU()]
    )


class ShapeNet(nn.Module):
    def __init__(self, broken: bool):
        super().__init__()
        self.edges = nn.Sequential(*layer(3, broken), nn.MaxPool2d(2))
        deep = [part for _ in range(6 if broken else 0) for part in layer(CHANNELS, broken)]
        self.parts = nn.Sequential(*deep, *layer(CHANNELS, broken))
        self.pool = nn.MaxPool2d(2)
        self.attention = Attention(CHANNELS)
        self.answer = nn.Linear(CHANNELS, len(SHAPES))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        places = self.pool(self.parts(self.edges(images))).flatten(2).transpose(1, 2)
        return self.answer(self.attention(places).mean(dim=1))


def make_hook(out: str, model: ShapeNet, criterion: nn.Module) -> smd.Hook:
    """Saves losses at every step, parameters and gradients every 10th, images at few steps."""
    hook = smd.Hook(
        out_dir=out,
        include_collections=["losses", "weights", "biases", "gradients", "pictures", "answers"],
        save_config=smd.SaveConfig(save_interval=10),
    )
    hook.get_collection("losses").save_config = smd.SaveConfig(save_interval=1)
    # Only statistics for biases, as you would save them for a large network.
    hook.get_collection("biases").reduction_config = smd.ReductionConfig(
        reductions=["min", "max", "mean", "std"], norms=["l2"]
    )
    seen = hook.get_collection("pictures")
    for module in (model.edges, model.parts, model.attention.look):
        seen.add_module_tensors(module, inputs=False, outputs=True)
    seen.include("^ShapeNet_input_0")
    hook.get_collection("answers").include("^(shape|answer|probabilities)$")
    for name in ("pictures", "answers"):
        hook.get_collection(name).save_config = smd.SaveConfig(
            {
                smd.modes.TRAIN: smd.SaveConfigMode(save_interval=5 * STEPS_PER_EPOCH),
                smd.modes.EVAL: smd.SaveConfigMode(save_interval=1),
            }
        )
    hook.register_module(model)
    hook.register_loss(criterion)
    return hook


def evaluate(model: ShapeNet, hook: smd.Hook) -> float:
    """Returns the accuracy; saves for each image the gradient of the predicted score."""
    hook.set_mode(smd.modes.EVAL)
    model.eval()
    images, shape = pictures(SHOWN)
    outputs = []
    keep = model.parts.register_forward_hook(
        lambda _module, _inputs, output: outputs.append(output)
    )
    scores = model(images)
    keep.remove()
    score, answer = scores.max(dim=1)
    (slope,) = torch.autograd.grad(score.sum(), outputs)
    right = (answer == shape).float().mean().item()
    hook.save_tensor("gradient/parts_output_0", slope, "pictures")
    hook.save_tensor("shape", shape, "answers")
    hook.save_tensor("answer", [SHAPES[i] for i in answer.tolist()], "answers")
    hook.save_tensor("probabilities", scores.detach().softmax(dim=1), "answers")
    hook.save_scalar("accuracy", right)
    return right


def train_epoch(
    model: ShapeNet, hook: smd.Hook, criterion: nn.Module, optimizer: torch.optim.Optimizer
) -> float:
    """Returns the mean loss."""
    hook.set_mode(smd.modes.TRAIN)
    model.train()
    total = 0.0
    for _ in range(STEPS_PER_EPOCH):
        images, shape = pictures(BATCH)
        optimizer.zero_grad()
        loss = criterion(model(images), shape)
        loss.backward()
        optimizer.step()
        hook.save_scalar("learning_rate", optimizer.param_groups[0]["lr"])
        total += loss.item()
    return total / STEPS_PER_EPOCH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="run folder")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--broken", action="store_true", help="gradients vanish, then become NaN")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = ShapeNet(arguments.broken)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
    hook = make_hook(arguments.out, model, criterion)
    for epoch in range(arguments.epochs):
        if arguments.broken and epoch == arguments.epochs * 3 // 4:
            optimizer.param_groups[0]["lr"] = 1e30
        loss = train_epoch(model, hook, criterion, optimizer)
        right = evaluate(model, hook)
        print(f"epoch {epoch}: loss {loss:.4f}, accuracy {right:.3f}", flush=True)
    hook.close()


if __name__ == "__main__":
    main()
