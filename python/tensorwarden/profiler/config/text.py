"""Parses the profiler's configuration: keys in any case, sections as objects or strings."""

from __future__ import annotations

import ast
import json
import re
from typing import Any


def lower_keys(value: Any) -> Any:
    """Returns the value with all keys in lower case."""
    if isinstance(value, dict):
        return {str(key).lower(): lower_keys(item) for key, item in value.items()}
    return [lower_keys(item) for item in value] if isinstance(value, list) else value


def parse_document(text: str) -> dict[str, Any]:
    """Parses the configuration file. Raises ValueError if it is not a JSON object."""
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError(f"expected a JSON object, got {type(document).__name__}")
    return lower_keys(document)


def parse_part(value: Any) -> dict[str, Any]:
    """Parses a section: an object, or a string with JSON or a Python literal.

    Accepts a trailing comma. Executes nothing. Raises ValueError for anything else.
    """
    if isinstance(value, str):
        try:
            value = json.loads(re.sub(r",(\s*})", r"\1", value))
        except ValueError:
            try:
                value = ast.literal_eval(value.strip())
            except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
                raise ValueError(str(error)) from error
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {type(value).__name__}")
    return lower_keys(value)
