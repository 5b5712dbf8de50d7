"""Tables of made-up help-desk tickets, in pairs with labels from 0 to 1, for the tutorial on decisions.

A ticket is a problem in one of four wordings, with a place or not. The label of a pair follows from what its tickets
are about, with some noise, and wordings are chosen at random: pairs of the same problem may share no word, and pairs
of different problems many. Run it in this folder to write the tables again.
"""

import csv
import random
from typing import NamedTuple

PROBLEMS = {
    "vpn": (
        (
            "The VPN drops every few minutes",
            "I lose the VPN connection all the time",
            "Remote access keeps disconnecting",
            "My tunnel to the office network breaks off again and again",
        ),
        (
            "The VPN does not accept my password",
            "Remote access says my password is wrong",
            "I cannot sign in to the VPN, it rejects my credentials",
            "Login to the office tunnel fails with wrong password",
        ),
        (
            "The VPN is very slow",
            "Remote access crawls, every page takes a minute",
            "Working over the VPN has become painfully slow",
            "File transfers through the office tunnel take forever",
        ),
        (
            "I need VPN access for a contractor",
            "Please set up remote access for an external colleague",
            "A freelancer of ours has no VPN account yet",
            "Could an outside consultant get into the office network?",
        ),
    ),
    "printer": (
        (
            "The printer jams on every second page",
            "Paper gets stuck in the printer",
            "We have a paper jam again",
            "The printing device keeps chewing up sheets",
        ),
        (
            "The printer prints only blank pages",
            "Everything I print comes out white",
            "Printouts are empty",
            "The printing device returns sheets with nothing on them",
        ),
        (
            "The printer is out of toner",
            "Please bring a new cartridge for the printer",
            "The toner is empty",
            "Printouts are getting pale and the display asks for toner",
        ),
        (
            "The printer is not found by my laptop",
            "I cannot add the printer on my computer",
            "My notebook does not see the printing device",
            "The printer has vanished from the list of devices",
        ),
    ),
    "mail": (
        (
            "I cannot send e-mails with attachments",
            "Messages with files attached stay in the outbox",
            "Mails that carry a document do not go out",
            "Outlook refuses to send anything with an attachment",
        ),
        (
            "I do not receive any e-mails",
            "No messages arrive in my inbox",
            "My inbox stays empty although people write to me",
            "Incoming mails do not reach me",
        ),
        (
            "My mailbox is full",
            "Outlook says that the mailbox has reached its limit",
            "I need more space for e-mails",
            "The quota of my inbox is used up",
        ),
        (
            "I got a suspicious e-mail asking for my password",
            "Somebody sent me a phishing message",
            "A strange mail wants me to enter my login on a web page",
            "I think that a message in my inbox is a scam",
        ),
    ),
    "laptop": (
        (
            "My laptop does not start",
            "The notebook stays dark when I press the power button",
            "My computer will not boot",
            "Nothing happens when I switch on my laptop",
        ),
        (
            "The battery of my laptop lasts only half an hour",
            "My notebook runs out of power within minutes",
            "The laptop battery drains far too fast",
            "I have to keep my computer plugged in, the battery is worn out",
        ),
        (
            "My laptop is very slow",
            "The notebook takes ages to open a file",
            "My computer freezes for seconds all the time",
            "Everything on my laptop crawls",
        ),
        (
            "The screen of my laptop flickers",
            "My notebook display blinks",
            "The picture on my computer jumps and goes black for a moment",
            "There are flashing lines on the laptop screen",
        ),
    ),
    "wifi": (
        (
            "There is no Wi-Fi",
            "The wireless network is gone",
            "Nobody can connect to the WLAN",
            "My laptop finds no wireless signal",
        ),
        (
            "The Wi-Fi is very slow",
            "Pages load slowly over the wireless network",
            "The WLAN crawls when the office is full",
            "Wireless speed is far too low for video calls",
        ),
        (
            "I need the Wi-Fi password for a guest",
            "How do visitors get into the wireless network?",
            "Please give a guest of ours access to the WLAN",
            "A customer needs wireless internet for a day",
        ),
        (
            "The Wi-Fi drops during calls",
            "I lose the wireless connection again and again",
            "The WLAN disconnects every few minutes",
            "Meetings break off because the wireless network fails",
        ),
    ),
    "account": (
        (
            "I forgot my password",
            "Please reset my password",
            "I do not remember my login any more",
            "I need a new password for my account",
        ),
        (
            "My account is locked",
            "I am locked out after three attempts",
            "The login page says that my user is blocked",
            "Please unlock my user",
        ),
        (
            "The code for the second factor does not arrive",
            "I get no text message with the login code",
            "Two-step sign-in fails because no code comes",
            "My authentication code never shows up",
        ),
        (
            "A new colleague needs an account",
            "Please create a user for our trainee",
            "Somebody starts with us and has no login yet",
            "We need accounts for two new employees",
        ),
    ),
    "drive": (
        (
            "I cannot open the shared drive",
            "Access to the team folder is denied",
            "The network share says that I have no permission",
            "I have lost my rights on our common folder",
        ),
        (
            "I deleted a folder on the shared drive by mistake",
            "Please restore a file from the team folder",
            "A document on the network share has disappeared, is there a backup?",
            "Can you bring back files that I removed by accident?",
        ),
        (
            "The shared drive is full",
            "There is no space left on the team folder",
            "I cannot save files, the network share has run out of space",
            "Our common folder needs more gigabytes",
        ),
        (
            "A file on the shared drive is locked by another user",
            "The spreadsheet opens as read-only because somebody else has it open",
            "I cannot edit a document in the team folder, it is in use",
            "The network share says that the file is being used",
        ),
    ),
    "room": (
        (
            "The projector shows no picture",
            "The beamer stays dark",
            "There is no image on the wall when I connect my laptop",
            "The projector does not find a signal",
        ),
        (
            "The microphone in the meeting room does not work",
            "People on the call cannot hear us",
            "The conference microphone is dead",
            "Remote participants get no sound from our room",
        ),
        (
            "I cannot book a meeting room",
            "The room calendar refuses my booking",
            "Reserving a room fails with an error",
            "The booking page for rooms does not load",
        ),
        (
            "The screen for video calls has frozen",
            "The conference display hangs",
            "The meeting screen does not react to touch",
            "The video system is stuck on the start page",
        ),
    ),
}
PLACES = ("on floor 2", "on floor 3", "in room 214", "in room 241", "in building A", "in building B")
OPENINGS = ("", "", "", "Hello, ", "Urgent: ", "Hi team, ", "Once more: ")
ENDINGS = (".", ".", "!", ". Please help.", ", since yesterday.", ", since the update.", ". Thank you.")
HEADER = ("id", "ticket", "earlier", "label")


