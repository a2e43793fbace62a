"""Runs of models whose labels, predictions and attention weights were saved."""

import json
from pathlib import Path

import numpy as np

from tensorwarden.files.file_writer import FileWriter

CLASSIFIER = "classifier"
TRANSFORMER = "transformer"
STEPS = 4
SAMPLES = 400
CLASSES = 4
TOKENS = ["[CLS]", "the", "cat", "sat", "on", "the", "mat", ".", "it", "was", "warm", "[SEP]"]
LAYERS, HEADS, BATCH = 3, 4, 2
# By step. Lowest and highest are at different ones.
VAL_LOSS = {CLASSIFIER: [3, 1, 2, 4], TRANSFORMER: [4, 3, 1, 2]}
ACCURACY = {CLASSIFIER: [0.25, 0.5, 0.75, 1], TRANSFORMER: [0.2, 0.3, 0.4, 0.1]}
# Layer and head.
UNIFORM = (1, 2)
ONE_KEY = (2, 0)


def write_models(folder: Path) -> None:
    write_classifier(folder / CLASSIFIER)
    write_transformer(folder / TRANSFORMER)


def write_scalars(writer: FileWriter, run: str, step: int) -> None:
    writer.write_tensor(np.float32(1 / (1 + step)), "loss", mode_step=10 * step)
    writer.write_tensor(np.float32(VAL_LOSS[run][step]), "scalar/val_loss", mode_step=10 * step)
    writer.write_tensor(np.float32(ACCURACY[run][step]), "scalar/accuracy", mode_step=10 * step)


def labels_and_logits(step: int) -> tuple[np.ndarray, np.ndarray]:
    """Better at each step; class 3 is often taken for class 2."""
    random = np.random.default_rng(step)
    labels = random.integers(0, CLASSES, SAMPLES)
    logits = random.normal(size=(SAMPLES, CLASSES)).astype(np.float32)
    logits[np.arange(SAMPLES), labels] += 0.5 + step
    logits[labels == 3, 2] += 1.5
    return labels, logits


def write_classifier(folder: Path) -> None:
    for step in range(STEPS):
        labels, logits = labels_and_logits(step)
        with FileWriter(str(folder), "worker_0", step=10 * step) as writer:
            write_scalars(writer, CLASSIFIER, step)
            writer.write_tensor(labels, "batch/labels", mode_step=10 * step)
            writer.write_tensor(logits, "model/logits", mode_step=10 * step)
            binary = 1 / (1 + np.exp(-logits[:, 1] + logits[:, 0]))
            writer.write_tensor((labels == 1).astype(np.int64), "is_one", mode_step=10 * step)
            writer.write_tensor(binary, "score_of_one", mode_step=10 * step)
    finish(folder, {"losses": ["loss"]})


def attention(step: int, layer: int) -> np.ndarray:
    """Of one layer: batch x heads x queries x keys; each head looks a different way back."""
    random = np.random.default_rng([step, layer])
    size = len(TOKENS)
    scores = random.normal(size=(BATCH, HEADS, size, size)) * 0.5
    for head in range(HEADS):
        for query in range(size):
            scores[:, head, query, (query - head) % size] += 1.5 + step
    if layer == UNIFORM[0]:
        scores[:, UNIFORM[1]] = 0
    if layer == ONE_KEY[0]:
        scores[:, ONE_KEY[1], :, 0] += 30
    weights = np.exp(scores)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def write_transformer(folder: Path) -> None:
    for step in range(STEPS):
        with FileWriter(str(folder), "worker_0", step=10 * step) as writer:
            write_scalars(writer, TRANSFORMER, step)
            for layer in range(LAYERS):
                name = f"encoder.layer.{layer}.attentions"
                writer.write_tensor(attention(step, layer), name, mode_step=10 * step)
            words = np.array([TOKENS, TOKENS[::-1]])
            writer.write_tensor(words, "tokens", mode_step=10 * step)
    finish(folder, {"losses": ["loss"]})


def finish(folder: Path, collections: dict[str, list[str]]) -> None:
    manifest = folder / "collections/000000000/worker_0_collections.json"
    manifest.parent.mkdir(parents=True)
    described = {
        name: {"name": name, "include_regex": [], "tensor_names": names}
        for name, names in collections.items()
    }
    manifest.write_text(json.dumps({"collections": described, "_meta": {"num_workers": 1}}))
    (folder / "training_job_end.ts").touch()
