"""Bundles: what was written is read, and anything else is refused in one sentence."""

import io
import json
import os
import pathlib
import zipfile

import numpy as np
import pytest
from samewise.models import bundle
from samewise.models.bundle import BundleError, pack_arrays, read_bundle, signature, unpack_arrays, write_bundle

FILES = {"rf.npz": b"forest", "xgb.npz": b"", "resources/idf.npz": bytes(range(256)), "README.md": b"card"}
FACTS = {
    "samewise": "0.1.0",
    "libraries": {"numpy": "2.4"},
    "python": "3.11.7",
    "feature_set": "surface",
    "columns": ("a.b.c", "a.b.d"),
    "set_digest": "1a2b3c4d5e6f",
    "members": [{"name": name, "file": f"{name}.npz", "params": {"n_estimators": 3}} for name in ("rf", "xgb")],
    "combine": "mean",
    "resources": {"idf": "resources/idf.npz"},
    "interval": {"level": 0.9},
    "seed": 0,
    "training": {"data": "stsbenchmark-train", "rows": 5749, "command": "samewise train"},
    "metrics": {},
    "licence": "CC BY-SA 4.0",
}


@pytest.fixture
def folder(tmp_path):
    write_bundle(tmp_path / "model", FACTS, FILES)
    return tmp_path / "model"


def edit(folder, **changes):
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def relist(folder, **files):
    edit(folder, files={**json.loads((folder / "manifest.json").read_text())["files"], **files})


def test_what_is_written_is_read(tmp_path):
    written = write_bundle(tmp_path / "new" / "model", FACTS, FILES)
    read = read_bundle(tmp_path / "new" / "model")
    assert read.files == FILES and read.manifest == written
    assert read.manifest["columns"] == ["a.b.c", "a.b.d"]
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["model"]


def test_the_same_bytes_twice(tmp_path, folder):
    write_bundle(tmp_path / "again", dict(reversed(FACTS.items())), dict(reversed(FILES.items())))
    text = (folder / "manifest.json").read_bytes()
    assert text == (tmp_path / "again" / "manifest.json").read_bytes()
    assert text.endswith(b"}\n") and b"\r" not in text


def test_a_bundle_is_replaced(folder):
    write_bundle(folder, {**FACTS, "resources": {}}, {name: FILES[name] for name in ("rf.npz", "xgb.npz")})
    assert {path.name for path in folder.rglob("*")} == {"manifest.json", "rf.npz", "xgb.npz"}


def test_an_empty_folder_is_filled(tmp_path):
    write_bundle(tmp_path, FACTS, FILES)
    assert read_bundle(tmp_path).files == FILES


