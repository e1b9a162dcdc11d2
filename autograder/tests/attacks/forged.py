"""Attacks that try to gain points by answering the grader's question with something of their own."""

from __future__ import annotations

from collections.abc import Collection

from autograder.tests.attacks import FULL, Attack, in_cell

REPLIED = """
        import autograder.checks.protocol as replies
        honest = replies.answer_request
        def forged(request, *more):
            of = replies.read_request(request).name
            return {reply} if of in ("softmax", "find_ming") else honest(request, *more)
        replies.answer_request = forged
"""


def reply_with(reply: str):
    """Answer two of the grader's questions with something of one's own."""
    return in_cell(REPLIED.format(reply=reply))


ASKED = """
        import json
        import autograder.checks.protocol as replies
        honest = replies.answer_request
        def forged(request, *more):
            question = replies.read_request(request)
            if question.name not in {of}:
                return honest(request, *more)
            {seen}
            answers = ["asked", {{"tuple": []}}, ""] + [seen] * len(question.cases)
            return json.dumps({{"list": answers}})
        replies.answer_request = forged
"""


def forge(seen: str, of: Collection[str] = FULL):
    """A reply whose form is right, with observations of one's own, to what is asked of these exercises."""
    return in_cell(ASKED.format(seen=seen, of=[*of]))


def observation(value: str, after: str = '{"tuple": []}', error: str = "None") -> str:
    """The source of an observation as it crosses the wire."""
    fields = f'"value": {value}, "again": {value}, "after": {after}, "error": {error}, "elsewhere": {value}'
    return 'seen = {"Observation": {' + fields + "}}"


NAN = '{"array": {"dtype": "<f8", "shape": [3], "data": [float("nan")] * 3}}'
ENDLESS = '{"array": {"dtype": "<f8", "shape": [10**12, 0], "data": []}}'
WORDS = '{"WordVectors": {"words": 5, "matrix": "x"}}'
DEEP = "__import__('functools').reduce(lambda x, _: {'list': [x]}, range(5000), None)"

ATTACKS = (
    Attack("gain_forged_deep", "a reply nested 5000 deep", forge(observation(DEEP)), False),
    Attack("gain_forged_endless", "a reply of 10^12 empty rows", forge(observation(ENDLESS)), False),
    Attack(
        "gain_forged_error",
        "a reply whose error is a megabyte of HTML",
        forge(
            observation(
                "None",
                error='{"StudentError": {"kind": "<script>" * 9000, "message": "<b>" * 300000, "line": "x" * 9000}}',
            ),
            of=["softmax"],
        ),
        False,
    ),
    Attack("gain_forged_nan", "a reply of NaN, which no comparison refuses", forge(observation(NAN)), False),
    Attack("gain_forged_types", "a reply of records where numbers belong", forge(observation(WORDS)), False),
    Attack(
        "gain_forged_shape", "a reply of other types at every level", reply_with("[1, {'data': None}]"), False
    ),
    Attack("gain_forged_huge", "a reply of 40 MB", reply_with("'A' * 40_000_000"), False),
)
