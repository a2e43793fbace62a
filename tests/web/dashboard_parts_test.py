"""Parts of the dashboard that decide without showing anything: addresses, searches, lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from support.browser import page_with_parts

ENTRY = """
export { parseRoute, routeAddress } from './app/router';
export { withFinding, withSteps } from './app/run_state';
export { ago, runSeconds } from './api/words';
export { searchTest, wordsOf } from './panels/runs/search';
export { sorted } from './panels/runs/columns';
export { parts, readable, toneOf } from './panels/logs/lines';
export { chartGroups } from './panels/overview/chart_groups';
export { evidenceOf } from './panels/overview/evidence';
export { shortNames } from './plots/heat_axes';
"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with page_with_parts(browser, ENTRY) as shown:
        yield shown


def run(**changes: Any) -> dict[str, Any]:
    """A run as the server tells it."""
    rules = {"total": 3, "issues": 0, "not_evaluated": 0, "errors": 0, "running": 0}
    usual = {
        "id": "r1",
        "name": "ResNet 50",
        "kind": "job",
        "status": "Completed",
        "secondary": "",
        "message": "",
        "created": 100,
        "started": 110,
        "ended": 200,
        "modified": 205,
        "folder": "/data/r1",
        "hosts": ["algo-1"],
        "tags": {"team": "vision", "base": ""},
        "hyper_parameters": {"lr": "0.10", "optimizer": "SGD"},
        "rules": rules,
        "findings": 0,
        "last_step": 500,
    }
    return {**usual, **changes, "rules": {**rules, **changes.get("rules", {})}}


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", {"page": "runs"}),
        ("#/", {"page": "runs"}),
        ("#/runs?search=a%20b", {"page": "runs", "params": "search=a+b"}),
        ("#/run/a%2Fb/tensors?tensor=x", {"page": "run", "run": "a/b", "panel": "tensors"}),
        ("#/run/a", {"page": "run", "run": "a", "panel": "overview"}),
        ("#/run/100%/logs", {"page": "run", "run": "100%", "panel": "logs"}),
        ("#/run/", {"page": "unknown"}),
        ("#/__proto__", {"page": "unknown"}),
        ("#/login?token=T", {"page": "login", "params": "token=T"}),
    ],
)
def test_addresses_are_read(page: Page, address: str, expected: dict[str, str]) -> None:
    script = "(hash) => { const r = W.parseRoute(hash); return { ...r, params: `${r.params}` }; }"
    route = page.evaluate(script, address)
    assert {name: route[name] for name in expected} == expected


def test_an_address_brings_back_what_was_written(page: Page) -> None:
    script = """() => {
      const params = new URLSearchParams({ tensor: 'a/b?c&d=e#f', step: '5' });
      const address = W.routeAddress({ page: 'run', run: 'x/y ?%', panel: 'tensors', params });
      const { run, panel, params: read } = W.parseRoute(address);
      return [run, panel, read.get('tensor'), read.get('step')];
    }"""
    assert page.evaluate(script) == ["x/y ?%", "tensors", "a/b?c&d=e#f", "5"]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("resnet", True),
        ("RES 50", True),
        ('"resnet 50"', True),
        ('"50 resnet"', False),
        ("vision", True),
        ("lr=0.1", True),
        ("lr=0.2", False),
        ("LR<=0.1", True),
        ("lr>0.1", False),
        ("lr!=0.1", False),
        ("momentum!=0.9", True),
        ("momentum=0.9", False),
        ("optimizer=sgd", True),
        ("optimizer>5", False),
        ("team=vision", True),
        ("step>=500", True),
        ("status:completed", True),
        ("status:failed", False),
        ("tag:base", True),
        ("tag:constructor", False),
        ("has:findings", False),
        ("has:healthy", True),
        ("has:constructor", False),
        ("-resnet", False),
        ("-status:failed", True),
        ("constructor=1", False),
        ('"unclosed', False),
        ("", True),
        ("*[(", False),
    ],
)
def test_searches(page: Page, search: str, found: bool) -> None:
    script = "([search, run]) => W.searchTest(search, [])(run)"
    assert page.evaluate(script, [search, run()]) is found


def test_tags_are_exact(page: Page) -> None:
    script = "([tags, run]) => W.searchTest('', tags)(run)"
    assert page.evaluate(script, [["team=vision", "base"], run()])
    assert not page.evaluate(script, [["team=vis"], run()])
    assert not page.evaluate(script, [["toString"], run()])


def test_runs_without_a_value_come_last_in_either_direction(page: Page) -> None:
    runs = [run(id="none", last_step=None), run(id="ten", last_step=10), run(id="two", last_step=2)]
    script = "([runs, sort]) => W.sorted(runs, sort, 1000).map(({ id }) => id)"
    assert page.evaluate(script, [runs, "step"]) == ["two", "ten", "none"]
    assert page.evaluate(script, [runs, "-step"]) == ["ten", "two", "none"]


def test_an_unknown_sort_is_the_newest_first(page: Page) -> None:
    runs = [run(id="old", started=10), run(id="new", started=900)]
    script = "([runs, sort]) => W.sorted(runs, sort, 1000).map(({ id }) => id)"
    assert page.evaluate(script, [runs, "-__proto__"]) == ["new", "old"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("10 %\r50 %\r100 %", "100 %"),
        ("Windows\r", "Windows"),
        ("a\tb", "a\tb"),
        ("bell\x07", "bell\ufffd"),
        ("\x1b]0;title\x07after", "after"),
        ("<b>", "<b>"),
    ],
)
def test_lines_are_made_readable(page: Page, text: str, expected: str) -> None:
    assert page.evaluate("(text) => W.readable(text)", text) == expected


