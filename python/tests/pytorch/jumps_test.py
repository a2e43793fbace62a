"""Numbers that are suddenly a multiple of what they usually are."""

import math

import pytest

from tensorwarden.auto.pytorch.training.jumps import Jumps


def jumps_at(values: list) -> list:
    """The places of the values that are jumps."""
    found: list = []
    seen: list = []
    jumps = Jumps(lambda: found.append(len(seen)))
    for value in values:
        jumps.look("norm", value)
        seen.append(value)
    return found


def test_five_times_the_usual_value_is_a_jump():
    assert jumps_at([1.0] * 20 + [4.9]) == []
    assert jumps_at([1.0] * 20 + [5.1, 1.0, 40.0]) == [20, 22]


@pytest.mark.parametrize("sign", [1, -1])
def test_the_magnitude_counts(sign):
    assert jumps_at([-0.5, 0.5] * 10 + [sign * 3.0]) == [20]


def test_the_first_values_tell_what_is_usual():
    assert jumps_at([1.0, 1000.0, 1.0, 3000.0] * 4) == []


def test_what_stays_becomes_usual():
    found = jumps_at([1.0] * 20 + [50.0] * 40)
    assert found[0] == 20
    assert found[-1] < 55


def test_values_that_are_not_finite_are_not_counted():
    assert jumps_at([1.0] * 20 + [math.nan, math.inf, 6.0]) == [22]


def test_each_number_has_its_own_usual_value():
    found: list = []
    jumps = Jumps(lambda: found.append(1))
    for _ in range(20):
        jumps.look("loss", 1.0)
        jumps.look("norm", 100.0)
    assert not found
    jumps.look("loss", 100.0)
    assert found
