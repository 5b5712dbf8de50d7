"""Names for the slots of the planted questions: people, places, firms, products and programs."""

from itertools import product


def listed(text: str) -> list[str]:
    return [value.strip() for value in text.replace("\n", " ").split(",")]


def _joined(*parts: list[str]) -> list[str]:
    return [" ".join(combination) for combination in product(*parts)]


_FIRST_NAMES = listed("""
    Adam, Aisha, Alice, Amir, Andrea, Anna, Arthur, Beatrice, Bella, Brian, Bruno, Camille, Carlos, Carmen, Cecilia,
    Chloe, Clara, Daniel, Daphne, Deborah, Dimitri, Edith, Eleanor, Emil, Emma, Esther, Fatima, Felix, Fiona, Florence,
    Gabriel, Gemma, George, Grace, Greta, Hannah, Harold, Hassan, Heather, Hugo, Ingrid, Irene, Isaac, Ivan, Jasmine,
    Jerome, Joanna, Joseph, Judith, Julian, Karen, Kenji, Laura, Leila, Leonard, Linda, Louis, Lucy, Magnus, Margaret,
    Marcus, Maria, Martha, Matteo, Maya, Mohammed, Monica, Naomi, Nathan, Nina, Noah, Olivia, Omar, Oscar, Pablo,
    Patrick, Paula, Pedro, Penelope, Priya, Rachel, Ravi, Rebecca, Robert, Rosa, Ruth, Samuel, Sandra, Simon, Sofia,
    Stella, Tariq, Teresa, Thomas, Ursula, Valerie, Victor, Violet, Walter, Wendy, Yasmin, Yuki, Zachary
""")
_LAST_NAMES = listed("""
    Abbott, Adler, Ahmed, Alvarez, Andrews, Archer, Bailey, Barnes, Becker, Bennett, Bianchi, Bishop, Blackwood,
    Bradley, Burke, Burton, Caldwell, Campbell, Carter, Castillo, Chandler, Chang, Clarke, Coleman, Cooper, Crawford,
    Cunningham, Dalton, Davies, Delgado, Donovan, Douglas, Dubois, Duncan, Edwards, Eriksen, Evans, Farrell, Ferguson,
    Fernandez, Fischer, Fitzgerald, Fletcher, Foster, Fraser, Gallagher, Garcia, Gibson, Gordon, Graham, Greene,
    Griffiths, Gupta, Hamilton, Hansen, Harper, Harris, Hayashi, Henderson, Hoffman, Holmes, Hughes, Ibrahim, Ivanova,
    Jackson, Jenkins, Johansson, Kaplan, Kapoor, Kelly, Kennedy, Khan, Kowalski, Lambert, Lawson, Lindgren, Lopez,
    MacDonald, Marino, Marshall, Martinez, Mehta, Mendoza, Mitchell, Moreau, Morgan, Murphy, Nakamura, Newman, Novak,
    Nguyen, Okafor, Oliver, Osborne, Palmer, Papadakis, Parker, Patel, Pereira, Petrov, Phillips, Popescu, Porter,
    Quinn, Ramirez, Reynolds, Richards, Rivera, Romano, Rossi, Russell, Sanders, Santos, Schmidt, Sharma, Shaw, Silva,
    Simpson, Sinclair, Spencer, Stewart, Sullivan, Suzuki, Tanaka, Taylor, Thornton, Torres, Tucker, Turner, Varga,
    Vasquez, Wagner, Walsh, Watkins, Weber, Whitfield, Williams, Wong, Wright, Yilmaz, Young, Zhang, Zimmermann
""")
_CITIES = listed("""
    Aberdeen, Adelaide, Amsterdam, Ankara, Antwerp, Athens, Auckland, Austin, Baltimore, Bangkok, Barcelona, Basel,
    Bath, Belfast, Belgrade, Bergen, Berlin, Bilbao, Birmingham, Bologna, Bordeaux, Boston, Brighton, Brisbane, Bristol,
    Brussels, Bucharest, Budapest, Buenos Aires, Cairo, Calgary, Cambridge, Cape Town, Cardiff, Chicago, Cologne,
    Copenhagen, Cork, Dallas, Delhi, Denver, Detroit, Dresden, Dubai, Dublin, Dundee, Edinburgh, Exeter, Florence,
    Frankfurt, Galway, Gdansk, Geneva, Genoa, Ghent, Glasgow, Gothenburg, Granada, Graz, Hamburg, Hanover, Helsinki,
    Hull, Houston, Innsbruck, Istanbul, Izmir, Jakarta, Krakow, Kyoto, Lagos, Lausanne, Leeds, Leicester, Leipzig, Lima,
    Lisbon, Liverpool, Ljubljana, London, Lyon, Madrid, Malaga, Manchester, Manila, Marseille, Melbourne, Memphis,
    Miami, Milan, Montreal, Mumbai, Munich, Nairobi, Nantes, Naples, Newcastle, Nice, Norwich, Nottingham, Oslo, Ottawa,
    Oxford, Palermo, Paris, Perth, Philadelphia, Phoenix, Pisa, Pittsburgh, Plymouth, Porto, Portland, Prague, Quebec
    City, Reykjavik, Riga, Rome, Rotterdam, Salzburg, San Diego, San Francisco, Santiago, Seattle, Seoul, Seville,
    Sheffield, Singapore, Sofia, Southampton, Stockholm, Strasbourg, Stuttgart, Sydney, Tallinn, Tampa, Tokyo, Toronto,
    Toulouse, Trieste, Turin, Utrecht, Valencia, Vancouver, Venice, Verona, Vienna, Vilnius, Warsaw, Wellington, York,
    Zagreb, Zurich
""")
_COUNTRIES = listed("""
    Argentina, Australia, Austria, Belgium, Bolivia, Brazil, Bulgaria, Cambodia, Canada, Chile, Colombia, Costa Rica,
    Croatia, Cuba, Denmark, Ecuador, Egypt, Estonia, Ethiopia, Finland, France, Georgia, Germany, Ghana, Greece,
    Hungary, Iceland, India, Indonesia, Ireland, Israel, Italy, Japan, Jordan, Kenya, Latvia, Lithuania, Madagascar,
    Malaysia, Malta, Mexico, Mongolia, Morocco, Namibia, Nepal, New Zealand, Nigeria, Norway, Panama, Peru, Poland,
    Portugal, Romania, Rwanda, Saudi Arabia, Senegal, Serbia, Slovakia, Slovenia, South Africa, South Korea, Spain, Sri
    Lanka, Sweden, Switzerland, Tanzania, Thailand, Tunisia, Turkey, Uganda, Uruguay, Vietnam, Zambia
""")
# Brands, firms and makers are invented.
_BRANDS = listed("""
    Norvik, Halden, Lumex, Tresco, Brannock, Corvina, Delmar, Fenwick, Gorland, Kestrel, Maxwell, Pellworm, Quantis,
    Rovano, Selkirk, Tavola, Vantor, Wexford, Zephyr, Bergmann
""")
_MODELS = listed("D320, D450, K110, K25, P600, P75, T900, T14, 2200, 3100, 5050, V8, V9, Neo 4, Neo 7")
_CAR_MAKERS = listed("Bastion, Cavero, Dorado, Falkirk, Garonne, Lindholm, Montara, Rallion, Solvang, Tempest")
_CAR_MODELS = listed("C3, C5, Comet, Drift, GT, Horizon, L200, Metro, Nova, Ranger, Spark, Tourer, Vega, X1, X4")
_TOWN_TEAMS = listed("Rovers, Wanderers, Hawks, Athletic, Wolves")
_TRADES = listed("Logistics, Catering, Textiles, Software, Energy, Foods, Media, Furniture, Plastics, Consulting")

