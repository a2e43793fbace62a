"""Data passed to a hook: as an XGBoost matrix, as arrays, or as files."""

import os
import re
import warnings
from pathlib import Path
from typing import Any, Iterator, List

import xgboost

from tensorwarden.base.exceptions import SMDebugError, SMDebugTypeError

CSV = "csv"
LIBSVM = "libsvm"
_CONTENT_TYPES = {
    "csv": CSV,
    "text/csv": CSV,
    "libsvm": LIBSVM,
    "text/libsvm": LIBSVM,
    "text/x-libsvm": LIBSVM,
}
_DELIMITERS = re.compile(r"[,;|\t]")
_LIBSVM_LABEL = re.compile(r"[^\s:,;|]+(:[^\s:,;|]+)?$")
_LIBSVM_FEATURE = re.compile(r"(qid|\d+):[^\s:,;|]+$")


def to_matrix(data: Any, what: str) -> Any:
    """Converts an argument of the hook to an xgboost.DMatrix; `what` is its name.

    Raises SMDebugTypeError for an unsupported form.
    """
    if data is None or isinstance(data, xgboost.DMatrix):
        return data
    if isinstance(data, tuple):
        if len(data) == 2 and isinstance(data[0], (str, os.PathLike)):
            return read_files(os.fspath(data[0]), data[1])
        if len(data) == 2:
            return _of_arrays(what, data[0], data[1])
    elif hasattr(data, "shape"):
        return _of_arrays(what, data, None)
    raise SMDebugTypeError(
        f"{what} is {data!r}; expected an xgboost.DMatrix, an array, arrays (features, labels), "
        "(path, 'csv') or (path, 'libsvm')"
    )


def _of_arrays(what: str, features: Any, labels: Any) -> Any:
    try:
        return xgboost.DMatrix(features, label=labels)
    except Exception as error:
        raise SMDebugTypeError(f"cannot convert {what} to a DMatrix: {error}") from None


def read_files(path: str, content_type: Any, csv_weights: int = 0) -> Any:
    """Reads the matrix from a file, or from all files of a folder.

    The first column of a CSV file is the label. With `csv_weights`, the second column is the
    weight. Raises SMDebugError on failure.
    """
    kind = get_content_type(content_type)
    validate_data_file_path(path, kind)
    options = "format=libsvm"
    if kind == CSV:
        delimiter = _DELIMITERS.search(_first_line(data_files(path)[0]))
        assert delimiter is not None  # Checked with the path.
        options = f"format=csv&label_column=0&delimiter={delimiter.group()}"
        options += "&weight_column=1" if csv_weights else ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # XGBoost warns that text input is deprecated.
            return xgboost.DMatrix(f"{path}?{options}")
    except Exception as error:
        raise SMDebugError(f"cannot read {path} as {kind}: {error}") from None


def get_content_type(content_type: Any) -> str:
    """Returns 'csv' or 'libsvm' for a name or a MIME type; 'libsvm' for None.

    Raises SMDebugError for another type.
    """
    if content_type is None:
        return LIBSVM
    known = _CONTENT_TYPES.get(str(content_type).lower())
    if known is None:
        accepted = ", ".join(_CONTENT_TYPES)
        raise SMDebugError(f"unknown content type {content_type!r}; expected one of: {accepted}")
    return known


def validate_data_file_path(data_path: str, content_type: Any) -> None:
    """Checks that the path exists and its files match the content type. Raises SMDebugError."""
    kind = get_content_type(content_type)
    if not Path(data_path).exists():
        raise SMDebugError(f"cannot open {data_path}: no such file or folder")
    files = data_files(data_path)
    if not files:
        raise SMDebugError(f"{data_path} contains no data files")
    for file in files:
        line = _first_line(file)
        if not (_is_csv(line) if kind == CSV else _is_libsvm(line)):
            raise SMDebugError(f"{file} is not a {kind} file: its first line is {line[:60]!r}")


def data_files(path: str) -> List[Path]:
    """Returns the file, or the files of the folder except hidden ones."""
    return sorted(_walk(Path(path)))


def _walk(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for entry in path.iterdir():
        if entry.is_file() and not entry.name.startswith((".", "_")):
            yield entry


def _first_line(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as text:
            # Enough to detect the format, however long the line is.
            return text.readline(1 << 16).strip()
    except OSError as error:
        raise SMDebugError(f"cannot read {file}: {error}") from None


def _is_csv(line: str) -> bool:
    return bool(line) and not _is_libsvm(line) and (_DELIMITERS.search(line) is not None)


def _is_libsvm(line: str) -> bool:
    words = line.split()
    if not words or _LIBSVM_LABEL.match(words[0]) is None:
        return False
    # The last word may be cut off.
    return all(_LIBSVM_FEATURE.match(word) for word in words[1:-1] or words[1:])
