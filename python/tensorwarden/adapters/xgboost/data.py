"""Data that a hook is given to look at: as XGBoost's matrix, as arrays, or as files."""

import os
import re
import warnings
from pathlib import Path
from typing import Any, Iterator, List

import xgboost

from tensorwarden.exceptions import SMDebugError, SMDebugTypeError

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
    """An xgboost.DMatrix of any form in which `what`, an argument of the hook, may be given."""
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
        f"{what} is {data!r}; accepted are an xgboost.DMatrix, an array, arrays (features, "
        "labels), and (path, 'csv') or (path, 'libsvm')"
    )


def _of_arrays(what: str, features: Any, labels: Any) -> Any:
    try:
        return xgboost.DMatrix(features, label=labels)
    except Exception as error:
        raise SMDebugTypeError(f"{what}: XGBoost makes no DMatrix of it: {error}") from None


def read_files(path: str, content_type: Any, csv_weights: int = 0) -> Any:
    """The matrix in a file, or in all files of a folder. The first column of CSV is the label; with
    csv_weights the second one is the weight."""
    kind = get_content_type(content_type)
    validate_data_file_path(path, kind)
    options = "format=libsvm"
    if kind == CSV:
        delimiter = _DELIMITERS.search(_first_line(data_files(path)[0])).group()
        options = f"format=csv&label_column=0&delimiter={delimiter}"
        options += "&weight_column=1" if csv_weights else ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Reading text is said to be on its way out.
            return xgboost.DMatrix(f"{path}?{options}")
    except Exception as error:
        raise SMDebugError(f"{path} cannot be read as {kind}: {error}") from None


def get_content_type(content_type: Any) -> str:
    """'csv' or 'libsvm', of a name or a MIME type; the latter of None."""
    if content_type is None:
        return LIBSVM
    known = _CONTENT_TYPES.get(str(content_type).lower())
    if known is None:
        accepted = ", ".join(_CONTENT_TYPES)
        raise SMDebugError(f"the content type is {content_type!r}; accepted are {accepted}")
    return known


def validate_data_file_path(data_path: str, content_type: Any) -> None:
    """SMDebugError unless the path is there and its files begin as the content type has it."""
    kind = get_content_type(content_type)
    if not Path(data_path).exists():
        raise SMDebugError(f"{data_path} is not there")
    files = data_files(data_path)
    if not files:
        raise SMDebugError(f"{data_path} has no file of data in it")
    for file in files:
        line = _first_line(file)
        if not (_is_csv(line) if kind == CSV else _is_libsvm(line)):
            raise SMDebugError(f"{file} is no {kind}: its first line is {line[:60]!r}")


def data_files(path: str) -> List[Path]:
    """The file, or those in the folder but for hidden ones."""
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
            # However long a line is, so much tells what it is.
            return text.readline(1 << 16).strip()
    except OSError as error:
        raise SMDebugError(f"{file} cannot be read: {error}") from None


def _is_csv(line: str) -> bool:
    return bool(line) and not _is_libsvm(line) and (_DELIMITERS.search(line) is not None)


def _is_libsvm(line: str) -> bool:
    words = line.split()
    if not words or _LIBSVM_LABEL.match(words[0]) is None:
        return False
    # The last word may have been cut off.
    return all(_LIBSVM_FEATURE.match(word) for word in words[1:-1] or words[1:])
