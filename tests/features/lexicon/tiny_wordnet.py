"""A WordNet of a few synsets, written as the database files, the counts and the packages that NLTK reads."""

from collections import defaultdict

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
TYPES = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
HEADER = "  1 A WordNet written for the tests; WordNet 3.0 Copyright 2024 by nobody.  \n"

# By key: kind, words, and pointers as (symbol, key of the target, number of the word, number of its word).
SYNSETS = {
    "entity": ("n", ["entity"], []),
    "animal": ("n", ["animal", "Beast"], [("@", "entity", 0, 0)]),
    "canine": ("n", ["canine"], [("@", "animal", 0, 0)]),
    "companion": ("n", ["companion"], [("@", "entity", 0, 0)]),
    "pet": ("n", ["pet"], [("@", "companion", 0, 0), ("@", "animal", 0, 0)]),
    "dog": ("n", ["dog", "domestic_dog"], [("@", "canine", 0, 0), ("@", "pet", 0, 0)]),
    "rex": ("n", ["Rex"], [("@i", "dog", 0, 0)]),
    "feline": ("n", ["feline"], [("@", "animal", 0, 0)]),
    "cat": ("n", ["cat"], [("@", "feline", 0, 0)]),
    "person": ("n", ["person"], [("@", "companion", 0, 0)]),
    "cad": ("n", ["cad", "dog"], [("@", "person", 0, 0)]),
    "teacher": ("n", ["teacher"], [("@", "person", 0, 0), ("+", "teach", 1, 1)]),
    "hotness": ("n", ["heat"], [("@", "entity", 0, 0)]),
    "move": ("v", ["move", "go"], []),
    "run": ("v", ["run"], [("@", "move", 0, 0)]),
    "chase": ("v", ["chase", "dog"], [("@", "run", 0, 0)]),
    "walk": ("v", ["walk"], [("@", "move", 0, 0)]),
    "teach": ("v", ["teach"], [("+", "teacher", 1, 1)]),
    "hot": ("a", ["hot"], [("!", "cold", 1, 1), ("&", "sizzling", 0, 0), ("\\", "hotness", 1, 1)]),
    "sizzling": ("s", ["sizzling(a)", "hot"], [("&", "hot", 0, 0)]),
    "cold": ("a", ["cold"], [("!", "hot", 1, 1), ("&", "frigid", 0, 0)]),
    "frigid": ("s", ["frigid"], [("&", "cold", 0, 0)]),
    "hotly": ("r", ["hotly"], [("\\", "hot", 1, 1)]),
}
TAGGED = {("dog", "dog"): 7, ("dog", "cad"): 2, ("cat", "cat"): 5, ("run", "run"): 4, ("hot", "sizzling"): 3}
"""Times that a word was tagged with a synset."""

COUNTS = {
    "entity": 40, "animal": 25, "canine": 12, "companion": 17, "pet": 13, "dog": 11.5, "rex": 0, "feline": 6, "cat": 5,
    "person": 4, "cad": 2, "teacher": 0, "hotness": 1, "move": 9, "run": 5, "chase": 0, "walk": 2, "teach": 3,
}  # fmt: skip
"""Information content: counts of nouns and verbs, some of them 0."""

FRENCH = {
    "dog": ["chien", "Toutou"], "cad": ["mufle", "chien"], "cat": ["chat"], "animal": ["animal", "animal de compagnie"],
    "walk": ["marcher"], "sizzling": ["torride"],
}  # fmt: skip


def _letter(kind):
    return "a" if kind == "s" else kind


def _word(text):
    return text.partition("(")[0].lower()


def _lex_id(word, key):
    """Return the number of earlier synsets with the word and kind, so that no two senses have one key."""
    keys = list(SYNSETS)
    earlier = [SYNSETS[other] for other in keys[: keys.index(key)]]
    return sum(kind == SYNSETS[key][0] and word in map(_word, words) for kind, words, _ in earlier)


