"""Trains a model as the job of this process asks for."""

import re
import sys
import traceback
from typing import Any, Dict, List

import xgboost

from tensorwarden.adapters.xgboost.singleton import get_hook
from tensorwarden.algorithms.xgboost.callbacks import (
    InOrder,
    PrintMetrics,
    SaveCheckpoints,
    StopOnSignal,
    load_checkpoint,
    save_model,
)
from tensorwarden.algorithms.xgboost.channels import check_labels, read_channel
from tensorwarden.algorithms.xgboost.errors import JobError
from tensorwarden.algorithms.xgboost.job import Job
from tensorwarden.algorithms.xgboost.parameters import Parameters, read_parameters
from tensorwarden.algorithms.xgboost.scores import metric_function, should_rise

_MODEL = "xgboost-model"


def main() -> int:
    """Returns the exit code: 0, or 1 with the reason in output/failure."""
    job = Job()
    try:
        _train(job)
        return 0
    except JobError as error:
        reason = str(error)
    except xgboost.core.XGBoostError as error:
        reason = f"XGBoost {xgboost.__version__}: {_message_of(error)}"
    except Exception as error:
        traceback.print_exc()
        reason = f"{type(error).__name__}: {error}"
    print(f"tensorwarden: XGBoost training failed: {reason}", file=sys.stderr, flush=True)
    job.output.mkdir(parents=True, exist_ok=True)
    (job.output / "failure").write_text(reason)
    return 1


def _train(job: Job) -> None:
    parameters = read_parameters(job.hyperparameters())
    train = job.channel("train")
    if train is None:
        raise JobError("channel 'train' is missing; expected data as CSV or libsvm")
    validation = job.channel("validation")
    evals = [
        (read_channel(channel, parameters.csv_weights), channel.name)
        for channel in (train, validation)
        if channel is not None
    ]
    for data, name in evals:
        check_labels(name, data.get_label(), parameters.for_xgboost)
    sizes = (f"{name}: {data.num_row()} rows, {data.num_col()} features" for data, name in evals)
    print(f"XGBoost {xgboost.__version__}; {'; '.join(sizes)}", flush=True)

    checkpoints = job.checkpoints()
    model, done = (None, 0) if checkpoints is None else load_checkpoint(checkpoints)
    if done:
        print(f"resuming from the checkpoint of round {done - 1}", flush=True)
    callbacks: List[Any] = [*_hooks(parameters, evals), PrintMetrics(done)]
    if checkpoints is not None:
        callbacks.append(SaveCheckpoints(checkpoints, done))
    callbacks += _early_stopping(parameters, validation is not None)
    if parameters.save_on_termination:
        callbacks.append(StopOnSignal())
    model = xgboost.train(
        parameters.for_xgboost,
        evals[0][0],
        max(0, parameters.num_round - done),
        evals=evals,
        callbacks=[InOrder(callbacks)],
        xgb_model=model,
        verbose_eval=False,
        **_scores(parameters),
    )
    job.model.mkdir(parents=True, exist_ok=True)
    save_model(model, job.model / _MODEL)


def _hooks(parameters: Parameters, evals: List[Any]) -> List[Any]:
    """Returns the hook that the request configures, if it does."""
    hook = get_hook()
    if hook is None:
        return []
    hook.hyperparameters = parameters.all
    hook.train_data = evals[0][0]
    if len(evals) > 1:
        hook.validation_data = evals[1][0]
    return [hook]


def _early_stopping(parameters: Parameters, has_validation: bool) -> List[Any]:
    if not parameters.early_stopping_rounds:
        return []
    if not has_validation:
        print("early_stopping_rounds has no effect: the job has no channel 'validation'")
        return []
    last = parameters.last_metric
    return [
        xgboost.callback.EarlyStopping(
            rounds=parameters.early_stopping_rounds,
            metric_name=last or None,
            data_name="validation",
            maximize=should_rise(last) if last in parameters.scores else None,
            # A linear model cannot be cut.
            save_best=parameters.for_xgboost.get("booster") != "gblinear",
        )
    ]


def _scores(parameters: Parameters) -> Dict[str, Any]:
    return {"custom_metric": metric_function(parameters.scores)} if parameters.scores else {}


def _message_of(error: Exception) -> str:
    """Returns XGBoost's message without its time, place in the source and stack."""
    lines = [line.strip() for line in str(error).split("Stack trace")[0].splitlines()]
    text = " ".join(line for line in lines if line)
    text = re.sub(r"^\[[\d:]+\] \S+:\d+: ", "", text)
    return text.removeprefix("Check failed: ")


if __name__ == "__main__":
    sys.exit(main())
