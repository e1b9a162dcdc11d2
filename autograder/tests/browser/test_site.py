"""The lessons' site: whole, without answers, and without anything from elsewhere."""

from __future__ import annotations

import functools
import itertools
import posixpath
import re
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urldefrag

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_notebook
from playwright.sync_api import expect

from autograder.authoring import build, scaffold
from autograder.commands.cli import main
from autograder.courses import open_course, release_files
from autograder.distribution import kit
from autograder.distribution.site import builder
from autograder.execution.notebook_cells import grade_id_of
from autograder.exercises.errors import CourseError
from autograder.pages.feedback import read_page
from autograder.records.record_store import GradingRecord
from autograder.tests import needs
from autograder.tests.browser.accessibility import lost_to_the_keyboard, unreadable
from autograder.tests.leaks import found_in, solution_lines
from autograder.tests.this_course import COURSE, lessons

LESSONS = {f"{lesson.id}/{lesson.notebook}.html": lesson for lesson in lessons()}
FETCHING = re.compile(r"""(?:url\(|@import)\s*["']?\s*((?:https?:)?//[^"')\s]+)""")


DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
"""A picture of one pixel, in base64."""


def stored(lesson, course):
    """A lesson's notebook as it is stored, with a dot in the place of each picture, instead of running it."""
    notebook = nbformat.read(lesson.built, as_version=4)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if "image/png" in output.get("metadata", {}):
            output.data["image/png"] = DOT
    return notebook


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("site") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "assemble", lambda lesson: lesson)
        patch.setattr(build, "execute", stored)
        main(["site", "--to", str(made)])
    return made


@pytest.fixture(scope="module")
def soups(folder):
    """Every page, parsed, by its path below the site's folder."""
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.html")}
    return {page: BeautifulSoup(text, "html.parser") for page, text in texts.items()}


def test_a_page_holds_the_released_notebook_with_its_formulas_and_hints(soups):
    assert set(soups) == {"index.html", "search.html", *LESSONS}
    for page, lesson in LESSONS.items():
        soup, cells = soups[page], release_files.read_released(COURSE, lesson.released).cells
        assert lesson.title in soup.h1.get_text()
        shown = [block.get_text().strip() for block in soup.select(".cell_input pre")]
        assert shown == [cell.source.strip() for cell in cells if cell.cell_type == "code"]
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        hints = re.findall(r"<summary>([^<`$*]+)</summary>", text)
        assert {*hints} <= {summary.get_text() for summary in soup.select("details > summary")}
        assert len(soup.select(".formula > math[display=block]")) == text.count("$$") / 2
        assert not [formula for formula in soup.select("math") if "\\" in formula.get_text()]


def test_no_answer_is_on_the_site_and_nothing_is_fetched_from_elsewhere(folder, soups):
    texts = {page: soup.get_text() for page, soup in soups.items()}
    texts["searchindex.js"] = (folder / "searchindex.js").read_text(encoding="utf-8")
    assert found_in(texts, solution_lines()) == []
    assert not list(folder.rglob("*.ipynb"))
    for page, soup in soups.items():
        fetched = [element["src"] for element in soup.select("[src]")]
        fetched += [element["href"] for element in soup.select("link[href]")]
        assert not [link for link in fetched if re.match(r"([a-z]+:)?//", link)], page
    for style in [*folder.rglob("*.css"), *folder.rglob("*.html")]:
        assert FETCHING.findall(style.read_text(encoding="utf-8")) == [], style


@pytest.mark.parametrize("page", LESSONS)
def test_what_cells_show_stands_below_them_unless_it_tells_a_graded_answer(soups, page):
    lesson = LESSONS[page]
    showing = [cell for cell in nbformat.read(lesson.built, as_version=4).cells if shows(cell)]
    pictures = [alt for cell in showing for alt in alt_texts(cell)]
    prints = [output.get("text", "") for cell in showing for output in cell.outputs]
    shown = [image["alt"] for image in soups[page].select(".cell_output img")]
    printed = {block.get_text().strip() for block in soups[page].select(".cell_output pre")}
    left_out = soups[page].get_text().count(builder.LEFT_OUT.strip("*"))
    assert len(soups[page].select(".cell_output")) + left_out == len(showing)
    assert bool(left_out) == any(exercise.graded and exercise.values for exercise in lesson.exercises)
    assert [text for text in pictures if text in shown] == shown
    assert printed <= {text.strip() for text in prints}
    assert prints[0].strip() in printed | {""}
    folded = {image["alt"] for image in soups[page].select("details.below-input img")}
    assert folded < set(shown)


def shows(cell):
    """Whether an illustration shows a picture or prints something."""
    return not grade_id_of(cell) and any("text" in one or "data" in one for one in cell.get("outputs", []))


def alt_texts(cell):
    pictures = [output for output in cell.outputs if "image/png" in output.get("metadata", {})]
    return [output.metadata["image/png"]["alt"] for output in pictures]


