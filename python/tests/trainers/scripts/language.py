"""A language model of transformers, small enough for a test."""

from typing import Any, Dict, List

import torch
from common import tokens
from transformers import GPT2Config, GPT2LMHeadModel


def make_model() -> GPT2LMHeadModel:
    """Two layers, with dropout, from random weights."""
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    config = GPT2Config(vocab_size=50, n_positions=16, n_embd=16, n_layer=2, n_head=2, **ends)
    return GPT2LMHeadModel(config)


def examples() -> List[Dict[str, Any]]:
    """Examples as the Trainer takes them."""
    return [{"input_ids": row, "labels": row} for row in tokens()]


def batch(rows: List[Dict[str, Any]]) -> Dict[str, torch.Tensor]:
    """Examples in one batch."""
    return {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
