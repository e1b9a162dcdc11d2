"""The shop of lesson 05: French words on a shelf, each with a price, and someone who asks in English."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn

from autograder.views import figures

from .drawing import GREY, INK, KEY, PLUM, QUERY, VALUE, subplots
from .weights import draw_weights, show_losses

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENGLISH = ["bread", "milk", "fish", "apple", "cheese", "salt", "egg", "book", "lamp", "shoe"]
FRENCH = ["pain", "lait", "poisson", "pomme", "fromage", "sel", "oeuf", "livre", "lampe", "chaussure"]
"""Each word's translation, in the same order."""
WIDTH, PLACES, STEPS = 8, 6, 300
STOPS = [0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 100, 120, 150, 180, 220, 260, STEPS]
"""Training steps at which the dictionary is kept."""
TONES = {"bare dot product": GREY, "additive": PLUM, "dot product, query mapped": INK}
"""The colour of each contestant, wherever it is drawn."""

_draws = torch.Generator().manual_seed(5)
english_vectors = torch.randn(len(ENGLISH), WIDTH, generator=_draws)
french_vectors = torch.randn(len(FRENCH), WIDTH, generator=_draws)


class Visit(NamedTuple):
    """n shops, in each of which somebody asks for one thing that is there.

    queries (n, 1, 8), keys (n, 6, 8), prices (n, 6, 1); valid_lens (n,): how many places, from the left, are not
    empty; place (n,): that of what is asked for.
    """

    queries: Tensor
    keys: Tensor
    prices: Tensor
    valid_lens: Tensor
    place: Tensor


def visit(n: int, draws: torch.Generator) -> Visit:
    """n shops, drawn; in an empty place stand the vector and the price of something that is not there."""
    shelf = torch.rand(n, len(FRENCH), generator=draws).argsort(dim=-1)[:, :PLACES]
    valid_lens = torch.randint(2, PLACES + 1, (n,), generator=draws)
    place = (torch.rand(n, generator=draws) * valid_lens).long()
    asked = shelf[torch.arange(n), place]
    prices = torch.randn(n, PLACES, 1, generator=draws)
    return Visit(english_vectors[asked][:, None], french_vectors[shelf], prices, valid_lens, place)


def first_visit() -> Visit:
    """The one shop with which the lesson opens: bread is asked for."""
    return visit(1, torch.Generator().manual_seed(31))


def word_of(vector: Tensor, words: Sequence[str], vectors: Tensor) -> str:
    """Which of the words has this vector."""
    return words[int((vectors == vector).all(dim=-1).nonzero())]


# --- one shop ---------------------------------------------------------------------------------------------------


def shelf_of(shop: Visit) -> list[tuple[str, float]]:
    """The words and prices on the shelf of the first shop, without the empty places."""
    n = int(shop.valid_lens[0])
    words = (word_of(key, FRENCH, french_vectors) for key in shop.keys[0, :n])
    return list(zip(words, shop.prices[0, :n, 0].tolist()))


def draw_shelf(shop: Visit, weights: Tensor, answer: float, axes: Axes, tone: str = INK) -> None:
    """A shop's places, one below the other, and how much of a query's weight (6,) each has got; grey where empty."""
    goods, places = shelf_of(shop), range(PLACES)
    colors = [tone if place < len(goods) else GREY for place in places]
    axes.barh(places, weights.tolist(), color=colors, height=0.62)
    for place, weight in enumerate(weights.tolist()):
        axes.text(weight + 0.02, place, f"{weight:.2f}".removeprefix("0"), va="center")
        word, price = goods[place] if place < len(goods) else ("(empty)", None)
        color, style = (GREY, "italic") if price is None else (KEY, "normal")
        axes.text(-0.52, place, word, ha="right", va="center", color=color, style=style)
        if price is not None:
            axes.text(-0.03, place, f"{price:.2f}".replace("-", "−"), ha="right", va="center", color=VALUE)
    asked = word_of(shop.queries[0, 0], ENGLISH, english_vectors)
    right = goods[int(shop.place[0])][1]
    axes.text(-0.52, -1.6, asked, ha="right", va="center", color=QUERY, weight="bold")
    axes.text(-0.03, -0.8, "price", ha="right", va="center", color=VALUE, style="italic")
    axes.text(0, -1.6, f"answer {answer:.2f}, right {right:.2f}", va="center", color=VALUE)
    axes.set(xlim=(-1.2, 1.12), ylim=(PLACES - 0.4, -2.2), xticks=(0, 0.5, 1), yticks=[], xlabel="weight")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def turned(shop: Visit, share: float) -> Tensor:
    """The query (1, 1, 8) turned by hand: at share 0 as it is, at 1 scoring 6 with its translation, else 0."""
    target = 6 * WIDTH**0.5 * torch.linalg.pinv(shop.keys[0])[:, shop.place[0]]
    return (1 - share) * shop.queries + share * target


def show_turning(ask: Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]) -> None:
    """The first shop's weights with a slider that turns the query towards its translation.

    ask: (queries, keys, prices) -> (answers (1, 1, 1), weights (1, 1, 6)).
    """
    shop, stills = first_visit(), (0, 1)

    def asked(share: float) -> tuple[Tensor, float]:
        answers, weights = ask(turned(shop, share), shop.keys, shop.prices)
        return weights[0, 0], float(answers)

    def draw(share: float, axes: Axes) -> None:
        from matplotlib.figure import Figure

        draw_shelf(shop, *asked(share), axes)
        if isinstance(axes.figure, Figure) and len(axes.figure.axes) == 1:  # below its slider, and as wide
            axes.figure.set_size_inches(6.9, 4.4)

    states = [
        f"at {share} the weights are {' '.join(f'{weight:.2f}' for weight in asked(share)[0])}, the answer "
        f"{asked(share)[1]:.2f}"
        for share in stills
    ]
    goods = ", ".join(f"{word} {price:.2f}" for word, price in shelf_of(shop))
    figures.explore(
        draw,
        stills,
        name="query turned to “pain”",
        turn=[step / 20 for step in range(21)],
        alt=f"A shelf with {goods} and three empty places, and how much weight each gets when bread is asked for: "
        f"{'; '.join(states)}.",
    )