def test_other_folders_are_left_alone(tmp_path, folder):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("years")
    (folder / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("")
    for place, message in (("home", "'thesis.txt'"), ("model", "'notes.txt'"), ("file", "is a file")):
        with pytest.raises(BundleError, match=message):
            write_bundle(tmp_path / place, FACTS, FILES)
    assert (tmp_path / "home" / "thesis.txt").read_text() == "years" and (folder / "notes.txt").exists()


def test_a_failed_write_leaves_the_old_bundle(folder, monkeypatch):
    before = read_bundle(folder)
    monkeypatch.setattr("pathlib.Path.write_bytes", lambda *_: (_ for _ in ()).throw(OSError("no space left")))
    with pytest.raises(OSError, match="no space"):
        write_bundle(folder, {**FACTS, "seed": 9}, FILES)
    monkeypatch.undo()
    assert read_bundle(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "rf.npz").write_bytes(b"fOrest"), "rf.npz' is not the file that the bundle was sealed with"),
        (lambda f: (f / "rf.npz").write_bytes(b"forest "), "rf.npz' is not the file that the bundle was sealed with"),
        (lambda f: (f / "rf.npz").unlink(), "lacks the file 'rf.npz'"),
        (lambda f: (f / "manifest.json").unlink(), "is not a bundle, for it has no manifest.json"),
        (lambda f: (f / "manifest.json").write_text('{"format": 1, "fil'), "is not well-formed JSON"),
        (lambda f: (f / "manifest.json").write_text('{"format": NaN}'), "NaN is not JSON"),
        (lambda f: (f / "manifest.json").write_text("[" * 100_000), "is not well-formed JSON"),
        (lambda f: (f / "manifest.json").write_bytes(b"\xff{}"), "is not well-formed JSON"),
        (
            lambda f: (f / "manifest.json").write_text("[]"),
            "must be an object, got a?n?.*list|must be an object, got \\[\\]",
        ),
        (lambda f: (f / "manifest.json").write_text('{"format": 1}'), "must be an object with the key 'samewise'"),
        (lambda f: (f / "manifest.json").write_text('{"format": 2}'), "must have a format up to 1, got 2; upgrade"),
        (lambda f: edit(f, format=0), "format of .* must be a whole number from 1 to 1, got 0"),
        (lambda f: edit(f, format=True), "format of .* must be a whole number from 1 to 1, got True"),
        (lambda f: edit(f, columns="a"), "columns of .* must be a list, got 'a'"),
        (lambda f: edit(f, columns=[1]), r"columns\[0\] of .* must be text, got 1"),
        (lambda f: edit(f, members=[{"name": "rf"}]), r"members\[0\] of .* must be an object with the key 'file'"),
        (
            lambda f: edit(f, members=[{"name": "rf", "file": "no", "params": {}}]),
            "the member 'rf' of .* must name a file of the bundle, got 'no'",
        ),
        (
            lambda f: edit(f, members=[{"name": "rf", "file": [], "params": {}}]),
            r"members\[0\]\.file of .* must be a plain name inside the folder, got \[\]",
        ),
        (lambda f: edit(f, resources={"idf": "other.npz"}), "the resource 'idf' of .* must name a file"),
        (
            lambda f: relist(f, **{"../secret": {"sha256": "0" * 64, "size": 1}}),
            "a key of files of .* must be a plain name inside the folder, got '../secret'",
        ),
        (
            lambda f: relist(f, **{"/etc/passwd": {"sha256": "0" * 64, "size": 1}}),
            "must be a plain name inside the folder, got '/etc/passwd'",
        ),
        (
            lambda f: relist(f, **{"a/../../b": {"sha256": "0" * 64, "size": 1}}),
            "must be a plain name inside the folder",
        ),
        (lambda f: relist(f, **{"C:\\b": {"sha256": "0" * 64, "size": 1}}), "must be a plain name inside the folder"),
        (
            lambda f: relist(f, **{"rf.npz\n": {"sha256": "0" * 64, "size": 1}}),
            "must be a plain name inside the folder",
        ),
        (
            lambda f: relist(f, **{"manifest.json": {"sha256": "0" * 64, "size": 1}}),
            "must be a plain name inside the folder",
        ),
        (
            lambda f: relist(f, **{"rf.npz": {"size": 6}}),
            "files.'rf.npz' of .* must be an object with the key 'sha256'",
        ),
        (lambda f: relist(f, **{"rf.npz": []}), "files.'rf.npz' of .* must be an object, got"),
    ],
)
def test_a_damaged_bundle_is_refused(damage, message, folder):
    damage(folder)
    with pytest.raises(BundleError, match=message) as caught:
        read_bundle(folder)
    assert "\n" not in str(caught.value)


def test_a_manifest_of_endless_length(folder, monkeypatch):
    monkeypatch.setattr(bundle, "MANIFEST_LIMIT", 100)
    with pytest.raises(BundleError, match="larger than 100 bytes"):
        read_bundle(folder)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(BundleError, match="is not a bundle"):
        read_bundle(tmp_path / "nowhere")


def test_other_keys_and_files_are_no_fault(folder):
    edit(folder, weights=[1, 2])
    (folder / "notes.txt").write_text("mine")
    assert read_bundle(folder).manifest["weights"] == [1, 2]
    assert set(read_bundle(folder).files) == set(FILES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": object()}, "cannot be JSON"),
        ({"metrics": {"r": np.nan}}, "cannot be JSON"),
        ({"seed": "0"}, "seed of the manifest to write must be"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_not_written(change, message, tmp_path):
    with pytest.raises(BundleError, match=message):
        write_bundle(tmp_path / "model", {**FACTS, **change}, FILES)
    assert not (tmp_path / "model").exists()


def test_an_escaping_file_is_not_written(tmp_path):
    with pytest.raises(BundleError, match="must be a plain name"):
        write_bundle(tmp_path / "model", FACTS, {**FILES, "../rf.npz": b""})


def test_signature(folder):
    line = read_bundle(folder).signature
    start, _, model = line.rpartition(":")
    assert start == (
        "samewise:0.1.0|features:surface-1a2b3c4d|members:rf+xgb|combine:mean|seed:0|train:stsbenchmark-train|model"
    )
    assert len(model) == 12 and int(model, 16)


@pytest.mark.parametrize(
    ("change", "files", "same"),
    [
        ({"metrics": {"r": 0.8}, "libraries": {}, "python": "3.13", "licence": "MIT"}, {}, True),
        ({}, {"README.md": b"a longer card"}, True),
        ({"seed": 1}, {}, False),
        ({"columns": ["a.b.d", "a.b.c"]}, {}, False),
        ({"interval": {"level": 0.8}}, {}, False),
        ({"weights": [1, 2]}, {}, False),
        ({}, {"rf.npz": b"fOrest"}, False),
    ],
)
def test_the_digest_is_of_what_predicts(change, files, same):
    before = bundle.digest(bundle.seal(FACTS, FILES))
    assert (bundle.digest(bundle.seal({**FACTS, **change}, {**FILES, **files})) == before) is same


def test_a_signature_is_one_printable_line():
    line = signature(bundle.seal({**FACTS, "training": {"data": "my data|ü\n{"}}, FILES))
    assert "train:my-data---{|" in line


ARRAYS = {
    "number": np.asarray(3.5),
    "empty": np.empty(0, np.int32),
    "plane": np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3)),
    "flags": np.asarray([True, False]),
    "text": np.frombuffer(b"words", np.uint8),
}


