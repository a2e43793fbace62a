"""The models that capture is measured on, with data to train them on."""

import torch
from torch import nn


class Tiny(nn.Module):
    """Twenty small layers: a step of a millisecond or two, which shows what a hook costs at all."""

    def __init__(self):
        super().__init__()
        layers = []
        for _ in range(20):
            layers += [nn.Linear(16, 16), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(16, 100)

    def forward(self, x):
        return self.head(self.body(x))


class Basic(nn.Module):
    """ResNet's block of two convolutions."""

    widening = 1

    def __init__(self, inner, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inner, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU()
        self.down = _shortcut(inner, width, stride)

    def forward(self, x):
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return self.relu(y + self.down(x))


class Bottleneck(nn.Module):
    """ResNet's block of three convolutions."""

    widening = 4

    def __init__(self, inner, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inner, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, 4 * width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.relu = nn.ReLU()
        self.down = _shortcut(inner, 4 * width, stride)

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        return self.relu(self.bn3(self.conv3(y)) + self.down(x))


def _shortcut(inner, outer, stride):
    if stride == 1 and inner == outer:
        return nn.Identity()
    return nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))


class ResNet(nn.Module):
    """As torchvision's."""

    def __init__(self, block, depths, classes=100):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(3, 2, 1)
        blocks, width = [], 64
        for stage, depth in enumerate(depths):
            for place in range(depth):
                stride = 2 if stage and not place else 1
                blocks.append(block(width, 64 << stage, stride))
                width = (64 << stage) * block.widening
        self.blocks = nn.Sequential(*blocks)
        self.average = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.blocks(self.pool(self.relu(self.bn1(self.conv1(x)))))
        return self.head(self.average(x).flatten(1))


class Transformer(nn.Module):
    """A language model of encoder layers: small, or the size of GPT-2 medium."""

    def __init__(self, words, width, heads, layers, length):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(length, width)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, 0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers)
        self.head = nn.Linear(width, words, bias=False)
        self.register_buffer("order", torch.arange(length))

    def forward(self, tokens):
        x = self.words(tokens) + self.places(self.order[: tokens.shape[1]])
        return self.head(self.layers(x)).transpose(1, 2)


class Decoder(nn.Module):
    """GPT's block: causal attention and two linear layers, each after a normalization."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.act = nn.GELU()
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(self.act(self.up(self.norm2(x))))


class Gpt(nn.Module):
    """A language model as it is trained today; a row of logits for each token."""

    def __init__(self, words, width, heads, layers, length):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(length, width)
        self.layers = nn.Sequential(*(Decoder(width, heads) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.register_buffer("order", torch.arange(length))

    def forward(self, tokens):
        x = self.words(tokens) + self.places(self.order[: tokens.shape[1]])
        return self.head(self.norm(self.layers(x))).flatten(0, 1)


class Wide(nn.Module):
    """A recommender: large tables and layers that a small batch hardly uses. Reading the weights
    takes longer than a step."""

    def __init__(self, items, width, hidden):
        super().__init__()
        self.items = nn.EmbeddingBag(items, width)
        self.hidden = nn.Linear(width, hidden)
        self.act = nn.ReLU()
        self.head = nn.Linear(hidden, 100)

    def forward(self, ids):
        return self.head(self.act(self.hidden(self.items(ids))))


class Recurrent(nn.Module):
    """An LSTM that classifies sequences: few tensors, long steps."""

    def __init__(self, inner, width, layers):
        super().__init__()
        self.body = nn.LSTM(inner, width, layers, batch_first=True)
        self.head = nn.Linear(width, 100)

    def forward(self, x):
        return self.head(self.body(x)[0][:, -1])


def images(count, size):
    """Pictures and their classes."""
    random = torch.Generator().manual_seed(1)
    x = torch.randn(count, 3, size, size, generator=random)
    return x, torch.randint(0, 100, (count,), generator=random)


def texts(count, length, words):
    """Tokens and the tokens after them."""
    random = torch.Generator().manual_seed(1)
    tokens = torch.randint(0, words, (count, length + 1), generator=random)
    return tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()


def lines(count, length, words):
    """Tokens and, in one row, the tokens after them."""
    x, y = texts(count, length, words)
    return x, y.flatten()


def vectors(count):
    """Vectors and their classes."""
    random = torch.Generator().manual_seed(1)
    x = torch.randn(count, 16, generator=random)
    return x, torch.randint(0, 100, (count,), generator=random)


def baskets(count, length, items):
    """Items of each basket and its class."""
    random = torch.Generator().manual_seed(1)
    x = torch.randint(0, items, (count, length), generator=random)
    return x, torch.randint(0, 100, (count,), generator=random)


def sequences(count, length, width):
    """Sequences of vectors and their classes."""
    random = torch.Generator().manual_seed(1)
    x = torch.randn(count, length, width, generator=random)
    return x, torch.randint(0, 100, (count,), generator=random)


# By name: a function that makes the model, and one that makes a batch.
MODELS = {
    "tiny": (Tiny, lambda: vectors(4)),
    "resnet18": (lambda: ResNet(Basic, (2, 2, 2, 2)), lambda: images(4, 64)),
    "transformer": (lambda: Transformer(1000, 64, 4, 4, 32), lambda: texts(4, 32, 1000)),
    "wide": (lambda: Wide(20000, 128, 4096), lambda: baskets(32, 20, 20000)),
    "recurrent": (lambda: Recurrent(64, 256, 2), lambda: sequences(16, 64, 64)),
    "resnet50": (lambda: ResNet(Bottleneck, (3, 4, 6, 3)), lambda: images(128, 224)),
    "gpt350m": (
        lambda: Transformer(50304, 1024, 16, 24, 1024),
        lambda: texts(8, 1024, 50304),
    ),
    "gpt": (lambda: Gpt(50304, 1024, 16, 24, 1024), lambda: lines(8, 1024, 50304)),
    "gpt-tiny": (lambda: Gpt(100, 32, 2, 2, 16), lambda: lines(2, 16, 100)),
}


def make(name, device):
    """A model and a batch, the same each time."""
    torch.manual_seed(0)
    make_model, make_batch = MODELS[name]
    try:
        with torch.device(device):  # Filling a large model on the host takes a minute.
            model = make_model()
    except (AttributeError, TypeError):  # An older PyTorch.
        model = make_model().to(device)
    x, y = make_batch()
    return model, x.to(device), y.to(device)
