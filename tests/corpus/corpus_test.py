"""A sample of the corpus: healthy scripts are silent, and faults are found with their cause."""

import json
import sys
from pathlib import Path

import pytest
from run import merged
from verdict import Verdict, evaluate

from corpus import Entry, entries, python_for, pythons

# Quick ones, of different kinds. `make corpus` runs all.
SAMPLE = (
    "amp_bf16_cpu",
    "distill_teacher",
    "dqn_gridworld",
    "finetune_frozen_backbone",
    "gan_ring",
    "gnn_sbm",
    "grad_accumulation",
    "lora_by_hand",
    "masked_lm",
    "mixture_of_experts",
    "quantile_mc_dropout",
    "vit_layerscale",
    "amp_bf16_cpu-zero_grad_before_step",
    "conv_autoencoder-losses_keep_graph",
    "conv_autoencoder-only_decoder_in_optimizer",
    "distill_teacher-max_norm_tiny",
    "gnn_sbm-zero_weights",
    "grad_accumulation-no_zero_grad",
    "grad_accumulation-sum_reduction",
    "multitask_uncertainty-detached_backbone",
    "multitask_uncertainty-new_head_after_optimizer",
    "tabular_regression_mlp-deep_sigmoid",
    "tabular_regression_mlp-forgot_squeeze",
    "tabular_regression_mlp-lr_5e-6",
    "warm_restarts_noisy-nan_pixel",
)
pytest.importorskip("torch")


def test_every_edit_fits_its_script():
    for entry in entries():
        assert entry.source()


def test_names_are_unique():
    names = [entry.name for entry in entries()]
    assert len(names) == len(set(names))


def test_results_of_several_machines_are_merged(tmp_path):
    one, other, third = entries()[:3]
    (tmp_path / "a.json").write_text(
        json.dumps([Verdict(one, ["old"], 3).row(), Verdict(other, []).row()])
    )
    (tmp_path / "b.json").write_text(json.dumps([Verdict(one, ["new"], 7).row()]))
    verdicts = merged([one, other, third], [tmp_path / "a.json", tmp_path / "b.json"])
    assert [(v.entry, v.headlines, v.step) for v in verdicts] == [
        (one, ["new"], 7),
        (other, [], None),
    ]


def test_a_script_runs_with_the_first_python_that_has_what_it_needs():
    here = Path(sys.executable)
    plain = next(e for e in entries() if not e.needs())
    assert python_for(plain, [here, Path("/never/called")]) == here
    assert python_for(Entry("x", plain.script), []) is None


@pytest.mark.parametrize("entry", [e for e in entries() if e.name in SAMPLE], ids=lambda e: e.name)
def test_the_verdict_is_right(tmp_path, entry: Entry):
    python = python_for(entry, pythons())
    assert python is not None
    verdict = evaluate(entry, tmp_path, python)
    assert verdict.right, (verdict.headlines, (tmp_path / "output.txt").read_text())
    assert entry.healthy or verdict.named, verdict.headlines
