"""Shape of the manifest of a bundle: its keys and the types of their values, at any depth.

All later code relies on this declaration and does not check again.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .._messages import printable
from ..features.linguistics.known_languages import LANGUAGES
from .json_shapes import ANY, Either, Fault, Listing, Null, Number, Record, Table, Text


class BundleError(ValueError):
    """A folder that cannot be read or written as a bundle; one printable sentence that names the fault and a remedy."""

    def __init__(self, message: str) -> None:
        # The message may quote a manifest, and may be shown on a terminal.
        super().__init__(printable(message))


MANIFEST = "manifest.json"

PROFILE = "profile"
"""Key of a file that a profile shares with another one, which it names."""

FORMAT = 1
"""Number of the format written here. A bundle with a higher one is refused."""

MOST_COLUMNS = 1 << 15
"""Most columns of a model: the trees number them with 16 bits. The shipped features have some 2,600."""

MOST_MEMBERS = 32
"""Most members of a model; ten exist."""

_FILE = Text(
    "a plain name inside the folder",
    re.compile(r"(?!manifest\.json$)[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*"),
    255,
)
_COUNT = Number(0, whole=True)
_NUMBERS = Listing(Number())
_NUMBER_OR_NULL = Either("a number or null", (Number(), Null()))
_PLACE = Record(
    {}, {"name": Text(), "path": Either("text or null", (Text("text without null", re.compile(r"[^\0]*")), Null()))}
)

MANIFEST_SHAPE = Record(
    required={
        "format": Number(1, FORMAT, whole=True),  # filled in by `seal`
        "samewise": Text(),  # version that wrote it
        "libraries": Table(Text()),  # name: version of what fitted it
        "python": Text(),
        "feature_set": Text(),
        "columns": Listing(Text(longest=255), most=MOST_COLUMNS),  # names, in the order that the members read
        "set_digest": Text(),  # of the columns and the versions of their features
        # In the order in which they are combined.
        "members": Listing(Record({"name": Text(), "file": _FILE, "params": Table(ANY)}), most=MOST_MEMBERS),
        "combine": Text(),  # name of the rule, such as "mean"
        "resources": Table(_FILE),  # name: file
        "interval": Record(  # facts from which the interval is made
            {"level": Number()},
            {
                "softening": Either("a number or null", (Number(), Null())),
                "residuals": Listing(_NUMBERS),
                **dict.fromkeys(("knots", "units", "lower", "upper"), _NUMBERS),
            },
        ),
        "seed": Either("a whole number or null", (Number(0, whole=True), Null())),
        "training": Record({}, {"vectors": _PLACE, "encoder": _PLACE}),  # data, rows, command and other facts
        "metrics": Table(ANY),
        "licence": Text(),
        # Filled in by `seal`.
        "files": Table(
            Record(
                {"sha256": Text("64 hexadecimal digits", re.compile("[0-9a-f]{64}")), "size": _COUNT},
                {PROFILE: Text()},
            ),
            keys=_FILE,
        ),
    },
    optional={
        "analysis": Number(whole=True),  # version of the text analysis
        "combination": Record(
            {"rule": Text(), "weights": _NUMBERS, "offset": Number(), "knots": _NUMBERS, "values": _NUMBERS}
        ),
        "checksums": Table(Number(-1e300, 1e300)),  # full name of a feature: checksum of its values on fixed pairs
        "contrasts": Number(),  # weight of the pairs that rules made
        "decision": Record(  # thresholds of the score, and how they were chosen
            {
                "same_from": _NUMBER_OR_NULL,
                "different_below": _NUMBER_OR_NULL,
                "rule": Record({"kind": Text(), "value": Number(0), "max_missed": _NUMBER_OR_NULL}),
                "confidence": Number(0, 1),
                "gold_from": Number(),
                "labels": Text(),
                "data": Text(),
                "sha256": Either("text or null", (Text(), Null())),
                "pairs": _COUNT,
                "curve": Record(dict.fromkeys(("threshold", "same", "false", "bound", "recall"), _NUMBERS)),
                "bands": Record({"edges": _NUMBERS, "counts": Listing(_COUNT)}),
                "model": Text(),  # digest of the model it was made for
            }
        ),
        "fitted_members": Listing(Text(), most=MOST_MEMBERS),
        "foundations": Record({}, {"pipeline": Record({"name": Text(), "digest": Text()})}, other=Text()),
        "glossary": Listing(Listing(Text(), least=2), least=1),  # groups of the user's words that mean the same
        "given": Table(Text()),  # digests of user-supplied vectors and encoder
        "languages": Listing(Text("the code of a known language", re.compile("|".join(LANGUAGES))), least=1, most=256),
        "member_means": Table(Number()),
        "member_shares": Table(Number()),
        "own_features": Table(Record({"file": Text()})),
        "probe": Listing(Number(), most=64),
        "source_levels": Table(Number()),
        "scale": Either("a name or two numbers", (Text(longest=20), _NUMBERS)),  # where it is not 0..5
    },
)
"""Keys and the types of their values. Values of other keys may be any JSON; they change the digest of the model."""

DESCRIPTIVE = (
    *("samewise", "libraries", "python", "checksums", "training", "metrics", "licence", "decision"),
    *("member_shares", "source_levels"),
)
"""Keys that describe a model and do not change a prediction; like ``.md`` files, they are not part of its digest."""


def check_manifest(manifest: Any, where: str) -> None:
    """Refuse a manifest of another shape, or one that names an unlisted file or names a part twice."""
    try:
        ANY.check(manifest, "")  # first: then no value is too deep for what follows
        MANIFEST_SHAPE.check(manifest, "")
    except Fault as fault:
        what = f"{fault.path} of {where}" if fault.path else where
        raise BundleError(f"{what} {fault.demand}; save the model again") from None
    members = manifest["members"]
    named = [
        *(("member", member["name"], member["file"]) for member in members),
        *(("resource", name, file) for name, file in manifest["resources"].items()),
    ]
    for kind, name, file in named:
        if file not in manifest["files"]:
            raise BundleError(
                f"the {kind} {name!r} of {where} must name a file of the bundle, got {file!r}; save it again"
            )
    for what, values in (
        ("column", manifest["columns"]),
        ("name of a member", [member["name"] for member in members]),
        ("file of a part", [file for _, _, file in named]),
    ):
        value, times = next(iter(Counter(values).most_common(1)), ("", 1))
        if times > 1:
            raise BundleError(f"each {what} of {where} must be listed once, got {value!r} {times} times; save it again")


def names_format_of_the_future(manifest: Any) -> bool:
    """Return whether a manifest is of a newer format, whose keys are unknown here."""
    number = manifest.get("format") if isinstance(manifest, Mapping) else None
    return type(number) is int and number > FORMAT
