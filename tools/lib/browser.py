"""Headless browsers: Chromium, which Playwright drives, and Firefox, which it cannot where Debian built it, in WebDriver BiDi."""

import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from checks import expect, leave, need_packages, skip

PATIENCE = 120
KEYS = {"Tab": "\ue004", "Enter": "\ue006", "Escape": "\ue00c", "End": "\ue010", "Home": "\ue011",
        "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
IMPATIENT = "in vain: {}: {}"


def installed(*names):
    return next(filter(None, map(shutil.which, names)), None)


@contextlib.contextmanager
def chromium(*arguments):
    """A browser of Playwright; without it, the check is left."""
    executable = installed("chromium", "chromium-browser", "google-chrome")
    if not executable:
        leave("there is no Chromium: tools/setup --checks")
    need_packages("playwright")
    from playwright.sync_api import sync_playwright
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", *arguments])
        yield browser
        browser.close()


def wait(page, expression):
    """Waits until an expression is true; Playwright's own way evaluates text in the page, which its policy forbids."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(IMPATIENT.format(expression, page.inner_text("body")[-2000:]))
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


class Firefox:
    """Firefox with one page, until the end of the `with` statement; without it, the check is left."""

    def __init__(self, is_dark=False):
        executable = installed("firefox-esr", "firefox")
        if not executable:
            leave("there is no Firefox: tools/setup --checks")
        need_packages("websockets")
        from websockets.sync.client import connect
        self.parts = contextlib.ExitStack()
        profile = Path(self.parts.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        self.downloads = profile / "downloads"
        self.downloads.mkdir()
        preferences = {
            "browser.download.dir": str(self.downloads), "browser.download.folderList": 2, "browser.download.alwaysOpenPanel": False,
            "browser.download.always_ask_before_handling_new_types": False,
            "browser.helperApps.neverAsk.saveToDisk": "image/jpeg,application/zip",
            # 0 is dark, 1 is light.
            "layout.css.prefers-color-scheme.content-override": 0 if is_dark else 1,
            "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
        }
        (profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()))
        log = self.parts.enter_context(open(profile / "log", "w", encoding="utf-8"))
        self.process = subprocess.Popen(
            [executable, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], stdout=log, stderr=log,
            env={"HOME": str(profile), "PATH": "/usr/bin:/bin", "MOZ_CRASHREPORTER_DISABLE": "1"})
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r"BiDi listening on (ws://\S+)", (profile / "log").read_text())):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError("Firefox does not start: " + (profile / "log").read_text())
            time.sleep(0.1)
        self.socket = self.parts.enter_context(connect(found[1] + "/session", max_size=None))
        self.number, self.trouble, self.allowed = 0, [], ()
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        # In the first window the focus is in the address bar.
        self.context = self.call("browsingContext.create", type="window")["context"]

    def call(self, method, **parameters):
        """Calls a method of the protocol, and collects errors of the page."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=PATIENCE))
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]
            values = answer.get("params", {})
            if answer.get("method") == "log.entryAdded" and values["level"] in ("warn", "error"):
                self.trouble.append(values["text"])
            elif answer.get("method") == "network.beforeRequestSent" and values.get("context") == self.context:
                url = values["request"]["url"]
                if not url.startswith(("data:", "blob:", *self.allowed)):
                    self.trouble.append("request: " + url)

    def open(self, address):
        self.allowed = (address.split("#")[0], "about:")
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def reload(self):
        self.call("browsingContext.reload", context=self.context, wait="complete")

    def size(self, width, height):
        self.call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def evaluate(self, expression):
        """The value of an expression; a promise is waited for."""
        result = self.call("script.evaluate", target={"context": self.context}, awaitPromise=True,
                           expression=f"Promise.resolve({expression}).then((value) => JSON.stringify(value) ?? 'null')")
        if result["type"] != "success":
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    def wait(self, expression):
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TimeoutError(IMPATIENT.format(expression, self.trouble))
            time.sleep(0.05)

    def press(self, *keys):
        """Presses keys one after the other: names, or text."""
        actions = [{"type": kind, "value": each} for key in keys for each in (KEYS.get(key) or key)
                   for kind in ("keyDown", "keyUp")]
        self.call("input.performActions", context=self.context,
                  actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def choose_files(self, selector, paths):
        node = self.call("browsingContext.locateNodes", context=self.context,
                         locator={"type": "css", "value": selector})["nodes"][0]
        self.call("input.setFiles", context=self.context, element={"sharedId": node["sharedId"]},
                  files=[str(path) for path in paths])

    def downloaded(self, name):
        """The path of a file that is downloaded."""
        path, end = self.downloads / name, time.monotonic() + PATIENCE
        while not path.exists() or path.stat().st_size == 0 or list(self.downloads.glob("*.part")):
            if time.monotonic() > end:
                raise TimeoutError(f"{name} was not downloaded: {list(self.downloads.iterdir())}")
            time.sleep(0.05)
        return path

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            expect(not self.trouble, f"Firefox complains: {self.trouble[:5]}")
        with contextlib.suppress(Exception):
            self.call("browser.close")
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        self.parts.close()
