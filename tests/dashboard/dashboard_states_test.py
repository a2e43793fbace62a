"""Every state of every page passes axe, in both themes and on a phone: what went wrong, what is
missing, and what is open. dashboard_accessibility_test.py has the panels of a run with data."""

from collections.abc import Iterator

import pytest
from browsing import DESK, PHONE, Watched, violations
from dashboard_export_test import export
from kinds import GPUS, LAYERED, RANKED, STEPS
from models import CLASSIFIER, TRANSFORMER
from playwright.sync_api import expect
from serving import Service
from states import SCHEMES, State, button, heading, problems, reach
from unhappy import CRASHED, DIVERGED

DEVICES = pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
ARCHIVE = 'role=checkbox[name="Archived: only shown with is:archived"]'
BASELINE = 'role=checkbox[name="Baseline, marked with a star"]'
LIST = [
    State("runs?search=nothing-like-this", heading("No runs match")),
    State("runs?search=lr>much status:fine", ".runs-problems li >> nth=1"),
    State("runs?columns=param:lr,last:loss,tags", "details[open] .runs-shown", ("text=Columns",)),
    State(
        "runs?group=param:lr", 'button.runs-name[aria-expanded="true"]', ("tr button.runs-name",)
    ),
    State("runs?plot=parallel", ".runs-plot-over"),
    State("runs?plot=scatter&search=lr>1e-2", ".runs-plot-over"),
    State("runs", 'role=dialog[name="Edit fast-1"]', (button("Edit fast-1"),)),
    State(
        "runs?search=fast",
        'role=dialog[name="Edit 2 runs"]',
        ('role=checkbox[name="Select all shown runs"]', button("Edit 2 runs")),
    ),
    State("", button("Compare 2 runs")),
    State("runs", button("Undo"), (button("Edit slow-2"), button("Delete"))),
    State("", button("Restore slow-2"), (".runs-trash summary",)),
    State("", "a.runs-name >> text=slow-2", (button("Undo"),)),
    State(
        "runs?search=middle",
        "a.runs-name >> text=middle",
        (button("Edit middle"), ARCHIVE, BASELINE, button("Save"), button("Archived")),
    ),
    State("", heading("No runs match"), (button("Edit middle"), ARCHIVE, BASELINE, button("Save"))),
    State("compare?a={fast-1}&b={fast-2}&c={slow-1}", "text=First to differ"),
    State("compare?a={fast-1}", ".compare-runs"),
]
RUN = [
    State("no-such-run/overview", heading("Run not found")),
    State("fast-1/nothing", ".empty"),
    State("fast-1/overview", ".overview-chart canvas"),
    *(State(f"{CRASHED}/{panel}", ".empty") for panel in ("tensors", "layers", "compare")),
    *(State(f"fast-1/{panel}", ".empty") for panel in ("system", "profiler", "timeline")),
    *(State(f"fast-1/{panel}", ".empty") for panel in ("reports", "logs")),
    State(f"{CRASHED}/overview", ".overview-traceback"),
    State(f"{CRASHED}/logs", ".logs-line.bad"),
    State(f"{CRASHED}/logs?level=warning", ".logs-line a"),
    State(f"{DIVERGED}/overview", ".overview-finding .sparkline", ("text=All findings",)),
    State(
        f"{DIVERGED}/overview?log=1&clip=1&window=20&x=epoch&pin=accuracy",
        "role=menu",
        (button("Download loss"),),
    ),
    State("", ".plot-table", (".overview-chart >> " + button("Show table"),)),
    State(f"{DIVERGED}/overview?chart=loss", 'role=dialog[name="loss"]'),
    State(f"{DIVERGED}/overview", "role=dialog", (button("Edit"),)),
    State(f"{DIVERGED}/logs?q=nothing like this", "text=No lines match"),
    State(f"{DIVERGED}/logs?q=batch 12", ".logs-line mark"),
    State(f"{DIVERGED}/tensors?tensor=gone", ".tensors-body"),
]
TENSORS = [
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
    State(f"{LAYERED}/tensors?tab=attention", "text=No attention weights were saved"),
    State(f"{CLASSIFIER}/tensors?tab=classifier", heading("Calibration")),
    State(f"{TRANSFORMER}/tensors?tab=attention", ".attention-alone canvas", (".attention-head",)),
    State(f"{TRANSFORMER}/compare?b={{{CLASSIFIER}}}", ".compare-table canvas"),
]
PROFILE = [
    State(f"{GPUS}/system", ".plot-box canvas"),
    State(f"{GPUS}/profiler", ".profiler figure.chart .mark"),
    State(f"{STEPS}/profiler", ".profiler figure.chart .mark"),
    State(f"{STEPS}/timeline", "role=dialog", (button("Open in Perfetto"),)),
    State(f"{STEPS}/timeline?tab=statistics", "role=tabpanel >> td"),
    State(f"{STEPS}/timeline?search=conv&tab=search", "role=tabpanel >> td"),
    State(f"{STEPS}/timeline?search=dur>5&tab=search", "text=is not a duration"),
    State(f"{STEPS}/timeline?tab=flame", ".flame-svg text"),
    State(f"{STEPS}/timeline?tab=path", ".path-kinds li"),
    State(f"{STEPS}/timeline?tab=events", "role=tabpanel >> td"),
    State(f"{STEPS}/timeline?tab=marks", "role=tabpanel"),
]
STATES = [*LIST, *RUN, *TENSORS, *PROFILE]
# Only one of the two has them.
ON = {
    "desk": [
        State(f"{STEPS}/timeline", "role=dialog", (button("Keyboard shortcuts (?)"),)),
        State(f"{DIVERGED}/tensors?find=nothing-like-this", "text=No tensors match"),
    ],
    "phone": [
        State(f"{DIVERGED}/overview", ".control-rest.open", (button("Control"),)),
        State(f"{LAYERED}/tensors", "role=treeitem", ("summary >> text=All tensors",)),
    ],
}


