"""Made-up tables of every format, whole or damaged, from a seeded random number generator."""

import base64
import csv
import gzip
import io
import json
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

TEXTS = [
    "",
    "a",
    "a dog runs",
    "Köpek koşuyor.",
    "  outer  ",
    'say "hello"',
    "one, two; three",
    "tab\there",
    "line\nbreak",
    "lone\rreturn",
    "NUL\0inside",
    "\ufeffmark",
    "e\u0301\u0301",
    "\u2028separator",
    "😀👨‍👩‍👧",
    "ملف",
    "-1e999",
    "=1+1",
    "nan",
    "x" * 300,
]
NAMES = [
    "sentence1",
    "sentence2",
    "score",
    "id",
    "",
    "Sentence1",
    "flags",
    "samewise_score",
    "a,b",
    "ünlü",
    "1",
    "x\ty",
]
SPECIALS = [
    b"\0",
    b"\r",
    b"\n",
    b"\r\n",
    b'"',
    b'""',
    b"\t",
    b",",
    b";",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\\ud800",
    b"{",
    b"[" * 40,
    b"[" * 3000,
    b"1e400",
    b"9" * 40,
    b"9" * 5000,
    b"NaN",
    b"null",
    b"-",
    b"\x1a",
    b"PAR1",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
]
SUFFIXES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".parquet")


