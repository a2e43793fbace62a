"""Every profiler rule finds the fault that it is made for in what a profiler saved, and nothing in
the healthy twin."""

import json
import subprocess
from pathlib import Path

import pytest
from machines import Machine

ROOT = Path(__file__).resolve().parents[2]
WARDEN = ROOT / "build" / "bin" / "warden"


def small_batch(machine, faulty):
    machine.sample(1600, cpu=30, gpu=(40, 40), gpu_memory=(30, 30) if faulty else (90, 90))


def busy_cpu(machine, faulty):
    machine.sample(1600, cpu=97, gpu=(3, 60) if faulty else (95, 95), noise=1)


def waiting_for_disk(machine, faulty):
    machine.sample(1600, cpu=20, io_wait=70 if faulty else 1, gpu=(4,), noise=1)


def memory_jump(machine, faulty):
    machine.sample(
        1600, gpu=(90,), gpu_memory=lambda n: (40,) if faulty and n > 1200 else (20,), noise=0.5
    )


def memory_leak(machine, faulty):
    """Too slow for two windows side by side, plain over the whole run."""
    machine.sample(1600, gpu=(90,), gpu_memory=lambda n: (20 + n / 100 if faulty else 20,), noise=1)


def one_gpu_does_all(machine, faulty):
    machine.sample(1600, gpu=(95, 15) if faulty else (92, 95))


def idle_gpu(machine, faulty):
    machine.sample(1600, gpu=(20,) if faulty else (95,))


def fluctuating_gpu(machine, faulty):
    machine.sample(1600, gpu=lambda n: (2,) if faulty and n % 4 == 0 else (95,), noise=1)


def late_start(machine, faulty):
    machine.sample(400, interval=5, cpu=20)
    machine.steps([0.5] * 20, start=22 * 60 if faulty else 30)


def slow_steps(machine, faulty):
    lengths = [0.1 + 0.001 * (n % 3) for n in range(600)]
    if faulty:
        lengths[50::40] = [1.0] * len(lengths[50::40])
    machine.steps(lengths)


def few_loaders(machine, faulty):
    load(machine, 1 if faulty else 4)


def many_loaders(machine, faulty):
    load(machine, 12 if faulty else 4)


def load(machine, workers):
    machine.sample(120, cpu=50)
    for second in range(60):
        for worker in range(workers):
            machine.span(
                "DataLoaderWorker",
                "fetch",
                second + 0.1,
                0.5,
                pid=100 + worker,
                worker_id=worker,
                num_workers=workers,
                pin_memory="True",
            )


SPECIMENS = [
    ("BatchSize", small_batch),
    ("CPUBottleneck", busy_cpu),
    ("Dataloader", few_loaders),
    ("Dataloader", many_loaders),
    ("GPUMemoryIncrease", memory_jump),
    ("GPUMemoryIncrease", memory_leak),
    ("IOBottleneck", waiting_for_disk),
    ("LoadBalancing", one_gpu_does_all),
    ("LowGPUUtilization", idle_gpu),
    ("LowGPUUtilization", fluctuating_gpu),
    ("MaxInitializationTime", late_start),
    ("StepOutlier", slow_steps),
]


def evaluate(run, *rules):
    """What `warden eval` says of each rule, by name."""
    command = [WARDEN, "eval", run, "--json", *(word for r in rules for word in ("--rules", r))]
    done = subprocess.run([str(w) for w in command], capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 3), done.stderr
    return {rule["name"]: rule for rule in json.loads(done.stdout)["rules"]}


def made(tmp_path, make, faulty):
    machine = Machine(tmp_path / ("faulty" if faulty else "healthy"))
    make(machine, faulty)
    machine.end()
    return machine.folder.parent


@pytest.mark.parametrize("rule, make", SPECIMENS, ids=lambda part: getattr(part, "__name__", part))
def test_the_fault_is_found_and_nothing_in_the_healthy_twin(tmp_path, rule, make):
    found = evaluate(made(tmp_path, make, faulty=True), rule)[rule]
    assert found["status"] == "IssuesFound", found
    first = found["findings"][0]
    assert first["advice"] and first["time"] > 0, first
    of_the_job = rule == "MaxInitializationTime"
    assert first["worker"] == "" if of_the_job else first["worker"].startswith("algo-1"), first
    healthy = evaluate(made(tmp_path, make, faulty=False), rule)[rule]
    assert healthy["status"] == "NoIssuesFound", healthy


def test_the_report_rule_has_what_its_parts_find(tmp_path):
    run = made(tmp_path, idle_gpu, faulty=True)
    found = evaluate(run, "ProfilerReport")["ProfilerReport"]
    assert found["status"] == "IssuesFound"
    assert any("LowGPUUtilization" in finding["message"] for finding in found["findings"])
    # A part's parameter, with the rule's name in any case.
    lenient = "ProfilerReport:lowgpuutilization_threshold_p95=10;BatchSize_gpu_threshold_p95=5"
    assert evaluate(run, lenient)["ProfilerReport"]["status"] == "NoIssuesFound"


def test_rules_that_only_tell_never_fire(tmp_path):
    run = made(tmp_path, late_start, faulty=True)
    for report in evaluate(run, "OverallSystemUsage", "OverallFrameworkMetrics").values():
        assert report["status"] == "NoIssuesFound", report


@pytest.mark.parametrize("rule", ["BatchSize", "CPUBottleneck", "IOBottleneck"])
def test_without_a_gpu_their_points_count(tmp_path, rule):
    """As in the original, whose report has thousands of them for a training on CPUs."""
    machine = Machine(tmp_path / "run")
    machine.sample(1600)
    machine.end()
    report = evaluate(tmp_path / "run", rule)[rule]
    assert report["status"] == "NoIssuesFound", report


@pytest.mark.parametrize("rule", ["LowGPUUtilization", "LoadBalancing"])
def test_without_a_gpu_they_say_so(tmp_path, rule):
    machine = Machine(tmp_path / "run")
    machine.sample(1600)
    machine.end()
    report = evaluate(tmp_path / "run", rule)[rule]
    assert report["status"] == "NotEvaluated" and "no GPU" in report["reason"], report


def test_too_few_points_are_told(tmp_path):
    machine = Machine(tmp_path / "run")
    machine.sample(900, gpu=(1,))
    machine.end()
    report = evaluate(tmp_path / "run", "LowGPUUtilization")["LowGPUUtilization"]
    assert (
        report["status"] == "NotEvaluated"
        and "needs 1001 data points, found 900" in report["reason"]
    ), report


def test_every_node_is_evaluated(tmp_path):
    for node, busy in (("algo-1", 95), ("algo-2", 20)):
        machine = Machine(tmp_path / "run", node)
        machine.sample(1600, gpu=(busy,))
        machine.end()
    findings = evaluate(tmp_path / "run", "LowGPUUtilization")["LowGPUUtilization"]["findings"]
    assert [finding["worker"] for finding in findings] == ["algo-2"]


def test_no_profiler_rule_of_the_default_preset_fires_on_healthy_machines(tmp_path):
    for _, make in SPECIMENS:
        if make in (waiting_for_disk, small_batch):
            continue  # Healthy in what they show, but their GPUs are idle.
        run = made(tmp_path / make.__name__, make, faulty=False)
        fired = [r["name"] for r in evaluate(run, "default").values() if r["findings"]]
        assert not fired, (make.__name__, fired)
