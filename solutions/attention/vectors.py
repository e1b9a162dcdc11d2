"""Word vectors: the bundled set and gensim's downloads, behind one door."""

from __future__ import annotations

import difflib
import gzip
import hashlib
import json
import logging
import numbers
import re
import shutil
import socket
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPException, IncompleteRead
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import ContentTooShortError, HTTPError, URLError

from autograder.exercises import public_course
from autograder.exercises.errors import CourseError

if TYPE_CHECKING:
    import numpy as np
    from gensim.models import KeyedVectors

BUNDLED = public_course.find_course(__name__).data / "word_vectors.txt.gz"
"""The set that comes with the course; data/README.md tells how it was made."""

PATIENCE = 30.0
"""Seconds to wait for an answer from the network; gensim by itself would wait for ever."""

About = dict[str, Any]
"""What gensim's list says about one set: file_name, file_size in bytes, checksum (MD5), parts."""


class VectorsError(CourseError):
    """Word vectors could not be had; the message says why and what to do."""


class LimitError(VectorsError):
    """`limit` is not a whole number of at least 1."""


class UnknownNameError(VectorsError):
    """No set of word vectors has this name."""


class NetworkError(VectorsError):
    """A set has to be fetched first, and the network did not give it."""


class TruncatedFileError(VectorsError):
    """A file ends too early, or is missing from its place."""


class AlteredFileError(VectorsError):
    """A file is not the one that was published."""


class StorageError(VectorsError):
    """A fetched set could not be written to the disk."""


def load_vectors(name: str | None = None, *, limit: int | None = None) -> KeyedVectors:
    """Word vectors as gensim `KeyedVectors`: one row a word, the most frequent words first.

    name: None for the bundled set, else one of gensim's downloads, for example "word2vec-google-news-300"
        (1.6 GB). It is fetched once, with a line that says so, into gensim's folder (`~/gensim-data`, or
        what GENSIM_DATA_DIR says); later calls do not need the network.
    limit: keep only this many words, the most frequent ones; None keeps all.

    Raises `LimitError`, `UnknownNameError`, `NetworkError`, `TruncatedFileError`, `AlteredFileError` or
    `StorageError`, all of them `VectorsError`.
    """
    whole = isinstance(limit, numbers.Integral) and not isinstance(limit, bool)
    if limit is not None and (not whole or limit < 1):
        raise LimitError(f"limit={limit!r} cannot be: give a whole number from 1 up, or leave it out.")
    if name is None:
        _check_bundled()
        return _parse(BUNDLED, binary=False, limit=limit)
    return _read(_gensim_file(name), limit)


def make_vectors(words: Sequence[str], matrix: np.ndarray) -> KeyedVectors:
    """`KeyedVectors` of your own: row i of `matrix`, (len(words), d), becomes the vector of `words[i]`."""
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(vector_size=matrix.shape[1])
    vectors.add_vectors(list(words), matrix)
    return vectors


# --- the bundled set -------------------------------------------------------------------------------------


def _check_bundled() -> None:
    remedy = "Unpack the student kit again, or in the repository run: git restore data"
    if not BUNDLED.is_file():
        raise TruncatedFileError(f"{BUNDLED} is missing. {remedy}")
    digest = hashlib.sha256(BUNDLED.read_bytes()).hexdigest()
    sums = BUNDLED.parent / "SHA256SUMS"
    if not sums.is_file() or f"{digest}  {BUNDLED.name}" not in sums.read_text(encoding="utf-8").splitlines():
        raise AlteredFileError(f"{BUNDLED} does not match its line in {sums.name}. {remedy}")


# --- reading a file --------------------------------------------------------------------------------------


def _read(path: Path, limit: int | None) -> KeyedVectors:
    try:
        return _parse(path, binary=_is_binary(path), limit=limit)
    except EOFError:
        raise _cut_short(path) from None
    except (OSError, zlib.error, ValueError):
        raise AlteredFileError(f"{path} cannot be read as word vectors. {_delete_it(path)}") from None


def _parse(path: Path, *, binary: bool, limit: int | None) -> KeyedVectors:
    from gensim.models import KeyedVectors

    return KeyedVectors.load_word2vec_format(str(path), binary=binary, limit=limit)


def _is_binary(path: Path) -> bool:
    """Whether the numbers of a word2vec file are raw bytes, judged by its first word."""
    with gzip.open(path, "rb") as file:
        _, size = (int(number) for number in file.readline(200).split())
        _, *numbers_of_first_word = file.readline(100 * (size + 1)).split()
    try:
        return len([float(number) for number in numbers_of_first_word]) != size
    except ValueError:
        return True


# --- gensim's downloads ----------------------------------------------------------------------------------


def _gensim_file(name: str) -> Path:
    """The file of a set, in gensim's folder; fetched when it is not there yet."""
    from gensim import downloader

    base = Path(downloader.BASE_DIR)
    if not isinstance(name, str) or not re.fullmatch(r"\w[\w.-]*", name):
        raise _unknown(name, _recorded(base))
    folder = base / name
    if not folder.is_dir():
        return _fetch(name, base)
    known = _recorded(base).get("models", {}).get(name, {})
    path = folder / known.get("file_name", f"{name}.gz")
    _check_cached(path, known)
    return path


