"""Merged timelines."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from smdebug.core.access_layer.s3 import TSAccessS3
from smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline, MergeUnit

FIRST_US = 1794705514568837


def load(path):
    return json.loads(Path(path).read_text())


def comparable(events, phases):
    """Events of some kinds as the recorded answers have them, without regard to order."""
    found = Counter()
    for event in events:
        event = {key: value for key, value in event.items() if key != "tid"}
        if event["name"] == "thread_name":
            event["args"] = {"name": event["args"]["name"].rsplit("_", 1)[0]}
        if event["ph"] in phases:
            found[json.dumps(event, sort_keys=True)] += 1
    return found


def test_merging_steps(aligned, tmp_path, expected):
    merged = MergedTimeline(aligned, output_directory=str(tmp_path))
    name = merged.merge_timeline(2, 4, MergeUnit.STEP)
    assert Path(name).parent == tmp_path
    assert name.endswith("_merged_timeline.json")
    events = load(name)
    assert comparable(events, "XMCi") == comparable(expected["merged"]["step"], "XMCi")
    assert load(merged.merge_timeline(2, 4, "step")) == events


def test_merging_time(aligned, tmp_path, expected):
    merged = MergedTimeline(aligned, output_directory=str(tmp_path))
    events = load(merged.merge_timeline(FIRST_US, FIRST_US + 20000))
    assert comparable(events, "XMC") == comparable(expected["merged"]["time"], "XMC")
    times = [event["ts"] for event in events if event["ph"] != "M"]
    assert times == sorted(times)
    (mark,) = (event for event in events if event["ph"] == "i")
    assert len(mark["args"]) == 14


@pytest.mark.parametrize("nothing", [None, {}, ()])
def test_without_marks(aligned, tmp_path, nothing):
    merged = MergedTimeline(aligned, output_directory=str(tmp_path))
    name = merged.merge_timeline(FIRST_US, FIRST_US + 20000, sys_metrics_filter=nothing)
    kinds = Counter(event["ph"] for event in load(name))
    assert kinds["i"] == 0
    assert kinds["C"] == 42


def test_only_spans_and_only_some_files(aligned, tmp_path, expected):
    shutil.copytree(f"{aligned}/framework", tmp_path / "framework")
    name = MergedTimeline(str(tmp_path)).merge_timeline(FIRST_US, FIRST_US + 20000)
    kinds = Counter(event["ph"] for event in load(name))
    assert kinds["X"] == sum(event["ph"] == "X" for event in expected["merged"]["time"])
    assert kinds["C"] == 0
    assert Path(name).parent == tmp_path
    none = MergedTimeline(str(tmp_path), file_suffix_filter=["model_timeline.json"])
    assert load(none.merge_timeline(FIRST_US, FIRST_US + 20000)) == []


def test_units(aligned, tmp_path):
    with pytest.raises(ValueError, match="unit is 'hours'"):
        MergedTimeline(aligned, output_directory=str(tmp_path)).merge_timeline(0, 1, "hours")


def test_no_such_run(tmp_path):
    merged = MergedTimeline(str(tmp_path / "none"), output_directory=str(tmp_path / "out"))
    with pytest.raises(FileNotFoundError, match="cannot open .*none: no such folder"):
        merged.merge_timeline(0, 1)
    assert not (tmp_path / "out").exists()


def test_s3(upload, aligned, s3):
    path = upload(aligned, "job/profiler-output")
    name = MergedTimeline(path).merge_timeline(2, 4, MergeUnit.STEP)
    assert name.startswith(path)
    file = TSAccessS3("bucket", name[len("s3://bucket/") :])
    file.ingest_all()
    assert file.has_data()
    assert len(json.loads(file.read(1 << 20))) == 40
