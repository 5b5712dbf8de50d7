"""Names as they are written: abbreviations, initials and short forms of one name, and words that make it another."""

_ABBREVIATIONS = """
road rd, street st, avenue ave av, lane ln, drive dr, boulevard blvd, square sq, court ct, place pl, terrace terr,
crescent cres, highway hwy, parkway pkwy, mount mt, saint st, fort ft, north n, south s, east e, west w,
doctor dr, professor prof, mister mr, senior sr, junior jr, company co, corporation corp, incorporated inc, limited ltd,
university univ, hospital hosp, department dept, international intl, association assn, brothers bros, apartment apt,
building bldg, number no, centre center ctr, laboratory lab, institute inst, government govt, station stn sta
"""
_SHORT_FORMS = """
robert bob bobby rob, william bill billy will, richard dick rick rich, james jim jimmy, john johnny jack, edward ed
eddie ted, thomas tom tommy, michael mike mick, joseph joe, charles charlie chuck, david dave, daniel dan danny, samuel
sam,
benjamin ben, anthony tony, andrew andy drew, matthew matt, nicholas nick, christopher chris, alexander alex, steven
stephen steve, gregory greg, timothy tim, tobias toby, lawrence larry, henry harry hank, frederick fred freddie, albert
al bert, peter pete, kenneth ken, donald don, ronald ron, gerald gerry, jeffrey jeff, theodore theo ted, vincent vince,
elizabeth liz beth betty lizzie eliza, margaret maggie meg peggy, katherine catherine kate katie kathy cathy, susan sue
susie, jennifer jenny jen, patricia pat patty trish, barbara barb, deborah debbie, rebecca becky, victoria vicky,
christine chris tina, jessica jess, samantha sam, alexandra alex sandra, dorothy dot, eleanor nell ellie, frances fran,
judith judy, pamela pam, philippa pippa, rosemary rose, teresa tess terry, josephine jo josie, abigail abby, isabella
bella, charlotte lottie, penelope penny
"""
_VARIANTS = frozenset(
    """pro max mini plus ultra lite air xl xxl xs xxs slim junior kids deluxe premium refill refills refurbished xt ti
    se gt gti hybrid cordless compact""".split()
)


def _groups(table: str) -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, line in enumerate(table.replace("\n", " ").split(",")):
        for word in line.split():
            groups[word] = groups.get(word, frozenset()) | {number}
    return groups


_WRITTEN = _groups(_ABBREVIATIONS + "," + _SHORT_FORMS)


def same_written_name(a: str, b: str) -> bool:
    """Return whether two lower-case words of names can be one: equal, abbreviated, an initial, or a short form."""
    x, y = (word.rstrip(".,'") for word in (a, b))
    if x == y or not _WRITTEN.get(x, frozenset()).isdisjoint(_WRITTEN.get(y, frozenset())):
        return True
    short, long = sorted((x, y), key=len)
    abbreviated = a.endswith(".") or b.endswith(".") or len(short) == 1
    return abbreviated and bool(short) and long.startswith(short)


def is_variant(word: str) -> bool:
    """Return whether a lower-case word after the name of a product makes it another product, such as "mini"."""
    return word in _VARIANTS
