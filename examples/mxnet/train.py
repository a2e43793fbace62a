"""Trains a small convolutional Gluon network to classify shapes, with a hook.

    python examples/mxnet/train.py run
    warden eval run

With --sigmoid, every layer ends in a sigmoid, which passes at most a quarter of the gradient on.
Then `warden eval run --rules VanishingGradient:threshold=1e-4` finds vanishing gradients.
"""

import argparse

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn

import smdebug.mxnet as smd

SIDE = 16
SHAPES = 3
BATCH = 32


def draw(count: int, seed: int) -> gluon.data.ArrayDataset:
    """Noisy images of squares, crosses and stripes, and the class of each."""
    random = np.random.RandomState(seed)
    kinds = random.randint(SHAPES, size=count)
    pictures = 0.3 * random.randn(count, 1, SIDE, SIDE)
    for picture, kind in zip(pictures, kinds):
        x, y = random.randint(1, SIDE - 9, size=2)
        part = picture[0, y : y + 8, x : x + 8]
        if kind == 0:
            part[[0, -1], :] += 1
            part[:, [0, -1]] += 1
        elif kind == 1:
            part[3:5, :] += 1
            part[:, 3:5] += 1
        else:
            part[::2, :] += 1
    pictures -= pictures.mean()
    return gluon.data.ArrayDataset(pictures.astype(np.float32), kinds.astype(np.float32))


def network(activation: str, depth: int) -> nn.HybridSequential:
    """Two convolutions and `depth` dense layers before the output layer."""
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(nn.Conv2D(8, 3, activation=activation), nn.MaxPool2D())
        net.add(nn.Conv2D(16, 3, activation=activation), nn.MaxPool2D())
        for _ in range(depth):
            net.add(nn.Dense(32, activation=activation))
        net.add(nn.Dense(SHAPES))
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", help="run folder")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--samples", type=int, default=960)
    parser.add_argument("--sigmoid", action="store_true", help="make the gradients vanish")
    arguments = parser.parse_args()

    mx.random.seed(0)
    np.random.seed(0)
    net = network("sigmoid", 6) if arguments.sigmoid else network("relu", 1)
    net.initialize(mx.init.Xavier())
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.003})

    hook = smd.Hook(
        arguments.run,
        include_collections=["weights", "biases", "gradients", "relu_output", "labels"],
        save_config=smd.SaveConfig(save_interval=10),
    )
    hook.get_collection("losses").save_config = smd.SaveConfig(save_interval=1)
    hook.register_block(net)
    hook.register_block(loss)

    batches = gluon.data.DataLoader(draw(arguments.samples, 0), BATCH, shuffle=True)
    held_out = gluon.data.DataLoader(draw(240, 1), BATCH)
    for epoch in range(arguments.epochs):
        hook.set_mode(smd.modes.TRAIN)
        total = 0.0
        for pictures, kinds in batches:
            with autograd.record():
                found = loss(net(pictures), kinds)
            found.backward()
            trainer.step(len(pictures))
            total += found.mean().asscalar()
        hook.set_mode(smd.modes.EVAL)
        accuracy = mx.metric.Accuracy()
        for pictures, kinds in held_out:
            output = net(pictures)
            loss(output, kinds)
            accuracy.update(kinds, output)
        hook.save_scalar("accuracy", accuracy.get()[1])
        print(f"epoch {epoch}: loss {total / len(batches):.4f}, accuracy {accuracy.get()[1]:.3f}")
    hook.close()


if __name__ == "__main__":
    main()
