"""What the dashboard shows of saved labels, predictions and attention weights."""

from urllib.parse import quote

import numpy as np
import pytest
from browsing import PHONE, panel_of, reads_as, run_named
from dashboard_tensors_test import columns
from models import (
    CLASSES,
    CLASSIFIER,
    HEADS,
    LAYERS,
    ONE_KEY,
    SAMPLES,
    TOKENS,
    TRANSFORMER,
    UNIFORM,
    attention,
    labels_and_logits,
    write_models,
)
from playwright.sync_api import expect
from serving import Service
from sklearn import metrics


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Service:
    folder = tmp_path_factory.mktemp("models")
    write_models(folder / "runs")
    service = Service(folder, "--runs", str(folder / "runs")).start()
    yield service
    service.stop()


def accuracy_in(panel) -> str:
    fact = panel.locator(".tensors-facts div", has=panel.page.get_by_text("Accuracy", exact=True))
    return "".join(fact.locator("dd").all_inner_texts())


def test_a_classifier_is_recognized_and_shown_step_by_step(models, open_page):
    watched = open_page(models, panel_of(models, CLASSIFIER, "tensors"))
    page = watched.page
    page.get_by_role("tab", name="Classification", exact=True).click()
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_role("combobox", name="Labels")).to_have_value("batch/labels")
    expect(panel.get_by_role("combobox", name="Predictions")).to_have_value("model/logits")
    labels, logits = labels_and_logits(3)
    matrix = np.zeros((CLASSES, CLASSES), int)
    np.add.at(matrix, (labels, logits.argmax(1)), 1)
    cells = panel.locator(".matrix-picture .count")
    expect(cells).to_have_text([str(count) for count in matrix.ravel()])
    accuracy = 100 * np.trace(matrix) / SAMPLES
    watched.wait_until(lambda: reads_as(accuracy_in(panel), accuracy))
    expect(panel.get_by_text("3 taken for 2")).to_contain_text(f"{matrix[3, 2]} samples")
    panel.get_by_role("button", name="Shares of the label").click()
    watched.wait_for_address("view=shares")
    share = 100 * matrix[0, 0] / matrix[0].sum()
    watched.wait_until(lambda: reads_as(cells.first.text_content().removesuffix(" %"), share))
    # All classes at once, then one with its thresholds.
    roc = panel.locator(".tensors-chart", has_text="ROC (AUC)")
    expect(roc.locator(".legend button")).to_have_count(CLASSES)
    roc.get_by_role("combobox", name="Curves of").select_option("2")
    watched.wait_for_address("class=2")
    one = panel.locator(".tensors-chart", has_text="ROC of class 2")
    expect(one.locator("dt", has_text="precision")).to_be_visible()
    expect(panel.get_by_role("heading", name="Precision and recall of class 2")).to_be_visible()
    expect(panel.get_by_role("heading", name="Calibration")).to_be_visible()
    assert watched.check_accessibility() == []
    # An earlier step; the link has all of it.
    panel.get_by_label("Previous step").click()
    watched.wait_for_address("step=20")
    labels, logits = labels_and_logits(2)
    accuracy = 100 * (labels == logits.argmax(1)).mean()
    watched.wait_until(lambda: reads_as(accuracy_in(panel), accuracy))
    page.reload()
    expect(panel.get_by_role("heading", name="ROC of class 2")).to_be_visible()
    watched.wait_until(lambda: reads_as(accuracy_in(panel), accuracy))
    # Two tensors that nobody would have guessed.
    panel.get_by_role("combobox", name="Labels").select_option("is_one")
    watched.wait_for_address("labels=is_one")
    panel.get_by_role("combobox", name="Predictions").select_option("score_of_one")
    expect(panel.get_by_role("heading", name="ROC of class 1")).to_be_visible()
    expect(panel.get_by_text("Predictions are probabilities.")).to_be_visible()


def test_areas_are_those_of_scikit_learn(models):
    run = run_named(models, CLASSIFIER)
    labels, logits = labels_and_logits(1)
    asked = f"runs/{run}/classification?step=10&"
    header, _ = columns(models, asked + "labels=batch/labels&predictions=model/logits")
    weights = np.exp(logits.astype(float))
    probabilities = weights / weights.sum(1, keepdims=True)
    for one, curve in enumerate(header["curves"]):
        truth, score = labels == one, probabilities[:, one]
        assert curve["auc"] == pytest.approx(metrics.roc_auc_score(truth, score), abs=1e-9)
        precision = metrics.average_precision_score(truth, score)
        assert curve["average_precision"] == pytest.approx(precision, abs=1e-9)
    header, points = columns(models, asked + "labels=is_one&predictions=score_of_one")
    truth, score = labels == 1, 1 / (1 + np.exp(-logits[:, 1] + logits[:, 0]))
    false_rates, true_rates, _ = metrics.roc_curve(truth, score, drop_intermediate=False)
    assert points["true_positives"] / truth.sum() == pytest.approx(true_rates)
    assert points["false_positives"] / (~truth).sum() == pytest.approx(false_rates)


