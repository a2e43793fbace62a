"""tools/check_words.py finds the phrases that docs/style.md rules out, where users read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_words.py"

# Each habit, in a text that has it once.
HABITS = {
    "anew": "The page is loaded anew.",
    "for want of": "Skipped for want of data.",
    "is told": "The user is told.",
    "are told": "Users are told.",
    "is no": "This is no tensor.",
    "are no": "These are no tensors.",
    "goes on": "Training goes on.",
    "go on": "Jobs go on.",
    "of one's own": "Write rules of one's own.",
    "of its own": "It has a thread of its own.",
    "what is wanted": "Say what is wanted.",
    "nobody knows": "Why, nobody knows.",
    "by itself": "It restarts by itself.",
    "judges": "A rule judges the run.",
    "judged": "The run is judged.",
    "thereof": "The name thereof.",
}

# One file of each kind, with a place for a text.
FILES = {
    "warden/rules/rule.cc": 'Status S() { return Status(Code::kInvalid, "{}"); }\n',
    "warden/rules/rule.h": 'inline constexpr char kText[] = R"({})";\n',
    "python/src/module.cc": 'm.def("save", &Save, "{}");\n',
    "include/warden/hook.h": "// {}\nvoid Save();\n",
    "include/warden.h": "/* Saves.\n * {} */\nvoid wd_save(void);\n",
    "python/tensorwarden/hook.py": 'def save():\n    """{}"""\n',
    "python/tensorwarden/run.py": 'def save(name):\n    print(f"{name}: {}")\n',
    "python/smdebug/trials.py": 'raise ValueError("{}")\n',
    "web/src/app/main.ts": 'const text = "{}";\n',
    "web/src/panels/view.ts": "const text = `<p>${name}</p> {}`;\n",
    "docs/guide/page.md": "# Page\n\n{}\n",
    "README.md": "{}\n",
    "CHANGELOG.md": "- {}\n",
    "CONTRIBUTING.md": "{}\n",
}


def check(root: Path, *files: Path) -> tuple[int, list[str]]:
    """The exit code and the lines of the tool."""
    done = subprocess.run(
        [sys.executable, TOOL, "--root", root, *files],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, done.stdout.splitlines()


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", FILES)
def test_every_habit_is_found_in_every_kind_of_file(tmp_path: Path, name: str) -> None:
    write(tmp_path, name, "".join(FILES[name].replace("{}", text) for text in HABITS.values()))
    code, lines = check(tmp_path)
    assert code == 1
    lines_each = FILES[name].count("\n")
    place = FILES[name][: FILES[name].index("{}")].count("\n") + 1
    assert [line.split(": ")[:2] for line in lines] == [
        [f"{name}:{number * lines_each + place}", f'"{habit}"']
        for number, habit in enumerate(HABITS)
    ]


def test_a_finding_says_what_to_write(tmp_path: Path) -> None:
    write(tmp_path, "README.md", "Run it.\nIt is read\nanew.\n")
    assert check(tmp_path) == (1, ['README.md:3: "anew": say "again", or what is replaced'])


def test_phrases_are_found_across_lines(tmp_path: Path) -> None:
    write(tmp_path, "warden/a.cc", 'f("Skipped for "\n  "want of data", "is", "told");\n')
    write(tmp_path, "python/smdebug/a.py", 'f("It goes "  # why\n  "on", "is", "told")\n')
    write(tmp_path, "docs/a.md", "It is\nno tensor.\n")
    code, lines = check(tmp_path)
    assert code == 1
    assert [line.split(": ")[:2] for line in lines] == [
        ["warden/a.cc:1", '"for want of"'],
        ["python/smdebug/a.py:1", '"goes on"'],
        ["docs/a.md:1", '"is no"'],
    ]


# Nothing in these is shown to users.
SILENT = {
    "warden/rules/comments.cc": "// It is judged anew.\n/* It goes on. */\nint anew = 1'0;\n",
    "warden/rules/names.cc": """Judge(anew, "judge_step", '"'); // anew\nf("is", or, "told");\n""",
    "warden/rules/includes.cc": '#include "warden/judge/judges.h"\n#  include <judges>\n',
    "warden/rules/rule_test.cc": 'EXPECT_EQ(text, "is judged anew");\n',
    "warden/rules/rules_for_test.h": 'inline constexpr char kText[] = "is judged anew";\n',
    "include/warden.h": 'void judge(int anew);\n#define TEXT "anew"\n',
    "python/tensorwarden/a.py": "# Judged anew.\ndef judge(anew):\n    return {anew: f'{anew}'}\n",
    "python/tests/a_test.py": 'assert text == "is judged anew"\n',
    "web/src/a.ts": "// goes on\nconst anew = /it's anew/.test(x) ? `${judge({ anew })}` : 'a';\n",
    "web/node_modules/a.ts": "const text = 'is judged anew';\n",
    "docs/a.md": "Call `judge`:\n\n```sh\nwarden anew\n```\n\n[x](judged.md)\n",
    "examples/a.md": "is judged anew\n",
}


@pytest.mark.parametrize("name", SILENT)
def test_code_comments_and_tests_are_left_alone(tmp_path: Path, name: str) -> None:
    write(tmp_path, name, SILENT[name])
    assert check(tmp_path) == (0, [])


@pytest.mark.parametrize(
    "text",
    [
        "There is no run.",
        "If there are\nno runs.",
        "It is no longer saved.",
        "It is no more than a folder.",
        "The default is no.",
        "It is a no-op.",
        "See the guide judge-a-run.",
    ],
)
def test_plain_english_passes(tmp_path: Path, text: str) -> None:
    write(tmp_path, "README.md", text)
    assert check(tmp_path) == (0, [])


def test_prose_is_spelled_as_in_america(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "Normalised colours.\n\nUse `colour`: raise, promise, arise.\n")
    write(tmp_path, "warden/a.cc", 'json["initialisation"] = seconds;\n')
    assert check(tmp_path)[1] == [
        'docs/a.md:1: "Normalised": use the American spelling',
        'docs/a.md:1: "colour": use the American spelling',
    ]


def test_only_the_given_files_are_checked(tmp_path: Path) -> None:
    write(tmp_path, "README.md", "anew\n")
    other = write(tmp_path, "docs/a.md", "again\n")
    assert check(tmp_path, other) == (0, [])
    assert check(tmp_path)[0] == 1
