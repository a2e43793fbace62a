#!/usr/bin/env python3
"""Runs the tests against the release build and shows how far they are.

tools/test.py            every C++ test program, then every suite of Python, R and web tests
tools/test.py PATTERN    only some; compiles just what these need
tools/test.py --preset asan    the C++ test programs of another build

PATTERN is one of
  a C++ part          rules, jobs/db
  a C++ test file     warden/rules/debug/dead_relu_test.cc
  a C++ test          DeadRelu.*, DeadRelu.FindsDeadUnits
  a Python test       tests/e2e/cli_test.py, tests/e2e/cli_test.py::test_help, python/tests/keras
  a web test          web, web/src/plots, web/src/base/format.test.ts
  an R test           r, r/tests/testthat/test-runs.R

What the tests print is in build/test-logs. When all have run, the few that failed run once more,
with nothing beside them: a busy machine breaks tests that wait. Those that pass then are named.
"""

import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
LOGS = BUILD / "test-logs"
# Adapters are tested where their framework is installed; everything else in build/venv. That of
# PyTorch is tested with the distribution's version and, in suite "torch", with a current one.
ENVIRONMENTS = {
    "python/tests/keras": "venv-tensorflow",
    "python/tests/mxnet": "venv-mxnet",
    "python/tests/xgboost": "venv-xgboost",
    "python/tests/trainers": "venv-torch",
    "tests/planted": "venv-torch",
    "python/tests/pytorch/compiled_test.py": "venv-torch",
    "tests/e2e/untouched_compiled_test.py": "venv-torch",
}
OF_OTHER_SUITES = ["tests/e2e", "tests/service", "tests/dashboard", "tests/guide"]
# The longest first, which keeps all lanes busy to the end: whoever makes one longer than the one
# above it moves it up.
SUITES = {
    "torch": [
        "python/tests/trainers",
        "tests/planted",
        "python/tests/pytorch/dumps_test.py",
        "python/tests/pytorch/gradients_test.py",
        "python/tests/pytorch/compiled_test.py",
        "tests/e2e/untouched_compiled_test.py",
    ],
    "python": [f"--ignore={path}" for path in OF_OTHER_SUITES],
    "e2e": ["tests/e2e"],
    "service": ["tests/service"],
    "dashboard": ["tests/dashboard"],
    "keras": ["python/tests/keras"],
    "guide": ["tests/guide"],
    "mxnet": ["python/tests/mxnet"],
    "xgboost": ["python/tests/xgboost"],
}
R = "r"
WEB = "web"  # Takes seconds, so it comes last: the lane that is free first runs it.
LANES = 3  # On two processors: many tests wait more than they compute.
TIMEOUT_S = 2700  # Of one suite.
CPP_TIMEOUT_S = 900  # Of one C++ test program: the longest takes two minutes.
MOST_AGAIN = 10  # More failures of a suite are no accident.
TEST_NAME = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
PERCENT = re.compile(rb"\[ *(\d+)%\]")
REFRESH_S = 1.0 if sys.stdout.isatty() else 30.0


class Suite:
    """A run of tests in a process; its output goes to a log."""

    def __init__(self, name: str, command: list, log: Path, timeout_s: int = TIMEOUT_S):
        self.name = name
        self.command = [str(word) for word in command]
        self.log = log
        self.timeout_s = timeout_s
        self.state = "waiting"

    def run(self) -> None:
        self.state = "running"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("wb") as log:
            process = subprocess.Popen(self.command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
            try:
                process.wait(self.timeout_s)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                log.write(f"killed after {self.timeout_s} s\n".encode())
        self.state = "failed" if process.returncode else "passed"

    def progress(self) -> str:
        """How far the suite is, as its log tells."""
        with self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - 20_000))
            tail = log.read()
        if percents := PERCENT.findall(tail):
            return f"{self.name} {int(percents[-1])} %"
        return self.name

    def failures(self) -> list:
        """The names of the tests that failed; none if it cannot say, as after a crash."""
        return []

    def again(self, failures: list) -> "Suite":
        """A suite of these tests alone."""
        raise NotImplementedError

    def summary(self) -> str:
        """The last line that says how many passed."""
        text = self.log.read_text(errors="replace").rstrip().splitlines()
        counts = [line for line in text if " passed" in line or " failed" in line]
        return (counts or text or ["no output"])[-1].strip("= ")


class CppSuite(Suite):
    """A C++ test program."""

    def __init__(self, program: Path, log: Path, chosen: str = "*"):
        command = [program, "--gtest_brief=1", f"--gtest_filter={chosen}"]
        super().__init__(program.name, command, log, CPP_TIMEOUT_S)
        self.program = program

    def failures(self) -> list:
        text = self.log.read_text(errors="replace")
        ended = re.search(r"^\[=+\] \d+ tests? .*ran\.", text, re.MULTILINE)  # It did not crash.
        if not ended or "Sanitizer" in text:
            return []
        return re.findall(r"^\[  FAILED  \] ([^ ,]+)", text, re.MULTILINE)

    def again(self, failures: list) -> Suite:
        log = self.log.with_suffix(".again.log")
        return CppSuite(self.program, log, ":".join(failures))


