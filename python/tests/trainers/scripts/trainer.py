"""Trainer of transformers, with gradient accumulation and evaluation."""

import tempfile

from common import tell, watch
from language import examples, make_model
from transformers import Trainer, TrainingArguments

model = make_model()
watch(model)
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder,
        per_device_train_batch_size=4,
        gradient_accumulation_steps=2,
        num_train_epochs=2,
        eval_strategy="epoch",
        save_strategy="no",
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        seed=0,
    )
    data = examples()
    Trainer(model, arguments, train_dataset=data[:16], eval_dataset=data[16:]).train()
tell(model)
