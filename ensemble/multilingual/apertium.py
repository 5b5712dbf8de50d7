"""Translation by Apertium (Forcada et al., 2011): free, rule-based, on this machine.

The programs of a direction stand in a row, each in one long-lived process, and a NUL ends a text. Nothing goes through
a shell: the file of the direction is split into words, and only programs of Apertium are started.
"""

import hashlib
import os
import re
import select
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...features.linguistics.known_languages import LANGUAGES

if TYPE_CHECKING:
    from .translator import Translator

MODES = Path("/usr/share/apertium/modes")
"""Folder in which Debian packages put the files of directions; ``APERTIUM_PATH`` names another installation."""

CODES = {code: language.apertium for code, language in LANGUAGES.items() if language.apertium is not None}
"""ISO 639-3 codes, which Apertium uses, by those of ISO 639-1."""

PATIENCE = 30.0
"""Seconds without a translation after which the processes count as stuck."""

_PROGRAMS = re.compile(r"apertium-[a-z-]+|lt-proc|lrx-proc|cg-proc|hfst-proc")
_RESERVED = re.compile(r"[\[\]{}^$/\\@<>]")
_UNKNOWN = re.compile(r"(?<!\w)\*([^\W\d_]+)")  # a word that Apertium does not know; the others are half translated
_MARK = re.compile(r"(?<!\w)[*@#](?=\w)")
_END = ".[]\n"  # mark that Apertium's own front end adds after a text to end a sentence, and removes again
_READ = 1 << 16


class Apertium:
    """Translator between languages for which an Apertium pair is installed."""

    def __init__(
        self, modes: Path | None = None, patience: float = PATIENCE, words: "Translator | None" = None
    ) -> None:
        if modes is None and "APERTIUM_PATH" in os.environ:
            modes = Path(os.environ["APERTIUM_PATH"]) / "modes"
        self._modes, self._patience, self._words = modes or MODES, patience, words
        self._rows: dict[tuple[str, str], _Row] = {}
        self._lock = threading.Lock()
        if self._modes != MODES and not self._modes.is_dir():
            raise ValueError(
                f"there is no folder {str(self._modes)!r} with Apertium's translations; correct APERTIUM_PATH, which "
                f"names the folder above it (with Debian's packages {str(MODES.parent)!r}), or unset it"
            )
        if shutil.which("lt-proc") is None or not self._modes.is_dir():
            raise ValueError(
                "Apertium is not installed here; install it (on Debian: apt install apertium apertium-eng-spa), or "
                "leave --translate out"
            )

    @cached_property
    def name(self) -> str:
        """``apertium`` and a digest of the installed directions between `CODES` and of their data."""
        digest = hashlib.sha256()
        for mode in sorted(self._mode(a, b) for a in CODES for b in CODES):
            for program in read_mode(mode) if mode.is_file() else ():
                digest.update(repr(program).encode())
                for path in filter(Path.is_file, map(Path, program[1:])):
                    digest.update(hashlib.sha256(path.read_bytes()).digest())
        return f"apertium {digest.hexdigest()[:8]}"

    def covers(self, source: str, target: str) -> bool:
        """Return whether the translator covers a direction."""
        return source in CODES and target in CODES and self._mode(source, target).is_file()

    def _mode(self, source: str, target: str) -> Path:
        return self._modes / f"{CODES[source]}-{CODES[target]}.mode"

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order; empty where there is none."""
        if not self.covers(source, target):
            raise ValueError(
                f"Apertium has no translation from {source} to {target} here; install its pair of these languages"
            )
        with self._lock:
            row = self._rows.get((source, target))
            if row is None:
                row = self._rows[source, target] = _Row(read_mode(self._mode(source, target)), self._patience)
            return self._completed(row.translate(texts), source, target)

    def _completed(self, texts: list[str], source: str, target: str) -> list[str]:
        by_word: dict[str, str] = {}
        if self._words is not None and self._words.covers(source, target):
            unknown = sorted({word for text in texts for word in _UNKNOWN.findall(text) if word.islower()})
            by_word = dict(zip(unknown, self._words.translate(unknown, source, target), strict=True)) if unknown else {}
        filled = [
            _UNKNOWN.sub(lambda match: _begun_small(by_word.get(match[1], match[1]), match[1]), text) for text in texts
        ]
        return [_MARK.sub("", text) for text in filled]

    def close(self) -> None:
        """End the processes; a later translation starts them again."""
        with self._lock:
            for row in self._rows.values():
                row.stop()
            self._rows.clear()

    def __reduce__(self) -> tuple[type["Apertium"], tuple[Path, float, "Translator | None"]]:
        return Apertium, (self._modes, self._patience, self._words)


def read_mode(path: Path) -> list[list[str]]:
    """Return the programs of a direction with their arguments, in order."""
    programs: list[list[str]] = []
    for part in path.read_text(encoding="utf-8").strip().split("|"):
        words = [{"$1": "-g", "$2": ""}.get(word, word) for word in shlex.split(part)]
        program = [word for word in words if word]
        if not program or not _PROGRAMS.fullmatch(program[0]):
            raise ValueError(f"{str(path)!r} names the program {part.strip()!r:.60}; install Apertium's pair again")
        programs.append([program[0], "-z", *program[1:]])
    return programs


def _begun_small(word: str, like: str) -> str:
    return word[:1].lower() + word[1:] if like[:1].islower() else word


def escaped(text: str) -> str:
    """Return a text with Apertium's reserved signs marked, on one line."""
    plain = " ".join(text.replace("\0", " ").split())
    return _RESERVED.sub(r"\\\g<0>", plain)