class PytestSuite(Suite):
    """Python tests. Which of them failed is in a cache of its own: suites run side by side."""

    def __init__(self, name: str, python: Path, arguments: list, log: Path):
        self.cache = LOGS / f"{name}.cache"
        self.words = [python, "-u", "-m", "pytest", "-q", "-o", f"cache_dir={self.cache}"]
        self.arguments = arguments
        super().__init__(name, [*self.words, "--durations=25", *arguments], log)

    def run(self) -> None:
        shutil.rmtree(self.cache, ignore_errors=True)
        super().run()

    def failures(self) -> list:
        try:
            return list(json.loads((self.cache / "v/cache/lastfailed").read_text()))
        except (OSError, ValueError):
            return []

    def again(self, failures: list) -> Suite:
        command = [*self.words, *failures]
        return Suite(self.name, command, self.log.with_suffix(".again.log"), self.timeout_s)


def run_again(failed: list) -> list:
    """Runs the tests that failed once more, each suite alone. Returns those that fail again."""
    still, steady = [], []
    for suite in failed:
        failures = suite.failures()
        if not 0 < len(failures) <= MOST_AGAIN:
            still.append(suite)
            continue
        print(f"==> {suite.name}: running {len(failures)} of its tests again, alone", flush=True)
        again = suite.again(failures)
        again.run()
        if again.state == "failed":
            report(again)
            still.append(suite)
        else:
            steady += failures
    for name in steady:
        print(f"==> failed beside other tests, passed alone: {name}", flush=True)
    return still


def run_suites(suites: list, lanes: int) -> list:
    """Runs all suites, `lanes` at a time, also after a failure. Returns those that failed."""
    waiting = list(suites)
    lock = threading.Lock()

    def lane() -> None:
        while True:
            with lock:
                if not waiting:
                    return
                suite = waiting.pop(0)
            suite.run()
            with lock:
                report(suite)

    threads = [threading.Thread(target=lane, daemon=True) for _ in range(lanes)]
    for thread in threads:
        thread.start()
    began = last = time.monotonic()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.2)
        if time.monotonic() - last < REFRESH_S:
            continue
        last = time.monotonic()
        with lock:
            running = [suite.progress() for suite in suites if suite.state == "running"]
            ended = sum(suite.state in ("passed", "failed") for suite in suites)
            if running:
                words = ", ".join(running)
                show(f"    {ended} of {len(suites)} done; {words}; {last - began:.0f} s")
    return [suite for suite in suites if suite.state == "failed"]


def show(line: str) -> None:
    """A line that the next one replaces, on a terminal."""
    if sys.stdout.isatty():
        print(f"\r\033[K{line}", end="", flush=True)
    else:
        print(line, flush=True)


def report(suite: Suite) -> None:
    if sys.stdout.isatty():
        print("\r\033[K", end="")
    if suite.state == "failed":
        sys.stdout.write(suite.log.read_text(errors="replace"))
        print(f"{suite.name}: FAILED, see {suite.log.relative_to(ROOT)}", flush=True)
    elif suite.name in (*SUITES, R, WEB):
        print(f"{suite.name}: {suite.summary()}", flush=True)


def test_programs(preset: str) -> list:
    """The C++ test programs of a build, the largest first: they take longest."""
    if preset == "release":
        targets = (BUILD / "release/build.ninja").read_text()
        names = re.findall(r"^build (\w+_test): phony \S+/bin/", targets, re.MULTILINE)
        programs = [BUILD / "bin" / name for name in names]
    else:
        programs = list((BUILD / preset / "bin").glob("*_test"))
    return sorted(programs, key=lambda path: -path.stat().st_size)


def run_cpp(preset: str = "release") -> list:
    """Runs whole programs: starting one for each of their cases takes longer than most cases do."""
    logs = LOGS if preset == "release" else LOGS / preset
    suites = [CppSuite(path, logs / f"{path.name}.log") for path in test_programs(preset)]
    failed = run_again(run_suites(suites, os.cpu_count()))
    passed = [re.findall(r"\[  PASSED  \] (\d+) test", suite.log.read_text()) for suite in suites]
    count = sum(int(found[-1]) for found in passed if found)
    print(f"c++: {count} passed, {len(failed)} of {len(suites)} programs failed", flush=True)
    return failed


