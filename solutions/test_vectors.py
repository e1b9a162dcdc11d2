"""Loading word vectors: the bundled file, gensim's downloads, and what is said when something is wrong.

A server on this machine stands in for gensim's; what it serves are five words of two made-up sets.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from gensim import downloader

from autograder.exercises import argument_kinds
from autograder.tests.this_course import ROOT
from attention import load_vectors

vectors = importlib.import_module("attention.vectors")
WordVectors = importlib.import_module("attention.kinds").WordVectors

WORDS = ["the", "cat", "sat", "on", "mat"]
MATRIX = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
BINARY, TEXT = "toy-news-4", "toy-wiki-4"


@dataclass
class Server:
    """What stands in for gensim's hosts: `files` by path, and the paths that were asked for."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    """How many bytes of a path to send before hanging up, where not all of them."""
    asked: list[str] = field(default_factory=list)

    def publish(self, name: str, data: bytes) -> None:
        """Offer `data` as the set `name`, with its checksum in the list."""
        self.files[f"/{name}/{name}.gz"] = data
        # gensim fetches this file too; load_vectors is to leave it unread.
        self.files[f"/{name}/__init__.py"] = b"raise RuntimeError('downloaded code was run')"
        about = {
            "file_name": f"{name}.gz",
            "file_size": len(data),
            "checksum": hashlib.md5(data).hexdigest(),
            "parts": 1,
        }
        sets = json.loads(self.files.get("/list.json", b'{"models": {}, "corpora": {"toy-texts": {}}}'))
        sets["models"][name] = about
        self.files["/list.json"] = json.dumps(sets).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append(self.path)
            data = state.files.get(self.path)
            if data is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: state.sent.get(self.path, len(data))])

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        state.url = f"http://127.0.0.1:{http.server_port}"
        state.publish(BINARY, _published(binary=True))
        state.publish(TEXT, _published(binary=False))
        threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
        yield state
        http.shutdown()


