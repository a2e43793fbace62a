"""Runs cells as a notebook does: notebook.py CELLS RESULTS

CELLS is a JSON list of [name, code]. All cells share their names; one that fails does not stop the
others. RESULTS is written as JSON: for each name its output, the value of its last line, the
training jobs that it started, its time, and the error if there was one.

Lines that begin with `!` are shell commands, in which {expression} is replaced.
"""

import ast
import contextlib
import io
import json
import re
import subprocess
import sys
import time
import traceback


class Hurry:
    """The module time for the SDK, which asks for a job's status only every 30 s."""

    def __init__(self):
        self.waited = 0.0

    def __getattr__(self, name):
        return getattr(time, name)

    def time(self):
        return time.time() + self.waited

    def sleep(self, seconds):
        time.sleep(min(seconds, 0.1))
        self.waited += 30


def shell(command: str, names: dict) -> None:
    filled = re.sub(r"\{([^}]+)\}", lambda found: str(eval(found[1], names)), command)
    done = subprocess.run(
        filled, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
    )
    print(done.stdout)
    if done.returncode:
        raise RuntimeError(f"{filled}: exit code {done.returncode}")


def execute(name: str, code: str, names: dict):
    """Runs a cell and returns the value of its last line, if that is an expression."""
    lines = [
        f"__shell__({line[1:].strip()!r}, globals())" if line.startswith("!") else line
        for line in code.split("\n")
    ]
    tree = ast.parse("\n".join(lines), name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if last:
        return eval(compile(ast.Expression(last.value), name, "eval"), names)
    return None


def jobs(names: dict) -> set:
    found = (getattr(value, "latest_training_job", None) for value in list(names.values()))
    return {job.name for job in found if job is not None and isinstance(job.name, str)}


def main() -> None:
    with open(sys.argv[1]) as file:  # noqa: PTH123
        cells = json.load(file)
    names = {"__name__": "notebook", "__shell__": shell}
    results, seen = {}, set()
    for name, code in cells:
        output, error, value, began = io.StringIO(), None, None, time.monotonic()
        with contextlib.redirect_stdout(output):
            try:
                value = execute(name, code, names)
            except BaseException:
                error = traceback.format_exc()
        if "sagemaker" in sys.modules:
            session = sys.modules["sagemaker.session"]
            if not isinstance(session.time, Hurry):
                session.time = Hurry()
        started = jobs(names) - seen
        seen |= started
        results[name] = {
            "output": output.getvalue(),
            "value": repr(value)[:4000],
            "jobs": sorted(started),
            "error": error,
            "seconds": time.monotonic() - began,
        }
        with open(sys.argv[2], "w") as file:  # noqa: PTH123
            json.dump(results, file)


if __name__ == "__main__":
    main()
