"""The original's hooks for sessions and estimators of TensorFlow 1, of which only the names are
left."""

from typing import Any, NoReturn, Optional

from tensorwarden.exceptions import SMDebugError
from tensorwarden.hook import BaseHook


class SessionHook(BaseHook):
    """Says that there is nothing for it to do. TensorFlow has had no estimators since 2.16, and
    sessions only for programs that were written for TensorFlow 1."""

    framework = "tensorflow"

    def __init__(self, *args: Any, **kwargs: Any):
        _refuse(type(self).__name__)

    @classmethod
    def create_from_json_file(cls, json_file_path: Optional[str] = None) -> NoReturn:
        """Refused as well."""
        _refuse(cls.__name__)


EstimatorHook = SessionHook


def _refuse(name: str) -> NoReturn:
    raise SMDebugError(
        f"{name} is for sessions and estimators of TensorFlow 1, which current TensorFlow does not "
        "train with; accepted is KerasHook, with model.fit or wrap_tape"
    )