def pytest(name: str, arguments: list) -> Suite:
    path = next((word for word in arguments if not word.startswith("-")), "")
    environment = next((env for at, env in ENVIRONMENTS.items() if path.startswith(at)), "venv")
    return PytestSuite(name, BUILD / environment / "bin/python", arguments, LOGS / f"{name}.log")


def vitest(pattern: str = "") -> Suite:
    """The unit tests of web/, or those whose paths contain the pattern."""
    words = [pattern] if pattern else []
    command = ["npm", "--prefix", "web", "--silent", "test", "--", "--no-color", *words]
    return Suite(WEB, command, LOGS / f"{WEB}.log")


def testthat(pattern: str = "") -> Suite:
    """The tests of the R package, or those of one file."""
    words = [Path(pattern).stem.removeprefix("test-")] if pattern.endswith(".R") else []
    return Suite(R, [ROOT / "tools/r_test.sh", *words], LOGS / f"{R}.log")


def test_files(part: str) -> list:
    """The C++ test files of a part (rules, jobs/db) or of tests/golden."""
    folder = ROOT / part if part.startswith("tests/") else ROOT / "warden" / part
    return sorted(folder.rglob("*_test.cc"))


def program_of(path: Path) -> str:
    """The test program that a C++ test file is compiled into; see cmake/parts.cmake."""
    if path.is_relative_to(ROOT / "tests"):
        return f"{path.relative_to(ROOT / 'tests').parts[0]}_test"
    targets = (BUILD / "release/build.ninja").read_text()
    folder = path.parent.relative_to(ROOT / "warden")
    for candidate in [folder, *folder.parents]:
        name = "_".join(candidate.parts) + "_test"
        if re.search(rf"^build {name}: phony", targets, re.MULTILINE):
            return name
    raise SystemExit(f"test: no test program is built from {path.relative_to(ROOT)}")


def names_in(path: Path) -> list:
    return [f"{suite}.{case}" for suite, case in TEST_NAME.findall(path.read_text())]


def chosen_cpp(pattern: str) -> dict:
    """Test programs and the filter for each, for a part, a file or a test's name."""
    path = ROOT / pattern
    if path.suffix == ".cc" and path.is_file():
        return {program_of(path): ":".join(f"{name}:*/{name}/*" for name in names_in(path))}
    if files := test_files(pattern.removeprefix("warden/").strip("/")):
        return {program_of(file): "*" for file in files}
    found = {}
    for file in [*test_files(""), *test_files("tests/golden")]:
        if any(fnmatch.fnmatchcase(name, pattern) for name in names_in(file)):
            found[program_of(file)] = f"{pattern}:*/{pattern}/*"
    return found


def run_some(pattern: str) -> int:
    """Compiles what the chosen tests need and runs them in the foreground."""
    if (ROOT / pattern).is_relative_to(ROOT / "web") and (ROOT / pattern).exists():
        chosen = str(Path(pattern).relative_to("web")).lstrip(".")
        return subprocess.run(vitest(chosen).command, cwd=ROOT).returncode
    if (ROOT / pattern).is_relative_to(ROOT / R) and (ROOT / pattern).exists():
        return subprocess.run(testthat(pattern).command, cwd=ROOT).returncode
    path = pattern.split("::")[0]
    if path.endswith(".py") or (ROOT / path).is_dir() and any((ROOT / path).rglob("*_test.py")):
        return subprocess.run(pytest("some", [pattern]).command, cwd=ROOT).returncode
    programs = chosen_cpp(pattern)
    if not programs:
        print(
            f"test: nothing matches '{pattern}'; expected a part (rules), a test file "
            "(warden/rules/x_test.cc, tests/e2e/x_test.py, web/src/base/x.test.ts) or a C++ test "
            "(Suite.Case, * allowed)",
            file=sys.stderr,
        )
        return 2
    build = ["cmake", "--build", "build/release", "--target", *programs]
    code = subprocess.run([*build, "-j", str(os.cpu_count())], cwd=ROOT).returncode
    for program, chosen in programs.items():
        if code == 0:
            command = [f"build/bin/{program}", f"--gtest_filter={chosen}", "--gtest_brief=1"]
            code = subprocess.run(command, cwd=ROOT).returncode
    return code


def main() -> int:
    if sys.argv[1:2] == ["--preset"]:
        return 1 if run_cpp(sys.argv[2]) else 0
    os.environ["WARDEN"] = "build/bin/warden"
    # Suites run side by side. Threads of theirs that wait for each other on busy processors spin.
    for variable in ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        os.environ.setdefault(variable, "1")
    if len(sys.argv) > 1:
        return run_some(sys.argv[1])
    print("==> Running the C++ tests", flush=True)
    failed = run_cpp()
    if not failed:
        print("==> Running the Python, R and web tests, about ten minutes", flush=True)
        suites = [pytest(name, words) for name, words in SUITES.items()]
        failed = run_again(run_suites([*suites, testthat(), vitest()], LANES))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
