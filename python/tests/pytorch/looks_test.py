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
        watched.next_step()
        if watched.allowed(on_gpu=True):
            found.append(step)
            watched.spend(0.0, seconds_of_a_look)
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


def test_values_of_the_host_are_read_unless_a_step_is_left_out():
    watched = Looks()
    for step in range(20):
        watched.next_step(has_numbers=step != 15)
        watched.spend(100.0, 100.0)
        assert watched.allowed(on_gpu=False) == (step != 15)


def looks_at_layers(cost: float, room: float, steps: int) -> list:
    """The steps at which all layers are looked at, each time for so many seconds, with so many
    left."""
    watched = Looks()
    found = []
    for step in range(steps):
        watched.next_step(room=room)
        if watched.begin_look(on_gpu=False):
            found.append(step)
            watched.spend(cost, cost)
    return found


def test_layers_are_looked_at_as_often_as_there_is_room():
    assert looks_at_layers(0.001, 0.01, 60) == [*range(8), 27, 47]
    assert looks_at_layers(0.1, 0.01, 500) == [0, 1, 2, 202, 402]
