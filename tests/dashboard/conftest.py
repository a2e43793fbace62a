"""Services and pages for the tests of the dashboard."""

import sys
from pathlib import Path

import pytest

# `warden serve` is started as the tests of the service do it.
sys.path.append(str(Path(__file__).resolve().parent.parent / "service"))

from browsing import SOON, Watched, until_listed
from kinds import write_kinds
from playwright.sync_api import expect
from recorded import record_runs
from serving import Service
from unhappy import write_runs

expect.set_options(timeout=SOON)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def open_page(browser, request):
    """Opens pages; the test fails if anything went wrong in one of them."""
    opened = []

    def open_one(service, to: str = "", **context) -> Watched:
        opened.append(Watched(browser, service, **context).log_in(to))
        return opened[-1]

    yield open_one
    if request.node.stash.get(FAILED, False):
        for one in opened:
            print(one.describe())
    wrong = [words for one in opened for words in one.close()]
    assert not wrong, "\n".join(wrong)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory) -> Service:
    """A service with runs that have ended: recorded ones, trained ones, and one that is hostile."""
    folder = tmp_path_factory.mktemp("recorded")
    record_runs(folder / "runs")
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield until_listed(service)
    service.stop()


@pytest.fixture(scope="session")
def unhappy(tmp_path_factory) -> Service:
    """A service with a run whose loss became NaN, and one that crashed."""
    folder = tmp_path_factory.mktemp("unhappy")
    write_runs(folder / "runs")
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield until_listed(service)
    service.stop()


@pytest.fixture(scope="session")
def kinds(tmp_path_factory) -> Service:
    """A service with a run of every kind that can be written without a training."""
    folder = tmp_path_factory.mktemp("kinds")
    write_kinds(folder / "runs")
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield until_listed(service)
    service.stop()
