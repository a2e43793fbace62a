"""Rules and configurations of the original find the tensors they name."""

import json
from pathlib import Path

import pytest
from gluon_training import batches, make_net, read
from mxnet import gluon, nd
from mxnet.gluon import nn

import smdebug.mxnet as smd


def roles(hook):
    """Of the run's manifest."""
    hook.close()
    (path,) = Path(hook.out_dir).rglob("*_collections.json")
    return json.loads(path.read_text())["_meta"].get("roles", {})


def test_roles_of_a_model_and_its_loss(make_hook):
    hook = make_hook(save_all=True)
    net = nn.HybridSequential(prefix="text_")
    with net.name_scope():
        net.add(
            nn.Embedding(10, 4),
            nn.Dense(4, activation="relu"),
            nn.Activation("sigmoid"),
            nn.Activation("tanh", prefix="squash_"),
            nn.LeakyReLU(0.1),
            nn.Dense(2),
        )
    net.initialize()
    loss = gluon.loss.SoftmaxCrossEntropyLoss(prefix="ce0_")
    hook.register_block(net)
    hook.register_block(loss)
    loss(net(nd.ones((2, 3))), nd.zeros((2,)))
    assert roles(hook) == {
        "first_embedding_input": ["text_embedding0_input_0"],
        "first_input": ["text_input_0"],
        "labels": ["ce0_input_1"],
        "predictions": ["ce0_input_0"],
        "relu_input": ["text_dense0_relu_input_"],
        "relu_output": ["text_dense0_relu_output_"],
        "sigmoid_input": ["text_sigmoid0_input_"],
        "sigmoid_output": ["text_sigmoid0_output_"],
        "tanh_input": ["text_squash_input_"],
        "tanh_output": ["text_squash_output_"],
    }


def test_losses_whose_second_input_is_no_label(make_hook):
    hook = make_hook(save_all=True)
    net = make_net()
    hook.register_block(net)
    hook.register_block(gluon.loss.TripletLoss())
    net(nd.ones((1, 8)))
    assert "labels" not in roles(hook)


def test_models_and_losses_that_come_late(make_hook):
    hook = make_hook(save_all=True)
    first, second = make_net("first_"), make_net("second_")
    hook.register_block(first)
    first(nd.ones((1, 8)))
    hook.register_block(second)
    hook.register_block(gluon.loss.L2Loss(prefix="late0_"))
    second(nd.ones((1, 8)))
    found = roles(hook)
    assert found["relu_output"] == ["first_dense0_relu_output_", "second_dense0_relu_output_"]
    assert found["labels"] == ["late0_input_1"]


@pytest.mark.parametrize(
    ("collection", "pattern", "names"),
    [
        ("relu_output", ".*relu_output", ["net_dense0_relu_output_0"]),
        ("input_image", ".*hybridsequential0_input_0", ["net_input_0"]),
        ("labels", ".*softmaxcrossentropyloss0_input_1", ["loss0_input_1"]),
        ("relu_input", ".*relu_input", ["net_dense0_relu_input_0"]),
    ],
)
def test_collections_of_the_originals_rules(make_hook, collection, pattern, names):
    hook = make_hook(include_collections=[collection])
    hook.get_collection(collection).include(pattern)
    net = make_net()
    loss = gluon.loss.SoftmaxCrossEntropyLoss(prefix="loss0_")
    hook.register_block(net)
    hook.register_block(loss)
    features, label = batches(1)[0]
    loss(net(features), label)
    assert read(hook).tensor_names(collection=collection) == names


def test_names_of_the_package():
    for name in (
        "Collection CollectionKeys Hook ReductionConfig SaveConfig SaveConfigMode create_trial "
        "del_hook get_hook modes set_hook"
    ).split():
        assert hasattr(smd, name), name
    import smdebug.mxnet.collection
    import smdebug.mxnet.hook
    import smdebug.mxnet.singleton_utils
    import tensorwarden.adapters.mxnet as own

    assert own.Hook is smd.Hook is smdebug.mxnet.hook.Hook
    assert own.get_hook is smd.get_hook is smdebug.mxnet.singleton_utils.get_hook
    assert smd.Collection is smdebug.mxnet.collection.Collection
