"""A copy of the package, to which a test can add a file."""

from .conftest import ROOT

TOPS = ("features", "models", "ensemble", "apps", "research")
DATA = ("data", "pretrained")


def copy_of_package(folder):
    """Lay out the package under a folder as it is installed, every file and folder of data a link; return its place."""
    _link(ROOT / "src" / "samewise", folder / "samewise")
    return folder / "samewise"


def add_file(name, text, package, work):
    """Write a file of a checkout: into a copy of the package where it is part of this, and otherwise into a folder."""
    top, _, rest = name.partition("/")
    target = package / name if rest and top in TOPS else work / name
    assert not target.exists(), f"{name} must be new"
    if target.parent.is_symlink():
        # A folder of data: its files are linked one by one, so that nothing is written into the checkout.
        source = target.parent.resolve()
        target.parent.unlink()
        _link(source, target.parent)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def _link(source, target):
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.name == "__pycache__":
            continue
        if path.is_dir() and path.name not in DATA:
            _link(path, target / path.name)
        else:
            (target / path.name).symlink_to(path)
