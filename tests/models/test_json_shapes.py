"""Shapes of JSON values: what the declaration of a manifest accepts, beside what pydantic accepts."""

import json
import random
import re
from typing import Annotated, Any, NotRequired

import pytest
from pydantic import ConfigDict, Field, StrictFloat, StrictInt, StrictStr, TypeAdapter, ValidationError
from samewise.models.json_shapes import ANY, Either, Fault, Listing, Null, Number, Record, Table, Text, shown
from typing_extensions import TypedDict

PERSON = Record(
    {"name": Text("letters", re.compile("[a-z]+")), "age": Number(0, 150, whole=True)},
    {"scores": Listing(Number(-1, 1), least=1), "parts": Table(Listing(Text())), "note": Either("x", (Text(), Null()))},
)


class Person(TypedDict):
    """The same as `PERSON`."""

    __pydantic_config__ = ConfigDict(extra="allow", strict=True)  # type: ignore[misc]

    name: Annotated[StrictStr, Field(pattern=r"^[a-z]+$")]
    age: Annotated[StrictInt, Field(ge=0, le=150)]
    scores: NotRequired[Annotated[list[Annotated[StrictInt | StrictFloat, Field(ge=-1, le=1)]], Field(min_length=1)]]
    parts: NotRequired[dict[StrictStr, list[StrictStr]]]
    note: NotRequired[StrictStr | None]


PYDANTIC = TypeAdapter(Person)
SOUND: dict[str, Any] = {
    "name": "ada",
    "age": 36,
    "scores": [0.5, 1, -1.0],
    "parts": {"a": ["b", "c"], "": []},
    "note": None,
    "more": [{"x": [1]}],
}
ODD = (None, True, False, 0, 1, -1, 150, 151, 0.5, 1.5, 36.0, "", "ada", "Ada", "ada1", [], [[]], {}, {"a": []}, [0.5])


def refusal(value):
    try:
        PERSON.check(value, "")
    except Fault as fault:
        return str(fault)
    return None


def changed(rng):
    value = json.loads(json.dumps(SOUND))
    for _ in range(rng.choice((1, 1, 2))):
        holder, key = value, rng.choice(sorted(value)) if value else "name"
        while (
            isinstance(holder.get(key) if isinstance(holder, dict) else holder[key], (list, dict))
            and rng.random() < 0.6
        ):
            below = holder[key]
            if not below:
                break
            holder, key = below, rng.choice(sorted(below)) if isinstance(below, dict) else rng.randrange(len(below))
        if rng.random() < 0.2:
            del holder[key]
        else:
            holder[key] = rng.choice(ODD)
    return value


def test_what_is_accepted_is_what_pydantic_accepts():
    rng, refused = random.Random(5), 0
    for _ in range(3_000):
        value = changed(rng)
        try:
            PYDANTIC.validate_python(value)
            other = True
        except ValidationError:
            other = False
        assert (refusal(value) is None) is other, value
        refused += not other
    assert 500 < refused < 2_900


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"age": "36"}, "age must be a whole number from 0 to 150, got '36'"),
        ({"age": True}, "age must be a whole number from 0 to 150, got True"),
        ({"age": 10**400}, "age must be a whole number from 0 to 150, got 1000"),
        ({"name": "Ada\n"}, r"name must be letters, got 'Ada\n'"),
        ({"scores": []}, "scores must be a list of 1 to 1048576 values, got []"),
        ({"scores": [0.5, "x"]}, "scores[1] must be a number from -1 to 1, got 'x'"),
        ({"scores": [float("nan")]}, "scores[0] must be a number from -1 to 1, got nan"),
        ({"parts": {"a\x1b[31m": [1]}}, r"parts.'a\x1b[31m'[0] must be text, got 1"),
        ({"note": "\ud800"}, r"note must be x, got '\ud800'"),
        (
            {"more": {"\ud800": 1}},
            r"a key of 'more' must be up to 1048576 characters that UTF-8 can hold, got '\ud800'",
        ),
        ({"more": [1e400]}, "'more' must be JSON with finite numbers, got inf"),
        ({"more": 10**20}, "'more' must be JSON with finite numbers, got 1000"),
    ],
)
def test_a_fault_names_its_place(change, message):
    assert (refusal({**SOUND, **change}) or "").startswith(message)


def test_a_missing_key_is_named():
    assert refusal({"age": 3}) == "the value must be an object with the key 'name', got an object of 1"


def test_values_may_be_32_deep():
    value: Any = 1
    for _ in range(32):
        value = [value]
    ANY.check(value, "")
    with pytest.raises(Fault, match="up to 32 lists and objects inside one another, got a list of 1"):
        ANY.check([value], "")


def test_values_are_shown_short():
    assert shown("x" * 10_000) == repr("x" * 60)[:60] + "…"
    assert shown("\x1b") == r"'\x1b'"
    assert shown([1, 2]) == "a list of 2"
