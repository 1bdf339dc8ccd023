"""Look at reports in Chromium: accessibility rules, room on a phone, requests, screenshots.

``python .ci/report_in_browser.py FOLDER [PAGE...]`` writes screenshots of the pages to the folder,
light and dark, 1280 and 400 pixels wide, and a PDF. Without pages it measures a small example. It
fails if axe finds a violation, a page is wider than the window, or asks for another file. The
environment variable CHROMIUM names the browser; by default it is found on the PATH.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, sync_playwright

SCHEMES, WIDTHS = ("light", "dark"), (1280, 400)
EXAMPLE = (
    "sort=np.sort(x)",
    "wrong=np.unique(x)",
    *("--setup", "x = rng.integers(0, 100, n)", "--sizes", "4,64,1024"),
    *("--protocol", "quick-check", "--name", "sorting"),
)


def example(folder: Path) -> Path:
    """Measure two runs with a wrong implementation, and return the report of both."""
    lunaflow = [sys.executable, "-m", "lunaflow.cli"]
    runs = [folder / f"{name}.jsonl" for name in ("before", "after")]
    for run in runs:
        run.unlink(missing_ok=True)
        # status 1 says that something failed, as it should
        subprocess.run([*lunaflow, "compare", *EXAMPLE, "--events", str(run)], check=False)
    page = folder / "example.html"
    subprocess.run([*lunaflow, "report", *map(str, runs), "-o", str(page)], check=True)
    return page


def complaints(browser: Browser, page: Path, folder: Path) -> Iterator[str]:
    """Yield what is wrong with a page, in each scheme and width."""
    for scheme in SCHEMES:
        for width in WIDTHS:
            look: Any = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
            tab = browser.new_page(**look)
            asked: list[str] = []
            tab.on("request", lambda request, asked=asked: asked.append(request.url))
            tab.goto(page.resolve().as_uri())
            name = f"{page.stem}-{width}-{scheme}"
            tab.screenshot(path=folder / f"{name}.png", full_page=True)
            tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            found = Axe().run(tab).response
            print(f"{name}: {len(found['passes'])} rules passed")
            yield from (f"{name}: {one['id']}: {one['help']}" for one in found["violations"])
            if (wide := tab.evaluate("document.documentElement.scrollWidth")) > width:
                yield f"{name}: the page is {wide} pixels wide"
            yield from (f"{name}: asks for {url}" for url in asked[1:])
            tab.close()
    tab = browser.new_page()
    tab.goto(page.resolve().as_uri())
    tab.pdf(path=folder / f"{page.stem}.pdf", format="A4")


def main() -> int:
    """Look at the pages named on the command line; 1 if one of them is wrong."""
    folder, *given = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    program = (
        os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        pages = given or [example(folder)]
        found = [text for page in pages for text in complaints(browser, page, folder)]
        browser.close()
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
