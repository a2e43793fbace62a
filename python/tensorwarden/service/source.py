"""Packs the code of a job and derives its name."""

import io
import re
import tarfile
import time
from pathlib import Path
from typing import Iterator, Optional, Tuple

NOT_PACKED = {".git", "__pycache__", ".ipynb_checkpoints", ".venv", "node_modules"}


def split_uri(uri: str) -> Tuple[str, str]:
    """Splits s3://BUCKET/KEY into bucket and key. Raises ValueError for other text."""
    match = re.fullmatch(r"s3://([^/]+)/(.+)", uri)
    if match is None:
        raise ValueError(f"URI is {uri!r}; expected s3://BUCKET/KEY")
    return match[1], match[2]


def name_from(entry: str) -> str:
    """Returns a unique job name that begins with the name of the script."""
    base = re.sub(r"[^A-Za-z0-9]+", "-", Path(entry).stem).strip("-")[:30].strip("-") or "job"
    now = time.time()
    return (
        f"{base}-{time.strftime('%Y-%m-%d-%H-%M-%S', time.gmtime(now))}-{int(now * 1000) % 1000:03}"
    )


def pack(script: Path, folder: Optional[Path]) -> Tuple[str, bytes]:
    """Packs a script, or a folder with the script in it, into a tar.gz archive.

    Returns the name of the script in the archive, and the archive. Raises FileNotFoundError if the
    folder does not contain the script.
    """
    if folder is None:
        files = [(script, script.name)]
        entry = script.name
    else:
        files = list(_files_in(folder))
        entry = (
            script.relative_to(folder).as_posix()
            if script.is_absolute() and folder in script.parents
            else script.as_posix()
        )
        if entry not in {name for _, name in files}:
            raise FileNotFoundError(f"{entry} is not in {folder}")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", dereference=True) as archive:
        for path, name in files:
            archive.add(str(path), arcname=name, recursive=False)
    return entry, packed.getvalue()


def _files_in(folder: Path) -> Iterator[Tuple[Path, str]]:
    """Yields all files below the folder, except those of tools and those in linked folders."""
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a folder")
    pending = [folder]
    while pending:
        for path in sorted(pending.pop().iterdir()):
            if path.is_dir():
                if path.name not in NOT_PACKED and not path.is_symlink():
                    pending.append(path)
            elif path.is_file():
                yield path, path.relative_to(folder).as_posix()
