"""The hyperparameters of Amazon's XGBoost algorithm: read from text and checked."""

import ast
import difflib
import json
import math
import re
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Tuple

from tensorwarden.adapters.xgboost.versions import version
from tensorwarden.algorithms.xgboost.errors import JobError
from tensorwarden.algorithms.xgboost.scores import SCORES

_OBJECTIVES = (
    "reg:squarederror",
    "reg:squaredlogerror",
    "reg:logistic",
    "reg:pseudohubererror",
    "reg:absoluteerror",
    "reg:quantileerror",
    "reg:gamma",
    "reg:tweedie",
    "reg:linear",
    "binary:logistic",
    "binary:logitraw",
    "binary:hinge",
    "count:poisson",
    "survival:cox",
    "survival:aft",
    "multi:softmax",
    "multi:softprob",
    "rank:pairwise",
    "rank:ndcg",
    "rank:map",
)
_METRICS = (
    "aft-nloglik",
    "auc",
    "aucpr",
    "cox-nloglik",
    "error",
    "gamma-deviance",
    "gamma-nloglik",
    "interval-regression-accuracy",
    "logloss",
    "mae",
    "map",
    "mape",
    "merror",
    "mlogloss",
    "mphe",
    "ndcg",
    "poisson-nloglik",
    "pre",
    "quantile",
    "rmse",
    "rmsle",
    "tweedie-nloglik",
    *SCORES,
)
# "error@0.7", "ndcg@5-"
_METRIC_ARGUMENT = re.compile(r"@\d+(\.\d+)?-?$")
_LARGEST = 1_000_000


class _Kind(NamedTuple):
    """How a text is read; ValueError for one that is not accepted."""

    accepted: str
    read: Callable[[str], Any]


def _number(interval: str, convert: Callable[[str], Any], what: str) -> _Kind:
    least, most = (float(end) for end in interval[1:-1].split(","))

    def read(text: str) -> Any:
        value = convert(text)
        above = value > least or (value == least and interval[0] == "[")
        below = value < most or (value == most and interval[-1] == "]")
        if not (math.isfinite(value) and above and below):
            raise ValueError
        return value

    ends = {"[0,inf)": "of at least 0", "(-inf,inf)": ""}
    return _Kind(f"{what} {ends.get(interval, f'in {interval}')}".replace(",", ", ").strip(), read)


def _real(interval: str) -> _Kind:
    return _number(interval, float, "a number")


def _whole(interval: str) -> _Kind:
    return _number(interval, int, "an integer")


def _one_of(*names: str) -> _Kind:
    def read(text: str) -> str:
        if text not in names:
            raise ValueError
        return text

    return _Kind("one of: " + ", ".join(names), read)


def _read_switch(text: str) -> str:
    if text.lower() not in ("true", "false"):
        raise ValueError
    return text.lower()


def _read_list(text: str) -> List[str]:
    """Reads "auc,error" or "['auc', 'error']"."""
    if text.startswith(("[", "(")):
        try:
            return [str(item) for item in ast.literal_eval(text)]
        except SyntaxError:
            raise ValueError from None
    return [item.strip() for item in text.split(",")]


def _read_metrics(text: str) -> List[str]:
    names = _read_list(text)
    if not names or any(_METRIC_ARGUMENT.sub("", name) not in _METRICS for name in names):
        raise ValueError
    return names


def _read_constraints(text: str) -> str:
    """Reads "(1, 0, -1)"."""
    try:
        values = ast.literal_eval(text if text.startswith(("(", "[")) else f"({text},)")
    except SyntaxError:
        raise ValueError from None
    if any(value not in (-1, 0, 1) for value in values):
        raise ValueError
    joined = ",".join(str(value) for value in values)
    return f"({joined})"


def _read_interactions(text: str) -> str:
    groups = json.loads(text)
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise ValueError
    return text


_ANY_TEXT = _Kind("a text", str)
_SWITCH = _Kind("true or false", _read_switch)
_ZERO_OR_ONE = _Kind("0 or 1", _whole("[0,1]").read)
_SHARE = _real("[0,1]")
_POSITIVE_SHARE = _real("(0,1]")
_NOT_NEGATIVE = _real("[0,inf)")
_COUNT = _whole("[0,inf)")
_UP_TO_A_MILLION = _whole(f"[1,{_LARGEST}]")

