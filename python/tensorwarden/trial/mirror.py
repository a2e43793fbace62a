"""Copies a run out of an S3 bucket as it grows."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

from tensorwarden.sagemaker.s3 import client

END = "training_job_end.ts"
AT_ONCE = 10  # Copies under way; as many connections as boto3 keeps open.


class Mirror:
    """A temporary folder with the objects below a prefix of a bucket."""

    def __init__(self, bucket: str, prefix: str):
        self._bucket = bucket
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._copied: dict[str, str] = {}  # The version of each object that was copied, by name.
        self._temporary = tempfile.TemporaryDirectory(prefix="warden-s3-")
        self.folder = Path(self._temporary.name)

    def update(self) -> None:
        """Copies what is new. Raises what boto3 raises if the bucket cannot be read."""
        listed = self._list()
        if END in listed and END not in self._copied:
            # A listing takes time: only a second one has everything from before the end.
            listed = self._list()
        new = sorted(name for name in listed if self._copied.get(name) != listed[name])
        with ThreadPoolExecutor(AT_ONCE) as pool:
            # Each order is complete before the next begins.
            for _, names in groupby(sorted(new, key=_order), key=_order):
                group = list(names)
                for name, _ in zip(group, pool.map(self._copy, group)):
                    self._copied[name] = listed[name]

    def _list(self) -> dict[str, str]:
        pages = client().get_paginator("list_objects_v2")
        return {
            item["Key"][len(self._prefix) :]: item["ETag"]
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix)
            for item in page.get("Contents", [])
            if not item["Key"].endswith("/") and ".." not in item["Key"].split("/")
        }

    def _copy(self, name: str) -> None:
        answer = client().get_object(Bucket=self._bucket, Key=self._prefix + name)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(answer["Body"].read())
        part.replace(path)


def _order(name: str) -> int:
    """Sorts files after those that they refer to."""
    return 2 if name == END else 1 if name.startswith("index/") else 0