@DEVICES
def test_every_state_passes_axe(kinds, open_page, request, device):
    watched = open_page(kinds, **device)
    # They are asked for, and the page says what is wrong with them.
    watched.forgives = lambda url: "no-such-run" in url or "gone" in url or "dur%3E5" in url
    wrong = []
    for state in [*STATES, *ON[request.node.callspec.id]]:
        reach(watched, state)
        wrong += problems(watched, f"{state.where} {state.press}")
    assert wrong == []


@DEVICES
def test_without_a_session(kinds, browser, device):
    watched = Watched(browser, kinds, **device)
    watched.forgives = lambda url: "/-/api/" in url
    page = watched.page
    page.goto(f"{kinds.endpoint}/-/")
    expect(page.get_by_label("Token")).to_be_focused()
    wrong = [*problems(watched, "sign in")]
    page.get_by_label("Token").fill("not the token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    wrong += problems(watched, "wrong token")
    assert wrong + watched.close() == []


@DEVICES
def test_without_runs(tmp_path, open_page, device):
    (tmp_path / "runs").mkdir()
    service = Service(tmp_path, "--runs", str(tmp_path / "runs")).start()
    watched = open_page(service, **device)
    wrong = []
    for where, ready in (("runs", heading("No runs yet")), ("compare", "text=There are no runs")):
        reach(watched, State(where, ready))
        wrong += problems(watched, where)
    # The server goes away.
    watched.forgives = lambda url: True
    service.kill()
    expect(watched.page.locator(".shell-live[data-state=reconnecting]")).to_be_visible()
    wrong += problems(watched, "reconnecting")
    assert wrong == []


@pytest.fixture(scope="module")
def viewing(kinds, tmp_path_factory) -> Iterator[Service]:
    """A service that changes nothing."""
    folder = tmp_path_factory.mktemp("viewing")
    service = Service(folder, "--runs", str(kinds.folder / "runs"), "--read-only").start()
    yield service
    service.stop()


@DEVICES
def test_for_those_who_may_only_look(viewing, open_page, device):
    watched = open_page(viewing, **device)
    wrong = []
    for state in (State("runs", "a.runs-name"), State(f"{DIVERGED}/overview", "text=View only")):
        reach(watched, state)
        wrong += problems(watched, state.where)
    assert wrong == []


@DEVICES
def test_a_run_in_a_file(kinds, browser, tmp_path, device):
    export(kinds.folder / "runs" / DIVERGED, tmp_path / "run.html")
    context = browser.new_context(offline=True, **device)
    page = context.new_page()
    page.goto((tmp_path / "run.html").as_uri())
    page.get_by_text("Exported 20").click()
    panels = page.get_by_role("navigation", name="Panels of this run")
    wrong = []
    for panel in ("Overview", "Tensors", "Logs", "Timeline"):
        panels.get_by_role("link", name=panel, exact=True).click()
        expect(page.locator("main canvas, .logs-line, .empty").first).to_be_visible()
        for scheme, rules in SCHEMES.items():
            page.emulate_media(color_scheme=scheme)
            wrong += violations(page.main_frame, f"{panel}, {scheme}", *rules)
    context.close()
    assert wrong == []
