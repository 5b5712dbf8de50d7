"""Facts about German."""

from ..language import Language

LANGUAGE = Language(
    code="de",
    code3="deu",
    name="German",
    stemmer="german",
    probe="Ein Mann spielt auf der Straße Gitarre.",
)
