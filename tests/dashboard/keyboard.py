"""Walks through a page with Tab, and tells what a mouse can use and the keyboard cannot."""

from browsing import Watched
from playwright.sync_api import Page

# Remembers which elements listen to the mouse and to keys. Must run before the page's scripts.
LISTEN = """
[window.byMouse, window.byKeys] = [new WeakSet(), new WeakSet()];
const MOUSE = ['click', 'dblclick', 'mousedown', 'pointerdown', 'dragstart'];
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (kind, ...more) {
  if (this instanceof Element && MOUSE.includes(kind)) byMouse.add(this);
  if (this instanceof Element && kind === 'keydown') byKeys.add(this);
  return listen.call(this, kind, ...more);
};
"""
# Functions of the page, for what follows.
FUNCTIONS = """
() => {
  window.reached = new Set();
  window.nameOf = (one) => one.outerHTML.replace(/\\s+/g, ' ').slice(0, 160);

  // How many sides of its outline can be seen: what is around it may cut them off.
  window.sidesOf = (one) => {
    const style = getComputedStyle(one);
    const width = style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth);
    if (width < 1 || /, 0\\)$|transparent/.test(style.outlineColor)) return 0;
    const away = parseFloat(style.outlineOffset) + width / 2;
    const box = one.getBoundingClientRect();
    const seen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible' || at === document.documentElement) continue;
      const clip = at.getBoundingClientRect();
      seen.left = Math.max(seen.left, clip.left);
      seen.top = Math.max(seen.top, clip.top);
      seen.right = Math.min(seen.right, clip.right);
      seen.bottom = Math.min(seen.bottom, clip.bottom);
    }
    return (box.left - away >= seen.left) + (box.top - away >= seen.top)
      + (box.right + away <= seen.right) + (box.bottom + away <= seen.bottom);
  };

  // Whether something else lies on top of it, everywhere.
  window.isCovered = (one) => {
    const box = one.getBoundingClientRect();
    const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
    const [right, bottom] = [Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
    if (right <= left || bottom <= top) return true;
    return [0.05, 0.5, 0.95].every((across) => [0.1, 0.5, 0.9].every((down) => {
      const x = left + across * (right - left);
      const hit = document.elementFromPoint(x, top + down * (bottom - top));
      const on = [hit, hit?.closest('label')];
      return !on.some((other) => other && (one.contains(other) || other.contains(one)));
    }));
  };

  // What is wrong with the element that has the focus; null if the walk was there before.
  const frames = () => new Promise((done) => requestAnimationFrame(() =>
    requestAnimationFrame(done)));
  window.visit = async () => {
    const one = document.activeElement;
    if (!one || one === document.body || reached.has(one)) return null;
    reached.add(one);
    if (one.tagName === 'IFRAME') return [];
    const wrong = [];
    if (sidesOf(one) < 2) wrong.push(`no visible focus: ${nameOf(one)}`);
    if (isCovered(one)) await frames(); // It is being scrolled to, or drawn again.
    if (one.isConnected && isCovered(one)) wrong.push(`covered, or out of sight: ${nameOf(one)}`);
    return wrong;
  };

  // What a mouse can use, but the walk did not reach.
  const groups = '[role=tablist], [role=tree], [role=menu], .attention-scroll';
  window.missed = (exempt) => {
    const controls = 'a[href], button, input, select, textarea, summary, [draggable=true], '
      + '[role=button], [role=link], [role=tab], [role=menuitem], [role=treeitem], [role=slider]';
    const isUsed = (one) => (one.matches(controls) || byMouse.has(one))
      && one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && !one.matches(':disabled') && !one.closest(exempt);
    const all = [...reached].filter((one) => one.isConnected);
    // Lists are built again while somebody walks through them.
    const gone = new Set([...reached].filter((one) => !one.isConnected).map(nameOf));
    const isReached = (one) => reached.has(one) || gone.has(nameOf(one))
      // The control is within: a heading that can be dragged, with its button.
      || all.some((other) => one.contains(other))
      // The widget around it has the focus, and keys for what is in it.
      || all.some((other) => other.contains(one) && byKeys.has(other) && one.tabIndex < 0)
      // One of a group that arrow keys walk through.
      || (one.tabIndex < 0 && all.some((other) => one.closest(groups)?.contains(other)));
    const page = document.querySelector('dialog:modal') ?? document.body;
    return [...page.querySelectorAll('*')].filter(isUsed)
      .filter((one) => !isReached(one)).map((one) => `not reached: ${nameOf(one)}`);
  };
}
"""
# Where Tab goes next depends on what had the focus, also if that is gone.
FROM_THE_TOP = """
() => {
  if (document.querySelector('dialog:modal')) return;
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
}
"""
# Where the keyboard has another way: marks of the timeline are a tab of their own, and keys of the
# timeline move what the map above it moves. Messages leave by themselves.
EXEMPT = ".timeline-ruler, .timeline-map, .corner"
MOST_STOPS = 400  # On one page.


def listen(watched: Watched) -> Watched:
    """A page that knows what listens to the mouse, from now on."""
    watched.context.add_init_script(LISTEN)
    watched.page.reload()
    watched.page.get_by_role("button", name="Sign out").wait_for()
    return watched


def walk(page: Page, key: str = "Tab") -> list[str]:
    """Presses the key until it has been everywhere. What is wrong on the way."""
    page.evaluate(FUNCTIONS)
    page.evaluate(FROM_THE_TOP)
    page.evaluate("visit()")  # A dialog has the focus from the start.
    wrong = []
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        found = page.evaluate("visit()")
        if found is None and page.evaluate("reached.size > 0"):
            break
        wrong += found or []  # Backwards, the way to the end leads through the browser's controls.
    else:
        return [f"more than {MOST_STOPS} stops"]
    # Round the page: the next stop is where the walk began, or nowhere in the page.
    at_begin = "document.activeElement === document.body"
    at_begin += " || document.activeElement === [...reached][0]"
    if not page.evaluate(at_begin):
        wrong.append("stuck at " + page.evaluate("nameOf(document.activeElement)"))
    return [*wrong, *page.evaluate("exempt => missed(exempt)", EXEMPT)]