class Ticket(NamedTuple):
    """Problem that a ticket is about, and its text."""

    topic: str
    problem: int
    place: str
    text: str


def ticket(draw: random.Random, topic: str, problem: int, number: int) -> Ticket:
    """Return a ticket about a problem, in one of its four wordings."""
    wording = PROBLEMS[topic][problem][number]
    place = draw.choice(PLACES) if draw.random() < 0.3 else ""
    question = wording.endswith("?")
    body = " ".join(filter(None, [wording.rstrip("?"), place]))
    opening = draw.choice(OPENINGS)
    if opening.endswith(", ") and not body.startswith(("I ", "VPN", "Outlook")):
        body = body[0].lower() + body[1:]
    return Ticket(topic, problem, place, opening + body + ("?" if question else draw.choice(ENDINGS)))


def label(draw: random.Random, one: Ticket, two: Ticket) -> float:
    """Return how far one answer would serve both tickets, as the mean of a few people would say, 0 to 1."""
    if one.topic != two.topic:
        true = 0.04
    elif one.problem != two.problem:
        true = 0.3
    else:
        true = 0.72 if one.place and two.place and one.place != two.place else 0.95
    return round(min(max(draw.gauss(true, 0.07), 0.0), 1.0), 2)


def pairs(draw: random.Random, count: int, alike: float) -> list[tuple[Ticket, Ticket]]:
    """Return pairs of tickets; a share of them are of one problem, as many of the others of one topic as of two."""
    found: list[tuple[Ticket, Ticket]] = []
    while len(found) < count:
        topic, problem = draw.choice(list(PROBLEMS)), draw.randrange(4)
        other_topic, other = topic, problem
        if draw.random() > alike:
            other = (problem + draw.randint(1, 3)) % 4
            other_topic = topic if draw.random() < 0.4 else draw.choice([each for each in PROBLEMS if each != topic])
        number = draw.randrange(4)
        repeated = other == problem and draw.random() < 0.4
        one = ticket(draw, topic, problem, number)
        two = ticket(draw, other_topic, other, number if repeated else draw.randrange(4))
        if one.text != two.text:
            found.append((one, two))
    return found


def write(name: str, seed: int, count: int, alike: float, labelled: bool) -> None:
    """Write a table of so many pairs, with labels or without."""
    draw = random.Random(seed)
    with open(name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER if labelled else HEADER[:3])
        for place, (one, two) in enumerate(pairs(draw, count, alike), 1):
            row = [f"{seed}{place:04}", one.text, two.text]
            writer.writerow([*row, label(draw, one, two)] if labelled else row)


def write_tables() -> None:
    """Write the tables of the tutorial into the current folder."""
    write("tickets.csv", seed=1, count=1200, alike=0.4, labelled=True)
    write("tickets-new.csv", seed=2, count=200, alike=0.4, labelled=False)
    write("tickets-other.csv", seed=3, count=200, alike=0.02, labelled=False)


if __name__ == "__main__":
    write_tables()
