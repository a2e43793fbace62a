# needs: transformers, accelerate, peft
"""Fine-tune a small BERT classifier with LoRA adapters (peft) and the Hugging Face Trainer.

The base model is trained first as a masked language model, saved, loaded with a new
classification head and adapted with LoRA while its own weights stay frozen.
"""
import random
import tempfile

import numpy as np
import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForSequenceClassification,
    Trainer,
    TrainingArguments,
    set_seed,
)

set_seed(0)
PAD, MASK, CLS, FIRST, TOPIC_WORDS, TOPICS = 0, 1, 2, 3, 6, 3
VOCAB, LENGTH = FIRST + TOPIC_WORDS * TOPICS, 14


def make_texts(n, seed):
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        topic = rng.randrange(TOPICS)
        ids = [CLS]
        for _ in range(LENGTH - 1):
            t = topic if rng.random() < 0.7 else rng.randrange(TOPICS)
            ids.append(FIRST + t * TOPIC_WORDS + rng.randrange(TOPIC_WORDS))
        rows.append((ids, topic))
    return rows


def mlm_rows(n, seed):
    rng = random.Random(seed)
    out = []
    for ids, _ in make_texts(n, seed):
        labels = [-100] * LENGTH
        for j in range(1, LENGTH):
            if rng.random() < 0.2:
                labels[j], ids[j] = ids[j], MASK
        out.append({"input_ids": torch.tensor(ids), "labels": torch.tensor(labels)})
    return out


def class_rows(n, seed):
    return [{"input_ids": torch.tensor(ids), "labels": y} for ids, y in make_texts(n, seed)]


def arguments(epochs, lr, **more):
    return TrainingArguments(
        output_dir=tempfile.mkdtemp(), num_train_epochs=epochs, learning_rate=lr,
        per_device_train_batch_size=16, per_device_eval_batch_size=100, logging_steps=20,
        save_strategy="no", report_to="none", disable_tqdm=True, use_cpu=True, **more,
    )


def metrics(p):
    return {"accuracy": float((np.argmax(p.predictions, -1) == p.label_ids).mean())}


config = BertConfig(
    vocab_size=VOCAB, hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
    intermediate_size=96, max_position_embeddings=LENGTH, num_labels=TOPICS, pad_token_id=PAD,
    initializer_range=0.1, hidden_dropout_prob=0.05,
)
folder = tempfile.mkdtemp()
base = BertForMaskedLM(config)
Trainer(base, arguments(3, 3e-3, warmup_steps=20), train_dataset=mlm_rows(1000, seed=1)).train()
base.save_pretrained(folder)

model = BertForSequenceClassification.from_pretrained(folder, num_labels=TOPICS)
lora = LoraConfig(
    task_type=TaskType.SEQ_CLS, r=8, lora_alpha=16, lora_dropout=0.05,
    target_modules=["query", "value"], modules_to_save=["classifier"],
)
model = get_peft_model(model, lora)
model.print_trainable_parameters()

trainer = Trainer(
    model,
    arguments(4, 5e-3, warmup_steps=10, gradient_accumulation_steps=2),
    train_dataset=class_rows(1000, seed=2),
    eval_dataset=class_rows(300, seed=3),
    compute_metrics=metrics,
)
trainer.train()
print(trainer.evaluate())
