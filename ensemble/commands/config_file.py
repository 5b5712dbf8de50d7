"""Files of settings: options by name in TOML, for all commands or in the table of one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from .choices import names_of
from .option_names import option_now

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "float": ((int, float), "a number"),
    "int": ((int,), "a whole number"),
    "integer": ((int,), "a whole number"),
}
"""Types in TOML and their description, by the first word of an option's type; all others are text."""

_TEXT: tuple[tuple[type, ...], str] = (str, int, float), "a text or a number"


def read_config(context: typer.Context, file: Path | None) -> None:
    """Take the defaults of a command from a file of settings; refuse a file or a value that does not fit."""
    if file is None or context.resilient_parsing:
        return
    import tomllib

    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise typer.BadParameter(f"{file} must be TOML: {error}") from None
    options = {
        name.removeprefix("--"): option
        for option in context.command.params
        for name in option.opts
        if name.startswith("--") and not getattr(option, "is_eager", False)
    }
    defaults: dict[str, Any] = {}
    for key, value in _settings(content, context, file):
        if key not in options:
            raise typer.BadParameter(_unknown(key, list(options), file, context.command_path))
        defaults[str(options[key].name)] = _value(options[key], key, value, file)
    context.default_map = defaults


def _settings(content: dict[str, Any], context: typer.Context, file: Path) -> Iterator[tuple[str, Any]]:
    # Settings for all commands first, then those of a group, and last those of the command itself.
    group: Any = context.find_root().command
    for word in [*_words(context), ""]:
        inside = getattr(group, "commands", {})
        for key, value in content.items():
            if not isinstance(value, dict):
                yield key, value
            elif key not in inside:
                from ..._messages import did_you_mean

                raise typer.BadParameter(
                    f"{file} has the table [{key}], which is no command{did_you_mean(key, list(inside))}"
                )
        content = content.get(word, {}) if word in inside else {}
        group = inside[word] if word in inside else None
        if not isinstance(content, dict):
            return


def _words(context: Any) -> list[str]:
    parent = context.parent
    return [] if parent is None else [*_words(parent), str(context.info_name)]


def _unknown(key: str, known: list[str], file: Path, command: str) -> str:
    from ..._messages import did_you_mean

    now = option_now(f"--{key}", [f"--{name}" for name in known])
    if now is not None:
        return f"{file} has the key {key}, which is now {now.removeprefix('--')}"
    remedy = did_you_mean(key, known) or "; put a key for other commands into their tables"
    return f"{file} has the key {key}, which is no option of {command}{remedy}"


def _value(option: Any, key: str, value: Any, file: Path) -> Any:
    types, rule = ((bool,), "true or false") if option.is_flag else _KINDS.get(option.type.name.split()[0], _TEXT)
    values = value if option.multiple and isinstance(value, list) else [value]
    fits = all(isinstance(each, types) and isinstance(each, bool) == (bool in types) for each in values)
    if not fits or option.multiple != isinstance(value, list):
        raise typer.BadParameter(
            f"the key {key} of {file} must be {'a list, of ' if option.multiple else ''}{rule}, got {value!r}"
        )
    if any(isinstance(each, str) and not names_of(each) for each in values):
        raise typer.BadParameter(f"the key {key} of {file} must not be empty, got {value!r}; leave it out")
    return value if types != _TEXT[0] or option.multiple else str(value)
