"""The generator of requests: what it calls valid has all that the model requires."""

import itertools
import json

from generate_requests import MODEL, OPERATIONS, SAMPLES, SHAPES, requests


def test_the_same_seed_gives_the_same_requests():
    first = list(itertools.islice(requests(7), 200))
    assert first == list(itertools.islice(requests(7), 200))
    assert first != list(itertools.islice(requests(8), 200))


def test_every_pattern_of_the_model_has_samples():
    patterns = {shape["pattern"] for shape in used_shapes() if "pattern" in shape}
    assert patterns <= set(SAMPLES)


def test_gives_all_kinds_and_all_operations():
    some = list(itertools.islice(requests(1), 3000))
    assert {what.split(":")[0] for _, _, what in some} == {"valid", "mutated", "hostile"}
    targets = {target for target, _, what in some if what == "valid"}
    assert targets == {f"SageMaker.{operation}" for operation in OPERATIONS}
    for target, body, what in some:
        if what == "valid":
            shape = SHAPES[MODEL["operations"][target.split(".")[1]]["input"]]
            assert set(shape.get("required", [])) <= set(json.loads(body))


def used_shapes():
    """All shapes that a request can hold."""
    waiting = [operation["input"] for operation in MODEL["operations"].values()]
    seen = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        shape = SHAPES[name]
        parts = list(shape.get("members", {}).values())
        parts += [shape[part] for part in ("member", "key", "value") if part in shape]
        waiting.extend(part["shape"] for part in parts)
        yield shape
