"""Compressed tables are read and written as streams; damage is named with its place."""

import bz2
import gzip
import io
import lzma
import os
import sys
import threading
import zipfile

import hypothesis.strategies as st
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from samewise.ensemble.tables.sources import TableError
from samewise.ensemble.tables.table_writer import TableWriter

from .written_tables import CONTENT, PACK, read, write


@pytest.mark.slow
@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("format", CONTENT)
def test_parts_one_after_the_other(tmp_path, format, suffix):
    # As `cat a.gz b.gz` and parallel packers make them.
    data = CONTENT[format].encode()
    plain = read(write(tmp_path / f"t.{format}", data))
    cuts = [0, 1, 5, 60_000, len(data), len(data)]
    packed = b"".join(PACK[suffix](data[a:b]) for a, b in zip(cuts, cuts[1:], strict=False))
    assert read(write(tmp_path / f"t.{format}.{suffix.upper()}", packed)) == plain
    assert len(plain[0]) == 9_000


@pytest.mark.slow
@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("format", CONTENT)
@pytest.mark.parametrize("given", [True, False])
def test_standard_input(tmp_path, monkeypatch, format, suffix, given):
    # Random bytes do not shrink: the first block of zstd is then longer than what is looked at of other streams.
    noise = np.random.default_rng(0).integers(32, 127, 600_000, dtype=np.uint8).tobytes().decode()
    noise = noise.translate(dict.fromkeys(map(ord, '",\\'), "x"))
    data = CONTENT[format].replace(",b,7\n", f",{noise},7\n", 1).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PACK[suffix](data))))
    assert read("-", format=format if given else None) == read(write(tmp_path / f"t.{format}", data))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"", mtime=0), "standard input is empty"),
        (b" \n", "no column 'sentence1'"),
        (
            gzip.compress(b"PAR1", mtime=0),
            "standard input must not be Parquet within gzip; Parquet is compressed",
        ),
        (b"\x1f\x8b\x08rubbish", "standard input cannot be unpacked by gzip"),
        (b"\x28\xb5\x2f\xfdrubbish", "standard input cannot be unpacked by zstd"),
    ],
)
def test_bad_standard_input(monkeypatch, content, message):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(TableError, match=message):
        read("-")


@pytest.mark.parametrize("suffix", PACK)
def test_a_named_pipe(tmp_path, suffix):
    pipe = tmp_path / f"pipe.jsonl.{suffix}"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(PACK[suffix](CONTENT["jsonl"].encode())))
    writer.start()
    assert len(read(pipe)[1]) == 9_000
    writer.join()


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("format", CONTENT)
def test_damage(tmp_path, format, suffix):
    packed = PACK[suffix](CONTENT[format].encode())
    path = tmp_path / f"t.{format}.{suffix}"
    path.write_bytes(packed[:5])
    with pytest.raises(TableError, match=f"cannot be unpacked by {'gzip' if suffix == 'gz' else 'zstd'}"):
        read(path)
    for damaged in (packed[:-3], packed[:-30], packed + b"rubbish"):
        path.write_bytes(damaged)
        with pytest.raises(TableError, match=r"is cut short or damaged after line [\d,]+ \(byte [\d,]+ of the text\)"):
            read(path)
    flipped = bytearray(PACK["gz"](CONTENT[format].encode()))
    flipped[-6] ^= 1  # the check sum
    path = write(tmp_path / f"u.{format}.gz", bytes(flipped))
    with pytest.raises(TableError, match="after line 9,00[01] .*CRC"):
        read(path)


@pytest.mark.parametrize("suffix", PACK)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(0, 400), bit=st.integers(0, 8), end=st.integers(0, 400))
def test_any_damage(tmp_path, suffix, place, bit, end):
    packed = bytearray(PACK[suffix](CONTENT["jsonl"][:2_000].encode()))
    if bit < 8:
        packed[place % len(packed)] ^= 1 << bit
    path = write(tmp_path / f"t.jsonl.{suffix}", bytes(packed[: end or None]))
    try:
        read(path)
    except TableError as error:
        assert str(path) in str(error)


def test_rejects(tmp_path):
    path = write(tmp_path / "t.csv.gz", gzip.compress(b"sentence1,sentence2\na,b\nc\nd,e\n", mtime=0))
    _, pairs, [reject], lines = read(path)
    assert (pairs, lines) == ([("a", "b"), ("d", "e")], [2, 4])
    assert (reject.line, reject.reason, reject.raw) == (3, "1 fields instead of 2", "c")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("format", CONTENT)
def test_same_rows_same_bytes(tmp_path, format, suffix):
    rows = pa.record_batch([pa.array([f"text {i}" for i in range(100_000)])], ["x"])
    found = []
    for name, size in (("first", 100_000), ("second", 999)):
        path = tmp_path / f"{name}.{format}.{suffix}"
        with TableWriter(path) as writer:
            for start in range(0, 100_000, size):
                writer.write(rows.slice(start, size))
        found.append(path.read_bytes())
    assert found[0] == found[1]
    if suffix == "gz":  # no name, no time
        assert found[0][3:8] == bytes(5)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "end"), [("t.csv.gz", b"\r"), ("t.jsonl.zst", b"\n")])
def test_many_lines_in_few_bytes(tmp_path, name, end):
    _, format, suffix = name.split(".")
    start = CONTENT[format][:2_000].rpartition("\n")[0].encode()
    message = "must hold at most 10 lines for each compressed byte, got more up to line .*; remove the blank ones"
    with pytest.raises(TableError, match=message):
        read(write(tmp_path / name, PACK[suffix](start + 1_200_000 * end)))


def zipped(data, *more):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("pairs/t.csv", *more):
            archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(("suffix", "pack"), [("xz", lzma.compress), ("bz2", bz2.compress), ("zip", zipped)])
def test_other_compressions(tmp_path, suffix, pack):
    plain = write(tmp_path / "t.jsonl", '{"sentence1": "a", "sentence2": "b"}\n' * 3_000)
    packed = write(tmp_path / f"u.jsonl.{suffix}", pack(plain.read_bytes()))
    assert read(packed) == read(plain)
    for damaged in (packed.read_bytes()[:-9], b"rubbish"):
        with pytest.raises(TableError, match="cut short or damaged|not compressed by|must be a zip archive"):
            read(write(packed, damaged))


@pytest.mark.parametrize("suffix", ["xz", "bz2"])
def test_other_compressions_written_and_piped(tmp_path, suffix, monkeypatch):
    path = tmp_path / f"t.csv.{suffix}"
    with TableWriter(path) as writer:
        writer.write(pa.record_batch({"sentence1": ["a"], "sentence2": ["b"]}))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert read(path)[1] == read("-")[1] == [("a", "b")]
    with pytest.raises(TableError, match=f"is compressed by {'xz' if suffix == 'xz' else 'bzip2'}, not text"):
        read(write(tmp_path / "u.csv", path.read_bytes()))


def test_what_is_refused_of_zip(tmp_path):
    with pytest.raises(TableError, match="must hold one file without a password, got 2; unpack it"):
        read(write(tmp_path / "t.csv.zip", zipped("sentence1,sentence2\n", "u.csv")))
    with pytest.raises(TableError, match="the output must not be packed by zip, got .*; end its name in .gz"):
        TableWriter(tmp_path / "t.csv.zip")
