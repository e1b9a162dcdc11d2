"""Open the course's answer after many tries, with a twin to earn it."""

from __future__ import annotations

from html import escape

from autograder.model.concealed import unpacked
from autograder.model.exercise import Key
from autograder.student.report import Section, paragraph
from autograder.student.visible import Visible

SEE_NEXT = (
    "A guess may be wrong: what teaches is where it parts from the truth. The next cell shows that: run it."
)
EARN = "To make it yours, write its twin: all is as before, but for one thing."


def answer_card(course: Visible, lesson: str, key: Key) -> Section | None:
    """An exercise's answer, with its twin's question; None where the course keeps answers back."""
    if not course.helps["answer"]:
        return None
    try:
        found = dict(unpacked(course.added(course.opened(lesson, "answers.json"))[key.exercise]))
    except (KeyError, ValueError, TypeError):
        return None
    if not found["code"]:
        return paragraph("Enough guessed", SEE_NEXT)
    text, html = found["code"], f'<pre class="as-is" tabindex="0">{escape(found["code"])}</pre>'
    if found["twin"]:
        name = f"{key.exercise}_twin"
        how = (f"In a cell of your own, call it {name}, and see: ", f"check.twin({name})")
        text += f"\n\n{EARN} {found['twin']}\n{''.join(how)}"
        html += f"<p><b>{EARN}</b></p>{found['html']}<p>{how[0]}<code>{how[1]}</code></p>"
    return Section("The answer of this course", text, html)
