"""Lines of many points, drawn pixel column by pixel column, look as a canvas draws them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from support.browser import page_with_modules

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 300, 120

# The opacity of every pixel, drawn by the raster and by the canvas itself.
DRAW = f"""
({{ x, y, thickness }}) => {{
  const canvas = () => {{
    const made = document.createElement('canvas');
    [made.width, made.height] = [{WIDTH}, {HEIGHT}];
    return made.getContext('2d');
  }};
  const alpha = (on) => on.getImageData(0, 0, {WIDTH}, {HEIGHT}).data.filter((_, i) => i % 4 === 3);
  const ours = canvas();
  const mean = Float64Array.from(y, (value) => value ?? NaN);
  const points = {{ count: x.length, x: Float64Array.from(x), low: mean, mean, high: mean }};
  W.raster.begin(0, 0, {WIDTH}, {HEIGHT});
  W.raster.line(points, 'rgb(10, 100, 170)', thickness, []);
  W.raster.flush(ours);
  const theirs = canvas();
  theirs.lineWidth = thickness;
  theirs.lineJoin = 'round';
  theirs.beginPath();
  x.forEach((at, i) => {{
    if (y[i] === null) return;
    if (i === 0 || y[i - 1] === null) theirs.moveTo(at, y[i]);
    else theirs.lineTo(at, y[i]);
  }});
  theirs.stroke();
  return [[...alpha(ours)], [...alpha(theirs)]];
}}
"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with page_with_modules(browser, "export { raster } from './plots/column_raster';") as shown:
        yield shown


def zigzag(distance: int) -> tuple[list[float], list[float | None]]:
    count = WIDTH // distance
    return [i * distance + 0.5 for i in range(count)], [
        20.0 + 80.0 * ((i * 7919) % 13) / 12 for i in range(count)
    ]


def drawn(page: Page, x: list[float], y: list[float | None], thickness: float = 1.6):
    return page.evaluate(DRAW, {"x": x, "y": y, "thickness": thickness})


@pytest.mark.parametrize("distance", [2, 5, 12, 40])
def test_a_line_has_as_much_ink_as_a_canvas_gives_it(page: Page, distance: int) -> None:
    ours, theirs = drawn(page, *zigzag(distance))
    assert sum(theirs) > 0
    assert sum(ours) == pytest.approx(sum(theirs), rel=0.2)


# Closer together, several steep pieces share a column, and no longer differ within it.
@pytest.mark.parametrize("distance", [5, 12, 40])
def test_the_ink_lies_where_a_canvas_puts_it(page: Page, distance: int) -> None:
    ours, theirs = drawn(page, *zigzag(distance))
    apart = sum(abs(a - b) for a, b in zip(ours, theirs))
    assert apart < 0.35 * sum(theirs)


@pytest.mark.parametrize("distance", [0.7, 1, 1.21, 1.9])
def test_a_slope_of_many_points_has_no_stairs(page: Page, distance: float) -> None:
    x = [i * distance for i in range(int(WIDTH / distance))]
    y: list[float | None] = [min(110.0, max(10.0, 10 + 5 * (at - 140))) for at in x]
    ours, theirs = drawn(page, x, y)
    for column in range(143, 157):  # Away from where it begins and ends.
        assert sum(ours[column::WIDTH]) == pytest.approx(sum(theirs[column::WIDTH]), rel=0.1)
    assert sum(abs(a - b) for a, b in zip(ours, theirs)) < 0.1 * sum(theirs)


def test_no_ink_lies_beyond_the_ends_of_steep_lines(page: Page) -> None:
    x, y = zigzag(12)
    ours, _ = drawn(page, x, y)
    rows = [i // WIDTH for i, opacity in enumerate(ours) if opacity > 0]
    assert min(rows) >= 20 - 2
    assert max(rows) <= 100 + 2


def test_a_line_is_broken_where_nothing_was_measured(page: Page) -> None:
    x = [float(i) for i in range(WIDTH)]
    y: list[float | None] = [60.0 if not 100 <= i < 200 else None for i in range(WIDTH)]
    ours, _ = drawn(page, x, y)
    inked = {i % WIDTH for i, opacity in enumerate(ours) if opacity > 0}
    assert not inked & set(range(101, 199))
    assert set(range(1, 99)) <= inked and set(range(201, 299)) <= inked


def test_what_is_far_outside_is_not_drawn_and_harms_nothing(page: Page) -> None:
    x = [-1e6, -5.0, 100.0, 100.0, 250.0, 1e6]
    y: list[float | None] = [1e6, -1e6, 50.0, 60.0, 1e6, -1e6]
    ours, _ = drawn(page, x, y)
    assert len(ours) == WIDTH * HEIGHT
