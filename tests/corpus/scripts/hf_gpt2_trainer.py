# needs: transformers, accelerate
"""Train a tiny GPT-2 from scratch on generated recipes with the Hugging Face Trainer."""
import math
import random
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments, set_seed

set_seed(42)

VERBS = ["chop", "boil", "fry", "mix", "bake", "peel"]
THINGS = ["onion", "carrot", "potato", "pepper", "garlic", "leek", "bean", "mushroom"]
TIMES = ["two", "five", "ten", "twenty"]
WORDS = ["<pad>", "<bos>", "<eos>", "the", "then", "and", "for", "minutes", *VERBS, *THINGS, *TIMES]
TOKEN = {w: i for i, w in enumerate(WORDS)}
MAX_LEN = 24


def recipe(rng):
    """The cooking time follows from the vegetable, so the model has something to remember."""
    words = ["<bos>"]
    things = rng.sample(range(len(THINGS)), 2)
    for n, t in enumerate(things):
        words += ["then"] * (n > 0) + [rng.choice(VERBS), "the", THINGS[t]]
    words += ["and", VERBS[things[0] % 6], "for", TIMES[things[1] % 4], "minutes", "<eos>"]
    return [TOKEN[w] for w in words]


class Recipes(Dataset):
    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.rows = [recipe(rng) for _ in range(n)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids = self.rows[i]
        pad = MAX_LEN - len(ids)
        return {
            "input_ids": torch.tensor(ids + [0] * pad),
            "attention_mask": torch.tensor([1] * len(ids) + [0] * pad),
            "labels": torch.tensor(ids + [-100] * pad),
        }


config = GPT2Config(
    vocab_size=len(WORDS), n_positions=MAX_LEN, n_embd=48, n_layer=2, n_head=4,
    bos_token_id=1, eos_token_id=2, resid_pdrop=0.05, embd_pdrop=0.05, attn_pdrop=0.05,
)
model = GPT2LMHeadModel(config)
print(f"{model.num_parameters():,} parameters")

args = TrainingArguments(
    output_dir=tempfile.mkdtemp(),
    num_train_epochs=5,
    per_device_train_batch_size=8,
    per_device_eval_batch_size=64,
    gradient_accumulation_steps=2,
    learning_rate=4e-3,
    lr_scheduler_type="cosine",
    warmup_steps=20,
    weight_decay=0.01,
    max_grad_norm=1.0,
    logging_steps=20,
    save_strategy="no",
    report_to="none",
    disable_tqdm=True,
    use_cpu=True,
    seed=42,
)

trainer = Trainer(
    model=model,
    args=args,
    train_dataset=Recipes(800, seed=1),
    eval_dataset=Recipes(160, seed=2),
)
print("before:", trainer.evaluate()["eval_loss"])
trainer.train()
loss = trainer.evaluate()["eval_loss"]
print(f"after: eval loss {loss:.4f} perplexity {math.exp(min(loss, 20)):.2f}")
