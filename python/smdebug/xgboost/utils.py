"""Checks of the XGBoost version, trees as tables, and data files."""

from typing import Any, Dict

import numpy as np

from tensorwarden.adapters.xgboost.data import (
    CSV,
    LIBSVM,
    get_content_type,
    read_files,
    validate_data_file_path,
)
from tensorwarden.adapters.xgboost.trees import tree_at
from tensorwarden.adapters.xgboost.versions import version

__all__ = [
    "CSV",
    "LIBSVM",
    "get_content_type",
    "get_csv_dmatrix",
    "get_dmatrix",
    "get_libsvm_dmatrix",
    "is_xgb_1_3_and_later",
    "is_xgb_1_5_and_later",
    "is_xgb_1_7_and_later",
    "parse_tree_model",
    "validate_data_file_path",
]


def is_xgb_1_3_and_later() -> bool:
    """Returns whether this is XGBoost 1.3 or newer."""
    return version() >= (1, 3)


def is_xgb_1_5_and_later() -> bool:
    """Returns whether this is XGBoost 1.5 or newer."""
    return version() >= (1, 5)


def is_xgb_1_7_and_later() -> bool:
    """Returns whether this is XGBoost 1.7 or newer."""
    return version() >= (1, 7)


def parse_tree_model(booster: Any, iteration: int, fmap: str = "") -> Dict[str, np.ndarray]:
    """Returns the tree with this number as a table, its columns by name."""
    return tree_at(booster, iteration, fmap)


def get_dmatrix(data_path: str, content_type: str, csv_weights: int = 0) -> Any:
    """Reads the matrix from files of this content type."""
    return read_files(data_path, content_type, csv_weights)


def get_csv_dmatrix(files_path: str, csv_weights: int) -> Any:
    """Reads the matrix from CSV files."""
    return read_files(files_path, CSV, csv_weights)


def get_libsvm_dmatrix(files_path: str) -> Any:
    """Reads the matrix from LIBSVM files."""
    return read_files(files_path, LIBSVM)
