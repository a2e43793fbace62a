"""The files of a job, as SageMaker arranges them."""

import json
import os
from pathlib import Path
from typing import Any, Dict, NamedTuple, Optional

from tensorwarden.algorithms.xgboost.errors import JobError

_ROOT = "/opt/ml"


class Channel(NamedTuple):
    """A folder of data."""

    name: str
    folder: Path
    content_type: Optional[str]


class Job:
    """Where the files of this process' job are: at the paths of the toolkit's variables, or below
    /opt/ml."""

    def __init__(self) -> None:
        self._config = _folder("SM_INPUT_CONFIG_DIR", "input/config")
        self._data = _folder("SM_INPUT_DIR", "input") / "data"
        self.model = _folder("SM_MODEL_DIR", "model")
        self.output = _folder("SM_OUTPUT_DIR", "output")

    def hyperparameters(self) -> Dict[str, str]:
        """Returns the hyperparameters of the request, without those of the platform."""
        given = self._read("hyperparameters.json")
        return {
            name: str(value)
            for name, value in given.items()
            if not name.startswith("sagemaker_") and name != "_tuning_objective_metric"
        }

    def channel(self, name: str) -> Optional[Channel]:
        """Returns a channel; None if the job does not have it."""
        found = self._read("inputdataconfig.json").get(name)
        if found is None:
            return None
        folder = os.environ.get(f"SM_CHANNEL_{name.upper()}") or self._data / name
        return Channel(name, Path(folder), found.get("ContentType"))

    def checkpoints(self) -> Optional[Path]:
        """Returns the folder of checkpoints; None if the request has no CheckpointConfig."""
        given = os.environ.get("CHECKPOINT_CONFIG_FILE_PATH")
        file = Path(given) if given else self._config / "checkpointconfig.json"
        if not file.exists():
            return None
        return Path(json.loads(file.read_text()).get("LocalPath") or f"{_ROOT}/checkpoints")

    def _read(self, name: str) -> Dict[str, Any]:
        file = self._config / name
        if not file.exists():
            return {}
        try:
            content = json.loads(file.read_text())
        except (OSError, ValueError) as error:
            raise JobError(f"cannot read {file}: {error}") from None
        return content if isinstance(content, dict) else {}


def _folder(variable: str, below: str) -> Path:
    return Path(os.environ.get(variable) or f"{_ROOT}/{below}")
