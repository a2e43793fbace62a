"""Columns of texts that occur again and again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Labels:
    """A text for each row; every text is kept once. One may be None."""

    codes: np.ndarray
    texts: list[Any]

    @classmethod
    def of(cls, texts: Iterable[Any]) -> Labels:
        numbers: dict[Any, int] = {}
        codes = [numbers.setdefault(text, len(numbers)) for text in texts]
        return cls(np.array(codes, dtype=np.int32), list(numbers))

    @classmethod
    def joined(cls, columns: list[Labels]) -> Labels:
        """Some columns one after the other."""
        numbers: dict[Any, int] = {}
        codes = []
        for column in columns:
            new = [numbers.setdefault(text, len(numbers)) for text in column.texts]
            codes.append(np.array(new, dtype=np.int32)[column.codes])
        return cls(np.concatenate(codes), list(numbers))

    def array(self) -> np.ndarray:
        """One Python object for each row; equal ones are the same."""
        texts = np.empty(len(self.texts), dtype=object)
        texts[:] = self.texts
        return texts.take(self.codes)

    def where(self, rows: np.ndarray) -> Labels:
        """The rows of these numbers."""
        return Labels(self.codes[rows], self.texts)

    def among(self, wanted: Iterable[Any]) -> np.ndarray:
        """Whether each row has one of the texts."""
        wanted = set(wanted)
        return self._each([text in wanted for text in self.texts])

    def matching(self, pattern: str) -> np.ndarray:
        """Whether the pattern is found in the text of each row."""
        return self._each([re.search(pattern, str(text or "")) is not None for text in self.texts])

    def present(self) -> list[int]:
        """The codes that some row has; columns of one table share their texts."""
        return np.flatnonzero(np.bincount(self.codes)).tolist() if len(self.codes) else []

    def sums(self, numbers: np.ndarray) -> dict[Any, int]:
        """The sum of whole numbers of the rows of each text that is there."""
        sums = np.zeros(len(self.texts), dtype=np.int64)
        np.add.at(sums, self.codes, numbers)
        return {self.texts[code]: int(sums[code]) for code in self.present()}

    def _each(self, holds: list[bool]) -> np.ndarray:
        return np.array(holds, dtype=bool)[self.codes]
