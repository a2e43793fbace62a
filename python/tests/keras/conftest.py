"""What the tests of the Keras hook share."""

from typing import Any

import keras
import pytest
from hook_fixtures import fresh_process, make_hook, told

import smdebug.tensorflow as smd

__all__ = ["fresh_process", "make_hook", "told"]


@pytest.fixture
def hook_class() -> Any:
    """What make_hook makes."""
    return smd.KerasHook


@pytest.fixture(autouse=True)
def fresh_layers() -> None:
    """Layers are numbered from 1, and random numbers are the same."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(0)
