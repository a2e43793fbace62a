"""Single-object detector on synthetic scenes.

For every image the network predicts: is there an object at all (objectness), its class,
and its box (cx, cy, w, h in relative units).  total = w_obj*obj + w_cls*cls + w_box*box
"""
import argparse
import json
import os
import tempfile
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

S = 32
NUM_CLASSES = 3


def make_scenes(n, seed):
    g = torch.Generator().manual_seed(seed)
    rand = lambda *shape: torch.rand(*shape, generator=g)
    images = 0.25 * torch.randn(n, 3, S, S, generator=g)
    has_obj = (rand(n) < 0.85).float()
    classes = torch.randint(0, NUM_CLASSES, (n,), generator=g)
    wh = 8 + 10 * rand(n, 2)
    cxy = wh / 2 + rand(n, 2) * (S - wh)
    yy, xx = torch.meshgrid(torch.arange(S).float(), torch.arange(S).float(), indexing="ij")
    for i in range(n):
        if has_obj[i]:
            inside = ((xx - cxy[i, 0]).abs() <= wh[i, 0] / 2) & ((yy - cxy[i, 1]).abs() <= wh[i, 1] / 2)
            if classes[i] == 1:  # a frame: hollow
                inside &= ~(((xx - cxy[i, 0]).abs() <= wh[i, 0] / 2 - 2) & ((yy - cxy[i, 1]).abs() <= wh[i, 1] / 2 - 2))
            if classes[i] == 2:  # chequered
                inside &= ((xx.long() // 2 + yy.long() // 2) % 2) == 0
            images[i, :, inside] += 1.0 + 0.5 * rand(3, 1)
    boxes = torch.cat([cxy, wh], 1) / S
    return TensorDataset(images, has_obj, classes, boxes)


class Detector(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        def stage(i, o):
            return nn.Sequential(nn.Conv2d(i, o, 3, stride=2, padding=1), nn.BatchNorm2d(o), nn.LeakyReLU(0.1))
        self.backbone = nn.Sequential(stage(3, ch), stage(ch, 2 * ch), stage(2 * ch, 4 * ch))
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(4 * ch * 16, 64), nn.ReLU())
        self.obj_head = nn.Linear(64, 1)
        self.cls_head = nn.Linear(64, NUM_CLASSES)
        self.box_head = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 4))
        nn.init.zeros_(self.box_head[-1].weight)  # start from the mean box
        nn.init.constant_(self.box_head[-1].bias, 0.0)

    def forward(self, x):
        f = self.neck(self.backbone(x))
        return self.obj_head(f), self.cls_head(f), self.box_head(f).sigmoid()


def compute_losses(preds, has_obj, classes, boxes, weights):
    obj_logit, cls_logit, box = preds
    pos = has_obj > 0.5
    obj_loss = F.binary_cross_entropy_with_logits(obj_logit.squeeze(1), has_obj)
    cls_loss = F.cross_entropy(cls_logit[pos], classes[pos])
    box_loss = F.smooth_l1_loss(box[pos], boxes[pos], beta=0.05)
    total = weights["obj"] * obj_loss + weights["cls"] * cls_loss + weights["box"] * box_loss
    return total, {"obj": obj_loss.item(), "cls": cls_loss.item(), "box": box_loss.item(), "total": total.item()}


def box_iou(a, b):
    lt = torch.max(a[:, :2] - a[:, 2:] / 2, b[:, :2] - b[:, 2:] / 2)
    rb = torch.min(a[:, :2] + a[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2)
    inter = (rb - lt).clamp(min=0).prod(1)
    return inter / (a[:, 2:].prod(1) + b[:, 2:].prod(1) - inter)


@torch.no_grad()
def validate(model, loader):
    model.eval()
    iou, acc, n = 0.0, 0.0, 0
    for images, has_obj, classes, boxes in loader:
        _, cls_logit, box = model(images)
        pos = has_obj > 0.5
        iou += box_iou(box[pos], boxes[pos]).sum().item()
        acc += (cls_logit[pos].argmax(1) == classes[pos]).sum().item()
        n += int(pos.sum())
    return {"mean_iou": iou / n, "cls_acc": acc / n}


def main(args):
    torch.manual_seed(args.seed)
    train_loader = DataLoader(make_scenes(1200, 1), batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(make_scenes(200, 2), batch_size=100)
    model = Detector()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.epochs * len(train_loader))
    weights = {"obj": 1.0, "cls": 1.0, "box": 5.0}
    out_dir = tempfile.mkdtemp(prefix="detector_")
    for epoch in range(args.epochs):
        model.train()
        sums = defaultdict(float)
        for images, has_obj, classes, boxes in train_loader:
            total, parts = compute_losses(model(images), has_obj, classes, boxes, weights)
            optimizer.zero_grad()
            total.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
            optimizer.step()
            scheduler.step()
            for k, v in parts.items():
                sums[k] += v / len(train_loader)
        metrics = {k: round(v, 4) for k, v in {**sums, **validate(model, val_loader)}.items()}
        print(json.dumps({"epoch": epoch, **metrics}))
        torch.save({"model": model.state_dict(), "epoch": epoch}, os.path.join(out_dir, "last.pt"))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
