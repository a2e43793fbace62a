"""What is saved of a round, of models and data of every kind."""

from typing import Any

import numpy as np
import pytest
import xgboost as xgb
from boosting import BINARY, CLASSES, NAMES, data, features, read, train
from hook_fixtures import OPTIONS, options_of

import smdebug.xgboost as smd
from smdebug.xgboost.utils import parse_tree_model

KINDS = ["weight", "gain", "cover", "total_gain", "total_cover"]
ALL = ["predictions", "labels", "feature_importance", "average_shap", "full_shap", "trees"]


@pytest.fixture
def hook(make_hook):
    """One that saves everything."""
    return make_hook(include_collections=ALL, train_data=data(), validation_data=data())


def test_predictions_and_labels(hook):
    model = train(hook)
    trial = read(hook)
    np.testing.assert_array_equal(trial.tensor("predictions").value(3), model.predict(data()))
    np.testing.assert_array_equal(trial.tensor("labels").value(0), data().get_label())
    assert trial.tensor("predictions").value(0).dtype == np.float32


def test_feature_importance(hook):
    model = train(hook)
    trial = read(hook)
    for kind in KINDS:
        scores = model.get_score(importance_type=kind)
        total = sum(scores.values())
        for feature, score in scores.items():
            value = trial.tensor(f"feature_importance/{kind}/{feature}").value(3)
            assert (value.dtype, value.shape) == (np.float64, (1,))
            assert value[0] == score / total, (kind, feature)
    used = [name for name in NAMES if f"feature_importance/weight/{name}" in trial.tensor_names()]
    assert used == [name for name in NAMES if name in model.get_score()]


def test_shap_is_the_originals(hook):
    model = train(hook)
    trial = read(hook)
    shap = model.predict(data(), pred_contribs=True)
    # Names that end in one of "/bias" are not among them, as in the original.
    kept = [name for name in NAMES if name[-1] not in "/bias"]
    assert trial.tensor_names(regex="^full_shap") == sorted(f"full_shap/{name}" for name in kept)
    for name in kept:
        np.testing.assert_array_equal(trial.tensor(f"full_shap/{name}").value(3), shap)
        average = trial.tensor(f"average_shap/{name}").value(3)
        assert (average.dtype, average.shape) == (np.float32, (1,))
        np.testing.assert_array_equal(average, shap.mean(axis=0)[[NAMES.index(name)]])


def test_shap_by_feature(make_hook):
    names = ["a", "b", "radius", "/"]
    matrix = data(feature_names=names)
    hook = make_hook(
        include_collections=["average_shap", "full_shap"], train_data=matrix, shap_by_feature=True
    )
    model = train(hook, data=matrix)
    trial = read(hook)
    shap = model.predict(matrix, pred_contribs=True)
    for i, name in enumerate(names):
        column = trial.tensor(f"full_shap/{name}").value(3)
        np.testing.assert_array_equal(column, shap[:, i])
        assert trial.tensor(f"average_shap/{name}").value(3)[0] == shap.mean(axis=0)[i]
    assert trial.tensor_names(collection="full_shap") == sorted(f"full_shap/{n}" for n in names)


def test_only_one_kind_of_shap_by_feature(make_hook):
    hook = make_hook(include_collections=["average_shap"], train_data=data(), shap_by_feature=True)
    train(hook)
    assert read(hook).tensor_names(regex="shap") == sorted(f"average_shap/{n}" for n in NAMES)


def test_classes(make_hook):
    matrix = data(classes=3)
    hook = make_hook(include_collections=ALL, train_data=matrix, validation_data=matrix)
    model = train(hook, CLASSES, data=matrix)
    trial = read(hook)
    assert trial.tensor("predictions").value(3).shape == (80, 3)
    assert trial.tensor("full_shap/age").value(3).shape == (80, 3, 5)
    # One tree, that of the round's number, though each round has grown three.
    for step in range(4):
        tree = parse_tree_model(model, step)
        assert set(trial.tensor("trees/Tree").value(step)) == {step}
        assert trial.tensor("trees/ID").value(step).tolist() == tree["ID"].tolist()
        np.testing.assert_array_equal(trial.tensor("trees/Gain").value(step), tree["Gain"])
    shap = model.predict(matrix, pred_contribs=True)
    assert trial.tensor("average_shap/age").value(3)[0] == shap.mean(axis=(0, 1))[0]


@pytest.mark.parametrize("parallel", [1, 2])
def test_all_trees(make_hook, parallel):
    hook = make_hook(include_collections=["trees"], all_trees=True)
    params = {**CLASSES, "num_parallel_tree": parallel, "subsample": 0.7}
    model = train(hook, params)
    trial = read(hook)
    count = 3 * parallel
    for step in range(4):
        trees = trial.tensor("trees/Tree").value(step)
        assert sorted(set(trees)) == list(range(step * count, (step + 1) * count))
        nodes = trial.tensor("trees/Node").value(step)
        for tree in set(trees):
            assert nodes[trees == tree].tolist() == list(range((trees == tree).sum()))
    assert len(model.get_dump()) == 4 * count


