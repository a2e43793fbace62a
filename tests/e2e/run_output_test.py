"""What a command prints under `warden run` is kept, and printed as without us."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from launched import WARDEN

PRINTS = "import sys; print('out'); print('err', file=sys.stderr)"


def run_script(folder: Path, script: str, *options: str, **how) -> subprocess.CompletedProcess:
    command = [WARDEN, "run", "--out", "here", *options, "--", sys.executable, "-c", script]
    return subprocess.run(command, cwd=folder, timeout=300, **{"capture_output": True, **how})


def kept_lines(folder: Path) -> list[str]:
    files = sorted((folder / "here/warden/log").iterdir())
    lines = [line for file in files for line in file.read_text().splitlines()]
    assert all(re.match(r"\d{13} ", line) for line in lines), lines
    return [line.split(" ", 1)[1] for line in lines]


def test_output_and_errors_are_kept(tmp_path):
    done = run_script(tmp_path, PRINTS)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"out\n", b"err\n")
    assert sorted(kept_lines(tmp_path)) == ["err", "out"]


def test_a_traceback_is_kept(tmp_path):
    done = run_script(tmp_path, "print('begun'); raise ValueError('no such thing')")
    assert done.returncode == 1
    lines = kept_lines(tmp_path)
    assert "begun" in lines and lines[-1] == "ValueError: no such thing"
    assert "Traceback (most recent call last):" in lines


def test_nothing_is_kept_if_nobody_wants_it(tmp_path):
    done = run_script(tmp_path, PRINTS, "--no-log")
    assert (done.stdout, done.stderr) == (b"out\n", b"err\n")
    assert not (tmp_path / "here/warden/log").exists()


def test_lines_of_both_keep_their_order_if_they_go_to_one_place(tmp_path):
    script = "import sys\nfor i in range(200):\n"
    script += "    print(i, file=(sys.stdout, sys.stderr)[i % 2], flush=True)"
    done = run_script(
        tmp_path, script, capture_output=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert done.stdout.split() == [b"%d" % i for i in range(200)]
    assert kept_lines(tmp_path) == [str(i) for i in range(200)]


def test_of_much_output_both_ends_are_kept(tmp_path):
    script = "for i in range(400_000): print(i, 'x' * 80)"
    done = run_script(tmp_path, script)
    assert done.stdout.count(b"\n") == 400_000
    lines = kept_lines(tmp_path)
    assert lines[0].startswith("0 ") and lines[-1].startswith("399999 ")
    assert "[output left out here]" in lines
    size = sum(file.stat().st_size for file in (tmp_path / "here/warden/log").iterdir())
    assert size < 10 << 20


def test_a_terminal_stays_a_terminal(tmp_path):
    script = "import os, sys; print([f.isatty() for f in (sys.stdin, sys.stdout, sys.stderr)]); "
    script += "print('columns', os.get_terminal_size(1).columns); print('\\x1b[31mred\\x1b[0m')"
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        subprocess.run(["stty", "cols", "77"], check=True)
        command = [WARDEN, "run", "--out", "here", "--", sys.executable, "-c", script]
        os.execv(WARDEN, [str(word) for word in command])
    text = b""
    while b"training detected" not in text:
        text += os.read(terminal, 1000)
    os.waitpid(pid, 0)
    os.close(terminal)
    assert b"[True, True, True]\r\ncolumns 77\r\n\x1b[31mred\x1b[0m\r\n" in text, text
    assert kept_lines(tmp_path)[:2] == ["[True, True, True]", "columns 77"]


def test_a_reader_that_goes_away_ends_the_command_as_before(tmp_path):
    words = [WARDEN, "run", "--", sys.executable, "-c", "while True: print('y' * 1000)"]
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as one:
        one.stdout.read(10)
        one.stdout.close()
        assert b"BrokenPipeError" in one.stderr.read()
        assert one.wait(timeout=300) == 1


def test_what_a_process_left_behind_prints_is_not_waited_for(tmp_path):
    late = "until [ -e go ]; do sleep 0.05; done; echo late"
    script = "import subprocess; print('done', flush=True); "
    script += f"subprocess.Popen(['sh', '-c', {late!r}])"
    words = [WARDEN, "run", "--out", "here", "--", sys.executable, "-c", script]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE) as one:
        assert one.wait(timeout=300) == 0
        (tmp_path / "go").touch()
        assert one.stdout.read() == b"done\nlate\n"
    assert kept_lines(tmp_path) == ["done", "late"]
