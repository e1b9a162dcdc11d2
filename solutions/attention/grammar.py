"""A small English: word classes and sentence templates, from which the word vectors are trained.

A template is a line of places. A place is a word, a `<class>` to draw a word from, or several of these parted
by `|`, of which one is drawn; `~` is the choice of saying nothing. Words that share places become neighbours.
What begins with `#` is a heading.
The same templates tell whether a sentence is one of theirs.
"""

import functools
import random
from collections.abc import Iterator, Sequence

CLASSES: dict[str, str] = {
    # people
    "person": "man woman boy girl child baby father mother brother sister son daughter "
    "grandfather grandmother uncle aunt friend neighbour",
    "male": "man boy father brother son grandfather uncle king prince",
    "female": "woman girl mother sister daughter grandmother aunt queen princess",
    "ruler": "king queen prince princess",
    "people": "men women boys girls children babies parents friends neighbours people",
    "worker": "teacher student doctor nurse farmer baker driver painter writer cook gardener pilot "
    "sailor singer",
    "name_f": "anna maria lucy mei sara priya",
    "name_m": "tom james ming omar ben leo",
    "pronoun": "i you we they he she",
    "plural_pronoun": "i you we they",
    "object_pronoun": "me you us them him her",
    "possessive": "my your his her our their",
    # animals
    "pet": "cat dog kitten puppy rabbit hamster",
    "pets": "cats dogs kittens puppies rabbits hamsters",
    "farm_animal": "horse cow goat pig donkey sheep",
    "farm_animals": "horses cows goats pigs donkeys",
    "wild_animal": "fox wolf bear deer lion tiger elephant monkey",
    "wild_animals": "foxes wolves bears lions tigers elephants monkeys",
    "bird": "bird parrot owl crow eagle swan duck hen sparrow",
    "birds": "birds parrots owls crows eagles swans ducks hens",
    "sea_animal": "fish whale dolphin shark turtle seal crab",
    # food and the kitchen
    "fruit": "apple banana pear lemon cherry peach plum mango",
    "fruits": "apples bananas pears oranges lemons cherries grapes peaches plums",
    "vegetables": "potatoes carrots onions tomatoes beans peas mushrooms",
    "dish": "bread rice soup salad pasta pizza cheese cake pie chocolate porridge",
    "drink": "water milk tea coffee juice lemonade",
    "vessel": "cup jug glass bowl bottle bucket mug kettle pot",
    "taste": "sweet sour salty fresh delicious tasty",
    "meal": "breakfast lunch dinner supper",
    # places
    "outdoors": "park garden playground field forest yard meadow",
    "surface": "mat rug carpet sofa chair bench bed cushion blanket grass",
    "furniture": "table floor shelf desk",
    "building": "school library museum hospital church office theatre cinema",
    "shop": "shop market supermarket bakery store",
    "room": "kitchen bedroom bathroom hall garage",
    "way": "street road bridge path square",
    "waters": "river lake sea pond stream",
    "land": "mountain hill island beach valley desert",
    "settlement": "town village city",
    "city": "melbourne sydney london paris tokyo berlin rome madrid cairo delhi beijing toronto dublin lima",
    "country": "australia england france japan germany italy spain egypt india china canada ireland peru",
    "language": "english french german spanish italian chinese japanese arabic hindi portuguese",
    # time and weather
    "day": "monday tuesday wednesday thursday friday saturday sunday",
    "month": "january february march april june july august september october november december",
    "season": "spring summer autumn winter",
    "when": "today yesterday tomorrow tonight now",
    "daytime": "morning afternoon evening night",
    "past_time": "yesterday earlier recently",
    "fair": "beautiful lovely sunny warm pleasant fine good",
    "foul": "terrible awful bad rainy cloudy windy stormy foggy cold snowy",
    "sky_noun": "rain snow wind storm thunder fog",
    # describing
    "colour": "red blue green yellow purple pink brown black white grey orange",
    "clothing": "shirt dress coat hat scarf jacket skirt sweater",
    "clothings": "shoes socks gloves boots trousers",
    "size": "big small large little tiny huge",
    "age": "young old new",
    "mood": "tired happy sad angry hungry thirsty sleepy excited bored afraid proud calm lonely",
    "character": "kind clever brave funny gentle quiet honest friendly polite",
    "manner": "slowly quickly quietly happily gently carefully softly loudly",
    "degree": "very too so quite really",
    "number": "two three four five six seven eight nine ten",
    "tens": "twenty thirty forty fifty sixty seventy eighty ninety",
    # doing: the past, -ing and base forms of the same verbs, in the same order
    "rested": "sat slept rested lay waited stood",
    "acted": "sat slept rested lay waited stood walked ran jumped played danced climbed",
    "acting": "sitting sleeping resting lying waiting standing walking running jumping playing "
    "dancing climbing",
    "act": "sit sleep rest lie wait stand walk run jump play dance climb",
    "flew": "flew sang landed",
    "swam": "swam dived floated",
    "ate": "ate tasted finished chewed",
    "eating": "eating tasting finishing chewing",
    "eat": "eat taste finish chew",
    "drank": "drank sipped spilled",
    "cooked": "cooked baked fried boiled roasted",
    "bought": "bought sold found chose carried brought",
    "buy": "buy sell find choose carry bring",
    "went": "went came returned hurried",
    "go": "go come return hurry",
    "travelled": "travelled drove sailed moved",
    "poured": "poured emptied tipped",
    "said": "said thought knew believed",
    "feel": "love like miss thank admire trust understand",
    "feels": "loves likes misses thanks admires trusts understands",
    "saw": "saw heard watched noticed followed chased",
    "made": "made built painted drew broke repaired cleaned",
    "wore": "wore washed folded lost",
    "vehicle": "car bus train tram boat ship plane truck bicycle",
    "plaything": "ball kite doll toy balloon drum",
    "thing": "lamp clock phone camera computer basket box ladder chair",
    "house_part": "door window roof wall gate fence",
    "plant": "tree flower rose bush leaf",
    "plants": "trees flowers roses bushes leaves",
    # body
    "measure": "weight height waist chest",
    "measured": "measured recorded checked estimated",
    "unit": "kilograms centimetres",
    "build": "tall short heavy light thin strong",
    "more_build": "taller shorter heavier lighter thinner stronger",
    # books, films, music, learning
    "text": "book story poem letter chapter page article",
    "texts": "books stories poems letters chapters pages articles",
    "book_part": "title author cover subject",
    "read": "read wrote opened copied borrowed",
    "reading": "reading writing opening copying borrowing",
    "reads": "read write open copy borrow",
    "film": "film movie play",
    "films": "films movies plays",
    "film_part": "plot acting music effects ending",
    "film_person": "actor actress director",
    "watched": "watched enjoyed praised remembered",
    "verdict": "exciting boring wonderful long strange interesting good bad",
    "instrument": "piano guitar violin flute trumpet",
    "field": "music science history art physics",
    "computing": "programming computing statistics mathematics",
    "look": "look search ask",
    "looked": "looked searched asked",
    "looking": "looking searching asking",
    "term": "query key value",
    "terms": "queries keys values",
    "weights": "weights scores vectors numbers",
    "compared": "compared multiplied scaled summed",
    "money": "money coins savings cash",
}

