"""Data loaders of PyTorch: what they cost, and when they were slow."""

import json
import shutil

import pytest

from smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from smdebug.profiler.analysis.utils.pytorch_dataloader_analysis import PT_dataloader_analysis

BASE_US = 1794705514560000
GET_NEXT = "_MultiProcessingDataLoaderIter::GetNext"


def events():
    """Ten batches, each asked for 1000 us after the one before but for the sixth, which the
    training is late for; the fourth takes long. Two workers prepare them."""
    yield {
        "name": "process_name",
        "ph": "M",
        "pid": 0,
        "args": {"start_time_since_epoch_in_micros": BASE_US},
    }
    for pid, name in enumerate(("DataLoaderIterInitialize", "DataLoaderIter", "DataLoaderWorker")):
        yield {"name": "process_name", "ph": "M", "pid": pid + 1, "args": {"name": name}}
    args = {"pid": 7, "worker_id": -1, "num_workers": 2, "pin_memory": True}
    name = "_MultiProcessingDataLoaderIter.__init__"
    yield {"name": name, "ph": "X", "pid": 1, "ts": 0, "dur": 4000, "args": args}
    for batch in range(10):
        at = 10_000 + 1000 * batch + (5000 if batch > 5 else 0)
        args = {**args, "step_num": str(batch)}
        length = 900 if batch == 3 else 100
        yield {"name": GET_NEXT, "ph": "X", "pid": 2, "ts": at, "dur": length, "args": args}
        worker = {"pid": 8 + batch % 2, "worker_id": batch % 2, "bytes_fetched": 4096}
        length = 700 if batch == 8 else 300
        event = {"name": "fetch", "ph": "X", "pid": 3, "ts": at - 500, "dur": length}
        yield {**event, "args": worker}


@pytest.fixture
def loaders(aligned, tmp_path):
    shutil.copytree(f"{aligned}/system", tmp_path / "system")
    folder = tmp_path / "framework/pevents/2026111501"
    folder.mkdir(parents=True)
    path = folder / f"{BASE_US + 25000}_7-algo-1_pythontimeline.json"
    path.write_text(json.dumps(list(events())))
    return PT_dataloader_analysis(PandasFrame(str(tmp_path)))


def test_initialization(loaders, capsys):
    assert loaders.analyze_dataloaderIter_initialization() is None
    printed = capsys.readouterr().out
    assert "_MultiProcessingDataLoaderIter.__init__: 1 times, 4.000 ms on average" in printed
    assert "on algo-1-7: 2 workers, pin_memory True, 4.000 ms" in printed


def test_waits(loaders, capsys):
    slow = loaders.analyze_dataloader_getnext()
    assert slow["step"].tolist() == [3]
    assert slow["duration_us"].tolist() == [900]
    assert "10 batch waits: median 0.100 ms, longest 0.900 ms; 1 took" in capsys.readouterr().out


def test_workers(loaders, capsys):
    slow = loaders.analyze_dataloaderWorkers()
    assert slow[["worker_id", "pid", "duration_us"]].values.tolist() == [[0, 8, 700]]
    assert "2 worker processes." in capsys.readouterr().out


def test_batch_times(loaders):
    slow = loaders.analyze_batchtime()
    assert slow[["step", "BatchTime_in_us"]].values.tolist() == [[5, 6000]]


def test_a_window(loaders):
    row = loaders.analyze_batchtime().iloc[0]
    chart = loaders.plot_the_window(row["start_time"], BASE_US + 40_000, [".*"], ["CPU"])
    assert isinstance(chart, TimelineCharts)
    data = chart.sources["CPUUtilization-nodeid:algo-1"]["cpu0"].data
    assert len(data["value"]) == 4
    figures = chart.plot_detailed_profiler_data([0, 1, 2, 3]).children
    assert [figure.title.text for figure in figures] == ["Spans", "Data loading"]
    rows = set(chart.plot_dataloaders().renderers[0].data_source.data["row"])
    assert {"worker 0 (pid 8, algo-1-7)", "worker 1 (pid 9, algo-1-7)"} < rows


def test_a_run_without_loaders(aligned, capsys):
    loaders = PT_dataloader_analysis(PandasFrame(aligned))
    assert loaders.analyze_dataloaderIter_initialization() is None
    assert loaders.analyze_dataloaderWorkers() is None
    assert loaders.analyze_dataloader_getnext() is None
    assert loaders.analyze_batchtime() is None
    assert capsys.readouterr().out.count("The timelines contain no") == 4
