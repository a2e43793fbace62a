"""Columns of repeated texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Labels:
    """A text for each row; each distinct text is stored once. One may be None."""

    codes: np.ndarray
    texts: list[Any]

    @classmethod
    def of(cls, texts: Iterable[Any]) -> Labels:
        """Creates a column from texts."""
        numbers: dict[Any, int] = {}
        codes = [numbers.setdefault(text, len(numbers)) for text in texts]
        return cls(np.array(codes, dtype=np.int32), list(numbers))

    @classmethod
    def joined(cls, columns: list[Labels]) -> Labels:
        """Concatenates columns."""
        numbers: dict[Any, int] = {}
        codes = []
        for column in columns:
            new = [numbers.setdefault(text, len(numbers)) for text in column.texts]
            codes.append(np.array(new, dtype=np.int32)[column.codes])
        return cls(np.concatenate(codes), list(numbers))

    def array(self) -> np.ndarray:
        """Returns one Python object for each row; equal texts are the same object."""
        texts = np.empty(len(self.texts), dtype=object)
        texts[:] = self.texts
        return texts.take(self.codes)

    def where(self, rows: np.ndarray) -> Labels:
        """Returns the rows with these numbers."""
        return Labels(self.codes[rows], self.texts)

    def among(self, wanted: Iterable[Any]) -> np.ndarray:
        """Returns whether each row has one of the texts."""
        wanted = set(wanted)
        return self._each([text in wanted for text in self.texts])

    def matching(self, pattern: str) -> np.ndarray:
        """Returns whether the pattern is found in the text of each row."""
        return self._each([re.search(pattern, str(text or "")) is not None for text in self.texts])

    def present(self) -> list[int]:
        """Returns the codes used by some row; the columns of a table share their texts."""
        return np.flatnonzero(np.bincount(self.codes)).tolist() if len(self.codes) else []

    def sums(self, numbers: np.ndarray) -> dict[Any, int]:
        """Returns the sum of the integers of the rows of each text in use."""
        sums = np.zeros(len(self.texts), dtype=np.int64)
        np.add.at(sums, self.codes, numbers)
        return {self.texts[code]: int(sums[code]) for code in self.present()}

    def _each(self, holds: list[bool]) -> np.ndarray:
        return np.array(holds, dtype=bool)[self.codes]
