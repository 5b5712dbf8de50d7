"""Quantifiers: all, some, no, most, few; every, at least, only, almost; everybody, nobody; always, never."""

from ..change import Change
from ..phrase_substitution import Substitutions

_TABLE = Substitutions(
    """
all => some|few|no|half of the ; tag=DT ; next=NNS,JJ
all the => some of the|none of the|a few of the ; next=NNS,JJ
all of => some of|none of|half of ; next=DT,PRP
all his => some of his ; next=NNS
all her => some of her ; next=NNS
all my => some of my ; next=NNS
all their => some of their ; next=NNS
most => all|few|no ; tag=JJS ; next=NNS
most of => all of|none of|some of
some of => all of|none of|most of
some => all|no|most ; tag=DT ; next=NNS
some => no ; tag=DT ; next=NN
many => few|all|no ; tag=JJ ; next=NNS,JJ ; before=!how,as,so,too,not,the,that
few => many|all|most ; tag=JJ ; next=NNS ; before=!a,the,very,these
a few => many|all ; next=NNS
several => all|no|hundreds of ; next=NNS
a lot of => no|little ; next=NN ; lasttag=IN ; lowest=
none of => all of|some of|most of
both => neither of the ; tag=DT ; next=NNS
neither of => both of
both of => neither of|one of|only one of
half of => all of|none of|a quarter of
half the => all the ; next=NNS
each => only one ; tag=DT ; next=NN
every => no|almost every|hardly any ; tag=DT ; next=NN
everybody => nobody|almost everybody|hardly anybody
everyone => no one|almost everyone|hardly anyone
nobody => everybody|almost everybody
somebody => nobody|everybody
someone => no one|everyone ; tag=NN
everything => nothing|almost nothing|very little
nothing => everything
something => nothing ; next=!JJ,TO
always => never|rarely|sometimes
never => always|often ; next=VBD,VBZ,VBP,VB ; before=!have,has,had,'ve,'d,will,can,do,did,to
often => rarely|never|always
usually => rarely|never
rarely => often|always
sometimes => always|never
seldom => often|always
frequently => rarely|never
at least => at most|less than|fewer than ; next=CD
at most => at least|more than ; next=CD
more than => less than|exactly|at most ; next=CD
less than => more than|at least ; next=CD
fewer than => more than|at least ; next=CD
over => under|exactly ; tag=IN,RB ; next=CD
almost => only half ; next=DT ; after=all
nearly => exactly|more than ; next=CD
almost => exactly|more than ; next=CD
about => exactly|more than|less than ; tag=RB,IN ; next=CD ; before=!talk,told,think,worry
exactly => at least|less than|almost ; next=CD
up to => at least|more than ; next=CD
only => at least|more than ; tag=RB ; next=CD
the whole => half of the|part of the ; next=NN
the entire => half of the|part of the ; next=NN
a little => a lot of ; next=NN
everywhere => nowhere|almost everywhere
once => twice|three times ; tag=RB ; after=a,every,per
twice => once|three times ; tag=RB ; before=!than
""".replace(" ; lasttag=IN ; lowest=", "")
)

CHANGES = (Change("quantifier", False, _TABLE.edit),)
