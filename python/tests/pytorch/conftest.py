"""What the tests of the PyTorch hook share."""

from typing import Any

import pytest
from hook_fixtures import fresh_process, make_hook, told

import smdebug.pytorch as smd

__all__ = ["fresh_process", "make_hook", "told"]


@pytest.fixture
def hook_class() -> Any:
    """What make_hook makes."""
    return smd.Hook
