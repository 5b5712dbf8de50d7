"""Intent: the reverse of an action that is requested, wanted or ordered."""

from ..change import Change
from ..phrase_substitution import Substitutions

_TABLE = Substitutions("""
~start <=> ~stop ; tag=VB ; next=VBG,DT,PRP$
~begin => ~stop ; tag=VB ; next=VBG
~begin to => ~refuse to ; tag=VB ; next=VB
~cancel <=> ~renew|~confirm ; tag=VB
~open <=> ~close ; tag=VB ; next=DT,PRP
~shut => ~open ; tag=VB ; next=DT,PRP
~add <=> ~remove ; tag=VB ; next=DT,PRP,NN,CD,JJ
~enable <=> ~disable ; tag=VB
~activate <=> ~deactivate ; tag=VB
~install <=> ~uninstall ; tag=VB
~subscribe <=> ~unsubscribe ; tag=VB
~accept <=> ~decline|~reject ; tag=VB
~reject => ~accept ; tag=VB
~buy <=> ~sell ; tag=VB
~purchase => ~sell ; tag=VB
~lock <=> ~unlock ; tag=VB
~approve <=> ~reject ; tag=VB
~turn on <=> ~turn off ; tag=VB
~switch on <=> ~switch off ; tag=VB
~take off <=> ~put on ; tag=VB ; next=DT,PRP$
~turn up <=> ~turn down ; tag=VB
~upload <=> ~download ; tag=VB
~save <=> ~delete ; tag=VB ; next=DT,PRP$
~delete => ~save|~restore ; tag=VB
~create => ~delete|~destroy ; tag=VB ; next=DT
~send => ~return ; tag=VB ; next=DT
~deposit <=> ~withdraw ; tag=VB
~lend <=> ~borrow ; tag=VB ; next=DT
~join => ~leave ; tag=VB ; next=DT,PRP$
~enter <=> ~leave ; tag=VB ; next=DT,PRP$
~connect <=> ~disconnect ; tag=VB
~plug in <=> ~unplug ; tag=VB
~log in <=> ~log out ; tag=VB
~sign in <=> ~sign out ; tag=VB
~upgrade <=> ~downgrade ; tag=VB
~increase <=> ~reduce ; tag=VB ; next=DT,PRP$,JJ,NN
~raise <=> ~lower ; tag=VB ; next=DT,PRP$,NN
~hire => ~fire ; tag=VB
~build => ~demolish ; tag=VB ; next=DT
~pack <=> ~unpack ; tag=VB ; next=DT,PRP$
~load <=> ~unload ; tag=VB ; next=DT,PRP$
~cover <=> ~uncover ; tag=VB ; next=DT,PRP$
~fill <=> ~empty ; tag=VB ; next=DT,PRP$
~attach <=> ~detach ; tag=VB
~follow => ~ignore ; tag=VB ; next=DT,PRP$
~allow <=> ~forbid ; tag=VB ; next=PRP,DT
~permit <=> ~prohibit ; tag=VB
~ban => ~permit ; tag=VB
~show <=> ~hide ; tag=VB ; next=DT,PRP$
~publish => ~withdraw ; tag=VB
~pick up => ~drop off|~put down ; tag=VB
~keep => ~throw away ; tag=VB ; next=PRP$
~throw away => ~keep ; tag=VB
~stay <=> ~leave ; tag=VB ; next=.
~come back => ~go away ; tag=VB
~wake up => ~go to sleep ; tag=VB ; next=.,IN
~get up => ~lie down ; tag=VB
~sit down => ~stand up ; tag=VB
~stand up => ~sit down ; tag=VB
~get on <=> ~get off ; tag=VB
~continue => ~stop ; tag=VB ; next=VBG,DT
~continue to => ~refuse to ; tag=VB ; next=VB
~finish <=> ~start ; tag=VB ; next=VBG,PRP$,DT
~stop => ~continue ; tag=VB ; next=VBG
~want to => do not want to ; tag=VBP ; next=VB
wants to => does not want to|refuses to ; next=VB
wanted to => did not want to|refused to ; next=VB
would like to => would hate to|do not want to ; next=VB ; before=i,we,they,you
would like to => refuses to ; next=VB ; before=he,she
'd like to => do not want to ; next=VB ; before=i,we,they,you
~decide to => ~refuse to ; tag=VBD ; next=VB
~agree to => ~refuse to ; tag=VB ; next=VB
~intend to => do not intend to ; tag=VBP ; next=VB
let 's => let's not ; next=VB
^ please => please do not ; next=VB
~love => ~hate ; tag=VB ; next=VBG,PRP$,DT
~enjoy => ~hate ; tag=VB
""")

CHANGES = (Change("intent", False, _TABLE.edit),)
