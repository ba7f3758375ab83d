"""Headless browsers that Playwright drives: Chromium, and Firefox as Debian builds it."""

import contextlib
import functools
import http.server
import os
import shutil
import threading
import time
from pathlib import Path

from checks import leave, need_packages, skip

PATIENCE = 300


@contextlib.contextmanager
def launched(kind, names, **options):
    """A browser that is installed under one of some names; without it, the check is left."""
    executable = next(filter(None, map(shutil.which, names)), None)
    if not executable:
        leave(f"there is no {kind.capitalize()}: tools/setup --checks")
    need_packages("playwright")
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        browser = getattr(playwright, kind).launch(executable_path=executable, **options)
        yield browser
        browser.close()


def chromium(*arguments):
    return launched("chromium", ("chromium", "chromium-browser", "google-chrome"), args=["--no-sandbox", *arguments])


def firefox(folder, is_dark=False):
    """Firefox, whose profile and downloads are in a folder. Playwright has no event for its downloads, and cannot set its theme."""
    preferences = {
        "browser.download.alwaysOpenPanel": False, "browser.download.always_ask_before_handling_new_types": False,
        "browser.helperApps.neverAsk.saveToDisk": "image/jpeg,application/zip",
        # 0 is dark, 1 is light.
        "layout.css.prefers-color-scheme.content-override": 0 if is_dark else 1,
    }
    return launched("firefox", ("firefox-esr", "firefox"), channel="moz-firefox", downloads_path=folder,
                    env={**os.environ, "HOME": str(folder)}, firefox_user_prefs=preferences)


class Files(http.server.SimpleHTTPRequestHandler):
    """The files of a folder, without a line for each request."""

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """The address at which the files of a folder are served."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def troubles(page, *allowed):
    """A list to which is added what a page reports, asks, and requests from addresses that do not begin so."""
    found = []
    page.set_default_timeout(PATIENCE * 1000)
    page.on("console", lambda message: found.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    page.on("dialog", lambda dialog: found.append("a dialog"))
    known = ("data:", "blob:", *allowed)
    page.on("request", lambda request: request.url.startswith(known) or found.append(f"request: {request.url}"))
    return found


def downloaded(page, path):
    """The path of a file that a page downloads into a folder."""
    end = time.monotonic() + PATIENCE
    while not path.exists() or path.stat().st_size == 0 or list(path.parent.glob("*.part")):
        if time.monotonic() > end:
            raise TimeoutError(f"{path.name} was not downloaded: {list(path.parent.iterdir())}")
        page.wait_for_timeout(50)
    return path


def wait(page, expression):
    """Waits until an expression is true; Playwright's own way evaluates text in the page, which its policy forbids."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(f"in vain: {expression}: {page.inner_text('body')[-2000:]}")
        page.wait_for_timeout(20)


def accessibility(page):
    """What a screen reader gets: roles, names and some properties of the accessibility tree."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    properties = lambda node: {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
    return [(node["role"]["value"], node.get("name", {}).get("value", ""), properties(node))
            for node in nodes if not node["ignored"]]


def violations(page):
    """How a page breaks the rules of axe-core: each rule with some elements; nothing where axe-core is not there."""
    try:
        import axe_core_python
    except ImportError:
        skip("the rules of axe-core: pip install axe-core-python")
        return []
    page.evaluate((Path(axe_core_python.__file__).parent / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    return [f"{each['id']}: {each['help']}: {[node['html'][:160] for node in each['nodes'][:2]]}" for each in found]
