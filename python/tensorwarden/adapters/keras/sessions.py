"""smdebug's hooks for TensorFlow 1 sessions and estimators, which are not supported."""

from typing import Any, NoReturn

from tensorwarden.base.exceptions import SMDebugError
from tensorwarden.hook.base import BaseHook


class SessionHook(BaseHook):
    """Raises SMDebugError, because TensorFlow 1 sessions and estimators are not supported.

    TensorFlow has no estimators since 2.16, and sessions only for scripts written for TensorFlow 1.
    """

    framework = "tensorflow"

    def __init__(self, *args: Any, **kwargs: Any):
        _refuse(type(self).__name__)

    @classmethod
    def create_from_json_file(cls, json_file_path: Any = None) -> NoReturn:
        """Raises SMDebugError, because sessions and estimators are not supported."""
        _refuse(cls.__name__)


EstimatorHook = SessionHook


def _refuse(name: str) -> NoReturn:
    raise SMDebugError(
        f"{name} is not supported: current TensorFlow does not train with sessions or estimators; "
        "use KerasHook with model.fit or wrap_tape"
    )
