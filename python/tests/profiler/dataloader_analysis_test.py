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


def analysis_of(rows, aligned, tmp_path):
    shutil.copytree(f"{aligned}/system", tmp_path / "system")
    folder = tmp_path / "framework/pevents/2026111501"
    folder.mkdir(parents=True)
    path = folder / f"{BASE_US + 25000}_7-algo-1_pythontimeline.json"
    path.write_text(json.dumps(rows))
    return PT_dataloader_analysis(PandasFrame(str(tmp_path)))


@pytest.fixture
def loaders(aligned, tmp_path):
    return analysis_of(list(events()), aligned, tmp_path)


def test_initialization(loaders, capsys):
    assert loaders.analyze_dataloaderIter_initialization() is None
    printed = capsys.readouterr().out
    assert "_MultiProcessingDataLoaderIter.__init__ with 2 workers, pin_memory True:" in printed
    assert "1 initializations: median 4.000 ms, maximum 4.000 ms; 0 took" in printed


def test_waits(loaders, capsys):
    slow = loaders.analyze_dataloader_getnext()
    assert slow["step"].tolist() == [3]
    assert slow["duration_us"].tolist() == [900]
    assert list(slow.columns[:4]) == ["start_time", "end_time", "duration_us", "worker_id"]
    assert "10 GetNext calls: median 0.100 ms, maximum 0.900 ms; 1 took" in capsys.readouterr().out


def test_workers(loaders, capsys):
    slow = loaders.analyze_dataloaderWorkers()
    assert slow[["worker_id", "pid", "duration_us"]].values.tolist() == [[0, 8, 700]]
    # From the first task of a process to the end of its last one.
    want = "2 worker processes: median 13.500 ms, maximum 13.700 ms; 0 took"
    assert want in capsys.readouterr().out


def test_slow_initializations_are_listed(aligned, tmp_path, capsys):
    rows = list(events())
    first = next(row for row in rows if row["name"].endswith("__init__"))
    for number in range(1, 4):
        rows.append({**first, "ts": 30_000 * number, "dur": 4000 if number < 3 else 9000})
    loaders = analysis_of(rows, aligned, tmp_path)
    loaders.analyze_dataloaderIter_initialization()
    printed = capsys.readouterr().out
    assert "4 initializations: median 4.000 ms, maximum 9.000 ms; 1 took" in printed
    assert "on algo-1-7: 9.000 ms" in printed


def test_batch_times(loaders, capsys):
    slow = loaders.analyze_batchtime()
    assert slow[["step", "BatchTime_in_seconds"]].values.tolist() == [[6, 0.006]]
    (row,) = slow.itertuples(index=False)
    assert (row.start_time - row.previous_batch_start).total_seconds() == 0.006
    printed = capsys.readouterr().out
    assert "9 batches: median 1.000 ms, maximum 6.000 ms; 1 took" in printed
    assert "CPUUtilization cpu0:" in printed, "what the machine did meanwhile"
    assert "DataLoaderIter: 0.100 ms" in printed, "where the time was spent"


def test_batch_times_in_a_window(loaders, capsys):
    start, end = BASE_US + 10_000, BASE_US + 30_000
    slow = loaders.analyze_batchtime(start, end, select_events=["total"], select_dimensions=["CPU"])
    assert slow["BatchTime_in_seconds"].tolist() == [0.006]
    assert "CPUUtilization total:" in capsys.readouterr().out
    assert loaders.analyze_batchtime(start, BASE_US + 15_000) is None, "none is slow"
    assert "5 batches" in capsys.readouterr().out


def test_a_window(loaders):
    row = loaders.analyze_batchtime().iloc[0]
    whole = loaders.plot_the_window()
    assert len(whole.sources["CPUUtilization-nodeid:algo-1"]["cpu0"].data["value"]) == 10
    start = row["previous_batch_start"]
    chart = loaders.plot_the_window(start, BASE_US + 40_000, [".*"], ["CPU"])
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