# By name; everything but _OURS is passed to XGBoost.
_KINDS: Dict[str, _Kind] = {
    "num_round": _UP_TO_A_MILLION,
    "aft_loss_distribution": _one_of("normal", "logistic", "extreme"),
    "aft_loss_distribution_scale": _real("(0,inf)"),
    "alpha": _real("(-inf,inf)"),
    "base_score": _real("(-inf,inf)"),
    "booster": _one_of("gbtree", "gblinear", "dart"),
    "colsample_bylevel": _POSITIVE_SHARE,
    "colsample_bynode": _POSITIVE_SHARE,
    "colsample_bytree": _POSITIVE_SHARE,
    "csv_weights": _ZERO_OR_ONE,
    "deterministic_histogram": _SWITCH,
    "device": _Kind("cpu, cuda or cuda:N", _ANY_TEXT.read),
    "dsplit": _one_of("row", "col"),
    "early_stopping_rounds": _UP_TO_A_MILLION,
    "eta": _SHARE,
    "eval_metric": _Kind("names separated by commas, of: " + ", ".join(_METRICS), _read_metrics),
    "feature_selector": _one_of("cyclic", "shuffle", "random", "greedy", "thrifty"),
    "gamma": _NOT_NEGATIVE,
    "grow_policy": _one_of("depthwise", "lossguide"),
    "huber_slope": _real("(-inf,inf)"),
    "interaction_constraints": _Kind("lists of features: [[0, 1], [2, 3]]", _read_interactions),
    "lambda": _real("(-inf,inf)"),
    "lambda_bias": _SHARE,
    "max_bin": _whole("[2,inf)"),
    "max_delta_step": _NOT_NEGATIVE,
    "max_depth": _COUNT,
    "max_leaves": _COUNT,
    "min_child_weight": _NOT_NEGATIVE,
    "monotone_constraints": _Kind("-1, 0 or 1 for each feature: (1, 0, -1)", _read_constraints),
    "normalize_type": _one_of("tree", "forest"),
    "nthread": _whole(f"[1,{_LARGEST}]"),
    "num_class": _UP_TO_A_MILLION,
    "num_parallel_tree": _UP_TO_A_MILLION,
    "objective": _one_of(*_OBJECTIVES),
    "one_drop": _ZERO_OR_ONE,
    "predictor": _one_of("auto", "cpu_predictor", "gpu_predictor"),
    "process_type": _one_of("default", "update"),
    "quantile_alpha": _SHARE,
    "rate_drop": _SHARE,
    "refresh_leaf": _ZERO_OR_ONE,
    "sample_type": _one_of("uniform", "weighted"),
    "sampling_method": _one_of("uniform", "gradient_based"),
    "save_model_on_termination": _SWITCH,
    "scale_pos_weight": _NOT_NEGATIVE,
    "seed": _whole("(-inf,inf)"),
    "single_precision_histogram": _SWITCH,
    "sketch_eps": _real("(0,1)"),
    "skip_drop": _SHARE,
    "subsample": _POSITIVE_SHARE,
    "top_k": _COUNT,
    "tree_method": _one_of("auto", "exact", "approx", "hist", "gpu_hist"),
    "tweedie_variance_power": _real("(1,2)"),
    "updater": _ANY_TEXT,
    "verbosity": _whole("[0,3]"),
}
# What is for this program and not for XGBoost.
_OURS = (
    "num_round",
    "csv_weights",
    "early_stopping_rounds",
    "save_model_on_termination",
    "eval_metric",
)


class Parameters(NamedTuple):
    """Checked hyperparameters."""

    num_round: int
    for_xgboost: Dict[str, Any]  # Arguments of xgboost.train.
    scores: List[str]  # Metrics that XGBoost does not have.
    last_metric: str  # The one that early stopping looks at; empty: XGBoost's last.
    early_stopping_rounds: int  # 0: none.
    csv_weights: int
    save_on_termination: bool
    all: Dict[str, Any]  # As given, with their types.


def read_parameters(given: Mapping[str, str]) -> Parameters:
    """Reads the hyperparameters of a request.

    Raises JobError that names every wrong one, with its value and what is accepted.
    """
    values, problems = _read_all(given)
    values.setdefault("objective", "reg:squarederror")
    if "num_round" not in given:
        accepted = _KINDS["num_round"].accepted
        problems.insert(0, f"hyperparameter num_round is missing; expected {accepted}")
    if str(values["objective"]).startswith("multi:") and "num_class" not in given:
        problems.append(
            f"hyperparameter num_class is missing; objective {values['objective']} needs the "
            "number of classes"
        )
    if problems:
        raise JobError(". ".join(problems))
    metrics: List[str] = values.get("eval_metric", [])
    scores = [name for name in metrics if name in SCORES]
    for_xgboost = {name: value for name, value in values.items() if name not in _OURS}
    known = [name for name in metrics if name not in SCORES]
    if known:
        for_xgboost["eval_metric"] = known
    elif scores:
        for_xgboost["disable_default_eval_metric"] = 1
    _fit_to_version(for_xgboost)
    return Parameters(
        values["num_round"],
        for_xgboost,
        scores,
        metrics[-1] if scores else "",
        values.get("early_stopping_rounds", 0),
        values.get("csv_weights", 0),
        values.get("save_model_on_termination") == "true",
        values,
    )


def _read_all(given: Mapping[str, str]) -> Tuple[Dict[str, Any], List[str]]:
    """Returns the values by name, and what is wrong with the others."""
    values: Dict[str, Any] = {}
    problems = []
    for name, text in given.items():
        kind = _KINDS.get(name)
        if kind is None:
            continue
        try:
            values[name] = kind.read(_plain(text))
        except (ValueError, TypeError):
            problems.append(f"hyperparameter {name} is '{text}'; expected {kind.accepted}")
    unknown = [_with_hint(name) for name in given if name not in _KINDS]
    if unknown:
        accepted = ", ".join(sorted(_KINDS))
        problems.append(f"unknown hyperparameter {', '.join(unknown)}; expected one of: {accepted}")
    return values, problems


def _with_hint(name: str) -> str:
    close = difflib.get_close_matches(name, _KINDS, 1)
    return f"'{name}' (did you mean '{close[0]}'?)" if close else f"'{name}'"


def _plain(text: str) -> str:
    """Removes the quotes of clients that send JSON."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _fit_to_version(params: Dict[str, Any]) -> None:
    """Changes names that the installed XGBoost no longer has."""
    if params.get("objective") == "reg:linear":
        params["objective"] = "reg:squarederror"
    if version() >= (2, 0) and params.get("tree_method") == "gpu_hist":
        params["tree_method"] = "hist"
        params.setdefault("device", "cuda")
