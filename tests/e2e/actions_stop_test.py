"""Stopping jobs, commands, and what a restart makes of the journal."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from actions_peers import FIRING, PROGRAM, HttpPeer, environment, run_actions, states, write_request

# Three generations that do not want to end, the last in a session of its own.
STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
depth = int(sys.argv[1])
print(os.getpid(), flush=True)
if depth > 0:
    child = subprocess.Popen([sys.executable, sys.argv[0], str(depth - 1)],
                             start_new_session=depth == 1)
while True: time.sleep(1)
"""


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.fixture
def stubborn(tmp_path):
    """A process tree; the numbers of all in it."""
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN)
    process = subprocess.Popen(
        [sys.executable, script, "2"], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    pids = [int(process.stdout.readline()) for _ in range(3)]
    yield pids
    for pid in pids:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def test_a_tree_that_ignores_the_request_is_killed(tmp_path, stubborn):
    begin = time.monotonic()
    jobs = {"demo-001": stubborn[0]}
    settings = {"WARDEN_STOP_GRACE": "0.5"}
    lines = run_actions(tmp_path, [{"name": "stoptraining"}], settings, jobs=jobs)
    assert states(lines) == ["done"], lines
    assert not any(is_alive(pid) for pid in stubborn)
    assert time.monotonic() - begin >= 0.5


def test_the_stop_does_not_wait_for_a_slow_server(tmp_path, stubborn):
    actions = [{"name": "exec", "command": "sleep 300"}, {"name": "stoptraining"}]
    jobs = {"demo-001": stubborn[0]}
    request = write_request(tmp_path, actions, jobs=jobs, hold=True, finish_ms=0)
    process = subprocess.Popen(
        [PROGRAM, request],
        env=environment(WARDEN_STOP_GRACE="0.2"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [json.loads(process.stdout.readline()) for _ in range(2)]
    assert [line["action"]["name"] for line in lines if "action" in line] == ["stoptraining"]
    assert not any(is_alive(pid) for pid in stubborn)
    rest = process.communicate(timeout=300)[0].splitlines()
    assert [left["action"]["name"] for left in json.loads(rest[-1])["left"]] == ["exec"]


@pytest.mark.parametrize("prefix", ["demo", "other"])
def test_several_or_no_jobs_are_not_stopped(tmp_path, stubborn, prefix):
    jobs = {"demo-001": stubborn[0], "demo-002": stubborn[1]}
    action = {"name": "stoptraining", "training_job_prefix": prefix}
    lines = run_actions(tmp_path, [action], jobs=jobs)
    assert states(lines) == ["gave_up"]
    assert "stopped nothing" in lines[0]["reason"]
    assert all(is_alive(pid) for pid in stubborn)


def test_a_command_gets_the_event(tmp_path):
    out = tmp_path / "out.json"
    command = [sys.executable, "-c", "import sys; open(sys.argv[1], 'w').write(sys.stdin.read())"]
    lines = run_actions(tmp_path, [{"name": "exec", "command": [*command, str(out)]}])
    assert states(lines) == ["done"], lines
    assert json.loads(out.read_text())["detail"]["Finding"] == FIRING["finding"]


def test_what_a_killed_process_left_is_done_once_by_the_next(tmp_path):
    journal = tmp_path / "rule-output" / "actions.jsonl"
    done = tmp_path / "done"
    with HttpPeer(answers=[(503, {})] * 2) as peer:
        actions = [
            {"name": "exec", "command": f"echo x >>{done}"},
            {"name": "webhook", "url": peer.url},
        ]
        request = write_request(
            tmp_path, actions, journal=str(journal), waits_ms=[60000], hold=True
        )
        process = subprocess.Popen(
            [PROGRAM, request], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 120
        # The command is done, and the server has answered once.
        told = ""
        while '"done"' not in told or '"failed"' not in told:
            assert time.monotonic() < deadline
            time.sleep(0.02)
            told = journal.read_text() if journal.exists() else ""
        process.kill()
        process.communicate()
        # As if it had been killed in the middle of a line.
        with journal.open("a") as file:
            file.write('{"time": 1, "id": "')

        lines = run_actions(tmp_path, actions, journal=str(journal), waits_ms=[10])
        assert states(lines) == ["failed", "done"], lines
        assert run_actions(tmp_path, actions, journal=str(journal)) == [{"left": []}]
        assert len(peer.requests) == 3
    assert done.read_text() == "x\n"
    assert len({request.headers["Idempotency-Key"] for request in peer.requests}) == 1


def test_one_process_at_a_time_acts_for_a_run(tmp_path):
    request = write_request(
        tmp_path, [{"name": "exec", "command": "true"}], journal=str(tmp_path / "j"), hold=True
    )
    first = subprocess.Popen(
        [PROGRAM, request], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    first.stdout.readline()
    second = subprocess.run([PROGRAM, request], env=environment(), capture_output=True, text=True)
    assert second.returncode == 2
    assert "another process" in second.stderr
    first.communicate(timeout=300)
    assert first.returncode == 0
