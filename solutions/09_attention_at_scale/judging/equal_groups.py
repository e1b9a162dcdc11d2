"""How `equal_groups` is judged."""

from autograder.exercises import Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    "how many shared heads keep as much",
    guesses.equal_groups,
    Misconception("keys counted, but no values", "a shared head keeps both of each word",
        "How many numbers does one shared head keep of a word?",
        (4.5,)),
    Misconception("the turned numbers forgotten", "they are kept beside the latent vector",
        "How many numbers does DeepSeek-V2 keep of a word, all together?",
        (2,)),
    Misconception("the latent vector counted for each head", "all heads share it",
        "How often is the latent vector of a word kept?",
        (288,), (256,)),
    Misconception("compared the wrong way round", "one shared head keeps less than the latent vector does",
        "Which of the two keeps more, a latent vector or one shared head?",
        (0.44,), (0.444,), (0.4444,)),
    Misconception("values counted twice", "a shared head keeps one key and one value of each word",
        "How many numbers does one shared head keep of a word?",
        (1.125,)),
    tolerance=0.01,
    puzzle=True,
)
