"""The clock that stands still while a GPU has enough to do."""

import pytest

from tensorwarden.adapters.pytorch.exposed_clock import ExposedClock


class Gpu:
    """A GPU that is busy until some time with what it has been given, and a clock."""

    def __init__(self):
        self.now = 0.0
        self.busy_until = 0.0
        self.broken = False
        self.capturing = False
        self.clock = ExposedClock(self, lambda: self.now)

    def work(self, seconds: float) -> None:
        """Gives it something to do."""
        self.busy_until = max(self.now, self.busy_until) + seconds

    def wait(self) -> None:
        """The host waits for all of it."""
        self.now = max(self.now, self.busy_until)

    def measured(self, seconds: float, own_work: float = 0.0) -> float:
        """What counts of a section of the host that also starts some work."""
        begin = self.clock()
        self.now += seconds
        self.work(own_work)
        return self.clock() - begin

    def is_capturing(self) -> bool:
        return self.capturing

    def mark(self) -> "Mark":
        return Mark(self)

    def is_idle(self) -> bool:
        return self.now >= self.busy_until

    def seconds_since(self, mark: "Mark") -> float:
        assert mark.query()
        return self.now - mark.reached_at


class Mark:
    """Is reached when the GPU has done what it had been given before."""

    def __init__(self, gpu: Gpu):
        assert not gpu.capturing
        self._gpu = gpu
        self.reached_at = max(gpu.now, gpu.busy_until)

    def query(self) -> bool:
        assert not self._gpu.capturing
        if self._gpu.broken:
            raise RuntimeError("CUDA error: an illegal memory access was encountered")
        return self._gpu.now >= self.reached_at


def test_all_counts_while_the_gpu_is_idle():
    gpu = Gpu()
    for _ in range(10):
        assert gpu.measured(0.01) == pytest.approx(0.01)


def test_nothing_counts_while_the_gpu_is_far_behind():
    gpu = Gpu()
    gpu.work(1.0)
    gpu.now += 0.003
    gpu.clock()  # Puts the first mark.
    for _ in range(10):
        gpu.now += 0.02
        assert gpu.measured(0.01) == 0.0


def test_of_a_section_that_part_counts_in_which_the_gpu_is_idle():
    gpu = Gpu()
    gpu.work(0.1)
    gpu.now += 0.003
    gpu.clock()
    assert gpu.measured(0.05) == 0.0
    assert gpu.measured(0.05) == pytest.approx(0.003)  # It was idle from 0.1 to 0.103.
    assert gpu.measured(0.05) == pytest.approx(0.05)


def test_waiting_for_a_gpu_costs_nothing():
    gpu = Gpu()
    for _ in range(5):
        gpu.work(0.06)
        gpu.now += 0.01  # The host has started a step of the training.
        begin = gpu.clock()
        gpu.wait()
        gpu.now += 0.0001
        assert gpu.clock() - begin == pytest.approx(0.0001)


def test_if_its_own_work_runs_at_the_end_a_wait_counts():
    gpu = Gpu()
    gpu.work(0.06)
    gpu.now += 0.01
    begin = gpu.clock()
    gpu.wait()
    gpu.work(0.001)
    assert gpu.clock() - begin == pytest.approx(0.05)


def test_own_work_hides_nothing():
    gpu = Gpu()
    for _ in range(10):
        assert gpu.measured(0.004, own_work=0.05) == pytest.approx(0.004)
        gpu.now = gpu.busy_until


def test_while_a_graph_is_captured_all_counts():
    gpu = Gpu()
    gpu.work(1.0)
    gpu.now += 0.01
    gpu.clock()
    gpu.capturing = True
    assert gpu.measured(0.02) == pytest.approx(0.02)
    gpu.capturing = False
    assert gpu.measured(0.02) == 0.0


def test_marks_are_bounded():
    gpu = Gpu()
    gpu.work(1000.0)
    for _ in range(1000):
        gpu.now += 0.01
        gpu.clock()
    assert len(gpu.clock._marks) <= 64


def test_a_gpu_that_has_failed_breaks_nothing():
    gpu = Gpu()
    gpu.work(1.0)
    gpu.now += 0.01
    gpu.clock()
    gpu.broken = True
    assert gpu.measured(0.5) == pytest.approx(0.5)
    assert gpu.measured(0.5) == pytest.approx(0.5)
