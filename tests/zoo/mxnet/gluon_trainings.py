"""Short trainings in MXNet, each with a fault that one rule is made to find, and a healthy twin.

gluon_trainings.py FOLDER, by an interpreter that has MXNet: saves FOLDER/<training>/<kind>, every
step whole, and prints at which global step each fault begins, as JSON."""

import json
import math
import sys
from pathlib import Path

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

import smdebug.mxnet as smd


class Loop:
    """The usual loop over steps, under a hook that saves all of them."""

    def __init__(self, folder, net, loss=None, lr=0.1):
        net.initialize(mx.init.Xavier(), force_reinit=False)
        self.net = net
        self.loss = loss or gluon.loss.SoftmaxCrossEntropyLoss()
        self.trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": lr})
        save_config = smd.SaveConfig(save_interval=1)
        self.hook = smd.Hook(str(folder), save_all=True, save_config=save_config)
        self.hook.register_block(net)
        self.hook.register_block(self.loss)

    def __enter__(self):
        self.hook.set_mode(smd.modes.TRAIN)
        return self

    def __exit__(self, *_):
        self.hook.close()

    def step(self, x, y):
        with autograd.record():
            loss = self.loss(self.net(x), y)
        loss.backward()
        self.trainer.step(len(x))
        return float(loss.mean().asscalar())


def blobs(count=128, features=8, classes=4):
    """Points around some centres, with the centre as label: easily learnt."""
    random = np.random.RandomState(0)
    labels = np.arange(count) % classes
    centres = np.random.RandomState(99).randn(classes, features)
    points = centres[labels] + 0.5 * random.randn(count, features)
    return nd.array(points), nd.array(labels)


def layers(*blocks):
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(*blocks)
    return net


def relu_net():
    return layers(nn.Dense(16, activation="relu"), nn.Dense(4))


def vanishing_gradient(folder, faulty):
    depth, kind = (20, "sigmoid") if faulty else (2, "relu")
    net = layers(*(nn.Dense(16, activation=kind) for _ in range(depth)), nn.Dense(4))
    x, y = blobs()
    with Loop(folder, net) as loop:
        for _ in range(20):
            loop.step(x, y)
    return 0


def exploding_tensor(folder, faulty):
    random = np.random.RandomState(0)
    x, y = nd.array(random.randn(64, 8)), nd.array(random.randn(64, 1))
    net = layers(nn.Dense(8), nn.Dense(1))
    first = None
    lr = 3.0 if faulty else 0.01
    with Loop(folder, net, loss=gluon.loss.L2Loss(), lr=lr) as loop:
        for step in range(60):
            loss = loop.step(x, y)
            parameters = net.collect_params().values()
            arrays = [a.asnumpy() for p in parameters for a in (p.data(), p.grad())]
            sound = math.isfinite(loss) and all(np.isfinite(array).all() for array in arrays)
            if first is None and not sound:
                first = step
    return first


def dead_relu(folder, faulty):
    start = mx.init.Constant(-50.0 if faulty else 0.0)
    # Its name does not tell that it is one.
    relu = nn.Activation("relu", prefix="bend_")
    net = layers(nn.Dense(16, bias_initializer=start), relu, nn.Dense(4))
    x, y = blobs()
    with Loop(folder, net) as loop:
        for _ in range(10):
            loop.step(x, y)
    return 0


def saturated_activation(folder, faulty):
    x, y = blobs()
    with Loop(folder, layers(nn.Dense(16, activation="tanh"), nn.Dense(4))) as loop:
        for _ in range(10):
            loop.step(1e4 * x if faulty else x, y)
    return 0


def class_imbalance(folder, faulty):
    x, y = blobs(count=256)
    if faulty:
        labels = y.asnumpy()
        keep = np.flatnonzero((labels != 3) | (np.arange(256) % 64 == 3))
        x, y = x[keep], y[keep]
    with Loop(folder, relu_net(), lr=0.5) as loop:
        for _ in range(12):
            loop.step(x, y)
    return math.ceil(500 / len(y)) - 1


def check_input_images(folder, faulty):
    images = np.random.RandomState(0).rand(128, 3, 8, 8)
    images = nd.array(255 * images if faulty else (images - 0.5) / 0.29)
    y = nd.array(np.arange(128) % 4)
    with Loop(folder, layers(nn.Conv2D(4, 3), nn.Dense(4)), lr=1e-6 if faulty else 1e-2) as loop:
        for _ in range(8):
            loop.step(images, y)
    return 3  # 512 images have been seen.


def loss_not_decreasing(folder, faulty):
    x, y = blobs()
    with Loop(folder, relu_net(), lr=0.0 if faulty else 0.1) as loop:
        for _ in range(40):
            loop.step(x, y)
    return 10


def nlp_sequence_ratio(folder, faulty):
    class Classifier(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.words = nn.Embedding(50, 8, prefix="words_")
                self.out = nn.Dense(4)

        def hybrid_forward(self, F, tokens):
            return self.out(self.words(tokens).mean(axis=1))

    tokens = np.random.RandomState(0).randint(1, 50, size=(32, 20))
    tokens[:, 5 if faulty else 15 :] = 0
    with Loop(folder, Classifier()) as loop:
        for _ in range(5):
            loop.step(nd.array(tokens), nd.array(np.arange(32) % 4))
    return 0


ZOO = [
    vanishing_gradient,
    exploding_tensor,
    dead_relu,
    saturated_activation,
    class_imbalance,
    check_input_images,
    loss_not_decreasing,
    nlp_sequence_ratio,
]


def main(folder):
    steps = {}
    for training in ZOO:
        for kind in ("healthy", "faulty"):
            mx.random.seed(0)
            np.random.seed(0)
            name = training.__name__
            steps[f"{name}/{kind}"] = training(Path(folder, name, kind), kind == "faulty")
    print(json.dumps(steps))


if __name__ == "__main__":
    main(sys.argv[1])
