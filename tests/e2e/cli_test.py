"""Runs the program `warden` as a user does, on the recorded runs below tests/golden.

WARDEN names the program; without it, build/bin/warden is taken.
"""

import csv
import hashlib
import io
import json
import os
import pathlib
import pty
import shutil
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
WARDEN = os.environ.get("WARDEN", str(ROOT / "build" / "bin" / "warden"))
RUNS = sorted(path.parent.name for path in GOLDEN.glob("*/trial"))


def trial(run):
    return str(GOLDEN / run / "trial")


def expected(run):
    return json.loads((GOLDEN / run / "expected.json").read_text())


def saved_reductions(run, tensor, step):
    saved = expected(run)["tensors"][tensor]["at"][str(step)]["worker_0"]["reductions_saved"]
    return {name: value["value"] for name, value in saved.items()}


def warden(*arguments, code=0, env=None, **options):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "", **(env or {})}
    result = subprocess.run(
        [WARDEN, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        **options,
    )
    assert result.returncode == code, (arguments, result.stdout[-2000:], result.stderr[-2000:])
    return result


def warden_json(*arguments, **options):
    return json.loads(warden(*arguments, "--json", **options).stdout, parse_constant=refuse)


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


def on_terminal(*arguments, **env):
    """What the program prints to a terminal."""
    main, other = pty.openpty()
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "TERM": "xterm", **env}
    process = subprocess.Popen(
        [WARDEN, *map(str, arguments)], stdout=other, stderr=other, env=environment
    )
    os.close(other)
    output = b""
    while True:
        try:
            block = os.read(main, 65536)
        except OSError:
            break
        if not block:
            break
        output += block
    os.close(main)
    assert process.wait(timeout=300) == 0, output
    return output.decode()


@pytest.fixture
def copy(tmp_path):
    """Copies a recorded run to where it may be damaged."""

    def make(run):
        target = tmp_path / run
        shutil.copytree(GOLDEN / run / "trial", target)
        return target

    return make


# ---- Listing.


def test_a_run_that_was_killed_before_its_first_step(tmp_path):
    """It has the folders of a run, and nothing in them that counts."""
    run = tmp_path / "killed"
    (run / "events/000000000000").mkdir(parents=True)
    (run / "events/000000000000/000000000000_worker_0.tfevents.tmp").write_bytes(b"half")
    (run / "claim.smd").write_text("1 elsewhere 5 1 job")
    for where in (run, tmp_path):
        (row,) = warden_json("trial", "ls", where)
        assert (row["run"], row["steps"]) == (str(run), 0)
    assert "0" in warden("trial", "ls", run).stdout
    assert warden_json("trial", "steps", run) == []
    (tmp_path / "empty").mkdir()
    assert "not a run" in warden("trial", "steps", tmp_path / "empty", code=1).stderr


def test_ls_tells_what_every_run_holds():
    rows = {pathlib.Path(row["run"]).parent.name: row for row in warden_json("trial", "ls", GOLDEN)}
    assert sorted(rows) == RUNS
    for run in RUNS:
        want, row = expected(run), rows[run]
        steps = want["steps"]["GLOBAL"]
        assert row["steps"] == len(steps)
        assert (row["first_step"], row["last_step"]) == (steps[0], steps[-1])
        assert row["state"] == ("finished" if want["loaded_all_steps"] else "no end mark")
        assert row["tensors"] == len(want["tensor_names"])
        assert row["workers"] == want["workers"]
        assert {mode for mode in row["modes"] if mode != "GLOBAL"} == set(want["modes"])
        assert row["problems"] == 0
        files = [path for path in pathlib.Path(trial(run)).rglob("*") if path.is_file()]
        assert row["bytes"] == sum(f.stat().st_size for f in files if f.suffix != ".tmp")


def test_ls_prints_one_line_for_each_run():
    lines = warden("trial", "ls", GOLDEN).stdout.splitlines()
    assert len(lines) == len(RUNS) + 1
    assert lines[0].split()[:2] == ["RUN", "STATE"]


