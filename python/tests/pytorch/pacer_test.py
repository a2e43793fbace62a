"""How much of a training is captured within a share of its time."""

from typing import List, NamedTuple

import pytest

from tensorwarden.hook import pacer as pacing
from tensorwarden.hook.pacer import Pacer


class Costs(NamedTuple):
    """Seconds that capture takes in a step: always, for numbers, for statistics."""

    bare: float
    numbers: float
    full: float


class Training:
    """Steps of one length, on a clock of their own."""

    def __init__(self, monkeypatch, share: float, step: float, costs: Costs):
        self._now = 0.0
        monkeypatch.setattr(pacing.time, "perf_counter", lambda: self._now)
        self.pacer = Pacer(share, 50, clock=lambda: self._now)
        self._step, self._costs = step, costs
        self.numbers: List[int] = []
        self.full: List[int] = []
        self.timed = 0
        self.spent = 0.0
        self._number = 0
        self._begin = 0.0

    def run(self, steps: int) -> None:
        for _ in range(steps):
            cost = self._costs.bare
            if not self.pacer.next_is_bare():
                if self.pacer.next_has_numbers():
                    self.numbers.append(self._number)
                    cost += self._costs.numbers
                if not self.pacer.next_is_light():
                    self.full.append(self._number)
                    cost += self._costs.full
            if self.pacer.is_timed:
                self.timed += 1
                self.pacer.spend(cost)
            if self._number == 2:  # Where the pacer begins to count.
                self.spent, self._begin = 0.0, self._now
            self.spent += cost
            self._now += self._step + cost
            self._number += 1

    @property
    def share(self) -> float:
        return self.spent / (self._now - self._begin)


# A ResNet, a small transformer, a network of few milliseconds, one with large tables.
@pytest.mark.parametrize(
    ("step", "costs"),
    [
        (0.08, Costs(0.0002, 0.0005, 0.02)),
        (0.02, Costs(0.00005, 0.0002, 0.004)),
        (0.005, Costs(0.00001, 0.0001, 0.001)),
        (0.3, Costs(0.0005, 0.0005, 0.1)),
    ],
)
@pytest.mark.parametrize("share", [0.005, 0.01, 0.05])
def test_the_share_is_kept(monkeypatch, step, costs, share):
    training = Training(monkeypatch, share, step, costs)
    training.run(round(300 / step))
    assert training.share <= 1.2 * share
    assert training.pacer.spent_share == pytest.approx(training.share, rel=0.2)


# As the benchmarks' models, on a processor that also runs the program beside them.
@pytest.mark.parametrize(
    ("step", "costs"),
    [
        (0.0024, Costs(0.000014, 0.0006, 0.004)),
        (0.0077, Costs(0.00004, 0.001, 0.01)),
        (0.017, Costs(0.00005, 0.001, 0.06)),
        (0.08, Costs(0.0001, 0.0015, 0.03)),
    ],
)
def test_what_was_taken_ahead_is_paid_back_within_a_hundred_seconds(monkeypatch, step, costs):
    training = Training(monkeypatch, 0.01, step, costs)
    training.run(round(100 / step))
    assert training.share <= 0.012
    assert len(training.full) >= 10


def test_what_is_cheap_is_captured_at_every_step(monkeypatch):
    training = Training(monkeypatch, 0.01, 0.1, Costs(0.0001, 0.0001, 0.0005))
    training.run(1000)
    assert training.numbers == training.full == list(range(1000))


def test_expensive_statistics_are_sparse_from_the_first_steps_on(monkeypatch):
    training = Training(monkeypatch, 0.01, 1.0, Costs(0.001, 0.001, 0.5))
    training.run(60)
    assert training.full == [0, 1, 51]  # The first ones are not counted.
    assert len(training.numbers) == 60


def test_short_steps_have_numbers_at_the_start_and_then_now_and_then(monkeypatch):
    training = Training(monkeypatch, 0.01, 0.002, Costs(0.00005, 0.0003, 0.001))
    training.run(20_000)
    assert training.numbers[:500] == list(range(500))
    later = [step for step in training.numbers if step >= 5000]
    assert 15_000 // 701 <= len(later) <= 15_000 / 7 + 1


@pytest.mark.parametrize("share", [0.01, 0.05])
def test_steps_with_losses_only_are_counted_but_seldom_timed(monkeypatch, share):
    training = Training(monkeypatch, share, 0.003, Costs(0.00001, 0.0002, 0.001))
    training.run(100_000)
    assert training.share <= 1.2 * share
    assert training.pacer.spent_share == pytest.approx(training.share, rel=0.02)
    planned = 100_000 - len(set(training.numbers) | set(training.full))
    timed = training.timed - (100_000 - planned)
    assert timed <= planned / 4


@pytest.mark.parametrize("steps", range(2000, 2008))  # Some are in the middle of a plan.
def test_the_next_steps_are_dense_when_something_looks_wrong(monkeypatch, steps):
    training = Training(monkeypatch, 0.01, 0.01, Costs(0.0001, 0.0003, 0.01))
    training.run(steps)
    training.pacer.look_closely()
    training.pacer.look_closely()  # The same trouble.
    training.run(20)
    assert set(range(steps, steps + 5)) <= set(training.full)
    assert set(range(steps, steps + 5)) <= set(training.numbers)
    assert len([step for step in training.full if step >= steps]) == 5


def test_what_is_only_suspicious_waits_until_there_is_room(monkeypatch):
    training = Training(monkeypatch, 0.01, 0.003, Costs(0.00001, 0.0002, 0.05))
    training.run(2000)
    assert training.pacer.room < 0
    training.pacer.look_closely(urgent=False)
    training.run(10)
    assert training.full[-1] < 2000
    training.pacer.look_closely()
    training.run(5)
    assert training.full[-5:] == list(range(2010, 2015))


def test_time_is_counted_once_if_one_part_calls_another():
    now = [0.0]
    pacer = Pacer(0.01, 50, clock=lambda: now[0])
    begin, spent = now[0], pacer.in_step
    now[0] = 2.0
    pacer.spend(2.0)  # By a part.
    now[0] = 3.0
    pacer.spend_since(begin, spent)
    assert pacer.in_step == pytest.approx(3.0)
