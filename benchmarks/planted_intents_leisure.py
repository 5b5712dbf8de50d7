"""Phrasings of the planted questions about pets, sports, music and parties.

A block is an intent, a line a phrasing. ``[can|can't]`` holds the words of the positive and of the negated question.
"""

INTENTS = """
# pets
Can my {pet} eat {ingredient}?
Is it safe to give {ingredient} to a {pet}?
My {pet} just swallowed some {ingredient}. Is it harmful?
Are {pet} owners supposed to keep {ingredient} away from their animal?
Will {ingredient} do a {pet} any harm?

How much does a vet in {city} charge to examine a {pet}?
What does a check-up for a {pet} cost at a vet's in {city}?
I need to have my {pet} looked at in {city}; what will the vet's bill be?
What should I expect to pay when a vet in {city} sees my {pet} for an examination?

Is it all right to leave my {pet} alone for {hours} hours at the age of {months} months?
My {pet} is {months} months old; can it stay on its own for {hours} hours?
May a {pet} of {months} months be by itself in the house for {hours} hours?
I am out for {hours} hours a day. Is that too long for a {pet} aged {months} months to be without company?

My {pet} has eaten nothing for {fewdays} days; what should I do?
What is the right thing to do when a {pet} has refused its food for {fewdays} days?
For {fewdays} days now my {pet} hasn't touched its food. How do I help it?
How should I react to a {pet} that has not been eating for {fewdays} days?

Why [does|doesn't] my {pet} like being picked up by my {childage}-year-old?
What is the reason that a {pet} [enjoys|doesn't enjoy] being lifted by a child of {childage}?
How come our {pet} [is|isn't] fond of it when a child aged {childage} picks it up?
My child of {childage} lifts up our {pet}, which it [likes|doesn't like]. Why is that?

How many grams of food a day does a {pet} of {months} months need?
My {pet} is {months} months old. What weight of food should it get daily?
What daily amount of food is right for a {pet} aged {months} months, in grams?
At {months} months, how much do I feed a {pet} every day?

# sports
What was the score of {team}'s home match against {team2} in {year}?
How did the {year} match end in which {team} hosted {team2}?
When {team2} came to play at {team} in {year}, what was the final result?
Does anyone remember the result of {team} at home to {team2} in {year}?

Can I train for a race of {kilometres} km in {weeks} weeks?
I have {weeks} weeks until a {kilometres} km run; is there enough time to get ready?
Are {weeks} weeks of preparation sufficient for running {kilometres} km?
Is it realistic to be fit for a {kilometres} km race {weeks} weeks from now?

How much are tickets for the {team} game on {date}?
What does it cost to watch {team} play on {date}?
I want to see {team} on {date}. What is the price of a seat?
What do I have to pay to get into the {team} match on {date}?

Is {age} too old to take up {sport} in {city}?
Can I still start {sport} at {age} somewhere in {city}?
I'm {age} and living in {city}; is it too late to begin {sport}?
Does it make sense for someone aged {age} to begin with {sport} in {city}?

Why [is|isn't] {person} playing for {team} on {date}?
What is the reason that {person} [will|won't] be on the field with {team} on {date}?
How come {team} [have|haven't] picked {person} for the match on {date}?
{person} [is|isn't] in the {team} squad for {date}. Why?

How many calories do {minutes} minutes of {sport} burn at the age of {age}?
I'm {age}. What does {sport} for {minutes} minutes use up in calories?
As someone aged {age}, how much energy in calories do I burn when I do {sport} for {minutes} minutes?
What number of calories does a person of {age} lose through {minutes} minutes of {sport}?

Where can I rent equipment for {sport} in {city} for {days} days?
Which shop in {city} lends out {sport} gear for {days} days?
I need {sport} equipment for {days} days during my stay in {city}; who hires it out?
Is there a place in {city} at which I can get {sport} kit on loan for {days} days?

How do I warm up my {bodypart} before {sport}?
Which exercises get the {bodypart} ready for {sport}?
I'm about to do {sport}. What is a good warm-up for the {bodypart}?
What should I do to loosen the {bodypart} prior to {sport}?

Why [should|shouldn't] I do {sport} with a sore {bodypart}?
What is the reason that {sport} [is|isn't] good for someone whose {bodypart} hurts?
My trainer says [to|not to] go on with {sport} while the {bodypart} is sore. Why?
How come {sport} [is|isn't] recommended when you have pain in the {bodypart}?

At what age can a child join the {sport} club of {city}, and what does {months} months cost?
What is the minimum age and the price for {months} months at the {sport} club in {city}?
From which age does the {city} {sport} club take children, and how much is it for {months} months?
I'd like to sign up my child for {sport} in {city}: how old must children be, and what are the fees for {months} months?

# music
Can I learn the {instrument} at {age} without reading music?
I'm {age} and cannot read notes; is it possible to take up the {instrument}?
Is being able to read music necessary to start the {instrument} at the age of {age}?
Could a person of {age} who doesn't read music learn to play the {instrument}?

What does it cost to rent a {instrument} for {months} months in {city}?
How much do shops in {city} want for lending me a {instrument} for {months} months?
I need a {instrument} on loan for {months} months in {city}; what is the price?
What would I pay in {city} if I hired a {instrument} for {months} months?

How do I transpose a {instrument} part down by {semitones} semitones in {notation}?
In {notation}, what is the way to lower the notes of a {instrument} part by {semitones} semitones?
I have a {instrument} part that needs to sound {semitones} semitones lower; how is this done in {notation}?
How can {notation} shift the {instrument} voice {semitones} semitones downwards?

Is the concert of {person} in {city} on {date} sold out?
Are there any tickets left for {person} in {city} on {date}?
Can I still get a seat for {person}'s {date} concert in {city}?
I'd love to hear {person} live in {city} on {date}; are tickets still to be had?

Where in {city} can an adult take {instrument} lessons for less than {amount} a month?
I'm looking for a {instrument} teacher for adults in {city} who charges under {amount} a month. Who is there?
Which music schools in {city} teach grown-ups the {instrument} for below {amount} a month?
Who in {city} gives adults {instrument} lessons at a monthly price under {amount}?

Until what time on {weekday}s may I play the {instrument} in a flat in {city}?
When do I have to stop practising the {instrument} on a {weekday} in my {city} flat?
How late is {instrument} playing allowed in {city} flats on {weekday}s?
I live in a block of flats in {city}. Up to which hour can I practise the {instrument} on a {weekday}?

What was the first album that {person} released after {year}?
Which record by {person} was the first to come out later than {year}?
After {year}, with which album did {person} come back first?
Can someone name the earliest {person} album that is newer than {year}?

Which songs [does|doesn't] {person} play on the {comingyear} tour?
What songs [are|aren't] in the set of {person}'s {comingyear} tour?
I'm going to see {person} in {comingyear}. Which songs [will|won't] be performed on the tour?
Can anyone list the songs that {person} [sings|doesn't sing] on tour in {comingyear}?

How well can I play the {instrument} after {months} months with {hours} hours of practice a week?
I practise the {instrument} {hours} hours a week; how good will I be in {months} months?
What level do {instrument} beginners reach in {months} months if they practise for {hours} hours weekly?
With {hours} hours a week at the {instrument}, where will I stand after {months} months?

# parties
How many litres of {drink} do I need for {guests} guests and {hours} hours?
I'm throwing a party of {hours} hours for {guests} people; what amount of {drink} should I buy?
What quantity of {drink} will {guests} guests drink in {hours} hours?
For a do with {guests} people that lasts {hours} hours, how much {drink} should be in the house?

What does it cost to hire a hall for {guests} people in {city} on a {weekday}?
How much is the rent of a room for {guests} guests in {city} on {weekday}s?
I need a venue in {city} that takes {guests} people on a {weekday}. What price should I reckon with?
What would a hall in {city} with space for {guests} set me back on a {weekday}?

How do I politely turn down {person}'s invitation for {date}?
{person} has invited me on {date} and I can't come; how should I say so nicely?
What is a friendly way of telling {person} that I won't be there on {date}?
I don't want to offend {person}. How do I decline an invitation for {date}?

What is a good present for {relative}, who is turning {age} and likes {hobby}?
I'm looking for a gift for {relative}: {age} next week, mad about {hobby}. Any ideas?
What could I give {relative} on birthday number {age}, given a love of {hobby}?
Which present would suit {relative}, nearly {age} and keen on {hobby}?

How long should a speech be at {person}'s birthday with {guests} guests?
I have to give a talk on {person}'s birthday in front of {guests} people; how many minutes are right?
What is a suitable length for a birthday speech about {person} when {guests} guests are there?
For how long may I speak at the birthday of {person} if {guests} people are listening?

Who [is|isn't] coming to {person}'s party on {date}?
Which people [will|won't] be at the party that {person} gives on {date}?
Can you tell me who [has|hasn't] accepted {person}'s invitation to the party on {date}?
{person} is having a party on {date}. Which of us [are|aren't] going?
"""