@pytest.mark.parametrize("run", RUNS)
def test_tensors_json_is_what_was_saved(run):
    want = expected(run)
    rows = warden_json("trial", "tensors", trial(run))
    assert [row["name"] for row in rows] == want["tensor_names"]
    for row in rows:
        tensor = want["tensors"][row["name"]]
        check_tensor_row(row, tensor, want)


def check_tensor_row(row, tensor, want):
    modes = {}
    for step in sorted(map(int, tensor["at"])):
        mode, mode_step = want["global_step_to_mode_step"][str(step)]
        modes.setdefault(mode, []).append(mode_step)
    assert row["steps"] == modes
    assert sorted(row["collections"]) == sorted(
        name
        for name, collection in want["collections"].items()
        if row["name"] in collection["saved_tensor_names"]
    )
    places = [
        place for step in sorted(tensor["at"], key=int) for place in tensor["at"][step].values()
    ]
    values = [place["value"] for place in places if "shape" in (place.get("value") or {})]
    saved = set().union(*(place["reductions_saved"] for place in places))
    assert set(row["reductions"]) == saved
    if values:
        assert row["shape"] == values[0]["shape"]


@pytest.mark.parametrize("run", RUNS)
def test_steps_json(run):
    want = expected(run)
    rows = warden_json("trial", "steps", trial(run), "--incomplete")
    assert [row["step"] for row in rows] == want["steps_incl_incomplete"]["GLOBAL"]
    for row in rows:
        assert [row["mode"], row["mode_step"]] == want["global_step_to_mode_step"][str(row["step"])]
        assert row["tensors"] == len(want["tensor_names_by_global_step"][str(row["step"])])
        assert row["complete"] == (row["step"] in want["steps"]["GLOBAL"])
    for mode in want["modes"]:
        rows = warden_json("trial", "steps", trial(run), "--mode", mode.lower())
        assert [row["mode_step"] for row in rows] == want["steps"][mode]


@pytest.mark.parametrize("run", RUNS)
def test_collections_json(run):
    want = expected(run)["collections"]
    rows = warden_json("trial", "collections", trial(run))
    assert sorted(row["name"] for row in rows) == sorted(want)
    for row in rows:
        collection = want[row["name"]]
        assert row["include_regex"] == collection["include_regex"]
        assert sorted(row["saved_tensors"]) == collection["saved_tensor_names"]
        assert row["save_config"] == collection["save_config"]


def test_filters():
    run = "pt_cnn_mixed"
    want = expected(run)

    def names(*flags):
        return [row["name"] for row in warden_json("trial", "tensors", trial(run), *flags)]

    assert names("--regex", "bias$", "--regex", "^scalar/") == [
        name for name in want["tensor_names"] if name.endswith("bias") or name.startswith("scalar/")
    ]
    assert names("--collection", "biases") == want["collections"]["biases"]["saved_tensor_names"]
    assert names("--mode", "EVAL") == want["tensor_names_by_mode"]["EVAL"]
    assert names("--step", "10") == want["tensor_names_by_global_step"]["10"]
    assert names("--mode", "TRAIN", "--step", "6") == want["tensor_names_by_global_step"]["10"]
    assert names("--worker", "worker_7") == []


# ---- Showing.


def test_show_stats_are_those_of_numpy():
    run = "pt_cnn_mixed"
    for tensor, want in expected(run)["tensors"].items():
        for step, workers in want["at"].items():
            computed = workers["worker_0"].get("reductions_computed")
            if not computed or workers["worker_0"]["reductions_saved"]:
                continue
            stats = warden_json("trial", "show", trial(run), tensor, "--step", step, "--stats")[
                "stats"
            ]
            for name in ("min", "max", "mean", "std", "variance", "sum", "abs_mean", "abs_max"):
                assert stats[name] == pytest.approx(computed[name], rel=2e-5, abs=1e-6), name
            break


