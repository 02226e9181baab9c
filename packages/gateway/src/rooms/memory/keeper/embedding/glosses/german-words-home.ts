// German nouns of the house: rooms, things, tools, food, cooking, garden, plants, animals, clothes, each with its English gloss.
export const HOME_WORDS = `
# house and rooms
haus häuser=house; wohnung=apartment; eigentumswohnung=owned apartment; mietwohnung=rented apartment
ferienwohnung=vacation apartment; ferienhaus=vacation house; einfamilienhaus=detached house; reihenhaus=row house
hochhaus=high-rise; bauernhof=farm; hof=yard farm; hütte=cabin; villa=villa; gebäude=building; altbau=old building
neubau=new building; zimmer=room; raum räume=room space; wohnzimmer=living room; schlafzimmer=bedroom
kinderzimmer=children's room; arbeitszimmer=study office; esszimmer=dining room; gästezimmer=guest room
badezimmer=bathroom; bad bäder=bath bathroom; küche=kitchen; flur=hallway; diele=hallway; gang gänge=corridor gear
eingang=entrance; ausgang=exit; einfahrt=driveway; keller=basement; dachboden=attic; speicher=attic storage
abstellraum=storage room; abstellkammer=storage room; speisekammer=pantry; kammer=chamber; waschküche=laundry room
toilette=toilet; klo=toilet; garage=garage; carport=carport; balkon=balcony; terrasse=terrace; veranda=porch
wintergarten=conservatory; stockwerk=floor; stock=floor stick; etage=floor; erdgeschoss=ground floor
obergeschoss=upper floor; dachgeschoss=top floor; untergeschoss=basement; treppe=stairs; treppenhaus=staircase
stufe=step; geländer=railing; aufzug=elevator; lift=elevator; fahrstuhl=elevator; tür=door; haustür=front door
tor=gate goal; klinke=door handle; griff=handle; schloss schlösser=castle lock; schlüssel=key
schlüsselbund=bunch of keys; ersatzschlüssel=spare key; klingel=doorbell; briefkasten=mailbox; fenster=window
fensterbank=window sill; fensterscheibe=window pane; scheibe=pane slice; rollladen rollo=roller blind; jalousie=blinds
vorhang vorhänge=curtain; gardine=curtain; wand wände=wall; mauer=wall; decke=ceiling blanket
boden böden=floor ground; fußboden=floor; parkett=parquet; laminat=laminate; teppich=carpet; fliese=tile; kachel=tile
tapete=wallpaper; dach dächer=roof; dachrinne=gutter; regenrinne=gutter; dachziegel=roof tile; ziegel=brick
kamin=chimney fireplace; schornstein=chimney; schornsteinfeger=chimney sweep; kaminkehrer=chimney sweep
rauchfangkehrer=chimney sweep; fassade=facade; dämmung=insulation; schimmel=mold; feuchtigkeit=moisture; riss=crack
loch löcher=hole; miete=rent; warmmiete=rent including heating; kaltmiete=rent without heating; kaution=deposit
mietvertrag=rental contract; nebenkosten=utility costs; hausmeister=caretaker janitor
hausverwaltung=property management; vermieter=landlord; mieter=tenant; untermieter=subtenant; eigentümer=owner
besitzer=owner; makler=real estate agent; umzug=move; umzugskarton=moving box; einzug=moving in; auszug=moving out
haushalt=household; hausarbeit=housework; hausordnung=house rules; kehrwoche=cleaning duty; müll=trash; abfall=waste
mülltonne=trash bin; mülleimer=trash can; müllabfuhr=garbage collection; müllbeutel=trash bag
biotonne=organic waste bin; altpapier=waste paper; altglas=used glass; glascontainer=glass recycling bin
sperrmüll=bulky waste; wertstoffhof=recycling center
# furniture
möbel=furniture; tisch=table; esstisch=dining table; schreibtisch=desk; couchtisch=coffee table
nachttisch=bedside table; stuhl stühle=chair; hocker=stool; bank bänke=bank bench; sessel=armchair; sofa=sofa
couch=sofa; bett=bed; doppelbett=double bed; hochbett=bunk bed; kinderbett=crib; matratze=mattress
lattenrost=slatted bed frame; kissen=pillow; kopfkissen=pillow; bettdecke=duvet; bettwäsche=bed linen
laken bettlaken=sheet; schrank schränke=cupboard; kleiderschrank=wardrobe; kommode=dresser; schublade=drawer
regal=shelf; bücherregal=bookshelf; garderobe=coat rack; spiegel=mirror; lampe=lamp; leuchte=light
glühbirne=light bulb; birne=pear bulb; kronleuchter=chandelier; schirm=umbrella; regenschirm=umbrella; bild=picture
gemälde=painting; rahmen=frame; bilderrahmen=picture frame; uhr=clock watch; wecker=alarm clock; armbanduhr=wristwatch
vase=vase; tresor=safe; truhe=chest; kiste=box; karton=cardboard box; schachtel=box; korb körbe=basket; eimer=bucket
dose=can; beutel=bag; sack=sack; tüte=bag; wiege=cradle; kinderwagen=stroller; laufstall=playpen; hochstuhl=high chair
# household devices and cleaning
gerät=device; haushaltsgerät=household appliance; waschmaschine=washing machine; trockner=dryer; wäschetrockner=dryer
spülmaschine=dishwasher; geschirrspüler=dishwasher; kühlschrank=refrigerator; gefrierschrank=freezer
gefriertruhe=freezer; tiefkühltruhe=freezer; herd=stove; backofen=oven; ofen öfen=oven stove; mikrowelle=microwave
toaster=toaster; wasserkocher=kettle; kaffeemaschine=coffee machine; mixer=mixer; pürierstab=hand blender
küchenmaschine=food processor; dunstabzugshaube=extractor hood; staubsauger=vacuum cleaner; bügeleisen=iron
bügelbrett=ironing board; nähmaschine=sewing machine; heizung=heating; heizkörper=radiator
fußbodenheizung=underfloor heating; kessel=boiler kettle; gaskessel=gas boiler; boiler=boiler; wärmepumpe=heat pump
klimaanlage=air conditioning; ventilator=fan; lüftung=ventilation; rauchmelder=smoke detector
feuerlöscher=fire extinguisher; alarmanlage=alarm system; fernseher=television; fernsehen=television
fernbedienung=remote control; radio=radio; stereoanlage=stereo; lautsprecher=speaker; kopfhörer=headphones
strom=electricity; stromausfall=power outage; steckdose=socket; stecker=plug; kabel=cable
verlängerungskabel=extension cord; mehrfachsteckdose=power strip; schalter=switch; lichtschalter=light switch
sicherung=fuse; sicherungskasten=fuse box; zähler=meter; stromzähler=electricity meter; gaszähler=gas meter
wasserzähler=water meter; zählerstand=meter reading; gas=gas; wasser=water; leitung=pipe line; rohr=pipe
wasserhahn=tap; hahn hähne=rooster tap; abfluss=drain; waschbecken=sink; spüle=sink; badewanne=bathtub; wanne=tub
dusche=shower; brause=shower; spülung=flush; pumpe=pump; besen=broom; handfeger=hand brush; kehrschaufel=dustpan
putzmittel=cleaning agent; reiniger=cleaner; putzlappen=cleaning rag; lappen=rag; tuch tücher=cloth; wischmopp=mop
waschmittel=detergent; weichspüler=fabric softener; spülmittel=dish soap; essig=vinegar; wäsche=laundry
wäscheleine=clothesline; wäscheklammer=clothespin; wäschekorb=laundry basket; reinigung=cleaning dry cleaner
sauberkeit=cleanliness; ordnung=order; unordnung=mess; staub=dust; schmutz=dirt; dreck=dirt; fleck=stain
flecken=stain; kalk=limescale; rost=rust; abwasch=washing dishes; geschirr=dishes
# kitchen things
teller=plate; tasse=cup; becher=mug; glas gläser=glass; weinglas=wine glass; untertasse=saucer; schüssel=bowl
schale=bowl peel; besteck=cutlery; messer=knife; taschenmesser=pocket knife; gabel=fork; löffel=spoon
teelöffel=teaspoon; esslöffel=tablespoon; kochlöffel=wooden spoon; schöpflöffel=ladle; topf töpfe=pot; pfanne=pan
deckel=lid; sieb=sieve; reibe=grater; schneebesen=whisk; nudelholz=rolling pin; backblech=baking tray
blech=sheet metal tray; backform=baking tin; schneidebrett=cutting board; brett=board; dosenöffner=can opener
flaschenöffner=bottle opener; korkenzieher=corkscrew; korken=cork; kanne=pot jug; krug=jug; thermoskanne=thermos
flasche=bottle; kasten kästen=crate box; tablett=tray; serviette=napkin; tischdecke=tablecloth
geschirrtuch=dish towel; küchenrolle=paper towels; alufolie=aluminum foil; frischhaltefolie=plastic wrap
backpapier=baking paper; waage=scale; kühlbox=cooler; brotdose=lunch box; vorrat vorräte=supply
# food
essen=food meal; lebensmittel=groceries food; nahrung=food; mahlzeit=meal; frühstück=breakfast; mittagessen=lunch
abendessen=dinner; abendbrot=dinner; brotzeit=snack; jause=snack; imbiss=snack; snack=snack; vorspeise=appetizer
hauptgericht=main course; nachspeise nachtisch=dessert; dessert=dessert; beilage=side dish; gericht=dish court
speise=dish; speisekarte=menu; portion=portion; zutat=ingredient; brot=bread; laib=loaf; brötchen=bread roll
semmel=bread roll; brezel breze=pretzel; toastbrot=toast; vollkornbrot=whole grain bread; kruste=crust; teig=dough
sauerteig=sourdough; hefe=yeast; mehl=flour; grieß=semolina; backpulver=baking powder; kuchen=cake
apfelkuchen=apple cake; keks=cookie; gebäck=pastry; lebkuchen=gingerbread; waffel=waffle; pfannkuchen=pancake
palatschinke=pancake; strudel=strudel; krapfen=doughnut; nudel=noodle; nudeln=pasta; spaghetti=spaghetti; reis=rice
kartoffel=potato; erdapfel=potato; pommes=french fries; bratkartoffeln=fried potatoes
kartoffelbrei püree=mashed potatoes; knödel=dumpling; kloß klöße=dumpling; spätzle=egg noodles; maultasche=ravioli
suppe=soup; eintopf=stew; brühe=broth; soße sauce=sauce; salat=salad lettuce; gemüse=vegetables; obst=fruit
frucht früchte=fruit; tomate=tomato; paradeiser=tomato; gurke=cucumber; paprika=bell pepper; karotte=carrot
möhre=carrot; zwiebel=onion; knoblauch=garlic; lauch=leek; porree=leek; sellerie=celery; kohl=cabbage
blumenkohl=cauliflower; karfiol=cauliflower; rotkohl=red cabbage; sauerkraut=sauerkraut; rosenkohl=brussels sprouts
brokkoli=broccoli; spinat=spinach; mangold=chard; spargel=asparagus; zucchini=zucchini; kürbis=pumpkin
aubergine=eggplant; bohne=bean; erbse=pea; linse=lentil lens; kichererbse=chickpea; mais=corn; radieschen=radish
rettich=radish; rübe=turnip; pilz=mushroom; champignon=mushroom; pfifferling=chanterelle mushroom
steinpilz=porcini mushroom; fenchel=fennel; artischocke=artichoke; ingwer=ginger; avocado=avocado; olive=olive
apfel äpfel=apple; pflaume=plum; zwetschge=plum; kirsche=cherry; aprikose=apricot; marille=apricot; pfirsich=peach
traube=grape; weintraube=grape; erdbeere=strawberry; himbeere=raspberry; brombeere=blackberry
heidelbeere blaubeere=blueberry; johannisbeere=currant; stachelbeere=gooseberry; beere=berry; banane=banana
orange=orange; apfelsine=orange; mandarine=tangerine; zitrone=lemon; limette=lime; grapefruit=grapefruit
ananas=pineapple; melone=melon; kiwi=kiwi; mango=mango; feige=fig; dattel=date fruit; rosine=raisin; rhabarber=rhubarb
quitte=quince; nuss nüsse=nut; haselnuss haselnüsse=hazelnut; walnuss walnüsse=walnut; erdnuss erdnüsse=peanut
mandel=almond; kastanie=chestnut; kern=kernel core; fleisch=meat; rindfleisch=beef; schweinefleisch=pork
kalbfleisch=veal; lammfleisch=lamb; geflügel=poultry; hähnchen hühnchen=chicken; hackfleisch=ground meat
faschiertes=ground meat; braten=roast; schnitzel=schnitzel; steak=steak; kotelett=chop; gulasch=goulash
roulade=beef roll; wurst würste=sausage; würstchen=sausage; bratwurst=sausage; leberwurst=liver sausage; salami=salami
schinken=ham; speck=bacon; fisch=fish; lachs=salmon; forelle=trout; hering=herring; thunfisch=tuna; kabeljau=cod
garnele=shrimp; muschel=mussel shell; meeresfrüchte=seafood; ei eier=egg; spiegelei=fried egg; rührei=scrambled eggs
eigelb=egg yolk; eiweiß=egg white protein; milch=milk; hafermilch=oat milk; sahne=cream; schlagobers=whipped cream
schmand=sour cream; joghurt jogurt=yogurt; quark=curd cheese; topfen=curd cheese; butter=butter; margarine=margarine
käse=cheese; frischkäse=cream cheese; laktose=lactose; gluten=gluten; öl=oil; olivenöl=olive oil; fett=fat; salz=salt
pfeffer=pepper; zucker=sugar; gewürz=spice; kräuter=herbs; petersilie=parsley; schnittlauch=chives; basilikum=basil
dill=dill; rosmarin=rosemary; thymian=thyme; minze=mint; salbei=sage; kümmel=caraway; zimt=cinnamon; vanille=vanilla
muskat=nutmeg; nelke=clove carnation; curry=curry; chili=chili; senf=mustard; ketchup=ketchup; mayonnaise=mayonnaise
honig=honey; marmelade=jam; konfitüre=jam; gelee=jelly; nutella=chocolate spread; schokolade=chocolate
praline=chocolate candy; bonbon=candy; gummibärchen=gummy bears; süßigkeit süßigkeiten=sweets; eis=ice cream ice
pudding=pudding; haferflocken=oatmeal; müsli=muesli; brei=porridge; tofu=tofu; konserve=canned food
tiefkühlkost=frozen food; pizza=pizza; döner=kebab; hunger=hunger; appetit=appetite; durst=thirst; getränk=drink
kaffee=coffee; espresso=espresso; tee=tea; kakao=cocoa; saft säfte=juice; apfelsaft=apple juice
orangensaft=orange juice; limonade=lemonade; mineralwasser=mineral water; leitungswasser=tap water
sprudel=sparkling water; bier=beer; weißbier weizen=wheat beer; wein=wine; rotwein=red wine; weißwein=white wine
glühwein=mulled wine; schnaps=liquor; likör=liqueur; alkohol=alcohol; kater=tomcat hangover; fass=barrel; diäten=diet
vegetarier=vegetarian; veganer=vegan; koch köche=cook; köchin=cook; kochbuch=cookbook; restaurant=restaurant
gaststätte=restaurant; gasthaus gasthof=inn; wirtshaus=inn; wirt=innkeeper; kneipe=pub; café=cafe
biergarten=beer garden; mensa=canteen; kantine=canteen; kellner=waiter; trinkgeld=tip; reservierung=reservation
stammtisch=regulars' table
# tools and repairs
mittel=remedy; zeugs=stuff; werkzeug=tool; werkzeugkasten=toolbox; werkstatt=workshop garage; werkbank=workbench
hammer=hammer; schraube=screw; schraubenzieher schraubendreher=screwdriver; schraubenschlüssel=wrench; dübel=wall plug
zange=pliers; säge=saw; bohrer=drill; bohrmaschine=drill; akkuschrauber=cordless screwdriver; feile=file; hobel=plane
meißel=chisel; axt äxte=axe; beil=hatchet; schleifpapier=sandpaper; schleifmaschine=sander; wasserwaage=spirit level
zollstock=folding ruler; maßband=tape measure; leiter=ladder leader; pinsel=paintbrush; farbrolle=paint roller
farbe=color paint; lack=varnish paint; lasur=wood stain; putz=plaster; spachtel=spatula filler; mörtel=mortar
zement=cement; beton=concrete; silikon=silicone; fuge=joint gap; dichtung=seal; klebeband=adhesive tape
draht drähte=wire; seil=rope; schnur schnüre=string; kette=chain; haken=hook; scharnier=hinge; feder=feather spring
rad räder=wheel bicycle; rolle=roll role; holz hölzer=wood; metall=metal; eisen=iron; stahl=steel; kupfer=copper
messing=brass; aluminium=aluminum; blei=lead; zinn=tin; gold=gold; silber=silver; bronze=bronze; plastik=plastic
kunststoff=plastic; gummi=rubber; papier=paper; pappe=cardboard; stoff=fabric material; leder=leather; wolle=wool
baumwolle=cotton; seide=silk; leinen=linen; samt=velvet; filz=felt; porzellan=porcelain; keramik=ceramics
marmor=marble; stein=stone; kies=gravel; sand=sand; lehm=clay; ton töne=clay sound; wachs=wax; schaum=foam
material=material; reparatur=repair; wartung=maintenance; ersatzteil=spare part; garantie=warranty
gebrauchsanweisung=instruction manual; bedienungsanleitung=instruction manual; anleitung=instructions
handwerker=craftsman; klempner=plumber; installateur=plumber; elektriker=electrician; maler=painter
tischler=carpenter; schreiner=carpenter; zimmermann=carpenter; maurer=bricklayer; dachdecker=roofer
schlosser=locksmith; glaser=glazier; fliesenleger=tiler; baumarkt=hardware store; baustelle=construction site
renovierung=renovation; sanierung=renovation; umbau=conversion
# garden and plants
garten gärten=garden; gärtner=gardener; schrebergarten=allotment garden; gemüsegarten=vegetable garden
beet=garden bed; hochbeet=raised bed; rasen=lawn; wiese=meadow; hecke=hedge; zaun zäune=fence; gartentor=garden gate
gartenhaus=garden shed; gewächshaus=greenhouse; teich=pond; brunnen=well fountain; schlauch schläuche=hose
gartenschlauch=garden hose; gießkanne=watering can; rasenmäher=lawn mower; spaten=spade; schaufel=shovel; rechen=rake
harke=rake; hacke=hoe; schubkarre=wheelbarrow; gartenschere=pruning shears; heckenschere=hedge trimmer
kompost=compost; dünger=fertilizer; mist=manure crap; jauche=liquid manure; erde=soil earth; blumenerde=potting soil
samen=seed; saat=seed; saatgut=seeds; setzling=seedling; steckling=cutting; pflanze=plant; zimmerpflanze=houseplant
blume=flower; blumentopf=flower pot; blüte=blossom; blatt blätter=leaf sheet; laub=leaves; stiel=stem handle
stängel=stem; wurzel=root; knospe=bud; zweig=branch; ast äste=branch; stamm stämme=trunk; rinde=bark; dorn=thorn
baum bäume=tree; obstbaum=fruit tree; apfelbaum=apple tree; strauch sträucher=shrub; busch büsche=bush; rose=rose
tulpe=tulip; lilie=lily; sonnenblume=sunflower; gänseblümchen=daisy; löwenzahn=dandelion; veilchen=violet
krokus=crocus; narzisse=daffodil; osterglocke=daffodil; schneeglöckchen=snowdrop; hortensie=hydrangea; orchidee=orchid
geranie=geranium; lavendel=lavender; flieder=lilac; efeu=ivy; moos=moss; farn=fern; gras gräser=grass; klee=clover
unkraut=weeds; brennnessel=nettle; distel=thistle; kaktus kakteen=cactus; palme=palm; eiche=oak; buche=beech
birke=birch; linde=linden; ahorn=maple; tanne=fir; fichte=spruce; weide=willow pasture; pappel=poplar; esche=ash tree
weinstock=vine; weinberg=vineyard; getreide=grain; roggen=rye; hafer=oats; gerste=barley; dinkel=spelt; stroh=straw
heu=hay; acker äcker=field; feld=field; ernte=harvest; schädling=pest; schnecke=snail slug; blattlaus blattläuse=aphid
gift=poison; unkrautvernichter=weed killer; balkonkasten=balcony planter; liegestuhl=deck chair; sonnenschirm=parasol
grill=barbecue grill; holzkohle=charcoal; sandkasten=sandbox; schaukel=swing; rutsche=slide; trampolin=trampoline
pool=pool; planschbecken=paddling pool
# animals
tier=animal; haustier=pet; hund=dog; welpe=puppy; hündin=dog; dackel=dachshund; schäferhund=shepherd dog; pudel=poodle
katze=cat; kätzchen=kitten; hamster=hamster; meerschweinchen=guinea pig; kaninchen=rabbit; hase=hare rabbit
maus mäuse=mouse; ratte=rat; igel=hedgehog; eichhörnchen=squirrel; marder=marten; fuchs füchse=fox; wolf wölfe=wolf
bär=bear; reh=deer; hirsch=deer; wildschwein=wild boar; dachs=badger; biber=beaver; maulwurf=mole
fledermaus fledermäuse=bat; pferd=horse; pony=pony; fohlen=foal; stute=mare; hengst=stallion; esel=donkey
kuh kühe=cow; kalb kälber=calf; stier=bull; rind=cattle; ochse=ox; vieh=cattle; schwein=pig; ferkel=piglet
schaf=sheep; lamm lämmer=lamb; ziege=goat; huhn hühner=chicken; henne=hen; küken=chick; ente=duck; gans gänse=goose
truthahn pute=turkey; pfau=peacock; schwan schwäne=swan; storch störche=stork; vogel vögel=bird; taube=pigeon dove
amsel=blackbird; meise=tit bird; spatz=sparrow; schwalbe=swallow; eule=owl; adler=eagle; falke=falcon; rabe=raven
krähe=crow; elster=magpie; specht=woodpecker; möwe=seagull; papagei=parrot; wellensittich=budgie; kanarienvogel=canary
goldfisch=goldfish; hai=shark; wal=whale; delfin delphin=dolphin; robbe=seal; pinguin=penguin; frosch frösche=frog
kröte=toad; schlange=snake queue; eidechse=lizard; schildkröte=turtle; krokodil=crocodile; löwe=lion; tiger=tiger
elefant=elephant; affe=monkey; giraffe=giraffe; zebra=zebra; kamel=camel; känguru=kangaroo; nashorn=rhinoceros
nilpferd=hippo; insekt=insect; biene=bee; wespe=wasp; hornisse=hornet; hummel=bumblebee; fliege=fly; mücke=mosquito
stechmücke gelse=mosquito; schmetterling=butterfly; motte=moth; raupe=caterpillar; käfer=beetle; marienkäfer=ladybug
ameise=ant; spinne=spider; zecke=tick; floh flöhe=flea; laus=louse; wurm würmer=worm; regenwurm=earthworm
hummer=lobster; qualle=jellyfish; dinosaurier=dinosaur; drache=dragon; drachen=kite dragon; schnabel=beak; flügel=wing
pfote=paw; kralle=claw; schwanz=tail; fell=fur; pelz=fur; horn hörner=horn; huf=hoof; nest=nest; höhle=cave
stall ställe=stable; käfig=cage; aquarium=aquarium; terrarium=terrarium; futter=feed food; hundefutter=dog food
katzenfutter=cat food; katzenklo=litter box; katzenstreu=cat litter; napf=bowl; leine=leash; halsband=collar
maulkorb=muzzle; hundehütte=doghouse; gassi=dog walk; kastration=neutering; wurmkur=deworming; tierheim=animal shelter
zoo=zoo; tierpark=zoo; züchter=breeder; rasse=breed race; imker=beekeeper; jäger=hunter; jagd=hunt; angel=fishing rod
angler=angler; köder=bait
# clothes
kleidung=clothes; klamotten=clothes; kleid=dress; kleider=clothes; hose=trousers; jeans=jeans; rock röcke=skirt
hemd=shirt; bluse=blouse; pullover pulli=sweater; strickjacke=cardigan; jacke=jacket; mantel mäntel=coat
regenjacke=raincoat; anorak=anorak; weste=vest; anzug=suit; sakko=jacket; krawatte=tie; smoking=tuxedo
dirndl=traditional dress; lederhose=leather trousers; trachten tracht=traditional costume; unterwäsche=underwear
unterhose=underpants; unterhemd=undershirt; bh=bra; slip=panties; socke=sock; strumpf strümpfe=stocking
strumpfhose=tights; schlafanzug=pajamas; nachthemd=nightgown; badeanzug=swimsuit; badehose=swimming trunks
bikini=bikini; schuh=shoe; stiefel=boot; gummistiefel=rubber boots; turnschuh=sneaker; sandale=sandal
hausschuh=slipper; pantoffel=slipper; wanderschuh=hiking boot; absatz=heel paragraph; schnürsenkel=shoelace; mütze=cap
hut hüte=hat; kappe=cap; helm=helmet; schal=scarf; halstuch=scarf; handschuh=glove; gürtel=belt
hosenträger=suspenders; tasche=bag pocket; handtasche=handbag; rucksack=backpack; koffer=suitcase; geldbeutel=wallet
brieftasche=wallet; portemonnaie=wallet; schmuck=jewelry; ring=ring; halskette=necklace; armband=bracelet
ohrring=earring; brosche=brooch; perle=pearl; edelstein=gem; diamant=diamond; juwelier=jeweler; knopf knöpfe=button
reißverschluss=zipper; ärmel=sleeve; kragen=collar; saum=hem; kapuze=hood; muster=pattern sample; streifen=stripe
kleidergröße=clothing size; schuhgröße=shoe size; konfektionsgröße=clothing size; schneider=tailor; schuster=shoemaker
nadel=needle; stecknadel=pin; sicherheitsnadel=safety pin; garn=yarn; stricknadel=knitting needle; strickzeug=knitting
häkelnadel=crochet hook; schnittmuster=sewing pattern; mode=fashion; uniform=uniform
# further things of the house
scheune=barn; ventil=valve; thermostat=thermostat; riemen=belt strap; zahnriemen=timing belt; keilriemen=v-belt
lüfter=fan; flusensieb=lint filter; fluse=lint; filter=filter; heizöl=heating oil; öltank=oil tank; brennholz=firewood
pellet=pellets; zündholz streichholz=match; feuerzeug=lighter; aschenbecher=ashtray; fußmatte=doormat
schlüsselbrett=key rack; schlüsseldienst=locksmith service; türschloss=door lock; riegel=bolt bar
gegensprechanlage=intercom; bewegungsmelder=motion detector; überwachungskamera=security camera; zeitschaltuhr=timer
dimmer=dimmer; leuchtmittel=light bulb; stehlampe=floor lamp; nachtlicht=night light; taschentücher=tissues
klobürste=toilet brush; klodeckel=toilet lid; spülkasten=toilet tank; siphon=drain trap; duschvorhang=shower curtain
duschkopf=shower head; badematte=bath mat; handtuchhalter=towel rail; wickeltisch=changing table
babyfon babyphone=baby monitor; babybrei=baby food; fläschchen=baby bottle; nuckel=pacifier; lätzchen=bib
strampler=romper; krabbeldecke=play mat; spieluhr=music box; schaukelstuhl=rocking chair; schaukelpferd=rocking horse
hängematte=hammock; gartenzwerg=garden gnome; vogelhaus=birdhouse; vogelfutter=bird feed; futterstelle=feeding place
regentonne=rain barrel; regenwasser=rainwater; zisterne=cistern; sprinkler=sprinkler; bewässerung=irrigation
rasenroboter=robot mower; mähroboter=robot mower; laubbläser=leaf blower; kettensäge=chainsaw; motorsäge=chainsaw
häcksler=shredder; gartengerät=garden tool; blumenzwiebel=flower bulb; tulpenzwiebel=tulip bulb; pfingstrose=peony
wicke=sweet pea; stiefmütterchen=pansy; vergissmeinnicht=forget-me-not; primel=primrose; dahlie=dahlia; aster=aster
chrysantheme=chrysanthemum; hyazinthe=hyacinth; magnolie=magnolia; rhododendron=rhododendron; oleander=oleander
olivenbaum=olive tree; zitronenbaum=lemon tree; feigenbaum=fig tree; buchsbaum=boxwood; thuja=thuja hedge
bambus=bamboo; schilf=reed; seerose=water lily; holunder=elderberry; bärlauch=wild garlic; rucola=arugula
feldsalat=lamb's lettuce; kohlrabi=kohlrabi; pastinake=parsnip; süßkartoffel=sweet potato; rotebete=beetroot
schwarzwurzel=salsify; kapern=capers; sesam=sesame; leinsamen=flaxseed; sonnenblumenkern=sunflower seed
mandelmus=almond butter; erdnussbutter=peanut butter; ahornsirup=maple syrup; sirup=syrup; kandis=rock sugar
süßstoff=sweetener; puderzucker=powdered sugar; vanillezucker=vanilla sugar; gelatine=gelatin; natron=baking soda
paniermehl=breadcrumbs; semmelbrösel=breadcrumbs; auflauf=casserole; gratin=gratin; lasagne=lasagna
frikadelle=meatball; bulette=meatball; sauerbraten=pot roast; rouladen=beef rolls; raclette=raclette; fondue=fondue
aufschnitt=cold cuts; brotaufstrich=spread; wurstbrot=sausage sandwich; butterbrot=sandwich; käsebrot=cheese sandwich
belag=topping; pfannengericht=stir fry; resteessen=leftovers; reste=leftovers; vorratsschrank=pantry
haltbarkeit=shelf life; mindesthaltbarkeitsdatum=best before date; einmachglas=preserving jar; schraubglas=jar
tupperdose=plastic container; gefrierfach=freezer compartment; eiswürfel=ice cube; strohhalm=straw
zahnstocher=toothpick; kaffeebohne=coffee bean; kaffeefilter=coffee filter; kaffeemühle=coffee grinder
teebeutel=tea bag; kräutertee=herbal tea; pfefferminztee=peppermint tea; kamillentee=chamomile tea; kamille=chamomile
schorle=spritzer; apfelschorle=apple spritzer; radler=shandy; cocktail=cocktail; pils=pilsner beer
konditor=pastry chef; wurzelbürste=scrubbing brush; staubtuch=duster; staubsaugerbeutel=vacuum bag; entkalker=descaler
fleckenmittel fleckenentferner=stain remover; gallseife=stain soap; bleichmittel=bleach
imprägnierspray=waterproofing spray; schuhcreme=shoe polish; mottenkugel=mothball; mausefalle=mousetrap; falle=trap
fliegengitter=fly screen; moskitonetz=mosquito net; seepferdchen=beginner swimming badge; kompass kompasse=compass
fernglas=binoculars; lupe=magnifying glass; warnweste=safety vest; warndreieck=warning triangle; wagenheber=car jack
starthilfekabel=jumper cables; eiskratzer=ice scraper; frostschutz frostschutzmittel=antifreeze
schneekette schneeketten=snow chains; schneeschaufel=snow shovel; streusalz=road salt; gartenlaube=garden shed
vordach=canopy; markise=awning; pergola=pergola; zaunpfahl=fence post; pfosten=post; balken=beam; latte=slat
leiste=strip; schindel=shingle; estrich=screed; trockenbau=drywall; rigips=drywall; bauschaum=expanding foam
grundierung=primer; abdeckplane=tarpaulin; plane=tarpaulin; abdeckung=cover; verkleidung=cladding costume
regalbrett=shelf board; gestell=rack frame; halter halterung=holder; ständer=stand; klammer=clip
gummiband=rubber band; paketband=packing tape; paketschnur=string; bastelkleber=craft glue; heißkleber=hot glue
lötkolben=soldering iron; multimeter=multimeter; spannungsprüfer=voltage tester
`;
