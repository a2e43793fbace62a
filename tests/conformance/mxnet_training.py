"""A training in MXNet that knows the original's names only, so that either library can watch it.

mxnet_training.py RUN, by an interpreter that has MXNet and one of the two."""

import sys

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

import smdebug.mxnet as smd


class Net(gluon.Block):
    """Calls a part twice, takes lists and gives lists."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.features = nn.HybridSequential()
            with self.features.name_scope():
                self.features.add(
                    nn.Conv2D(2, 3, activation="relu"), nn.BatchNorm(), nn.Dense(6), nn.Dropout(0)
                )
            self.twice = nn.Dense(6, in_units=6, activation="tanh")
            self.frozen = nn.Dense(6, in_units=6)
            self.frozen.collect_params().setattr("grad_req", "null")
            self.head = nn.Dense(3)

    def forward(self, images, pair):
        hidden = self.features(images) + pair[0] + pair[1]
        hidden = self.frozen(self.twice(self.twice(hidden)))
        return [self.head(hidden), (hidden, [hidden.sum(axis=1)])]


def make_hook(folder):
    hook = smd.Hook(
        folder,
        include_collections=["weights", "biases", "gradients", "blocks", "figures"],
        include_regex=["_input_"],
        save_config=smd.SaveConfig(
            {
                smd.modes.TRAIN: smd.SaveConfigMode(save_interval=2),
                smd.modes.EVAL: smd.SaveConfigMode(save_interval=1),
            }
        ),
    )
    hook.get_collection("figures").include("head_output|dense._weight")
    hook.get_collection("figures").reduction_config = smd.ReductionConfig(
        reductions=["min", "max", "mean", "sum"], abs_reductions=["max", "mean"], norms=["l1"]
    )
    return hook


def main(folder):
    mx.random.seed(1)
    net = Net(prefix="net_")
    criterion = gluon.loss.SoftmaxCrossEntropyLoss(prefix="myloss0_")
    net.initialize(mx.init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    hook = make_hook(folder)
    hook.get_collection("blocks").add_block_tensors(net.twice, inputs=True, outputs=True)
    hook.register_block(net)
    hook.register_block(criterion)
    label = nd.array([0, 1, 2, 0])
    for step in range(6):
        hook.set_mode(smd.modes.TRAIN if step != 3 else smd.modes.EVAL)
        inputs = nd.random.normal(shape=(4, 1, 5, 5)), [nd.ones((4, 6)) * step, nd.ones((4, 6))]
        if step == 3:
            criterion(net(*inputs)[0], label)
            continue
        with autograd.record():
            loss = criterion(net(*inputs)[0], label)
        loss.backward()
        trainer.step(4)
        hook.save_scalar("loss", float(loss.mean().asscalar()))
    hook.close()


if __name__ == "__main__":
    main(sys.argv[1])
