"""Libraries that only an extra installs."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def from_extra(extra: str, task: str) -> Iterator[None]:
    """Name the extra that installs a library, if an import inside the block does not find the library.

    Parameters
    ----------
    extra
        Name of the extra.
    task
        The task that needs the library, as the message begins.

    Raises
    ------
    ModuleNotFoundError
        If a library is absent.

    Examples
    --------
    >>> with from_extra("serve", "the service"):
    ...     import no_such_library
    Traceback (most recent call last):
    ModuleNotFoundError: the service needs no_such_library; pip install 'samewise[serve]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{task} needs {error.name}; pip install 'samewise[{extra}]'", name=error.name
        ) from None
