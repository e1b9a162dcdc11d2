"""Train the bundled word vectors on sentences of our own: `python -m data.makers.word_vectors`."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

from data.makers import record_checksum
from attention import sentences

if TYPE_CHECKING:
    from gensim.models import KeyedVectors

BUNDLED = Path(__file__).parents[1] / "word_vectors.txt.gz"
SENTENCES = 40_000
SEED = 1
DECIMALS = 4
TRAINING = {
    "vector_size": 50,
    "window": 3,
    "sg": 0,
    "negative": 10,
    "epochs": 10,
    "sample": 1e-3,
    "min_count": 3,
    "workers": 1,
}


def train() -> KeyedVectors:
    """Word2Vec's vectors of the grammar's words, (words, 50), the most frequent word first."""
    from gensim.models import Word2Vec

    return Word2Vec(list(sentences(SENTENCES, SEED)), seed=SEED, **TRAINING).wv


def as_text(vectors: KeyedVectors) -> str:
    """`vectors` in word2vec's text format: a line with both sizes, then a line a word."""
    lines = [f"{len(vectors)} {vectors.vector_size}"]
    for word in vectors.index_to_key:
        lines.append(" ".join([word, *(f"{number:.{DECIMALS}f}" for number in vectors[word])]))
    return "\n".join(lines) + "\n"


def write(vectors: KeyedVectors, path: Path) -> None:
    """Write `vectors` to `path`, gzipped; the same vectors give the same bytes."""
    path.write_bytes(gzip.compress(as_text(vectors).encode(), mtime=0))


def main() -> None:
    """Write the bundled file again, and its line in `SHA256SUMS`."""
    vectors = train()
    write(vectors, BUNDLED)
    record_checksum(BUNDLED)
    print(f"{BUNDLED}: {len(vectors)} words, {BUNDLED.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
