"""A stranger who asks where something happens finds the line in three steps from the README.

Each step is a link of the document before; the last one is a file that a folder's README names.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = "docs/design/architecture.md"
PYTHON = "python/README.md"
WEB = "web/README.md"
MOST_STEPS = 3

LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")

# The question, the document between the README and the folder's, the file, and what is in its line.
WALKS = [
    ("where is SigV4 checked", PARTS, "warden/auth/keyring.cc", "ExpectedSignature("),
    (
        "where is a finding turned into a mail",
        PARTS,
        "warden/actions/email.cc",
        "Run(const Firing&",
    ),
    (
        "where is a tensor's mean computed on the GPU",
        PARTS,
        "warden/stats/cuda/summary_kernel.cu",
        "T mean = total / N",
    ),
    (
        "where is a NaN's origin found",
        PYTHON,
        "python/tensorwarden/adapters/pytorch/replay/origin.py",
        "class Search",
    ),
    (
        "where is a run's index file parsed",
        PARTS,
        "warden/format/index_file.cc",
        "IndexParser::Parse(",
    ),
    (
        "where is a job started under Slurm",
        PARTS,
        "warden/jobs/slurm/slurm_jobs.cc",
        "SlurmJobs::Submit(",
    ),
    (
        "where is it decided which steps the hook saves",
        PARTS,
        "warden/config/save_config.cc",
        "SaveConfigMode::ShouldSave(",
    ),
    (
        "where is it decided which steps a budget allows",
        PYTHON,
        "python/tensorwarden/hook/pacer.py",
        "def _can_afford(",
    ),
    (
        "where does the dashboard draw a histogram",
        WEB,
        "web/src/panels/tensors/ridge.ts",
        "class Ridge",
    ),
    ("where is an S3 upload retried", PARTS, "warden/storage/s3/client.cc", "Client::Send("),
    ("where is a rule's parameter checked", PARTS, "warden/rules/param.cc", "Status Check("),
]


def links(document: str) -> set[str]:
    """The files that a document links to, from the root of the repository."""
    path = ROOT / document
    targets = (path.parent / target for target in LINK.findall(path.read_text()))
    return {
        target.resolve().relative_to(ROOT).as_posix()
        for target in targets
        if target.exists() and target.resolve().is_relative_to(ROOT)
    }


@pytest.mark.parametrize(
    ("between", "file", "line"), [walk[1:] for walk in WALKS], ids=[walk[0] for walk in WALKS]
)
def test_a_stranger_finds_the_line(between: str, file: str, line: str) -> None:
    folder, name = file.rsplit("/", 1)
    documents = ["README.md", between, f"{folder}/README.md"]
    for document, following in zip(documents, documents[1:]):
        assert following in links(document), f"{document} has no link to {following}"
    assert f"`{name}`" in (ROOT / documents[-1]).read_text(), f"{documents[-1]}: {name} is missing"
    assert len(documents) <= MOST_STEPS
    assert line in (ROOT / file).read_text(), f"{file}: {line} is missing"


@pytest.mark.parametrize(
    "document",
    ["README.md", PARTS, PYTHON, WEB, "r/README.md", "tests/README.md"],
)
def test_links_lead_to_files(document: str) -> None:
    path = ROOT / document
    inside = [target for target in LINK.findall(path.read_text()) if "://" not in target]
    assert [target for target in inside if not (path.parent / target).exists()] == []
