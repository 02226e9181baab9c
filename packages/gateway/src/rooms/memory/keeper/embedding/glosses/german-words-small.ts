// German words between the others, and words for time, place, number and degree, each with its English gloss.
export const SMALL_WORDS = `
# articles, and words that say nothing by themselves
der die das dem den des=; ein eine einen einem einer eines=; es=; sich=; zu=to; denn=because; doch=; mal=; halt=
eben=just; ja=yes; nein=no; nee=no; ach=; oh=; na=; tja=; hm=; bitte=please; danke=thanks; hallo=hello; servus=hello
moin=hello; tschüss=goodbye
# to be and to have, as they are said
bin=am; bist sind seid=are; ist=is; war warst=was; waren wart=were; gewesen worden=been; wäre wären wärst=would be
hat=has; hatte hattest hatten hattet=had; hätte hätten hättest=would have; wurde wurden wurdest=was; geworden=become
würde würden würdest=would
# pronouns
ich=i; mich mir=me; meiner mein meine meinen meinem meines=my; du dich dir=you
dein deine deinen deinem deiner deines=your; er=he; ihn ihm=him; sie=she; ihr ihnen=you
ihre ihren ihrem ihrer ihres=her; sein seine seinen seinem seiner seines=his; wir=we; uns=us
unser unsere unseren unserem unserer unseres unsre unsren unserm=our; euch=you; euer eure euren eurem eurer eures=your
man=one; selbst selber=self; einander=each other; jemand jemanden jemandem jemands=somebody
niemand niemanden niemandem=nobody; irgendjemand irgendwer=anybody; jeder jede jedes jeden jedem=every
jedermann=everybody; etwas=something; irgendetwas irgendwas=anything; nichts=nothing; alles=everything
alle allen aller allem=all; beide beiden beider beides=both; dieser diese dieses diesen diesem dies=this
jener jene jenes jenen jenem=that; solcher solche solches solchen solchem solch=such
derselbe dieselbe dasselbe denselben demselben dieselben=same; derjenige diejenige dasjenige diejenigen=that
mancher manche manches manchen manchem=some; einige einiger einigen einiges=some; mehrere mehreren mehrerer=several
viele vielen vieler vieles viel vielem=many; wenige wenigen weniger wenig weniges=few
keiner kein keine keinen keinem keines keins=no; einer eins=one
irgendein irgendeine irgendeinen irgendeinem irgendeiner=any; irgendwelche=any; sämtliche=all; etliche=several
dergleichen=such; welcher welche welches welchen welchem welch=which; wer=who; wen wem=whom; wessen=whose; was=what
dessen deren denen=whose
# questions
wann=when; wo=where; wohin=where to; woher=where from; wie=how; warum=why; wieso=why; weshalb=why; weswegen=why
wozu=what for; wofür=what for; womit=with what; wovon=of what; woran=on what; worauf=on what; worüber=about what
worum=about what; wobei=during which; wodurch=by what; wogegen=against what; woraus=out of what; worin=in what
wonach=after what; wovor=of what; wieviel=how much; wievielte wievielten=which; inwiefern=how far; inwieweit=how far
# prepositions
in=in; im=in; ins=into; an=on; am=on; ans=to; auf=on; aufs=onto; aus=from; bei=at; beim=at; mit=with; mitsamt=with
nach=to; von=of; vom=from; vor=before; vors=before; vorm=before; zum=to; zur=to; für=for; fürs=for; durch=through
durchs=through; gegen=against; ohne=without; um=at; ums=around; bis=until; seit=since; über=about; übers=about
unter=under; unters=under; unterm=under; neben=beside; zwischen=between; hinter=behind; hinterm=behind; während=during
wegen=because of; trotz=despite; statt=instead; anstatt=instead; anstelle=instead; außer=except; außerhalb=outside
innerhalb=inside; oberhalb=above; unterhalb=below; entlang=along; gegenüber=opposite; laut=loud; gemäß=according to
dank=thanks to; mittels=by means of; bezüglich=regarding; hinsichtlich=regarding; aufgrund=because of; anhand=based on
angesichts=given; zufolge=according to; mithilfe=with help; zugunsten=in favor; samt=including; inklusive=including
einschließlich=including; exklusive=excluding; ausschließlich=exclusively; per=by; pro=per; je=each; ab=from
binnen=within; jenseits=beyond; diesseits=this side; nahe=near; unweit=near; rund=round about; zwecks=for
mangels=lacking; infolge=because of; anlässlich=for the occasion
# conjunctions
und=and; oder=or; aber=but; sondern=but; sowie=and; sowohl=both; weder=neither; noch=still; entweder=either
weil=because; da=there; dass=that; daß=that; ob=whether; wenn=when; falls=if; sofern=if; sobald=as soon as
solange=as long as; sooft=whenever; als=as; nachdem=after; bevor=before; ehe=before; damit=so that; sodass=so that
obwohl=although; obgleich=although; obschon=although; wenngleich=although; trotzdem=nevertheless; dennoch=nevertheless
jedoch=however; allerdings=however; indem=by; indes=meanwhile; wohingegen=whereas; beziehungsweise bzw=or
nämlich=namely; zwar=indeed; also=so; deshalb=therefore; deswegen=therefore; daher=therefore; darum=therefore
folglich=therefore; somit=thus; demnach=thus; sonst=otherwise; ansonsten=otherwise; andernfalls=otherwise
außerdem=also; zudem=also; überdies=also; ferner=also; auch=also; ebenfalls=also; ebenso=also; gleichfalls=also
geschweige=let alone; insofern=so far; usw=and so on; etc=and so on; ggf=if needed; evtl=maybe; ca=about
inkl=including; zzgl=plus; bspw=for example; vgl=compare; nr=number; tel=telephone; str=street
# negation and certainty
nicht=not; nie=never; niemals=never; nimmer=never; nirgends=nowhere; nirgendwo=nowhere; keinesfalls=by no means
keineswegs=by no means; vielleicht=maybe; möglicherweise=possibly; eventuell=maybe; wahrscheinlich=probably
vermutlich=probably; wohl=probably; sicherlich=surely; bestimmt=certainly; gewiss=certainly
natürlich=of course natural; selbstverständlich=of course; freilich=of course; tatsächlich=really; wirklich=really
echt=really genuine; eigentlich=actually; offenbar=apparently; offensichtlich=obviously; anscheinend=apparently
angeblich=supposedly; scheinbar=seemingly; unbedingt=absolutely; jedenfalls=in any case; ohnehin=anyway
sowieso=anyway; eh=anyway; überhaupt=at all; leider=unfortunately; hoffentlich=hopefully; glücklicherweise=luckily
unglücklicherweise=unfortunately; schließlich=finally; immerhin=at least; zumindest=at least; wenigstens=at least
mindestens=at least; höchstens=at most; maximal=at most; minimal=minimal
# degree
sehr=very; ganz=whole; gar=at all; so=so; zuviel=too much; zuwenig=too little; mehr=more
meist meiste meisten meistens=mostly; minder=less; genug=enough; genügend=enough; ziemlich=quite; recht=quite
etwa=about; ungefähr=about; circa=about; fast=almost; beinahe=almost; nahezu=almost; kaum=hardly; nur=only; bloß=only
lediglich=only; allein=alone; alleine=alone; sogar=even; besonders=especially; insbesondere=especially; extra=extra
total=totally; völlig=completely; vollkommen=completely; absolut=absolutely; äußerst=extremely; höchst=highly
extrem=extremely; unheimlich=extremely; furchtbar=terrible; einigermaßen=fairly; relativ=relatively
verhältnismäßig=relatively; halbwegs=halfway; teilweise=partly; teils=partly; insgesamt=in total; zusammen=together
gemeinsam=together; miteinander=together; gleichzeitig=at the same time; genau=exactly; gerade=just straight
soeben=just now; ausgerechnet=of all; umso=the more; desto=the more; möglichst=as possible; lieber=rather
liebsten=prefer; gern gerne=gladly like; ungern=reluctantly; eher=rather; vielmehr=rather; hauptsächlich=mainly
vorwiegend=mainly; überwiegend=mainly; größtenteils=mostly; grundsätzlich=in principle; generell=generally
allgemein=general; normalerweise=normally; üblicherweise=usually; gewöhnlich=usual; beispielsweise=for example
zb=for example; anders=differently; genauso=just as; ebensowenig=neither; dermaßen=so much; derart=so
geradezu=downright; regelrecht=downright; wesentlich=essential; erheblich=considerable; weitgehend=largely
praktisch=practical; quasi=almost; irgendwie=somehow; umsonst=for free; vergebens=in vain; kostenlos=free of charge
gratis=free of charge; absichtlich=on purpose; versehentlich=by mistake; zufällig=by chance; auswendig=by heart
durcheinander=mixed up
# place
hier=here; dort=there; dorthin=there; hierher=here; daheim=at home; zuhause=at home; heim=home; oben=above
unten=below; vorne vorn=in front; hinten=in back; links=left; rechts=right; mitten=in the middle; innen=inside
drinnen=inside; außen=outside; draußen=outside; drin=inside; drauf=on it; dran=on it; überall=everywhere
irgendwo=somewhere; irgendwohin=somewhere; woanders=elsewhere; anderswo=elsewhere; weg=away; weh=hurt ache; fort=away
zurück=back; hin=there; her=here; hinauf rauf herauf=up; hinunter runter herunter hinab herab=down
hinaus raus heraus=out; hinein rein herein=in; hinüber rüber herüber=over; vorbei=past; vorüber=over; vorwärts=forward
rückwärts=backward; aufwärts=upward; abwärts=downward; seitwärts=sideways; geradeaus=straight ahead; herum rum=around
umher=around; unterwegs=on the way; auswärts=away out; nebenan=next door; nebenbei=on the side; ringsum=all around
quer=across; abseits=off; davor=before it; dahinter=behind it; daneben=next to it; dazwischen=in between
darüber=about it; darunter=under it; daran=on it; darauf=on it; daraus=from it; darin=in it; dabei=with it
dafür=for it; dagegen=against it; damals=back then; danach=afterwards; davon=of it; dazu=to it; dadurch=through that
dahin=there; hierfür=for this; hierzu=to this; hiermit=with this; hierbei=with this
# time
jetzt=now; nun=now; sofort=immediately; gleich=soon same; bald=soon; demnächst=soon; später=later; früher=earlier
vorher=before; zuvor=before; nachher=afterwards; hinterher=afterwards; zuerst=first; zunächst=first; erst=first only
erstmal=first; dann=then; anschließend=afterwards; daraufhin=thereupon; zuletzt=last; endlich=finally; schon=already
bereits=already; immer=always; stets=always; ständig=constantly; dauernd=constantly; ewig=forever; oft=often
öfter öfters=often; häufig=often; manchmal=sometimes; gelegentlich=occasionally; selten=rarely; einmal=once
zweimal=twice; dreimal=three times; viermal=four times; nochmal nochmals=again; wieder=again; erneut=again
abermals=again; diesmal=this time; einst=once; irgendwann=sometime; inzwischen=meanwhile; mittlerweile=meanwhile
währenddessen=meanwhile; zwischendurch=in between; seitdem=since then; seither=since then; bisher=so far
bislang=so far; vorerst=for now; vorläufig=temporary; einstweilen=for now; kürzlich=recently; neulich=recently
letztens=recently; jüngst=recently; unlängst=recently; rechtzeitig=in time; pünktlich=on time; plötzlich=suddenly
allmählich=gradually; langsam=slow; heute=today; gestern=yesterday; vorgestern=day before yesterday; morgen=tomorrow
übermorgen=day after tomorrow; heutzutage=nowadays; heuer=this year; morgens=in the morning; vormittags=in the morning
mittags=at noon; nachmittags=in the afternoon; abends=in the evening; nachts=at night; tagsüber=during the day
montags=mondays; dienstags=tuesdays; mittwochs=wednesdays; donnerstags=thursdays; freitags=fridays; samstags=saturdays
sonntags=sundays; werktags=on weekdays; wochentags=on weekdays; sekunde=second; minute=minute; stunde=hour
viertelstunde=quarter hour; uhr=clock; tag=day; alltag=everyday life; feiertag=holiday; werktag=working day
wochentag=weekday; geburtstag=birthday; jahrestag=anniversary; hochzeitstag=wedding anniversary; woche=week
wochenende=weekend; monat=month; quartal=quarter; jahr=year; halbjahr=half year; schaltjahr=leap year
jahrzehnt=decade; jahrhundert=century; jahrtausend=millennium; jahreszeit=season; frühling=spring; frühjahr=spring
sommer=summer; herbst=autumn; winter=winter; saison=season; morgengrauen=dawn; vormittag=morning; mittag=noon
nachmittag=afternoon; abend=evening; feierabend=after work; nacht=night; mitternacht=midnight; montag=monday
dienstag=tuesday; mittwoch=wednesday; donnerstag=thursday; freitag=friday; samstag sonnabend=saturday; sonntag=sunday
januar jänner=january; februar=february; märz=march; april=april; mai=may; juni=june; juli=july; august=august
september=september; oktober=october; november=november; dezember=december; zeit=time; zeitpunkt=point in time
zeitraum=period; uhrzeit=time of day; zeitplan=schedule; zeitverschiebung=time difference; augenblick=moment
moment=moment; weile=while; dauer=duration; frist=deadline; termin=appointment; datum=date; kalender=calendar
anfang=beginning; beginn=beginning; ende=end; mitte=middle; gegenwart=present; zukunft=future; vergangenheit=past
ewigkeit=eternity; epoche=era; zeitalter=age; mittelalter=middle ages; verspätung=delay; verzögerung=delay
ostern=easter; pfingsten=pentecost; weihnachten=christmas; silvester=new year's eve; neujahr=new year
fasching=carnival; karneval=carnival; advent=advent; nikolaus=saint nicholas; heiligabend=christmas eve
karfreitag=good friday; himmelfahrt=ascension; fronleichnam=corpus christi
# numbers and amounts
null=zero; zwei=two; zwo=two; drei=three; vier=four; fünf=five; sechs=six; sieben=seven; acht=eight; neun=nine
zehn=ten; elf=eleven; zwölf=twelve; dreizehn=thirteen; vierzehn=fourteen; fünfzehn=fifteen; sechzehn=sixteen
siebzehn=seventeen; achtzehn=eighteen; neunzehn=nineteen; zwanzig=twenty; einundzwanzig=twenty one; dreißig=thirty
vierzig=forty; fünfzig=fifty; sechzig=sixty; siebzig=seventy; achtzig=eighty; neunzig=ninety; hundert=hundred
tausend=thousand; million=million; milliarde=billion; erste ersten erster erstes erstem=first
zweite zweiten zweiter zweites zweitem=second; dritte dritten dritter drittes drittem=third
vierte vierten vierter viertes=fourth; fünfte fünften fünfter fünftes=fifth; sechste sechsten=sixth
siebte siebten siebente=seventh; achte achten=eighth; neunte neunten=ninth; zehnte zehnten=tenth
elfte elften=eleventh; zwölfte zwölften=twelfth; zwanzigste zwanzigsten=twentieth; dreißigste dreißigsten=thirtieth
siebzigste siebzigsten=seventieth; letzte letzten letzter letztes letztem=last; vorletzte vorletzten=second to last
nächste nächsten nächster nächstes nächstem=next; übernächste übernächsten=after next
halb halbe halben halber halbes=half; anderthalb=one and a half; eineinhalb=one and a half; hälfte=half; drittel=third
viertel=quarter; fünftel=fifth; doppelt=double; dreifach=triple; mehrfach=multiple; vielfach=multiple; einzeln=single
paar=pair few; dutzend=dozen; prozent=percent; zahl=number; anzahl=number; nummer=number; ziffer=digit; menge=amount
betrag=amount; summe=sum; gesamt=total; durchschnitt=average; rest=rest; teil=part; stück=piece; hauptteil=main part
bisschen=little bit; erstens=firstly; zweitens=secondly; drittens=thirdly; meter=meter; zentimeter=centimeter
millimeter=millimeter; kilometer=kilometer; quadratmeter=square meter; liter=liter; gramm=gram; kilo=kilo
kilogramm=kilogram; pfund=pound; zentner=hundredweight; tonne=ton bin; grad=degree; volt=volt; watt=watt
zoll=customs inch; hektar=hectare; länge=length; breite=width; höhe=height; tiefe=depth; dicke=thickness; größe=size
gewicht=weight; fläche=area; umfang=extent; entfernung=distance; abstand=distance; distanz=distance
geschwindigkeit=speed; temperatur=temperature; maß=measure; einheit=unit; reihe=row; reihenfolge=order; liste=list
gruppe=group; haufen=heap; stapel=stack; bündel=bundle; sorte=kind; art=kind; typ=type; norden=north; süden=south
osten=east; westen=west; nördlich=northern; südlich=southern; östlich=eastern; westlich=western
# further adverbs
spätestens=at the latest; frühestens=at the earliest; nebeneinander=side by side; hintereinander=one after another
nacheinander=one after another; untereinander=among each other; voneinander=from each other
füreinander=for each other; zueinander=to each other; insgeheim=secretly; geradewegs=straight; stundenlang=for hours
tagelang=for days; wochenlang=for weeks; jahrelang=for years; zeitlebens=all life; jederzeit=any time
derzeit=currently; zurzeit=currently; momentan=currently; demgegenüber=in contrast; dementsprechend=accordingly
infolgedessen=as a result; stattdessen=instead; sozusagen=so to speak; immerzu=all the time; andauernd=constantly
rundum=all around; meinetwegen=for my sake; deinetwegen=for your sake; seinetwegen=for his sake
querfeldein=cross country; bergauf=uphill; bergab=downhill; flussabwärts=downstream; kopfüber=headfirst
probeweise=on trial; stellenweise=in places; ausnahmsweise=exceptionally; schrittweise=step by step; haufenweise=loads
paarweise=in pairs; reihum=in turn; abwechselnd=alternately; höchstwahrscheinlich=most likely; nirgendwohin=nowhere
keinmal=not once; jedesmal=every time; allerlei=all kinds; vielerlei=many kinds; keinerlei=no kind
dreiviertel=three quarters
`;
