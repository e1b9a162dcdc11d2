"""What this course's notebooks import from `autograder` beside `check`, and the kinds of argument it adds."""

# ruff: noqa: F401
from . import kernel_pictures, looks, maps, mask_pictures, sums, toy_pictures, writing_pictures
from .ablations import without
from .bodies import load_bodies
from .bring import bring_your_own, or_the_courses
from .counting import WordCounts
from .grammar import grammatical, sentences
from .helpers import attention, softmax
from .kinds import WordVectors
from .learners import Learner, StepsOf
from .live import LossCurve
from .looks import who_he_looks_at
from .scores import NextWordScores
from .vectors import load_vectors
from .weights import draw_weights, show_losses, show_weights
from .writer import load_writer
