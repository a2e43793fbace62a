"""The version of XGBoost."""

import re
from typing import Tuple

import xgboost


def version() -> Tuple[int, int]:
    """Returns the first two numbers of the version."""
    numbers = re.findall(r"\d+", xgboost.__version__)
    return int(numbers[0]), int(numbers[1])
