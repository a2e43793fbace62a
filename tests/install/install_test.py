"""What `cmake --install` puts down is enough to build and run programs: those of the guide."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("WARDEN_BUILD", ROOT / "build" / "release"))
GUIDE = ROOT / "docs" / "guide" / "record-from-cpp.md"
DOCUMENTS = [
    f"share/doc/tensorwarden/{name}" for name in ("LICENSE", "NOTICE", "tensorwarden.cdx.json")
]
# Words of each license, or of where its text is, that stand in NOTICE below those who are under it.
LICENSES = {
    "Apache-2.0": "The text of this license is in the file LICENSE",
    "BSD-3-Clause": "Redistributions in binary form must reproduce the above copyright notice",
    "BSL-1.0": "obtaining a copy of the software and\naccompanying documentation",
    "MIT": "obtaining a copy of this software and associated\ndocumentation files",
    "MPL-2.0": "https://www.mozilla.org/MPL/2.0/",
    "Zlib": "This software is provided 'as-is'",
    "blessing": "The authors disclaim copyright",
    "curl": "Permission to use, copy, modify, and distribute this software for any purpose",
}
# Of a compiler or the C library, and those whose names in the bill are others.
SYSTEM = {"c", "dl", "gcc_s", "m", "pthread", "rt", "stdc++"}
RENAMED = {
    "crypto": "OpenSSL",
    "hwy": "Highway",
    "pcre2-8": "PCRE2",
    "sqlite3": "SQLite",
    "ssl": "OpenSSL",
    "z": "zlib",
}
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def block(language: str) -> str:
    """The program in that language of the guide."""
    (found,) = re.findall(
        rf"^```{language}\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL
    )
    return found


def install(prefix: Path, *options: str) -> set:
    """The installed files, relative to the prefix."""
    command = ["cmake", "--install", str(BUILD), "--prefix", str(prefix), *options]
    subprocess.run(command, check=True, capture_output=True)
    return {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}


class Outside:
    """A folder that has nothing to do with our sources, and an environment that knows nothing."""

    def __init__(self, folder: Path, prefix: Path):
        self.folder = folder
        self.prefix = prefix

    def run(self, *command) -> str:
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "PKG_CONFIG_PATH": str(self.prefix / "lib" / "pkgconfig"),
        }
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def tensors(self, run: str) -> dict:
        listed = json.loads(self.run(self.prefix / "bin/warden", "trial", "tensors", run, "--json"))
        return {tensor["name"]: tensor["steps"]["TRAIN"] for tensor in listed}


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    install(folder)
    return folder


@pytest.fixture
def outside(tmp_path, prefix):
    (tmp_path / "train.cc").write_text(block("cpp"))
    (tmp_path / "train.c").write_text(block("c"))
    (tmp_path / "CMakeLists.txt").write_text(block("cmake"))
    return Outside(tmp_path, prefix)


def test_what_is_installed(tmp_path):
    files = install(tmp_path)
    library = {name for name in files if name.startswith("lib/libtensorwarden.so")}
    assert len(library) == 3, library
    assert {re.sub(r"-\w+\.cmake", "-*.cmake", name) for name in files - library} == {
        "bin/warden",
        "include/warden.h",
        "include/warden/hook.h",
        "lib/cmake/tensorwarden/tensorwardenConfig.cmake",
        "lib/cmake/tensorwarden/tensorwardenConfigVersion.cmake",
        "lib/cmake/tensorwarden/tensorwardenTargets.cmake",
        "lib/cmake/tensorwarden/tensorwardenTargets-*.cmake",
        "lib/pkgconfig/tensorwarden.pc",
        *DOCUMENTS,
    }
    for name in files:
        if name.endswith((".cmake", ".pc", ".h")):
            assert str(ROOT) not in (tmp_path / name).read_text(), name


def test_what_a_machine_that_only_runs_programs_needs(tmp_path):
    files = install(tmp_path, "--component", "runtime")
    assert {name for name in files if "/libtensorwarden.so." not in name} == {
        "bin/warden",
        *DOCUMENTS,
    }


def test_what_it_is_made_of_is_told(prefix):
    documents = prefix / "share/doc/tensorwarden"
    bill = json.loads((documents / "tensorwarden.cdx.json").read_text())
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == (
        "CycloneDX",
        "tensorwarden",
    )
    components = {component["name"]: component for component in bill["components"]}
    assert {"uPlot", "fmt", "SQLite", "OpenSSL", "PCRE2"} <= set(components)
    notice = (documents / "NOTICE").read_text()
    for name, component in components.items():
        parts = [text for text in notice.split("-" * 120) if f"\n- {name}, " in text]
        assert len(parts) == 1, name
        assert LICENSES[component["licenses"][0]["license"]["id"]] in parts[0], name
        assert component.get("version") or name == "robin-map", name
    assert "Leon Sorokin" in notice
    assert len(components) == len(re.findall(r"^- ", notice, re.MULTILINE))
    for file in ("bin/warden", "lib/libtensorwarden.so"):
        command = ["readelf", "--wide", "--dynamic", str(prefix / file)]
        needed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        names = set(re.findall(r"NEEDED.*\[lib(\S+?)\.so", needed)) - SYSTEM
        assert {RENAMED.get(name, name) for name in names} <= set(components), file


def test_nothing_else_can_be_seen_of_the_library(prefix):
    library = prefix / "lib" / "libtensorwarden.so"
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", str(library)]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = {line.split()[0].partition("@")[0] for line in listed.splitlines()}
    declared = set(re.findall(r"\b(wd_\w+)\(", (prefix / "include/warden.h").read_text()))
    assert names - {"TENSORWARDEN_0"} == declared


def test_programs_of_the_guide_by_cmake(outside):
    outside.run(
        "cmake",
        *("-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={outside.prefix}"),
        *(f"-DCMAKE_C_FLAGS={' '.join(STRICT)}", f"-DCMAKE_CXX_FLAGS={' '.join(STRICT)}"),
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
    )
    outside.run("cmake", "--build", "build")
    assert str(ROOT) not in (outside.folder / "build/compile_commands.json").read_text()
    outside.run("build/train_cpp", "from_cpp")
    assert outside.tensors("from_cpp") == {
        "line.weight": [0, 5, 10, 15],
        "gradient/line.weight": [0, 5, 10, 15],
        "Loss_output_0": list(range(20)),
        "scalar/learning_rate": [19],
    }
    outside.run("build/train_c")
    assert outside.tensors("runs/c") == {
        "line.weight": [0, 5, 10, 15],
        "Loss_output_0": list(range(20)),
    }
    warden = outside.prefix / "bin" / "warden"
    assert "finished" in outside.run(warden, "trial", "ls", "runs/c")
    outside.run(warden, "trial", "verify", "runs/c")
    evaluated = json.loads(
        outside.run(warden, "eval", "from_cpp", "--rules", "ExplodingTensor", "--json")
    )
    assert [rule["status"] for rule in evaluated["rules"]] == ["NoIssuesFound"]


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_programs_of_the_guide_by_pkg_config(outside, standard):
    flags = outside.run("pkg-config", "--cflags", "--libs", "tensorwarden").split()
    flags.append(f"-Wl,-rpath,{outside.prefix}/lib")
    outside.run("c++", f"-std={standard}", *STRICT, "train.cc", *flags, "-o", "train_cpp")
    outside.run("cc", "-std=c99", *STRICT, "train.c", *flags, "-o", "train_c")
    outside.run("./train_cpp", "run")
    outside.run("./train_c", "run_of_c")
    assert set(outside.tensors("run")) > set(outside.tensors("run_of_c"))


def test_under_warden_run(outside):
    text = block("cpp").replace("tensorwarden::Hook hook(options);", "auto hook = FROM;")
    text = text.replace("FROM", "tensorwarden::Hook::FromEnvironment()")
    (outside.folder / "train.cc").write_text(text)
    flags = outside.run("pkg-config", "--cflags", "--libs", "tensorwarden").split()
    flags.append(f"-Wl,-rpath,{outside.prefix}/lib")
    outside.run("c++", "train.cc", *flags, "-o", "train")
    outside.run("./train")
    assert not (outside.folder / "runs").exists(), "nobody asked for anything"
    outside.run(outside.prefix / "bin/warden", "run", "--out", "watched", "--", "./train")
    assert outside.tensors("watched")["Loss_output_0"] == list(range(20))