def offsets():
    """Return the offset in bytes of each synset in its data file."""
    places = {}
    ends = dict.fromkeys(FILES, len(HEADER))
    for key, (kind, _, _) in SYNSETS.items():
        places[key] = ends[_letter(kind)]
        ends[_letter(kind)] += len(_line(key, defaultdict(int)))
    return places


def _line(key, places):
    kind, words, pointers = SYNSETS[key]
    fields = [f"{places[key]:08}", f"{TYPES[kind] - 1:02}", kind, f"{len(words):02x}"]
    for word in words:
        fields += [word, f"{_lex_id(_word(word), key):x}"]
    fields.append(f"{len(pointers):03}")
    for symbol, target, word, other in pointers:
        fields += [symbol, f"{places[target]:08}", SYNSETS[target][0], f"{word:02x}{other:02x}"]
    if kind == "v":
        fields += ["01", "+", "02", "00"]
    return " ".join(fields) + ' | a gloss; "an example"  \n'


def _sense_key(word, key):
    kind = SYNSETS[key][0]
    head = ":"
    if kind == "s":
        target = next(target for symbol, target, _, _ in SYNSETS[key][2] if symbol == "&")
        head = f"{_word(SYNSETS[target][1][0])}:00"
    return f"{word}%{TYPES[kind]}:{TYPES[kind] - 1:02}:{_lex_id(word, key):02}:{head}"


def database():
    """Return the database files by name."""
    places, senses = offsets(), defaultdict(list)
    texts = {f"data.{name}": HEADER for name in FILES.values()}
    for key, (kind, words, _) in SYNSETS.items():
        texts[f"data.{FILES[_letter(kind)]}"] += _line(key, places)
        for word in words:
            senses[_word(word), _letter(kind)].append(key)
    for letter, name in FILES.items():
        texts[f"index.{name}"] = HEADER
        for (word, of), keys in sorted(senses.items()):
            if of == letter:
                listed = " ".join(f"{places[key]:08}" for key in keys)
                texts[f"index.{name}"] += f"{word} {letter} {len(keys)} 0 {len(keys)} 0 {listed}  \n"
    keys = [(word, key) for (word, _), listed in senses.items() for key in listed]
    texts["index.sense"] = "".join(sorted(f"{_sense_key(word, key)} {places[key]:08} 1 0\n" for word, key in keys))
    texts["cntlist.rev"] = "".join(sorted(f"{_sense_key(*tag)} 1 {count}\n" for tag, count in TAGGED.items()))
    texts["lexnames"] = "".join(f"{i:02}\tfile{i}\t0\n" for i in range(45))
    texts |= {f"{name}.exc": "" for name in FILES.values()}
    return {name: text.encode() for name, text in texts.items()}


def content(counts=COUNTS, roots=("entity", "move", "teach")):
    """Return a file of information content as text."""
    places = offsets()
    lines = [
        f"{places[key]}{SYNSETS[key][0]} {count}{' ROOT' if key in roots else ''}\n" for key, count in counts.items()
    ]
    return "wnver::made-up\n" + "".join(lines)


def write_packages(folder, corpus="wordnet"):
    """Write NLTK's packages of the database, of the content and of French into a folder of NLTK's data."""
    place = folder / "corpora" / corpus
    place.mkdir(parents=True)
    for name, text in database().items():
        (place / name).write_bytes(text)
    (folder / "corpora" / "wordnet_ic").mkdir()
    (folder / "corpora" / "wordnet_ic" / "ic-tiny.dat").write_text(content())
    french = folder / "corpora" / "omw-1.4" / "fra"
    french.mkdir(parents=True)
    lines = ["# Un WordNet\tfra\thttps://example.org\tCC0\n", "99999999-n\tfra:lemma\tinconnu\n"]
    for key, words in FRENCH.items():
        lines += [f"{offsets()[key]:08}-{_letter(SYNSETS[key][0])}\tfra:lemma\t{word}\n" for word in words]
    (french / "wn-data-fra.tab").write_text("".join(lines), encoding="utf-8")
    (french / "LICENSE").write_text("Made up for the tests.\n")
