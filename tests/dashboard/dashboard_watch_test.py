"""What the other tests rely on: whatever goes wrong in a page is noticed."""

from browsing import Watched, panel_of

# What is done, and what must be told of it.
WRONG = {
    "console.error('on purpose')": "console: on purpose",
    "setTimeout(() => { throw new Error('thrown') })": "error: thrown",
    "void Promise.reject(new Error('unhandled'))": "error: unhandled",
    "void fetch('/-/no-such-page')": "404: ",
    "void fetch('http://127.0.0.1:9/').catch(() => 0)": "console: Connecting to 'http://127.0.0.1:9/'",
    "setTimeout(() => alert('hello'))": "dialog: hello",
    "location.href = 'http://127.0.0.1:9/'": "another host: http://127.0.0.1:9/",
}
# A button that nobody can call by a name.
NAMELESS = "into => void into.append(document.createElement('button'))"


def test_what_goes_wrong_is_noticed(browser, recorded):
    watched = Watched(browser, recorded).log_in()
    assert watched.wrong == []
    for doing, told in WRONG.items():
        watched.page.evaluate(f"() => {{ {doing} }}")
        watched.wait_until(lambda told=told: any(one.startswith(told) for one in watched.wrong))
    watched.close()


def test_what_is_hard_to_use_is_noticed(browser, recorded):
    watched = Watched(browser, recorded).log_in("#/runs")
    page = watched.page
    page.locator("a.runs-name").first.wait_for()
    page.locator("main").evaluate(NAMELESS)
    assert any("button-name" in words for words in watched.check_accessibility())
    # Also in a frame.
    watched.go(panel_of(recorded, "images", "reports"))
    page.frame_locator("iframe").locator("main").evaluate(NAMELESS)
    wrong = watched.check_accessibility()
    assert any("button-name" in words and "/reports/" in words for words in wrong), wrong
    assert watched.close() == []