def test_attention_heads(models, open_page):
    address = panel_of(models, TRANSFORMER, "tensors", tab="attention")
    watched = open_page(models, address)
    page = watched.page
    panel = page.get_by_role("tabpanel")
    heads = panel.locator(".attention-head")
    expect(heads).to_have_count(LAYERS * HEADS)
    watched.wait_until_drawn(heads.locator("canvas"))
    expect(panel.locator(".attention-grid tbody th").first).to_have_text("0.attentions")
    marked = panel.locator(".attention-head.odd")
    expect(marked).to_have_text(["uniform", "one key"])
    expect(marked.first).to_have_attribute(
        "aria-label",
        f"encoder.layer.{UNIFORM[0]}.attentions, head {UNIFORM[1]}: entropy 100 %, uniform",
    )
    # One of them enlarged, with the tokens that were saved; by keyboard.
    heads.nth(ONE_KEY[0] * HEADS + ONE_KEY[1]).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    layer, head = ONE_KEY[0], ONE_KEY[1] + 1
    watched.wait_for_address(f"view={head}%40encoder.layer.{layer}.attentions")
    alone = panel.locator(".attention-alone")
    picture = alone.locator("canvas[role=img]")
    watched.wait_until_drawn(picture)
    expect(alone.locator(".tensors-above span")).to_have_text(TOKENS)
    expect(alone.locator(".tensors-beside span")).to_have_text(TOKENS)
    picture.focus()
    page.keyboard.press("ArrowDown")
    told = alone.locator("[aria-live=polite]")
    expect(told).to_contain_text("query 1 “the”, key 0 “[CLS]”")
    weight = attention(3, layer)[0, head, 1, 0]
    assert reads_as(told.inner_text().split(",")[0], weight)
    assert watched.check_accessibility() == []
    # The other sample of the batch has its own words; an earlier step its own weights.
    panel.get_by_label("Sample number").fill("1")
    watched.wait_for_address("image=1")
    expect(alone.locator(".tensors-above span").first).to_have_text(TOKENS[-1])
    panel.get_by_label("Previous step").click()
    watched.wait_for_address("step=20")
    alone.get_by_label("Previous head").click()
    watched.wait_for_address("view=0%40")
    expect(alone).to_contain_text("This head is marked: one key.")
    page.reload()
    expect(alone).to_contain_text("This head is marked: one key.")
    alone.get_by_role("button", name="Close").click()
    watched.wait_for_address("!view=")
    expect(alone).to_be_hidden()


def test_models_on_a_phone(models, open_page):
    watched = open_page(models, panel_of(models, CLASSIFIER, "tensors", tab="classifier"), **PHONE)
    expect(watched.page.get_by_role("heading", name="Calibration")).to_be_visible()
    assert watched.sideways() <= 0
    watched.go(panel_of(models, TRANSFORMER, "tensors", tab="attention"))
    expect(watched.page.locator(".attention-head").first).to_be_visible()
    assert watched.sideways() <= 0
    assert watched.check_accessibility() == []


def test_runs_without_them_say_what_to_save(models, open_page):
    watched = open_page(models, panel_of(models, TRANSFORMER, "tensors", tab="classifier"))
    panel = watched.page.get_by_role("tabpanel")
    expect(panel.get_by_text("No labels and predictions found")).to_be_visible()
    watched.go(panel_of(models, CLASSIFIER, "tensors", tab="attention"))
    expect(panel.get_by_text("No attention weights were saved")).to_be_visible()


def test_a_metric_where_another_one_is_best(models, open_page):
    watched = open_page(models)
    page = watched.page
    # The newest first: the arrow points down.
    started = page.locator("th[data-column=age]")
    expect(started).to_have_attribute("aria-sort", "descending")
    started.get_by_role("button").click()
    expect(started).to_have_attribute("aria-sort", "ascending")
    page.locator("summary", has_text="Columns").click()
    menu = page.get_by_role("group", name="Columns")
    menu.get_by_label("Metric", exact=True).select_option("accuracy")
    menu.get_by_label("Lowest or highest").select_option("lowest")
    menu.get_by_label("Metric that is best").select_option("val_loss")
    menu.get_by_role("button", name="Add column").click()
    watched.wait_for_address("at%3Aaccuracy%2540min%253Aval_loss")
    page.keyboard.press("Escape")
    head = page.get_by_role("columnheader", name="accuracy at lowest val_loss")
    cells = page.locator("td.runs-c-field")
    head.get_by_role("button").click()  # The largest first.
    expect(page.locator("a.runs-name")).to_have_text([CLASSIFIER, TRANSFORMER])
    expect(cells).to_have_text(["0.5", "0.4"])
    expect(cells.first.locator("span")).to_have_attribute("title", "0.5 at step 10")
    head.get_by_role("button").click()
    page.reload()
    expect(page.locator("a.runs-name")).to_have_text([TRANSFORMER, CLASSIFIER])
    assert watched.check_accessibility() == []
    # Also without the column.
    watched.go("#/runs?search=" + quote("at:accuracy@max:val_loss>0.9"))
    expect(page.locator("a.runs-name")).to_have_text([CLASSIFIER])
    watched.go("#/runs?search=" + quote("at:accuracy@max:nothing>0.9"))
    expect(page.locator(".runs-problems li")).to_contain_text("no run has")
