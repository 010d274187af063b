"""A headless Chromium, driven through a pipe with the DevTools protocol; no other package."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

# Chromium reads file 3 and writes file 4: a child of our own sets them, then becomes Chromium.
_LAUNCH = """\
import fcntl, os, sys
ours = [fcntl.fcntl(int(each), fcntl.F_DUPFD, 10) for each in sys.argv[1:3]]
for theirs, own in zip((3, 4), ours):
    os.dup2(own, theirs)
os.execv(sys.argv[3], sys.argv[3:])
"""
_OPTIONS = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # a container has none
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--hide-scrollbars",
]
_NOISE = {
    "Log.entryAdded",
    "Page.javascriptDialogOpening",
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
}


class Browser:
    """One tab.

    Attributes:
        said: What the console, the log and uncaught exceptions said, in order.
    """

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        command = [sys.executable, "-c", _LAUNCH, str(to_read), str(to_write), CHROMIUM]
        self._process = subprocess.Popen(
            [*command, *_OPTIONS, f"--user-data-dir={profile}"],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self._numbers = itertools.count(1)
        self._rest = b""
        self._session: str | None = None
        self._loaded = False
        self.output: list[Any] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._session = None
        self.ask("Browser.close")
        self._process.wait(timeout=20)
        os.close(self._in)
        os.close(self._out)

    def ask(self, method: str, **params: Any) -> Any:
        """Return the answer of the browser to one command."""
        number = next(self._numbers)
        request: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session is not None:
            request["sessionId"] = self._session
        os.write(self._out, json.dumps(request).encode() + b"\0")
        while (answer := self._next()).get("id") != number:
            self._received(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            read = os.read(self._in, 1 << 20)
            assert read, "the browser ended"
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def _received(self, event: Any) -> None:
        self._loaded |= event["method"] == "Page.loadEventFired"
        if event["method"] in _NOISE:
            self.output.append(event)

    def open(self, page: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Show a file in a window of this size, until it has loaded."""
        self.go(page.as_uri(), width=width, height=height, dark=dark)

    def go(self, url: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Show an address as `open` shows a file."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self._loaded = False
        self.ask("Page.navigate", url=url)
        while not self._loaded:
            self._received(self._next())

    def value(self, expression: str) -> Any:
        """Return what an expression says in the page, as JSON has it."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Click in the middle of the first line of the first element that a selector finds."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.value(f"{found}.scrollIntoView({{block: 'center'}})")
        x, y = self.value(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])({found}.getClientRects()[0])"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, x, y)

    def drag(self, selector: str, shares: Iterable[float]) -> None:
        """Drag from the middle of an element to places in its width, each a share 0..1 of it."""
        found = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
        left, y, wide = self.value(f"(r => [r.x, r.y + r.height / 2, r.width])({found})")
        kinds = itertools.chain(["mousePressed"], itertools.repeat("mouseMoved"))
        for kind, share in zip(kinds, [0.5, *shares], strict=False):
            self._mouse(kind, left + share * wide, y)
        self._mouse("mouseReleased", left + share * wide, y)

    def _mouse(self, kind: str, x: float, y: float) -> None:
        self.ask(
            "Input.dispatchMouseEvent",
            type=kind, x=x, y=y, button="left", buttons=int(kind != "mouseReleased"), clickCount=1,
        )  # fmt: skip

    def press(self, key: str, code: int) -> None:
        """Press and let go a key, by its name and its Windows code."""
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)

    def picture(self, path: Path) -> None:
        """Keep a picture of the window as PNG."""
        answer = self.ask("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))
