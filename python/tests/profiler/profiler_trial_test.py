"""Runs as profiler rules see them."""

import time

import pytest

from smdebug.exceptions import NoMoreProfilerData
from tensorwarden.profiler.trial import ProfilerTrial


@pytest.fixture
def trial(aligned, tmp_path):
    return ProfilerTrial("aligned", aligned, str(tmp_path / "out"))


def test_a_run_with_data(trial, tmp_path):
    assert trial.first_timestamp == 1794705480000000
    assert trial.get_latest_timestamp() == 1794705480000000
    assert trial.temp_dir == tmp_path / "out/.sagemaker-ignore"
    assert trial.temp_dir.is_dir()
    assert len(trial.get_system_metrics(0, 1 << 62)) == 140
    assert len(trial.get_framework_metrics(0, 1 << 62)) == 96
    assert not trial.job_finished()
    trial.wait_for_data(1794705479000000, 0)


def test_s3(upload, aligned, tmp_path, s3):
    path = upload(aligned, "job")
    trial = ProfilerTrial("aligned", path, str(tmp_path))
    assert len(trial.get_system_metrics(0, 1 << 62)) == 140
    s3.put_object(Bucket="bucket", Key="job/system/training_job_end.ts", Body=b"")
    assert trial.job_finished()


def test_the_end(tmp_path):
    (tmp_path / "framework").mkdir()
    (tmp_path / "framework/training_job_end.ts").touch()
    # No data and no more to come: the constructor does not wait.
    trial = ProfilerTrial("empty", str(tmp_path), str(tmp_path / "out"))
    assert trial.first_timestamp == 0
    with pytest.raises(NoMoreProfilerData):
        trial.wait_for_data(10, 5)


def test_rules_are_told_to_stop(trial, aligned, monkeypatch, tmp_path):
    signal = tmp_path / "signal"
    monkeypatch.setenv("SAGEMAKER_ENV_RULE_STOP_SIGNAL_FILE", str(signal))
    assert not trial.job_finished()
    signal.write_text(str(int(time.time())))
    assert not trial.job_finished()
    signal.write_text(str(int(time.time()) - 100))
    assert trial.job_finished()
    trial.wait_for_data(1 << 62, 1794705479000000)
    with pytest.raises(NoMoreProfilerData):
        trial.wait_for_data(1 << 62, 1794705480000000)


def test_data_that_comes_later(aligned, tmp_path, monkeypatch):
    import shutil

    waits = []

    def wait(seconds):
        waits.append(seconds)
        shutil.copytree(f"{aligned}/framework", tmp_path / "framework")

    monkeypatch.setattr("tensorwarden.profiler.trial.time.sleep", wait)
    trial = ProfilerTrial("late", str(tmp_path), str(tmp_path / "out"))
    assert waits == [10]
    assert trial.first_timestamp == 1794705514619539
