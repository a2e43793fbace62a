"""States of pages as rows of a table: where they are, how to get there, and whether they are
accessible."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from browsing import Watched, run_named
from playwright.sync_api import expect
from serving import Service

# By which rules of axe a page is checked: all of them, and those that know colors once more.
SCHEMES = {"light": (), "dark": ("color-contrast", "link-in-text-block")}


class State(NamedTuple):
    where: str  # Below '#/', or 'NAME/PANEL' of a run; '' stays.
    ready: str  # Is visible then.
    press: tuple[str, ...] = ()  # One after the other, before that.


def button(name: str) -> str:
    return f'role=button[name="{name}"]'


def heading(name: str) -> str:
    return f'role=heading[name="{name}"]'


def tab(name: str) -> str:
    return f'role=tab[name="{name}"]'


def address(service: Service, where: str) -> str:
    """With the IDs of runs for their names."""
    for name in re.findall(r"\{(.*?)\}", where):
        where = where.replace(f"{{{name}}}", quote(run_named(service, name), safe=""))
    page, slash, rest = where.partition("/")
    if not slash:
        return f"#/{where}"
    run = page if page == "no-such-run" else run_named(service, page)
    return f"#/run/{quote(run, safe='')}/{rest}"


def reach(watched: Watched, state: State) -> None:
    """Once something is said or shown there, and nothing is loaded any more."""
    page = watched.page
    page.keyboard.press("Escape")  # What the state before has opened.
    if state.where:
        watched.go(address(watched.service, state.where))
    for control in state.press:
        page.locator(control).first.click()
    expect(page.locator(state.ready).first).to_be_visible()
    watched.settled()


def problems(watched: Watched, words: str) -> Iterator[str]:
    """What axe finds wrong in both themes, and whether the page is too wide."""
    for scheme, rules in SCHEMES.items():
        watched.page.emulate_media(color_scheme=scheme)
        yield from (f"{words}, {scheme}: {one}" for one in watched.check_accessibility(*rules))
    if watched.sideways() > 0:
        yield f"{words}: wider than the window"
