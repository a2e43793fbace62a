"""The result of a replay, for people."""

from typing import List, Optional

import torch

from tensorwarden.adapters.pytorch.rerun.comparing import Row, Verdict
from tensorwarden.adapters.pytorch.rerun.values import Values

_BEFORE, _AFTER = 12, 4  # Rows around the first bad one.


def verdict_text(verdict: Verdict, reference: str) -> str:
    """Returns one or two sentences about where it began."""
    if not verdict.phase:
        return "Everything is finite when the step is run again."
    if verdict.phase == "weights":
        return f"{verdict.name} is NaN or infinite before the step: the step before has broken it."
    if verdict.phase == "input":
        return f"The batch is not finite: {_values(verdict.ours)}."
    if verdict.phase == "loss":
        where = "the loss, of finite outputs"
    elif verdict.phase == "forward":
        where = f"output of {_module(verdict)} in the forward pass"
    elif verdict.name:
        where = f"gradient in {_module(verdict)}, in the backward pass"
    else:
        where = "gradient of the model's outputs, in the backward pass of the loss"
    text = f"First value that is not finite: {where}{_operator(verdict)}."
    if verdict.inputs is not None:
        what = "Its inputs are" if verdict.phase == "forward" else "The gradient of its outputs is"
        text += f"\n{what} {_values(verdict.inputs)}; the result is {_values(verdict.ours)}."
    return f"{text}\n{_cause(verdict, reference)}"


def _cause(verdict: Verdict, reference: str) -> str:
    other = verdict.reference
    if other is None:
        return f"In {reference} it was not reached."
    if not other.is_finite:
        return f"It is not a matter of precision: in {reference} it is {_values(other)}."
    text = f"In {reference} it is finite, {_values(other)}"
    dtype = getattr(torch, verdict.ours.dtype, None) if verdict.ours is not None else None
    if isinstance(dtype, torch.dtype) and dtype.is_floating_point:
        most = torch.finfo(dtype).max
        if other.largest > most:
            name = verdict.ours.dtype if verdict.ours is not None else ""
            return f"{text}: more than {_number(most)}, the largest {name}."
    return f"{text}."


def _module(verdict: Verdict) -> str:
    return f"{verdict.name or 'the model'} ({verdict.kind})" if verdict.kind else verdict.name


def _operator(verdict: Verdict) -> str:
    place = verdict.place
    if place is None:
        return ""
    words = "backward of " if verdict.phase == "backward" else ""
    return f", {words}{place.operator}" + (f" at {place.line}" if place.line else "")


def table_text(rows: List[Row], verdict: Verdict, reference: str, everything: bool) -> str:
    """Returns a table of modules; without `everything` those around the first bad one."""
    first, last = 0, len(rows)
    if not everything:
        bad = [i for i, row in enumerate(rows) if row.name == verdict.name]
        middle = bad[0] if bad and verdict.phase in ("forward", "backward") else 0
        first = max(0, middle - _BEFORE)
        last = min(len(rows), max(middle + _AFTER + 1, first + _BEFORE + _AFTER + 1))
    head = ["MODULE", "CLASS", "INPUTS", "OUTPUTS", f"OUTPUTS {reference}", "MAX DIFF", "RELATIVE"]
    graded = any(row.ours.gradients is not None for row in rows)
    if graded:
        head += ["GRADIENTS", f"GRADIENTS {reference}"]
    lines = [head]
    for row in rows[first:last]:
        other, apart = row.reference, row.difference
        line = [row.name or "(model)", row.kind, _cell(row.ours.inputs), _cell(row.ours.outputs)]
        line.append("" if other is None else _cell(other.outputs))
        line += ["", ""] if apart is None else [_number(apart.absolute), _number(apart.relative)]
        if graded:
            line.append(_cell(row.ours.gradients))
            line.append("" if other is None else _cell(other.gradients))
        lines.append(line)
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines
    )
    hidden = len(rows) - (last - first)
    return text + (f"\n{hidden} more modules; --all shows them." if hidden else "")


def _cell(values: Optional[Values]) -> str:
    if values is None:
        return ""
    bad = [
        f"{count} {name}"
        for count, name in (
            (values.nan, "nan"),
            (values.positive_infinity, "inf"),
            (values.negative_infinity, "-inf"),
        )
        if count
    ]
    span = "" if values.low is None or values.high is None else _span(values.low, values.high)
    return " ".join(word for word in (span, ", ".join(bad)) if word)


def _span(low: float, high: float, joint: str = "..") -> str:
    words = _number(low), _number(high)
    if words[0] == words[1] and low != high:
        words = f"{low:.6g}", f"{high:.6g}"
    return joint.join(words)


def _values(values: Optional[Values]) -> str:
    if values is None:
        return "unknown"
    words = _cell(values)
    if values.low is not None and values.high is not None:
        span = f"from {_span(values.low, values.high, ' to ')}"
        words = words.replace(_span(values.low, values.high), span)
        words = words.replace(f"{span} ", f"{span} and ")
    return words


def _number(value: float) -> str:
    value += 0.0  # Not -0.
    if value and not 0.001 <= abs(value) < 100_000:
        return f"{value:.2e}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"