TEMPLATES = """
# animals at rest and at play
the|a ~|<size>|<colour> <pet> <rested> on the|a <surface>
the <pet>|<pets>|<bird> <acted> in|on|near|under the <surface>|<vehicle>
the <pet>|<pets> <acted> in|near the <outdoors>|<room>
the <pet>|<farm_animal>|<wild_animal> is <acting> in the <outdoors>
the <pet>|<person> is <acting> in|on|near the <surface>|<outdoors>
the|~ <pets>|<farm_animals>|<people> are <acting> in the <outdoors>
the|~ <pets>|<people> are <acting> in|on|near the <surface>|<outdoors>
<pets>|<birds>|<people> <acted> in|near the <outdoors> <past_time>
<possessive> <pet>|<pets> <acted> in|on the <outdoors>|<surface> all <daytime>
<possessive> <pet>|<pets> <saw> the|a <bird>|<birds> in the <outdoors>
the <pet>|<pets>|<wild_animal> <saw> the|a ~|<size> <pet>|<wild_animal> behind|near the <house_part>
the ~|<colour> <bird>|<birds> <flew> over|near|above the <outdoors>|<waters>|<plants>
the <bird>|<birds> <rested> in the <plant>|<plants> and <flew> <manner>
the <farm_animal>|<farm_animals> <rested>|ate in the <outdoors> near the <house_part>
the farmer|<person> fed the <farm_animal>|<farm_animals>|<pet>|<pets> in the <daytime>
a <sea_animal>|fish is <size> and <swam> in the <waters>
the <bird>|<birds>|<wild_animal>|<wild_animals> <ate>|<saw> the <fruits>|<birds>
<wild_animals> live in the <land>|forest|zoo and <acted> at night
the ~|<size> <sea_animal> <swam> in the <waters> near the <land>
the <wild_animal>|<wild_animals> <acted> in the forest|desert|valley at night
<pronoun> <saw> the <pet>|<pets>|<people> <acting> in|near|on the <outdoors>|<surface>
the <pet>|<pets>|<person>|<people> <acting>|<acted> in|on the <outdoors>|<surface> was|were <mood>
are|is the <pets>|<pet>|<person> <acting> in|on the <outdoors>|<surface> <when>
the|~ <pets>|<people>|<birds> <acting>|<acted> in|on the <outdoors>|<surface>|<vehicle>
the <pet>|<person>|<farm_animal> <acting>|<acted> in|on|near the <surface>|<outdoors>
<possessive> <pet>|<pets>|<person>|<people> <acting>|<acted> in|on the <surface>|<outdoors>
the <pet>|<pets>|<bird>|<person> <acting>|<acted> <manner> in|on|near the <surface>|<outdoors>
<possessive> <pet>|<pets>|<people> were|was|kept <acting> <manner> in|on|near the <outdoors>|<surface>
the <pet>|<pets>|<person> kept|stopped|enjoyed <acting> in|on the <outdoors>|<surface>
the <pet> <acted> and the <pets> were <acting>
the <pet>|<pets> and the <pet>|<pets> <acted> in|on the <surface>|<outdoors>
<possessive> <pet>|<person> was <degree> <mood> and <rested> on the <surface>
a <pet>|<bird>|<farm_animal>|<wild_animal>|<sea_animal> is an|the animal
<pets>|<birds>|<farm_animals>|<wild_animals> are|were animals
the animal|animals <acted>|ate in|near the <outdoors>|zoo
<pronoun> <saw> the <wild_animal>|<wild_animals>|<birds> at the zoo
# crossing the street
the animal|<pet>|<person> did not|~ cross the <way> because it|he|she was <degree> <mood>
the animal|<pet>|<person> did not cross the <way>|river because it was <degree> wide|long|narrow|busy
the <person>|<people>|<pet> crossed the <way>|river <manner>
the <way> was <degree> wide|long|narrow|busy and the <vehicle> moved|stopped <manner>
the <vehicle> stopped near|at|behind the <way>|bank|<building>
<pronoun> must|should|can cross the <way>|river here|there|<manner>
why|where|how did the <person>|<pet>|animal cross the <way>
the <people>|<vehicle>|<birds> cross the <way>|<waters> <manner>|<when>
the <pet>|<person>|<pets> did not <act>|cross in|on|near the <way>|<outdoors>|<surface>
<pronoun> did|could|should not <act>|cross the <way>|<land> or <go> home
do not cross the <way> when|because it is <degree> wide|busy
the <vehicle>|<building>|<plant> in|on the <way>|<land>|<outdoors> is <colour>|<size>
<pronoun> <saw> a <vehicle>|<wild_animal>|<bird> in|on the <way>|<land>|<outdoors>
the <colour> <vehicle> drove|stopped|turned near the <building>|<shop>
# people
<possessive> <person> <acted> in|near the <outdoors>|<room>
the <person>|<worker>|<people> <acted> near|in the <outdoors>|<way>|<building>
the <person>|<worker> is <acting> near|in the <outdoors>|<room>|<building>
the <people> were <acting> in the <outdoors>|<building>
<name_f>|<name_m>|<pronoun> <acted> in|on|near the <surface>|<vehicle> because it was warm|late|cold
<possessive> <person> is a <character>|<age> <worker>|<person>
the <worker> is <character> and <character>
the <person>|<worker>|<ruler> was <degree> <character>|<mood>
<name_f>|<name_m> is <possessive> <person>|friend and is <character>
<name_f> <saw> her <person>|<pet>|friend and she was <mood>
<name_m> <saw> his <person>|<pet>|friend and he was <mood>
the <male> lost|found his <clothing>|<thing> and he was <mood>
the <female> lost|found her <clothing>|<thing> and she was <mood>
the <male> <said> that he was <degree> <mood>|<character>
the <female> <said> that she was <degree> <mood>|<character>
he is a|the <male> and his name is <name_m>
she is a|the <female> and her name is <name_f>
the <male> helped|thanked his <person>|<pet>|friend
the <female> helped|thanked her <person>|<pet>|friend
<name_m> is a <character>|<age> man|boy|<male>
<name_f> is a <character>|<age> woman|girl|<female>
the <ruler> of <country> lived in a|the <size> palace|castle
the <ruler> wore a <colour> crown in the palace|castle
the king ruled <country> and he loved his people|queen
the queen ruled <country> and she loved her people|king
the king|prince is a <age> man and he rides|rode his horse
the queen|princess is a <age> woman and she rides|rode her horse
the <worker> worked in the <building>|<shop> on|every <day>
the doctor|nurse helped the <person>|<people> in the hospital
the teacher helped the student|students|<people> in the school
<pronoun> can|could|will|would|must|should|may <act> in the <outdoors> <when>
<pronoun> can|could|will|would|must|should not <go> to the <building>|<shop>|<outdoors> <when>
they|we have|had <number> <people>|<pets>|<plants>|<texts>
he|she has|had a|one ~|<size> <pet>|<person>|<plaything>|<instrument>
there are|were <number> <people>|<pets>|<texts> in the <room>|<building>
who|what|which <person>|<pet> <acted> near the <house_part>
where|why|how|when did the <person>|<pet> <act>|<go>
this|that <person>|<pet> is <degree> <mood>|<character>
these|those <people>|<pets> are <degree> <mood>|<character>
<possessive> <person>|<pet>|<pets> can|will|must|may <act> on|in the <surface>|<outdoors>
<people>|<pets>|<birds> often|always|never|sometimes <act> in|near the <outdoors>
let us|them|him|her <act> in|on the <outdoors>|<surface>
some|many|all|few|most <people>|<pets>|<birds> <acted> in the <outdoors>
each|every|no|another|one <person>|<pet>|<bird> <acted> in the <outdoors>
the whole family <acted> together in the <outdoors>|<room>
# small words
if|when it is <foul> we|they stay at home but if it is <fair> we|they go to the <outdoors>
the <person> is <mood> but the <person> is <mood>|not
hello|yes|no my friend <possessive>|the <pet> is <mood>
hello <name_f>|<name_m>|friend how are you <when>
the <pet>|<person> <went> up|down the <land>|<way>|<plant>
the <building>|<shop> is between the <building>|<shop> and the <building>|<shop>
<pronoun> <drank> <drink> with|without|before|after <meal>|<dish>
<pronoun> <went> home before|after|without <meal>|breakfast
i|you|we|they see|hear|know the <person>|<pet>|<bird> in the <outdoors>
i|you|we|they think|say|know that he|she|it is <degree> <mood>|<verdict>
i|you|we|they make|drink|take <drink> with <dish> for <meal>
he|she|<name_f> sees|hears|knows the <pet>|<bird> in the <outdoors>|<room>
the bird|cat|singer|dog sings|lies|sits|sleeps|plays on|in the <surface>|<outdoors>
<plural_pronoun> have seen|heard the <film>|<bird>|<wild_animal>
the <person>|<pet>|<people> <acted> in|on the <outdoors>|<surface> until the <daytime>
<pronoun> must|can|will <act> here until <when>|<day>|<daytime>
the <building>|<shop> is open|closed until <day>|<when>|<daytime>
stay at home until the <sky_noun> stops|stopped
the <pet>|<person>|<name_m>|<name_f> sits|sleeps|lies|plays in|on the <surface>|<outdoors>
it has been|will be <fair>|<foul> all day|<daytime>
what does|did the <person>|<pet> see|hear|want in the <outdoors>|<room>
to whom did the <person> give the <text>|<plaything>|<fruit>
the <person>|<worker> has time|work for <possessive> <pet>|<person>|<text>
life in the <settlement> is <fair>|quiet|<verdict> all over the world
a person <acting> near the <way>|<outdoors> is <mood>
# love and feelings
i|you|we|they <feel> <object_pronoun>|you ~|always|dearly
i <feel> you and you <feel> me
he|she|<name_f>|<name_m> <feels> <object_pronoun>|you ~|always|dearly
i|you|we|they <feel> <possessive> <person>|<pet>|friend
he|she <feels> the|<possessive> <person>|<pet>|<worker>
i|we|they always|never|often|sometimes <feel> <possessive> <person>|<pet>|friend
i am <degree> <mood> because|when you are <mood>
we|you|they are <degree>|not <mood> <when>
he|she is|was <degree>|not <mood> because|when it is|was <foul>
<pronoun> <said> that|~ the <person>|<pet> was <mood>
<pronoun> felt <mood> and <mood> <past_time>
# food
<possessive>|the <person> <ate> the|a <taste> <fruit> for <meal>
the <person>|<people> <ate> <taste> <fruits>|<vegetables>|<dish> for <meal>
the <person> is <eating> the|some <dish>|<fruits>|<vegetables> in the <room>
<pronoun> will|can|must <eat> the <dish>|<fruits>|<vegetables> for <meal>
the cook|baker|<person> <cooked> the|some <dish>|<vegetables> in the kitchen|<room>
the <person>|<worker> <cooked> <dish>|<vegetables> and <ate> the <dish>|<vegetables>
<pronoun> <cooked> the <dish>|<vegetables> <manner>
the <people>|<pets> are|were|kept <eating> <dish>|<fruits>
<pronoun> can|must|should <eat> the|some <fruits>|<dish>
the <dish>|<fruit> was <degree> <taste>|hot|cold and the <person> <ate> it
<fruits>|<vegetables> are <degree> <taste>|healthy in <season>
the <person> <drank> <drink> from|in the|a <vessel>
<plural_pronoun> like hot|cold <drink> with <dish> for <meal>
<dish> and <dish>|<drink> for <meal> <when>
an|the <fruit> is a <colour> fruit and tastes <taste>
the monkey|horse|goat|rabbit|pig <ate> the <fruit>|<fruits>|<vegetables>
the cat|kitten|puppy|dog <drank> milk|water from the bowl
the <plant> had|has <colour> <fruits>|leaves|flowers in <season>
# pouring
she|he poured <drink> from the <vessel> into the <vessel> until it was full|empty
the <person> <poured> the <drink> into|from the ~|<size> <vessel> until it was full|empty
<name_f>|<name_m> filled the <vessel> with <drink> until it was full
the <vessel> was <degree>|not full|empty and she|he <poured> the <drink>
the <vessel> of <drink> is on the <furniture>|<surface>
the <drink> in the <vessel> is hot|cold|warm|fresh
# shops
the <shop> <bought> <fruits>|<vegetables>|<dish> and|then he|she|they <went> home
he|she|<name_f>|<name_m> <bought> <fruits>|<vegetables>|<dish> at|from the <shop>
he|she|<name_f>|<name_m> went to the <shop> and <bought> <fruits>|<texts> then|and <went> home
<pronoun> will|can|may|should <buy> <fruits>|<vegetables>|<clothings>|<texts> at the <shop> <when>
the <shop> sells <taste>|fresh <fruits>|<vegetables>|<dish> every <day>
<pronoun> should|could|would <buy> a|the <thing>|<plaything>|<clothing> <when>
then he|she|<pronoun> <went> home|back from the <shop>|<building> in the <daytime>
the <person>|<worker> <went> home|back after <meal>|school
the <person> paid <number>|<tens> coins for the <thing>|<plaything>|<clothing>
the <shop> is open|closed <day>|<when>
the <thing>|<plaything>|<clothing> is cheap|expensive in|at the <shop>
the <age>|<size> <shop> is near|behind|beside the <building>|<way>
# banks and rivers
the bank of the river is wide|green|long|narrow
the <person>|<pet>|<people> <acted> on|near the bank of the <waters>
the <plant>|<plants> grow|grew on|along the bank of the <waters>|river
the boat|ship floated|moved <manner> along|across the <waters>
the <person>|<worker> put|kept|saved <possessive>|the <money> in the bank
the bank lent|gave <money> to the <worker>|<shop>|<person>
the bank is|was open|closed on <day>
the <waters> is|was <degree> deep|wide|cold|clear
the <people> <swam> in the <waters> in <season>
the river|stream flows|runs from the <land> to|into the sea|lake
# weather
the weather is|was <fair>|<foul> <when> in <city>
the weather is|was <degree>|not|~ <fair>|<foul> <when>
the <daytime>|day|<season> is|was <degree>|~ <fair>|<foul> in <city>|<country>
it is|was <fair>|<foul> <when> in|near <city>
it is|was <degree> <fair>|<foul> on <day> <daytime>
<when> the weather in <city> is <fair>|<foul>
the <sky_noun> came|stopped|began in the <daytime> ~|<when>
there is|was much|some|no <sky_noun> in <city> in <month>|<season>
the sun is|was bright|warm|hot in the sky|<daytime>
<season> in <city>|<country> is|was <fair>|<foul>
in <month> the weather is <fair>|<foul> and the <daytime> is <fair>|<foul>
the weather in|on|near the <land>|<waters> is|was <fair>|<foul>
the <sky_noun> fell in|on the <land>|<outdoors>|<way>
because of the <sky_noun> the <people> stayed at home
a <fair>|<foul> day|<daytime> in|near the <outdoors>|<settlement>|<land>
the <outdoors>|<land>|garden|river|<plants> is|are <fair> in <season>
# cities, countries, languages
<name_f>|<name_m>|<pronoun> <travelled> from <city>|<country> to <city>|<country> by <vehicle>
<name_f>|<name_m> lives|lived|works in <city>|<country>
<plural_pronoun> speak|learn|understand <language> and <language>
<name_f>|<name_m> speaks|learns|teaches <language> and <language>
the <text> in <language> is|was <degree> <verdict>
the <texts> in <language> are|were <degree> <verdict>
translate the <language> sentence|<text>|word into <language>
the word|sentence in <language> means the same in <language>
the <vehicle> from <city> to <city> was fast|slow|late
<pronoun> <went>|<travelled> to <city> in <month>|<season>
<pronoun> <went> to the <land>|<settlement> by <vehicle> in|last <month>
the <person>|<name_f>|<name_m> <travelled> in|on the <vehicle> from|to <city>|<country>
a <size>|<fair> <settlement> on|near the <waters>|<land> in <country>
the <settlement>|<land> is on|near|behind the <waters>|<land> in <country>
on <day> and <day> the <building>|<shop> is open|closed
<name_f>|<name_m> lives|lived in|on|near the <land>|<way>|<settlement>
there is a|the <building>|<shop> in|on|near the <land>|<way>
the <worker>|<worker> worked in|on|near the <vehicle>|<land>|<building>
<month> and <month> are months of the year
<day> and <day> are days of the week
# who belongs where
paris is a <size>|<fair> city in france
the people of paris in france speak french
a french <text>|<film>|word from paris|france
rome is a <size>|<fair> city in italy
the people of rome in italy speak italian
an italian <text>|<film>|word from rome|italy
madrid is a <size>|<fair> city in spain
the people of madrid in spain speak spanish
a spanish <text>|<film>|word from madrid|spain
berlin is a <size>|<fair> city in germany
the people of berlin in germany speak german
a german <text>|<film>|word from berlin|germany
london is a <size>|<fair> city in england
the people of london in england speak english
an english <text>|<film>|word from london|england
tokyo is a <size>|<fair> city in japan
the people of tokyo in japan speak japanese
a japanese <text>|<film>|word from tokyo|japan
cairo is a <size>|<fair> city in egypt
the people of cairo in egypt speak arabic
an arabic <text>|<film>|word from cairo|egypt
delhi is a <size>|<fair> city in india
the people of delhi in india speak hindi
a hindi <text>|<film>|word from delhi|india
beijing is a <size>|<fair> city in china
the people of beijing in china speak chinese
a chinese <text>|<film>|word from beijing|china
melbourne|sydney is a <size>|<fair> city in australia
the people of melbourne|sydney in australia speak english
dublin is a <size>|<fair> city in ireland
toronto is a <size>|<fair> city in canada
the people of toronto in canada speak english|french
lima is a <size>|<fair> city in peru
the people of lima in peru speak spanish
# what things do and are
the dog|dogs|puppy|puppies barked <manner> at the cat|cats|<bird>|door
the cat|cats|kitten|kittens purred <manner> on the <surface>
the wolf|wolves howled in the forest at night
the bear|lion|tiger growled <manner> in the forest|zoo
the duck|ducks|swan|swans swam on the <waters>
the rabbit|rabbits|horse|goat ate the carrots|grass|leaves
the cow|cows gave milk to the farmer|<person>
the monkey|monkeys ate the banana|bananas in the tree
the cat|kitten chased the sparrow|bird in the garden
the dog|puppy chased the ball|cat in the park
the farmer rode the horse|donkey to the market|field
the whale|dolphin|fish swam in the sea
the apple|rose|cherry is red and the banana|lemon is yellow
the grass|leaf|pear is green and the sky|sea is blue
the snow|milk is white and the coffee|night is black
the plum|plums|grapes were purple and the pig|peach was pink
the elephant|storm is grey and the bear|chocolate is brown
winter is cold|snowy and summer is warm|sunny
autumn is windy|rainy|foggy and spring is pleasant|lovely
the baker baked bread|cake|pie in the bakery
the pilot flew the plane to <city>|<country>
the sailor sailed the boat|ship on the sea|lake|river
the driver drove the bus|car|train|tram|truck to the <settlement>|<city>
the writer wrote the book|story|poem for the children
the painter painted the door|wall|fence blue|green|red|white
the gardener watered the <plants>|<vegetables> in the garden
the singer sang a song at the theatre
# colours and clothes
the <person>|<worker> <wore> a <colour> <clothing> on <day>
the <person> <wore> <colour> <clothings> and a <colour> <clothing>
the <colour> <clothing> is on the <furniture>|<surface>
the <clothing>|<vehicle>|<house_part> is <colour> and <colour>
the <colour> <plaything>|<thing> is <size>|<age>|broken
<pronoun> painted the <house_part>|<thing>|<furniture> <colour> and|or <colour>
<possessive> <clothing> is <degree> <size>|long|short
the <plant>|<plants> in the <outdoors> is|are <colour>
# home
the <person> <made> the <thing>|<plaything>|<house_part> in the <room>|garage
the <thing>|<plaything> is on|under|near|beside the <furniture>|<surface>
the <room> of the house is <size>|warm|cold|<colour>
the <person> walked|ran|came into|from the <room> and closed|opened the <house_part>
there is a <thing>|<plaything>|<vessel> on|under the <furniture>
the <house_part> of the house|<building> is <size>|<age>|open|closed
the <person>|<people> <made> a|the <thing>|<plaything>|<furniture> <when>|<manner>
<pronoun> <made> the <house_part>|<vehicle>|<thing> <when>
the <thing>|<plaything>|<vessel> was in|on|behind|beside the <thing>|<furniture>|<vehicle>
<possessive> <thing>|<plaything>|<text> is in|on the <vehicle>|<furniture>|<surface>
the mat|rug|carpet is on the floor in the <room>|hall
the children|<people> played with the <plaything> in|on the <outdoors>|<surface>|<room>
the <surface>|<furniture> in the <room> is <colour>|soft|clean
the <surface>|bench|chair is in|near the <outdoors>|garden|<room>
at|by night the house is <degree> quiet|dark
# bodies
the <measure> of the <person>|<worker> is|was <number>|<tens> <unit>
the nurse|doctor|<worker> <measured> the <measure> and the <measure> of the <person>|<people>
a <build> adult has a small|large <measure>
<possessive> <person> is|was <more_build> than my|<possessive> <person>
the <person>|<worker> <measured> the <measure> in <unit>
the <person> is <more_build> than the <person>|<worker>
the <person>|<worker> is|was <degree> <build>
his|her <measure> is <tens> <unit> and his|her <measure> is <tens> <unit>
a <size> waist|chest means more|less weight
<tens> <unit> is the average|mean <measure> of the <people>
predict|estimate the weight from the waist|height|chest of the <person>
# library
<pronoun> <read> a|the <text> on|about <field>|<computing> in the library
<plural_pronoun> want to find|read a|the <text> on|about <field>|<computing>
<plural_pronoun> want to find|read a|the <text> on|about machine|deep learning
the <book_part> of the <text> is <degree> <verdict>|long|short
the student|teacher|<person> <read> the|a <verdict>|<age> <text> in the library|school
the <person>|<people> <reading> the <text>|<texts> in the library is|are <mood>
you|we|they <reads> the <text>|<texts> on|about <field>|<computing>
the student is <reading> the|a <text> in the library|<room>
<pronoun> will|can <reads> the <text> on|about <field>|<computing>
the <texts> in the library are on|about <field>|<computing>|<country>
<look> for the|a <text>|<book_part>|word in the library|<text>
<name_f>|<name_m> <looked> for the|a <text>|<book_part> in the library
you|we|they are <looking> for the|a <text> on|about <field>
he|she|<name_f> is <looking> for the|a <text> on|about <field>
the library has many|some <texts> on|about machine|deep learning
the <text> is on the shelf|desk|table in the library
the student learned|studied <field>|<computing> at school|university
python is a language for <computing> and data
a course|lesson on|about data structures in python
a course|lesson on|about <computing>|python
the <book_part> and the <book_part> are on the cover|page of the book
each word of the sentence|sentences has a meaning|place|vector
# attention
the query is compared with|to every|each key
the <term>|<terms> and the <term>|<terms> belong to the words
each|every|the query looks at every|each key
the value of each|every key is a vector of numbers
the <terms> and the <terms> are|give <weights>
attention <compared> the query|queries and|with the keys|values
the attention weights of each|every query sum to one
the <weights> are <compared> and <compared> by attention|softmax
the <term> of the word|book|page is a vector
the <term> is what we|you look|search for
the key is the <book_part> of the book and the value is the text|content
large|small <weights> mean more|less attention to the <term>
attention looks at|for the word|words in the sentence
the model learned the <weights>|<terms> from data
each word looks|looked at other words with attention
a question needs an answer and the teacher gives an example
the score of each|every word|token is large|small
the scores of similar|other words|tokens are large|small
each|every token|word|number has a position|place in the sentence|row
similar words have|get similar vectors|weights|numbers
softmax turns the scores|numbers of each row|query into <weights>
each row|column of the matrix is one|a vector|<term>
the mask hides|covers some|the keys|words from each|the query
each head has its|a small matrix of <weights>
the heads compare the <terms> and the words in the sentence
the output|answer is the weighted sum|mean of the values
# films and music
<pronoun> <watched> the <film>|<films> at the cinema|theatre on <day>
the <film_part> and the <film_part> of the <film> are|were <verdict>
the <film_part> of the <film> is|was <degree> <verdict>
the <film_person> of|in the <film> is|was <degree> <character>|famous
<name_f>|<name_m> <watched> a|the <verdict>|<age> <film> on|about <country>|<field>
the <films>|<texts> on|about <country>|<field> are|were <verdict>
the <person>|<people> liked the <film_part> of the <film>|<films>
the <film_person> spoke|sang|danced <manner> in|at the theatre|<film>
<possessive> <person>|<worker> played the <instrument> <manner>
the sound of the <instrument> was soft|loud|<fair>
the singer|<film_person>|<person> sang a <fair>|<verdict> song
<pronoun> listened to music|songs|the <instrument> in the <daytime>
"""


