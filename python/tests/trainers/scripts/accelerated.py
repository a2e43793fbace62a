"""accelerate, with its own accumulation."""

import torch
from accelerate import Accelerator
from common import tell, watch
from language import batch, examples, make_model
from torch.utils.data import DataLoader

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
model = make_model()
watch(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loader = DataLoader(examples(), batch_size=4, collate_fn=batch)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for _ in range(2):
    for rows in loader:
        with accelerator.accumulate(model):
            loss = model(**rows).loss
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
tell(accelerator.unwrap_model(model))
