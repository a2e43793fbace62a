"""Requests to the job service, made up from Amazon's model of them.

`requests(seed)` gives requests without end: such as the model allows, such with one or more faults,
and bytes that are no request at all. The same seed gives the same requests.
"""

import json
import random
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

SHAPES_FILE = Path(__file__).resolve().parents[2] / "warden/sagemaker/model/shapes.json"

# Texts that each pattern of the model matches.
HUB = "arn:aws:sagemaker:us-east-1:123456789012:hub-content/hub"
ARN = "arn:aws:sagemaker:us-east-1:123456789012:"
SAMPLES: Dict[str, List[str]] = {
    ".*": ["", "plain", "é 😀 \t~", "a" * 40],
    ".+": ["x", "Some.Name", "é 😀"],
    r"[\s\S]+": ["select 1", "line\nbreak"],
    r"[\S\s]*": ["", "any\nlines\r\n", "é"],
    "[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}": ["a", "job-1", "A--b-9", "x" * 63],
    "[a-zA-Z0-9](-*[a-zA-Z0-9]){0,119}": ["a", "trial-1"],
    "[a-zA-Z0-9]([_-]*[a-zA-Z0-9]){0,63}": ["group_1"],
    r"(arn:aws[a-z\-]*:sagemaker:[a-z0-9\-]*:[0-9]{12}:[a-z\-]*\/)?"
    r"([a-zA-Z0-9]([a-zA-Z0-9-]){0,62})(?<!-)": ["algorithm", ARN + "algorithm/mine"],
    r"[A-Za-z0-9\.\-_]+": ["train", "a.b-c_d"],
    r"arn:aws[a-z\-]*:sagemaker:[a-z0-9\-]{9,16}:[0-9]{12}:model-package/[\S]{1,2048}": [
        ARN + "model-package/p"
    ],
    r"arn:aws[a-z\-]*:sagemaker:[a-z0-9\-]{9,16}:[0-9]{12}:model-package-group/[\S]{1,2048}": [
        ARN + "model-package-group/g"
    ],
    r"([\p{L}\p{Z}\p{N}_.:/=+\-@]*)": ["key", "ключ 1", "a_b.c:/=+-@"],
    "(https|s3)://([^/]+)/?(.*)": ["s3://bucket", "s3://bucket/a/b c", "https://host/é"],
    r"arn:aws[a-z\-]*:iam::\d{12}:role/?[a-zA-Z_0-9+=,.@\-_/]+": [
        "arn:aws:iam::123456789012:role/Demo",
        "arn:aws-cn:iam::123456789012:role/path/R+1",
    ],
    r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\t]*": ["catalog", "a\t😀"],
    "(fs-[0-9a-f]{8,})": ["fs-0123abcd"],
    r"arn:aws[a-z\-]*:sagemaker:[a-z0-9\-]*:[0-9]{12}:training-plan/.*": [
        ARN + "training-plan/plan-of-some-length"
    ],
    r"[a-zA-Z0-9\-]+": ["demo", "A-1"],
    r"(arn:[a-z0-9-\.]{1,63}:sagemaker:\w+(?:-\w+)+:(\d{12}|aws):hub-content\/)"
    r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}\/DataSet\/[a-zA-Z0-9](-*[a-zA-Z0-9]){0,63}"
    r"(\/\d{1,4}.\d{1,4}.\d{1,4})?": [HUB + "/DataSet/d/1.0.0"],
    r"(arn:[a-z0-9-\.]{1,63}:sagemaker:\w+(?:-\w+)+:(\d{12}|aws):hub-content\/)"
    r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}\/Model\/[a-zA-Z0-9](-*[a-zA-Z0-9]){0,63}"
    r"(\/\d{1,4}.\d{1,4}.\d{1,4})?": [HUB + "/Model/m"],
    "[-0-9a-zA-Z]+": ["subnet-1", "sg-0a"],
    r"arn:[\p{Alnum}\-]+:lambda:[\p{Alnum}\-]+:[0-9]{12}:function:.*": [
        "arn:aws:lambda:us-east-1:123456789012:function:f"
    ],
    r"arn:aws[a-z\-]*:sagemaker:[a-z0-9\-]*:[0-9]{12}:mlflow-[a-zA-Z-]*/.*": [
        ARN + "mlflow-tracking-server/s"
    ],
    "[a-zA-Z_][a-zA-Z0-9_]*": ["NAME", "_a1"],
    "[a-zA-Z0-9:/_-]*": ["", "alias/key"],
    r"\d+K": ["1K", "128K"],
    "arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{12}:.+": [ARN + "training-job/demo"],
    "[a-zA-Z0-9._-]+": ["primary"],
}

