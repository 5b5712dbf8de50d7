"""Phrasings of the planted questions about banks, law, insurance, health at work, jobs and public services.

A block is an intent, a line a phrasing. ``[can|can't]`` holds the words of the positive and of the negated question.
"""

INTENTS = """
# banking
How long does a transfer of {amount} from {bank} to {bank2} take?
I've sent {amount} from my {bank} account to one at {bank2}; when will it be there?
After how many days does {amount} arrive at {bank2} if {bank} sends it?
When I move {amount} out of {bank} and into {bank2}, what is the waiting time?

What does {bank} charge when I withdraw {amount} in {country}?
How high is the {bank} fee for taking {amount} from a cash machine in {country}?
I'm in {country} and need {amount} in cash; what will {bank} deduct for it?
If I get {amount} out of an ATM in {country} with my {bank} card, how much does it cost me?

Why [did|didn't] {bank} take {amount} from my account on {date}?
For what reason [was|wasn't] {amount} debited by {bank} on {date}?
My {bank} statement [shows|doesn't show] a debit of {amount} on {date}. How come?
Can you explain why {amount} [has|hasn't] gone from my {bank} account on {date}?

How do I raise the daily limit of my {bank} card to {amount}?
I'd like to spend up to {amount} a day with my {bank} card; where do I change that?
What must I do so that {bank} lets me use {amount} per day on my card?
Where can I set the maximum per day on a {bank} card to {amount}?

My {bank} card was stolen in {city} on {date}; how do I block it?
How can I have a {bank} card frozen that a thief took in {city} on {date}?
On {date} somebody in {city} ran off with my {bank} card. What is the way to get it blocked?
What number do I ring to stop the {bank} card that was taken from me in {city} on {date}?

What is the monthly payment on a mortgage of {fortune} over {years} years at {rate}%?
If I borrow {fortune} at {rate}% for a house and pay it off in {years} years, how much is due each month?
How much would I pay per month for a {fortune} home loan with {rate}% interest that runs {years} years?
With {rate}% interest and a term of {years} years, what does a mortgage of {fortune} cost monthly?

How much interest would {amount} earn at {bank} in {months} months?
I want to leave {amount} at {bank} for {months} months; what interest will I get?
What does {bank} pay in interest on savings of {amount} over {months} months?
If {amount} sits in a {bank} savings account for {months} months, by how much does it grow?

I don't recognise a payment of {amount} to {firm} on {date}; how do I dispute it?
How can I contest a charge of {amount} from {firm} dated {date} that I know nothing about?
{firm} took {amount} on {date}, and I never agreed to that. How do I object to the payment?
What is the procedure for challenging an unknown debit of {amount} by {firm} on {date}?

Can I add {person} to my account at {bank}?
Is it possible to make {person} a joint holder of my {bank} account?
I would like {person} to share my account with {bank}; does the bank allow that?
Would {bank} let {person} become the second owner of my current account?

Is there a penalty at {bank} if I pay off a loan of {amount} {months} months early?
Does {bank} ask for a fee when I repay my {amount} loan {months} months before the end?
I can clear my {bank} loan of {amount} {months} months ahead of time. Will that cost me extra?
Do I lose money if I settle a {amount} loan from {bank} {months} months sooner than agreed?

How many {currency} did I get for {amount} on {date} {recentyear}?
What was {amount} worth in {currency} on {date} {recentyear}?
If I had changed {amount} into {currency} on {date} {recentyear}, what would I have received?
On {date} {recentyear}, how much was {amount} when converted to {currency}?

How do I cancel the direct debit of {amount} to {firm}?
I want to stop the {amount} that goes to {firm} by direct debit; where do I do this?
What is the way to end a direct debit that pays {firm} {amount}?
{firm} collects {amount} from me by direct debit. How can I put an end to it?

# law
My landlord in {city} is keeping {amount} of my deposit; what can I do?
How do I get back {amount} of deposit from a landlord in {city} who won't pay?
What are my options when a {city} landlord refuses to return {amount} of the deposit?
I moved out of a flat in {city} and {amount} of my deposit has not been repaid. How should I proceed?

How many months of notice must a tenant of {years} years give in {country}?
I've rented my flat in {country} for {years} years; what is my notice period?
After {years} years in a rented flat in {country}, how far in advance do I have to give notice?
What notice period does the law of {country} lay down for someone who has been a tenant for {years} years?

Why [is|isn't] my landlord allowed to raise the rent by {percent}% in {city}?
On what grounds [can|can't] a landlord in {city} put up the rent by {percent}%?
For what reason is a rent increase of {percent}% [legal|not legal] in {city}?
I rent a flat in {city}. How come the law [permits|doesn't permit] the owner to ask {percent}% more?

How much inheritance tax is due on {fortune} in {country}?
I've inherited {fortune} in {country}; what will the tax be?
What does someone who inherits {fortune} have to pay the tax office in {country}?
If a relative in {country} leaves me {fortune}, how much goes to the state as inheritance tax?

Can I sue {firm} for {amount} without a lawyer?
Do I need a lawyer to take {firm} to court over {amount}?
Is it possible to bring a claim of {amount} against {firm} on my own, with no legal counsel?
{firm} owes me {amount}. May I go to court without hiring a solicitor?

Is a will that {person} wrote by hand in {year} still valid in {country}?
Does {country} accept a handwritten will of {person} from {year}?
{person} left a will written by hand in {year}. Does it count in {country}?
In {country}, would the courts recognise the handwritten {year} will of {person}?

How do I appeal against a parking fine of {amount} from {city}?
The city of {city} wants {amount} for a parking ticket; how can I contest it?
What is the way to challenge a {amount} parking penalty issued in {city}?
I got a parking ticket of {amount} in {city} and think it's wrong. Where do I object?

When is the tax return for {recentyear} due in {country}?
What is the deadline for filing {recentyear} taxes in {country}?
By which date must I hand in my {country} tax return for the year {recentyear}?
Until what day does the tax office in {country} accept returns for {recentyear}?

Can I deduct {amount} for {officeitem} from my taxes in {country}?
Is {officeitem} costing {amount} tax-deductible in {country}?
I paid {amount} for {officeitem}; does the tax office in {country} accept that as a work expense?
In {country}, may I set off {officeitem} at {amount} against tax?

Is my contract with {firm} void if {person} never signed it?
{person} has not signed my contract with {firm}; is it still binding?
Does an agreement between me and {firm} hold without the signature of {person}?
What is the legal force of a {firm} contract that lacks {person}'s signature?

When does the copyright of {person}, who died in {year}, expire in {country}?
{person} died in {year}; from when are the works free to use in {country}?
Until what year are the works of {person}, dead since {year}, protected in {country}?
In {country}, how long does copyright last for an author like {person} with {year} as the year of death?

What does it cost to register a company with {people} partners in {country}?
We are {people} founders; how much is it to set up a firm in {country}?
How expensive is the registration of a business in {country} that has {people} owners?
What fees should {people} partners expect when they found a company in {country}?

# insurance
Why [does|doesn't] my {insurer} policy pay {amount} for {damage}?
For what reason [will|won't] {insurer} give me {amount} for {damage}?
How come {damage} of {amount} [is|isn't] covered by {insurer}?
I have a policy with {insurer}. Why [is|isn't] a claim of {amount} for {damage} accepted?

How do I report {damage} to {insurer} that happened on {date}?
What do I have to send {insurer} in order to claim for {damage} on {date}?
I want to make a claim with {insurer} for {damage}, dated {date}; what are the steps?
My claim is about {damage} on {date}. How should I notify {insurer}?

How much does {insurer} charge to insure a {year} {car}?
What is the premium for a {car} from {year} at {insurer}?
I drive a {car} built in {year}; what would I pay {insurer} for cover?
If {insurer} insures my {year} {car}, what will it cost me?

Is there a waiting period of {months} months before {insurer} pays for {operation}?
Do I have to be insured with {insurer} for {months} months before {operation} is covered?
I joined {insurer} {months} months ago; would they already pay for {operation}?
Must {months} months go by at {insurer} until the costs of {operation} are met?

# health at work
Do I need a doctor's note for {firm} if I am off sick for {days} days?
I've been ill for {days} days; does {firm} want to see a medical certificate?
After {days} days of sickness, must employees of {firm} hand in a note from their doctor?
Is a sick note required at {firm} when I miss work for {days} days?

My {bodypart} hurts after {hours} hours at the computer; what should I change?
What can I do about pain in the {bodypart} from working at a screen for {hours} hours?
I type for {hours} hours a day and my {bodypart} aches. How should I set up my desk?
How do I avoid a sore {bodypart} when {hours} hours of computer work are part of my day?

How high should a desk be for someone {height} cm tall who works {hours} hours?
I am {height} cm tall and sit for {hours} hours; what desk height is right?
What is the proper height of a desk used {hours} hours a day by a person of {height} cm?
To what height do I adjust my desk if I measure {height} cm and work {hours} hours at it?

How long after taking {milligrams} mg of {medicine} can I drive?
I took {milligrams} mg of {medicine}; when is it safe to get behind the wheel?
After a dose of {milligrams} mg of {medicine}, what time must pass before I drive a car?
For how many hours should I leave the car alone once I've had {milligrams} mg of {medicine}?

Can I take {milligrams} mg of {medicine} a day for {weeks} weeks?
Is it harmful to be on {milligrams} mg of {medicine} daily over {weeks} weeks?
My plan is {weeks} weeks of {medicine} at {milligrams} mg per day; is that safe?
Is a daily {milligrams} mg of {medicine} all right for a period of {weeks} weeks?

I had my last {vaccine} jab in {year}; do I need a booster as {job}?
Working as {job}, should I have my {vaccine} vaccination from {year} refreshed?
My {vaccine} vaccination dates from {year}. Is it time for another one if I work as {job}?
Does {job} who was vaccinated against {vaccine} in {year} require a booster?

How many weeks after {operation} can I return to work as {job}?
I'm going to have {operation}; when may I be back at my job as {job}?
How long is {job} off work following {operation}?
What recovery time does {operation} need before I can work as {job} again?

Do I have to wear ear protection at {decibels} decibels as {job}?
I work as {job} in a noise of {decibels} decibels; is hearing protection compulsory?
Are earmuffs required for {job} when the noise reaches {decibels} decibels?
At {decibels} decibels, must {job} protect his or her ears by law?

Is it safe to lift {kilos} kg at work when I am {weeks} weeks pregnant?
I'm in week {weeks} of my pregnancy; may I carry loads of {kilos} kg on the job?
Can a woman who is {weeks} weeks pregnant handle {kilos} kg at her workplace without risk?
Would lifting {kilos} kg during working hours be a danger at {weeks} weeks of pregnancy?

What breaks am I entitled to on a shift of {hours} hours in {country}?
I work {hours} hours at a stretch in {country}; how much rest must I be given?
How long are the statutory breaks in {country} if a shift lasts {hours} hours?
Which pauses does the law of {country} prescribe for {hours} hours of work?

My {childage}-year-old has had a fever of {fever} for {fewdays} days; should we see a doctor?
Is it time to go to the doctor when a child of {childage} has run a temperature of {fever} for {fewdays} days?
Our child, {childage} years old, has been at {fever} degrees for {fewdays} days. Do we need medical help?
Should a temperature of {fever} over {fewdays} days in a child aged {childage} be looked at by a doctor?

Why [can|can't] I work from home after {operation} at {firm}?
For what reason [does|doesn't] {firm} let me do my work at home following {operation}?
How come home working [is|isn't] an option at {firm} for people who have had {operation}?
I had {operation}. Why [can|can't] I stay at home and work for {firm} from there?

# jobs
How many holiday days does {person} have left for {recentyear}?
What is left of {person}'s annual leave in {recentyear}?
How much of the {recentyear} leave has {person} not yet taken, in days?
Can you tell me the number of vacation days that {person} may still take in {recentyear}?

What will they ask me in an interview at {firm} for a post as {job}?
I've been invited to {firm} for a job as {job}; which questions should I prepare for?
Which interview questions does {firm} put to someone who applies as {job}?
I'm applying to be {job} with {firm}. What comes up in the interview?

What does {job} with {years} years of experience earn in {city}?
How much is the salary in {city} for {job} who has worked {years} years?
I've spent {years} years as {job}; what pay can I expect in {city}?
What is a normal wage in {city} for {job} after {years} years in the trade?

Can we move the meeting with {person} to {weekday} at {officehour}?
Is it possible to see {person} on {weekday} at {officehour} instead of the agreed time?
Would {weekday} at {officehour} work as a new time for our appointment with {person}?
I'd like to reschedule the meeting with {person}; is {weekday}, {officehour}, all right?

Has {person}'s expense claim of {amount} been approved?
Did anyone sign off the {amount} of expenses that {person} handed in?
{person} claimed {amount} in expenses. Is the approval through?
Have the expenses of {amount} submitted by {person} been accepted?

What does {person} need to bring on the first day as {job} at {firm}?
{person} starts at {firm} as {job}; which things have to be brought along on day one?
Which documents and equipment must {person} have on joining {firm} as {job}?
When {person} begins work at {firm} as {job}, what should be taken along on the first day?

How do I tell {person} that I am leaving {firm} after {years} years?
After {years} years I'm quitting {firm}; what is a good way to break it to {person}?
What do I say to {person} when I resign from {firm} after {years} years there?
I've been at {firm} for {years} years and want to hand in my notice to {person}. How should I put it?

Which colleagues in {city} [have|haven't] signed the {recentyear} safety form?
Who in the {city} office [has|hasn't] put a signature under the {recentyear} safety form?
I need the names of those in {city} whose {recentyear} safety form [is|isn't] signed.
On whose {recentyear} safety form from {city} [is there a|is there no] signature?

Who stands in for {person} in the {city} office until {date}?
Whom do I contact in {city} while {person} is away until {date}?
{person} is out until {date}; who is the deputy at the {city} office?
Which colleague in {city} takes over {person}'s work up to {date}?

How do I get from {person} a reference for my {years} years at {firm}?
What is the best way to ask {person} for a letter of reference about {years} years with {firm}?
I worked at {firm} for {years} years and need {person} to write me a reference; how do I go about it?
How can I persuade {person} to put my {years} years at {firm} into a reference letter?

Where can I train to become {job} at the age of {age} in {country}?
I am {age} and want to retrain as {job}; which places in {country} offer that?
Which schools in {country} accept a person of {age} for training as {job}?
In {country}, who trains people who at {age} decide to be {job}?

# public services
How long does a new passport take in {city} if I apply in {month}?
When will I have my new passport if I apply for it in {city} in {month}?
I'm applying for a passport in {city} in {month}; what is the waiting time?
What number of weeks should I allow for a passport from the {city} office in {month}?

I'm moving from {city} to {city2} on {date}; whom do I have to inform?
Which authorities need to know that I'm leaving {city} to live in {city2} from {date}?
Who must be told about my move to {city2} from {city} on {date}?
On {date} my home changes from {city} to {city2}. What offices do I notify?

Who [can|can't] vote in the {recentyear} election in {city}?
Which residents of {city} [are|aren't] entitled to vote in the {recentyear} election?
I need to know what groups of people [may|may not] take part in the {recentyear} election in {city}.
For whom [is there a|is there no] right to vote in {city} in the {recentyear} election?

At what time does the town hall in {city} close on {date}?
Until when is the {city} town hall open on {date}?
I have to go to the town hall in {city} on {date}; what is its closing time?
How late can I still get into the town hall of {city} on {date}?

How do I find the birth certificate of {person}, born in {city} in {year}?
{person} was born in {city} in {year}; where do I obtain the birth certificate?
Which office has the record of {person}'s birth in {city} in {year}, and how do I get a copy?
I need a copy of the birth certificate for {person} ({city}, {year}). How is it ordered?

Why [was|wasn't] the road to {city} closed on {date}?
What is the reason that the {city} road [was|wasn't] shut to traffic on {date}?
How come the police [closed|didn't close] the road leading to {city} on {date}?
Can you tell me why cars [were|weren't] kept off the road to {city} on {date}?
"""
