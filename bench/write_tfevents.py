"""Writes the curves of `bench_series write` as TensorBoard's SummaryWriter.add_scalar writes them:
a record for each value. By hand, for ten million calls of it would take longer than all the rest.

  write_tfevents.py FOLDER [--steps N] [--tensors N]
"""

import argparse
import struct
from pathlib import Path
from typing import BinaryIO, Dict, List

import numpy as np

START_S = 1.7e9


def crc_table() -> np.ndarray:
    """Of CRC-32C, byte by byte."""
    crc = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        crc = np.where(crc & 1, (crc >> 1) ^ np.uint32(0x82F63B78), crc >> 1)
    return crc


TABLE = crc_table()


def masked(rows: np.ndarray) -> np.ndarray:
    """The masked checksum of each row of bytes, as bytes."""
    crc = np.full(len(rows), 0xFFFFFFFF, dtype=np.uint32)
    for column in rows.T:
        crc = TABLE[(crc ^ column) & 0xFF] ^ (crc >> 8)
    crc = ~crc
    turned = ((crc >> 15) | (crc << 17)) + np.uint32(0xA282EAD8)
    return turned.astype("<u4").view(np.uint8).reshape(-1, 4)


def as_row(data: bytes) -> np.ndarray:
    return np.frombuffer(data, dtype=np.uint8)[None]


def records(events: np.ndarray) -> bytes:
    """Events of the same length, one in each row, with what goes before and behind them."""
    length = as_row(struct.pack("<Q", events.shape[1]))
    head = np.repeat(np.hstack([length, masked(length)]), len(events), axis=0)
    return np.hstack([head, events, masked(events)]).tobytes()


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def summary_head(tag: bytes) -> bytes:
    """Everything of an event's summary before the value."""
    value = b"\x0a" + varint(len(tag)) + tag + b"\x15"
    inner = b"\x0a" + varint(len(value) + 4) + value
    return b"\x2a" + varint(len(inner) + 4) + inner


def values_at(step: int, tensors: np.ndarray) -> np.ndarray:
    """As bench_series.cc has them."""
    first = np.uint32(step * 2654435761 & 0xFFFFFFFF)
    noise = (first ^ (tensors * np.uint32(40503))) % np.uint32(997)
    return (np.exp(np.float32(-step / 3000)) + noise.astype(np.float32) / 9970).astype("<f4")


def write(out: BinaryIO, steps: int, tensors: int) -> None:
    version = b"\x09" + struct.pack("<d", START_S) + b"\x1a\x0dbrain.Event:2"
    out.write(records(as_row(version)))
    numbers = np.arange(tensors, dtype=np.uint32)
    heads = [summary_head(f"gradient/layer{i}_weight_l2".encode()) for i in numbers]
    # Tags of the same length are together, so that their events are too.
    groups: Dict[int, List[int]] = {}
    for i, middle in enumerate(heads):
        groups.setdefault(len(middle), []).append(i)
    middles = {
        size: np.vstack([as_row(heads[i]) for i in members]) for size, members in groups.items()
    }
    for step in range(steps):
        begin = as_row(b"\x09" + struct.pack("<d", START_S + 0.1 * step) + b"\x10" + varint(step))
        values = values_at(step, numbers).view(np.uint8).reshape(-1, 4)
        for size, members in groups.items():
            first = np.repeat(begin, len(members), axis=0)
            out.write(records(np.hstack([first, middles[size], values[members]])))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--tensors", type=int, default=1_000)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    name = f"events.out.tfevents.{START_S:.0f}.bench.1.0"
    with (options.folder / name).open("wb") as out:
        write(out, options.steps, options.tensors)


if __name__ == "__main__":
    main()
