"""Values of the slots of the planted questions, written by hand; no two values of a slot mean the same."""

from planted_names import NAMED, listed


def _numbers(first: int, last: int, step: int = 1) -> list[str]:
    return [str(number) for number in range(first, last + 1, step)]


_MONTHS = listed("January, February, March, April, May, June, July, August, September, October, November, December")

VALUES: dict[str, list[str]] = {
    **NAMED,
    "proglang": listed("""
        Python, Java, Rust, Go, Ruby, Kotlin, Swift, PHP, Perl, Scala, Haskell, Julia, Lua, Elixir, C#
    """),
    "system": listed("""
        Windows 10, Windows 11, Ubuntu, Fedora, Debian, macOS Sonoma, macOS Ventura, FreeBSD, Arch Linux
    """),
    "format": listed("""
        PDF, PNG, JPEG, SVG, CSV, TIFF, HTML, XML, JSON, EPS, RTF, EPUB, GIF, WebP, Markdown, plain text
    """),
    "language": listed("""
        Arabic, Basque, Bulgarian, Catalan, Croatian, Czech, Danish, Dutch, Estonian, Finnish, French, German, Greek,
        Hebrew, Hindi, Hungarian, Icelandic, Indonesian, Irish, Italian, Japanese, Korean, Latvian, Maltese, Mandarin,
        Norwegian, Polish, Portuguese, Romanian, Russian, Serbian, Slovak, Spanish, Swahili, Swedish, Tamil, Thai,
        Turkish, Ukrainian, Vietnamese, Welsh
    """),
    "subject": listed("""
        anthropology, archaeology, architecture, astronomy, biochemistry, botany, chemistry, civil engineering,
        dentistry, computer science, economics, film studies, fine art, forestry, genetics, geography, geology, graphic
        design, history, international relations, journalism, linguistics, marketing, mathematics, microbiology, music
        theory, nutrition, nursing, pharmacy, philosophy, physics, political science, psychology, public health,
        robotics, social work, sociology, statistics, theology, veterinary science
    """),
    "mathtopic": listed("""
        long division, fractions, percentages, negative numbers, decimals, prime numbers, square roots, probability,
        ratios, symmetry, angles, averages, place value, rounding, coordinates, perimeter and area, telling the time,
        bar charts
    """),
    "topic": listed("""
        climate change, the French Revolution, child labour, the Roman army, space travel, animal testing, the Cold War,
        social media, plastic waste, the slave trade, renewable energy, free speech, the Black Death, artificial meat,
        women's suffrage, the gold standard, nuclear power, urban farming, fast fashion, the printing press
    """),
    "things": listed("""
        people, invoices, books, cities, employees, students, songs, products, flights, measurements, tickets
    """),
    "sortkey": listed("age, date, price, length, weight, surname, score, population, distance, duration"),
    "month": _MONTHS,
    "weekday": listed("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"),
    "ingredient": listed("""
        almonds, anchovies, bacon, basil, beetroot, blue cheese, brown sugar, butter, buttermilk, capers, cardamom,
        cashews, celery, chickpeas, chilli flakes, cinnamon, cloves, coconut milk, coriander, cornflour, cream cheese,
        cumin, dill, egg yolks, fennel, feta, fish sauce, garlic, ginger, goat's cheese, honey, horseradish, kidney
        beans, leeks, lemon juice, lentils, maple syrup, mayonnaise, mint, mozzarella, mushrooms, mustard, nutmeg,
        olives, oregano, paprika, Parmesan, parsley, peanut butter, pine nuts, raisins, red onions, rosemary, saffron,
        sage, sesame oil, shallots, sour cream, soy sauce, spinach, tahini, tarragon, thyme, tofu, tomato paste,
        turmeric, vinegar, walnuts
    """),
    "dish": listed("""
        apple crumble, banana bread, beef stew, bread pudding, butternut soup, carrot cake, cauliflower cheese,
        cheesecake, chicken curry, chicken pie, chilli con carne, chocolate mousse, clam chowder, coleslaw, cottage pie,
        couscous salad, custard, dal, fish pie, fried rice, fruit salad, gazpacho, goulash, guacamole, hummus, Irish
        stew, jambalaya, kedgeree, lasagne, lemon tart, lentil soup, macaroni cheese, meatloaf, minestrone, moussaka,
        mushroom risotto, onion soup, paella, pad thai, pea soup, pesto, potato gratin, potato salad, pulled pork,
        pumpkin pie, quiche, ramen, ratatouille, rice pudding, roast chicken, spaghetti carbonara, stuffed peppers,
        tiramisu, tomato soup, tuna salad, vegetable curry
    """),
    "meat": listed("""
        beef, lamb shoulder, pork belly, turkey breast, venison, gammon, duck, goose, veal, rabbit, salmon
    """),
    "drink": listed("""
        beer, white wine, red wine, sparkling wine, orange juice, apple juice, cola, lemonade, iced tea, cider
    """),
    "plant": listed("""
        asters, aubergines, azaleas, begonias, blackberries, blueberries, box hedges, broad beans, broccoli, camellias,
        carrots, chrysanthemums, clematis, courgettes, crocuses, cucumbers, daffodils, dahlias, ferns, foxgloves,
        fuchsias, geraniums, gooseberries, hollyhocks, hostas, hydrangeas, irises, kale, lavender, lettuces, lilacs,
        lilies, lupins, magnolias, marigolds, melons, olive trees, onions, orchids, pansies, peonies, peppers, petunias,
        potatoes, primroses, pumpkins, radishes, raspberries, rhododendrons, rhubarb, roses, runner beans, snapdragons,
        strawberries, sunflowers, sweet peas, tomatoes, tulips, violas, wisteria, zinnias
    """),
    "pest": listed("""
        slugs, aphids, caterpillars, spider mites, whitefly, vine weevils, deer, pigeons, earwigs, thrips, voles
    """),
    "pet": listed("""
        beagle, boxer, bulldog, canary, chinchilla, cockatiel, collie, dachshund, ferret, gecko, greyhound, guinea pig,
        hamster, kitten, Labrador, Maine Coon, parrot, Persian cat, poodle, pug, rabbit, Siamese cat, spaniel, terrier,
        tortoise, whippet
    """),
    "instrument": listed("""
        banjo, bassoon, cello, clarinet, double bass, flute, French horn, guitar, harmonica, harp, lute, mandolin,
        marimba, piano, piccolo, recorder, saxophone, sitar, tin whistle, trombone, trumpet, tuba, viola, violin,
        xylophone
    """),
    "sport": listed("""
        archery, badminton, ballet, baseball, basketball, bowling, boxing, canoeing, cricket, cycling, fencing, field
        hockey, figure skating, golf, gymnastics, handball, ice hockey, judo, karate, kayaking, netball, rock climbing,
        rowing, rugby, running, skiing, snowboarding, squash, surfing, swimming, table tennis, tennis, volleyball, water
        polo, weightlifting, wrestling, yoga
    """),
    "bodypart": listed("""
        neck, lower back, right wrist, left wrist, right shoulder, left shoulder, right knee, left knee, right elbow,
        left elbow, right hip, left hip, right ankle, left ankle, jaw, right thumb, left thumb
    """),
    "medicine": listed("""
        ibuprofen, paracetamol, aspirin, codeine, naproxen, diazepam, cetirizine, loratadine, tramadol, amoxicillin,
        doxycycline, omeprazole, melatonin, promethazine, gabapentin, sertraline
    """),
    "vaccine": listed("""
        tetanus, hepatitis A, hepatitis B, typhoid, rabies, yellow fever, whooping cough, cholera, polio
    """),
    "operation": listed("""
        a knee replacement, a hip replacement, an appendectomy, cataract surgery, a hernia repair, a caesarean, a
        tonsillectomy, a shoulder reconstruction, gallbladder removal, a heart bypass, carpal tunnel surgery, a
        hysterectomy, a kidney transplant, back surgery, a wisdom tooth removal
    """),
    "job": listed("""
        an accountant, an architect, a baker, a barber, a bookseller, a bricklayer, a bus driver, a carpenter, a
        cashier, a chef, a cleaner, a dental hygienist, an electrician, a firefighter, a flight attendant, a florist, a
        gardener, a journalist, a librarian, a lifeguard, a locksmith, a mechanic, a midwife, a nurse, an optician, a
        paramedic, a pharmacist, a photographer, a physiotherapist, a plumber, a police officer, a postman, a primary
        school teacher, a receptionist, a roofer, a security guard, a social worker, a surveyor, a translator, a truck
        driver, a tour guide, a waiter, a welder
    """),
    "room": listed("""
        kitchen, bathroom, bedroom, living room, cellar, attic, hallway, utility room, garage, nursery, study, guest
        room, conservatory, laundry, pantry
    """),
    "stain": listed("""
        red wine, coffee, grass, blood, candle wax, ink, ketchup, lipstick, mud, chewing gum, curry, gravy, beetroot
        juice, engine oil, nail varnish, soot, rust, sun cream, hair dye, wood glue
    """),
    "fabric": listed("""
        a wool carpet, a silk blouse, a linen tablecloth, a suede sofa, denim jeans, a cotton shirt, a mattress, a
        leather jacket, a velvet curtain, a down duvet, a felt hat, a canvas bag, a cashmere jumper, a polyester dress,
        a sisal rug, a car seat, a satin cushion, a tweed coat
    """),
    "glue": listed("""
        epoxy resin, superglue, hot glue, contact cement, wood glue, silicone, spray adhesive, wallpaper paste
    """),
    "material": listed("""
        marble, acrylic glass, rubber, leather, concrete, cardboard, stainless steel, polystyrene, ceramic tiles,
        plywood, PVC pipes, slate, oak, aluminium, felt, glass, cork
    """),
    "tradework": listed("""
        a boiler replacement, a bathroom renovation, a roof repair, a loft conversion, a kitchen installation, rewiring
        a house, laying a parquet floor, fitting double glazing, unblocking a drain, plastering a ceiling, building a
        garden wall, putting up a fence, sweeping a chimney, fitting a front door, painting a staircase, installing an
        electric car charger
    """),
    "warning": listed("""
        the engine light, the oil light, the battery light, the brake warning, the airbag light, the tyre pressure
        warning, the coolant warning, the glow plug light, the ABS light
    """),
    "damage": listed("""
        storm damage to a fence, a burst pipe, a stolen bicycle, a cracked windscreen, a broken phone screen, a lost
        suitcase, a kitchen fire, a dog bite, a cancelled holiday, a fallen tree, a flooded cellar, a burglary,
        lightning damage to a television, a lost wedding ring, hail damage to a car
    """),
    "officeitem": listed("""
        a standing desk, a laptop bag, a webcam, an office chair, a bookcase, a second monitor, a train pass, a language
        course, a work phone, a trade fair ticket, a headset, a business lunch
    """),
    "relative": listed("""
        my sister, my brother, my mother, my father, my aunt, my uncle, my grandmother, my grandfather, my niece, my
        nephew, my mother-in-law, my godson, my boss, my flatmate
    """),
    "hobby": listed("""
        knitting, birdwatching, chess, baking, fishing, pottery, hiking, calligraphy, stargazing, origami, gardening,
        crosswords, woodwork, watercolours, model railways, sewing, wine tasting, jigsaw puzzles
    """),
    "motif": listed("""
        birds, weddings, the night sky, football matches, portraits, insects, waterfalls, buildings, newborns,
        fireworks, concerts, landscapes, jewellery, street scenes
    """),
    "waste": listed("""
        paper, glass, garden waste, plastic packaging, food waste, bulky waste, old clothes, scrap metal
    """),
    "currency": listed("""
        euros, US dollars, pounds sterling, yen, Swiss francs, Swedish kronor, Turkish lira, Indian rupees, Mexican
        pesos, Polish zlotys, Brazilian reais, Danish kroner
    """),
    "date": [f"{day} {month}" for month in _MONTHS for day in range(1, 29)],
    "hour": [f"{hour} {half}" for half in ("a.m.", "p.m.") for hour in range(1, 12)],
    "officehour": listed("""
        8 a.m., 8.30 a.m., 9 a.m., 9.30 a.m., 10 a.m., 10.30 a.m., 11 a.m., 11.30 a.m., 1 p.m., 1.30 p.m., 2 p.m., 2.30
        p.m., 3 p.m., 3.30 p.m., 4 p.m., 4.30 p.m., 5 p.m., 5.30 p.m.
    """),
    "amount": [f"${dollars:,}" for dollars in (*range(15, 100, 5), *range(100, 1000, 20), *range(1000, 4001, 100))],
    "fortune": [f"${dollars:,}" for dollars in range(60_000, 900_001, 7_500)],
    "order": _numbers(10_007, 99_999, 3),
    "year": _numbers(1950, 2024),
    "recentyear": _numbers(2008, 2026),
    "comingyear": _numbers(2025, 2034),
    "version": [f"{major}.{minor}" for major in range(2, 15) for minor in range(1, 10)],
    "rate": [f"{tenths / 10:.1f}" for tenths in range(15, 80) if tenths % 10],
    "fever": [f"{tenths / 10:.1f}" for tenths in range(381, 408) if tenths % 10],
    "memory": listed("8, 12, 16, 24, 32, 48, 64, 96, 128"),
    "megabits": listed("25, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 1000"),
    "status": listed("400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 502, 503, 504"),
    "port": listed("""
        22, 80, 443, 3000, 3306, 4200, 5000, 5432, 5672, 6379, 8000, 8080, 8443, 8888, 9000, 9092, 9200, 27017
    """),
    "percent": _numbers(3, 45),
    "age": _numbers(18, 79),
    "childage": _numbers(3, 12),
    "people": _numbers(3, 24),
    "guests": _numbers(25, 200, 5),
    "days": _numbers(2, 60),
    "fewdays": _numbers(2, 12),
    "weeks": _numbers(3, 36),
    "months": _numbers(2, 30),
    "years": _numbers(2, 30),
    "hours": _numbers(2, 14),
    "minutes": _numbers(15, 120, 5),
    "kilos": _numbers(2, 48),
    "grams": _numbers(250, 3000, 50),
    "milligrams": _numbers(5, 100, 5),
    "centimetres": _numbers(20, 95),
    "height": _numbers(148, 204),
    "kilometres": _numbers(5, 100),
    "mileage": [f"{km:,}" for km in range(15_000, 240_000, 5_000)],
    "litres": _numbers(3, 80),
    "area": _numbers(8, 160),
    "oven": _numbers(130, 240, 5),
    "degrees": _numbers(2, 18),
    "pages": _numbers(5, 400, 5),
    "words": _numbers(800, 6000, 100),
    "megabytes": _numbers(50, 2000, 50),
    "rows": [f"{rows:,}" for rows in range(20_000, 5_000_000, 30_000)],
    "kilowatthours": _numbers(1800, 9000, 100),
    "code": _numbers(10, 99),
    "number": _numbers(2, 40),
    "coats": _numbers(2, 5),
    "decibels": _numbers(70, 110),
    "semitones": _numbers(2, 11),
}

NUMBERS = frozenset(
    """
    date hour officehour amount fortune order year recentyear comingyear version rate fever memory megabits status
    port percent age childage people guests days fewdays weeks months years hours minutes kilos grams milligrams
    centimetres height kilometres mileage litres area oven degrees pages words megabytes rows kilowatthours code
    number coats decibels semitones
    """.split()
)
NAMES = frozenset(NAMED)
