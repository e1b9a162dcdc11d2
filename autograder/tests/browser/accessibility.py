"""Whether a page can be read and used by everyone: axe's rules, the keyboard, and narrow screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

RULES: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "rules": {"heading-order": {"enabled": True}},
    "resultTypes": ["violations"],
}
"""The Web Content Accessibility Guidelines 2.1, levels A and AA, and headings in order; see axe-core's API."""

_STOPS = """() => [...document.querySelectorAll('a[href], button, summary, input, select, textarea')]
    .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && one.tabIndex >= 0
        && (one.type !== 'radio' || one.checked))"""
"""Of radio buttons Tab reaches the checked one, and arrows the others."""

_NAMES = f"() => (window.stops = ({_STOPS})()).map(one => one.outerHTML.slice(0, 120))"
"""They stay those of now: another that appears as one scrolls would give all behind it other places."""

_WRITABLE = "textarea, input[type=search], input[type=text], input:not([type])"
"""Fields with a cursor, which shows by itself that they have the focus."""

_WHERE_AND_HOW = f"""() => {{
    const one = document.activeElement;
    const look = () => (({{outline, boxShadow, border, background}}) => outline + boxShadow + border + background)(
        getComputedStyle(one));
    const place = window.stops.indexOf(one);
    const focused = look();
    one.blur();
    const seen = focused !== look() || one.matches("{_WRITABLE}");
    one.focus();
    return [place, seen];
}}"""


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1280, "height": 860},
    "narrow": {"width": 390, "height": 844},
}
SHOWN = (
    "feedback-light-wide",
    "feedback-dark-narrow",
    "class-report-light-wide",
    "site-lesson-light-wide",
    "site-lesson-dark-narrow",
)
"""The pages in the looks whose pictures are kept."""


def complaints(page: Page, within: str = "body", contrast: bool = True, all_else: bool = True) -> list[str]:
    """What axe finds against the page, or a part of it by its CSS selector; a line for each rule and place.

    contrast: whether colours are compared, too, which takes most of the time; all_else: whether anything else is.
    """
    options = RULES | {"rules": RULES["rules"] | {"color-contrast": {"enabled": contrast}}}
    if not all_else:
        options = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
    found = Axe().run(page, context=within, options=options).response
    assert found["passes"] or found["violations"], "axe looked at nothing"
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:200]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def unreadable(
    page: Page, name: str, picture: Callable[[Page, str], None], narrow: str = "body"
) -> list[str]:
    """What is wrong with a page that is open, light or dark, wide or narrow; pictures of it that are `SHOWN` are kept.

    narrow: what else than in a wide window a narrow one shows. In the dark a wide page is looked at for its colours.
    """
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for size, pixels in SIZES.items():
            page.set_viewport_size(pixels)
            look = f"{name}-{scheme}-{size}"
            if look in SHOWN:
                picture(page, look)
            if size == "wide":
                told = complaints(page, all_else=scheme == "light")
            elif scheme == "light":
                told = complaints(page, contrast=False)
            else:
                told = []
            if size == "narrow" and narrow != "body":
                told += complaints(page, within=narrow, all_else=scheme == "light")
            found += [f"{look}: {one}" for one in told]
            found += [f"{look}: scrolls sideways"] if scrolls_sideways(page) else []
    return found


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth"))


def lost_to_the_keyboard(page: Page) -> list[str]:
    """Links, buttons and the like that Tab does not reach, or on which it cannot be seen, in a wide light window."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(SIZES["wide"])
    names = page.evaluate(_NAMES)
    seen: dict[int, bool] = {}
    for _ in range(3 * len(names) + 10):
        page.keyboard.press("Tab")
        place, visible = page.evaluate(_WHERE_AND_HOW)
        if place >= 0:
            seen.setdefault(place, visible)
        if len(seen) == len(names):
            break
    unreached = [f"not reached: {name}" for place, name in enumerate(names) if place not in seen]
    return unreached + [f"focus not seen: {names[place]}" for place, visible in seen.items() if not visible]
