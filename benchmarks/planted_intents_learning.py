"""Phrasings of the planted questions about school, university, software and programming.

A block is an intent, a line a phrasing. ``[can|can't]`` holds the words of the positive and of the negated question.
"""

INTENTS = """
# school and university
Can I retake the {subject} exam at the University of {city} in {month}?
I failed {subject} at the University of {city}; is there another exam in {month}?
Does the University of {city} let students sit the {subject} exam again in {month}?
Is it possible to repeat in {month} the {subject} exam that I failed at the University of {city}?

Is an essay of {words} words on {topic} too long for a limit of {childage} pages?
My text about {topic} has {words} words; does it exceed {childage} pages?
The limit is {childage} pages and my essay on {topic} comes to {words} words. Will I go over it?
Do {words} words on {topic} take up more than the {childage} pages allowed?

What does a master's degree in {subject} cost at the University of {city}?
How high are the tuition fees for a master's in {subject} at the University of {city}?
I'd like to do a master's in {subject} in {city}; what would the university charge me?
How much do I have to pay the University of {city} for a {subject} master's programme?

What marks do I need to study {subject} in {city} from {comingyear}?
Which grades does the university in {city} require for {subject} in {comingyear}?
I want to start {subject} in {city} in {comingyear}; how good must my school results be?
How high is the entry grade for {subject} at {city} in the {comingyear} intake?

Which {subject} topics [are|aren't] in the exam on {date}?
What parts of {subject} [do|don't] I have to know for the exam on {date}?
In the {date} exam, which areas of {subject} [will|won't] be tested?
Can someone list the {subject} chapters that [are|aren't] covered by the exam on {date}?

How do I explain {mathtopic} to a child of {childage} in {minutes} minutes?
What is an easy way to get {mathtopic} across to a {childage}-year-old in {minutes} minutes?
My {childage}-year-old doesn't understand {mathtopic}; how can I teach it in {minutes} minutes?
I've {minutes} minutes to make {mathtopic} clear to a child aged {childage}. How should I do it?

How many months does a speaker of {language} need to learn {language2}?
My mother tongue is {language}. How many months will it take me to learn {language2}?
If someone speaks {language}, after how many months of study do they know {language2}?
What time, in months, should native {language} speakers plan for learning {language2}?

How do I cite a {year} book by {person} in a {subject} paper?
What does the reference to a book that {person} published in {year} look like in {subject}?
I'm quoting a book of {person} from {year} in my {subject} paper; what is the correct citation?
In {subject}, what is the right form for citing {person}'s book of {year}?

Are there scholarships for students from {country} at the University of {city}?
I come from {country}; can I get a grant to study at the University of {city}?
Does the University of {city} give financial support to students who come from {country}?
Is any scholarship at the University of {city} open to applicants from {country}?

{person} will miss school from {date} for {days} days; who do I tell?
Whom should I inform that {person} is absent from class for {days} days beginning on {date}?
My child {person} can't go to school for {days} days from {date}. Who needs to know?
To whom do I report that {person} won't be in school for {days} days as of {date}?

How long should I revise for a {subject} exam that covers {pages} pages?
I have {pages} pages of {subject} to learn; how much time before the exam should I begin?
How many weeks of study does a {subject} exam on {pages} pages need?
The {subject} exam is about {pages} pages. What amount of time should I plan for revision?

Who teaches {subject} to the evening class in {city} on {weekday}s?
What is the name of the teacher of the {weekday} evening class in {subject} in {city}?
In {city} there is an evening class in {subject} on {weekday}s. Who gives it?
Which lecturer runs the {city} evening course in {subject} each {weekday}?

Why [was|wasn't] {person} given a place to study {subject} in {city}?
For what reason [did|didn't] {city} admit {person} to its {subject} course?
How come {person} [got|didn't get] into {subject} at the university in {city}?
What explains that the application of {person} for {subject} in {city} [succeeded|didn't succeed]?

How many people studied {subject} at the University of {city} in {year}?
What was the number of {subject} students at the University of {city} in {year}?
In {year}, how large was the student body in {subject} at the University of {city}?
Does anyone know how many students the University of {city} had in {subject} in {year}?

Can I take {subject} and a {language} course at the same time in {city}?
Is it possible in {city} to study {subject} while doing a course in {language}?
Does the timetable in {city} leave room for {language} lessons next to {subject}?
I'm enrolled for {subject} in {city}; may I attend classes in {language} alongside?

Where can I find a {language} tutor in {city} for under {amount} a month?
I'd like private {language} lessons in {city} that cost less than {amount} a month; who offers them?
Who gives one-to-one lessons in {language} in {city} for a monthly fee below {amount}?
With no more than {amount} a month to spend, how do I get a private {language} teacher in {city}?

Which {language} textbook suits a class of {people} pupils aged {childage}?
I teach {language} to {people} children of {childage}; what textbook should I use?
What is a good {language} coursebook for {people} learners who are {childage} years old?
Can you recommend a textbook for teaching {language} to {people} pupils at the age of {childage}?

How do you say "{guests} guests are coming on {date}" in {language}?
What is the {language} translation of "{guests} guests are coming on {date}"?
Can anybody translate the sentence "{guests} guests are coming on {date}" into {language}?
I need "{guests} guests are coming on {date}" in {language}. How does it go?

# software
How do I open a file of {program} in {program2} on {system}?
On {system}, what is the way to load something made with {program} into {program2}?
I was sent a {program} file and only have {program2} on {system}; how can I view it there?
How can {program2} under {system} be made to read files that come from {program}?

How can I save a document from {program} {version} as {format}?
In {program} {version}, where do I find the export to {format}?
I need {format} output from {program} {version}. How is that done?
What are the steps for turning my {program} {version} document into {format}?

{program} crashes when I open files bigger than {megabytes} MB; how do I stop that?
What can I do about {program} crashing on files over {megabytes} MB?
How do I keep {program} from shutting down when a file exceeds {megabytes} MB?
As soon as a file has more than {megabytes} MB, {program} dies. Is there a cure, and what is it?

How do I get back a {megabytes} MB file I deleted from {program} {days} days ago?
{days} days ago I deleted a file of {megabytes} MB in {program}; can it be restored, and how?
Is there some way to recover a file ({megabytes} MB) that was erased in {program} {days} days back?
What should I do to undelete a {megabytes} MB file that I removed from {program} {days} days ago?

Why [can|can't] {person} see the {program} file that I shared on {date}?
I shared a {program} file on {date}. For what reason [is|isn't] it visible to {person}?
How come {person} [has|doesn't have] access to the {program} file that I made available on {date}?
What is the reason that the {program} file I shared on {date} [shows|doesn't show] up for {person}?

How do I reset {person}'s password for {program}?
{person} has forgotten the {program} password; how can I set a new one?
What is the procedure to give {person} a fresh password in {program}?
I need to change the password that {person} uses for {program}, because it got lost. How does that work?

Does {program} {version} run on {system}?
Is {program} {version} compatible with {system}?
My computer has {system}; will I be able to use {program} {version}?
Can {system} users install {program} {version}?

Why did my {printer} stop working after I updated {program} to version {version}?
Since the update of {program} to {version} my {printer} is dead. What happened?
What in version {version} of {program} keeps my {printer} from printing?
I installed {program} {version} and now the {printer} does nothing; what is the cause?

Can I install one licence of {program} {version} on {number} computers?
How about using a single {program} {version} licence on {number} machines, is that permitted?
I bought {program} {version} once and own {number} computers; may I put it on all of them?
Does one {program} {version} licence cover {number} computers?

How do I add up all cells in column A of {spreadsheet} that are larger than {number}?
In {spreadsheet}, what formula gives the sum of those column A values that exceed {number}?
I need the total of every number above {number} in column A; how is that done in {spreadsheet}?
What do I type in {spreadsheet} to sum only the entries of column A over {number}?

Which program can turn {pages} pages of {format} into {format2}?
I have {pages} pages in {format} and need them in {format2}; what software does that?
What is a good converter from {format} to {format2} for {pages} pages?
To change {pages} pages out of {format} into {format2}, what tool should I use?

Why [is|isn't] {program} starting when {person} logs in to {system}?
What is the reason that {program} [opens|doesn't open] at the moment {person} logs in to {system}?
How come {program} [launches|doesn't launch] when {person} signs in on {system}?
{person} logs in to {system} and {program} [starts|doesn't start]. Why is that so?

How do I make {program} {version} show its menus in {language}?
Where can I change the language of the {program} {version} menus to {language}?
I'd like to have the interface of {program} {version} in {language}; which setting do I need?
What is the way to switch {program} {version} over to {language}?

How much disk space does {program} {version} need on {system}?
I want to install {program} {version} on {system}; how many gigabytes must be free?
How many gigabytes does {program} {version} take up when installed under {system}?
What is the size of a {program} {version} installation on {system}?

# programming
How do I sort a list of {number} {things} by {sortkey} in {proglang}?
In {proglang}, what is the way to put {number} {things} in order of {sortkey}?
I have {number} {things} in a list and want them ordered by {sortkey}; how do I write that in {proglang}?
What {proglang} code arranges a list of {number} {things} according to {sortkey}?

How do I read a file with {rows} lines in {proglang} without running out of memory?
My {proglang} script needs to go through a file of {rows} lines; how do I keep memory use low?
What is a memory-saving way to process a file that has {rows} lines in {proglang}?
A file has {rows} lines and my {proglang} program eats up the memory reading it. How should I read it instead?

How do I turn the text "{date} {year}" into a date in {proglang}?
What is the {proglang} way to parse "{date} {year}" as a date?
I've got the string "{date} {year}" and would like a date object from it; which {proglang} function does this?
In {proglang}, how can a date be made out of a string like "{date} {year}"?

How do I find the process that is using port {port} on {system}?
Port {port} is taken on my {system} machine; which command shows me by what?
On {system}, what is the way to see who occupies port {port}?
Something on {system} is listening on port {port}. How can I learn which program it is?

Why does my {proglang} server answer with status {status} on port {port}?
I get a {status} from a {proglang} server listening on port {port}; what is the reason?
What could cause status code {status} when I call the {proglang} server at port {port}?
My server, written in {proglang}, keeps returning {status} on port {port}. Where does that come from?

Why [do|don't] threads speed up my {proglang} loop over {rows} rows?
What is the reason that a {proglang} loop over {rows} rows [gets|doesn't get] faster with threads?
How come my {proglang} program [gains|doesn't gain] from threads when looping over {rows} rows?
I loop over {rows} rows in {proglang}. Why [is|isn't] it quicker once I use threads?

How long does it take to load {rows} rows of {format} with {proglang}?
What time does {proglang} need for reading {rows} rows that are stored as {format}?
I'm going to load {rows} rows from {format} in {proglang}; how many seconds should I expect?
In {proglang}, how fast can {rows} rows in {format} be read?

How do I install version {version} of {proglang} next to version {version2} on {system}?
On {system} I have {proglang} {version2}; how can I have {version} as well?
What is the way to add {proglang} {version} to a {system} machine and keep {version2}?
I would like to go on using {proglang} {version2} on {system} and also have {version}. What is the setup for that?

How do I delete all {things} older than {days} days from a database with {proglang}?
Using {proglang}, what removes the {things} from my database once they are more than {days} days old?
My database keeps {things} for too long; how can a {proglang} script purge those over {days} days of age?
What {proglang} code do I need to drop database entries for {things} that were stored more than {days} days ago?

How do I pick {number} {things} at random out of {rows} in {proglang}?
What is the {proglang} way of drawing a random sample of {number} from {rows} {things}?
I have {rows} {things} and want {number} of them by chance; how do I code that in {proglang}?
Which {proglang} function selects {number} random {things} from a set of {rows}?

How many {things} fit in {memory} GB of memory if each is {megabytes} MB?
I have {memory} GB of RAM, and every one of my {things} takes {megabytes} MB; how many can I hold at once?
With {megabytes} MB apiece, what number of {things} can be kept in {memory} GB of memory?
If one item takes {megabytes} MB, for how many {things} is {memory} GB of RAM enough?

Is it worth rewriting {rows} lines of {proglang} in {proglang2}?
We have {rows} lines of {proglang}; does it pay to port them to {proglang2}?
Would you convert a {proglang} code base of {rows} lines to {proglang2}?
Should a {proglang} program with {rows} lines be moved over to {proglang2}?
"""
