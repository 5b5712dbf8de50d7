"""Tables of every format, whole and damaged: each row is scored or set aside, or one sentence says why not."""

import csv
import gzip
import json
import math
import os
import random
import re
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import strategies as st
from samewise.ensemble.loading import load
from samewise.ensemble.scoring import predict_file
from samewise.ensemble.tables.sources import TableError, open_table

from .fuzzing import MEMORY, fuzzed, peak_memory
from .scorers import Lengths, fresh_folder
from .tables import made_table, shown

TRIES = 10
SEEDS = st.integers(0, 2**64 - 1)


def scored(source, target, model=None, **options):
    """Score a table; return its summary, or None if one sentence refuses it."""
    try:
        return predict_file(source, target, model=model or Lengths(), **{"workers": 1, "batch_size": 4, **options})
    except TableError as error:
        said = str(error)
        assert said
        assert said.isprintable()
        assert len(said) < 3_000
        return None


def output_rows(path):
    """Return (score, low, high) of each row of an output, read by other libraries."""
    if path.suffix == ".parquet":
        table = pq.read_table(path)
        names = table.column_names[-4:-1]
        return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".jsonl":
            lines = [json.loads(line) for line in file.read().split("\n")[:-1]]
            return [tuple(line.values())[-4:-1] for line in lines]
        if path.suffix == ".tsv":
            lines = [line.split("\t") for line in re.split("\r\n|\r|\n", file.read())[1:-1]]
        else:
            csv.field_size_limit(1 << 25)
            lines = list(csv.reader(file))[1:]
        return [tuple(map(float, line[-4:-1])) for line in lines]


def check_output(path, summary, count):
    """Check that every row is there once, with sound numbers."""
    rows = output_rows(path)
    assert len(rows) == summary.rows
    for score, low, high in rows:
        assert math.isfinite(score)
        assert 0.0 <= low <= score <= high <= 5.0
    rejects = path.with_name(f"{path.name}.rejects.jsonl")
    lines = rejects.read_text(encoding="utf-8").split("\n")[:-1] if rejects.exists() else []
    places = [json.loads(line)["line"] for line in lines]
    assert len(places) == summary.rejects
    assert places == sorted(places)
    if count is not None:
        assert summary.rows + summary.rejects == count


@fuzzed(inputs_per_call=TRIES, seed=SEEDS)
def test_every_row_is_scored_or_set_aside(seed):
    chance = random.Random(seed)
    with fresh_folder() as folder:
        for number in range(TRIES):
            suffix, data, count = made_table(chance)
            source, target = folder / f"in{number}{suffix}", folder / f"out{chance.choice(OUTPUTS)}"
            source.write_bytes(data)
            try:
                summary = scored(source, target)
                if summary is not None:
                    check_output(target, summary, count)
            except BaseException as error:
                error.add_note(f"{target.suffix} of {shown(suffix, data)}")
                raise
            for path in folder.iterdir():
                path.unlink()


OUTPUTS = (".csv", ".tsv", ".jsonl", ".parquet")


@fuzzed(inputs_per_call=TRIES // 2, seed=SEEDS)
def test_every_row_of_a_folder_or_pattern(seed):
    chance = random.Random(seed)
    with fresh_folder() as place:
        for number in range(TRIES // 2):
            folder = place / f"parts{number}"
            counts = []
            for part in range(4):
                suffix, data, count = made_table(chance)
                inside = folder / chance.choice((".", "deep", "country=NZ", "_left_out", "k=%2F"))
                inside.mkdir(parents=True, exist_ok=True)
                (inside / f"{part}{suffix}").write_bytes(data)
                counts.append((inside.name, suffix, data, count))
            target = place / "out.jsonl"
            source = chance.choice((folder, folder / "**" / f"*{counts[0][1]}"))
            try:
                summary = scored(source, target)
                if summary is not None:
                    check_output(target, summary, None)
            except BaseException as error:
                error.add_note("\n".join(f"{name} {shown(suffix, data)}" for name, suffix, data, _ in counts))
                raise
            for path in place.glob("out.jsonl*"):
                path.unlink()


@cache
def surface():
    return load("surface")


@fuzzed(inputs_per_call=5, seed=SEEDS)
def test_tables_scored_by_a_model_that_ships(seed):
    chance, model = random.Random(seed), surface()
    with fresh_folder() as folder:
        for number in range(5):
            suffix, data, count = made_table(chance)
            source, target = folder / f"in{number}{suffix}", folder / f"out{number}.jsonl"
            source.write_bytes(data)
            summary = scored(source, target, model)
            if summary is not None:
                check_output(target, summary, count)


def bomb(folder, head, byte, size, suffix):
    """Write a compressed file of `size` equal bytes after a head."""
    path = folder / f"in.csv{suffix}"
    pack = (lambda data: pa.compress(data, "zstd", asbytes=True)) if suffix == ".zst" else gzip.compress
    piece = pack(byte * (1 << 20))
    with path.open("wb") as file:
        file.write(pack(head))
        for _ in range(size >> 20):
            file.write(piece)
    return path


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_what_unpacks_to_far_more_takes_little_memory(tmp_path, suffix):
    before = peak_memory()
    with pytest.raises(TableError, match="first line .* must have at most 16,777,216 bytes"):
        scored_or_raised(bomb(tmp_path, b"", b"a", 100 << 20, suffix), tmp_path)
    source = bomb(tmp_path, b"sentence1,sentence2\na,", b"a", 100 << 20, suffix)
    assert source.stat().st_size < 1 << 20
    summary = scored_or_raised(source, tmp_path)
    assert (summary.rows, summary.rejects) == (0, 1)
    assert peak_memory() - before < MEMORY // 4


def scored_or_raised(source, folder):
    return predict_file(source, folder / "out.csv", model=Lengths(), workers=1)


def test_a_record_of_very_many_quoted_lines_takes_little_memory(tmp_path):
    # Each quoted field ends where the next begins: no field is long, but the record never ends.
    source = tmp_path / "in.csv"
    with source.open("w") as file:
        file.write("sentence1,sentence2\n")
        for _ in range(90):
            file.write('"' + "a" * (1 << 20) + '\n",')
        file.write("b\nc,d\n")
    before = peak_memory()
    summary = scored_or_raised(source, tmp_path)
    assert summary.rejects >= 1
    assert peak_memory() - before < MEMORY // 2


def test_very_many_columns(tmp_path):
    names = ",".join(["sentence1", "sentence2", *(f"c{k}" for k in range(200_000)), "c199999"])
    (tmp_path / "in.csv").write_text(f"{names}\na,b\n")
    with pytest.raises(TableError, match="at most 10,000 columns, got 200,003"):
        scored_or_raised(tmp_path / "in.csv", tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("kind", ["link", "pipe", "loop"])
def test_what_is_no_file_in_a_folder_is_named(tmp_path, kind):
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "a.csv").write_text("sentence1,sentence2\na,b\n")
    odd = folder / "b.csv"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to(odd if kind == "loop" else tmp_path / "nowhere.csv")
    for source in (folder, folder / "*.csv"):
        with pytest.raises(TableError, match=r"b\.csv must be a file, got a "):
            predict_file(source, tmp_path / "out.csv", model=Lengths(), workers=1)
    assert open_table(folder / "a*.csv").schema.names == ["sentence1", "sentence2"]
