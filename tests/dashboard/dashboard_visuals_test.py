"""TensorBoard, embeddings and activations in the dashboard, of a run with known values."""

import numpy as np
import pytest
from browsing import panel_of
from playwright.sync_api import expect
from serving import Service

from tensorwarden.files.file_writer import FileWriter


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Service:
    folder = tmp_path_factory.mktemp("visuals")
    write_run(folder / "runs" / "my run")
    started = Service(folder, "--runs", str(folder / "runs")).start()
    yield started
    started.stop()


def write_run(folder) -> None:
    """Three clusters of points with their labels, and the activations of a small network."""
    random = np.random.default_rng(3)
    labels = np.arange(90) % 3
    points = random.normal(size=(90, 8)) * 0.3 + 6 * np.eye(8)[labels]
    with FileWriter(str(folder), "worker_0", step=0) as writer:
        writer.write_tensor(points.astype("float32"), "embedding_output_0", mode_step=0)
        writer.write_tensor(labels, "labels", mode_step=0)
        for layer, shape in enumerate([(90, 3, 12, 12), (90, 6, 6, 6), (90, 20)]):
            values = random.normal(size=shape).clip(0).astype("float32")
            writer.write_tensor(values, f"relu{layer}_output_0", mode_step=0)
    (folder / "training_job_end.ts").touch()


def test_the_command_for_tensorboard_can_be_copied(service, open_page):
    watched = open_page(
        service,
        panel_of(service, "my run", "overview"),
        permissions=["clipboard-read", "clipboard-write"],
    )
    page = watched.page
    command = f"warden tensorboard '{service.folder}/runs/my run'"
    expect(page.get_by_text(command, exact=True)).to_be_visible()
    page.get_by_role("button", name="Copy the command").click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == command


def test_the_projector_separates_clusters_and_names_rows(service, open_page):
    address = panel_of(service, "my run", "tensors", tab="projector")
    watched = open_page(service, address)
    page = watched.page
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_role("combobox", name="Tensor")).to_have_value("embedding_output_0")
    expect(panel.get_by_label("Color by")).to_have_value("labels")
    expect(panel.get_by_text("of the variance. All 90 rows are shown.")).to_be_visible()
    canvas = panel.locator(".tensors-projector canvas")
    watched.wait_until_drawn(canvas)
    canvas.focus()
    page.keyboard.press("End")
    expect(panel.get_by_text("Row 89, labels: 2")).to_be_attached()
    for method in ("t-SNE", "UMAP"):
        panel.get_by_role("button", name=method, exact=True).click()
        expect(panel.get_by_text(f"{method}, ")).to_contain_text("iterations")
        watched.wait_until_drawn(canvas)
    watched.wait_for_address("view=umap")
    panel.get_by_label("Color by").select_option("none")
    watched.wait_for_address("labels=none")
    watched.settled()
    assert watched.check_accessibility() == []


def test_activations_in_three_dimensions(service, open_page):
    watched = open_page(service, panel_of(service, "my run", "tensors", tab="stack"))
    page = watched.page
    panel = page.get_by_role("tabpanel")
    expect(panel.get_by_text("4 layers, from the first to the last")).to_be_visible()
    canvas = panel.locator(".tensors-stack canvas")
    watched.wait_until_drawn(canvas)

    def picture() -> str:
        return canvas.evaluate("(canvas) => canvas.toDataURL()")

    before = picture()
    canvas.focus()
    page.keyboard.press("ArrowRight")
    watched.wait_until(lambda: picture() != before)
    page.keyboard.press("Home")
    watched.wait_until(lambda: picture() == before)
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 40)
    page.mouse.up()
    watched.wait_until(lambda: picture() != before)
    for _ in range(2):
        page.keyboard.press("+")
    expect(panel.get_by_text("Layer 2 of 4")).to_be_attached()
    panel.get_by_label("Sample number").fill("5")
    watched.wait_for_address("image=5")
    watched.settled()
    assert watched.check_accessibility() == []