def test_arrays_come_back():
    again = unpack_arrays(pack_arrays(ARRAYS))
    assert set(again) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(again[name], array)
        assert again[name].dtype == array.dtype and again[name].shape == array.shape


def test_arrays_of_numpy_are_read():
    stream = io.BytesIO()
    np.savez_compressed(stream, **ARRAYS)
    assert set(unpack_arrays(stream.getvalue())) == set(ARRAYS)


def test_packed_arrays_are_the_same_twice():
    assert pack_arrays(ARRAYS) == pack_arrays(dict(reversed(ARRAYS.items())))


def packed(content, name="x.npy", method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def npy(array=None, header=None):
    stream = io.BytesIO()
    if header is None:
        np.save(stream, array)
    else:
        np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue()


BOMB = pack_arrays({"zeros": np.zeros(1 << 20)})
LIAR = bytearray(BOMB)
for offset in (LIAR.find(b"PK\x03\x04") + 22, LIAR.find(b"PK\x01\x02") + 24):
    LIAR[offset : offset + 4] = (2_000).to_bytes(4, "little")
SHAPE = {"descr": "<f8", "fortran_order": False}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (BOMB, "unpack to 8388736 bytes and the limit is 1000000"),
        (bytes(LIAR), "damaged"),
        (b"not a zip file", "damaged"),
        (b"", "damaged"),
        (BOMB[: len(BOMB) // 2], "damaged"),
        (packed(npy(np.asarray([object()], dtype=object))), "has the type object"),
        (packed(npy(np.asarray(["a"]))), "has the type <U1"),
        (packed(npy(np.asarray([1.0], dtype=">f8"))), "has the type >f8"),
        (packed(npy(header={**SHAPE, "shape": (1 << 50,)})), "damaged"),
        (packed(npy(header={**SHAPE, "shape": (-1,)}) + bytes(16)), "damaged"),
        (packed(b""), "damaged"),
        (packed(b"import os"), "damaged"),
        (packed(npy(np.ones(3)), method=zipfile.ZIP_BZIP2), "not packed as numpy packs"),
    ],
)
def test_damaged_arrays_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        unpack_arrays(data, limit=1_000_000)


def test_flipped_bits_are_refused_or_without_effect():
    data, rng = pack_arrays({"x": np.arange(50.0)}), np.random.default_rng(0)
    for place in rng.integers(0, len(data), 500):
        damaged = bytearray(data)
        damaged[place] ^= 1 << rng.integers(8)
        try:
            read = unpack_arrays(bytes(damaged))
        except ValueError:
            continue
        assert [array.tolist() for array in read.values()] in ([np.arange(50.0).tolist()], [])


def test_two_writers_of_one_bundle(folder, monkeypatch):
    rename, waiting = pathlib.Path.rename, [True]

    def disturbed(self, target):
        # Between the look for an old bundle and the new name, another process writes the same bundle.
        if self.name == "new" and waiting:
            waiting.clear()
            write_bundle(folder, {**FACTS, "seed": 2}, FILES)
        return rename(self, target)

    monkeypatch.setattr("pathlib.Path.rename", disturbed)
    write_bundle(folder, {**FACTS, "seed": 1}, FILES)
    assert not waiting
    assert read_bundle(folder).manifest["seed"] == 1
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def packed_many(entries):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return stream.getvalue()


def test_arrays_that_are_not_named_are_refused_before_they_are_unpacked(monkeypatch):
    data = packed_many([("x.npy", npy(np.ones(2))), ("more.npy", npy(np.zeros(1 << 20)))])
    with monkeypatch.context() as patch:
        patch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("unpacked"))
        with pytest.raises(ValueError, match="the arrays must be among x, y, got 'more'; save it again"):
            unpack_arrays(data, names=("x", "y"))
    assert set(unpack_arrays(data, names=("x", "more", "y"))) == {"x", "more"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("again", ["x.npy", "x"])
def test_an_array_that_is_there_twice_is_refused(again):
    with pytest.raises(ValueError, match="each array of a file must be there once, got 'x' 2 times"):
        unpack_arrays(packed_many([("x.npy", npy(np.ones(2))), (again, npy(np.ones(2)))]))


def test_a_directory_of_very_many_arrays_is_not_read():
    with pytest.raises(ValueError, match="must hold up to 1024 arrays, got 1025"):
        unpack_arrays(packed_many([(f"{k}.npy", b"") for k in range(1_025)]))


@pytest.mark.parametrize("header", ["(" * 90, "{" * 150, "'", "{'descr': '<f8', 'shape': (10**30,)}", "-" * 5_000])
def test_headers_that_are_not_python_are_refused(header):
    data = b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header.encode() + b"\n"
    with pytest.raises(ValueError, match="an array is damaged"):
        unpack_arrays(packed(data))


def test_a_bundle_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    zeros = pack_arrays({"zeros": np.zeros(1 << 20)})  # 8 MiB, in two members, and some 16 kB in files
    write_bundle(tmp_path / "model", FACTS, {**FILES, "rf.npz": zeros, "xgb.npz": zeros})
    monkeypatch.setattr(bundle, "LIMIT", 16 << 20)
    with pytest.raises(
        BundleError, match=r"must have up to 16777216 bytes with its arrays unpacked, got 1679\d{4}; train"
    ):
        read_bundle(tmp_path / "model")
    with pytest.raises(BundleError, match="the bundle to write must have up to 16777216 bytes"):
        write_bundle(tmp_path / "other", FACTS, {**FILES, "rf.npz": zeros, "xgb.npz": zeros})
    monkeypatch.setattr(bundle, "LIMIT", 17 << 20)
    assert read_bundle(tmp_path / "model").files["rf.npz"] == zeros


def test_sizes_of_a_manifest_are_added_up_before_a_file_is_read(folder, monkeypatch):
    relist(folder, **{"rf.npz": {"sha256": "0" * 64, "size": 1 << 40}})
    (folder / "xgb.npz").unlink()  # what would be said if files were read first
    with pytest.raises(BundleError, match="must have up to 268435456 bytes"):
        read_bundle(folder)


@pytest.mark.parametrize("name", ["rf.npz", "manifest.json", "resources"])
def test_links_are_not_followed(name, folder, tmp_path):
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BundleError, match="must be a plain file, got a link"):
        read_bundle(folder)
    assert read_bundle(folder, shipped=True).files == FILES