def damaged(chance, data):
    """Return bytes with one to four changes."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randint(0, len(data))
        end = min(len(data), place + chance.choice((1, 2, 8, 64)))
        kind = chance.randrange(6)
        if kind == 0 and data:
            data[place - 1] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[place:place] = chance.choice(SPECIALS)
        elif kind == 2:
            del data[place:end]
        elif kind == 3:
            del data[place:]
        elif kind == 4:
            data[place:place] = data[place:end] * chance.randint(1, 3)
        else:
            data[place:end] = chance.randbytes(end - place)
    return bytes(data)


def rows_of(chance):
    """Return column names and rows of texts."""
    names = ["sentence1", "sentence2"]
    for _ in range(chance.choice((0, 0, 1, 2, 3))):
        names.insert(chance.randint(0, len(names)), chance.choice(NAMES))
    count = chance.choice((0, 1, 2, 3, 5, 9, 20))
    return names, [[chance.choice(TEXTS) for _ in names] for _ in range(count)]


def delimited(chance, suffix):
    """Return the bytes of a table of delimited text, and its number of rows, None if that cannot be told."""
    names, rows = rows_of(chance)
    known = True
    if suffix == ".csv":
        delimiter, end = chance.choice(",,,;"), chance.choice(("\n", "\r\n", "\r"))
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator=end)
        writer.writerows([names, *rows])
        content = text.getvalue()
        known = delimiter == "," or (len(names) > 1 and "," not in "".join(names))
    else:
        clean = [[field.translate({9: " ", 10: " ", 13: " "}) for field in row] for row in [names, *rows]]
        content = "".join("\t".join(row) + "\n" for row in clean)
        known = all("\t".join(row) for row in clean)
    if chance.random() < 0.2:
        # A row with too few or too many fields.
        content += chance.choice(("only one", "a,b\tc,d\te,f\tg,h,i,j\t\t\t\t\t\t")) + "\n"
        rows.append([])
        known = known and len(names) > 1
    mark = b"\xef\xbb\xbf" if chance.random() < 0.1 else b""
    return mark + content.encode(), len(rows) if known else None


def json_lines(chance):
    """Return the bytes of JSON lines and their number of rows."""
    names, rows = rows_of(chance)
    odd = [None, True, 0, -1, 2**53 + 1, 2**70, 1e308, 1.5, [], [1, "a", None], {"k": {"l": [{}]}}, "text", "\ud800"]
    lines = []
    for row in rows:
        values = {
            name: text if chance.random() < 0.85 else chance.choice(odd) for name, text in zip(names, row, strict=True)
        }
        lines.append(json.dumps(values, ensure_ascii=chance.random() < 0.5 or "\ud800" in values.values()))
    if chance.random() < 0.2:
        lines += ['{"sentence1": "x", "sentence1": "y"', "[]", "3", '{"a": NaN, "sentence1": Infinity}'][: len(lines)]
    return "".join(line + "\n" for line in lines).encode(), len(lines)


def column(chance, texts):
    """Return an Arrow array for some texts, of any type that Parquet knows."""
    count = len(texts)
    makers = (
        lambda: pa.array(texts, pa.string()),
        lambda: pa.array(texts, pa.large_string()),
        lambda: pa.array(texts, pa.string_view()),
        lambda: pa.array(texts).dictionary_encode(),
        lambda: pa.array([text if chance.random() < 0.8 else None for text in texts], pa.string()),
        lambda: broken_text(chance, texts),
        lambda: pa.array([text.encode() for text in texts], pa.binary()),
        lambda: pa.array(range(count), pa.int64()),
        lambda: pa.array([2**64 - 1] * count, pa.uint64()),
        lambda: pa.array([float("nan")] * count, pa.float32()),
        lambda: pa.array([Decimal("1.10")] * count, pa.decimal128(38, 2)),
        lambda: pa.array([[text, None] for text in texts], pa.list_(pa.string())),
        lambda: pa.array(
            [{"k": text, "n": [1]} for text in texts], pa.struct({"k": pa.string(), "n": pa.list_(pa.int32())})
        ),
        lambda: pa.array([[("k", text)] for text in texts], pa.map_(pa.string(), pa.string())),
        lambda: pa.array([2**62] * count, pa.timestamp("ns", "UTC")),
        lambda: pa.array([-(2**62)] * count, pa.timestamp("us")),
        lambda: pa.array([10**6] * count, pa.date32()),
        lambda: pa.array([1] * count, pa.time64("ns")),
        lambda: pa.array([2**60] * count, pa.duration("us")),
        lambda: pa.array([None] * count, pa.null()),
        lambda: pa.array([b"\0" * 16] * count, pa.binary(16)),
        lambda: pa.array([True] * count, pa.bool_()),
        lambda: pa.ListArray.from_arrays(pa.array(range(count + 1), pa.int32()), broken_text(chance, texts)),
    )
    return chance.choice(makers)()


def broken_text(chance, texts):
    """Return a column of text, some values of which are not UTF-8."""
    values = [text.encode() if chance.random() < 0.7 else b"\xff\xfe" for text in texts]
    data = pa.array(values, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(values), data.buffers())


def parquet(chance):
    """Return the bytes of a Parquet file and its number of rows."""
    names, rows = rows_of(chance)
    columns = []
    for k, name in enumerate(names):
        texts = [row[k] for row in rows]
        plain = name in ("sentence1", "sentence2") and chance.random() < 0.6
        columns.append(pa.array(texts, pa.string()) if plain else column(chance, texts))
    file = io.BytesIO()
    table = pa.table(columns, names=names)
    compression = chance.choice(("none", "snappy", "zstd", "gzip", "lz4", "brotli"))
    version = chance.choice(("2.6", "2.6", "1.0"))
    if any(map(pa.types.is_temporal, table.schema.types)):
        version = "2.6"  # earlier ones refuse some times
    pq.write_table(table, file, compression=compression, version=version, row_group_size=chance.choice((1, 2, 100)))
    return file.getvalue(), len(rows)


def compressed(chance, data, suffix):
    """Return bytes as a compressed stream, in one or several members."""
    pieces = [data]
    if chance.random() < 0.3:
        place = chance.randint(0, len(data))
        pieces = [data[:place], data[place:]]
    pack = gzip.compress if suffix == ".gz" else lambda piece: pa.compress(piece, "zstd", asbytes=True)
    return b"".join(map(pack, pieces))


def made_table(chance):
    """Return the suffix of a table, its bytes, and its number of rows, None if it is damaged."""
    suffix = chance.choice(SUFFIXES)
    if suffix == ".parquet":
        data, count = parquet(chance)
    else:
        data, count = json_lines(chance) if suffix in (".jsonl", ".ndjson") else delimited(chance, suffix)
    if chance.random() < 0.5:
        data, count = damaged(chance, data), None
    packing = chance.choice(("", "", "", ".gz", ".zst"))
    if packing:
        data = compressed(chance, data, packing)
        if chance.random() < 0.3:
            data, count = damaged(chance, data), None
    return suffix + packing, data, count


def shown(suffix, data):
    """Return a table as text for the message of a failure."""
    return f"{suffix} {base64.b85encode(data[:4000]).decode()}"
