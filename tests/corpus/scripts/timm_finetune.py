# needs: timm
"""Train a small timm ViT on drawn shapes, then fine-tune its head on a new set of classes."""
import argparse

import timm
import torch
import torch.nn as nn
from timm.loss import LabelSmoothingCrossEntropy
from timm.scheduler import CosineLRScheduler

SIZE = 20


def draw_shapes(n, seed, classes):
    """Grey images 0-255: 0 disc, 1 frame, 2 cross, 3 stripes."""
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    images = torch.zeros(n, 1, SIZE, SIZE)
    labels = torch.randint(0, len(classes), (n,), generator=g)
    for i in range(n):
        cy, cx = torch.randint(8, SIZE - 7, (2,), generator=g).tolist()
        r = int(torch.randint(4, 8, (1,), generator=g))
        dy, dx = (yy - cy).abs(), (xx - cx).abs()
        kind = classes[int(labels[i])]
        if kind == 0:
            shape = dy**2 + dx**2 <= r**2
        elif kind == 1:
            shape = (torch.maximum(dy, dx) <= r) & (torch.maximum(dy, dx) >= r - 2)
        elif kind == 2:
            shape = ((dy <= 1) & (dx <= r)) | ((dx <= 1) & (dy <= r))
        else:
            shape = (torch.maximum(dy, dx) <= r) & (yy % 3 == 0)
        images[i, 0] = 150.0 * shape
    return (images + 40 + 10 * torch.randn(images.shape, generator=g)).clamp(0, 255), labels


def normalise(images):
    return (images / 255.0 - 0.25) / 0.25


def run_epoch(model, data, criterion, optimizer, scheduler, step, batch):
    model.train()
    x, y = data
    total = 0.0
    for idx in torch.randperm(len(x)).split(batch):
        output = model(x[idx])
        loss = criterion(output, y[idx])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        scheduler.step_update(step)
        total += loss.item() * len(idx)
    return total / len(x), step


@torch.no_grad()
def accuracy(model, data):
    model.eval()
    return (model(data[0]).argmax(1) == data[1]).float().mean().item()


def fit(model, params, train, test, epochs, lr, args, name):
    optimizer = torch.optim.AdamW(params, lr=lr, weight_decay=0.05)
    steps = epochs * -(-len(train[0]) // args.batch)
    scheduler = CosineLRScheduler(optimizer, t_initial=steps, lr_min=1e-5, warmup_t=15,
                                  warmup_lr_init=1e-5, t_in_epochs=False)
    criterion, step = LabelSmoothingCrossEntropy(0.1), 0
    for epoch in range(epochs):
        loss, step = run_epoch(model, train, criterion, optimizer, scheduler, step, args.batch)
        print(f"{name} epoch {epoch}: loss {loss:.4f} accuracy {accuracy(model, test):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(9)
    model = timm.create_model(
        "vit_tiny_patch16_224", pretrained=False, img_size=SIZE, patch_size=4, in_chans=1,
        num_classes=3, embed_dim=36, depth=3, num_heads=3, init_values=1e-1, drop_path_rate=0.05,
    )
    x, y = draw_shapes(1400, 1, [0, 1, 2])
    x = normalise(x)
    train, test = (x[:1200], y[:1200]), (x[1200:], y[1200:])
    fit(model, model.parameters(), train, test, args.epochs, args.lr, args, "train")

    # A new head for two other classes; the body stays as it is.
    model.reset_classifier(2)
    for name, p in model.named_parameters():
        p.requires_grad = name.startswith("head")
    x, y = draw_shapes(900, 2, [3, 0])
    x = normalise(x)
    head = [p for p in model.parameters() if p.requires_grad]
    fit(model, head, (x[:700], y[:700]), (x[700:], y[700:]), 4, 1e-2, args, "head")


if __name__ == "__main__":
    main()