def test_show_falls_back_to_saved_reductions():
    run = "pt_reductions_all"
    want = saved_reductions(run, "Net_fc.weight", 2)
    shown = warden_json("trial", "show", trial(run), "Net_fc.weight", "--step", 2, "--stats")
    assert shown["source"] == "reductions" and shown["dtype"] is None
    assert shown["stats"] == pytest.approx(want)
    text = warden("trial", "show", trial(run), "Net_fc.weight").stdout
    assert "statistics only" in text
    failed = warden("trial", "show", trial(run), "Net_fc.weight", "--values", code=1)
    assert "was saved as reductions only" in failed.stderr


def test_show_stats_over_all_steps():
    shown = warden_json("trial", "show", trial("pt_cnn_mixed"), "scalar/lr", "--stats")
    assert [at["step"] for at in shown["steps"]] == sorted(
        map(int, expected("pt_cnn_mixed")["tensors"]["scalar/lr"]["at"])
    )
    lines = warden("trial", "show", trial("pt_cnn_mixed"), "scalar/lr", "--stats").stdout
    assert len(lines.splitlines()) == len(shown["steps"]) + 3


def test_show_counts_what_is_not_finite():
    stats = warden_json(
        "trial", "show", trial("pt_dtypes"), "np_special_f32", "--step", 0, "--stats"
    )["stats"]
    assert stats["nan"] > 0 and stats["pos_inf"] > 0 and stats["neg_inf"] > 0
    assert stats["mean"] == "NaN"


def test_histogram_holds_every_value():
    run, tensor = "pt_cnn_mixed", "SmallCNN_fc.weight"
    shown = warden_json("trial", "show", trial(run), tensor, "--histogram")
    histogram = shown["histogram"]
    assert sum(histogram["counts"]) + histogram["below"] + histogram["above"] == histogram["count"]
    assert len(histogram["edges"]) == len(histogram["counts"]) + 1
    text = warden("trial", "show", trial(run), tensor, "--histogram").stdout
    assert "█" in text and all(len(line) <= 80 for line in text.splitlines())
    plain = warden("trial", "show", trial(run), tensor, "--histogram", env={"LC_ALL": "C"}).stdout
    assert "#" in plain and plain.isascii()
    wide = warden("trial", "show", trial(run), tensor, "--histogram", env={"COLUMNS": "120"}).stdout
    assert 100 < max(map(len, wide.splitlines())) <= 120


def numpy_value(run, tensor, step, path):
    """The value, by way of an exported file."""
    warden(
        "trial",
        "export",
        trial(run),
        "--tensor",
        tensor,
        "--step",
        step,
        "--format",
        "npy",
        "--out",
        path,
    )
    (file,) = path.iterdir()
    return np.load(file)


@pytest.mark.parametrize("run", ["pt_dtypes", "pt_cnn_mixed", "xgb_binary"])
def test_values_are_printed_as_numpy_prints_them(run, tmp_path):
    for i, row in enumerate(warden_json("trial", "tensors", trial(run))):
        if row["dtype"] is None:
            continue
        step = min(map(int, expected(run)["tensors"][row["name"]]["at"]))
        value = numpy_value(run, row["name"], step, tmp_path / str(i))
        for flags, options in (([], {}), (["--full"], {"threshold": 10**9})):
            shown = warden(
                "trial", "show", trial(run), row["name"], "--step", step, "--values", *flags
            ).stdout
            with np.printoptions(**options):
                assert shown[shown.index("array(") : -1] == repr(value), row["name"]


def test_values_as_json():
    shown = warden_json("trial", "show", trial("pt_cnn_mixed"), "SmallCNN_fc.weight", "--values")
    assert np.array(shown["values"]).shape == tuple(shown["shape"])


# ---- Exporting.


