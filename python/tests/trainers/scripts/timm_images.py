"""A ResNet of timm, with its own optimizer and an average of the weights."""

import timm
import torch
from common import images, tell, watch
from timm.loss import LabelSmoothingCrossEntropy
from timm.optim import create_optimizer_v2
from timm.utils import ModelEmaV2

model = timm.create_model("resnet10t", pretrained=False, num_classes=4)
average = ModelEmaV2(model, decay=0.9)
criterion = LabelSmoothingCrossEntropy(0.1)
watch(model)
optimizer = create_optimizer_v2(model, opt="adamw", lr=1e-3, weight_decay=0.05)
x, y = images(8)
for _ in range(6):
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    average.update(model)
tell(model)
tell(average.module)