def test_trees_are_tables(hook):
    model = train(hook)
    trial = read(hook)
    table = {
        name.partition("/")[2]: trial.tensor(name).value(2)
        for name in trial.tensor_names(collection="trees")
    }
    kinds = {name: column.dtype.kind for name, column in table.items()}
    assert kinds == {
        **{"Tree": "i", "Node": "i", "Split": "f", "Gain": "f", "Cover": "f"},
        **{"ID": "U", "Feature": "U", "Yes": "U", "No": "U", "Missing": "U", "Category": "U"},
    }
    text = model.get_dump(with_stats=True)[2]
    for i, feature in enumerate(table["Feature"]):
        if feature == "Leaf":
            assert f"{i}:leaf={table['Gain'][i]:.9g},cover={table['Cover'][i]:.9g}" in text
            assert np.isnan(table["Split"][i]) and table["Yes"][i] == "nan"
        else:
            yes, no, missing = (table[k][i].partition("-")[2] for k in ("Yes", "No", "Missing"))
            start = f"{i}:[{feature}<{table['Split'][i]:.9g}] yes={yes},no={no},missing={missing}"
            assert start in text


@pytest.mark.parametrize(
    "names",
    [
        ["a:{1}", "b yes=1,no=2", "c\nd", "e\t0:leaf=1,cover=2"],
        ["", " ", "f0", "f1"],
        ["f3", "f2", "f1", "f0"],
        ["Leaf", "../../x", "x" * 300, "日本"],
    ],
)
def test_names_of_features_may_be_anything(make_hook, names, told):
    matrix = data(feature_names=names)
    hook = make_hook(include_collections=ALL, train_data=matrix, validation_data=matrix)
    model = train(hook, data=matrix, rounds=2)
    trial = read(hook)
    used = model.get_score()
    assert {n for n in names if trial.has_tensor(f"feature_importance/weight/{n}")} == set(used)
    in_trees = set(trial.tensor("trees/Feature").value(0)) | set(
        trial.tensor("trees/Feature").value(1)
    )
    assert in_trees - {"Leaf"} == set(used) - {"Leaf"}
    assert told() == []


def test_dart(make_hook):
    hook = make_hook(include_collections=ALL, train_data=data(), validation_data=data())
    train(hook, {**BINARY, "booster": "dart", "rate_drop": 0.5}, rounds=6)
    trial = read(hook)
    for name in ("predictions", "labels", "trees/Gain", "full_shap/age"):
        assert trial.tensor(name).steps() == list(range(6))


@pytest.mark.parametrize("params", [BINARY, CLASSES])
def test_linear_models_have_no_trees(make_hook, told, params):
    matrix = data(params.get("num_class", 2))
    hook = make_hook(include_collections=ALL, train_data=matrix, validation_data=matrix)
    params = {k: v for k, v in params.items() if k != "max_depth"}
    train(hook, {**params, "booster": "gblinear"}, data=matrix)
    trial = read(hook)
    assert trial.tensor("predictions").steps() == [0, 1, 2, 3]
    weights = trial.tensor_names(regex="^feature_importance/")
    assert len(weights) == 4 and all("/weight/" in name for name in weights)
    assert trial.tensor_names(collection="trees") == []
    (message,) = told()
    assert "'trees' is not captured: the model has no trees" in message


def test_a_feature_of_categories(make_hook):
    x = features()
    x[:, 0] = np.arange(80) % 6
    matrix = xgb.DMatrix(
        x, x[:, 0] % 2, feature_types=["c", "q", "q", "q"], enable_categorical=True
    )
    hook = make_hook(include_collections=["trees", "feature_importance"])
    params = {"max_depth": 1, "tree_method": "hist", "max_cat_to_onehot": 1}
    train(hook, params, data=matrix)
    trial = read(hook)
    assert trial.tensor("trees/Feature").value(0)[0] == "f0"
    assert trial.tensor("trees/Category").value(0)[0] in ("0,2,4", "1,3,5")
    assert np.isnan(trial.tensor("trees/Split").value(0)[0])


def test_features_that_are_whole_numbers_or_flags(make_hook):
    x = features()
    x[:, 0] = np.arange(80) % 7
    x[:, 1] = np.arange(80) % 2
    matrix = xgb.DMatrix(x, x[:, 0] + 10 * x[:, 1], feature_types=["int", "i", "q", "q"])
    hook = make_hook(include_collections=["trees"])
    train(hook, {"max_depth": 3}, data=matrix)
    trial = read(hook)
    assert trial.tensor("trees/Feature").steps() == [0, 1, 2, 3]
    assert {"f0", "f1"} <= set(trial.tensor("trees/Feature").value(0))


