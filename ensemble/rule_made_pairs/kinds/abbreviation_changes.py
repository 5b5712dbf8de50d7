"""Abbreviations and contractions: the short form for the long one, and back."""

from ..change import Change
from ..phrase_substitution import Substitutions

_ABBREVIATIONS = Substitutions("""
percent => % ; digits=
% => percent
per cent => % ; digits=
doctor => Dr. ; next=NNP
dr. => Doctor ; next=NNP
mister => Mr. ; next=NNP
professor => Prof. ; next=NNP
prof. => Professor ; next=NNP
saint => St. ; next=NNP
mount => Mt. ; next=NNP
senator => Sen. ; next=NNP
captain => Capt. ; next=NNP
general => Gen. ; tag=NNP ; next=NNP
lieutenant => Lt. ; next=NNP
governor => Gov. ; next=NNP
sergeant => Sgt. ; next=NNP
corporation => Corp. ; tag=NNP
incorporated => Inc. ; tag=NNP
company => Co. ; tag=NNP ; prev=NNP
limited => Ltd. ; tag=NNP ; prev=NNP
kilograms <=> kg ; prev=CD ; digits=
kilogram => kg ; prev=CD ; digits=
grams => g ; prev=CD ; digits=
milligrams <=> mg ; prev=CD ; digits=
kilometers <=> km ; prev=CD ; digits=
kilometres => km ; prev=CD ; digits=
meters => m ; prev=CD ; digits=
centimeters <=> cm ; prev=CD ; digits=
millimeters <=> mm ; prev=CD ; digits=
milliliters <=> ml ; prev=CD ; digits=
hours => hrs ; prev=CD ; digits=
minutes => min ; prev=CD ; digits=
seconds => sec ; prev=CD ; digits=
feet => ft ; prev=CD ; digits=
inches => in. ; prev=CD ; digits=
pounds => lbs ; prev=CD ; digits=
gigabytes => GB ; prev=CD ; digits=
gb => gigabytes ; prev=CD ; digits=
mb => megabytes ; prev=CD ; digits=
megabytes => MB ; prev=CD ; digits=
miles per hour <=> mph
kilometers per hour <=> km/h
dollars => USD ; prev=CD ; digits=
euros => EUR ; prev=CD ; digits=
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
new york city => NYC
nyc => new york city
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
operating system => OS
personal computer => PC
pc => personal computer
central processing unit => CPU
cpu => processor
artificial intelligence => AI
ai => artificial intelligence ; tag=NN
identification => ID ; tag=NN
user interface => UI
virtual private network => VPN
vpn => virtual private network
frequently asked questions => FAQ
repository => repo
configuration => config ; tag=NN
documentation => docs ; tag=NN
administrator => admin
blood pressure => BP
cardiopulmonary resuscitation => CPR
cpr => cardiopulmonary resuscitation
intensive care unit => ICU
emergency room => ER
heart rate => HR
magnetic resonance imaging => MRI
mri scan => magnetic resonance imaging scan
over-the-counter => OTC
year over year => YoY
year-over-year => YoY
first quarter => Q1 ; before=the
second quarter => Q2 ; before=the
third quarter => Q3 ; before=the
fourth quarter => Q4 ; before=the
chief executive officer => CEO
ceo => chief executive
chief financial officer => CFO
cfo => chief financial officer
gross domestic product => GDP
gdp => gross domestic product
initial public offering => IPO
human resources => HR
value added tax => VAT
federal bureau of investigation => FBI
central intelligence agency => CIA
world health organization => WHO
non-governmental organization => NGO
as soon as possible => ASAP
asap => as soon as possible
okay => OK
ok => okay
department => dept. ; tag=NN
maximum => max. ; tag=JJ ; next=NN
minimum => min. ; tag=JJ ; next=NN
""")

_CONTRACTIONS = Substitutions("""
do not <=> do n't ; next=!PRP
does not <=> does n't ; next=!PRP
did not <=> did n't ; next=!PRP
is not <=> is n't ; next=!PRP
are not <=> are n't ; next=!PRP
was not <=> was n't ; next=!PRP
were not <=> were n't ; next=!PRP
has not <=> has n't ; next=!PRP
have not <=> have n't ; next=!PRP
had not <=> had n't ; next=!PRP
would not <=> would n't ; next=!PRP
could not <=> could n't ; next=!PRP
should not <=> should n't ; next=!PRP
must not <=> must n't ; next=!PRP
need not <=> need n't ; next=!PRP
can not <=> ca n't ; next=!PRP
will not <=> wo n't ; next=!PRP
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