def _recorded(base: Path) -> dict[str, dict[str, About]]:
    """gensim's list of sets as it was when it was last fetched: "models" are vectors, "corpora" are texts."""
    try:
        sets = json.loads((base / "information.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return sets if isinstance(sets, dict) else {}


def _check_cached(path: Path, known: About) -> None:
    if not path.is_file():
        raise TruncatedFileError(f"{path.parent} holds no {path.name}. {_delete_it(path)}")
    if known.get("parts", 1) > 1 or "checksum" not in known:
        _check_gzip(path)
    elif _md5(path) != known["checksum"]:
        if path.stat().st_size < known.get("file_size", 0):
            raise _cut_short(path)
        raise AlteredFileError(f"{path} does not match the published checksum. {_delete_it(path)}")


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _check_gzip(path: Path) -> None:
    """Where no checksum is known: gzip carries one of its own, at the end."""
    try:
        with gzip.open(path, "rb") as file:
            while file.read(1 << 20):
                pass
    except EOFError:
        raise _cut_short(path) from None
    except (OSError, zlib.error):
        raise AlteredFileError(f"{path} is damaged. {_delete_it(path)}") from None


def _fetch(name: str, base: Path) -> Path:
    """Let gensim download a set; whatever happens, no part of one is left behind."""
    from gensim import downloader

    try:
        with _leaving_nothing_behind(base, name):
            sets = downloader.info(show_only_latest=False)
            if name in sets["models"]:
                size = sets["models"][name].get("file_size")
                told = f" ({size / 2**20:,.1f} MB)" if size is not None else ""
                print(f"Fetching {name}{told} into {base}; later calls read it from there.", flush=True)
                return Path(downloader.load(name, return_path=True))
    except Exception as error:
        raise _explained(error, name, base) from None
    raise _unknown(name, sets)


@contextmanager
def _leaving_nothing_behind(base: Path, name: str) -> Iterator[None]:
    """Have gensim download into a folder that goes away, with a time limit and a silent log.

    By itself gensim leaves its temporary folder when a download fails, stumbles over an old `<name>_tmp`,
    waits for ever for a silent server, and logs a traceback when there is no network. Our temporary folder
    lies inside gensim's, so that the finished set is moved to its place in one step.
    """
    base.mkdir(parents=True, exist_ok=True)
    half_moved = base / f"{name}_tmp"
    shutil.rmtree(half_moved, ignore_errors=True)
    log = logging.getLogger("gensim.downloader")
    usual_folder, usual_patience, usual_silence = tempfile.tempdir, socket.getdefaulttimeout(), log.disabled
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=base) as scratch:
        try:
            tempfile.tempdir, log.disabled = scratch, True
            socket.setdefaulttimeout(PATIENCE)
            yield
        finally:
            tempfile.tempdir, log.disabled = usual_folder, usual_silence
            socket.setdefaulttimeout(usual_patience)
            shutil.rmtree(half_moved, ignore_errors=True)


# --- what went wrong, in words ---------------------------------------------------------------------------


def _explained(error: Exception, name: str, base: Path) -> VectorsError:
    """The error of a download, told to the person who asked for it."""
    again = "Nothing was kept; call load_vectors again, or use load_vectors() for the bundled set."
    if isinstance(error, (ContentTooShortError, IncompleteRead)):
        return TruncatedFileError(f"The download of {name} was cut short. {again}")
    if isinstance(error, HTTPError):
        return NetworkError(f"The server answered {error.code} {error.reason} for {name}. {again}")
    if isinstance(error, (URLError, ConnectionError, TimeoutError, HTTPException, ValueError)):
        return NetworkError(f"{name} has to be fetched first, and gensim's server is out of reach. {again}")
    if isinstance(error, OSError):
        return StorageError(
            f"{name} could not be stored in {base}: {error.strerror or error}. "
            "Make room there, or name another folder in GENSIM_DATA_DIR before you start Python."
        )
    if "checksum" in str(error).lower():
        return AlteredFileError(f"What arrived for {name} is not what was published. {again}")
    return VectorsError(f"{name} could not be fetched: {error}. {again}")


def _unknown(name: object, sets: dict[str, dict[str, About]]) -> UnknownNameError:
    if name in sets.get("corpora", {}):
        return UnknownNameError(f"{name!r} is a collection of texts, not of word vectors.")
    close = difflib.get_close_matches(str(name), sets.get("models", {}), n=3)
    hint = f"Did you mean {' or '.join(map(repr, close))}?" if close else "load_vectors() gives our own set."
    return UnknownNameError(f"No word vectors are called {name!r}. {hint}")


def _cut_short(path: Path) -> TruncatedFileError:
    return TruncatedFileError(f"{path} ends too early. {_delete_it(path)}")


def _delete_it(path: Path) -> str:
    return f"Delete the folder {path.parent} and call load_vectors again."
