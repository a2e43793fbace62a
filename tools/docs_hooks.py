"""For mkdocs: pages from outside docs/, the C and C++ reference, and links that leave docs/.

Files are written for the forge: their links are relative to the repository. Here, links to files
that have a page become links to the page, and links to other files go to the forge.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
# Files outside of docs/ that are pages of the site.
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "SECURITY.md": "security.md",
    "bench/RESULTS.md": "benchmarks.md",
}
DOXYGEN = ROOT / "build" / "doxygen" / "html"

_LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / name)))
    for path in sorted(DOXYGEN.rglob("*")):
        if path.is_file():
            name = f"api/cpp/{path.relative_to(DOXYGEN).as_posix()}"
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    site_name = page.file.src_uri
    sources = {made: source for source, made in PAGES.items()}
    folder = posixpath.dirname(sources.get(site_name, f"docs/{site_name}"))

    def link(found: re.Match[str]) -> str:
        before, target, anchor, after = found.groups(default="")
        if re.match(r"[a-z]+:|/", target):
            return found[0]
        name = posixpath.normpath(posixpath.join(folder, target))
        if name in PAGES:
            name = PAGES[name]
        elif name.startswith("docs/"):
            name = name.removeprefix("docs/")
        elif (ROOT / name).exists():
            kind = "tree" if (ROOT / name).is_dir() else "blob"
            return f"{before}{config.repo_url.rstrip('/')}/{kind}/main/{name}{anchor}{after}"
        else:
            return found[0]
        here = posixpath.dirname(site_name) or "."
        return f"{before}{posixpath.relpath(name, here)}{anchor}{after}"

    def code(text: str) -> str:
        # The forge needs a backslash before "|" in a table, also in code; mkdocs would show it.
        return text if text.lstrip().startswith("```") else text.replace(r"\|", "|")

    pieces = re.split(r"(?ms)(^ *```.*?^ *```|`[^`\n]*`)", markdown)
    return "".join(code(p) if i % 2 else _LINK.sub(link, p) for i, p in enumerate(pieces))
