"""Lines of scripts that findings name."""

import pytest

from tensorwarden.base.lines import calling_line


def run_as(path, source, **names):
    """Runs source as if it was in that file."""
    exec(compile(source, path, "exec"), names)
    return names


@pytest.mark.parametrize(
    "library",
    [
        "/usr/lib/python3/dist-packages/torch/optim/adam.py",
        # Of another environment, which this one was made to use.
        "/opt/torch/.venv/lib/python3.12/site-packages/torch/optim/adam.py",
        "/home/me/train__autograph_generated_filex1.py",
        "<string>",
    ],
)
def test_libraries_are_left_out(library):
    names = run_as(library, "def made():\n    return line()\n", line=calling_line)
    script = run_as("/home/me/train.py", "\n\nfound = made()\n", made=names["made"])
    assert script["found"] == "train.py:3"
