"""Helpers for the analysis of runs."""

from typing import Any, List, Optional, Union

from tensorwarden.refreshing import no_refresh, refresh


def parse_list_from_str(arg: Optional[Union[str, List[str]]], delimiter: str = ",") -> List[str]:
    """The parts of a text; a list as it is; nothing of nothing."""
    if not arg:
        return []
    return arg.split(delimiter) if isinstance(arg, str) else arg


def parse_bool(arg: Any, default: bool) -> Any:
    """Truth from the words true and false; the default for None, anything else but a text as is."""
    if arg is None:
        return default
    if not isinstance(arg, str):
        return arg
    word = arg.strip().lower()
    if word not in ("true", "false"):
        raise ValueError(f"'{arg}' is neither true nor false")
    return word == "true"


__all__ = ["no_refresh", "parse_bool", "parse_list_from_str", "refresh"]
