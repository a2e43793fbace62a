"""`warden run`: a command runs under it as it does without. What is captured is in capture_test."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

WARDEN = str(Path(os.environ.get("WARDEN", "build/bin/warden")).absolute())

# Tells on standard output which signals it gets, until it gets USR2.
LISTENER = """
import os, signal, sys
def heard(number, frame):
    os.write(1, f"{signal.Signals(number).name}\\n".encode())
    if number == signal.SIGUSR2: os._exit(5)
for name in ("HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "WINCH"):
    signal.signal(getattr(signal, f"SIG{name}"), heard)
os.write(1, f"ready {os.getpid()}\\n".encode())
while True: signal.pause()
"""


def run(*command, options=(), cwd, **settings) -> subprocess.CompletedProcess:
    settings.setdefault("timeout", 300)
    return subprocess.run(
        [WARDEN, "run", *options, "--", *map(str, command)],
        cwd=cwd,
        capture_output=True,
        **settings,
    )


class Listening:
    """A listener under warden, in a process group of its own."""

    def __init__(self, folder: Path):
        self.process = subprocess.Popen(
            [WARDEN, "run", "--", sys.executable, "-c", LISTENER],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        self.pid = int(self.line().split()[1])

    def line(self) -> str:
        """The next line; none if it does not come within five minutes."""
        end = threading.Timer(300, os.killpg, (self.process.pid, signal.SIGKILL))
        end.start()
        try:
            return self.process.stdout.readline().strip()
        finally:
            end.cancel()

    def send_to_all(self, number: int) -> None:
        """Sends a signal to the whole group, and waits until it was heard and warden has taken it,
        too: two that wait are one."""
        os.killpg(self.process.pid, number)
        assert self.line() == signal.Signals(number).name
        deadline = time.monotonic() + 120
        while not self.has_witness_without(number):
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def has_witness_without(self, number: int) -> bool:
        """Whether a process that lets all signals wait has not got this one. Warden, which sees by
        such a process that a signal was for all, starts a new one when it has taken the signal."""
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # It may end at any time.
                if os.getpgid(int(folder.name)) != self.process.pid:
                    continue
                text = (folder / "status").read_text()
                masks = dict(re.findall(r"^(ShdPnd|SigBlk):\s*(\w+)", text, re.MULTILINE))
                waiting, blocked = (int(masks[key], 16) for key in ("ShdPnd", "SigBlk"))
                if blocked >> (signal.SIGALRM - 1) & 1 and not waiting >> (number - 1) & 1:
                    return True
        return False

    def end(self) -> list[str]:
        """What it heard that was not read yet, up to the end."""
        time.sleep(0.1)
        os.kill(self.pid, signal.SIGUSR2)
        heard = self.process.communicate(timeout=300)[0].split()
        assert self.process.returncode == 5
        assert heard.pop() == "SIGUSR2"
        return heard


@pytest.mark.parametrize("code", [0, 1, 3, 126, 127, 255])
def test_the_exit_code_is_the_commands(tmp_path, code):
    assert run("sh", "-c", f"exit {code}", cwd=tmp_path).returncode == code


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT", "SIGSEGV", "SIGPIPE", "SIGUSR1"])
def test_a_command_that_dies_by_a_signal_takes_us_along(tmp_path, name):
    number = getattr(signal, name)
    done = run("sh", "-c", f"kill -{number.value} $$", cwd=tmp_path)
    assert done.returncode == -number
    assert done.stderr == b""


def test_input_output_and_arguments_are_the_commands_own(tmp_path):
    script = (
        "import sys; data = sys.stdin.buffer.read(); sys.stdout.buffer.write(data[::-1]); "
        "sys.stderr.write(repr(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "a b", "", "[1,2]", "--", "--out", "-v", "%s", "é"]
    data = bytes(range(256)) * 1000
    plain = subprocess.run(command, input=data, capture_output=True)
    watched = run(*command, cwd=tmp_path, input=data)
    assert watched.stdout == plain.stdout == data[::-1]
    assert watched.stderr == plain.stderr
    assert b"'[1,2]', '--', '--out'" in watched.stderr


@pytest.mark.parametrize("script", ["1/0", "raise SystemExit('gone')", "import no_such", "x ="])
def test_failures_of_a_script_look_the_same(tmp_path, script):
    (tmp_path / "x.py").write_text(f"def f():\n    {script}\nf()\n")
    plain = subprocess.run([sys.executable, "x.py"], cwd=tmp_path, capture_output=True)
    watched = run(sys.executable, "x.py", cwd=tmp_path)
    assert (watched.returncode, watched.stdout, watched.stderr) == (1, b"", plain.stderr)


def test_the_environment_names_the_configuration(tmp_path):
    options = ["--out", "here", "--save-interval", "7"]
    environment = {**os.environ, "PYTHONPATH": "/x:/y"}
    done = run("env", "-0", options=options, cwd=tmp_path, env=environment)
    variables = dict(line.split("=", 1) for line in done.stdout.decode().split("\0") if line)
    assert variables["TENSORWARDEN_AUTO"] == "1"
    assert variables["PYTHONPATH"].endswith("/tensorwarden/auto/site:/x:/y")
    assert variables["SMDEBUG_CONFIG_FILE_PATH"] == str(tmp_path / "here/warden/hook.json")
    config = json.loads(Path(variables["SMDEBUG_CONFIG_FILE_PATH"]).read_text())
    assert config["LocalPath"] == str(tmp_path / "here")
    assert config["HookParameters"]["save_interval"] == 7


def test_python_starts_as_without_us(tmp_path):
    """Same sys.path, another sitecustomize still runs, and nothing of ours is loaded."""
    (tmp_path / "sitecustomize.py").write_text("print('customized')")
    script = "import sys; print(sys.path, sys.argv, 'tensorwarden' in sys.modules)"
    command = [sys.executable, "-c", script, "x"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    plain = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
    watched = run(*command, cwd=tmp_path, env=environment)
    assert watched.stdout.startswith(b"customized\n")
    assert watched.stdout == plain.stdout
    assert watched.stderr == b""


def test_commands_that_cannot_run(tmp_path):
    for command, code, words in [
        ("no-such-command", 127, b"no such command: no-such-command"),
        ("./no-such-file", 127, b"no such file: ./no-such-file"),
        (str(tmp_path), 126, b"not executable"),
        ("/etc/passwd", 126, b"not executable"),
    ]:
        done = run(command, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (code, b"")
        assert words in done.stderr and done.stderr.count(b"\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--save-interval", "0"], '--save-interval is "0"'),
        (["--save-interval", "often"], '"often"'),
        (["--reductions", "mean,mode"], "mode"),
        (["--include-regex", "("], "--include-regex"),
        (["--workers", "some"], "some"),
        (["--collections", "mine"], "mine"),
        (["--config", "/no/such.json"], "/no/such.json"),
        (["--events", "/no/such/folder"], "/no/such/folder"),
        (["--out", "ftp://host/run"], "ftp"),
        (["--no-such-flag"], "--no-such-flag"),
    ],
)
def test_bad_flags_are_told_before_anything_runs(tmp_path, options, words):
    done = run("touch", "ran", options=options, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert not (tmp_path / "ran").exists()


def test_a_command_is_needed(tmp_path):
    for arguments in (["run"], ["run", "--"], ["run", "--save-all", "--"]):
        done = subprocess.run([WARDEN, *arguments], cwd=tmp_path, capture_output=True)
        assert done.returncode == 2 and b"after '--'" in done.stderr


def test_a_finished_run_is_not_written_to(tmp_path):
    (tmp_path / "training_job_end.ts").write_text("")
    done = run("true", options=["--out", str(tmp_path)], cwd=tmp_path)
    assert done.returncode == 2 and b"finished run" in done.stderr


def test_events(tmp_path):
    options = ["--events", "events.jsonl", "--out", "here"]
    assert run("sh", "-c", "exit 3", options=options, cwd=tmp_path).returncode == 3
    start, end = map(json.loads, (tmp_path / "events.jsonl").read_text().splitlines())
    assert start["event"] == "start" and start["command"] == ["sh", "-c", "exit 3"]
    assert start["run"] == end["run"] == str(tmp_path / "here")
    assert end["event"] == "end" and end["exit_code"] == 3 and end["signal"] is None
    assert end["steps"] == end["tensors"] == 0
    done = run("sh", "-c", "kill -9 $$", options=["--json"], cwd=tmp_path)
    end = json.loads(done.stderr.splitlines()[1])
    assert (end["exit_code"], end["signal"]) == (137, 9)


def test_a_reader_that_goes_away_does_not_matter(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [WARDEN, "run", "-v", "--json", "--", "sh", "-c", "exit 4"]
    assert subprocess.run(command, cwd=tmp_path, stderr=writer, timeout=300).returncode == 4
    os.close(writer)


SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGWINCH"]


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_reaches_the_command_once(tmp_path, name):
    listening = Listening(tmp_path)
    listening.process.send_signal(getattr(signal, name))
    assert listening.line() == name
    assert listening.end() == []


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_to_the_whole_group_reaches_it_once_too(tmp_path, name):
    listening = Listening(tmp_path)
    for _ in range(3):
        listening.send_to_all(getattr(signal, name))
    listening.process.send_signal(getattr(signal, name))
    assert listening.line() == name
    assert listening.end() == []


def test_control_c_on_a_terminal_reaches_it_once(tmp_path):
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execv(WARDEN, [WARDEN, "run", "--", sys.executable, "-c", LISTENER])
    text = read_until(terminal, "ready ")
    time.sleep(0.1)
    os.write(terminal, b"\x03")
    text += read_until(terminal, "SIGINT")
    time.sleep(0.2)
    os.kill(pid, signal.SIGUSR2)
    text += read_until(terminal, "training detected")
    assert text.count("SIGINT") == 1 and text.count("SIGUSR2") == 1
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 5
    os.close(terminal)


def read_until(terminal: int, words: str) -> str:
    text = ""
    while words not in text:
        text += os.read(terminal, 1000).decode()
    return text


def test_stopping_and_continuing(tmp_path):
    listening = Listening(tmp_path)
    listening.process.send_signal(signal.SIGTSTP)
    wait_for_state(listening.pid, "T")
    listening.process.send_signal(signal.SIGCONT)
    wait_for_state(listening.pid, "S")
    assert listening.end() == []


def wait_for_state(pid: int, state: str) -> None:
    deadline = time.monotonic() + 120
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != state:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_command_goes_on_when_we_are_killed(tmp_path):
    listening = Listening(tmp_path)
    listening.process.kill()
    assert listening.process.wait(timeout=300) == -signal.SIGKILL
    os.kill(listening.pid, signal.SIGTERM)
    assert listening.line() == "SIGTERM"
    os.kill(listening.pid, signal.SIGUSR2)
    # Nobody else holds the pipe open.
    assert listening.process.stdout.read().split() == ["SIGUSR2"]