def show_shelves(weights: Mapping[str, Tensor]) -> None:
    """The first shop's shelf side by side, with weights (1, 1, 6) of whoever asks for bread, by their titles."""
    shop = first_visit()
    figure, row = subplots(1, len(weights), figsize=(min(3.6 * len(weights), figures.WIDTH), 3.2), squeeze=False)
    shelves = []
    for axes, (name, shares) in zip(row[0], weights.items()):
        answer = float((shares @ shop.prices).detach())
        tone = TONES.get(name, INK)
        draw_shelf(shop, shares[0, 0].detach(), answer, axes, tone)
        axes.set_title(name, color=tone)
        numbers = " ".join(f"{weight:.2f}" for weight in shares[0, 0].tolist())
        shelves.append(f"{name}: {numbers}, the answer {answer:.2f}")
    goods = ", ".join(f"{word} {price:.2f}" for word, price in shelf_of(shop))
    figures.show(figure, f"A shelf with {goods} and three empty places, when bread is asked for. {'; '.join(shelves)}.")


# --- learning ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trained:
    """A model after its training: the squared error of every step, and its dictionary (10, 10) at `STOPS`."""

    model: nn.Module
    errors: list[float]
    dictionaries: Mapping[int, Tensor]


def dictionary(model: nn.Module) -> Tensor:
    """What every English word, as a query, weighs of a shelf with all ten French ones: (10, 10)."""
    with torch.no_grad():
        model(english_vectors[None], french_vectors[None], torch.eye(len(FRENCH))[None])
    return weights_of(model)[0]


def weights_of(model: nn.Module) -> Tensor:
    """The weights that a model has kept of its last call."""
    kept = model.attention_weights
    assert isinstance(kept, Tensor), "an attention keeps its weights in `attention_weights`"
    return kept


def train(make: Callable[[], nn.Module]) -> Trained:
    """A new model, after `STEPS` steps of Adam on 64 new shops each: it is told how far its price was off."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model, draws, errors, seen = make(), torch.Generator().manual_seed(1), [], {}
    learns = list(model.parameters())
    optimizer = torch.optim.Adam(learns, lr=0.02) if learns else None
    for step in range(STEPS):
        if step in STOPS:
            seen[step] = dictionary(model)
        *shops, place = visit(64, draws)
        error = (model(*shops)[:, 0] - shops[2][torch.arange(64), place]).square().mean()
        errors.append(error.item())
        if optimizer:
            optimizer.zero_grad()
            error.backward()
            optimizer.step()
    seen[STEPS] = dictionary(model)
    return Trained(model.eval(), errors, seen)


def even_error() -> float:
    """The mean squared error of even weights: the mean of n prices misses each by 1 - 1/n."""
    return sum(1 - 1 / n for n in range(2, PLACES + 1)) / (PLACES - 1)


def train_three(
    bare: Callable[..., nn.Module], additive: Callable[..., nn.Module], mapped: Callable[..., nn.Module]
) -> dict[str, Trained]:
    """Each of the three models after its training, by its name."""
    makers = (
        lambda: bare(dropout=0.0),
        lambda: additive(key_size=WIDTH, query_size=WIDTH, num_hiddens=16, dropout=0.0),
        lambda: mapped(WIDTH),
    )
    return {name: train(make) for name, make in zip(TONES, makers)}


def show_learning(trained: Mapping[str, Trained]) -> None:
    """The errors of models, step by step, beside that of even weights; and how many parameters each has."""
    errors = {name: training.errors for name, training in trained.items()}
    show_losses(errors, {"even weights, whatever is asked": even_error()}, "squared error of the price", TONES)
    for name, training in trained.items():
        print(f"{name}: {sum(parameter.numel() for parameter in training.model.parameters())} parameters")


def ask_for_bread(trained: Mapping[str, Trained]) -> None:
    """The first shop's shelf, with the weights that each model gives it."""
    *shop, _ = first_visit()
    for training in trained.values():
        training.model(*shop)
    show_shelves({name: weights_of(training.model) for name, training in trained.items()})


def show_dictionaries(trained: Mapping[str, Trained]) -> None:
    """Side by side the dictionaries of the models that have parameters, with a slider for the training step."""
    learners = {name: training for name, training in trained.items() if any(True for _ in training.model.parameters())}
    stills = [0, 20, STEPS]

    def draw(step: float, *panels: Axes) -> None:
        for axes, (name, training) in zip(panels, learners.items()):
            draw_weights(axes, training.dictionaries[int(step)], keys=FRENCH, queries=ENGLISH)
            axes.set(ylabel="")
            axes.set_xlabel(name, color=TONES.get(name, INK), weight="bold")

    shares = (
        f"{name} {', '.join(f'{training.dictionaries[step].diagonal().mean():.2f}' for step in stills)}, "
        f"the smallest at the end {training.dictionaries[STEPS].diagonal().min():.2f}"
        for name, training in learners.items()
    )
    figures.explore(
        draw,
        stills,
        name="training step",
        alt="Heatmaps of ten English words as queries by ten French words as keys, for both learners; each word and "
        f"its translation meet on the diagonal. Mean weight there at the steps {', '.join(map(str, stills))}: "
        f"{'; '.join(shares)}.",
        turn=STOPS,
        panels=len(learners),
        opens_at=STEPS,
    )
