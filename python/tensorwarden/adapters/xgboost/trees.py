"""Trees as tables with one row per node."""

import re
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

import numpy as np
import xgboost

# A node in XGBoost's text:
#   0:[f2<0.5] yes=1,no=2,missing=2,gain=3.5,cover=60   of numbers
#   0:[f2:{0,3}] yes=1,no=2,missing=2,gain=3.5,cover=60   of categories
#   0:[f2] yes=1,no=2,gain=3.5,cover=60   of a feature that exists or not
_SPLIT = re.compile(
    r"\s*(\d+):\[(.+?)(?:<([^<\]]+)|:\{([^}]*)\})?\] "
    r"yes=(\d+),no=(\d+)(?:,missing=(\d+))?,gain=([^,]+),cover=(\S+)$"
)
#   2:leaf=0.4,cover=20
_LEAF = re.compile(r"\s*(\d+):leaf=([^,]+),cover=(\S+)$")

_NONE = "nan"
# The columns in smdebug's order, and the types they are saved in.
_TYPES = {"Tree": np.int64, "Node": np.int64, "Split": float, "Gain": float, "Cover": float}
COLUMNS = (
    *("Tree", "Node", "ID", "Feature", "Split", "Yes", "No", "Missing", "Gain", "Cover"),
    "Category",
)

Table = Dict[str, np.ndarray]


class _Node(NamedTuple):
    number: int
    feature: str
    split: float
    yes: Optional[str]
    no: Optional[str]
    missing: Optional[str]
    gain: float
    cover: float
    category: str

    def row(self, tree: int) -> Tuple[Any, ...]:
        """Returns the row in the order of COLUMNS."""
        yes, no, missing = (
            _NONE if child is None else f"{tree}-{child}"
            for child in (self.yes, self.no, self.missing)
        )
        beginning = (tree, self.number, f"{tree}-{self.number}", self.feature, self.split)
        return (*beginning, yes, no, missing, self.gain, self.cover, self.category)


def tree_at(booster: Any, round_number: int, fmap: str = "") -> Table:
    """Returns the tree with the number of the round, which is the only one that smdebug records.

    In a model with several trees per round, it does not belong to that round.
    """
    last = booster.num_boosted_rounds() - 1
    texts, names = _round(booster, last, fmap)
    if len(texts) != 1 or round_number != last:
        layer, place = divmod(round_number, len(texts))
        texts, names = _round(booster, layer, fmap)
        texts = texts[place:]
    return _table([(round_number, texts[0])], names)


def trees_of_round(booster: Any, round_number: int) -> Table:
    """Returns all trees that a round has added."""
    texts, names = _round(booster, round_number, "")
    first = round_number * len(texts)
    return _table([(first + i, text) for i, text in enumerate(texts)], names)


def _round(booster: Any, number: int, fmap: str) -> Tuple[List[str], Dict[str, str]]:
    """Returns the trees of a round as text, and the names of features by their name in the text."""
    try:
        part = booster[number : number + 1]  # Writing a whole model takes long.
    except xgboost.core.XGBoostError:  # A model cannot be sliced while trees are updated.
        return _round_of_whole(booster, number, fmap), {}
    names = booster.feature_names
    if fmap or not names:
        return part.get_dump(fmap, with_stats=True), {}
    part.feature_names = None  # By number: a name may look like a part of the text.
    return part.get_dump(with_stats=True), {f"f{i}": name for i, name in enumerate(names)}


def _round_of_whole(booster: Any, number: int, fmap: str) -> List[str]:
    texts = booster.get_dump(fmap, with_stats=True)
    if not any("leaf=" in text for text in texts):
        raise ValueError("the model has no trees")
    count = len(texts) // booster.num_boosted_rounds()
    return texts[number * count : (number + 1) * count]


def _table(trees: Iterable[Tuple[int, str]], names: Dict[str, str]) -> Table:
    rows: List[Tuple[Any, ...]] = []
    for number, text in trees:
        nodes = [_parse(line, names) for line in text.split("\n") if line.strip()]
        rows += [node.row(number) for node in sorted(nodes)]
    columns = zip(*rows)
    return {name: np.array(list(c), _TYPES.get(name, str)) for name, c in zip(COLUMNS, columns)}


def _parse(line: str, names: Dict[str, str]) -> _Node:
    leaf = _LEAF.match(line)
    if leaf is not None:
        number, value, cover = leaf.groups()
        nothing = float("nan")
        return _Node(
            int(number), "Leaf", nothing, None, None, None, float(value), float(cover), _NONE
        )
    split = _SPLIT.match(line)
    if split is None:
        raise ValueError(f"'{line.strip()}' is not a node of a tree")
    number, feature, threshold, categories, yes, no, missing, gain, cover = split.groups()
    return _Node(
        int(number),
        names.get(feature, feature),
        float("nan" if threshold is None else threshold),
        yes,
        no,
        missing,
        float(gain),
        float(cover),
        _NONE if categories is None else categories,
    )
