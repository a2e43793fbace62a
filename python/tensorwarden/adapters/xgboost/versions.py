"""Which XGBoost this is."""

import re
from typing import Tuple

import xgboost


def version() -> Tuple[int, int]:
    """Its first two numbers."""
    numbers = re.findall(r"\d+", xgboost.__version__)
    return int(numbers[0]), int(numbers[1])
