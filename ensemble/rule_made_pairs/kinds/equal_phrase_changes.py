"""Phrases and frames of sentences that say the same in other words."""

import random

from ..change import Change
from ..editable_sentence import EditableSentence
from ..phrase_substitution import Substitutions

_TABLE = Substitutions("""
wants to <=> would like to ; next=VB ; before=he,she,who
want to <=> would like to ; next=VB ; before=i,we,they
i 'd like to => I want to ; next=VB
i want to => I'd like to ; next=VB
can => ~be able to ; tag=MD ; next=VB ; prev=PRP,NN ; before=!it,that,this ; after=!be,have
~be able to => can ; tag=VBZ,VBP ; next=VB
was able to => managed to ; next=VB
were able to => managed to ; next=VB
must => ~have to ; tag=MD ; next=VB ; prev=PRP,NN ; after=!be,have,not
has to <=> needs to ; next=VB
have to => need to|must ; next=VB ; before=i,you,we,they
has to => must ; next=VB
had to => was forced to ; next=VB ; before=he,she,i
should => ought to ; tag=MD ; next=VB ; prev=PRP,NN ; after=!have,be
ought to => should ; next=VB
had better => should ; next=VB
'd better => should ; next=VB
will => ~be going to ; tag=MD ; next=VB ; prev=PRP,NN ; before=!it ; after=!be,have
~be going to => will ; tag=VBZ,VBP ; next=VB
gon na => going to
because of <=> due to
owing to => because of
thanks to => because of
on account of => because of
in order to <=> so as to
in order to => to ; next=VB
although <=> even though ; tag=IN
though => although ; tag=IN ; before=!even,as
in spite of <=> despite
~begin to <=> ~start to ; next=VB
~begin <=> ~start ; tag=VB ; next=VBG,DT
~start to => ~begin to ; next=VB
~stop <=> ~quit ; tag=VB ; next=VBG
~keep on => ~keep ; next=VBG
~go on => ~continue ; next=VBG
about => approximately|around|roughly ; tag=RB,IN ; next=CD
approximately => about|roughly ; next=CD
around => about ; tag=RB,IN ; next=CD
roughly => about ; next=CD
nearly => almost ; next=CD
more than <=> over ; next=CD
at least => no fewer than|a minimum of ; next=CD
at most => no more than ; next=CD
a number of => several ; next=NNS,JJ
a large number of => many
a lot of => many ; next=NNS ; before=!quite
lots of => many|a lot of ; next=NNS
lots of => a lot of
plenty of => a lot of
a couple of => two|a few ; next=NNS ; before=!next,last,past
a great deal of => much
the majority of <=> most of
a majority of => most of
in addition to => besides ; next=DT,PRP$
in addition , => besides ,
furthermore <=> moreover
however <=> nevertheless ; next=,
therefore <=> consequently ; next=,
as a result , <=> consequently ,
for instance <=> for example
such as => like ; next=NN,DT ; before=,
in my opinion <=> I think ; next=,
on the other hand => by contrast
at the moment <=> right now
at present <=> currently
these days <=> nowadays
at that time => back then
in the end <=> eventually
at last <=> finally
at first <=> initially
at once <=> immediately
right away <=> immediately
as soon as => the moment ; next=PRP,DT
all of a sudden <=> suddenly
from time to time <=> now and then|occasionally
once in a while <=> occasionally
sooner or later => eventually
again and again <=> repeatedly
over and over => repeatedly
all the time => constantly
all day long => the whole day
all day => the whole day
every day => each day|daily ; next=.
every week => each week|weekly ; next=.
every year => each year|annually ; next=.
every month => each month|monthly ; next=.
twice => two times ; tag=RB ; next=DT,.
close to => near ; next=DT ; lasttag=TO,IN
next to <=> beside ; next=DT,PRP
on top of => upon ; next=DT
in the middle of => in the center of
all over the world <=> around the world|throughout the world
by means of => using
with the help of => with the aid of
with respect to <=> with regard to
concerning => about ; tag=VBG,IN ; next=DT
regarding => about ; tag=VBG,IN ; next=DT
as for => regarding
instead of <=> rather than ; next=VBG,NN
in case of => in the event of
as long as => provided that ; next=PRP ; before=!for
provided that => as long as ; next=PRP
prior to <=> before ; next=DT,PRP$
following => after ; tag=VBG ; next=DT ; prev=NN,,
each other <=> one another
by oneself => alone
on his own => by himself
on her own => by herself
on my own => by myself
on purpose <=> intentionally|deliberately
by accident <=> accidentally
by chance <=> accidentally
by mistake <=> accidentally
by heart => from memory
in a hurry => hurriedly
in detail => thoroughly
of course <=> naturally ; next=,
as usual => as always
no doubt => undoubtedly
for sure => for certain
needless to say => of course
to tell the truth => to be honest
in general <=> generally ; next=,
in fact <=> actually ; next=,
in particular <=> particularly ; next=,
according to => as stated by ; next=NNP
it seems that <=> apparently
it appears that => it seems that
there is no doubt that => undoubtedly
it is necessary to => one must ; next=VB
it is important to => it matters to ; next=VB
it is easy to => it is not difficult to ; next=VB
it is hard to <=> it is difficult to
is hard to <=> is difficult to
are hard to <=> are difficult to
is responsible for => is in charge of
is in charge of => is responsible for
are responsible for => are in charge of
is interested in => takes an interest in
was born in => came into the world in
is similar to => resembles
are similar to => resemble
is different from => differs from
are different from => differ from
is located in <=> is situated in
is made of => consists of
consists of => is made up of
is afraid of => fears ; next=NN,DT
is fond of => likes
am fond of => like
are fond of => like
is aware of => knows about
is in love with => loves
is good at => is skilled at
is bad at => is poor at
is full of => is filled with
is known for <=> is famous for
~take part in <=> ~participate in
~take care of <=> ~look after
~look for <=> ~search for ; tag=VB
~give up <=> ~quit ; next=VBG
~put off <=> ~postpone ; next=DT,PRP$
~call off <=> ~cancel ; next=DT,PRP$
~carry out <=> ~perform ; next=DT
~find out <=> ~discover ; tag=VB ; after=that,the
~point out => ~mention ; after=that
~turn down <=> ~reject ; next=PRP$
~set up <=> ~establish ; next=DT ; tag=VB
~get rid of => ~dispose of
~make use of => ~use
~make sure => ~ensure ; after=that
~make sure => ~check ; after=if
~make a decision => ~decide
~make up one 's mind => ~decide
~have a look at => ~look at
~take a look at <=> ~look at
~take a walk <=> ~go for a walk
~take a bath => ~have a bath
~take a break <=> ~have a rest
~get married => ~marry ; next=.
~pass away <=> ~die ; next=.
~come across => ~happen upon
~run out of => ~use up all
~depend on <=> ~rely on ; tag=VB
~consist of => ~be composed of
~talk to <=> ~speak to ; tag=VB
~talk about <=> ~discuss ; tag=VB ; next=DT,PRP$,NN
~think about => ~consider ; tag=VB ; next=DT,PRP$
~ask for => ~request ; tag=VB ; next=DT,NN
~wait for => ~await ; tag=VB ; next=DT
~get to => ~reach ; tag=VB ; next=DT
~arrive at => ~reach ; tag=VB
~go back to => ~return to ; tag=VB
~come back => ~return ; tag=VB ; next=.,IN,TO
~go back => ~return ; tag=VB ; next=.,TO
~wake up => ~awaken ; tag=VB ; next=.
~get up => ~get out of bed ; tag=VB ; next=.,IN,RB
~break down => ~stop working ; tag=VB ; next=.
~happen <=> ~occur ; tag=VB ; before=!whatever,what,you
~take place => ~happen
~seem to => ~appear to ; tag=VB
~appear to => ~seem to ; tag=VB
~try to <=> ~attempt to ; next=VB
~intend to <=> ~plan to ; next=VB
i think => I believe ; next=PRP,DT,IN,EX ; before=!,
i believe => I think ; next=PRP,DT,IN,EX
i guess => I suppose
i hope => hopefully , ; next=PRP
i 'm sorry => I apologize ; next=.,IN
i am sorry => I apologize ; next=.,IN
i forgot => I don't remember ; next=PRP$,DT
thank you => thanks ; next=IN,RB,.
thanks => thank you ; tag=NNS ; next=IN,. ; before=!,
no one knows => nobody knows
^ how do i => what is the way to ; next=VB
^ how can i => what is the way to ; next=VB
^ what is the best way to => how do I best ; next=VB
^ can you tell me => do you know|could you tell me
^ could you tell me => can you tell me|do you know
^ could you please => can you please ; next=VB
^ would you please => could you ; next=VB
^ can you => could you|are you able to ; next=VB
^ could you => would you|can you please ; next=VB
^ why do n't we => how about if we|should we not
^ is it possible to => can one|can I ; next=VB
^ do you have => have you got ; next=DT,PRP$
^ i have => I've got ; next=DT,CD
how old is => what is the age of ; next=PRP$,DT,NNP
how often => how frequently ; tag=WRB
how many times => how often
what kind of <=> what sort of
why => for what reason ; tag=WRB ; next=VBD,VBZ,VBP
where do you live => what is your address
how are you => how are you doing ; next=.
on the phone => by telephone
on foot => walking
by car => in a car
free of charge <=> for free
at no cost => for free
up to now => so far
until now => so far
so far => until now ; next=.
in the future => later on ; next=.
a little => a bit ; next=JJ,.
a bit => a little ; next=JJ,.
very => really ; tag=RB ; next=JJ ; before=is,was,are,were,'m,'s,am
really => truly ; tag=RB ; next=JJ
too => as well ; tag=RB ; next=.
as well => too ; next=.
""")


