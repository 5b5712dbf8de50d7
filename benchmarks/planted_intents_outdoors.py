"""Phrasings of the planted questions about travel, cooking and gardens.

A block is an intent, a line a phrasing. ``[can|can't]`` holds the words of the positive and of the negated question.
"""

INTENTS = """
# travel
How long does the night bus from {city} to {city2} take on {weekday}s?
I'm taking the night bus from {city} to {city2} on a {weekday}; how many hours is the journey?
What is the travelling time by night bus on {weekday}s if I start in {city} and get off in {city2}?
If I board the {weekday} night bus in {city}, how much time do I need to reach {city2}?

How many kilos of hold luggage can I take on the {airline} flight to {city}?
What is the weight limit for checked bags when flying to {city} with {airline}?
I'm flying to {city} with {airline}. How heavy may my suitcase be?
What may a suitcase in the hold weigh if I go to {city} on {airline}?

Do I need a visa to spend {days} days in {country}?
I am planning to stay in {country} for {days} days; is a visa required?
Is it possible to visit {country} for {days} days without a visa?
Can I enter {country} on just my passport if I leave after {days} days?

Is {month} a good time to visit {city}?
Would you go to {city} in {month}?
We're thinking of a trip to {city} in {month}. Is that a sensible choice?
How suitable is {month} for a holiday in {city}?

Can you recommend a hotel in {city} for {people} people under {amount} a night?
We are {people} and have less than {amount} per night; where should we stay in {city}?
Which hotels in {city} take a group of {people} for below {amount} a night?
I'm looking for somewhere to sleep in {city} that costs {people} of us no more than {amount} a night. Any suggestions?

What do I pay to cancel my {airline} flight to {city} {days} days before departure?
How much does {airline} keep if I cancel a flight to {city} with {days} days to go?
I can't fly to {city} after all and it leaves in {days} days. What is the cancellation fee of {airline}?
What are the costs of calling off an {airline} trip to {city} {days} days ahead?

How do I get from {city} airport to the centre at {hour}?
My plane lands in {city} at {hour}; what transport is there into town?
Which bus or train runs at {hour} from the airport in {city} to the city centre?
What are the options at {hour} for travelling into {city} from its airport?

My {airline} flight to {city} was {hours} hours late; what compensation am I owed?
How much money can I claim for a delay of {hours} hours on the way to {city} with {airline}?
What does {airline} have to pay me for getting to {city} {hours} hours behind schedule?
I reached {city} {hours} hours late with {airline}. What sum am I entitled to?

Which museums in {city} [are|aren't] open on {weekday}s in {month}?
What museums [can|can't] I visit in {city} on a {weekday} in {month}?
We're in {city} on a {weekday} in {month}. Which museums [admit|don't admit] visitors that day?
I need the names of the {city} museums that [open|don't open] on {weekday}s in {month}.

Which vaccinations do I need before {weeks} weeks in {country}?
I'm about to spend {weeks} weeks in {country}; what should I be vaccinated against?
What jabs are recommended for a stay of {weeks} weeks in {country}?
Before my {weeks} weeks in {country}, which injections should I ask the doctor for?

Can I drive for {weeks} weeks in {country} with a licence from {country2}?
Is a driving licence from {country2} valid in {country} when I stay {weeks} weeks?
I got my driving licence in {country2}. May I use it in {country} during a visit of {weeks} weeks?
Does {country} recognise licences issued in {country2} for a period of {weeks} weeks?

Is {amount} enough for {days} days in {city}?
Can I get by in {city} for {days} days on {amount}?
I've saved {amount} for {days} days in {city}; will the money do?
Would a budget of {amount} last me {days} days in {city}?

Can my {pet} fly with me to {country} on {airline}?
Does {airline} let me take my {pet} on board to {country}?
I'm moving to {country} and want to bring my {pet}; is that allowed with {airline}?
Is it permitted to travel to {country} with a {pet} on {airline}?

How big is the deposit for a rental car in {city} if I'm {age} and keep it {days} days?
I am {age} and want to rent a car in {city} for {days} days. What sum will be blocked on my card?
What deposit do car hire firms in {city} ask of a driver aged {age} for {days} days?
For a {days}-day car rental in {city} at the age of {age}, how much security do I leave?

Is it safe to walk alone through {city} at {hour}?
Would you go through {city} on foot by yourself at {hour}?
I have to cross {city} on my own at {hour}; is that dangerous on foot?
How risky is a walk through {city} without company at {hour}?

Where can I leave {number} suitcases for {hours} hours in {city}?
Is there a place in {city} that stores {number} suitcases for {hours} hours?
We have {hours} hours in {city} and {number} suitcases; where do we put them?
I'm looking for a luggage store in {city} that will keep {number} cases for {hours} hours. Which one is there?

What should I pack for {days} days in {country} in {month}?
I'm off to {country} for {days} days in {month}; which things belong in my suitcase?
Which clothes and other items do I need in {country} for {days} days in {month}?
Can you give me a packing list for a {month} trip of {days} days to {country}?

# cooking
What can I use instead of {ingredient} in {dish}?
I have run out of {ingredient}; what would replace it in {dish}?
Is there a good substitute for {ingredient} when making {dish}?
My {dish} recipe calls for {ingredient}, and I've none at home. What works in its place?
Which ingredient could stand in for {ingredient} in {dish}?

How long does {dish} keep in a fridge set to {degrees} degrees?
For how many days is {dish} still good if my fridge is at {degrees} degrees?
My refrigerator runs at {degrees} degrees. After what time should I throw {dish} away?
What is the storage life of {dish} when it is chilled at {degrees} degrees?

Why [can|can't] I freeze {dish} that has {ingredient} in it?
What is the reason that {dish} with {ingredient} [is|isn't] suitable for the freezer?
How come {dish} [keeps|doesn't keep] well in the freezer when it contains {ingredient}?
My cookbook says that {dish} with {ingredient} [may|may not] be frozen. Why is that?

My recipe for {dish} serves {people}; how do I change it to feed {people2}?
How should I adapt the amounts for {dish} from {people} servings to {people2}?
I need {dish} for {people2}, and the recipe is written for {people}. What quantities do I take?
What is the right way to scale {dish} for {people} persons so that it is enough for {people2}?

How long should {grams} g of {meat} roast at {oven} degrees?
I have {grams} g of {meat} and the oven is at {oven} degrees; when will it be done?
What is the cooking time for {meat} weighing {grams} g in an oven of {oven} degrees?
At {oven} degrees, after how many minutes do I take {grams} g of {meat} out of the oven?

I put too much {ingredient} in the {dish} for {people}; how do I rescue it?
How can I save {dish} for {people} that has far too much {ingredient} in it?
There is an excess of {ingredient} in my {dish}, which should feed {people}. Can it be put right, and how?
What do I do when {dish} for {people} tastes of nothing but {ingredient} because I overdid it?

How many calories are there in {grams} g of {ingredient}?
What is the calorie content of {grams} g of {ingredient}?
If I eat {grams} g of {ingredient}, how much energy is that in calories?
I'm counting calories. What number do I write down for {grams} g of {ingredient}?

Can I make {dish} for {people} in a slow cooker within {hours} hours?
Are {hours} hours in the slow cooker enough for {dish} that feeds {people}?
I want to use my slow cooker for {dish}. Will it be ready for {people} after {hours} hours?
Is it doable to have a slow cooker finish {dish} for {people} in {hours} hours?

What should I serve with {dish} at a dinner for {people}?
I'm having {people} people round and cooking {dish}; which side dishes go with it?
Which sides suit {dish} when {people} of us sit down to eat?
I need ideas for what to put on the table next to {dish} for {people} guests.

My dough with {percent}% rye flour has not risen after {hours} hours; what went wrong?
Why is a dough containing {percent}% rye still flat {hours} hours later?
What mistake makes bread dough with {percent}% rye flour stay flat for {hours} hours?
It's been {hours} hours and my {percent}% rye dough hasn't come up. Where's the error?

How do I reheat {dish} for {people} without it drying out?
What is the best method of warming up {dish} for {people} so that it stays moist?
I've made {dish} for {people} in advance. How can I heat it again and keep it from getting dry?
How can {dish} be brought back to serving temperature for {people} while staying juicy?

Is a {centimetres} cm pan big enough for {dish} for {people}?
Will {dish} for {people} fit in my pan of {centimetres} cm?
I only own a pan with a diameter of {centimetres} cm; can I cook {dish} in it for {people}?
Do I need something larger than {centimetres} cm across to make {dish} for {people}?

# gardens
When should I prune {plant} in {country}?
What is the right time of year to cut back {plant} in {country}?
In {country}, which month is best for pruning {plant}?
I garden in {country} and would like to trim my {plant}; at what time do I do it?

Is {centimetres} cm enough distance between {plant}?
Can I plant {plant} {centimetres} cm apart?
I've spaced my {plant} at {centimetres} cm; is that too close?
Will {plant} have sufficient room with {centimetres} cm from one to the next?

Why are the leaves of my {plant} turning yellow in {month}?
My {plant} have yellow leaves and it's only {month}. What is wrong?
What causes yellowing leaves on {plant} in {month}?
It is {month}, and the green of my {plant} is fading to yellow. What could the cause be?

How do I keep {pest} off my {plant} in {month}?
What helps against {pest} on {plant} when it is {month}?
In {month} my {plant} get attacked by {pest}. How can I protect them?
I'd like to stop {pest} from eating my {plant} this {month}; what should I do?

Can {plant} grow in a pot of {litres} litres?
I have a container that holds {litres} litres. Is it large enough for {plant}?
Would {plant} be happy in {litres} litres of soil?
Is a {litres}-litre pot sufficient for growing {plant}?

Will {plant} survive a night of minus {degrees} degrees?
The forecast says minus {degrees} degrees tonight; will my {plant} die?
Are {plant} hardy enough for a frost of minus {degrees} degrees?
Can I leave {plant} outdoors unprotected when it drops to minus {degrees} degrees overnight?

Why [should|shouldn't] I feed my {plant} in {month}?
What is the reason to [give|avoid giving] fertiliser to {plant} in {month}?
My gardening book tells me [to|not to] fertilise {plant} in {month}. Why?
Why [is|isn't] it a good idea to use plant food on {plant} when it's {month}?

How much grass seed do I need for {area} square metres in {month}?
I want to sow a lawn of {area} square metres in {month}; what amount of seed should I buy?
What quantity of lawn seed is right for {area} square metres if I sow in {month}?
For a new lawn measuring {area} square metres that I start in {month}, how many kilos of seed does it take?

How many {plant} can I put in a raised bed {centimetres} cm wide in {month}?
My raised bed has a width of {centimetres} cm; what number of {plant} does it hold if I plant them in {month}?
In {month}, how many {plant} will go in a {centimetres} cm wide raised bed?
If a raised bed is {centimetres} cm wide, for how many {plant} planted in {month} does it have room?

Can I sow {plant} outdoors in {city} in {month}?
Is {month} the right month to put the seed of {plant} in open ground in {city}?
I live in {city}. May {plant} be sown directly in the garden in {month}?
Is it all right to start {plant} from seed outside in {month} when you live in {city}?
"""
