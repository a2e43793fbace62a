"""A training script as the notebooks for MXNet have them, in a job: a network of convolutions that
is registered with its loss, modes that follow each other, a configuration file."""

import json

import pytest
from gluon_training import run_script

import smdebug.mxnet as smd

SCRIPT = """
import argparse
import random

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms

import smdebug.mxnet as smd
from smdebug import SaveConfig, modes
from smdebug.mxnet import Hook


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--learning_rate", type=float, default=0.1)
    parser.add_argument("--hybridize", action="store_true")
    return parser.parse_args()


def prepare_data(batch_size):
    made = np.random.RandomState(0)
    pictures = made.randint(0, 255, (64, 28, 28, 1)).astype(np.uint8)
    labels = made.randint(0, 10, 64).astype(np.int32)
    data = gluon.data.ArrayDataset(mx.nd.array(pictures, dtype="uint8"), labels)
    transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.13, 0.31)])
    train = data.transform_first(transform)
    train_data = gluon.data.DataLoader(train, batch_size=batch_size, shuffle=True, num_workers=0)
    val_data = gluon.data.DataLoader(train, batch_size=batch_size)
    return train_data, val_data


def create_net():
    net = nn.HybridSequential()
    with net.name_scope():
        net.add(
            nn.Conv2D(channels=6, kernel_size=5, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Conv2D(channels=16, kernel_size=3, activation="relu"),
            nn.MaxPool2D(pool_size=2, strides=2),
            nn.Flatten(),
            nn.Dense(120, activation="relu"),
            nn.Dense(10),
        )
    return net


def test(ctx, net, val_data):
    metric = mx.metric.Accuracy()
    for data, label in val_data:
        data, label = data.as_in_context(ctx), label.as_in_context(ctx)
        metric.update([label], [net(data)])
    return metric.get()


def train(batch_size, net, train_data, val_data, epochs, learning_rate, hook, ctx):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": learning_rate})
    softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
    hook.register_block(softmax_cross_entropy)
    for epoch in range(epochs):
        hook.set_mode(modes.TRAIN)
        for data, label in train_data:
            data, label = data.as_in_context(ctx), label.as_in_context(ctx)
            with autograd.record():
                output = net(data)
                loss = softmax_cross_entropy(output, label)
            loss.backward()
            trainer.step(batch_size)
        hook.set_mode(modes.EVAL)
        name, accuracy = test(ctx, net, val_data)
        hook.save_scalar(name, accuracy, sm_metric=True)
    return net


if __name__ == "__main__":
    opt = parse_args()
    random.seed(1)
    mx.random.seed(128)
    ctx = mx.cpu()
    net = create_net()
    net.initialize(mx.init.Xavier(magnitude=2.24), ctx=ctx)
    if opt.hybridize:
        net.hybridize()
    hook = Hook.create_from_json_file()
    hook.register_block(net)
    train_data, val_data = prepare_data(opt.batch_size)
    train(opt.batch_size, net, train_data, val_data, opt.epochs, opt.learning_rate, hook, ctx)
"""


@pytest.mark.parametrize("options", [[], ["--hybridize"]])
def test_a_script_of_a_notebook(tmp_path, options):
    config = {
        "S3OutputPath": "s3://bucket/prefix",
        "LocalPath": str(tmp_path / "run"),
        "HookParameters": {"train.save_interval": "2", "eval.save_interval": "3"},
        "CollectionConfigurations": [
            {"CollectionName": "weights"},
            {"CollectionName": "gradients", "CollectionParameters": {"train.save_interval": "4"}},
            {
                "CollectionName": "relu",
                "CollectionParameters": {"include_regex": ".*relu_output", "reductions": "mean"},
            },
        ],
    }
    path = tmp_path / "debughookconfig.json"
    path.write_text(json.dumps(config))
    environment = {"SMDEBUG_CONFIG_FILE_PATH": str(path), "TRAINING_JOB_NAME": "mnist"}
    done = run_script(SCRIPT, *options, environment=environment)
    trial = smd.create_trial(str(tmp_path / "run"))
    train, evaluated = smd.modes.TRAIN, smd.modes.EVAL
    names = trial.tensor_names
    assert names(collection="losses") == ["softmaxcrossentropyloss0_output_0"]
    loss = trial.tensor("softmaxcrossentropyloss0_output_0")
    assert loss.steps(train) == [0, 2, 4, 6]
    assert loss.value(0).shape == (16,)
    weight = trial.tensor("hybridsequential0_conv0_weight")
    assert weight.value(0).shape == (6, 1, 5, 5)
    assert weight.steps(evaluated) == [0, 3, 6]
    assert trial.tensor("gradient/hybridsequential0_conv0_weight").steps(train) == [0, 4]
    assert len(names(collection="gradients")) == 8
    assert trial.tensor("scalar/accuracy").steps(evaluated) == [3, 7]
    if options:
        assert names(collection="relu") == []
        assert done.stderr.count("is hybridized") == 1
    else:
        assert len(names(collection="relu")) == 3
        assert "tensorwarden" not in done.stderr
