"""Modality: duty, permission, ability, certainty and intention, one for another."""

from ..change import Change
from ..phrase_substitution import Substitutions

_TABLE = Substitutions("""
must => need not|may|might|might want to ; tag=MD ; next=VB
must not => may|need not
must n't => may|may well
must be => might be|cannot be ; next=!VBN
has to => does not have to|can|is allowed to ; next=VB
have to => do not have to|can ; next=VB ; before=!na,to,will,not,n't,'ll,would,might,may,did,do,does
had to => did not have to ; next=VB
may => must|will|should ; tag=MD ; next=VB
may not => must|may
might => will|must|should ; tag=MD ; next=VB ; after=!be
can => must|should not|cannot ; tag=MD ; next=VB ; before=!what,how,where,who,which,when
can not => must|should|can ; next=VB
ca n't => must|should|can ; next=VB
should => may|need not|must not ; tag=MD ; next=VB ; after=!have
should not => should|must
should n't => should|must
could not => could|had to ; next=VB ; after=!have
could n't => could|had to ; next=VB ; after=!have
will => might|should|may ; tag=MD ; next=VB
will not => might|must
wo n't => might|must
would => might|must ; tag=MD ; next=VB ; after=!have,like,rather,prefer ; before=!how,what,that
is required to => is allowed to|is free to|is not required to ; next=VB
are required to => are allowed to|are free to|are not required to ; next=VB
is allowed to => is required to|is forbidden to ; next=VB
are allowed to => are required to|are forbidden to ; next=VB
~need to => do not need to|may want to ; tag=VBP ; next=VB
needs to => does not need to|is allowed to ; next=VB
certainly => possibly|hardly ; tag=RB
definitely => possibly|probably not ; tag=RB
probably => certainly|possibly|hardly ; tag=RB ; before=!not
possibly => certainly|probably ; tag=RB ; before=!could,can,not
perhaps => certainly|surely
maybe => certainly|surely
surely => perhaps|possibly
likely => unlikely|certain ; before=is,was,are,were ; next=TO
certain => unlikely ; before=is,was,are,were ; next=TO
mandatory <=> optional
compulsory => optional
required => optional ; tag=JJ ; next=.,IN
optional => required
necessary => unnecessary|optional ; tag=JJ ; before=!not
recommended => required|forbidden ; next=IN,.
~prove => ~suggest ; tag=VB ; after=that
~suggest => ~prove ; tag=VB ; after=that
~confirm => ~suspect ; tag=VB ; after=that
~know => ~suspect ; tag=VB ; after=that
~believe => ~know ; tag=VB ; after=that
~think => ~know ; tag=VB ; next=PRP
~hope to => ~refuse to|~fail to ; tag=VB ; next=VB
~try to => ~refuse to ; tag=VB ; next=VB
~refuse to => ~agree to ; tag=VB ; next=VB
~promise to => ~refuse to ; tag=VB ; next=VB
~plan to => ~refuse to|~fail to ; tag=VB ; next=VB
""")

CHANGES = (Change("modality", False, _TABLE.edit),)
