"""What `try` prints of an exercise: how its right and wrong answers are judged, and which house rules are unmet."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator

import watchfiles

from autograder.authoring import build, corpus, inspection, trials
from autograder.authoring.corpus import Answer
from autograder.authoring.trials import JudgedAnswer
from autograder.courses import Course, Lesson
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import Exercise
from autograder.judging import reference


def try_exercises(lesson: Lesson, exercise: str = "") -> None:
    """Print how the answers to an exercise are judged; to all of a lesson's where none is named.

    Raises:
        CourseError: A right answer is refused, a wrong one is not, or a house rule is unmet.
    """
    exercises = [lesson.exercise(exercise)] if exercise else lesson.exercises
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # many small calls: threads would wait for each other
    build.prepare_examples(lesson)
    problems = 0
    for definition in exercises:
        for line in report_lines(lesson, definition):
            problems += line.lstrip().startswith("✗")
            print(line, flush=True)
    if problems:
        raise CourseError(f"{problems} {'thing' if problems == 1 else 'things'} to mend")
    print(f"✓ {', '.join(definition.id for definition in exercises)}: judged as declared")


def watch_exercises(course: Course, lesson: Lesson, exercise: str = "") -> None:
    """Try again whenever a Python file of the course changes, until Ctrl+C; each time in a process of its own."""
    words = [sys.executable, "-m", "autograder.commands.cli", "try", lesson.id, *filter(None, [exercise])]
    only_python = watchfiles.PythonFilter()
    watchfiles.run_process(
        course.solutions, target=shlex.join(words), target_type="command", watch_filter=only_python
    )


def report_lines(lesson: Lesson, exercise: Exercise) -> Iterator[str]:
    """Yield the lines on an exercise; those about what is to be mended begin with ✗."""
    yield exercise.id
    inapplicable = reference.find_inapplicable(lesson, exercise.id)
    yield from (f"  ✗ {problem}" for problem in inapplicable)
    if not inapplicable:
        yield from map(_verdict_line, trials.judge_listed(lesson, exercise.id))
        outcomes = list[JudgedAnswer]()
        for answer in corpus.answers_to(lesson, exercise.id):
            try:
                outcomes.append(trials.judge_answer(lesson, answer))
                yield _verdict_line(outcomes[-1])
            except Exception as error:  # an author's own code, which may fail in any way
                yield f"  ✗ {_label(answer)}: its cell raises {type(error).__name__}: {error}"
        yield from _cross_lines(lesson, exercise, outcomes)
    yield from (f"  ✗ {problem}" for problem in inspection.inspect_exercise(lesson, exercise))


def _verdict_line(outcome: JudgedAnswer) -> str:
    label = _label(outcome.answer)
    if outcome.complaint:
        return f"  ✗ {label}: {outcome.complaint}"
    if outcome.answer.right:
        return f"  ✓ accepted  {label}"
    return f"  {'✓ named   ' if outcome.hidden[0].misconception else '– unnamed '}  {label}"


def _label(answer: Answer) -> str:
    return f"{answer.misconception} [{answer.style}]" if answer.misconception else answer.style


def _cross_lines(lesson: Lesson, exercise: Exercise, outcomes: list[JudgedAnswer]) -> Iterator[str]:
    """Yield the criteria that each mistake breaks, as an answers file declares them where it says otherwise."""
    if len(exercise.criteria) == 1:
        return
    declared = corpus.crosses(lesson, exercise.id)
    yield "  A mistake breaks these criteria. Declare in the answers file only what differs."
    yield '    # %% crosses="of each mistake"'
    for name, titles in trials.proposed_crosses(lesson, exercise.id).items():
        of_answers = {
            title
            for outcome in outcomes
            if name == outcome.answer.misconception
            for title in outcome.false_crosses
        }
        broken = [part.title for part in exercise.criteria if part.title in {*titles, *of_answers}]
        remark = (
            "   (its answers break more than its listed ones: declare it, or mend them)" if of_answers else ""
        )
        if name in declared:
            remark = f"   (declared: {'; '.join(declared[name])})"
        yield f"    # {name} -> {'; '.join(broken)}{remark}"
