"""The pages of the guide keep their word: the Python blocks of a page are run as one program, and
what a `print(…)  # …` says it prints is compared with what it prints.

A block whose first line is `# name.py` is a file; a shell block that names such a file is run.

Of pages about the program `warden` all shell blocks are run, and a text block is what the one
before it prints, but for numbers; `...` stands for any lines."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
WARDEN = Path(os.environ.get("WARDEN", ROOT / "build" / "bin" / "warden")).absolute()
GUIDE = ROOT / "docs" / "guide"
PAGES = [
    "capture-in-pytorch.md",
    "capture-in-xgboost.md",
    "analyse-a-run.md",
    "analyse-a-profile.md",
    "profile-a-training.md",
]
SHELL_PAGES = ["quickstart.md", "check-a-run.md", "act-on-findings.md", "tune-the-rules.md"]
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL_BLOCK = re.compile(r"^```(python|sh|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d[\d.]*(e[+-]\d+)?")
PORTS = ("8080", "9464")
FOUND = 3
# Every command of a block has to work; one may have found something.
STRICT = f"trap 'code=$?; [ $code = {FOUND} ] || exit $code' ERR\n"
FILE_NAME = re.compile(r"# (\w+\.py)\n")
PROMISE = re.compile(r"^ *print\(.*?\)(?:  # |\n# |$)(.*)$", re.MULTILINE)
SETTINGS = ("SMDEBUG_", "TENSORWARDEN_", "USE_SMDEBUG", "TRAINING_JOB_NAME", "CHECKPOINT_", "RANK")
SETTINGS += ("WARDEN_", "AWS_")
TIMEOUT_S = 300


class Page:
    """A page as a program whose lines have the numbers that they have in the page."""

    def __init__(self, text: str):
        self.program = ""
        self.files: dict[str, str] = {}
        self.promises: list[str] = []  # What each print prints.
        for block in BLOCK.finditer(text):
            above = text.count("\n", 0, block.start(2)) - self.program.count("\n")
            self.program += "\n" * above + self._as_program(*block.groups())

    def _as_program(self, language: str, code: str) -> str:
        name = FILE_NAME.match(code)
        if name:
            self.files[name[1]] = code
            return ""
        if language == "python":
            self.promises += PROMISE.findall(code)
            return code
        if any(name in code for name in self.files):
            code = f"set -e\n{code}".replace("29500", str(free_port()))
            return f"__import__('subprocess').run(['bash', '-c', {code!r}], check=True)\n"
        return ""


def environment_of_pages() -> dict[str, str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(SETTINGS)}
    folders = [str(WARDEN.parent), str(Path(sys.executable).parent), environment["PATH"]]
    environment["PATH"] = os.pathsep.join(folders)
    return environment | {"OMP_NUM_THREADS": "1", "SMDEBUG_LOG_LEVEL": "warning"}


def shown(pattern: str) -> re.Pattern:
    """What a text block stands for, as a pattern for what is printed, without its numbers."""
    lines = NUMBER.sub("#", pattern).splitlines(keepends=True)
    printed = "".join("(?:.*\n)*" if x == "...\n" else re.escape(x) for x in lines)
    # Where text is left out, there may be a warning more: the machine was busy.
    problem, found = re.escape("# problem"), re.escape(" found")
    return re.compile(printed.replace(problem + found, f"{problem}(?:, # warnings?)?{found}"))


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, tmp_path: Path):
    pytest.importorskip("torch")
    page = Page((GUIDE / name).read_text())
    assert page.promises
    for file, content in page.files.items():
        (tmp_path / file).write_text(content)
    (tmp_path / name).write_text(page.program)
    done = subprocess.run(
        [sys.executable, name],
        cwd=tmp_path,
        env=environment_of_pages(),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == page.promises


@contextmanager
def lengthened(script: Path) -> Iterator[None]:
    """Lets a training last until it is stopped: it could be over before a busy machine stops it."""
    text = script.read_text()
    assert "range(1000)" in text
    script.write_text(text.replace("range(1000)", "range(1_000_000)"))
    yield
    script.write_text(text)


@pytest.mark.parametrize("name", SHELL_PAGES)
def test_shell_page(name: str, tmp_path: Path):
    pytest.importorskip("torch")
    text = (GUIDE / name).read_text()
    if "curl " in text and shutil.which("curl") is None:
        pytest.skip("the page needs curl")
    ports = {port: str(free_port()) for port in PORTS}
    for port, free in ports.items():
        text = text.replace(port, free)
    runtime = tmp_path / "runtime"  # Where jobs are known: those of other tests are not ours.
    runtime.mkdir(mode=0o700)
    environment = environment_of_pages() | {
        "XDG_RUNTIME_DIR": str(runtime),
        "WARDEN_PROMETHEUS_LISTEN": f"127.0.0.1:{ports['9464']}",
    }
    printed = ""
    for language, code in SHELL_BLOCK.findall(text):
        if file := FILE_NAME.match(code):
            (tmp_path / file[1]).write_text(code)
        elif language == "text":
            assert shown(code).fullmatch(NUMBER.sub("#", printed)), (code, printed)
        else:
            stops = "--stop-on" in code or "stoptraining" in code
            with lengthened(tmp_path / "train.py") if stops else nullcontext(), (
                tmp_path / "printed"
            ).open("w+") as output:
                done = subprocess.run(
                    ["bash", "-c", STRICT + code],
                    cwd=tmp_path,
                    env=environment,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=TIMEOUT_S,
                )
                output.seek(0)
                printed = output.read()
            assert done.returncode in (0, FOUND), (code, printed)


def test_the_reference_of_rules_is_up_to_date():
    """docs/reference/rules.md is what the program says of its rules."""
    made = subprocess.run(
        [ROOT / "tools" / "rule_reference.sh"],
        env=os.environ | {"WARDEN": str(WARDEN)},
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    page = (ROOT / "docs" / "reference" / "rules.md").read_text()
    assert page == made.stdout, "Make it anew: tools/rule_reference.sh > docs/reference/rules.md"
