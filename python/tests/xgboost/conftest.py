"""What the tests of the XGBoost hook share."""

from typing import Any

import pytest
from hook_fixtures import fresh_process, make_hook, told

import smdebug.xgboost as smd

__all__ = ["fresh_process", "make_hook", "told"]


@pytest.fixture
def hook_class() -> Any:
    """What make_hook makes."""
    return smd.Hook