@pytest.mark.parametrize("run", RUNS)
def test_npy_files_hold_the_same_bytes(run, tmp_path):
    want = expected(run)
    out = tmp_path / "out"
    written = warden_json("trial", "export", trial(run), "--format", "npy", "--out", out)
    files = {path.name: path for path in out.iterdir()}
    assert written["written"] == len(files) and written["unreadable"] == 0
    checked = 0
    for tensor, saved in want["tensors"].items():
        for step, workers in saved["at"].items():
            for worker, place in workers.items():
                value = place.get("value") or {}
                if "sha256" not in value or value["dtype"].startswith(("<U", "str")):
                    continue
                name = f"{tensor.replace('/', '%2F')}@{int(step):06}@{worker}.npy"
                loaded = np.load(files[name])
                assert list(loaded.shape) == value["shape"]
                assert hashlib.sha256(loaded.tobytes()).hexdigest() == value["sha256"], name
                checked += 1
    assert checked > 0
    assert not list(out.glob("*.tmp"))


def test_types_that_the_original_cannot_read_are_exported(tmp_path):
    written = json.loads((GOLDEN / "pt_dtypes" / "written.json").read_text())
    warden("trial", "export", trial("pt_dtypes"), "--format", "npy", "--out", tmp_path / "out")
    for tensor, steps in written.items():
        for step, value in steps.items():
            path = tmp_path / "out" / f"{tensor}@{int(step):06}@worker_0.npy"
            if not path.exists():
                assert tensor == "np_empty"
                continue
            loaded = np.load(path)
            if loaded.dtype.kind != "U":
                assert str(loaded.dtype) == value["dtype"]
                assert hashlib.sha256(loaded.tobytes()).hexdigest() == value["sha256"], tensor


def test_csv_holds_the_same_values(tmp_path):
    run, tensor = "pt_cnn_mixed", "SmallCNN_fc.weight"
    step = max(map(int, expected(run)["tensors"][tensor]["at"]))
    value = numpy_value(run, tensor, step, tmp_path / "npy")
    text = warden(
        "trial",
        "export",
        trial(run),
        "--tensor",
        tensor,
        "--step",
        step,
        "--format",
        "csv",
        "--out",
        "-",
    ).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["index"]) for row in rows] == list(range(value.size))
    assert (
        np.array([row["value"] for row in rows], dtype=value.dtype).tolist()
        == value.ravel().tolist()
    )
    assert rows[0]["tensor"] == tensor and int(rows[0]["step"]) == step


def test_csv_of_statistics_and_file_target(tmp_path):
    path = tmp_path / "new" / "stats.csv"
    warden(
        "trial", "export", trial("pt_reductions_all"), "--stats", "--format", "csv", "--out", path
    )
    rows = list(csv.DictReader(path.open()))
    want = expected("pt_reductions_all")["tensors"]
    assert len(rows) == sum(
        len(workers) for saved in want.values() for workers in saved["at"].values()
    )
    row = next(row for row in rows if row["tensor"] == "Net_fc.weight" and row["step"] == "2")
    saved = saved_reductions("pt_reductions_all", "Net_fc.weight", 2)
    assert float(row["abs_max"]) == pytest.approx(saved["abs_max"])


def test_json_lines(tmp_path):
    text = warden(
        "trial", "export", trial("pt_dtypes"), "--step", 0, "--format", "json", "--out", "-"
    ).stdout
    items = [json.loads(line, parse_constant=refuse) for line in text.splitlines()]
    assert [item["tensor"] for item in items] == sorted(item["tensor"] for item in items)
    by_name = {item["tensor"]: item for item in items}
    value = numpy_value("pt_dtypes", "np_uint64", 0, tmp_path / "npy")
    assert by_name["np_uint64"]["values"] == value.tolist()
    assert "NaN" in json.dumps(by_name["np_special_f32"]["values"])


def test_export_refuses(tmp_path):
    run = trial("pt_reductions_all")
    flags = ["--tensor", "Net_fc.weight", "--format", "npy", "--out", tmp_path / "x"]
    assert "only statistics" in warden("trial", "export", run, *flags, code=1).stderr
    assert not (tmp_path / "x").exists()
    warden("trial", "export", run, "--stats", "--format", "npy", "--out", tmp_path, code=2)
    warden("trial", "export", run, "--format", "npy", "--out", "-", code=2)
    warden("trial", "export", run, "--format", "csv", "--out", tmp_path, code=2)
    warden("trial", "export", run, "--format", "xml", "--out", "-", code=2)
    warden("trial", "export", run, "--format", "csv", code=2)
    assert (
        "no step 99"
        in warden(
            "trial", "export", run, "--step", 99, "--format", "csv", "--out", "-", code=1
        ).stderr
    )


