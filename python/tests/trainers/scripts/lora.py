"""Low-rank adapters of peft on a frozen language model."""

import torch
from common import tell, tokens, watch
from language import make_model
from peft import LoraConfig, get_peft_model

model = get_peft_model(
    make_model(), LoraConfig(r=2, target_modules=["c_attn"], fan_in_fan_out=True)
)
watch(model)
optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
rows = tokens()
for start in range(0, 24, 4):
    ids = rows[start : start + 4]
    optimizer.zero_grad()
    model(input_ids=ids, labels=ids).loss.backward()
    optimizer.step()
tell(model)