def unescaped(text: str) -> str:
    """Return a text without these marks, and without the end of sentence that `escaped` adds."""
    text = text.strip().removesuffix("[]").removesuffix(".")
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


class _Row:
    # The processes of one direction.
    def __init__(self, programs: list[list[str]], patience: float) -> None:
        self._programs, self._patience = programs, patience
        self._processes: list[subprocess.Popen[bytes]] = []
        self._worked = False

    def translate(self, texts: Sequence[str]) -> list[str]:
        translations: list[str] = []
        failed = False  # whether the text that comes next has already ended the processes
        while len(translations) < len(texts):
            # After a failure the next text is sent alone, to find the text that fails.
            batch = texts[len(translations) : len(translations) + 1 if failed else None]
            before = len(translations)
            translations += self._run(batch)
            if len(translations) - before == len(batch):
                failed = False
                continue
            self.stop()
            if failed and len(translations) == before:
                if not self._worked:
                    raise ValueError(
                        f"Apertium's {self._programs[0][0]} must return a translation, got none; install Apertium again"
                    )
                translations.append("")
                failed = False
            else:
                failed = True
        return translations

    def _run(self, texts: Sequence[str]) -> Iterator[str]:
        if not self._processes:
            self._start()
        first, last = self._processes[0].stdin, self._processes[-1].stdout
        assert first is not None and last is not None
        data = "".join(escaped(text) + _END + "\0" for text in texts).encode("utf-8", "replace")
        writer = threading.Thread(target=_write, args=(first.fileno(), data), daemon=True)
        writer.start()
        rest, count, limit = b"", 0, time.monotonic() + self._patience
        while count < len(texts):
            ready, _, _ = select.select([last], [], [], max(limit - time.monotonic(), 0.0))
            piece = os.read(last.fileno(), _READ) if ready else b""
            if not piece:
                break
            *whole, rest = (rest + piece).split(b"\0")
            for text in whole:
                count += 1
                limit = time.monotonic() + self._patience
                self._worked = True
                yield unescaped(text.decode("utf-8", "replace"))
        if count < len(texts):
            self.stop()
        writer.join()

    def _start(self) -> None:
        before: int = subprocess.PIPE
        for program in self._programs:
            process = subprocess.Popen(program, stdin=before, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if self._processes:
                # Ours would keep the pipe open when the process that reads it is gone.
                inner = self._processes[-1].stdout
                assert inner is not None
                inner.close()
            self._processes.append(process)
            assert process.stdout is not None
            before = process.stdout.fileno()

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
        self._processes = []

    def __del__(self) -> None:
        self.stop()


def _write(pipe: int, data: bytes) -> None:
    with suppress(OSError):  # the reader is gone: what it has not translated is tried again
        place = 0
        while place < len(data):
            place += os.write(pipe, data[place : place + _READ])