# ---- Verifying, and runs that are damaged.


@pytest.mark.parametrize("run", RUNS)
def test_recorded_runs_are_clean(run):
    report = warden_json("trial", "verify", trial(run))
    assert report["problems"] == [] and report["records"] > 0


def damage_length(run):
    path = next(run.glob("events/*/*.tfevents"))
    content = bytearray(path.read_bytes())
    content[0] ^= 1
    path.write_bytes(content)


def damage_truncate(run):
    path = next(run.glob("events/*/*.tfevents"))
    path.write_bytes(path.read_bytes()[:-7])


def damage_remove(run):
    next(run.glob("events/*/*.tfevents")).unlink()


def damage_index(run):
    next(run.glob("index/*/*.json")).write_text('{"meta": {"mode": "TRAIN"')


def damage_manifest(run):
    next(run.glob("collections/*/*.json")).write_text("[1, 2")


def damage_junk(run):
    for number, path in enumerate(sorted(run.rglob("*.*"))):
        if path.is_file():
            path.write_bytes(np.random.default_rng(number).bytes(500))


DAMAGES = [
    damage_length,
    damage_truncate,
    damage_remove,
    damage_index,
    damage_manifest,
    damage_junk,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_and_survived(copy, damage, tmp_path):
    run = copy("pt_cnn_mixed")
    damage(run)
    report = warden_json("trial", "verify", run, code=1)
    assert report["problems"]
    for problem in report["problems"]:
        assert problem["file"].startswith(str(run)) and problem["message"]
    assert "damaged" in warden("trial", "verify", run, code=1).stdout
    # Everything else still works on what is whole; none of it may crash.
    tensor = "SmallCNN_fc.weight"
    for arguments in (
        ["ls", run],
        ["tensors", run],
        ["steps", run],
        ["collections", run],
        ["show", run, tensor],
        ["show", run, tensor, "--stats"],
        ["export", run, "--format", "npy", "--out", tmp_path / "out"],
    ):
        result = subprocess.run(
            [WARDEN, "trial", *map(str, arguments)], capture_output=True, text=True, timeout=300
        )
        assert result.returncode in (0, 1), (arguments, result.stderr)


def test_files_that_cannot_be_read_are_told(copy):
    run = copy("pt_cnn_mixed")
    damage_index(run)
    told = warden("trial", "tensors", run).stderr
    assert "cannot read 1 file" in told and "warden trial verify" in told


def test_killed_run_is_clean_with_notes():
    report = warden_json("trial", "verify", trial("pt_killed"))
    assert any("no end mark" in note["message"] for note in report["notes"])


# ---- Using it wrongly.


def test_errors_say_what_is_accepted(tmp_path):
    run = trial("pt_cnn_mixed")
    assert "no such folder" in warden("trial", "tensors", tmp_path / "none", code=1).stderr
    assert (
        "no index/, events/ or collections/ below it"
        in warden("trial", "tensors", tmp_path, code=1).stderr
    )
    assert "pt_killed/trial" in warden("trial", "tensors", GOLDEN / "pt_killed", code=1).stderr
    assert (
        "did you mean SmallCNN_fc.weight"
        in warden("trial", "show", run, "SmallCNN_fc.wieght", code=1).stderr
    )
    assert (
        "it was saved at"
        in warden("trial", "show", run, "SmallCNN_fc.weight", "--step", 1, code=1).stderr
    )
    assert (
        "no such collection"
        in warden("trial", "tensors", run, "--collection", "none", code=1).stderr
    )
    for flags in (
        ["--mode", "DREAM"],
        ["--step", "-1"],
        ["--step", "x"],
        ["--regex", "("],
        ["--unknown"],
        ["--regex", "a", "--collection", "b"],
    ):
        told = warden("trial", "tensors", run, *flags, code=2).stderr
        assert told.startswith("warden: "), told
    assert "expected one of: TRAIN" in warden("trial", "tensors", run, "--mode", "x", code=2).stderr
    assert (
        "warden trial tensors --help" in warden("trial", "tensors", run, "--wrong", code=2).stderr
    )
    warden(code=2)
    warden("trial", code=2)
    warden("nonsense", code=2)


def test_help_and_version():
    assert warden("--version").stdout.startswith("warden ")
    assert "trial" in warden("--help").stdout
    assert "Examples:" in warden("trial", "--help").stdout
    for command in ("ls", "tensors", "steps", "show", "collections", "export", "verify"):
        assert "Example" in warden("trial", command, "--help").stdout
    assert "Example" in warden("doctor", "--help").stdout


def test_broken_pipe_is_quiet():
    command = f"{WARDEN} trial export {trial('pt_save_all')} --format csv --out - | head -n 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0 and result.stderr == ""
    assert result.stdout.startswith("tensor,step,mode")


def test_full_disk_is_told():
    with pathlib.Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [WARDEN, "trial", "ls", str(GOLDEN)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
    assert result.returncode == 1 and "standard output" in result.stderr


def test_colours_only_on_a_terminal():
    arguments = ["trial", "show", trial("pt_cnn_mixed"), "scalar/lr", "--stats"]
    assert "\x1b" not in warden(*arguments).stdout
    text = on_terminal(*arguments)
    assert "\x1b[1m" in text and "mean  " in text
    assert "\x1b" not in on_terminal(*arguments, NO_COLOR="1")


def test_names_cannot_control_the_terminal(copy):
    run = copy("pt_killed")
    for path in run.glob("index/*/*.json"):
        path.write_text(path.read_text().replace("SmallCNN_fc.weight", "evil\\u001b[2J"))
    assert "\x1b" not in warden("trial", "tensors", run).stdout
    assert "evil\\x1b[2J" in warden("trial", "tensors", run).stdout


# ---- The doctor.


def test_doctor(tmp_path):
    environment = {"SMDEBUG_CONFIG_FILE_PATH": str(tmp_path / "none.json")}
    report = warden_json("doctor", "--folder", tmp_path, env=environment)
    checks = {check["name"]: check for check in report["checks"]}
    assert checks["processor"]["state"] == "ok"
    assert checks["output folder"]["state"] in ("ok", "warning")
    assert checks["hook configuration"]["state"] == "missing"
    assert {check["state"] for check in report["checks"]} <= {"ok", "warning", "missing", "broken"}
    assert not list(tmp_path.iterdir())
    assert "processor" in warden("doctor", "--folder", tmp_path, env=environment).stdout


def test_doctor_checks_the_configuration(tmp_path):
    path = tmp_path / "hook.json"
    environment = {"SMDEBUG_CONFIG_FILE_PATH": str(path)}
    path.write_text(json.dumps({"LocalPath": str(tmp_path / "runs")}))
    report = warden_json("doctor", env=environment)
    assert any(
        check["name"] == "hook configuration" and check["state"] == "ok"
        for check in report["checks"]
    )
    path.write_text('{"HookParameters": {"save_interval": 0}}')
    result = warden("doctor", "--folder", tmp_path, env=environment, code=1)
    assert "save_interval" in result.stdout


def test_doctor_prints_the_reference_of_configurations():
    assert "save_interval" in warden("doctor", "--print-config-reference").stdout


def test_shared_and_revoked_links_are_in_the_audit_log(tmp_path):
    link = warden_json("keys", "share", "--data", tmp_path, "--name", "ana")["link"]
    warden("keys", "revoke", "ana", "--data", tmp_path)
    text = (tmp_path / "audit.log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(line["action"], line["resource"], line["outcome"]) for line in lines] == [
        ("keys:Share", "ana", "ok"),
        ("keys:Revoke", "ana", "ok"),
    ]
    assert {line["key"] for line in lines} == {f"user {os.geteuid()}"}
    assert link.partition("token=")[2] not in text