MODEL = json.loads(SHAPES_FILE.read_text(encoding="utf-8"))
SHAPES = MODEL["shapes"]
OPERATIONS = sorted(MODEL["operations"])

Place = Tuple[Any, Any, str]  # What holds a value, under which key, and the shape's name.
Fault = Callable[["Maker", Any, Dict[str, Any]], Any]


class Maker:
    """Makes values that the model allows, and remembers where each of them is."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.places: List[Place] = []

    def text(self, shape: Dict[str, Any]) -> str:
        if "enum" in shape:
            return self.random.choice(shape["enum"])
        low, high = shape.get("min", 0), shape.get("max", 64)
        fitting = [
            sample for sample in SAMPLES[shape.get("pattern", ".*")] if low <= len(sample) <= high
        ]
        if fitting:
            return self.random.choice(fitting)
        if "pattern" in shape and shape["pattern"] not in (".*", ".+"):
            raise ValueError(f"no sample of {shape['pattern']} has {low} to {high} letters")
        return "x" * low

    def value(self, name: str, depth: int) -> Any:
        shape = SHAPES[name]
        kind = shape["type"]
        if kind == "structure":
            return self.structure(shape, depth)
        if kind == "list":
            return self.list(shape, depth)
        if kind == "map":
            return self.map(shape, depth)
        if kind == "string":
            return self.text(shape)
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "timestamp":
            return self.random.choice([0, 1794701262, 1794701262.904, -1])
        low = shape.get("min", 0)
        return self.random.randint(low, min(shape.get("max", low + 1000), low + 1000))

    def structure(self, shape: Dict[str, Any], depth: int) -> Dict[str, Any]:
        made: Dict[str, Any] = {}
        for name, member in shape["members"].items():
            needed = name in shape.get("required", [])
            if needed or self.random.random() < 0.4 / depth:
                made[name] = self.value(member["shape"], depth + 1)
                self.places.append((made, name, member["shape"]))
        return made

    def list(self, shape: Dict[str, Any], depth: int) -> List[Any]:
        low = shape.get("min", 0)
        items = shape["member"]["shape"]
        made = [
            self.value(items, depth + 1)
            for _ in range(self.random.randint(low, min(shape.get("max", 3), low + 2)))
        ]
        self.places.extend((made, index, items) for index in range(len(made)))
        return made

    def map(self, shape: Dict[str, Any], depth: int) -> Dict[str, Any]:
        made: Dict[str, Any] = {}
        for _ in range(self.random.randint(shape.get("min", 0), 3)):
            key = self.text(SHAPES[shape["key"]["shape"]])
            made[key] = self.value(shape["value"]["shape"], depth + 1)
            self.places.append((made, key, shape["value"]["shape"]))
        return made


def too_long(maker: Maker, value: Any, shape: Dict[str, Any]) -> Any:
    if isinstance(value, str):
        return "x" * min(shape.get("max", 5000) + 1, 20000)
    if isinstance(value, list):
        return (value or ["x"]) * 120
    if isinstance(value, dict):
        return {**value, **{f"key{i}": "x" for i in range(120)}}
    return 2**31 + 5


FAULTS: Dict[str, Fault] = {
    "null": lambda maker, value, shape: None,
    "a number": lambda maker, value, shape: maker.random.choice([0, -1, 1e300, 2**63, 1.5]),
    "a text": lambda maker, value, shape: maker.random.choice(["", "?", "a\nb", "\x00", "😀" * 50]),
    "a list": lambda maker, value, shape: [[], {}, value],
    "an object": lambda maker, value, shape: {"": {"deep": [value]}},
    "a boolean": lambda maker, value, shape: maker.random.random() < 0.5,
    "too long": too_long,
}


def valid(maker: Maker) -> Tuple[str, Any]:
    operation = maker.random.choice(OPERATIONS)
    maker.places = []
    return operation, maker.value(MODEL["operations"][operation]["input"], 1)


def mutated(maker: Maker) -> Tuple[str, Any, str]:
    operation, body = valid(maker)
    told = []
    for _ in range(maker.random.randint(1, 3)):
        if not maker.places:
            break
        holder, key, name = maker.random.choice(maker.places)
        kind = maker.random.choice(sorted(FAULTS))
        holder[key] = FAULTS[kind](maker, holder[key], SHAPES[name])
        told.append(f"{key}: {kind}")
    if maker.random.random() < 0.2 and body:
        gone = maker.random.choice(sorted(body))
        del body[gone]
        told.append(f"{gone}: absent")
    if maker.random.random() < 0.1:
        body["NobodyKnowsThis"] = {"x": [1, None]}
        told.append("an unknown member")
    return operation, body, ", ".join(told) or "nothing to change"


def hostile(maker: Maker) -> Tuple[bytes, str]:
    choice = maker.random.randrange(9)
    _, body = valid(maker)
    text = json.dumps(body).encode()
    if choice == 0:
        return text[: maker.random.randrange(len(text))], "cut short"
    if choice == 1:
        return b"[" * 100_000, "nested without end"
    if choice == 2:
        return b'{"a":' * 5000 + b"1" + b"}" * 5000, "deep objects"
    if choice == 3:
        size = maker.random.randrange(2000)
        return bytes(maker.random.getrandbits(8) for _ in range(size)), "random bytes"
    if choice == 4:
        return text.replace(b'"', b'"\xff\xfe', 2), "not UTF-8"
    if choice == 5:
        return b'{"TrainingJobName": NaN, "MaxResults": 1e999999}', "numbers that are none"
    if choice == 6:
        return b'{"a": 1, "a": 2, "TrainingJobName": "x", "TrainingJobName": ["y"]}', "keys twice"
    if choice == 7:
        position = maker.random.randrange(len(text))
        flipped = bytes([text[position] ^ (1 << maker.random.randrange(8))])
        return text[:position] + flipped + text[position + 1 :], "a bit flipped"
    many = ", ".join(f'"k{i}": "v"' for i in range(20_000))
    return ('{"HyperParameters": {' + many + "}}").encode(), "very many keys"


def requests(seed: int) -> Iterator[Tuple[str, bytes, str]]:
    """(X-Amz-Target, body, what is the matter with it: "valid" if nothing)."""
    maker = Maker(seed)
    while True:
        kind = maker.random.random()
        if kind < 0.4:
            operation, body = valid(maker)
            yield f"SageMaker.{operation}", json.dumps(body).encode(), "valid"
        elif kind < 0.85:
            operation, body, what = mutated(maker)
            yield f"SageMaker.{operation}", json.dumps(body).encode(), f"mutated: {what}"
        elif kind < 0.98:
            data, what = hostile(maker)
            yield f"SageMaker.{maker.random.choice(OPERATIONS)}", data, f"hostile: {what}"
        else:
            target = maker.random.choice(["", "SageMaker.", "SageMaker.Nothing", "Other.List", "é"])
            yield target, b"{}", "hostile: unknown target"
