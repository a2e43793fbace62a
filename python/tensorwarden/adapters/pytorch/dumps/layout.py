"""What writing and reading a dump share; docs/formats/dump.md describes its files."""

import hashlib
from pathlib import Path
from typing import Any

FOLDER = "dumps"
INDEX = "index.json"
STATE, OPTIMIZERS, PASSES = "state.pt", "optimizers.pt", "passes.pt"
FORMAT = 1


class DumpError(Exception):
    """Why a step is not dumped, or a dump cannot be read."""


def model_file(number: int) -> str:
    """Returns the name of the file of a pickled model."""
    return f"model_{number}.pkl"


def digest_of(path: str) -> str:
    """Returns the SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def type_text(dtype: Any) -> str:
    """Returns "float16" for torch.float16."""
    return str(dtype).rpartition(".")[2]


def size_text(size: float) -> str:
    """Returns "1.2 MB"."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def one_line(error: BaseException) -> str:
    """Returns class and text of an error."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