def test_matches_in_a_line(page: Page) -> None:
    script = "([text, search]) => W.parts(text, search)"
    assert page.evaluate(script, ["Loss loss", "LOSS"]) == ["", "Loss", " ", "loss", ""]
    assert page.evaluate(script, ["Loss", ""]) == ["Loss"]


def tensor(name: str, collection: str, modes: list[str], statistics: list[str]) -> dict[str, Any]:
    return {"name": name, "collections": [collection], "modes": modes, "statistics": statistics}


def test_a_metric_is_drawn_with_its_validation(page: Page) -> None:
    tensors = [
        tensor("train-rmse", "metrics", ["TRAIN"], ["value"]),
        tensor("validation-rmse", "metrics", ["TRAIN"], ["value"]),
        tensor("loss", "losses", ["TRAIN"], ["mean", "max"]),
        tensor("weight", "weights", ["TRAIN"], ["mean"]),
    ]
    list_ = {"modes": ["TRAIN"], "tensors": tensors}
    groups = page.evaluate("(list) => W.chartGroups(list)", list_)
    assert [(group["label"], group["mode"]) for group in groups] == [
        ("loss", "GLOBAL"),
        ("rmse", "GLOBAL"),
    ]
    assert groups[0]["wanted"] == [{"tensor": "loss", "statistic": "mean"}]
    assert groups[1]["names"] == ["train-rmse", "validation-rmse"]


def test_modes_have_charts_of_their_own(page: Page) -> None:
    tensors = [tensor("loss", "losses", ["TRAIN", "EVAL"], ["value"])]
    list_ = {"modes": ["TRAIN", "EVAL"], "tensors": tensors}
    groups = page.evaluate("(list) => W.chartGroups(list)", list_)
    assert [group["label"] for group in groups] == ["loss · TRAIN", "loss · EVAL"]


def finding(**changes: Any) -> dict[str, Any]:
    usual = {"id": 1, "step": 7, "worker": "w", "tensor": "g", "threshold": 1e-7}
    return {**usual, **changes}


@pytest.mark.parametrize(
    ("rule", "statistics", "changes", "expected"),
    [
        ("VanishingGradient", ["abs_mean"], {}, ("abs_mean", 1e-7)),
        ("VanishingGradient", ["mean"], {}, ("mean", None)),
        ("AllZero", ["zeros"], {"threshold": 90}, ("zeros", 0.9)),
        ("LossSpike", ["value"], {}, ("value", None)),
        ("MyOwnRule", ["l2"], {"threshold": "NaN"}, ("l2", None)),
        ("constructor", ["l2"], {}, ("l2", None)),
        ("VanishingGradient", [], {}, None),
        ("VanishingGradient", ["abs_mean"], {"tensor": "other"}, None),
        ("VanishingGradient", ["abs_mean"], {"step": -1}, None),
    ],
)
def test_what_shows_that_a_rule_was_right(
    page: Page,
    rule: str,
    statistics: list[str],
    changes: dict[str, Any],
    expected: tuple[str, float | None] | None,
) -> None:
    script = """([rule, finding, info]) =>
      W.evidenceOf(rule, finding, new Map([[info.name, info]]))"""
    info = tensor("g", "gradients", ["TRAIN"], statistics)
    shown = page.evaluate(script, [rule, finding(**changes), info])
    if expected is None:
        assert shown is None
    else:
        assert (shown["statistic"], shown.get("threshold")) == (expected[0], expected[1])


def test_a_finding_is_counted_once(page: Page) -> None:
    script = """([run, finding]) => {
      const once = W.withFinding(run, 'R', finding);
      const again = W.withFinding(once, 'R', { ...finding, last_step: 9 });
      const stranger = W.withFinding(run, 'Other', finding);
      return [once.findings, again.findings, again.rules_seen[0].findings, stranger === run];
    }"""
    shown = run(rules_seen=[{"name": "R", "findings": []}])
    first, second, findings, unchanged = page.evaluate(script, [shown, finding()])
    assert (first, second, unchanged) == (1, 1, True)
    assert json.dumps(findings) == json.dumps([{**finding(), "last_step": 9}])


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3, "just now"), (60, "1 minute ago"), (5400, "2 hours ago"), (86400 * 3, "3 days ago")],
)
def test_ages(page: Page, seconds: float, words: str) -> None:
    assert page.evaluate("(seconds) => W.ago(seconds)", seconds) == words


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["gradient/Net_conv1.weight", "gradient/Net_fc.bias"], ["conv1.weight", "fc.bias"]),
        (["gradient/a", "gradient/b"], ["gradient/a", "gradient/b"]),  # There is room.
        (["layers.10.a.weight", "layers.11.a.weight"], ["10.a.weight", "11.a.weight"]),
        (["one/that/is/long.weight"], ["weight"]),
        (["a/b/c/d/e/f/g/h/", "a/b/c/d/e/f/g/h/"], ["a/b/c/d/e/f/g/h/"] * 2),
        (["weight_of_a_layer", "bias_of_a_layer"], ["weight_of_a_layer", "bias_of_a_layer"]),
        ([], []),
    ],
)
def test_names_are_shortened_by_what_all_begin_with(
    page: Page, names: list[str], shown: list[str]
) -> None:
    assert page.evaluate("(names) => W.shortNames(names, 80)", names) == shown
