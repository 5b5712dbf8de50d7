"""Phrasings of the planted questions about shops, devices, the house, cars, internet and energy.

A block is an intent, a line a phrasing. ``[can|can't]`` holds the words of the positive and of the negated question.
"""

INTENTS = """
# shop
Where is order {order} right now?
Could you tell me the current location of the parcel for order {order}?
I would like to track order {order}, how do I see where it has got to?
My order {order} has not come yet. Where has the package reached?
What is the whereabouts of the parcel with order number {order}?

Can I still have order {order} sent to a different address in {city}?
Is it too late to redirect order {order} to my place in {city}?
I need to change the delivery address of order {order} to one in {city}; is there still time?
Would it be possible at this stage to ship order {order} to my {city} address instead?

When will I get back the {amount} for order {order}?
How long until the refund of {amount} on order {order} reaches my account?
I returned order {order} and am waiting for {amount}. On what day can I expect the money?
By when do you pay out the {amount} that I am owed for order {order}?

Can I return my {appliance} after {days} days?
I bought the {appliance} {days} days ago; do you still take it back?
Am I within the return period if I've had the {appliance} for {days} days?
Do you accept returns of the {appliance} {days} days after the purchase?
It has been {days} days since I got my {appliance}. Is sending it back still an option?

Which goods bought in {month} [can|can't] be returned to the {city} store?
What purchases from {month} [does|doesn't] the shop in {city} take back?
I need a list of the things bought in {month} that your {city} branch [accepts|doesn't accept] as returns.
For which items from {month} [is|isn't] a return possible at the store in {city}?

How do I get an invoice for order {order} made out to {person}?
I need a bill for order {order} with {person} as the addressee; where do I obtain one?
Could you issue an invoice for order {order} in the name of {person}?
What do I have to do so that the invoice of order {order} names {person} as the buyer?

The {appliance} in order {order} arrived broken; how do I get a new one?
What must I do to have the damaged {appliance} from order {order} replaced?
I opened order {order} and found that the {appliance} had been smashed on the way. How can I exchange it?
How do I claim a replacement for the {appliance} that reached me in pieces with order {order}?

How much is the delivery of a parcel of {kilos} kg to {city}?
What do you charge to ship {kilos} kg to {city}?
I want to have a package weighing {kilos} kg sent to {city}. What will the postage be?
What does it cost to post something of {kilos} kg to {city}?
How high are the shipping costs to {city} for {kilos} kg?

Can I use the {percent}% voucher if I spend less than {amount}?
Does my code for {percent}% off work on orders under {amount}?
My basket is below {amount}. Will the {percent}% discount still be applied?
Is the {percent}% coupon valid for purchases that do not reach {amount}?

How long is the warranty on the {appliance}?
For how many years is the {appliance} guaranteed?
What warranty period comes with the {appliance}?
If I buy the {appliance} today, until when does the guarantee run?

When will the {appliance} be back in stock in {city}?
The {appliance} is sold out in {city}; when do you expect new ones?
How long must I wait until your {city} shop has the {appliance} again?
Do you know when the next {appliance} comes in at the {city} branch?

Will the {appliance} fit in a gap {centimetres} cm wide?
I've got {centimetres} cm between two cupboards; can the {appliance} go in there?
Is a space with a width of {centimetres} cm enough for the {appliance}?
Does the {appliance} squeeze into {centimetres} cm of width?

How much electricity does the {appliance} use in a year?
What is the annual power consumption of the {appliance}?
How many kilowatt-hours does the {appliance} get through in twelve months?
I'd like to know what the {appliance} consumes in electricity every year.

How loud is the {appliance}?
What noise level does the {appliance} reach when it runs?
How many decibels does the {appliance} produce in operation?
Before I buy the {appliance}: how much noise does it make?

# devices
What does error E{code} on my {appliance} mean?
My {appliance} stops and shows E{code}. What is it trying to tell me?
How should I read the message E{code} that came up on the {appliance}?
The display of my {appliance} is flashing E{code}; what is the meaning of that code?

Why is water coming out from under my {washer}?
My {washer} leaks onto the floor; what could be causing it?
There is a puddle beneath the {washer} after every wash. Where does it come from?
What is the reason for a {washer} leaking at the bottom?

Why [does|doesn't] my {printer} print in colour by default?
What is the reason that colour [is|isn't] the standard setting on my {printer}?
How come the {printer} [uses|doesn't use] colour unless I say otherwise?
Can somebody explain why my {printer} [is|isn't] set to colour printing from the start?

My {printer} jams after {pages} pages; how do I stop it?
What can I do about the paper getting stuck in my {printer} every {pages} pages or so?
How do I prevent a {printer} from jamming once it has printed {pages} sheets?
After {pages} pages the paper gets caught in the {printer}. How is this fixed?

Why does the battery of my {phone} only last {hours} hours?
My {phone} is empty after {hours} hours. What is draining it?
What causes a fully charged {phone} to die within {hours} hours?
For what reason do I get no more than {hours} hours out of one charge of my {phone}?

How do I move my contacts from the {phone} to the {phone2}?
I am switching to a {phone2}; how can I take along the address book of my {phone}?
What is the way to get the phone numbers saved on my {phone} onto a {phone2}?
How can the contacts on an old {phone} be transferred to a new {phone2}?

Can I put {memory} GB of memory in the {laptop}?
Does the {laptop} support {memory} GB of RAM?
Is it possible to upgrade a {laptop} to {memory} GB of memory?
I want {memory} GB of RAM in my {laptop}. Will it work with that much?

Is the {camera} good for photographing {motif}?
I mainly take pictures of {motif}; would the {camera} suit me?
Would you recommend the {camera} to someone who shoots {motif}?
How well does the {camera} do when the subject is {motif}?
Does a {camera} make sense if I want to photograph {motif}?

What is the repair of a cracked screen on the {phone} going to cost in {city}?
I dropped my {phone} and the glass broke. How much do shops in {city} ask to replace the screen?
How much do I have to pay in {city} for a new screen on a {phone}?
What do repair shops in {city} charge for changing the broken display of a {phone}?

# household
How do I get {stain} out of {fabric}?
There is {stain} on {fabric}; what removes it?
What is the best way to clean {fabric} that has {stain} on it?
Does anyone know a trick for removing {stain} from {fabric}?
I spilt {stain} on {fabric}. How can I make the stain go away?

How many litres of paint do I need for {coats} coats on {area} square metres of wall?
I want to paint {area} square metres of wall {coats} times over; how much paint should I buy?
What amount of paint is required to cover a wall of {area} square metres with {coats} layers?
For {coats} coats on a wall measuring {area} square metres, how much paint will it take?

Why [should|shouldn't] I use {glue} on {material}?
What speaks [for|against] sticking {material} with {glue}?
My neighbour says that {glue} [is|isn't] suitable for {material}. For what reason?
Why [is|isn't] {glue} a good choice when gluing {material}?

The tap in my {room} has been dripping for {days} days. How do I stop it?
How can I repair a tap in the {room} that has dripped for the past {days} days?
For {days} days water has been dripping from the {room} tap; what should I do to fix it?
What is the cure for a {room} tap that started dripping {days} days ago?

How much should I expect to pay for {tradework} in {city}?
What does {tradework} cost in {city}?
I'm collecting quotes for {tradework} in {city}; what is a normal price?
What would be a fair price in {city} for {tradework}?

How do I get rid of mould in the {room} of a house built in {year}?
Our house dates from {year} and the {room} has gone mouldy; how can I remove it?
What can be done against mould on the {room} walls in a building from {year}?
I have found mould in my {room}. The house was built in {year}, so what is the way to treat it?

Can a shelf of {centimetres} cm carry {kilos} kg of books?
I'd like to put {kilos} kg of books on a shelf that is {centimetres} cm long; will it hold?
Is a load of {kilos} kg of books too heavy for a {centimetres} cm shelf?
Will a shelf with a length of {centimetres} cm bend under {kilos} kg of books?

Who do I call in {city} if I lock myself out at {hour}?
It's {hour} and I have locked myself out of my flat in {city}; whose number do I ring?
Which service opens a locked front door in {city} at {hour}?
I'm in {city} without my keys. Who can let me into my flat at {hour}?

How do I insulate the {room} for less than {amount}?
With a budget under {amount}, what is the way to keep the heat in my {room}?
I have no more than {amount} to spend. How can the {room} be insulated?
What can I do for below {amount} so that the {room} loses less heat?

# cars
What tyre pressure should a {car} have with {kilos} kg of luggage?
How much air do I put in the tyres of my {car} when it carries {kilos} kg of luggage?
I am loading {kilos} kg of luggage in my {car}; what pressure do the tyres need?
To which pressure should I pump up the tyres of a {car} loaded with {kilos} kg?

After how many kilometres does a {car} from {year} need an oil change?
How often should the oil be changed in a {year} {car}?
I own a {car} built in {year}. What is the interval between oil changes?
What distance may I drive a {year} {car} before fresh oil is due?

Is {mileage} km too much for a used {car}?
I have been offered a second-hand {car} with {mileage} km on the clock; should that worry me?
Would you still buy a {car} that has done {mileage} km?
Does it make sense to get a used {car} after {mileage} km?

Why [is|isn't] the {car} allowed in the low-emission zone of {city}?
For what reason [can|can't] I drive a {car} into the low-emission zone in {city}?
How come {city} [lets|doesn't let] the {car} into its clean air zone?
The clean air rules of {city} [allow|don't allow] my {car} to enter. What is the reason?

Can I keep driving my {car} with {warning} on for another {kilometres} km?
Is it safe to go on for {kilometres} km in a {car} when {warning} comes on?
In my {car}, {warning} lit up and home is {kilometres} km away. Do I have to stop?
Will I harm my {car} if I ignore {warning} for {kilometres} km?

What does the {mileage} km service of a {car} cost in {city}?
How much do garages in {city} charge for the service of a {car} at {mileage} km?
My {car} is due for its {mileage} km service. What price should I expect in {city}?
What do I pay in {city} when the {car} has its service at {mileage} km?

How do I sell my {year} {car} privately in {country}?
I would like to get rid of a {car} from {year} without a dealer; what is the procedure in {country}?
What are the steps in {country} for selling a {year} {car} to a private person?
Which formalities does {country} have for a private sale of a {car} built in {year}?

# internet and energy
I pay {provider} for {megabits} Mbit/s but only get {percent}% of it; why?
What could be the reason that my {megabits} Mbit/s line from {provider} gives me just {percent}% of its speed?
Why is my {provider} connection running at {percent}% of the {megabits} Mbit/s in the contract?
My {provider} contract promises {megabits} Mbit/s and merely {percent}% arrives. How come?

What do I pay for a gigabyte of data in {country} with {provider}?
How expensive is mobile data in {country} per gigabyte for {provider} customers?
I have a {provider} SIM and am going to {country}; what is the price of each gigabyte there?
What does {provider} charge per gigabyte when I use the internet in {country}?

Can I keep my phone number if I move from {provider} to {provider2} on {date}?
I am leaving {provider} for {provider2} on {date}. Does my number come with me?
Is it possible to take my number along when I switch to {provider2} from {provider} on {date}?
Will {provider2} let me go on using my {provider} number when I change over on {date}?

How do I cancel my {provider} contract so that it ends on {date} {comingyear}?
I want my contract with {provider} to finish on {date} {comingyear}; how do I give notice?
What steps must I take to be out of my {provider} contract by {date} {comingyear}?
Which form does {provider} need from me to close the contract on {date} {comingyear}?

Why [can|can't] I get {megabits} Mbit/s from {provider} at my address in {city}?
What is the reason that {provider} [offers|doesn't offer] {megabits} Mbit/s in my part of {city}?
How come a {megabits} Mbit/s line from {provider} [is|isn't] available in my street in {city}?
I live in {city}. Why [does|doesn't] {provider} give me the choice of {megabits} Mbit/s?

How many solar panels do I need for {kilowatthours} kWh a year in {city}?
We use {kilowatthours} kWh a year and live in {city}; what number of solar panels would cover that?
What size of solar system produces {kilowatthours} kWh annually in {city}, counted in panels?
To generate {kilowatthours} kWh of solar power a year in {city}, how many panels must go on the roof?

Is a heat pump worth it for {area} square metres in a house built in {year}?
Our house from {year} has {area} square metres; would a heat pump pay off?
Does it make financial sense to fit a heat pump in a {year} house of {area} square metres?
Should I invest in a heat pump when the building dates from {year} and has {area} square metres?

On which day is {waste} collected in {city} in {month}?
When do they pick up {waste} in {city} during {month}?
I live in {city} and want to know the collection day for {waste} in {month}.
What day do I put out {waste} in {city} when it's {month}?
"""