def test_several_outputs(make_hook):
    x = features()
    matrix = xgb.DMatrix(x, x[:, :2])
    hook = make_hook(include_collections=ALL, train_data=matrix, validation_data=matrix)
    train(hook, {"max_depth": 2, "tree_method": "hist"}, data=matrix)
    trial = read(hook)
    assert trial.tensor("predictions").value(3).shape == (80, 2)
    assert trial.tensor("labels").value(3).size == 160
    assert trial.tensor("trees/Tree").steps() == [0, 1, 2, 3]


def test_trees_of_vectors_are_left_out(make_hook, told):
    """If this version can grow them at all: it does not write them out."""
    x = features()
    matrix = xgb.DMatrix(x, x[:, :2])
    hook = make_hook(include_collections=["trees", "predictions"], validation_data=matrix)
    params = {"max_depth": 2, "tree_method": "hist", "multi_strategy": "multi_output_tree"}
    train(hook, params, data=matrix)
    trial = read(hook)
    assert trial.tensor("predictions").steps() == [0, 1, 2, 3]
    told_of_trees = any("'trees' is not captured" in message for message in told())
    assert told_of_trees == (trial.tensor_names(collection="trees") == [])


def test_a_model_without_a_split(make_hook, told):
    hook = make_hook(include_collections=ALL, train_data=data(), validation_data=data())
    train(hook, {**BINARY, "gamma": 1e9})
    trial = read(hook)
    assert trial.tensor_names(regex="^feature_importance") == []
    assert trial.tensor("trees/Feature").value(0).tolist() == ["Leaf"]
    assert told() == []


def test_hyperparameters(make_hook, told):
    given = {
        **{"eta": 0.3, "depth": 3, "flag": True, "text": "größe", "list": ["a", "bc"]},
        **{"none": None, "numbers": [1, 2], "function": max, "ragged": {"a": 1}, "empty": ""},
    }
    hook = make_hook(include_collections=["hyperparameters"], hyperparameters=given)
    hook.get_collection("hyperparameters").save_config = smd.SaveConfig(save_steps=[0], end_step=0)
    train(hook)
    trial = read(hook)
    values = {
        name.partition("/")[2]: trial.tensor(name).value(0).tolist()
        for name in trial.tensor_names(collection="hyperparameters")
    }
    assert values == {
        **{"eta": [0.3], "depth": [3], "flag": [True], "text": ["größe"], "list": ["a", "bc"]},
        **{"numbers": [1, 2], "empty": [""]},
    }
    assert trial.tensor("hyperparameters/depth").value(0).dtype == np.int64
    assert trial.tensor("hyperparameters/eta").steps() == [0]
    assert len(told()) == 2  # Of the function and the dictionary.


def test_everything(make_hook):
    """With save_all the original has the constant part of the SHAP values too."""
    hook = make_hook(
        save_all=True, hyperparameters={"eta": 1}, train_data=data(), validation_data=data()
    )
    train(hook)
    names = read(hook).tensor_names()
    for name in ("average_shap/bias", "full_shap/in/come", "labels", "trees/ID", "train-auc"):
        assert name in names
    assert "hyperparameters/eta" in names


def test_a_pattern_of_the_users_own(make_hook):
    hook = make_hook(include_regex="importance/gain/age", validation_data=data())
    train(hook)
    trial = read(hook)
    assert trial.tensor_names(collection="default") == ["feature_importance/gain/age"]


@pytest.mark.parametrize(
    "collection, argument",
    [
        ("predictions", "validation_data"),
        ("labels", "validation_data"),
        ("average_shap", "train_data"),
        ("full_shap", "train_data"),
        ("hyperparameters", "hyperparameters"),
    ],
)
def test_what_is_missing_is_said_once(make_hook, told, collection, argument):
    train(make_hook(include_collections=[collection]))
    (message,) = told()
    assert f"'{collection}' is not captured: the hook has no {argument}" in message


def test_reductions_are_ignored(make_hook, told):
    from smdebug import ReductionConfig

    hook = make_hook(
        include_collections=["predictions"],
        validation_data=data(),
        reduction_config=ReductionConfig(reductions=["min"]),
    )
    hook.get_collection("predictions").reduction_config = ReductionConfig(norms=["l2"])
    train(hook)
    tensor = read(hook).tensor("predictions")
    assert tensor.value(0).shape == (80,) and tensor.reduction_values(0) == {}
    assert len(told()) == 2


def test_the_constructor_is_the_documented_one(hook_class: Any) -> None:
    data = ["hyperparameters", "train_data", "validation_data"]
    own = [*dict.fromkeys(data).items(), ("shap_by_feature", False), ("all_trees", False)]
    assert options_of(hook_class) == [*OPTIONS.items(), *own]