def _equal_phrase(sentence: EditableSentence, chance: random.Random) -> str | None:
    text = _request(sentence) if chance.random() < 0.5 else None
    return text or _TABLE.edit(sentence, chance)


def _request(sentence: EditableSentence) -> str | None:
    # "Can you V?" asks for what "Please V." asks for.
    words, tags, end = sentence.words, sentence.tags, sentence.end
    if len(words) < 4:
        return None
    if words[0] in ("can", "could", "will", "would") and words[1] == "you" and words[-1] == "?":
        start = 2 + (words[2] == "please")
        if tags[start] == "VB" and sentence.lemmas[start] in _ASKED:
            last = end - (words[end - 1] == "please") - (words[end - 2] == "," and words[end - 1] == "please")
            return sentence.composed(["Please", (start, last), "."])
    if words[0] == "please" and tags[1] == "VB" and words[-1] == "." and sentence.lemmas[1] != "be":
        return sentence.composed(["Could you", "please", (1, len(words) - 1), "?"])
    return None


_ASKED = frozenset(
    """tell give show help send pass bring open close explain call make take put turn wait stop come check fix
    change cancel sign write read speak repeat move carry hold get lend pick add remove update confirm""".split()
)

CHANGES = (Change("equal_phrase", True, _equal_phrase),)
