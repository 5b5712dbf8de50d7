"""Abbreviations and contractions: the short form for the long one, and back."""

from ..change import Change
from ..phrase_substitution import Substitutions

_ABBREVIATIONS = Substitutions("""
percent <=> %
per cent => %
doctor <=> dr. ; next=NNP
mister <=> mr. ; next=NNP
professor <=> prof. ; next=NNP
saint => st. ; next=NNP
mount => mt. ; next=NNP
senator => sen. ; next=NNP
captain => capt. ; next=NNP
general => gen. ; tag=NNP ; next=NNP
lieutenant => lt. ; next=NNP
governor => gov. ; next=NNP
sergeant => sgt. ; next=NNP
corporation <=> corp. ; tag=NNP
incorporated <=> inc. ; tag=NNP
company => co. ; tag=NNP ; prev=NNP
limited => ltd. ; tag=NNP ; prev=NNP
kilograms <=> kg ; prev=CD
kilogram => kg ; prev=CD
grams => g ; prev=CD
milligrams <=> mg ; prev=CD
kilometers <=> km ; prev=CD
kilometres => km ; prev=CD
meters => m ; prev=CD
centimeters <=> cm ; prev=CD
millimeters <=> mm ; prev=CD
milliliters <=> ml ; prev=CD
hours => hrs ; prev=CD
minutes => min ; prev=CD
seconds => sec ; prev=CD
feet => ft ; prev=CD
inches => in. ; prev=CD
pounds => lbs ; prev=CD
gigabytes <=> gb ; prev=CD
gb => gigabytes ; prev=CD
mb => megabytes ; prev=CD
megabytes <=> mb ; prev=CD
miles per hour <=> mph
kilometers per hour <=> km/h
dollars => USD ; prev=CD
euros => EUR ; prev=CD
approximately <=> approx.
versus <=> vs.
vs <=> versus
for example <=> e.g.
that is => i.e. ; before=, ; next=,
and so on <=> etc.
et cetera <=> etc.
number => no. ; next=CD
january => Jan. ; next=CD
february => Feb. ; next=CD
august => Aug. ; next=CD
september => Sept. ; next=CD
october => Oct. ; next=CD
november => Nov. ; next=CD
december => Dec. ; next=CD
jan. => January ; next=CD
feb. => February ; next=CD
aug. => August ; next=CD
sept. => September ; next=CD
oct. => October ; next=CD
nov. => November ; next=CD
dec. => December ; next=CD
the united states of america => the USA
the united states => the US|the U.S. ; next=!NNP,POS
the u.s. => the United States ; next=!NNP,NN,JJ
u.s. => American ; next=NN ; before=!the
the usa <=> the United States
the united kingdom <=> the UK
the uk => the United Kingdom ; next=!NN
the united nations => the UN
the un => the United Nations ; next=!NN
u.n. => UN
the european union <=> the EU
united arab emirates => UAE
new york city <=> nyc
los angeles => L.A. ; next=!NNP
television => TV ; next=!NN
tv => television ; tag=NN ; next=!NN
telephone <=> phone ; next=!NN,VB
photograph <=> photo ; tag=NN
photographs <=> photos
advertisement <=> ad
advertisements <=> ads
laboratory <=> lab
examination <=> exam
mathematics <=> math
gymnasium <=> gym
refrigerator <=> fridge
airplane <=> plane ; tag=NN
automobile => car
application => app ; tag=NN ; before=the,an,this,mobile
app => application
apps => applications
information => info ; tag=NN
operating system <=> os
personal computer <=> pc
pc => personal computer
central processing unit <=> cpu
cpu => processor
artificial intelligence <=> ai
ai => artificial intelligence ; tag=NN
identification => ID ; tag=NN
user interface <=> ui
virtual private network <=> vpn
frequently asked questions => FAQ
repository => repo
configuration => config ; tag=NN
documentation => docs ; tag=NN
administrator => admin
blood pressure <=> bp
cardiopulmonary resuscitation <=> cpr
intensive care unit <=> icu
emergency room <=> er
heart rate <=> hr
magnetic resonance imaging => MRI
mri scan => magnetic resonance imaging scan
over-the-counter => OTC
year over year => YoY
year-over-year => YoY
first quarter => Q1 ; before=the
second quarter => Q2 ; before=the
third quarter => Q3 ; before=the
fourth quarter => Q4 ; before=the
chief executive officer <=> ceo
ceo => chief executive
chief financial officer <=> cfo
gross domestic product <=> gdp
gdp => gross domestic product
initial public offering => IPO
human resources => HR
value added tax => VAT
federal bureau of investigation => FBI
central intelligence agency => CIA
world health organization => WHO
non-governmental organization => NGO
as soon as possible <=> asap
okay <=> ok
ok => okay
department => dept. ; tag=NN
maximum => max. ; tag=JJ ; next=NN
minimum => min. ; tag=JJ ; next=NN
""")

_CONTRACTIONS = Substitutions("""
do not <=> do n't
does not <=> does n't
did not <=> did n't
is not <=> is n't
are not <=> are n't
was not <=> was n't
were not <=> were n't
has not <=> has n't
have not <=> have n't
had not <=> had n't
would not <=> would n't
could not <=> could n't
should not <=> should n't
must not <=> must n't
need not <=> need n't
can not <=> ca n't
will not <=> wo n't
it is => it's ; next=DT,JJ,VBG,RB,IN
it 's => it is ; next=DT,JJ,VBG
it 's => it has ; next=VBN
he 's => he is ; next=DT,JJ,VBG
she 's => she is ; next=DT,JJ,VBG
that 's => that is ; next=DT,JJ
there 's => there is ; next=DT,NN,CD
he is => he's ; next=DT,JJ,VBG,RB,IN
she is => she's ; next=DT,JJ,VBG,RB,IN
that is => that's ; next=DT,JJ ; before=!, ; tag=DT
i am => I'm ; next=DT,JJ,VBG,RB,IN
i 'm => I am
you are => you're ; next=DT,JJ,VBG,RB,IN
they are => they're ; next=DT,JJ,VBG,RB,IN
we are => we're ; next=DT,JJ,VBG,RB,IN
you 're => you are
they 're => they are
we 're => we are
i have => I've ; next=VBN
i 've => I have ; next=VBN
we 've => we have ; next=VBN
they 've => they have ; next=VBN
you 've => you have ; next=VBN
i will => I'll ; next=VB
i 'll => I will
he will => he'll ; next=VB
she will => she'll ; next=VB
we will => we'll ; next=VB
they will => they'll ; next=VB
you will => you'll ; next=VB
he 'll => he will
she 'll => she will
it 'll => it will
we 'll => we will
they 'll => they will
you 'll => you will
i would => I'd ; next=VB
i 'd => I would ; next=VB ; after=!better
what is => what's ; next=DT,PRP$
what 's => what is ; next=DT,PRP$
where is => where's ; next=DT,PRP$
let 's => let us ; next=VB
""")

CHANGES = (
    Change("abbreviation", True, _ABBREVIATIONS.edit),
    Change("contraction", True, _CONTRACTIONS.edit),
)
