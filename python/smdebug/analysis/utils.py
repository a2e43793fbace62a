"""Helpers for the analysis of runs."""

from typing import Any, List, Optional, Union

from tensorwarden.trial.refreshing import no_refresh, refresh


def parse_list_from_str(arg: Optional[Union[str, List[str]]], delimiter: str = ",") -> List[str]:
    """Splits text into a list. Returns a list unchanged and an empty list for nothing."""
    if not arg:
        return []
    return arg.split(delimiter) if isinstance(arg, str) else arg


def parse_bool(arg: Any, default: bool) -> Any:
    """Converts the words true and false to a bool. Raises ValueError for other text.

    Returns the default for None, and any other value unchanged.
    """
    if arg is None:
        return default
    if not isinstance(arg, str):
        return arg
    word = arg.strip().lower()
    if word not in ("true", "false"):
        raise ValueError(f"value is '{arg}'; expected true or false")
    return word == "true"


__all__ = ["no_refresh", "parse_bool", "parse_list_from_str", "refresh"]
