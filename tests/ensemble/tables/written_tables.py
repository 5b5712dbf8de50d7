"""Tables that the tests write and read."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
from samewise.ensemble.tables.sources import open_table
from samewise.ensemble.tables.table_writer import TableWriter


def write(path, content):
    path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
    return path


def read(path, **options):
    with open_table(path, **options) as reader:
        chunks = list(reader)
        rows = [row for chunk in chunks for row in chunk.batch.to_pylist()]
        pairs = [pair for chunk in chunks for pair in zip(chunk.a, chunk.b, strict=True)]
        rejects = [reject for chunk in chunks for reject in chunk.rejects]
        lines = [line for chunk in chunks for line in chunk.lines]
        assert all(chunk.batch.schema == reader.schema for chunk in chunks)
    assert len(rows) == len(pairs) == len(lines)
    return rows, pairs, rejects, lines


def copy(source, target, **options):
    """Read one table and write it as another."""
    with open_table(source, **options) as reader, TableWriter(target) as writer:
        for chunk in reader:
            assert not chunk.rejects
            assert writer.write(chunk.batch) == []


def parts(folder, *contents, suffix="parquet"):
    """Write tables, dicts of columns or texts, as files of a folder."""
    folder.mkdir(exist_ok=True)
    for k, content in enumerate(contents):
        path = folder / f"part-{k}.{suffix}"
        if suffix == "parquet":
            pq.write_table(pa.table(content), path)
        else:
            write(path, content)
    return folder


CONTENT = {
    "csv": "sentence1,sentence2,n\n" + "".join(f'"a ""{i}""",b,{i}\n' for i in range(9_000)),
    "tsv": "sentence1\tsentence2\tn\n" + "".join(f'a "{i}"\tb\t{i}\n' for i in range(9_000)),
    "jsonl": "".join(json.dumps({"sentence1": f'a "{i}"', "sentence2": "b", "n": i}) + "\n" for i in range(9_000)),
}


PACK = {"gz": gzip.compress, "zst": lambda data: pa.Codec("zstd").compress(data, asbytes=True)}
