"""Who may look: the token is asked for, refused with clear words, and never left in the address."""

import contextlib
import http.server
import threading
import urllib.error
import urllib.request

import pytest
from browsing import Watched, panel_of, run_named
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect
from serving import PATIENCE


@pytest.fixture
def stranger(browser, recorded):
    """A page of somebody without a token."""
    watched = Watched(browser, recorded)
    # What is asked without one is refused: that is what is tested.
    watched.forgives = lambda url: "/-/api/" in url
    yield watched
    assert watched.close() == []


def test_a_wrong_token_is_refused_and_the_right_one_accepted(stranger, recorded):
    page = stranger.page
    page.goto(f"{recorded.endpoint}/-/{panel_of(recorded, 'images', 'layers')}")
    field = page.get_by_label("Token")
    expect(field).to_be_focused()
    field.fill("not the token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Wrong token")
    assert stranger.check_accessibility() == []
    field.fill(recorded.token())
    page.get_by_role("button", name="Open the dashboard").click()
    # To where the address led in the first place.
    expect(page.get_by_role("slider", name="Step shown in the layer profile")).to_be_visible()
    assert recorded.token() not in page.url
    expect(page.get_by_label("Token")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("slider", name="Step shown in the layer profile")).to_be_visible()


def test_the_link_with_a_token_leaves_no_trace_of_it(open_page, recorded):
    watched = open_page(recorded, panel_of(recorded, "images", "layers"))
    page = watched.page
    expect(page.get_by_role("slider", name="Step shown in the layer profile")).to_be_visible()
    assert "token" not in page.url
    assert page.evaluate("document.cookie") == ""
    assert recorded.token() not in page.evaluate("Object.values(localStorage).join()")
    page.go_back()
    assert recorded.token() not in page.url
    page.go_forward()
    expect(page.get_by_role("slider", name="Step shown in the layer profile")).to_be_visible()
    assert "token" not in page.url


def test_a_link_with_a_wrong_token_asks_for_the_right_one(stranger, recorded):
    page = stranger.page
    page.goto(f"{recorded.endpoint}/-/#/login?token=0123456789abcdef&to=%23%2Fruns")
    expect(page.get_by_role("alert")).to_have_text("Wrong token")
    assert "token" not in page.url
    page.get_by_label("Token").fill(recorded.token())
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Runs")).to_be_visible()


def test_a_link_leads_nowhere_but_here(stranger, recorded):
    to = "https%3A%2F%2Fexample.com%2F"
    stranger.page.goto(f"{recorded.endpoint}/-/#/login?token={recorded.token()}&to={to}")
    expect(stranger.page.get_by_role("table", name="Runs")).to_be_visible()
    stranger.wait_until(lambda: stranger.address() == "#/runs", stranger.address)


def test_signed_out_nothing_is_shown_any_more(open_page, recorded):
    watched = open_page(recorded, panel_of(recorded, "images", "overview"))
    page = watched.page
    page.get_by_role("heading", level=1).wait_for()
    watched.forgives = lambda url: "/-/api/" in url
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Token")).to_be_visible()
    assert "images" not in page.locator("main").inner_text()


@pytest.mark.parametrize("path", ["runs", "runs/RUN", "runs/RUN/tensors", "live"])
def test_without_a_token_the_data_is_not_given(recorded, path):
    path = path.replace("RUN", run_named(recorded, "images"))
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{recorded.endpoint}/-/api/{path}", timeout=PATIENCE)
    assert refused.value.code == 401


def test_the_page_may_load_nothing_from_elsewhere(recorded):
    with urllib.request.urlopen(f"{recorded.endpoint}/-/", timeout=PATIENCE) as page:
        policy = page.headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if " " in rule.strip())
    assert rules["default-src"] in ("'none'", "'self'")
    assert rules["script-src"] == "'self'" and rules["style-src"] == "'self'"
    assert "http" not in policy and "unsafe" not in policy


def test_a_page_on_another_port_gets_nothing_to_sign_in_with(open_page, recorded):
    """Ports share cookies, so a server of somebody else on this host would be sent them."""
    seen = []

    class Neighbour(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>a neighbour</title>")

        def log_message(self, *_):
            pass

    watched = open_page(recorded, "#/runs")
    watched.page.get_by_role("table", name="Runs").wait_for()
    neighbour = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Neighbour)
    threading.Thread(target=neighbour.serve_forever, daemon=True).start()
    page = watched.context.new_page()
    page.goto(f"http://127.0.0.1:{neighbour.server_port}/-/api/runs")
    assert page.evaluate("Object.values(localStorage).join() + document.cookie") == ""
    neighbour.shutdown()
    assert [headers["Cookie"] for headers in seen if headers["Cookie"]] == []


def test_an_object_in_a_bucket_is_not_a_page_of_the_dashboard(open_page, recorded):
    """Opened by its link in a browser that is signed in."""

    def put(path, body=b"", **headers):
        headers["Authorization"] = f"Bearer {recorded.token()}"
        url = f"{recorded.endpoint}/{path}"
        request = urllib.request.Request(url, body, headers, method="PUT")
        urllib.request.urlopen(request, timeout=PATIENCE).close()

    put("pages")
    script = b"<script>document.title = localStorage.length + location.origin</script>"
    put("pages/evil.html", script, **{"Content-Type": "text/html"})
    watched = open_page(recorded, "#/runs")
    watched.page.get_by_role("table", name="Runs").wait_for()
    page = watched.context.new_page()
    # The link of somebody who may read it; the header stands for its signature.
    page.set_extra_http_headers({"Authorization": f"Bearer {recorded.token()}"})
    with page.expect_download() as download, contextlib.suppress(PlaywrightError):
        page.goto(f"{recorded.endpoint}/pages/evil.html")
    assert download.value.suggested_filename == "evil.html"
    assert page.title() == ""
