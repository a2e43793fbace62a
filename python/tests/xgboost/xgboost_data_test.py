"""Forms in which the hook may be given data, and the original's helpers for them."""

import numpy as np
import pytest
import xgboost as xgb
from boosting import data, features, read, train

import smdebug.xgboost as smd
from smdebug.exceptions import SMDebugError, SMDebugTypeError
from smdebug.xgboost import utils

X = features(20, 3)
Y = (X[:, 0] > 0.5).astype(int)


def write_csv(path, delimiter=","):
    np.savetxt(path, np.column_stack([Y, X]), delimiter=delimiter, fmt="%.9g")
    return str(path)


def write_libsvm(path):
    lines = [f"{y} " + " ".join(f"{i}:{v:.9g}" for i, v in enumerate(x)) for x, y in zip(X, Y)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def check(matrix):
    assert (matrix.num_row(), matrix.num_col()) == X.shape
    np.testing.assert_array_equal(matrix.get_label(), Y)


@pytest.mark.parametrize("content_type", ["csv", "text/csv", "CSV"])
@pytest.mark.parametrize("delimiter", [",", ";", "|"])
def test_csv(make_hook, tmp_path, content_type, delimiter):
    path = write_csv(tmp_path / "data.csv", delimiter)
    check(make_hook(validation_data=(path, content_type)).validation_data)
    check(utils.get_dmatrix(path, content_type))


@pytest.mark.parametrize("content_type", ["libsvm", "text/libsvm", "text/x-libsvm", None])
def test_libsvm(make_hook, tmp_path, content_type):
    path = write_libsvm(tmp_path / "data.libsvm")
    check(make_hook(train_data=(tmp_path / "data.libsvm", content_type)).train_data)
    check(utils.get_libsvm_dmatrix(path))


def test_weights_in_the_second_column(tmp_path):
    np.savetxt(tmp_path / "data.csv", np.column_stack([Y, 1 + Y, X]), delimiter=",")
    matrix = utils.get_csv_dmatrix(str(tmp_path / "data.csv"), 1)
    np.testing.assert_array_equal(matrix.get_weight(), 1 + Y)


def test_a_folder_of_files(tmp_path):
    (tmp_path / "data").mkdir()
    write_csv(tmp_path / "data" / "a.csv")
    write_csv(tmp_path / "data" / "b.csv")
    (tmp_path / "data" / ".hidden").write_text("no data")
    utils.validate_data_file_path(str(tmp_path / "data"), "csv")


def test_arrays(make_hook):
    check(make_hook(validation_data=(X, Y)).validation_data)
    matrix = xgb.DMatrix(X)
    hook = make_hook(validation_data=matrix, train_data=X)
    assert hook.validation_data is matrix
    assert hook.train_data.num_row() == 20


@pytest.mark.parametrize(
    "given", ["data.csv", 5, [1, 2], ("a", "b", "c"), (X, "csv", 1), {}, (object(), object())]
)
def test_what_is_no_data(make_hook, given):
    with pytest.raises(SMDebugTypeError, match="validation_data"):
        make_hook(validation_data=given)


@pytest.mark.parametrize("given", ["eta=1", [("eta", 1)], 5])
def test_what_are_no_hyperparameters(make_hook, given):
    with pytest.raises(SMDebugTypeError, match="hyperparameters"):
        make_hook(hyperparameters=given)


@pytest.mark.parametrize(
    "name, text, kind, words",
    [
        ("none", None, "csv", "no such file or folder"),
        ("a", "1,2\n", "zip", "'zip'; expected one of: csv"),
        ("a", "1,2,3\n", "libsvm", "is not a libsvm file: its first line is '1,2,3'"),
        ("a", "1 0:2 1:3\n", "csv", "is not a csv file"),
        ("a", "", "csv", "is not a csv file"),
        ("a", "1 x:y z\n", "libsvm", "is not a libsvm file"),
        ("a", "\x00\xff", "csv", "is not a csv file"),
    ],
)
def test_files_that_are_refused(tmp_path, make_hook, name, text, kind, words):
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    for function in (
        lambda: utils.validate_data_file_path(str(path), kind),
        lambda: make_hook(train_data=(str(path), kind)),
    ):
        with pytest.raises(SMDebugError) as caught:
            function()
        assert words in str(caught.value)


def test_a_folder_without_files_and_numbers_that_are_none(tmp_path):
    with pytest.raises(SMDebugError, match="contains no data files"):
        utils.validate_data_file_path(str(tmp_path), "csv")
    (tmp_path / "a.libsvm").write_text("1 0:2\n1 0:x\n")
    (tmp_path / "b.csv").write_text("1,2\n1,\n")
    for name, kind in (("a.libsvm", "libsvm"), ("b.csv", "csv")):
        try:
            matrix = utils.get_dmatrix(str(tmp_path / name), kind)
        except SMDebugError as error:
            assert name in str(error)
        else:
            assert matrix.num_row() == 2


def test_versions():
    numbers = [int(part) for part in xgb.__version__.split(".")[:2]]
    assert utils.is_xgb_1_3_and_later() == (numbers >= [1, 3])
    assert utils.is_xgb_1_5_and_later() == (numbers >= [1, 5])
    assert utils.is_xgb_1_7_and_later() == (numbers >= [1, 7])


def test_trees_with_names_of_a_file(tmp_path):
    model = train(None, data=data(feature_names=None))
    (tmp_path / "map.txt").write_text("".join(f"{i}\tname{i}\tq\n" for i in range(4)))
    named = utils.parse_tree_model(model, 1, str(tmp_path / "map.txt"))
    plain = utils.parse_tree_model(model, 1)
    expected = [f.replace("f", "name") if f != "Leaf" else f for f in plain["Feature"]]
    assert named["Feature"].tolist() == expected
    assert plain["ID"][0] == "1-0"


def test_data_of_other_features_costs_only_what_needs_them(make_hook, told):
    hook = make_hook(include_collections=["predictions", "labels"], validation_data=features(5, 2))
    train(hook)
    trial = read(hook)
    assert trial.tensor("train-logloss").steps() == [0, 1, 2, 3]
    assert trial.tensor_names(regex="predictions|labels") == []
    messages = told()
    assert len(messages) == 2 and any("'predictions' is not captured" in m for m in messages)


def test_names_of_the_package():
    import smdebug.xgboost.collection as collection
    import smdebug.xgboost.hook as hook
    import smdebug.xgboost.singleton_utils as singleton

    assert collection.CollectionKeys.TREES == "trees"
    assert hook.Hook is smd.Hook
    assert singleton.get_hook is smd.get_hook
    assert "trees" in collection.CollectionManager().get_collections()
