"""Reads the dump of a step."""

import json
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

import torch

from tensorwarden.adapters.pytorch.dumps.layout import (
    FOLDER,
    FORMAT,
    INDEX,
    PASSES,
    STATE,
    DumpError,
    model_file,
    one_line,
)
from tensorwarden.adapters.pytorch.dumps.links import Link
from tensorwarden.adapters.pytorch.dumps.recorder import Loss


def find_dump(run: str, step: int, worker: Optional[str]) -> Path:
    """Returns the folder of the dump of a step: without a worker that of the one where it began, as
    far as that is known. Raises DumpError."""
    if not Path(run).is_dir():
        raise DumpError(f"no such folder: {run}")
    known = dumps_of(run)
    fitting = {
        folder: about
        for folder, about in known.items()
        if step in (about["step"], *(made["step"] for made in about["passes"]))
        and worker in (None, about["worker"])
    }
    for folder, about in fitting.items():
        if (about["found"] or {}).get("worker") == about["worker"]:
            return folder
    if fitting:
        return next(iter(fitting))
    if not known:
        raise DumpError(f"{run} has no dumps; make them with 'warden run --guard dump'")
    wanted = f"step {step}" if worker is None else f"step {step} of {worker}"
    listed = ", ".join(f"{about['step']} ({about['worker']})" for about in known.values())
    raise DumpError(f"{run} has no dump of {wanted}; expected one of: {listed}")


def dumps_of(run: str) -> Dict[Path, Dict[str, Any]]:
    """Returns the folders of all dumps of a run, and what their indices say. Raises DumpError."""
    indices = sorted((Path(run) / FOLDER).glob(f"*/{INDEX}"))
    return {i.parent: _read_index(i) for i in indices if i.parent.suffix != ".tmp"}


def _read_index(path: Path) -> Dict[str, Any]:
    try:
        index: Dict[str, Any] = json.loads(path.read_text())
        if index["format"] != FORMAT:
            raise DumpError(f"{path}: format is {index['format']}; expected {FORMAT}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DumpError(f"cannot read {path}: {one_line(error)}") from error
    return index


def owners_of(folder: Path) -> Set[int]:
    """Returns the users that own the files of a dump, and could have changed them."""
    return {path.stat().st_uid for path in [folder, *folder.iterdir()]}


class Dump:
    """A dump that is read. Loading executes code that the dump names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = _read_index(folder / INDEX)

    def load_states(self) -> List[Dict[str, Any]]:
        """Returns parameters and buffers of each model."""
        states: List[Dict[str, Any]] = self._load(STATE)
        return states

    def load_passes(self) -> List[Dict[str, Any]]:
        """Returns the forward passes."""
        passes: List[Dict[str, Any]] = self._load(PASSES)
        return passes

    def model_bytes(self, number: int) -> bytes:
        """Returns a pickled model. Raises DumpError if it was not pickled."""
        about = self.index["models"][number]
        if "error" in about:
            raise DumpError(
                f"{about['class']} was not saved, because it cannot be pickled ({about['error']}); "
                "name a function that builds it: --model MODULE:FUNCTION"
            )
        return (self.folder / model_file(number)).read_bytes()

    def _load(self, name: str) -> Any:
        where = None if torch.cuda.is_available() else "cpu"
        options: Dict[str, Any] = {"map_location": where, "weights_only": False}
        try:
            return torch.load(self.folder / name, **options)
        except OSError as error:
            raise DumpError(f"cannot open {self.folder / name}: {error.strerror}") from error


def loss_of(entry: Dict[str, Any]) -> Loss:
    """Returns a loss as the dump has it."""
    return Loss(**{**entry, "args": _unlinked(entry["args"]), "kwargs": _unlinked(entry["kwargs"])})


def _unlinked(values: Any) -> Any:
    if isinstance(values, dict):
        if set(values) == {"link"}:
            return Link(*values["link"])
        return {key: _unlinked(value) for key, value in values.items()}
    if isinstance(values, list):
        return tuple(_unlinked(value) for value in values)
    return values