@pytest.fixture
def cache(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for gensim's downloads, which now come from `server`."""
    folder = tmp_path / "gensim-data"
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(downloader, "BASE_DIR", str(folder))
    _point_gensim_at(server.url, monkeypatch)
    return folder


@pytest.fixture
def offline(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, with no one listening."""
    _point_gensim_at("http://127.0.0.1:9", monkeypatch)
    return cache


def _point_gensim_at(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloader, "DOWNLOAD_BASE_URL", url)
    # gensim binds the address of its list when it defines the function.
    monkeypatch.setattr(downloader._load_info, "__defaults__", (f"{url}/list.json", "utf-8"))


def _published(*, binary: bool) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.gz"
        vectors.make_vectors(WORDS, MATRIX).save_word2vec_format(str(path), binary=binary)
        return path.read_bytes()


def _message(kind: type[vectors.VectorsError], call: Callable[[], object]) -> str:
    """What the user reads: one short message, without a second error behind it."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    message = str(caught.value)
    assert "\n" not in message
    assert caught.value._render_traceback_() == [f"✗ {message}"]
    return message


def _kept(cache: Path) -> list[str]:
    """All that lies in the folder of downloads, but for gensim's list."""
    return sorted(path.name for path in cache.glob("*") if path.name != "information.json")


# --- the bundled set -------------------------------------------------------------------------------------


def test_bundled_set_needs_no_name_and_no_network(offline: Path) -> None:
    bundled = load_vectors()
    assert bundled["cat"].shape == (bundled.vector_size,)
    assert bundled.index_to_key[0] == "the"


def test_bundled_set_is_fresh_on_every_call() -> None:
    spoilt = load_vectors()
    spoilt.vectors[:] = 0
    assert np.abs(load_vectors()["cat"]).max() > 0


def test_an_answer_meets_the_bundled_set_fresh_each_time() -> None:
    meets = argument_kinds.find_kind(WordVectors()).make
    spoilt = meets(WordVectors())
    spoilt.vectors[:] = 0
    spoilt.key_to_index.clear()
    fresh, bundled = meets(WordVectors()), load_vectors()
    assert fresh.key_to_index == bundled.key_to_index
    assert np.array_equal(fresh.vectors, bundled.vectors)


def test_limit_keeps_the_most_frequent_words() -> None:
    assert load_vectors(limit=10).index_to_key == load_vectors().index_to_key[:10]


def test_limit_above_the_number_of_words_keeps_all() -> None:
    assert len(load_vectors(limit=10**9)) == len(load_vectors())


@pytest.mark.parametrize("limit", [0, -1, 2.5, "100", True])
def test_bad_limit(limit: object) -> None:
    message = _message(vectors.LimitError, lambda: load_vectors(limit=limit))
    assert repr(limit) in message
    assert "whole number" in message


@pytest.fixture
def own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled file that a test may spoil."""
    copy = tmp_path / vectors.BUNDLED.name
    copy.write_bytes(vectors.BUNDLED.read_bytes())
    (tmp_path / "SHA256SUMS").write_bytes((vectors.BUNDLED.parent / "SHA256SUMS").read_bytes())
    monkeypatch.setattr(vectors, "BUNDLED", copy)
    return copy


def test_altered_bundled_file(own_copy: Path) -> None:
    assert len(load_vectors()) > 0
    own_copy.write_bytes(own_copy.read_bytes() + b"x")
    message = _message(vectors.AlteredFileError, load_vectors)
    assert str(own_copy) in message
    _names_both_remedies(message)


def _names_both_remedies(message: str) -> None:
    """One for the student kit, which has neither git nor make, and one for the repository."""
    assert "Unpack the student kit again" in message
    assert "in the repository run: git restore data" in message


def test_bundled_file_without_a_checksum(own_copy: Path) -> None:
    (own_copy.parent / "SHA256SUMS").write_text("")
    assert "SHA256SUMS" in _message(vectors.AlteredFileError, load_vectors)
    (own_copy.parent / "SHA256SUMS").unlink()
    assert "SHA256SUMS" in _message(vectors.AlteredFileError, load_vectors)


def test_missing_bundled_file(own_copy: Path) -> None:
    own_copy.unlink()
    message = _message(vectors.TruncatedFileError, load_vectors)
    assert "is missing" in message
    _names_both_remedies(message)


def test_importing_it_is_cheap() -> None:
    code = (
        "import sys; from attention import load_vectors; print({'gensim', 'scipy', 'torch'} & {*sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


# --- vectors of one's own --------------------------------------------------------------------------------


def test_made_vectors_are_the_rows() -> None:
    made = vectors.make_vectors(WORDS, MATRIX)
    assert made.index_to_key == WORDS
    np.testing.assert_array_equal(made["sat"], MATRIX[2])


# --- fetching --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [BINARY, TEXT])
def test_fetches_either_format(name: str, cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fetched = load_vectors(name)
    assert fetched.index_to_key == WORDS
    np.testing.assert_allclose(fetched.vectors, MATRIX, rtol=1e-6)
    assert _kept(cache) == [name]
    said = capfd.readouterr()
    assert said.out.splitlines()[0].startswith(f"Fetching {name} (0.0 MB) into {cache}")
    assert said.err == ""


@pytest.mark.parametrize("name", [BINARY, TEXT])
def test_second_call_does_not_use_the_network(
    name: str, server: Server, cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    load_vectors(name)
    server.asked.clear()
    capfd.readouterr()
    assert load_vectors(name, limit=3).index_to_key == WORDS[:3]
    assert server.asked == []
    assert capfd.readouterr() == ("", "")


def test_cached_set_works_without_gensims_list(cache: Path) -> None:
    load_vectors(BINARY)
    (cache / "information.json").unlink()
    assert load_vectors(BINARY).index_to_key == WORDS


def test_leftovers_of_an_old_download_do_not_stand_in_the_way(cache: Path) -> None:
    (cache / f"{TEXT}_tmp").mkdir(parents=True)
    assert load_vectors(TEXT).index_to_key == WORDS
    assert _kept(cache) == [TEXT]


def test_fetching_leaves_the_temporary_folder_alone(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = tmp_path / "tmp"
    usual.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(usual))
    load_vectors(TEXT)
    assert tempfile.tempdir == str(usual)
    assert list(usual.iterdir()) == []


# --- what can go wrong while fetching --------------------------------------------------------------------


def test_unknown_name_suggests_close_ones(cache: Path) -> None:
    message = _message(vectors.UnknownNameError, lambda: load_vectors("toy-new-4"))
    assert "'toy-new-4'" in message
    assert f"'{BINARY}'" in message
    assert _kept(cache) == []


@pytest.mark.parametrize("name", ["..", "../toy", "", "a/b", 300])
def test_a_name_is_never_a_path(name: object, server: Server, cache: Path) -> None:
    assert repr(name) in _message(vectors.UnknownNameError, lambda: load_vectors(name))
    assert server.asked == []


def test_a_collection_of_texts_has_no_vectors(cache: Path) -> None:
    assert "texts" in _message(vectors.UnknownNameError, lambda: load_vectors("toy-texts"))


def test_no_network(offline: Path, capfd: pytest.CaptureFixture[str]) -> None:
    message = _message(vectors.NetworkError, lambda: load_vectors(BINARY))
    assert BINARY in message
    assert "load_vectors()" in message
    assert _kept(offline) == []
    assert capfd.readouterr().err == ""


def test_network_lost_after_the_list(server: Server, cache: Path) -> None:
    del server.files[f"/{BINARY}/{BINARY}.gz"]
    assert "404" in _message(vectors.NetworkError, lambda: load_vectors(BINARY))
    assert _kept(cache) == []


def test_a_sign_in_page_in_place_of_the_list(server: Server, cache: Path) -> None:
    server.files["/list.json"] = b"<html>Please sign in</html>"
    _message(vectors.NetworkError, lambda: load_vectors(BINARY))
    assert _kept(cache) == []


def test_truncated_download(server: Server, cache: Path) -> None:
    path = f"/{BINARY}/{BINARY}.gz"
    server.sent[path] = len(server.files[path]) // 2
    assert "cut short" in _message(vectors.TruncatedFileError, lambda: load_vectors(BINARY))
    assert _kept(cache) == []
    server.sent.clear()
    assert load_vectors(BINARY).index_to_key == WORDS


def test_altered_download(server: Server, cache: Path) -> None:
    server.files[f"/{TEXT}/{TEXT}.gz"] = gzip.compress(b"1 2\nword 1 2\n")
    assert "not what was published" in _message(vectors.AlteredFileError, lambda: load_vectors(TEXT))
    assert _kept(cache) == []


def test_interrupted_download(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(downloader, "_progress", interrupt)
    with pytest.raises(KeyboardInterrupt):
        load_vectors(BINARY)
    assert _kept(cache) == []


def test_nowhere_to_store(cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    message = _message(vectors.StorageError, lambda: load_vectors(BINARY))
    assert str(cache) in message
    assert "GENSIM_DATA_DIR" in message


# --- what can go wrong with a cached file ----------------------------------------------------------------


@pytest.fixture(params=[True, False], ids=["with gensim's list", "without gensim's list"])
def cached(request: pytest.FixtureRequest, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a set that was fetched earlier; no one is listening any more."""
    load_vectors(BINARY)
    if not request.param:
        (cache / "information.json").unlink()
    _point_gensim_at("http://127.0.0.1:9", monkeypatch)
    return cache / BINARY / f"{BINARY}.gz"


def test_truncated_cached_file(cached: Path) -> None:
    cached.write_bytes(cached.read_bytes()[:-20])
    message = _message(vectors.TruncatedFileError, lambda: load_vectors(BINARY, limit=1))
    assert f"Delete the folder {cached.parent}" in message


def test_altered_cached_file(cached: Path) -> None:
    data = bytearray(cached.read_bytes())
    data[len(data) // 2] ^= 0xFF
    cached.write_bytes(data)
    message = _message(vectors.AlteredFileError, lambda: load_vectors(BINARY, limit=1))
    assert f"Delete the folder {cached.parent}" in message


def test_cached_folder_without_its_file(cached: Path) -> None:
    cached.unlink()
    message = _message(vectors.TruncatedFileError, lambda: load_vectors(BINARY))
    assert cached.name in message
    assert "Delete the folder" in message


@pytest.mark.parametrize("content", [b"", b"not a header\n", b"2 3\nword 1 2 3\nother 1 2\n"])
def test_cached_file_that_holds_no_vectors(content: bytes, cache: Path) -> None:
    (cache / "own").mkdir(parents=True)
    (cache / "own" / "own.gz").write_bytes(gzip.compress(content))
    assert "cannot be read" in _message(vectors.AlteredFileError, lambda: load_vectors("own"))


def test_cached_file_with_fewer_words_than_it_says(cache: Path) -> None:
    (cache / "own").mkdir(parents=True)
    (cache / "own" / "own.gz").write_bytes(gzip.compress(b"3 2\nword 1 2\nother 1 2\n"))
    assert "ends too early" in _message(vectors.TruncatedFileError, lambda: load_vectors("own"))