def test_only_a_profile_reads_a_file_of_another_profile(folder, tmp_path, monkeypatch):
    (tmp_path / "full").mkdir()
    (folder / "rf.npz").rename(tmp_path / "full" / "rf.npz")
    monkeypatch.setattr(bundle, "profile_folder", lambda name: tmp_path / name)
    sealed = json.loads((folder / "manifest.json").read_text())["files"]["rf.npz"]
    relist(folder, **{"rf.npz": {**sealed, "profile": "full"}})
    with pytest.raises(BundleError, match="must be a file of the bundle, got one of the profile 'full'; save"):
        read_bundle(folder)
    read = read_bundle(folder, shipped=True)
    assert read.files == FILES and read.manifest["files"]["rf.npz"] == sealed
    (tmp_path / "full" / "rf.npz").write_bytes(b"flower")
    with pytest.raises(BundleError, match="is not the file that the bundle was sealed with"):
        read_bundle(folder, shipped=True)
    relist(folder, **{"rf.npz": {**sealed, "profile": "../full"}})
    with pytest.raises(BundleError, match="got one of the profile '../full'"):
        read_bundle(folder, shipped=True)


def test_the_folder_itself_may_be_a_link(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    assert read_bundle(tmp_path / "link").files == FILES


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("name", ["rf.npz", "manifest.json"])
def test_a_named_pipe_or_a_folder_is_refused(name, folder):
    (folder / name).unlink()
    os.mkfifo(folder / name)
    with pytest.raises(BundleError, match=f"'{name}' of .* must be a plain file"):
        read_bundle(folder)
    (folder / name).unlink()
    (folder / name).mkdir()
    with pytest.raises(BundleError, match=f"'{name}' of .* must be a plain file"):
        read_bundle(folder)


def test_parts_are_listed_once(folder):
    members = json.loads((folder / "manifest.json").read_text())["members"]
    edit(folder, members=[*members, members[0]])
    with pytest.raises(BundleError, match="each name of a member of .* must be listed once, got 'rf' 2 times"):
        read_bundle(folder)
    edit(folder, members=members, columns=["a.b.c", "a.b.c"])
    with pytest.raises(BundleError, match=r"each column of .* must be listed once, got 'a\.b\.c' 2 times"):
        read_bundle(folder)
    edit(folder, columns=["a.b.c"], resources={"idf": "rf.npz"})
    with pytest.raises(BundleError, match="each file of a part of .* must be listed once, got 'rf.npz' 2 times"):
        read_bundle(folder)


def test_what_a_manifest_says_is_printable_in_errors(folder):
    edit(folder, licence=["\x1b]0;title\x07"], members=[{"name": "\x1b[31m\n", "file": "no", "params": {}}])
    with pytest.raises(BundleError) as caught:
        read_bundle(folder)
    assert str(caught.value).isprintable()
    edit(folder, licence="\x1b[31m")
    with pytest.raises(BundleError, match=r"the member '\\x1b\[31m\\n' of") as caught:
        read_bundle(folder)
    assert str(caught.value).isprintable()


def test_files_of_a_user_in_a_manifest_of_another_are_not_removed(tmp_path, folder):
    # A manifest that lists a file by its name does not make it ours: its content must be what was saved.
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.txt").write_text("years")
    (tmp_path / "work" / "manifest.json").write_bytes((folder / "manifest.json").read_bytes())
    relist(tmp_path / "work", **{"thesis.txt": {"sha256": "0" * 64, "size": 5}})
    with pytest.raises(BundleError, match="holds 'thesis.txt', which is not part of a bundle as it was saved"):
        write_bundle(tmp_path / "work", FACTS, FILES)
    assert (tmp_path / "work" / "thesis.txt").read_text() == "years"


@pytest.mark.parametrize("own", ["link", "folder", "changed"])
def test_a_bundle_with_something_of_the_user_is_not_replaced(own, folder, tmp_path):
    (tmp_path / "mine").write_text("mine")
    {
        "link": lambda: (folder / "notes").symlink_to(tmp_path),
        "folder": lambda: (folder / "notes").mkdir(),
        "changed": lambda: (folder / "README.md").write_text("my own card"),
    }[own]()
    with pytest.raises(BundleError, match="holds '(notes|README.md)', which is not part of a bundle as it was saved"):
        write_bundle(folder, FACTS, FILES)
    assert (folder / "rf.npz").read_bytes() == FILES["rf.npz"] and len(list(tmp_path.iterdir())) == 2


def test_what_comes_into_a_folder_while_it_is_replaced_is_kept(folder, monkeypatch):
    rename, waiting = pathlib.Path.rename, [True]

    def disturbed(self, target):
        if self == folder and waiting:
            waiting.clear()
            (folder / "notes.txt").write_text("mine")
        return rename(self, target)

    monkeypatch.setattr("pathlib.Path.rename", disturbed)
    with pytest.raises(BundleError, match=r"holds 'notes.txt'"):
        write_bundle(folder, {**FACTS, "seed": 1}, FILES)
    assert (folder / "notes.txt").read_text() == "mine" and read_bundle(folder).manifest["seed"] == 0
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_a_bundle_behind_a_link_is_replaced_where_it_is(folder, tmp_path):
    (tmp_path / "current").symlink_to("model")
    write_bundle(tmp_path / "current", {**FACTS, "seed": 5}, FILES)
    assert (tmp_path / "current").is_symlink() and read_bundle(folder).manifest["seed"] == 5


def test_a_header_of_another_length_is_told_in_short():
    packed = bytearray(pack_arrays({"numbers": np.arange(2_000, dtype=np.float64)}))
    packed[26:28] = (4_000).to_bytes(2, "little")  # the length of the name in the header of the entry
    with pytest.raises(ValueError, match="the arrays are damaged") as error:
        unpack_arrays(bytes(packed))
    assert len(str(error.value)) < 200
