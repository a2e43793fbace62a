"""`tensorwarden.show(run)` in a notebook."""

from __future__ import annotations

import json
import os
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

import tensorwarden
from tensorwarden.files.file_writer import FileWriter
from tensorwarden.trial import create_trial

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(tmp_path, monkeypatch) -> Path:
    """A run with a loss; `warden` of this build is on the PATH."""
    program = Path(os.environ.get("WARDEN", ROOT / "build/bin/warden")).absolute()
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "run"
    for step in range(3):
        with FileWriter(str(folder), "worker_0", step=step) as writer:
            writer.write_tensor(np.full(1, 1.0 / (1 + step)), "loss", mode_step=step)
    manifest = folder / "collections/000000000/worker_0_collections.json"
    manifest.parent.mkdir(parents=True)
    losses = {"name": "losses", "include_regex": [], "tensor_names": ["loss"]}
    manifest.write_text(
        json.dumps({"collections": {"losses": losses}, "_meta": {"num_workers": 1}})
    )
    (folder / "training_job_end.ts").touch()
    return folder


def test_a_cell_shows_the_page(run):
    notebook = nbformat.v4.new_notebook()
    source = f"import tensorwarden\ntensorwarden.show({str(run)!r}, height=500)"
    notebook.cells = [nbformat.v4.new_code_cell(source)]
    NotebookClient(notebook, timeout=300, startup_timeout=300, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    frame = output.data["text/html"]
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert 'sandbox="allow-scripts allow-downloads"' in frame and 'height="500"' in frame
    assert output.data["text/plain"].startswith(f"<page of {run}, ")


def test_a_trial_is_shown_too_and_can_be_saved(run, tmp_path):
    shown = tensorwarden.show(create_trial(str(run)))
    assert any("timeline" in words for words in shown.left_out)
    shown.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == shown.page
    assert "<title>run · Tensorwarden</title>" in shown.page


def test_a_folder_without_a_run_is_an_error(run, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(RuntimeError, match="no run in this folder"):
        tensorwarden.show(tmp_path / "empty")