NAMED: dict[str, list[str]] = {
    "person": _joined(_FIRST_NAMES, _LAST_NAMES),
    "city": _CITIES,
    "country": _COUNTRIES,
    "team": _joined(_CITIES, _TOWN_TEAMS),
    "firm": _joined(listed("Ashdown, Bellamy, Crestwood, Dunmore, Eastfield, Granby, Hartwell, Kingsley"), _TRADES),
    "bank": _joined(listed("Northgate, Southmoor, Harbour, Castle, Meridian, Pinewood, Redwood, Sterling"), ["Bank"]),
    "airline": listed("AirBaltia, Condair, FlySouth, Jetway, Nordwing, Pacifica, Skylark, Transalpine, Vistajet Blue"),
    "provider": listed("Telora, Mobilnet, Vodara, Clearline, Fibrex, Onwave, Linkup, Starcom, Quicktel, Nettalk"),
    "insurer": listed("Aegis Mutual, Broadshield, Concordia Life, Fairhaven, Guardwell, Lionsgate Cover, Safeharbour"),
    "washer": _joined(_BRANDS, _MODELS, ["washing machine"]) + _joined(_BRANDS, _MODELS, ["dishwasher"]),
    "appliance": _joined(_BRANDS, _MODELS, listed("washing machine, dishwasher, tumble dryer, freezer, cooker")),
    "printer": _joined(_BRANDS, _MODELS, ["printer"]),
    "phone": _joined(_BRANDS, _MODELS, ["phone"]),
    "laptop": _joined(_BRANDS, _MODELS, ["laptop"]),
    "camera": _joined(_BRANDS, _MODELS, ["camera"]),
    "car": _joined(_CAR_MAKERS, _CAR_MODELS),
    "program": listed("""
        Excel, Photoshop, Word, PowerPoint, Outlook, Access, Illustrator, InDesign, Acrobat, Audacity, AutoCAD, Blender,
        GIMP, Inkscape, LibreOffice Calc, Keynote, Lightroom, MATLAB, OneNote, Premiere Pro, QuickBooks, SketchUp, SPSS,
        Stata, Tableau, Thunderbird, Scribus, Darktable, Notion, Trello, Figma, Publisher, Visio, Zotero
    """),
    "spreadsheet": listed("""
        Excel, LibreOffice Calc, Google Sheets, Numbers, Gnumeric, Quattro Pro, Airtable, OnlyOffice
    """),
    "notation": listed("""
        MuseScore, Sibelius, Finale, Dorico, LilyPond, Ableton Live, Logic Pro, Cubase, GarageBand, Reaper
    """),
}
"""Values of each slot that holds a name."""
