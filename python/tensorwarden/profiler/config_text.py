"""The text of the profiler's configuration: keys in any case, parts as objects or as strings."""

from __future__ import annotations

import ast
import json
import re
from typing import Any


def lower_keys(value: Any) -> Any:
    """The same with keys in lower case at all levels; values stay as they are."""
    if isinstance(value, dict):
        return {str(key).lower(): lower_keys(item) for key, item in value.items()}
    return [lower_keys(item) for item in value] if isinstance(value, list) else value


def parse_document(text: str) -> dict[str, Any]:
    """The configuration file; ValueError if it is no JSON object."""
    document = json.loads(text)
    if not isinstance(document, dict):
        raise ValueError(f"a JSON object is expected, not {type(document).__name__}")
    return lower_keys(document)


def parse_part(value: Any) -> dict[str, Any]:
    """A part of it, which may be an object, or a string that holds one as JSON or as a Python
    literal, with or without a comma at its end; ValueError for anything else. Nothing is run."""
    if isinstance(value, str):
        try:
            value = json.loads(re.sub(r",(\s*})", r"\1", value))
        except ValueError:
            try:
                value = ast.literal_eval(value.strip())
            except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
                raise ValueError(str(error)) from error
    if not isinstance(value, dict):
        raise ValueError(f"an object is expected, not {type(value).__name__}")
    return lower_keys(value)
