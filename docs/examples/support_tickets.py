"""Support tickets: find the known problem that a new ticket is about, and leave the others to people."""

import samewise

KNOWN = {
    "VPN": "The VPN connection is lost again and again.",
    "printer": "The printer shows a paper jam, but there is no paper inside.",
    "password": "I have forgotten my password and cannot log in.",
    "mailbox": "My mailbox is full and I cannot receive mail.",
}
TICKETS = [
    "I can't log in because I forgot my password.",
    "The printer reports a paper jam although no paper is in it.",
    "Please order a second monitor for my desk.",
]

found = samewise.match(TICKETS, list(KNOWN.values()), model="full", top=1, probability_of=3)
problems, texts = list(KNOWN), list(KNOWN.values())
matches = {row["sentence1"]: row for row in found.to_pylist()}
for ticket in TICKETS:
    if ticket in matches:
        row = matches[ticket]
        print(f"{problems[texts.index(row['sentence2'])]:9} {row['score']:.1f}  {ticket}")
    else:
        print(f"{'(people)':9}      {ticket}")
