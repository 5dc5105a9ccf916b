"""Damage to any file of an index is told in a sentence that names the file."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from coded import coded
from engine_samples import ENCODER, IndexUnderTest, passage, question, texts

from search.engines.embedded import EmbeddedBackend, EmbeddedEngine, engine, layout
from search.engines.embedded.manifest import Manifest
from search.errors import IndexCorruptError, IndexUnavailableError, RiragError

TANTIVY = ("meta.json", ".managed.json", ".idx", ".term", ".fast", ".fieldnorm", ".store", ".pos")
FILES = [
    "CURRENT",
    layout.MANIFEST,
    layout.PASSAGES,
    layout.FILTERS,
    layout.ROW_DOCUMENTS,
    layout.ROW_KINDS,
    layout.VECTORS_F16,
    layout.VECTORS_I8,
    layout.SCALES,
    layout.VECTOR_ROWS,
    *(f"{layout.LEXICAL}/*{name}" for name in TANTIVY),
    *(f"{layout.DOCUMENTS}/*{name}" for name in TANTIVY),
]


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x01
    path.write_bytes(content)


def cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGES: list[Callable[[Path], None]] = [flip, cut, empty, Path.unlink]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sound") / "index"
    index = IndexUnderTest(EmbeddedBackend(), str(root))
    index.write(texts("A", "an older state"))
    tagged = [passage("B", str(i), f"fund {i}", metadata={"topic": "funds"}) for i in range(5)]
    index.write(texts("A", "fund", "", "broker"), tagged)
    return root


@pytest.fixture
def root(sound: Path, tmp_path: Path) -> Iterator[Path]:
    copy = tmp_path / "index"
    shutil.copytree(sound, copy)
    yield copy
    # A thread of tantivy may still write a lock into the folder of an index just opened.
    shutil.rmtree(copy, ignore_errors=True)


def locate(root: Path, name: str) -> Path:
    """The file of the current generation that a pattern of `FILES` means."""
    if name == "CURRENT":
        return root / name
    (found,) = layout.current_generation(root).glob(name)
    return found


def test_every_file_of_an_index_is_in_this_test(sound: Path) -> None:
    folder = layout.current_generation(sound)
    tried = {locate(sound, name) for name in FILES}
    kept = {path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"}
    assert kept <= tried


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", FILES)
def test_damage_is_told_in_one_sentence_that_names_the_file(
    root: Path, name: str, damage: Callable[[Path], None]
) -> None:
    path = locate(root, name)
    damage(path)
    with pytest.raises(IndexUnavailableError) as error:
        EmbeddedBackend().open(str(root))
    message = str(error.value)
    assert "\n" not in message
    assert "ingest" in message
    if not (name == "CURRENT" and damage in (flip, Path.unlink)):
        assert isinstance(error.value, IndexCorruptError)
        assert str(path) in message


@pytest.mark.parametrize("name", FILES[1:])
def test_loading_into_a_damaged_index_is_refused_and_loses_nothing(root: Path, name: str) -> None:
    path = locate(root, name)
    good = path.read_bytes()
    flip(path)
    with pytest.raises(IndexCorruptError, match=str(path.name)):
        EmbeddedBackend().load(str(root), ENCODER)
    path.write_bytes(good)
    with closing(EmbeddedEngine(root)) as mended:
        assert mended.describe().passages == 8


@pytest.mark.parametrize("bit", range(8))
@pytest.mark.parametrize("place", range(6))
def test_no_flipped_bit_of_the_pointer_opens_an_older_state(
    root: Path, place: int, bit: int
) -> None:
    IndexUnderTest(EmbeddedBackend(), str(root)).write(texts("C", "third"))
    pointer = root / layout.CURRENT
    content = bytearray(pointer.read_bytes())
    content[place] ^= 1 << bit
    pointer.write_bytes(content)
    with pytest.raises(IndexUnavailableError):
        EmbeddedBackend().open(str(root))


def test_losing_the_pointer_does_not_lose_the_index(root: Path) -> None:
    pointer = root / layout.CURRENT
    content = pointer.read_bytes()
    pointer.unlink()
    with pytest.raises(IndexUnavailableError):
        EmbeddedBackend().load(str(root), ENCODER)
    pointer.write_bytes(content)
    with closing(EmbeddedEngine(root)) as mended:
        assert mended.verify() == []


@pytest.mark.parametrize("name", FILES[2:])
def test_what_a_large_index_does_not_check_on_open_is_found_by_verify(
    root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "CHECK_ON_OPEN_BYTES", 0)
    path = locate(root, name)
    flip(path)
    try:
        opened = EmbeddedBackend().open(str(root))
    except IndexCorruptError:
        return
    assert [sentence for sentence in opened.verify() if path.name in sentence]
    opened.close()


@pytest.mark.parametrize("place", [0.3, 0.5, 0.7, 0.9])
@pytest.mark.parametrize("name", FILES[2:])
def test_searching_a_large_damaged_index_is_refused_at_worst(
    root: Path, name: str, place: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "CHECK_ON_OPEN_BYTES", 0)
    path = locate(root, name)
    content = bytearray(path.read_bytes())
    start = int(len(content) * place)
    content[start : start + 64] = b"\xff" * len(content[start : start + 64])
    path.write_bytes(content)
    try:
        opened = EmbeddedBackend().open(str(root))
    except RiragError:
        return
    try:
        asked = question("fund broker", topic="funds")
        retrievers = opened.run(asked)
        opened.passages([one.key for one in (*retrievers.lexical, *retrievers.dense)])
        opened.find(asked.filters)
    except RiragError:
        pass
    finally:
        opened.close()


def test_a_newer_index_asks_for_an_upgrade(root: Path) -> None:
    folder = layout.current_generation(root)
    newer = Manifest.read(folder).model_copy(update={"schema_version": 99})
    newer.write(folder)
    for step in (
        lambda: EmbeddedBackend().open(str(root)),
        lambda: EmbeddedBackend().load(str(root), ENCODER),
    ):
        with pytest.raises(IndexUnavailableError, check=coded("index.newer")) as error:
            step()
        assert not isinstance(error.value, IndexCorruptError)


def test_a_newer_index_need_not_have_todays_fields(root: Path) -> None:
    body = json.dumps({"schema_version": 99, "shards": []})
    manifest = layout.current_generation(root) / layout.MANIFEST
    manifest.write_text(f"{body}\n{zlib.crc32(body.encode()):08x}\n", encoding="utf-8")
    with pytest.raises(IndexUnavailableError, check=coded("index.newer")):
        EmbeddedBackend().open(str(root))
