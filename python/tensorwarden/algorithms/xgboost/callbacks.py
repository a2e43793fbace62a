"""What happens after each round."""

import re
import signal
from pathlib import Path
from typing import Any, List, Optional, Tuple

import xgboost

_CHECKPOINT = "xgboost-checkpoint"
_NAME = re.compile(rf"{_CHECKPOINT}\.(\d+)$")
_KEPT = 5
_TAB = "#011"  # As the logs of Amazon's container have it.


class InOrder(xgboost.callback.TrainingCallback):
    """Calls all callbacks in their order; old versions of XGBoost have none, and skip some when
    the training ends."""

    def __init__(self, callbacks: List[Any]):
        self._callbacks = callbacks

    def before_training(self, model: Any) -> Any:
        """Called by XGBoost."""
        for callback in self._callbacks:
            model = callback.before_training(model)
        return model

    def after_training(self, model: Any) -> Any:
        """Called by XGBoost."""
        for callback in self._callbacks:
            model = callback.after_training(model)
        return model

    def before_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Called by XGBoost."""
        return any([each.before_iteration(model, epoch, evals_log) for each in self._callbacks])

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Called by XGBoost."""
        return any([each.after_iteration(model, epoch, evals_log) for each in self._callbacks])


class PrintMetrics(xgboost.callback.TrainingCallback):
    """Prints a line for each round: "[0]#011train-rmse:0.5#011validation-rmse:0.7"."""

    def __init__(self, first_round: int):
        self._first = first_round

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Called by XGBoost."""
        words = [f"[{self._first + epoch}]"]
        for data, metrics in evals_log.items():
            words += [f"{data}-{name}:{values[-1]:.5f}" for name, values in metrics.items()]
        print(_TAB.join(words), flush=True)
        return False


class StopOnSignal(xgboost.callback.TrainingCallback):
    """Ends the training after the round in which the job is stopped, so that its model is saved."""

    def __init__(self) -> None:
        self._stopped = False
        signal.signal(signal.SIGTERM, self._stop)

    def _stop(self, *_: Any) -> None:
        self._stopped = True

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Called by XGBoost."""
        return self._stopped


class SaveCheckpoints(xgboost.callback.TrainingCallback):
    """Saves the model after each round, and keeps the last few."""

    def __init__(self, folder: Path, first_round: int):
        self._folder = folder
        self._first = first_round
        folder.mkdir(parents=True, exist_ok=True)

    def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
        """Called by XGBoost."""
        save_model(model, self._folder / f"{_CHECKPOINT}.{self._first + epoch}")
        for _, old in _checkpoints(self._folder)[:-_KEPT]:
            old.unlink()
        return False


def load_checkpoint(folder: Path) -> Tuple[Optional[Any], int]:
    """Returns the model of the newest checkpoint that can be read, and its number of rounds."""
    for number, file in reversed(_checkpoints(folder)):
        try:
            return xgboost.Booster(model_file=bytearray(file.read_bytes())), number + 1
        except xgboost.core.XGBoostError as error:
            reason = str(error).split("\n")[0]
            print(f"tensorwarden: cannot read {file.name}: {reason}; trying the one before it")
    return None, 0


def save_model(model: Any, file: Path) -> None:
    """Writes a model in one step, so that nobody reads half of it."""
    draft = file.with_name(f".{file.name}.tmp")
    draft.write_bytes(model.save_raw("ubj"))
    draft.replace(file)


def _checkpoints(folder: Path) -> List[Tuple[int, Path]]:
    """Returns numbers of rounds and files, the oldest first."""
    if not folder.is_dir():
        return []
    found = ((_NAME.match(path.name), path) for path in folder.iterdir())
    return sorted((int(match.group(1)), path) for match, path in found if match)
