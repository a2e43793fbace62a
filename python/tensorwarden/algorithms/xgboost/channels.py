"""Reads the data of a channel."""

import tempfile
import warnings
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import xgboost

from tensorwarden.adapters.xgboost.data import CSV, get_content_type, read_files
from tensorwarden.algorithms.xgboost.errors import JobError
from tensorwarden.algorithms.xgboost.job import Channel
from tensorwarden.base.exceptions import SMDebugError

_CHARSETS = ("utf-8", "utf8", "us-ascii", "ascii")


def read_channel(channel: Channel, csv_weights: int) -> Any:
    """Reads all files of a channel into an xgboost.DMatrix. Raises JobError."""
    kind = _kind_of(channel)
    files = _files_of(channel.folder)
    if not files:
        raise JobError(f"channel '{channel.name}' contains no files")
    matrix = _read_csv(channel, files, csv_weights) if kind == CSV else _read_libsvm(channel, files)
    if matrix.num_row() == 0:
        raise JobError(f"channel '{channel.name}' contains no rows")
    return matrix


def check_labels(channel: str, labels: np.ndarray, params: Dict[str, Any]) -> None:
    """Raises JobError for labels that the objective does not take; XGBoost's own message for them
    depends on its version."""
    objective = params["objective"]
    if objective in ("binary:logistic", "binary:logitraw", "reg:logistic"):
        wrong = (labels < 0) | (labels > 1)
        expected = "labels from 0 to 1"
    elif objective.startswith("multi:"):
        wrong = (labels < 0) | (labels >= params["num_class"]) | (labels != np.floor(labels))
        expected = f"whole numbers from 0 to {params['num_class'] - 1}"
    else:
        return
    if wrong.any():
        row = int(wrong.argmax())
        raise JobError(
            f"channel '{channel}': the label of row {row + 1} is {labels[row]:g}; objective "
            f"{objective} expects {expected}"
        )


def _kind_of(channel: Channel) -> str:
    where = f"channel '{channel.name}'"
    name, settings = _parse(channel.content_type)
    try:
        kind = get_content_type(name)
    except SMDebugError as error:
        raise JobError(f"{where}: {error}") from None
    label_size = settings.pop("label_size", "1")
    charset = settings.pop("charset", "utf-8").lower()
    if label_size != "1":
        raise JobError(f"{where}: label_size is {label_size}; expected 1, the first column")
    if charset not in _CHARSETS:
        raise JobError(f"{where}: charset is {charset}; expected utf-8")
    if settings:
        unknown = ", ".join(sorted(settings))
        raise JobError(f"{where}: unknown setting '{unknown}'; expected label_size or charset")
    return kind


def _parse(content_type: Optional[str]) -> Tuple[Optional[str], Dict[str, str]]:
    """Splits "text/csv; charset=utf-8"."""
    name, *settings = (part.strip() for part in (content_type or "").split(";"))
    pairs = (setting.partition("=") for setting in settings if setting)
    return name.lower() or None, {key.strip().lower(): value.strip() for key, _, value in pairs}


def _files_of(folder: Path) -> List[Path]:
    """Returns all files below a folder except hidden ones."""
    if folder.is_file():
        return [folder]
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    )


def _read_libsvm(channel: Channel, files: List[Path]) -> Any:
    # XGBoost reads the files of one folder.
    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(files):
            Path(folder, f"{number:06}-{file.name}").symlink_to(file.resolve())
        try:
            return read_files(folder, "libsvm")
        except SMDebugError as error:
            text = str(error).replace(folder + "/", "").split("\n")[0]
            hint = "" if channel.content_type else "; CSV needs the content type text/csv"
            raise JobError(f"channel '{channel.name}': {text}{hint}") from None


def _read_csv(channel: Channel, files: List[Path], csv_weights: int) -> Any:
    read = [(file, _read_table(channel, file)) for file in files]
    filled = [(file, table) for file, table in read if table.size]
    if not filled:
        raise JobError(f"channel '{channel.name}' contains no rows")
    files = [file for file, _ in filled]
    tables = [table for _, table in filled]
    width = tables[0].shape[1]
    for file, table in filled:
        if table.shape[1] != width:
            raise JobError(
                f"channel '{channel.name}': {file.name} has {table.shape[1]} columns and "
                f"{files[0].name} has {width}; expected the same number"
            )
    first = 2 if csv_weights else 1
    if width <= first:
        expected = "the label, the weight and" if csv_weights else "the label and"
        raise JobError(
            f"channel '{channel.name}': {files[0].name} has {width} columns; expected {expected} "
            "at least one feature"
        )
    table = np.concatenate(tables) if len(tables) > 1 else tables[0]
    if np.isnan(table[:, 0]).any():
        row = int(np.isnan(table[:, 0]).argmax())
        raise JobError(f"channel '{channel.name}': row {row + 1} has no label")
    weights = table[:, 1] if csv_weights else None
    return xgboost.DMatrix(table[:, first:], label=table[:, 0], weight=weights)


def _read_table(channel: Channel, file: Path) -> np.ndarray:
    """Reads numbers; empty fields are NaN, which XGBoost takes for missing."""
    where = f"channel '{channel.name}': {file.name}"
    try:
        with file.open(encoding="utf-8-sig") as text:
            line = text.readline()
        delimiter = next((each for each in ",;|\t" if each in line), ",")
        try:
            return _load(file, delimiter)
        except ValueError:  # Slower, and knows empty and quoted fields.
            return _load(file, delimiter, dict.fromkeys(range(1 + line.count(delimiter)), _number))
    except UnicodeDecodeError:
        raise JobError(f"{where} is not text in utf-8") from None
    except (OSError, ValueError) as error:
        reason = str(error.__cause__ or error).rstrip(".")
        raise JobError(
            f"{where}: {reason}; expected rows of numbers, the label first, without a header"
        ) from None


def _load(file: Path, delimiter: str, converters: Any = None) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of files without rows.
        return np.loadtxt(
            file,
            np.float32,
            comments=None,
            delimiter=delimiter,
            converters=converters,
            ndmin=2,
            encoding="utf-8-sig",
        )


def _number(field: str) -> float:
    field = field.strip().strip('"')
    return float(field) if field else float("nan")
