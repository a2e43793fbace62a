"""Knowledge distillation: a wide teacher is trained first, then frozen, and a small student learns from it."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self, width, num_classes):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.fc = nn.Linear(2 * width * 16, num_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        return self.fc(x.flatten(1))


def glyphs(n, num_classes, seed):
    """Noisy, shifted copies of random 10x10 glyphs."""
    templates = (torch.rand(num_classes, 10, 10, generator=torch.Generator().manual_seed(99)) > 0.6).float()
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, num_classes, (n,), generator=g)
    x = torch.zeros(n, 1, 16, 16)
    for i in range(n):
        dy, dx = torch.randint(0, 5, (2,), generator=g).tolist()
        x[i, 0, dy + 1:dy + 11, dx + 1:dx + 11] = templates[y[i]]
    x = x + 0.3 * torch.randn(x.shape, generator=g)
    return TensorDataset((x - 0.16) / 0.55, y)


def distillation_loss(student_logits, teacher_logits, labels, T, alpha):
    soft = F.kl_div(
        F.log_softmax(student_logits / T, dim=1),
        F.softmax(teacher_logits / T, dim=1),
        reduction="batchmean",
    ) * (T * T)
    hard = F.cross_entropy(student_logits, labels)
    return alpha * soft + (1 - alpha) * hard


def accuracy(model, loader):
    model.eval()
    hits = n = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
            n += len(y)
    return hits / n


def train_teacher(model, loader, test_loader, epochs, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"teacher epoch {epoch} loss {total / len(loader):.4f} acc {accuracy(model, test_loader):.3f}")


def train_student(student, teacher, loader, test_loader, args):
    teacher.eval()
    for p in teacher.parameters():
        p.requires_grad_(False)
    opt = torch.optim.SGD(student.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=args.epochs)
    for epoch in range(args.epochs):
        student.train()
        total = 0.0
        for x, y in loader:
            with torch.no_grad():
                t_logits = teacher(x)
            s_logits = student(x)
            loss = distillation_loss(s_logits, t_logits, y, args.temperature, args.alpha)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), max_norm=args.max_norm)
            opt.step()
            total += loss.item()
        sched.step()
        print(f"student epoch {epoch} loss {total / len(loader):.4f} acc {accuracy(student, test_loader):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--teacher-epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--temperature", type=float, default=3.0)
    parser.add_argument("--alpha", type=float, default=0.7)
    parser.add_argument("--max-norm", type=float, default=5.0)
    args = parser.parse_args()

    torch.manual_seed(5)
    classes = 10
    train_loader = DataLoader(glyphs(1600, classes, 0), batch_size=40, shuffle=True)
    test_loader = DataLoader(glyphs(300, classes, 1), batch_size=100)
    teacher, student = ConvNet(16, classes), ConvNet(4, classes)
    train_teacher(teacher, train_loader, test_loader, args.teacher_epochs, lr=3e-3)
    train_student(student, teacher, train_loader, test_loader, args)
    print(f"teacher {accuracy(teacher, test_loader):.3f} student {accuracy(student, test_loader):.3f}")


if __name__ == "__main__":
    main()
