"""A training that knows nothing of hooks or profilers, and runs until it is stopped if asked to."""

import sys
import time

import torch

net, loss = torch.nn.Linear(4, 3), torch.nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(10**9 if "--endless" in sys.argv else 20):
    optimizer.zero_grad()
    loss(net(torch.randn(8, 4)), torch.randint(3, (8,))).backward()
    optimizer.step()
    time.sleep(0.05)
