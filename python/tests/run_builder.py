"""Writes runs file by file, so that a test decides which worker is how far.

The bytes are laid out here by hand: nothing of what is tested takes part in making them.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

DTYPES = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int64": 9, "bool": 10, "float16": 19}
BFLOAT16 = 14
CHECK_WORD = 0x062DC0B3


def _crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def _masked(crc: int) -> int:
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _field(number: int, body: bytes | int) -> bytes:
    if isinstance(body, int):
        return _varint(number << 3) + _varint(body)
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def tensor_record(tag: str, step: int, dtype: int, shape: tuple, content: bytes) -> bytes:
    """One tensor as a record of an event file."""
    dims = b"".join(_field(2, _field(1, size)) for size in shape)
    tensor = _field(1, dtype) + _field(2, dims) + _field(4, content)
    value = _field(1, tag.encode()) + _field(8, tensor)
    event = b"\x09" + struct.pack("<d", 1.0) + _field(2, step) + _field(5, _field(1, value))
    length = struct.pack("<Q", len(event))
    return (
        length + struct.pack("<I", _masked(_crc32c(length))) + event + struct.pack("<I", CHECK_WORD)
    )


def _record(tag: str, step: int, value) -> bytes:
    if isinstance(value, tuple):  # Number of the type, shape, bytes.
        return tensor_record(tag, step, *value)
    array = np.asarray(value, order="C")
    if array.dtype == np.float64 and not isinstance(value, np.ndarray):
        array = array.astype(np.float32)
    return tensor_record(tag, step, DTYPES[array.dtype.name], array.shape, array.tobytes())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".tmp")
    unfinished.write_bytes(content)
    unfinished.rename(path)


class RunBuilder:
    """A run in a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def manifests(self, num_workers: int = 1, collections: dict | None = None) -> RunBuilder:
        """The collections file of each worker. Collections: name to names and patterns."""
        named = {
            name: {
                "name": name,
                "include_regex": regex,
                "tensor_names": names,
                "reduction_config": None,
                "save_config": None,
                "save_histogram": True,
            }
            for name, (names, regex) in (collections or {"default": ([], [])}).items()
        }
        text = json.dumps({"collections": named, "_meta": {"num_workers": num_workers}})
        for worker in range(num_workers):
            name = f"collections/000000000/worker_{worker}_collections.json"
            _write(self.folder / name, text.encode())
        return self

    def step(
        self,
        step: int,
        tensors: dict,
        worker: int = 0,
        mode: str = "GLOBAL",
        mode_step: int | None = None,
        shapes: dict | None = None,
        event_file: bool = True,
    ) -> RunBuilder:
        """What a worker saves in a step. Plain numbers are saved as float32."""
        event_name = f"events/{step:012}/{step:012}_worker_{worker}.tfevents"
        events, payload = b"", []
        for name, value in tensors.items():
            record = _record(name, step, value)
            payload.append({"tensorname": name, "start_idx": len(events), "length": len(record)})
            events += record
        shape_payload = [
            {"tensorname": name, "originalname": name, "shape": list(shape)}
            for name, shape in (shapes or {}).items()
        ]
        index = {
            "meta": {
                "mode": mode,
                "mode_step": step if mode_step is None else mode_step,
                "event_file_name": event_name,
            },
            "tensor_payload": payload,
            "shape_payload": shape_payload,
        }
        if event_file:
            _write(self.folder / event_name, events)
        self.put_index(step, json.dumps(index).encode(), worker)
        return self

    def put_index(self, step: int, text: bytes, worker: int = 0) -> None:
        """An index file, whatever it says."""
        bucket = step // 1000
        _write(self.folder / f"index/{bucket:09}/{step:012}_worker_{worker}.json", text)

    def end(self) -> RunBuilder:
        """The job has ended."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "training_job_end.ts").touch()
        return self
