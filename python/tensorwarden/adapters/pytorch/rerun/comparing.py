"""Where two passes of the same step part."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch

from tensorwarden.adapters.pytorch.rerun.modules import Outcome, Place, Seen
from tensorwarden.adapters.pytorch.rerun.values import Difference, Values, difference


class Row(NamedTuple):
    """A call of a module in both passes."""

    name: str
    kind: str
    ours: Seen
    reference: Optional[Seen]  # None: the pass has ended before.
    difference: Optional[Difference]  # Of the outputs.


class Verdict(NamedTuple):
    """The first value that is not finite, in the precision of the training."""

    phase: str  # "weights", "input", "forward", "loss", "backward", or "" if all are finite.
    name: str  # The path of the module, the parameter, or the number of the input.
    kind: str = ""
    place: Optional[Place] = None  # The operator, if it is known.
    inputs: Optional[Values] = None
    ours: Optional[Values] = None
    reference: Optional[Values] = None

    @property
    def only_in_ours(self) -> bool:
        """Whether it is finite in the reference: a matter of precision."""
        return self.reference is not None and self.reference.is_finite


def rows_of(ours: Outcome, reference: Outcome) -> List[Row]:
    """Returns the calls of modules in the order in which they returned."""
    waiting: Dict[str, List[Seen]] = {}
    for seen in reference.seen:
        waiting.setdefault(seen.name, []).append(seen)
    rows = []
    for seen in ours.seen:
        others = waiting.get(seen.name)
        other = others.pop(0) if others else None
        apart = None if other is None else difference(seen.sample, other.sample)
        rows.append(Row(seen.name, seen.kind, seen, other, apart))
    return rows


def verdict_of(
    weights: Optional[str], ours: Outcome, reference: Outcome, rows: List[Row]
) -> Verdict:
    """Returns where it began. `weights`: the first parameter or buffer that is not finite."""
    if weights is not None:
        return Verdict("weights", weights)
    if ours.inputs is not None and (ours.inputs.nan or ours.inputs.positive_infinity):
        return Verdict("input", "", ours=ours.inputs)
    place = ours.forward_place
    for row in rows:
        other = None if row.reference is None else row.reference.outputs
        same = place is not None and place.name == row.name
        if row.ours.outputs is not None and _is_bad(row.ours.outputs, other, same):
            return Verdict(
                "forward",
                row.name,
                row.kind,
                place if same else None,
                row.ours.inputs,
                row.ours.outputs,
                other,
            )
    if ours.loss is not None and not _is_finite(ours.loss):
        return Verdict("loss", "", ours=_of_number(ours.loss), reference=_of_number(reference.loss))
    return _in_backward(ours, reference, rows)


def _in_backward(ours: Outcome, reference: Outcome, rows: List[Row]) -> Verdict:
    bad = _bad_gradient(ours, reference, rows)
    place = ours.backward_place
    if bad is None:
        return Verdict("", "")
    from_loss = bad[0] == "" and rows[-1].name == ""  # The model itself returns last.
    if place is None or from_loss:
        return Verdict("backward", bad[0], ours=bad[1], reference=bad[2])
    inputs = next((row.ours.gradients for row in rows if row.name == place.name), None)
    return Verdict("backward", place.name, place.kind, place, inputs, bad[1], bad[2])


def _bad_gradient(
    ours: Outcome, reference: Outcome, rows: List[Row]
) -> Optional[Tuple[str, Values, Optional[Values]]]:
    """Returns the first gradient on the way back that is not finite."""
    for row in reversed(rows):
        gradients = row.ours.gradients
        if gradients is not None and not gradients.is_finite:
            other = None if row.reference is None else row.reference.gradients
            return row.name, gradients, other
    for name, gradient in reversed(list(ours.gradients.items())):
        if gradient is not None and not gradient.is_finite:
            return name, gradient, reference.gradients.get(name)
    return None


def _is_bad(ours: Values, reference: Optional[Values], is_origin: bool) -> bool:
    # Else it is a mask.
    wanted = not is_origin and reference is not None and reference.negative_infinity > 0
    return bool(ours.nan or ours.positive_infinity or (ours.negative_infinity and not wanted))


def _is_finite(number: float) -> bool:
    return abs(number) <= torch.finfo(torch.float64).max


def _of_number(number: Optional[float]) -> Optional[Values]:
    if number is None:
        return None
    if _is_finite(number):
        return Values("", number, number)
    nan = number != number
    return Values(
        "", None, None, int(nan), int(not nan and number > 0), int(not nan and number < 0)
    )


def as_json(verdict: Verdict, rows: List[Row]) -> Dict[str, Any]:
    """Returns verdict and modules as a dictionary."""
    place = verdict.place
    return {
        "first": None
        if not verdict.phase
        else {
            "phase": verdict.phase,
            "module": verdict.name,
            "class": verdict.kind,
            "operator": place.operator if place is not None else None,
            "line": place.line if place is not None else None,
            "inputs": _json_of(verdict.inputs),
            "values": _json_of(verdict.ours),
            "reference_values": _json_of(verdict.reference),
            "only_in_original_precision": verdict.only_in_ours,
        },
        "modules": [
            {
                "module": row.name,
                "class": row.kind,
                "original": _seen_json(row.ours),
                "reference": None if row.reference is None else _seen_json(row.reference),
                "max_difference": None if row.difference is None else row.difference.absolute,
                "relative_difference": None if row.difference is None else row.difference.relative,
            }
            for row in rows
        ],
    }


def _seen_json(seen: Seen) -> Dict[str, Any]:
    return {
        "inputs": _json_of(seen.inputs),
        "outputs": _json_of(seen.outputs),
        "gradients": _json_of(seen.gradients),
    }


def _json_of(values: Optional[Values]) -> Optional[Dict[str, Any]]:
    return None if values is None else values.as_json()
