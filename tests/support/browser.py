"""Debian's Chromium. Playwright runs once at a time in a process: who starts it also ends it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROGRAM = "/usr/bin/chromium"
# What a browser of the distribution needs to start as root and to ask nobody for anything.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Browser]:
    # Here: tests without a browser run where there is no Playwright.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def page_with_modules(browser: Browser, exports: str) -> Iterator[Page]:
    """A page in which what is exported from the files of web/src is the global object W."""
    web = Path(__file__).resolve().parents[2] / "web"
    bundled = subprocess.run(
        [web / "node_modules/.bin/esbuild", "--bundle", "--format=iife", "--global-name=W"],
        input=exports,
        capture_output=True,
        text=True,
        check=True,
        cwd=web / "src",
    )
    page = browser.new_page()
    page.add_script_tag(content=bundled.stdout)
    yield page
    page.close()
