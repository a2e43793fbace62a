"""Sharing: a service that changes nothing, and links for those who may only look."""

import json
import subprocess
import urllib.error
import urllib.request

import pytest
from browsing import Watched, panel_of, run_named
from playwright.sync_api import expect
from serving import PATIENCE, WARDEN, Service, script_job
from unhappy import write_diverged_run

CONTROLS = ["Profiling", "Rules …", "Stop …"]


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Service:
    """One that is read-only, with a run."""
    folder = tmp_path_factory.mktemp("share")
    write_diverged_run(folder / "runs/diverged")
    started = Service(folder, "--runs", str(folder / "runs"), "--read-only").start()
    yield started
    started.stop()


def keys(service: Service, *words: str) -> str:
    """What `warden keys` prints."""
    command = [WARDEN, "keys", words[0], "--data", service.data, *words[1:]]
    home = {"HOME": str(service.folder / "home")}
    done = subprocess.run(
        [str(word) for word in command], env=home, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(service: Service, path: str, method: str = "POST", **headers: str):
    """Status and message of a request with the token that must be refused."""
    headers = {"Authorization": f"Bearer {service.token()}", **headers}
    url = f"{service.endpoint}/{path}"
    request = urllib.request.Request(url, b"{}", headers, method=method)
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=PATIENCE)
    return refused.value.code, refused.value.read().decode()


def test_a_read_only_service_changes_nothing(service, open_page):
    why = "this service is read-only: it was started with --read-only"
    assert service.said["read_only"] is True
    run = run_named(service, "diverged")
    code, message = refusal(service, f"-/api/runs/{run}/stop")
    assert (code, json.loads(message)["message"]) == (403, why)
    code, message = refusal(service, "new-bucket", "PUT")
    assert code == 403 and why in message
    request = script_job("job", "none.py")
    with pytest.raises(urllib.error.HTTPError) as refused:
        service.call("CreateTrainingJob", **request)
    assert why in refused.value.read().decode()
    assert service.call("ListTrainingJobs")["TrainingJobSummaries"] == []
    # The page has no buttons for what cannot be done, and says why.
    page = open_page(service, panel_of(service, "diverged", "overview")).page
    expect(page.get_by_role("button", name="Refresh")).to_be_visible()
    expect(page.get_by_text("View only")).to_have_attribute("title", f"{why[0].upper()}{why[1:]}.")
    for name in CONTROLS:
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_a_link_for_viewers_signs_in_until_it_is_revoked(service, browser):
    link = json.loads(keys(service, "share", "--name", "ana", "--days", "2", "--json"))
    assert link["link"].startswith(f"{service.endpoint}/-/#/login?token=view-")
    listed = json.loads(keys(service, "ls", "--json"))
    assert [(one["name"], one["state"]) for one in listed] == [("ana", "valid")]
    token = link["link"].partition("token=")[2]
    assert token not in (service.data / "viewers.json").read_text()
    watched = Watched(browser, service)
    page = watched.page
    page.goto(link["link"])
    expect(page.get_by_role("table", name="Runs")).to_be_visible()
    expect(page.get_by_role("button", name="Sign out")).to_have_attribute(
        "title", "Signed in as ana"
    )
    expect(page.get_by_text("View only")).to_have_attribute("title", "This link is view-only.")
    assert token not in page.url
    watched.go(panel_of(service, "diverged", "overview"))
    expect(page.get_by_role("button", name="Refresh")).to_be_visible()
    expect(page.get_by_role("button", name="Stop …")).to_have_count(0)
    # The dashboard is all that it opens.
    for path in ("", "-/events", "bucket/model.tar.gz"):
        request = urllib.request.Request(
            f"{service.endpoint}/{path}", headers={"Authorization": f"Bearer {token}"}
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=PATIENCE)
        assert refused.value.code in (400, 401, 403), path
    watched.forgives = lambda url: "/-/api/" in url
    keys(service, "revoke", "ana")
    # The service looks at the file once a second.
    field = page.get_by_label("Token")

    def is_refused() -> bool:
        page.reload()
        field.or_(page.get_by_role("button", name="Refresh")).first.wait_for()
        return field.is_visible()

    watched.wait_until(is_refused)
    page.goto(link["link"])
    page.reload()
    page.goto("about:blank")
    page.goto(link["link"])
    expect(page.get_by_role("alert")).to_have_text("This link has expired or was revoked")
    assert watched.close() == []