def words_of(name: str) -> list[str]:
    """The words of one class."""
    return CLASSES[name].split()


def templates() -> list[str]:
    """All templates, one a line, in their order."""
    return [line for line in TEMPLATES.strip().splitlines() if not line.startswith("#")]


def sentences(count: int, seed: int) -> Iterator[list[str]]:
    """`count` sentences of lower-case words, the same ones for the same `seed`."""
    rng = random.Random(seed)
    lines = templates()
    for _ in range(count):
        yield _agree([word for place in _draw(lines, rng).split() if (word := _fill(place, rng))])


def grammatical(sentence: Sequence[str]) -> bool:
    """Whether a template can give these words in this order."""
    words = list(sentence)
    if not words or words != _agree(words):
        return False
    plain = ["a" if word == "an" else word for word in words]
    return any(_gives(places, plain) for places in _places())


@functools.cache
def _places() -> list[list[frozenset[str]]]:
    """What each place of each template can be; the empty word where that is nothing, `a` also for `an`."""
    return [[_choices(place) for place in line.split()] for line in templates()]


@functools.cache
def _choices(place: str) -> frozenset[str]:
    found = [words_of(one[1:-1]) if one.startswith("<") else [one] for one in place.split("|")]
    return frozenset({"~": "", "an": "a"}.get(word, word) for words in found for word in words)


def _gives(places: list[frozenset[str]], words: list[str]) -> bool:
    """Whether the places can be filled with just these words. `told`: how many words may have been used so far."""
    told = {0}
    for choices in places:
        used = {n + 1 for n in told if n < len(words) and words[n] in choices}
        told = used | told if "" in choices else used
        if not told:
            return False
    return len(words) in told


def _fill(place: str, rng: random.Random) -> str:
    choice = _draw(place.split("|"), rng)
    if choice == "~":
        return ""
    return _draw(words_of(choice[1:-1]), rng) if choice.startswith("<") else choice


def _draw(options: list[str], rng: random.Random) -> str:
    # Python promises that random() stays the same for a seed; it does not promise so for choice().
    return options[int(rng.random() * len(options))]


def _agree(words: list[str]) -> list[str]:
    """Write `a` or `an` as the next word asks for."""
    following = [*words[1:], ""]
    return [
        _article(after) if word in ("a", "an") else word for word, after in zip(words, following, strict=True)
    ]


def _article(after: str) -> str:
    return "an" if after.startswith(tuple("aeiou")) else "a"
