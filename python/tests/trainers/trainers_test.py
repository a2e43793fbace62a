"""Trainings with the libraries that people use: nothing about them changes under `warden run` or
with a hook in the script, to the last bit of the weights."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

import pytest

from tensorwarden.trials import create_trial

SCRIPTS = Path(__file__).resolve().parent / "scripts"
ROOT = Path(__file__).resolve().parents[3]
WARDEN = str((ROOT / os.environ.get("WARDEN", "build/bin/warden")).absolute())
TWO_PROCESSES = ["-m", "torch.distributed.run", "--nproc-per-node=2", "--standalone"]

# By name: the script with its arguments, and a tensor that both ways to capture must save.
TRAININGS: Dict[str, List[str]] = {
    "trainer": ["trainer.py"],
    "lightning": ["lightning_fit.py"],
    "accelerate": ["accelerated.py"],
    "timm": ["timm_images.py"],
    "lora": ["lora.py"],
    "compiled": ["compiled.py", "default"],
    "compiled reduce-overhead": ["compiled.py", "reduce-overhead"],
    "compiled dynamic": ["compiled.py", "dynamic"],
    "compiled by itself": ["compiled.py", "itself"],
    "compiled blocks": ["compiled.py", "blocks"],
    "compiled optimizer": ["compiled.py", "optimizer"],
    "compiled function": ["compiled.py", "function"],
    "ddp": [*TWO_PROCESSES, "parallel.py", "ddp"],
    "fsdp2": [*TWO_PROCESSES, "parallel.py", "fsdp2"],
}
GRADIENTS = {
    "trainer": "gradient/GPT2LMHeadModel_transformer.wte.weight",
    "lightning": "gradient/Sequential_0.weight",
    "accelerate": "gradient/GPT2LMHeadModel_transformer.wte.weight",
    "timm": "gradient/ResNet_fc.weight",
    "lora": "gradient/PeftModel_base_model.model.transformer.h.0.attn.c_attn.lora_A.default.weight",
}


def run(folder: Path, words: List[str], before: List[str], **environment: str) -> List[str]:
    """Runs a script; what it said of its weights and graphs."""
    words = [str(SCRIPTS / word) if word.endswith(".py") else word for word in words]
    settings = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "PYTHONFAULTHANDLER": "1",  # A crash tells what each thread did.
        "OMP_NUM_THREADS": "1",
        # Of all tests: each compiles its own graphs, but headers and equal kernels only once.
        "TORCHINDUCTOR_CACHE_DIR": str(folder.parents[1] / "inductor"),
        "TORCHINDUCTOR_VEC_ISA_OK": "0",  # Trying each instruction set takes 2 s of each run.
        **environment,
    }
    folder.mkdir()
    done = subprocess.run(
        [*before, sys.executable, *words],
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    for message in ("Capture disabled", "recompile_limit"):
        assert message not in done.stderr, done.stderr[-4000:]
    told = [line for line in done.stdout.splitlines() if line.startswith(("weights ", "graphs "))]
    assert told, done.stdout
    return told


@pytest.mark.parametrize("name", TRAININGS)
def test_a_training_is_the_same_with_and_without_us(tmp_path: Path, name: str) -> None:
    words = TRAININGS[name]
    plain = run(tmp_path / "plain", words, [])
    wanted = GRADIENTS.get(name)
    assert run(tmp_path / "hooked", words, [], HOOK_OUT_DIR=str(tmp_path / "hook")) == plain
    under = [WARDEN, "run", "--out", str(tmp_path / "run"), "--"]
    assert run(tmp_path / "under", words, under) == plain
    # Nothing of ours runs where a compiled function calls the model.
    for made in ("hook", "run") if name != "compiled function" else ():
        trial = create_trial(str(tmp_path / made))
        gradients = trial.tensor_names(regex="^gradient/")
        assert trial.steps() and gradients
        assert wanted is None or wanted in gradients
        assert trial.tensor_names(collection="losses") or made == "hook"
