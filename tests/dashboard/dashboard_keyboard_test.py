"""Everything works by keyboard: each control is reached and seen, dialogs give the focus back, and
nothing that is pressed loses it."""

import re

from keyboard import listen, walk
from kinds import GPUS, LAYERED, RANKED, STEPS
from models import CLASSIFIER, TRANSFORMER
from playwright.sync_api import expect
from states import State, button, reach, tab
from unhappy import CRASHED, DIVERGED, FIRST_NAN

# Where a walk with Tab begins.
PLACES = [
    State("runs?columns=param:lr,last:loss,tags&plot=parallel", ".runs-plot-over"),
    State("runs?plot=scatter&group=param:lr", "tr button.runs-name"),
    State("runs", "details[open] .runs-shown", ("text=Columns",)),
    State(f"{CRASHED}/overview", ".overview-traceback"),
    State(f"{DIVERGED}/overview?from=10&to=60", ".overview-chart canvas", ("text=All findings",)),
    State(f"{LAYERED}/layers", ".heat-box canvas"),
    State(f"{RANKED}/ranks", ".heat-box canvas"),
    State(f"{LAYERED}/tensors?tensor=conv.0.weight&tensor=conv.1.weight", ".plot-box canvas"),
    *(
        State(f"{LAYERED}/tensors?tensor=conv.0.weight&tab={tab}", ".tensors-body canvas")
        for tab in ("distribution", "values&view=image", "projector")
    ),
    State(f"{LAYERED}/tensors?tensor=conv.0.weight&tab=values", ".tensors-table"),
    State(f"{LAYERED}/tensors?tensor=conv.0_output_0&tab=stack", ".tensors-body canvas"),
    State(f"{LAYERED}/tensors?tensor=conv.0_output_0&tab=activation", ".tensors-body canvas"),
    State(f"{CLASSIFIER}/tensors?tab=classifier", "role=heading[name=Calibration]"),
    State(f"{TRANSFORMER}/tensors?tab=attention", ".attention-alone canvas", (".attention-head",)),
    State(f"{TRANSFORMER}/compare?b={{{CLASSIFIER}}}", ".compare-table canvas"),
    State(f"{GPUS}/system", ".plot-box canvas"),
    State(f"{GPUS}/profiler", ".profiler figure.chart .mark"),
    State(f"{STEPS}/timeline?tab=flame", ".flame-svg text"),
    State(f"{STEPS}/timeline?tab=path", ".path-kinds li"),
    State(f"{DIVERGED}/logs?q=batch 12", ".logs-line mark"),
]
UNDER_BARS = [
    State("runs?plot=parallel", ".runs-plot-over"),
    State(f"{DIVERGED}/overview", ".overview-chart canvas"),
    State(f"{GPUS}/system", ".plot-box canvas"),
]
# Where, what opens something by Enter, and what it opens.
OPENED = [
    ("runs", button("Edit fast-1"), "role=dialog"),
    ("runs", "summary >> text=Columns", "details[open] .runs-columns"),
    (f"{DIVERGED}/overview", button("Edit"), "role=dialog"),
    (f"{DIVERGED}/overview", button("Download loss"), "role=menu"),
    (f"{DIVERGED}/overview", button("Full screen: loss"), "role=dialog"),
    (f"{STEPS}/timeline", button("Open in Perfetto"), "role=dialog"),
    (f"{STEPS}/timeline", button("Keyboard shortcuts (?)"), "role=dialog"),
]
# Where, what is pressed by Enter or Space, and what has the focus then.
PRESSED = [
    (f"{DIVERGED}/overview", button("Pin accuracy to the top"), button("Pin accuracy to the top")),
    (f"{DIVERGED}/overview", ".plot-legend button >> nth=0", ".plot-legend button >> nth=0"),
    (
        f"{LAYERED}/tensors?tensor=conv.0.weight&tensor=conv.1.weight&tensor=conv.2.weight",
        button("Remove conv.1.weight"),
        button("Remove conv.2.weight"),
    ),
    ("compare?a={fast-1}&b={fast-2}&c={slow-1}", button("Remove fast-2"), button("Remove slow-1")),
    (f"{STEPS}/timeline", tab("Statistics"), tab("Statistics")),
    ("runs", "th[data-column=name] button", "th[data-column=name] button"),
    ("runs?group=param:lr", "tr button.runs-name >> nth=0", "tr button.runs-name >> nth=0"),
]
# Nothing of the page has the focus.
NOWHERE = "document.activeElement === document.body"


def test_tab_reaches_everything(kinds, open_page):
    watched = listen(open_page(kinds))
    wrong = []
    for place in PLACES:
        reach(watched, place)
        wrong += [f"{place.where}: {one}" for one in walk(watched.page)]
    assert wrong == [], "\n".join(wrong)


def test_backwards_nothing_is_hidden_by_what_stays_on_top(kinds, open_page):
    watched = listen(open_page(kinds))
    wrong = []
    for place in UNDER_BARS:
        reach(watched, place)
        wrong += [f"{place.where}: {one}" for one in walk(watched.page, "Shift+Tab")]
    assert wrong == [], "\n".join(wrong)


def test_what_opens_gives_the_focus_back(kinds, open_page):
    watched = open_page(kinds)
    page, keyboard = watched.page, watched.page.keyboard
    for where, opener, opened in OPENED:
        reach(watched, State(where, opener))
        control, box = page.locator(opener).first, page.locator(opened).first
        control.press("Enter")
        expect(box).to_be_visible()
        if opened == "role=dialog":
            # Tab stays within, or leaves for the browser's own controls.
            for _ in range(5):
                keyboard.press("Tab")
                inside = "box => box.contains(document.activeElement ?? document.body)"
                assert box.evaluate(inside) or page.evaluate(NOWHERE), (where, opener)
        keyboard.press("Escape")
        expect(box).to_be_hidden()
        expect(control).to_be_focused()


def test_what_is_pressed_keeps_the_focus(kinds, open_page):
    watched = open_page(kinds)
    page = watched.page
    for where, control, then in PRESSED:
        reach(watched, State(where, control))
        page.locator(control).first.press("Enter")
        expect(page.locator(then).first).to_be_focused()
        watched.settled()
        expect(page.locator(then).first).to_be_focused()


def test_values_are_read_point_by_point(kinds, open_page):
    watched = open_page(kinds)
    keyboard = watched.page.keyboard
    reach(watched, State(f"{DIVERGED}/overview?from=50&to=70", ".overview-chart canvas"))
    chart = watched.figure("loss")
    watched.wait_until_drawn(chart.locator("canvas"))
    chart.locator(".plot-box").focus()
    told = chart.locator("[aria-live=polite]")
    keyboard.press(".")
    expect(told).to_have_text("Step 50: loss (EVAL) 0.04, loss (TRAIN) 0.039")
    expect(chart.locator(".plot-at")).to_have_text("50")
    # All charts show the values there.
    expect(watched.figure("accuracy").locator(".plot-at")).to_have_text("50")
    for _ in range(FIRST_NAN - 50):
        keyboard.press(".")
    expect(told).to_contain_text(re.compile(rf"^Step {FIRST_NAN}: .*loss \(TRAIN\) NaN"))
    keyboard.press(",")
    expect(told).to_contain_text(f"Step {FIRST_NAN - 1}: ")
    # Beyond the window, the window moves along.
    for _ in range(12):
        keyboard.press(",")
    watched.wait_for_address("from=48")
    keyboard.press("Tab")
    expect(chart.locator(".plot-at")).to_have_text("")
