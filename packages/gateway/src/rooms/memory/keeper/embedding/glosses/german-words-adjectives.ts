// German adjectives and adverbs of manner with their English glosses.
export const ADJECTIVES = `
# the most frequent, with forms no rule makes
gut beste besten bester bestes bestem besser bessere besseren besserer besseres=good; schlecht=bad
groß größer größere größeren größte größten grösser=big; klein=small
hoch hohe hohen hoher hohes hohem höher höhere höheren höchste höchsten=high
nah nahe näher nähere näheren nächstgelegene=near; neu=new; alt älter ältere älteren älteste ältesten=old
jung jünger jüngere jüngeren jüngste jüngsten=young; lang länger längere längeren längste längsten=long
lange=long time; kurz kürzer kürzere kürzeste=short; schnell=fast; früh=early; spät=late; schön=beautiful
hässlich=ugly; leicht=easy light; schwer=heavy difficult; schwierig=difficult; einfach=simple easy
kompliziert=complicated; richtig=right correct; falsch=wrong; wichtig=important; unwichtig=unimportant
möglich=possible; unmöglich=impossible; nötig=necessary; notwendig=necessary; unnötig=unnecessary
überflüssig=superfluous; sicher=safe sure; unsicher=unsure; gefährlich=dangerous; ungefährlich=harmless
harmlos=harmless; bekannt=known; unbekannt=unknown; berühmt=famous; verschieden=different; unterschiedlich=different
ähnlich=similar; identisch=identical; andere anderen anderer anderes anderem ander=other; eigen=own
fremd=foreign strange; ehemalig=former; damalig=then; heutig=today's; gestrig=yesterday's; jetzig=current
derzeitig=current; aktuell=current; gegenwärtig=present; künftig=future; zukünftig=future; vergangen=past
vorig=previous; bisherig=previous; täglich=daily; wöchentlich=weekly; monatlich=monthly; jährlich=yearly
vierteljährlich=quarterly; halbjährlich=half-yearly; stündlich=hourly; nächtlich=at night; mehrmals=several times
einmalig=unique; dauerhaft=permanent; kurzfristig=short notice; langfristig=long term; befristet=temporary limited
unbefristet=permanent; zeitweise=at times
# size, shape, amount
riesig=huge; gigantisch=gigantic; gewaltig=enormous; winzig=tiny; dick=thick fat; dünn=thin; breit=wide; schmal=narrow
eng=tight narrow; weit=far wide; tief=deep; flach=flat; steil=steep; hohl=hollow; eckig=angular; viereckig=square
quadratisch=square; rechteckig=rectangular; dreieckig=triangular; oval=oval; spitz=pointed; stumpf=blunt
scharf=sharp spicy; krumm=crooked; schief=crooked; gebogen=bent; schräg=slanted; senkrecht=vertical
waagerecht=horizontal; vertikal=vertical; horizontal=horizontal; voll=full; leer=empty; halbvoll=half full
überfüllt=crowded; knapp=scarce tight; reichlich=plenty; zahlreich=numerous; unzählig=countless; endlos=endless
unendlich=infinite; komplett=complete; vollständig=complete; unvollständig=incomplete; fertig=finished ready
unfertig=unfinished; übrig=left over; restlich=remaining; zusätzlich=additional
weitere weiteren weiterer weiteres=further; sonstig=other; einzig=only; einzigartig=unique; durchschnittlich=average
mittel=medium; mittlere mittleren=middle; obere oberen oberer oberes=upper; untere unteren unterer unteres=lower
vordere vorderen=front; hintere hinteren=rear; innere inneren=inner; äußere äußeren=outer
linke linken linker linkes=left; rechte rechten rechter rechtes=right
# touch, matter and state
hart härter härteste=hard; weich=soft; fest=firm; locker=loose; lose=loose; stabil=stable; wackelig wacklig=wobbly
glatt=smooth; rau=rough; grob=coarse; fein=fine; stachelig=prickly; rutschig=slippery; klebrig=sticky; nass=wet
feucht=damp; trocken=dry; flüssig=liquid; zähflüssig=viscous; cremig=creamy; dicht=tight dense; undicht=leaking
wasserdicht=waterproof; durchsichtig=transparent; undurchsichtig=opaque; elastisch=elastic; biegsam=flexible
steif=stiff; starr=rigid; brüchig=brittle; zerbrechlich=fragile; robust=sturdy; haltbar=durable; langlebig=durable
verderblich=perishable; massiv=solid; sauber=clean; schmutzig=dirty; dreckig=dirty; staubig=dusty; schlammig=muddy
ölig=oily; fettig=greasy; rostig=rusty; schimmelig schimmlig=moldy; verrostet=rusty; morsch=rotten; kaputt=broken
defekt=broken; beschädigt=damaged; zerbrochen=broken; zerrissen=torn; gesprungen=cracked; verbeult=dented
verstopft=clogged; verschlissen=worn; abgenutzt=worn out; gebraucht=used; neuwertig=like new; brandneu=brand new
nagelneu=brand new; heil=intact; intakt=intact; unversehrt=unharmed; funktionsfähig=working; offen=open; geöffnet=open
geschlossen=closed; abgeschlossen=locked; verschlossen=locked; gesperrt=blocked closed; besetzt=occupied; frei=free
belegt=occupied; verfügbar=available; erhältlich=available; vorhanden=present; vorrätig=in stock; ausverkauft=sold out
vergriffen=out of print; gültig=valid; ungültig=invalid; abgelaufen=expired; fällig=due; überfällig=overdue
offiziell=official; inoffiziell=unofficial; amtlich=official; öffentlich=public; privat=private; persönlich=personal
heimlich=secret; geheim=secret; vertraulich=confidential; anonym=anonymous; warm wärmer wärmste=warm; lauwarm=lukewarm
heiß=hot; kalt kälter kälteste=cold; kühl=cool; eiskalt=ice cold; eisig=icy; gefroren=frozen; tiefgekühlt=frozen
schwül=muggy; hell=bright light; dunkel dunkle dunklen dunkler dunkles=dark; finster=dark; düster=gloomy
grell=glaring; matt=dull; glänzend=shiny; trüb=cloudy; klar=clear; unklar=unclear; deutlich=clear; undeutlich=unclear
sichtbar=visible; unsichtbar=invisible; leise=quiet; still=quiet; ruhig=calm quiet; lautlos=silent; lärmend=noisy
schrill=shrill
# colours
rot=red; blau=blue; grün=green; gelb=yellow; schwarz=black; weiße weißen weißer weißes weißem=white; grau=gray
braun=brown; orange=orange; rosa=pink; lila=purple; violett=violet; türkis=turquoise; beige=beige; golden=golden
silbern=silver; bunt=colorful; farbig=colored; farblos=colorless; einfarbig=plain; gestreift=striped
kariert=checkered; gepunktet=dotted; gemustert=patterned; hellblau=light blue; dunkelblau=dark blue
dunkelrot=dark red; hellgrün=light green; blass=pale; bleich=pale; blond=blond; brünett=brunette; rothaarig=red-haired
# taste and smell
süß=sweet; sauer saure sauren saurer=sour; bitter=bitter; salzig=salty; versalzen=too salty; würzig=spicy savory
mild=mild; pikant=spicy; herb=tart; fade=bland; lecker=delicious; köstlich=delicious; schmackhaft=tasty
ungenießbar=inedible; essbar=edible; genießbar=edible; roh=raw; gekocht=cooked boiled; gebraten=fried
gegrillt=grilled; gebacken=baked; geräuchert=smoked; geröstet=roasted; knusprig=crispy; zart=tender; zäh=tough
saftig=juicy; reif=ripe; unreif=unripe; überreif=overripe; frisch=fresh; faul=lazy rotten; ranzig=rancid
verdorben=spoiled; vegetarisch=vegetarian; vegan=vegan; glutenfrei=gluten free; laktosefrei=lactose free
zuckerfrei=sugar free; alkoholfrei=alcohol free; fettarm=low fat; mager=lean; nahrhaft=nutritious
biologisch=organic biological; bio=organic; stinkend=stinking; duftend=fragrant; geruchlos=odorless
# body and health
gesund gesünder=healthy; ungesund=unhealthy; krank=sick ill; kränklich=sickly; erkältet=having a cold
verletzt=injured; verwundet=wounded; schwanger=pregnant; trächtig=pregnant; allergisch=allergic; ansteckend=contagious
chronisch=chronic; akut=acute; heilbar=curable; unheilbar=incurable; tödlich=deadly; giftig=poisonous
ungiftig=nontoxic; schmerzhaft=painful; schmerzlos=painless; wund=sore; entzündet=inflamed; geschwollen=swollen
verstaucht=sprained; gebrochen=broken; gelähmt=paralyzed; taub=deaf numb; stumm=mute; blind=blind
kurzsichtig=nearsighted; weitsichtig=farsighted; behindert=disabled; barrierefrei=accessible; bewusstlos=unconscious
ohnmächtig=unconscious; schwindlig schwindelig=dizzy; übel=nauseous bad; müde=tired; erschöpft=exhausted
schläfrig=sleepy; wach=awake; munter=lively awake; fit=fit; schlapp=weak; stark stärker stärkste=strong
schwach schwächer schwächste=weak; kräftig=strong; schlank=slim; dürr=skinny; mollig=chubby; übergewichtig=overweight
muskulös=muscular; sportlich=athletic; nackt=naked; barfuß=barefoot; kahl=bald; glatzköpfig=bald; bärtig=bearded
lockig=curly; hungrig=hungry; durstig=thirsty; satt=full; betrunken=drunk; nüchtern=sober; süchtig=addicted
lebendig=alive; lebend=living; tot=dead; verstorben=deceased; sterblich=mortal; unsterblich=immortal; geboren=born
ungeboren=unborn; geimpft=vaccinated; rezeptfrei=over the counter; nachtblind=night blind; farbenblind=color blind
linkshändig=left-handed; rechtshändig=right-handed
# feelings and character
glücklich=happy; unglücklich=unhappy; fröhlich=cheerful; froh=glad; heiter=cheerful; lustig=funny
komisch=funny strange; witzig=funny; traurig=sad; trostlos=bleak; deprimiert=depressed; niedergeschlagen=depressed
verzweifelt=desperate; einsam=lonely; enttäuscht=disappointed; zufrieden=satisfied; unzufrieden=dissatisfied
stolz=proud; eifersüchtig=jealous; neidisch=envious; wütend=angry; zornig=angry; böse=evil angry; verärgert=annoyed
genervt=annoyed; beleidigt=offended; ängstlich=anxious afraid; furchtsam=fearful; nervös=nervous
aufgeregt=excited nervous; angespannt=tense; gestresst=stressed; entspannt=relaxed; gelassen=calm; besorgt=worried
beunruhigt=worried; erschrocken=scared; schockiert=shocked; entsetzt=horrified; überrascht=surprised; erstaunt=amazed
verblüfft=amazed; verwirrt=confused; ratlos=at a loss; hilflos=helpless; hoffnungslos=hopeless; hoffnungsvoll=hopeful
dankbar=grateful; undankbar=ungrateful; verliebt=in love; verlobt=engaged; verheiratet=married; geschieden=divorced
ledig=single; verwitwet=widowed; getrennt=separated; begeistert=enthusiastic; neugierig=curious
interessiert=interested; gelangweilt=bored; gleichgültig=indifferent; mutig=brave; tapfer=brave; feige=cowardly
kühn=bold; schüchtern=shy; scheu=shy; verlegen=embarrassed; peinlich=embarrassing; selbstbewusst=confident
selbstsicher=confident; eingebildet=conceited; arrogant=arrogant; hochmütig=arrogant; bescheiden=modest; eitel=vain
nett=nice; freundlich=friendly; unfreundlich=unfriendly; höflich=polite; unhöflich=impolite; frech=cheeky
unverschämt=outrageous; lieb=dear kind; liebevoll=loving; lieblos=unloving; liebenswürdig=kind; zärtlich=tender
herzlich=warm; herzlos=heartless; gütig=kind; gutmütig=good-natured; großzügig=generous; geizig=stingy
sparsam=thrifty; verschwenderisch=wasteful; hilfsbereit=helpful; rücksichtsvoll=considerate; rücksichtslos=reckless
egoistisch=selfish; selbstlos=selfless; ehrlich=honest; unehrlich=dishonest; aufrichtig=sincere; verlogen=lying
treu=loyal faithful; untreu=unfaithful; zuverlässig=reliable; unzuverlässig=unreliable; vertrauenswürdig=trustworthy
verantwortungsvoll=responsible; verantwortlich=responsible; zuständig=responsible; unverantwortlich=irresponsible
fleißig=hardworking; ehrgeizig=ambitious; ordentlich=tidy; unordentlich=messy; gründlich=thorough; sorgfältig=careful
vorsichtig=careful; unvorsichtig=careless; nachlässig=careless; leichtsinnig=careless; schlampig=sloppy
geduldig=patient; ungeduldig=impatient; hektisch=hectic; stur=stubborn; hartnäckig=persistent; dickköpfig=stubborn
streng=strict; nachsichtig=lenient; gerecht=fair just; ungerecht=unfair; fair=fair; unfair=unfair; tolerant=tolerant
intolerant=intolerant; klug klüger klügste=smart; schlau=clever; intelligent=intelligent; gescheit=clever; weise=wise
begabt=gifted; talentiert=talented; ungeschickt=clumsy; tollpatschig=clumsy; fähig=capable; unfähig=incapable
dumm dümmer=stupid; blöd=stupid; doof=stupid; verrückt=crazy; wahnsinnig=insane; irre=crazy; vernünftig=reasonable
unvernünftig=unreasonable; seltsam=strange; merkwürdig=strange; eigenartig=peculiar; sonderbar=odd
ungewöhnlich=unusual; normal=normal; unnormal=abnormal; typisch=typical; üblich=usual; kreativ=creative
phantasievoll=imaginative; fantasievoll=imaginative; verträumt=dreamy; vergesslich=forgetful; aufmerksam=attentive
unaufmerksam=inattentive; konzentriert=concentrated; zerstreut=absent-minded; gesprächig=talkative; schweigsam=silent
verschwiegen=discreet; redselig=talkative; gesellig=sociable; offenherzig=open-hearted; zurückhaltend=reserved
temperamentvoll=spirited; launisch=moody; empfindlich=sensitive; sensibel=sensitive; unempfindlich=insensitive
gefühlvoll=emotional; kaltblütig=cold-blooded; grausam=cruel; brutal=brutal; gewalttätig=violent; aggressiv=aggressive
friedlich=peaceful; sanft=gentle; wild=wild; zahm=tame; brav=well-behaved good; artig=well-behaved; ungezogen=naughty
gehorsam=obedient; ungehorsam=disobedient; verwöhnt=spoiled; selbstständig selbständig=independent self-employed
unabhängig=independent; abhängig=dependent; verlässlich=reliable; pingelig=fussy; wählerisch=picky; penibel=meticulous
pedantisch=pedantic; abergläubisch=superstitious; gläubig=religious; fromm=pious; religiös=religious
evangelisch=protestant; katholisch=catholic; protestantisch=protestant; jüdisch=jewish; muslimisch=muslim
islamisch=islamic; christlich=christian; orthodox=orthodox; heilig=holy; atheistisch=atheist; optimistisch=optimistic
pessimistisch=pessimistic; realistisch=realistic; romantisch=romantic; sentimental=sentimental; humorvoll=humorous
ernst=serious; ernsthaft=serious; sympathisch=likeable; unsympathisch=unpleasant; charmant=charming
attraktiv=attractive; hübsch=pretty; niedlich=cute; süßlich=sweetish; elegant=elegant; schick=stylish
altmodisch=old-fashioned; modern=modern; beliebt=popular; unbeliebt=unpopular; angesehen=respected; würdig=worthy
ehrenamtlich=volunteer; wohltätig=charitable; gemein=mean; fies=nasty; bösartig=malicious; boshaft=malicious
hinterhältig=sneaky; listig=cunning; naiv=naive; kindisch=childish; kindlich=childlike; erwachsen=adult
volljährig=of age; minderjährig=underage; männlich=male; weiblich=female; menschlich=human; unmenschlich=inhuman
# judgement
toll=great; super=great; prima=great; klasse=great; großartig=great; herrlich=wonderful; wunderbar=wonderful
wundervoll=wonderful; wunderschön=beautiful; fantastisch phantastisch=fantastic; ausgezeichnet=excellent
hervorragend=excellent; vorzüglich=excellent; perfekt=perfect; ideal=ideal; optimal=optimal; fehlerfrei=flawless
tadellos=flawless; spannend=exciting; aufregend=exciting; interessant=interesting; uninteressant=uninteresting
langweilig=boring; öde=dull; eintönig=monotonous; unterhaltsam=entertaining; angenehm=pleasant; unangenehm=unpleasant
gemütlich=cozy; bequem=comfortable; unbequem=uncomfortable; behaglich=cozy; lästig=annoying; nervig=annoying
ärgerlich=annoying; anstrengend=exhausting; mühsam=tedious; stressig=stressful; erholsam=restful; gefährdet=endangered
schrecklich=terrible; fürchterlich=terrible; entsetzlich=horrible; grauenhaft=horrible; scheußlich=awful
abscheulich=abominable; eklig ekelhaft=disgusting; widerlich=disgusting; mies=lousy; miserabel=miserable
erbärmlich=pathetic; mangelhaft=poor; ungenügend=insufficient; ausreichend=sufficient; befriedigend=satisfactory
mittelmäßig=mediocre; unerträglich=unbearable; erträglich=bearable; unglaublich=incredible; unvorstellbar=unimaginable
unvergesslich=unforgettable; bemerkenswert=remarkable; erstaunlich=amazing; überraschend=surprising
beeindruckend=impressive; auffällig=conspicuous; unauffällig=inconspicuous; nützlich=useful; nutzlos=useless
hilfreich=helpful; brauchbar=usable; unbrauchbar=unusable; geeignet=suitable; ungeeignet=unsuitable; passend=suitable
unpassend=inappropriate; angemessen=appropriate; sinnvoll=sensible; sinnlos=pointless; zwecklos=pointless
vergeblich=in vain; erfolgreich=successful; erfolglos=unsuccessful; wirksam=effective; unwirksam=ineffective
effektiv=effective; effizient=efficient; schädlich=harmful; unschädlich=harmless; vorteilhaft=advantageous
nachteilig=disadvantageous; günstig=cheap favorable; ungünstig=unfavorable; wertvoll=valuable; wertlos=worthless
kostbar=precious; teuer teure teuren teurer teures teurere=expensive; billig=cheap; preiswert=inexpensive
kostspielig=costly; kostenpflichtig=subject to charge; unbezahlbar=priceless; unbezahlt=unpaid; reich=rich
arm ärmer ärmste=poor; wohlhabend=wealthy; pleite=broke; bankrott=bankrupt; verschuldet=in debt; bedürftig=needy
luxuriös=luxurious; edel=noble; vornehm=distinguished; schlicht=plain; primitiv=primitive; hochwertig=high quality
minderwertig=inferior; erstklassig=first class; zweitklassig=second class; gefälscht=fake; künstlich=artificial
unecht=fake; original=original; selbstgemacht=homemade; hausgemacht=homemade; handgemacht=handmade
maßgeschneidert=tailor-made; wahr=true; unwahr=untrue; ungenau=inaccurate; präzise=precise; korrekt=correct
fehlerhaft=faulty; exakt=exact; verständlich=understandable; unverständlich=incomprehensible; logisch=logical
unlogisch=illogical; eindeutig=unambiguous; zweideutig=ambiguous; fraglich=questionable; zweifelhaft=doubtful
fragwürdig=questionable; verdächtig=suspicious; umstritten=controversial; strittig=disputed; glaubwürdig=credible
unglaubwürdig=implausible; erlaubt=allowed; verboten=forbidden; legal=legal; illegal=illegal; rechtlich=legal
gesetzlich=statutory legal; rechtswidrig=unlawful; strafbar=punishable; schuldig=guilty; unschuldig=innocent
haftbar=liable; verpflichtend=mandatory; freiwillig=voluntary; unfreiwillig=involuntary; verbindlich=binding
unverbindlich=nonbinding; schriftlich=written; mündlich=oral; telefonisch=by phone; elektronisch=electronic
digital=digital; analog=analog; automatisch=automatic; manuell=manual; mechanisch=mechanical; elektrisch=electric
technisch=technical; drahtlos=wireless; kabellos=wireless; tragbar=portable; mobil=mobile; kompatibel=compatible
inkompatibel=incompatible; veraltet=outdated; zeitgemäß=contemporary; fortschrittlich=progressive
innovativ=innovative; umweltfreundlich=environmentally friendly; umweltschädlich=environmentally harmful
nachhaltig=sustainable; erneuerbar=renewable; recycelbar=recyclable; verwendbar=usable; bewohnbar=habitable
möbliert=furnished; unmöbliert=unfurnished; renoviert=renovated; baufällig=dilapidated; geräumig=spacious
sonnig=sunny; schattig=shady; windig=windy; stürmisch=stormy; regnerisch=rainy; neblig=foggy; bewölkt=cloudy
wolkig=cloudy; bedeckt=overcast; verschneit=snowy; vereist=icy; frostig=frosty; gewittrig=thundery
wechselhaft=changeable; ländlich=rural; städtisch=urban; örtlich=local; regional=regional; hiesig=local
einheimisch=native; ausländisch=foreign; inländisch=domestic; international=international; national=national
weltweit=worldwide; europäisch=european; deutsch=german; österreichisch=austrian; schweizerisch schweizer=swiss
französisch=french; englisch=english; britisch=british; amerikanisch=american; italienisch=italian; spanisch=spanish
portugiesisch=portuguese; griechisch=greek; türkisch=turkish; polnisch=polish; tschechisch=czech; ungarisch=hungarian
russisch=russian; ukrainisch=ukrainian; schwedisch=swedish; norwegisch=norwegian; dänisch=danish; finnisch=finnish
holländisch=dutch; niederländisch=dutch; belgisch=belgian; chinesisch=chinese; japanisch=japanese; koreanisch=korean
indisch=indian; thailändisch=thai; vietnamesisch=vietnamese; arabisch=arabic; persisch=persian; israelisch=israeli
afrikanisch=african; asiatisch=asian; australisch=australian; kanadisch=canadian; mexikanisch=mexican
brasilianisch=brazilian; kroatisch=croatian; serbisch=serbian; rumänisch=romanian; bulgarisch=bulgarian
bayerisch bayrisch=bavarian; schwäbisch=swabian; lateinisch=latin
# society, work, science
beruflich=professional; arbeitslos=unemployed; berufstätig=working; angestellt=employed; befördert=promoted
entlassen=dismissed; pensioniert=retired; krankgeschrieben=on sick leave; ausgebildet=trained; gelernt=trained
ungelernt=unskilled; qualifiziert=qualified; erfahren=experienced; unerfahren=inexperienced; gebildet=educated
ungebildet=uneducated; akademisch=academic; wissenschaftlich=scientific; medizinisch=medical; psychisch=mental
seelisch=emotional; körperlich=physical; geistig=mental; chemisch=chemical; physikalisch=physical
mathematisch=mathematical; historisch=historical; geschichtlich=historical; politisch=political
wirtschaftlich=economic; finanziell=financial; sozial=social; gesellschaftlich=social; kulturell=cultural
künstlerisch=artistic; musikalisch=musical; literarisch=literary; sprachlich=linguistic; handwerklich=manual craft
industriell=industrial; landwirtschaftlich=agricultural; gewerblich=commercial; geschäftlich=business
dienstlich=official business; steuerlich=tax; steuerfrei=tax free; brutto=gross; netto=net; verwandt=related
befreundet=friends; verfeindet=hostile; feindlich=hostile; familiär=family; häuslich=domestic; mütterlich=motherly
väterlich=fatherly; elterlich=parental; brüderlich=brotherly; ehelich=marital; unehelich=illegitimate
adoptiert=adopted; kinderlos=childless; kinderreich=with many children; alleinerziehend=single parent
alleinstehend=single living alone; obdachlos=homeless; heimatlos=homeless; militärisch=military; zivil=civil
demokratisch=democratic; liberal=liberal; konservativ=conservative; radikal=radical; rechtsextrem=far right
königlich=royal; adelig adlig=noble; bürgerlich=bourgeois; staatlich=state; kommunal=municipal; kirchlich=church
weltlich=secular; betrieblich=operational; pflichtbewusst=dutiful; vereinbart=agreed; geplant=planned
ungeplant=unplanned; beabsichtigt=intended; unbeabsichtigt=unintended; spontan=spontaneous; gezielt=targeted
bewusst=conscious; unbewusst=unconscious; freiberuflich=freelance; nebenberuflich=part-time; ganztags=all day
halbtags=half day; vollzeit=full time; teilzeit=part time; rastlos=restless; schlaflos=sleepless; pausenlos=nonstop
ununterbrochen=uninterrupted; regelmäßig=regular; unregelmäßig=irregular; gleichmäßig=even; ungleichmäßig=uneven
ungleich=unequal; gegenseitig=mutual; beidseitig=on both sides; einseitig=one-sided; umgekehrt=reverse
entgegengesetzt=opposite; verkehrt=wrong; vertauscht=mixed up; verloren=lost; verschwunden=disappeared
vermisst=missing; gestohlen=stolen; versteckt=hidden; verborgen=hidden; vergessen=forget forgotten; bekleidet=dressed
angezogen=dressed; ausgezogen=undressed; bewaffnet=armed; unbewaffnet=unarmed; verhaftet=arrested; gefangen=captive
befreit=freed; bedroht=threatened; geschützt=protected; ungeschützt=unprotected; versichert=insured
unversichert=uninsured; angemeldet=registered; eingeladen=invited; willkommen=welcome; unerwünscht=unwanted
erwünscht=desired; gewünscht=desired; erforderlich=required; dringend=urgent; eilig=urgent hurried; vorrangig=priority
nebensächlich=minor; hauptberuflich=full time; entscheidend=decisive; bedeutend=significant; unbedeutend=insignificant
bedeutungslos=meaningless; nennenswert=notable; beträchtlich=considerable; geringfügig=slight; gering=low; niedrig=low
mäßig=moderate; übermäßig=excessive; übertrieben=exaggerated; ausgeglichen=balanced; einverstanden=agreed
uneinig=disagreeing; bereit=ready; startklar=ready to start; unvorbereitet=unprepared; vorbereitet=prepared
beschäftigt=busy; untätig=idle; aktiv=active; passiv=passive; tätig=active; lebhaft=lively; lahm=lame; träge=sluggish
flott=quick; rasch=quick; zügig=swift; blitzschnell=lightning fast; gemächlich=leisurely; beweglich=mobile
unbeweglich=immobile; flexibel=flexible; ansprechbar=responsive; erreichbar=reachable; unerreichbar=unreachable
abwesend=absent; anwesend=present; fern=far; entfernt=distant; abgelegen=remote; entlegen=remote
benachbart=neighboring; zentral=central; angrenzend=adjacent; direkt=direct; indirekt=indirect; unmittelbar=immediate
mittelbar=indirect; oberflächlich=superficial; tiefgründig=profound; vielseitig=versatile; abwechslungsreich=varied
mannigfaltig=manifold; vielfältig=diverse; gemischt=mixed; unbestimmt=indefinite; ungewiss=uncertain; endgültig=final
vorübergehend=temporary; provisorisch=provisional; vorzeitig=premature; nachträglich=subsequent
voraussichtlich=expected; erwartet=expected; unerwartet=unexpected; unvorhergesehen=unforeseen; absehbar=foreseeable
unvermeidlich=unavoidable; vermeidbar=avoidable; unersetzlich=irreplaceable; unwiderstehlich=irresistible
unabsichtlich=unintentional; ausführlich=detailed; kurzgefasst=brief; übersichtlich=clear; unübersichtlich=confusing
chaotisch=chaotic; geordnet=ordered; alphabetisch=alphabetical; durchgehend=continuous; hartgekocht=hard-boiled
weichgekocht=soft-boiled; lauffähig=runnable; fahrbar=mobile; seetüchtig=seaworthy; flugfähig=able to fly
schwindelfrei=free from vertigo; seekrank=seasick; reisekrank=travel sick; wetterfest=weatherproof
winterfest=winterproof; feuerfest=fireproof; brennbar=flammable; explosiv=explosive; ätzend=corrosive
radioaktiv=radioactive; waschbar=washable; bügelfrei=non-iron; pflegeleicht=easy care; faltbar=foldable
verstellbar=adjustable; aufblasbar=inflatable; abnehmbar=removable; aufladbar wiederaufladbar=rechargeable
einstellbar=adjustable; lesbar=readable; unleserlich=illegible; leserlich=legible; zweisprachig=bilingual
mehrsprachig=multilingual; fließend=fluent; gebürtig=native born; wohnhaft=resident; sesshaft=settled
verreist=away traveling; urlaubsreif=needing vacation; gutaussehend=good-looking; gepflegt=well-groomed
ungepflegt=unkempt; zerzaust=disheveled; verschwitzt=sweaty; durchnässt=soaked; verschmiert=smeared; fleckig=stained
löchrig=full of holes; zerknittert=wrinkled; eingelaufen=shrunk; verwaschen=faded; verblasst=faded; verwelkt=withered
blühend=blooming; immergrün=evergreen; winterhart=hardy; mehrjährig=perennial; einjährig=annual; fruchtbar=fertile
unfruchtbar=infertile; sandig=sandy; steinig=stony; felsig=rocky; hügelig=hilly; bergig=mountainous; bewaldet=wooded
kurvig=winding; holprig=bumpy; asphaltiert=paved; befahrbar=passable; schneebedeckt=snow-covered; tierisch=animal
pflanzlich=plant-based; stubenrein=housetrained; entlaufen=runaway; herrenlos=stray; kastriert=neutered
reinrassig=purebred; verspielt=playful; zutraulich=trusting; bissig=biting; nachtaktiv=nocturnal; kitschig=kitschy
geschmackvoll=tasteful; geschmacklos=tasteless; festlich=festive; feierlich=solemn; traditionell=traditional
üppig=lavish; opulent=opulent; ausgelassen=exuberant; besinnlich=contemplative; gespenstisch=spooky; gruselig=creepy
geheimnisvoll=mysterious; rätselhaft=puzzling; zauberhaft=enchanting; magisch=magical; märchenhaft=fairytale
legendär=legendary; sagenhaft=legendary; göttlich=divine; teuflisch=devilish; himmlisch=heavenly
übernatürlich=supernatural; mittelalterlich=medieval; antik=antique; uralt=ancient; altertümlich=ancient
zeitlos=timeless; klassisch=classical; barock=baroque; gotisch=gothic; abstrakt=abstract; konkret=concrete
theoretisch=theoretical; sachlich=objective; objektiv=objective; subjektiv=subjective; neutral=neutral
parteiisch=biased; voreingenommen=prejudiced; kritisch=critical; skeptisch=skeptical; misstrauisch=suspicious
leichtgläubig=gullible; überzeugt=convinced; entschlossen=determined; unentschlossen=undecided; unschlüssig=undecided
zielstrebig=determined; ausdauernd=enduring; widerstandsfähig=resilient; anpassungsfähig=adaptable
teamfähig=team player; belastbar=resilient; motiviert=motivated; engagiert=committed; lernfähig=able to learn
wissbegierig=eager to learn; belesen=well-read; sprachbegabt=gifted at languages; kochfreudig=fond of cooking
reiselustig=fond of travel; tierlieb=fond of animals; kinderlieb=fond of children; naturverbunden=close to nature
abenteuerlustig=adventurous; risikofreudig=risk-taking; draufgängerisch=daring; zurückgezogen=withdrawn
verbittert=bitter; nachtragend=resentful; rachsüchtig=vengeful; jähzornig=hot-tempered; streitsüchtig=quarrelsome
zickig=bitchy; wehleidig=self-pitying; weinerlich=whiny; bockig=stubborn; quengelig=whiny; kuschelig=cuddly
flauschig=fluffy; wollig=woolly; haarig=hairy; pelzig=furry; seidig=silky; samtig=velvety; hölzern=wooden; eisern=iron
gläsern=glass; ledern=leather; steinern=stone; metallisch=metallic; elfenbeinfarben=ivory
# further
wirr=confused; ungerade=odd; verkalkt=calcified; unpünktlich=unpunctual; unruhig=restless; unwohl=unwell
unpässlich=unwell; lauffaul=lazy; wetterfühlig=sensitive to weather; lichtempfindlich=sensitive to light
lärmempfindlich=sensitive to noise; kälteempfindlich=sensitive to cold; hitzefrei=day off for heat
überarbeitet=overworked; unterbezahlt=underpaid; ausgelastet=busy; ausgebucht=fully booked; überbucht=overbooked
anspruchsvoll=demanding; anspruchslos=undemanding; bissfest=al dente; überbacken=gratin baked; tiefgefroren=frozen
aufgetaut=thawed; angebrannt=burnt; verbrannt=burnt; verkocht=overcooked; durchgebraten=well done
halbtrocken=semi dry; lieblich=sweet; naturtrüb=cloudy unfiltered; rutschfest=non-slip; kratzfest=scratch resistant
spülmaschinenfest=dishwasher safe; ofenfest=ovenproof; kindersicher=childproof; rollstuhlgerecht=wheelchair accessible
behindertengerecht=accessible; altersgerecht=suitable for age; schulpflichtig=of school age
zahlungspflichtig=subject to payment; meldepflichtig=notifiable; anmeldepflichtig=registration required
gebührenpflichtig=subject to a fee
`;
