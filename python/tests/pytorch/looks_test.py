"""How often a training on a GPU is looked at."""

from tensorwarden.auto.pytorch.training import looks
from tensorwarden.auto.pytorch.training.looks import Looks


def looked(monkeypatch, seconds_of_a_look: float, steps: int) -> list:
    """The steps at which values of a GPU may be read, if each step takes 0.1 seconds."""
    now = [0.0]
    monkeypatch.setattr(looks.time, "perf_counter", lambda: now[0])
    watched = Looks()
    found = []
    for step in range(steps):
        watched.next_step(over_budget=False)
        if watched.allowed(on_gpu=True):
            found.append(step)
            watched.spend(seconds_of_a_look)
        now[0] += 0.1
    return found


def test_the_first_steps_are_always_looked_at(monkeypatch):
    assert looked(monkeypatch, 5.0, 12)[:8] == list(range(8))


def test_expensive_looks_are_rare(monkeypatch):
    found = [step for step in looked(monkeypatch, 0.03, 2000) if step >= 8]
    spent = 0.03 * len(found)
    assert 0.5 * 0.003 * 200 < spent < 1.2 * 0.003 * 200


def test_cheap_looks_are_frequent(monkeypatch):
    assert len(looked(monkeypatch, 0.0001, 200)) > 190


def test_short_steps_are_left_out_after_the_first_ones_if_the_budget_is_spent():
    watched = Looks()
    seen = []
    for step in range(240):
        watched.next_step(over_budget=True)
        if not watched.is_left_out:
            seen.append(step)
    assert seen == [*range(200), 209, 219, 229, 239]
    watched.next_step(over_budget=False)
    assert not watched.is_left_out


def test_values_of_the_host_may_always_be_read(monkeypatch):
    watched = Looks()
    for _ in range(20):
        watched.next_step(over_budget=False)
        watched.spend(100.0)
        assert watched.allowed(on_gpu=False)
