"""What the tests of the MXNet hook share."""

import os
from typing import Any

# The order of sums must not depend on what else the machine does; read when MXNet is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hook_fixtures import fresh_process, make_hook, told

import smdebug.mxnet as smd

__all__ = ["fresh_process", "make_hook", "told"]


@pytest.fixture
def hook_class() -> Any:
    """What make_hook makes."""
    return smd.Hook