def resolved(page, link):
    """A link's target as a path below the site's folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def test_every_link_within_the_site_leads_somewhere_and_next_to_the_next_lesson(folder, soups):
    followed = 0
    for page, soup in soups.items():
        for element in soup.select("[href], [src]"):
            link, fragment = urldefrag(element.get("href") or element.get("src"))
            if re.match(r"[a-z]+:", link):
                continue
            target = resolved(page, link.split("?")[0]) if link else page
            assert (folder / target).is_file(), f"{page}: {link}"
            if fragment and target in soups and page != "search.html":
                assert soups[target].find(id=fragment), f"{page}: {link}#{fragment}"
            followed += 1
    assert followed > 20 * len(soups)
    for earlier, later in itertools.pairwise(["index.html", *LESSONS]):
        assert resolved(earlier, soups[earlier].select_one("a.next-page")["href"]) == later
        assert resolved(later, soups[later].select_one("a.prev-page")["href"]) == earlier


@pytest.mark.parametrize("page", LESSONS)
def test_a_feedback_page_s_link_leads_to_the_lesson_s_passage(soups, page):
    lesson = LESSONS[page]
    record = GradingRecord(lesson.id, "ada")
    grades = {"assignment": lesson.id, "notebook": lesson.notebook, "score": 0.0, "record": record}
    shown = read_page(COURSE, new_notebook(), grades, site="https://course.example/", model_answers=True)
    passages = shown["passages"]
    assert set(passages) >= {exercise.id for exercise in LESSONS[page].graded}
    for heading, address in passages.values():
        link, fragment = urldefrag(address)
        assert link == f"https://course.example/{page}"
        assert heading.split(" · ")[-1] in soups[page].find(id=fragment).get_text(), heading


def test_the_start_page_opens_with_its_picture_and_leads_to_the_kit(folder, soups, tmp_path):
    page = soups["index.html"]
    (picture,) = page.select(".cell_output img")
    assert "Arrows from he to the words it weighs" in picture["alt"]
    assert picture.find_next(string="You will build this.").find_next(string="get the course")
    assert "How far you are" not in page.get_text()
    kit.write_kit(COURSE, tmp_path / "kit.zip")
    link = page.find("a", string="get the course")["href"]
    assert (folder / link).read_bytes() == (tmp_path / "kit.zip").read_bytes()


def test_a_link_that_leads_nowhere_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(builder, "ABOUT_THE_SITE", "## About\n\nSee [there](07_nowhere/nowhere.ipynb).")
    scaffold.new_course(tmp_path / "own")
    course = open_course(tmp_path / "own")
    lesson = course.lesson("01_temperatures")
    lesson.released.parent.mkdir(parents=True)
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Temperatures")]), lesson.released)
    monkeypatch.setattr(builder.build, "execute", lambda notebook, course: notebook)
    with pytest.raises(CourseError, match="07_nowhere/nowhere"):
        builder.build_site(course, tmp_path / "site")


def test_a_folder_that_holds_anything_else_is_left_alone_and_a_missing_sphinx_told(tmp_path, monkeypatch):
    (tmp_path / "index.html").write_text("my own")
    with pytest.raises(SystemExit, match="holds other things: name another folder"):
        main(["site", "--to", str(tmp_path)])
    assert (tmp_path / "index.html").read_text() == "my own"
    monkeypatch.setitem(sys.modules, "sphinx.cmd.build", None)
    with pytest.raises(SystemExit, match=r"✗ .*pip install -e '\.\[site\]'"):
        main(["site", "--to", str(tmp_path / "site")])


@pytest.fixture
def address(folder):
    """The site's address on a server of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@needs.browser
def test_a_browser_sets_the_formulas_finds_words_and_asks_nobody_else(address, page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/02_toy_tensors/toy_tensors.html")
    page.evaluate("() => document.fonts.ready")
    matrix = page.locator("math mtable").first
    bracket = matrix.locator("xpath=preceding-sibling::*[1]")
    assert bracket.text_content() == "("
    heights = [element.bounding_box()["height"] for element in (bracket, matrix)]
    assert heights[0] > 0.8 * heights[1] > 30
    page.goto(f"{address}/search.html?q=bandwidth")
    hits = page.locator("ul.search a")
    hits.first.wait_for()
    assert any(link.get_attribute("href").startswith("04_gaussian_kernel/") for link in hits.all())
    assert f"{address}/_static/math.woff" in asked
    assert {url for url in asked if not url.startswith(address)} == set()


@needs.browser
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("site-start", "index.html"),
        ("site-lesson", "04_gaussian_kernel/gaussian_kernel.html"),
        ("site-search", "search.html?q=softmax"),
    ],
)
def test_everyone_can_read_it_and_the_keyboard_is_enough(folder, page, picture, name, path):
    page.goto(f"{folder.as_uri()}/{path}")
    assert unreadable(page, name, picture, narrow=".mobile-header") == []
    assert lost_to_the_keyboard(page) == []
    if name == "site-lesson":
        fold = page.locator("details").filter(has_text="Hint 1").first
        expect(fold).not_to_have_attribute("open", "")
        fold.locator("summary").press("Enter")
        expect(fold).to_have_attribute("open", "")
