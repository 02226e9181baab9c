// German verbs with their English glosses; behind a strong verb stand those of its forms that no rule makes.
export const VERBS = `
# to be, to have, may and must
sein bin bist ist sind seid war warst waren wart gewesen wäre wären wärst sei seien=be
haben habe hab hast hat habt hatte hattest hatten hattet gehabt hätte hätten hättest=have
werden wird wirst werde werdet wurde wurden wurdest worden geworden würde würden würdest=be
können kann kannst konnte konnten konntest gekonnt könnte könnten könntest=can
müssen muss musst muß musste mussten musstest gemusst müsste müssten=must
dürfen darf darfst durfte durften gedurft dürfte dürften=may allowed
sollen soll sollst sollte sollten solltest=should; wollen will willst wollte wollten wolltest gewollt=want
mögen mag magst mochte mochten gemocht=like; möchte möchten möchtest möchtet=would like
wissen weiß weißt weiss wusste wussten wusstest gewusst wüsste=know; lassen lässt lasse ließ ließen gelassen=let
brauchen bräuchte=need
# strong verbs
backen bäckt backt backte buk gebacken=bake; befehlen befiehlt befahl befohlen=command
beginnen begann begannen begonnen=begin; beißen biss bissen gebissen=bite; bergen birgt barg geborgen=rescue
bersten birst barst geborsten=burst; betrügen betrog betrogen=cheat; bewegen bewog bewogen=move
biegen bog bogen gebogen=bend; bieten bot boten geboten=offer; binden band banden gebunden=tie
bitten bat baten gebeten=ask request; blasen bläst blies geblasen=blow; bleiben blieb blieben geblieben=stay
braten brät briet gebraten=fry roast; brechen bricht brach brachen gebrochen=break
brennen brannte brannten gebrannt=burn; bringen brachte brachten gebracht bräuchte=bring
denken dachte dachten gedacht=think; dringen drang gedrungen=penetrate; empfangen empfängt empfing empfingen=receive
empfehlen empfiehlt empfahl empfahlen empfohlen=recommend; empfinden empfand empfunden=feel
erlöschen erlischt erlosch erloschen=go out; erschrecken erschrickt erschrak erschrocken=frighten
essen isst ißt iss aß aßen gegessen=eat; fahren fährt fährst fuhr fuhren gefahren=drive go
fallen fällt fällst fiel fielen gefallen=fall; fangen fängt fing fingen gefangen=catch
fechten ficht focht gefochten=fence; finden fand fanden gefunden fände=find; flechten flicht flocht geflochten=braid
fliegen flog flogen geflogen=fly; fliehen floh flohen geflohen=flee; fließen floss flossen geflossen=flow
fressen frisst fraß fraßen gefressen=eat; frieren fror froren gefroren=freeze; gebären gebar geboren=give birth
geben gibt gibst gib gab gaben gegeben gäbe=give; gedeihen gedieh gediehen=thrive; gehen ging gingen gegangen ginge=go
gelingen gelang gelungen=succeed; gelten gilt galt gegolten=be valid; genesen genas=recover
genießen genoss genossen=enjoy; geschehen geschieht geschah=happen; gewinnen gewann gewannen gewonnen=win
gießen goss gossen gegossen=water pour; gleichen glich geglichen=resemble; gleiten glitt geglitten=glide
graben gräbt grub gegraben=dig; greifen griff griffen gegriffen=grab
halten hält hältst hielt hielten gehalten=hold keep; hängen hing hingen gehangen=hang; hauen hieb gehauen=hit
heben hob hoben gehoben=lift; heißen hieß hießen geheißen=be called name
helfen hilft hilfst hilf half halfen geholfen=help; kennen kannte kannten gekannt=know
klingen klang klangen geklungen=sound; kneifen kniff gekniffen=pinch; kommen kam kamen gekommen käme=come
kriechen kroch gekrochen=crawl; laden lädt lud luden geladen=load; laufen läuft läufst lief liefen gelaufen=run walk
leiden litt litten gelitten=suffer; leihen lieh liehen geliehen=lend borrow; lesen liest lies las lasen gelesen=read
liegen lag lagen gelegen=lie; lügen log logen gelogen=lie untruth; mahlen gemahlen=grind; meiden mied gemieden=avoid
melken molk gemolken=milk; messen misst maß maßen gemessen=measure; nehmen nimmt nimmst nimm nahm nahmen genommen=take
nennen nannte nannten genannt=call name; pfeifen pfiff gepfiffen=whistle; preisen pries gepriesen=praise
quellen quillt quoll gequollen=swell; raten rät riet rieten geraten=advise guess; reiben rieb gerieben=rub grate
reißen riss rissen gerissen=tear; reiten ritt ritten geritten=ride; rennen rannte rannten gerannt=run
riechen roch rochen gerochen=smell; ringen rang gerungen=wrestle; rinnen rann geronnen=trickle
rufen rief riefen gerufen=call; saufen säuft soff gesoffen=drink booze; saugen sog gesogen=suck
schaffen schuf schufen geschaffen=manage create; scheiden schied geschieden=separate divorce
scheinen schien schienen geschienen=shine seem; schieben schob schoben geschoben=push
schießen schoss schossen geschossen=shoot; schlafen schläft schläfst schlief schliefen geschlafen=sleep
schlagen schlägt schlug schlugen geschlagen=hit beat; schleichen schlich geschlichen=sneak
schleifen schliff geschliffen=grind sharpen; schließen schloss schlossen geschlossen=close
schlingen schlang geschlungen=wind; schmeißen schmiss geschmissen=throw; schmelzen schmilzt schmolz geschmolzen=melt
schneiden schnitt schnitten geschnitten=cut; schreiben schrieb schrieben geschrieben=write
schreien schrie schrien geschrien=scream; schreiten schritt geschritten=stride
schweigen schwieg schwiegen geschwiegen=be silent; schwellen schwillt schwoll geschwollen=swell
schwimmen schwamm schwammen geschwommen=swim; schwinden schwand geschwunden=dwindle
schwingen schwang geschwungen=swing; schwören schwor geschworen=swear; sehen sieht siehst sieh sah sahen gesehen=see
senden sandte gesandt=send; singen sang sangen gesungen=sing; sinken sank sanken gesunken=sink fall
sinnen sann gesonnen=ponder; sitzen saß saßen gesessen=sit; speien spie gespien=spit; spinnen spann gesponnen=spin
sprechen spricht sprichst sprach sprachen gesprochen=speak; springen sprang sprangen gesprungen=jump
stechen sticht stach stachen gestochen=sting prick; stehen stand standen gestanden stünde=stand
stehlen stiehlt stahl stahlen gestohlen=steal; steigen stieg stiegen gestiegen=rise climb
sterben stirbt starb starben gestorben=die death; stinken stank gestunken=stink
stoßen stößt stieß stießen gestoßen=bump push; streichen strich strichen gestrichen=paint
streiten stritt stritten gestritten=argue; tragen trägt trägst trug trugen getragen=carry wear
treffen trifft triffst traf trafen getroffen=meet; treiben trieb trieben getrieben=drive do
treten tritt trat traten getreten=kick step; trinken trank tranken getrunken=drink; trügen trog getrogen=deceive
tun tue tust tut tat taten getan täte=do; verbieten verbot verboten=forbid; verderben verdirbt verdarb verdorben=spoil
vergessen vergisst vergiss vergaß vergaßen=forget; verlieren verlor verloren=lose
verschwinden verschwand verschwanden verschwunden=disappear; verzeihen verzieh verziehen=forgive
wachsen wächst wuchs wuchsen gewachsen=grow; waschen wäscht wusch wuschen gewaschen=wash; weben wob gewoben=weave
weichen wich gewichen=yield; weisen wies wiesen gewiesen=point; wenden wandte gewandt=turn
werben wirbt warb warben geworben=advertise; werfen wirft warf warfen geworfen=throw; wiegen wog wogen gewogen=weigh
winden wand gewunden=wind; wringen wrang gewrungen=wring; ziehen zog zogen gezogen=pull move
zwingen zwang zwangen gezwungen=force
# with a prefix, of the strong ones
anfangen=begin start; aufessen=eat up; mitessen=eat along; aufgeben=give up; ausgeben=spend money
abgeben=hand in submit; angeben=state boast; eingeben=enter input; nachgeben=give in; vorgeben=pretend
weitergeben=pass on; zugeben=admit; zurückgeben=give back return; begeben=go; ergeben=result; umgeben=surround
vergeben=forgive; übergeben=hand over vomit; bekanntgeben=announce; abgehen=leave; angehen=concern; aufgehen=open rise
ausgehen=go out; eingehen=enter perish; untergehen=sink; umgehen=handle; vorgehen=proceed; vorbeigehen=pass by
weggehen=go away; weitergehen=go on; zurückgehen=go back; hingehen=go there; begehen=commit; entgehen=escape
ergehen=fare; vergehen=pass; spazierengehen=walk; schiefgehen=go wrong; ankommen=arrive; auskommen=get along
bekommen=get receive; entkommen=escape; herkommen=come from; hereinkommen=come in; hinkommen=get there
heimkommen=come home; mitkommen=come along; nachkommen=follow; umkommen=die; verkommen=decay
vorbeikommen=come by visit; vorkommen=occur; wegkommen=get away; wiederkommen=come again; zurückkommen=come back
zurechtkommen=cope; dazwischenkommen=come up interfere; dazukommen=be added; drankommen=have turn; abfahren=depart
anfahren=drive up; ausfahren=deliver; befahren=drive on; einfahren=drive in; erfahren=learn find out
fortfahren=continue; losfahren=set off; mitfahren=ride along; überfahren=run over; umfahren=drive around
verfahren=get lost; vorbeifahren=drive past; wegfahren=drive away; weiterfahren=drive on; zurückfahren=drive back
abfallen=fall off; auffallen=notice stand out; ausfallen=be cancelled fail; durchfallen=fail exam
einfallen=come to mind; entfallen=be dropped; gefallen gefällt gefiel gefielen=please like; hinfallen=fall down
missfallen=displease; überfallen=rob attack; umfallen=fall over; verfallen=expire; vorfallen=happen
zerfallen=fall apart; zusammenfallen=coincide; abfangen=intercept; erfinden=invent; herausfinden=find out
stattfinden=take place; vorfinden=find; wiederfinden=find again; zurückfinden=find back; abfliegen=take off
wegfliegen=fly away; überfliegen=fly over; erfrieren=freeze to death; einfrieren=freeze; zufrieren=freeze over
abgießen=drain; begießen=water; eingießen=pour; vergießen=spill; vergleichen=compare; ausgleichen=balance
begleichen=settle pay; ausgraben=dig up; begraben=bury; eingraben=dig in; umgraben=dig over; angreifen=attack
begreifen=understand; eingreifen=intervene; ergreifen=seize; zugreifen=help oneself; abhalten=prevent; anhalten=stop
aufhalten=stop delay; aushalten=endure; behalten=keep; durchhalten=persevere; einhalten=comply; enthalten=contain
erhalten=receive; festhalten=hold on; fernhalten=keep away; freihalten=keep free; raushalten=keep out
unterhalten=talk entertain; verhalten=behave; vorbehalten=reserve; warmhalten=keep warm; zurückhalten=hold back
zusammenhalten=stick together; zuhalten=keep shut; abhängen=depend; anhängen=attach; aufhängen=hang up; aushängen=post
zusammenhängen=be connected; abheben=withdraw take off; anheben=lift; aufheben=keep pick up; beheben=fix
erheben=raise; hervorheben=emphasize; hochheben=lift up; verhelfen=help; aushelfen=help out; mithelfen=help
weiterhelfen=help; nachhelfen=help; anerkennen=recognize; auskennen=know one's way; bekennen=confess
erkennen=recognize; kennenlernen=get to know; verkennen=misjudge; ablaufen=expire; anlaufen=start
auslaufen=run out leak; einlaufen=shrink; herumlaufen=run around; hinterherlaufen=run after; nachlaufen=run after
überlaufen=overflow; verlaufen=get lost; vorbeilaufen=walk past; weglaufen=run away; zerlaufen=melt
zurücklaufen=walk back; abladen=unload; aufladen=charge; ausladen=unload; beladen=load; einladen=invite
entladen=discharge; herunterladen=download; hochladen=upload; nachladen=reload; runterladen=download; ableiten=derive
ausleihen=borrow lend; verleihen=lend; ablesen=read off; auslesen=read out; durchlesen=read through; nachlesen=look up
verlesen=misread; vorlesen=read aloud; einlassen=let in; entlassen=dismiss; erlassen=enact; hinterlassen=leave behind
loslassen=let go; nachlassen=decrease; niederlassen=settle; überlassen=leave; unterlassen=refrain; verlassen=leave
weglassen=leave out; zulassen=allow; zurücklassen=leave behind; freilassen=release; auslassen=leave out
ablassen=drain; anlassen=leave on; fallenlassen=drop; scheidenlassen=divorce; anliegen=fit; erliegen=succumb
unterliegen=lose; vorliegen=be present; belügen=lie to; abmessen=measure; vermessen=measure; ermessen=judge
abnehmen=lose weight take off; annehmen=accept assume; aufnehmen=record take in; ausnehmen=gut except; benehmen=behave
durchnehmen=cover; einnehmen=take medicine; entnehmen=take from; festnehmen=arrest; hinnehmen=accept
mitnehmen=take along; teilnehmen=participate; übernehmen=take over; unternehmen=do undertake; vernehmen=question
vornehmen=plan; wahrnehmen=perceive; wegnehmen=take away; zunehmen=gain weight increase; zurücknehmen=take back
zusammennehmen=pull together; auseinandernehmen=take apart; herausnehmen=take out; benennen=name; ernennen=appoint
umbenennen=rename; abraten=advise against; beraten=advise; erraten=guess; verraten=betray; einreiben=rub in
zerreiben=grate; abreißen=tear down; aufreißen=tear open; ausreißen=tear out run away; einreißen=tear
herausreißen=tear out; zerreißen=tear up; zusammenreißen=pull together; anrufen=phone call; aufrufen=call up
ausrufen=proclaim; abrufen=retrieve; berufen=appoint; hervorrufen=cause; widerrufen=revoke; zurückrufen=call back
zurufen=call to; abschaffen=abolish; anschaffen=buy acquire; beschaffen=procure; verschaffen=get; wegschaffen=remove
ausscheiden=drop out; entscheiden=decide; unterscheiden=distinguish; verabschieden=say goodbye; erscheinen=appear
aufschieben=postpone; hinausschieben=postpone; verschieben=postpone; vorschieben=push forward; zuschieben=push shut
abschießen=shoot down; erschießen=shoot dead; ausschlafen=sleep in; durchschlafen=sleep through
einschlafen=fall asleep; verschlafen=oversleep; übernachten=stay overnight; abschlagen=refuse; anschlagen=hit
aufschlagen=open; ausschlagen=refuse; beschlagen=fog up; einschlagen=smash; erschlagen=slay; nachschlagen=look up
niederschlagen=knock down; totschlagen=kill; überschlagen=overturn; umschlagen=turn; unterschlagen=embezzle
vorschlagen=suggest; zerschlagen=smash; zuschlagen=slam; zusammenschlagen=beat up; abschließen=lock complete
anschließen=connect; aufschließen=unlock; ausschließen=exclude; beschließen=decide; einschließen=include
entschließen=decide; erschließen=open up; verschließen=lock; zuschließen=lock; abschneiden=cut off
aufschneiden=cut open; ausschneiden=cut out; beschneiden=prune; durchschneiden=cut through; einschneiden=cut in
überschneiden=overlap; verschneiden=cut; zerschneiden=cut up; zuschneiden=cut to size; zurückschneiden=prune
abschreiben=copy; anschreiben=write to; aufschreiben=write down; ausschreiben=advertise; beschreiben=describe
einschreiben=enroll; mitschreiben=take notes; unterschreiben=sign; verschreiben=prescribe; vorschreiben=dictate
krankschreiben=put on sick leave; zurückschreiben=write back; zuschreiben=attribute; anschreien=shout at
überschreiten=exceed; verschweigen=conceal; anschwellen=swell; beschwören=implore; absehen=foresee; ansehen=look at
aufsehen=look up; aussehen=look appear; besehen=look at; durchsehen=look through; einsehen=understand
fernsehen=watch television; hinsehen=look; nachsehen=check; übersehen=overlook; umsehen=look around; versehen=provide
vorsehen=plan; wegsehen=look away; wiedersehen=see again; zusehen=watch; zurücksehen=look back; absenden=send off
einsenden=send in; versenden=send; übersenden=send; besingen=sing about; versinken=sink; absinken=sink
besitzen besaß besaßen besessen=own; nachsitzen=detention; absprechen=agree arrange; ansprechen=address
aussprechen=pronounce; besprechen=discuss; entsprechen=correspond; freisprechen=acquit; fürsprechen=speak for
mitsprechen=have a say; nachsprechen=repeat; versprechen=promise; vorsprechen=audition; widersprechen=contradict
zusprechen=award; abspringen=jump off; aufspringen=jump up; einspringen=fill in; überspringen=skip
zerspringen=shatter; bestechen=bribe; erstechen=stab; abstehen=stick out; anstehen=queue; aufstehen=get up
ausstehen=stand; beistehen=support; bestehen=pass exist; bevorstehen=be ahead; durchstehen=get through
einstehen=vouch; entstehen=arise; feststehen=be certain; gestehen=confess; herumstehen=stand around
leerstehen=be vacant; missverstehen=misunderstand; überstehen=survive; verstehen=understand; vorstehen=head
widerstehen=resist; zustehen=be entitled; bestehlen=rob; absteigen=get off; ansteigen=rise; aufsteigen=rise
aussteigen=get out; besteigen=climb; einsteigen=get in board; ersteigen=climb; umsteigen=change trains
übersteigen=exceed; versteigern=auction; aussterben=die out; absterben=die; anstoßen=toast bump; abstoßen=repel
umstoßen=knock over; verstoßen=violate; zustoßen=happen; zusammenstoßen=collide; anstreichen=paint; bestreichen=spread
durchstreichen=cross out; überstreichen=paint over; unterstreichen=underline; verstreichen=elapse; abstreiten=deny
bestreiten=deny; abtragen=clear; auftragen=apply; austragen=deliver; beitragen=contribute; betragen=amount
eintragen=register enter; ertragen=bear; nachtragen=add; übertragen=transfer; vertragen=tolerate; vortragen=present
zutragen=happen; zusammentragen=collect; antreffen=meet; betreffen=concern; eintreffen=arrive; übertreffen=surpass
zutreffen=apply; zusammentreffen=meet; abtreiben=abort; antreiben=drive; auftreiben=get hold; betreiben=operate
eintreiben=collect; übertreiben=exaggerate; vertreiben=drive away; abtreten=cede; antreten=start
auftreten=perform appear; austreten=leave resign; beitreten=join; betreten=enter; eintreten=enter join
vertreten=represent; zertreten=crush; zurücktreten=resign; austrinken=drink up; betrinken=get drunk; ertrinken=drown
mittrinken=drink along; antun=harm; leidtun=be sorry; wehtun=hurt ache; weggetan=put away; auftun=open; abtun=dismiss
hinzutun=add; dazutun=add; anwachsen=grow; aufwachsen=grow up; erwachsen=adult; zusammenwachsen=grow together
abwaschen=wash dishes; auswaschen=wash out; beweisen=prove; erweisen=prove; hinweisen=point out; nachweisen=prove
überweisen=transfer money; verweisen=refer; zuweisen=assign; abweisen=reject; ausweisen=identify expel
anweisen=instruct; zurückweisen=reject; anwenden=apply use; verwenden=use; zuwenden=turn to; abwenden=avert
entwenden=steal; bewerben=apply for job; erwerben=acquire; abwerben=poach; abwerfen=throw off; einwerfen=throw in
entwerfen=design; umwerfen=knock over; unterwerfen=subject; verwerfen=discard; vorwerfen=accuse; wegwerfen=throw away
hinauswerfen=throw out; rauswerfen=throw out; überwiegen=predominate; abwiegen=weigh; abweichen=deviate
ausweichen=dodge; abziehen=deduct; anziehen=put on dress; aufziehen=raise; ausziehen=undress move out; beziehen=refer
einziehen=move in; entziehen=withdraw; erziehen=educate raise; großziehen=raise; hinziehen=drag on; nachziehen=follow
überziehen=overdraw; umziehen=move house change; unterziehen=undergo; vorziehen=prefer; wegziehen=move away
zuziehen=contract; zurückziehen=withdraw; zusammenziehen=move in together; erzwingen=force; bezwingen=conquer
abbiegen=turn off; verbiegen=bend; anbieten=offer; überbieten=outbid; entbinden=give birth; verbinden=connect
zubinden=tie; anbinden=tie up; einbinden=involve; losbinden=untie; abbitten=apologize; aufblasen=inflate
ausblasen=blow out; ausbleiben=fail to come; dabeibleiben=stay; dranbleiben=stay on; übrigbleiben=be left over
stehenbleiben=stop; sitzenbleiben=repeat a year; verbleiben=remain; wegbleiben=stay away; zurückbleiben=stay behind
anbraten=sear; durchbraten=cook through; abbrechen=break off cancel; anbrechen=break open
aufbrechen=set out break open; ausbrechen=break out escape; durchbrechen=break through; einbrechen=burglarize
erbrechen=vomit; unterbrechen=interrupt; verbrechen=commit crime; zerbrechen=break shatter; zusammenbrechen=collapse
abbrennen=burn down; anbrennen=burn; ausbrennen=burn out; verbrennen=burn; anbringen=attach; aufbringen=raise
beibringen=teach; einbringen=bring in; herbringen=bring here; herausbringen=publish; hinbringen=take there
mitbringen=bring along; unterbringen=accommodate; umbringen=kill; verbringen=spend time; vorbeibringen=drop off
wegbringen=take away; zurückbringen=bring back; zusammenbringen=bring together; durcheinanderbringen=mix up
ausdenken=think up; bedenken=consider; nachdenken=think; überdenken=rethink; eindringen=penetrate
durchdringen=penetrate
# to be and to have with a prefix
zusein zuhaben=be closed; aufsein=be open; ansein=be on; aussein=be off; wegsein=be away; dabeisein=be there
dabeihaben=have along; anhaben=wear; freihaben=have time off
# everyday verbs
abbauen=dismantle; abbestellen=cancel order; abbezahlen=pay off; abblättern=peel off; abbuchen=debit; abdecken=cover
abdichten=seal; abdrehen=turn off; abdrucken=print; abdunkeln=darken; abfüllen=bottle; abgewöhnen=give up habit
abhaken=check off; abholen=pick up; abhören=listen in; abklären=clarify; abkühlen=cool down; abkürzen=shorten
ablagern=deposit; ablecken=lick; ablegen=put down file; ablehnen=refuse reject; ableisten=serve; ablenken=distract
ablösen=replace; abmachen=agree; abmelden=sign off deregister; abonnieren=subscribe; abordnen=delegate
abpflücken=pick; abrechnen=settle accounts; abreisen=depart; abriegeln=seal off; abrunden=round off; absagen=cancel
absaugen=vacuum; abschalten=switch off; abschätzen=estimate; abschicken=send off; abschleppen=tow
abschminken=remove makeup; abschrauben=unscrew; abschrecken=deter; absetzen=deduct drop off; absichern=secure
absolvieren=complete; abspeichern=save; absperren=lock block; abspielen=play; abspülen=wash dishes; abstammen=descend
abstauben=dust; abstellen=park turn off; abstempeln=stamp; abstimmen=vote coordinate; abstürzen=crash
abstützen=support; abtasten=scan; abtauen=defrost; abtrennen=separate; abtrocknen=dry; abwarten=wait
abwechseln=alternate; abwehren=fend off; abwischen=wipe; abzahlen=pay off; abzählen=count; abzapfen=tap
abzeichnen=sign draw; abzweigen=branch off; achten=respect watch; ächzen=groan; adoptieren=adopt; ahnen=suspect
ähneln=resemble; aktivieren=activate; aktualisieren=update; akzeptieren=accept; alarmieren=alert; altern=age
amüsieren=amuse; analysieren=analyze; anbauen=grow extend; anbeten=worship; anblicken=look at; anbohren=drill
andauern=last; ändern=change; andeuten=hint; aneignen=acquire; anfassen=touch; anfeuern=cheer; anfordern=request
anfragen=inquire; anfertigen=make; angeln=fish; angewöhnen=get used; angucken=look at; anhäufen=accumulate
anhören=listen; ankern=anchor; anklagen=accuse; anklicken=click; anklopfen=knock; anknüpfen=tie; ankreuzen=tick
ankündigen=announce; ankurbeln=boost; anlächeln=smile at; anlegen=invest create; anlehnen=lean; anleiten=instruct
anlocken=attract; anlügen=lie to; anmachen=turn on; anmalen=paint; anmelden=register; anmerken=note; annähen=sew on
annähern=approach; annullieren=cancel; anordnen=arrange; anpacken=tackle; anpassen=adapt; anpflanzen=plant
anprobieren=try on clothes; anrechnen=credit; anreden=address; anregen=stimulate; anreisen=arrive travel
anrichten=cause serve; anrühren=stir; anschalten=switch on; anschauen=look at; anschnallen=buckle up
anschrauben=screw on; anschwärzen=blacken; ansiedeln=settle; anspannen=tense; anspielen=allude; anspitzen=sharpen
anspornen=spur; anstarren=stare; anstecken=infect; anstellen=hire turn on; anstiften=incite; anstrengen=strain
antippen=tap; antworten=answer; anvertrauen=entrust; anwerben=recruit; anzahlen=pay deposit; anzeigen=report display
anzetteln=instigate; anzünden=light; anzweifeln=doubt; applaudieren=applaud; arbeiten=work; archivieren=archive
ärgern=annoy; atmen=breathe; aufatmen=breathe relief; aufbauen=build up; aufbereiten=prepare; aufbewahren=keep store
aufblühen=bloom; aufbrauchen=use up; aufdecken=uncover; aufdrehen=turn up; auffangen=catch; auffassen=understand
auffordern=ask; auffressen=devour; aufführen=perform; auffüllen=refill; aufhaben=be open; aufhetzen=incite
aufholen=catch up; aufhorchen=listen up; aufhören=stop quit; aufkaufen=buy up; aufklären=clear up; aufkleben=stick on
aufknöpfen=unbutton; aufkochen=boil; auflegen=hang up; auflehnen=rebel; auflisten=list; auflösen=dissolve
aufmachen=open; aufmuntern=cheer up; aufopfern=sacrifice; aufpassen=watch take care; aufpumpen=pump up
aufräumen=tidy up; aufregen=upset; aufrichten=straighten; aufrunden=round up; aufsammeln=collect; aufschrauben=unscrew
aufsetzen=put on; aufspüren=track down; aufstellen=set up; aufstocken=increase; auftanken=refuel; auftauchen=appear
auftauen=thaw; aufteilen=divide; auftischen=serve; aufwachen=wake up; aufwärmen=warm up; aufwecken=wake
aufweisen=show; aufwenden=spend; aufwischen=mop; aufzählen=list; aufzeichnen=record; aufzwingen=impose
ausarbeiten=work out; ausatmen=exhale; ausbauen=expand; ausbessern=mend; ausbeuten=exploit; ausbilden=train
ausborgen=borrow; ausbreiten=spread; ausbrüten=hatch; ausdehnen=extend; ausdrücken=express; ausdrucken=print out
auseinandersetzen=deal with; ausflippen=freak out; ausführen=carry out; ausfüllen=fill in; aushandeln=negotiate
aushändigen=hand over; aushöhlen=hollow out; auskundschaften=scout; auskurieren=cure; auslachen=laugh at
auslasten=use fully; ausliefern=deliver; auslosen=draw lots; auslösen=trigger; ausmachen=turn off matter
ausmalen=color in; ausmisten=clear out; ausnutzen=take advantage; auspacken=unpack; ausprobieren=try out
auspressen=squeeze; ausradieren=erase; ausräumen=clear out; ausrechnen=calculate; ausreichen=suffice
ausreisen=leave the country; ausrichten=pass on align; ausrotten=eradicate; ausruhen=rest; ausrüsten=equip
ausrutschen=slip; aussagen=testify; ausschalten=switch off; ausschenken=pour; ausschimpfen=scold
aussetzen=suspend abandon; aussortieren=sort out; ausspannen=relax; ausspionieren=spy; ausspucken=spit out
ausspülen=rinse; ausstatten=equip; ausstellen=exhibit issue; ausstrahlen=broadcast; ausstrecken=stretch out
aussuchen=choose; austauschen=exchange; austeilen=hand out; austoben=let off steam; austricksen=trick
ausüben=practice; auswählen=choose; auswandern=emigrate; auswechseln=replace; auswerten=evaluate; auswirken=affect
auszahlen=pay out; auszeichnen=award; baden=bathe; bändigen=tame; basteln=craft; bauen=build; baumeln=dangle
beabsichtigen=intend; beachten=pay attention; beanspruchen=claim; beanstanden=object complain; beantragen=apply for
beantworten=answer; bearbeiten=edit process; beaufsichtigen=supervise; beauftragen=commission; beben=shake
bedanken=thank; bedauern=regret; bedecken=cover; bedeuten=mean; bedienen=serve operate; bedrängen=pressure
bedrohen=threaten; bedrücken=depress; beeilen=hurry; beeindrucken=impress; beeinflussen=influence
beeinträchtigen=impair; beenden=end finish; beerdigen=bury; befassen=deal with; befestigen=fasten; befeuchten=moisten
befördern=promote transport; befragen=question; befreien=free; befreunden=befriend; befriedigen=satisfy
befruchten=fertilize; befürchten=fear; befürworten=support; begegnen=meet; begehren=desire; begeistern=inspire
begleiten=accompany; beglückwünschen=congratulate; begnadigen=pardon; begnügen=content; begradigen=straighten
begrenzen=limit; begründen=justify; begrüßen=greet; begünstigen=favor; begutachten=assess; behandeln=treat
behaupten=claim; beherbergen=host; beherrschen=master control; beherzigen=heed; behindern=hinder; behüten=protect
beilegen=enclose; beinhalten=contain; bejahen=affirm; bekämpfen=fight; bekehren=convert; beklagen=complain
bekleben=stick; bekleckern=spill; bekräftigen=affirm; bekümmern=worry; belasten=burden; belästigen=harass
belegen=occupy prove; belehren=teach; beleidigen=insult; beleuchten=light; belichten=expose; bellen=bark
belohnen=reward; belüften=ventilate; bemalen=paint; bemängeln=criticize; bemerken=notice; bemitleiden=pity
bemühen=try effort; benachrichtigen=notify; benachteiligen=disadvantage; beneiden=envy; benötigen=need; benoten=grade
benutzen=use; benützen=use; beobachten=observe; bepflanzen=plant; bereichern=enrich; bereinigen=clean up
bereisen=travel; bereiten=prepare; bereitstellen=provide; bereuen=regret; berichten=report; berichtigen=correct
berücksichtigen=consider; beruhen=be based; beruhigen=calm; berühren=touch; beschädigen=damage
beschäftigen=occupy employ; beschenken=give present; beschleunigen=accelerate; beschmutzen=dirty; beschränken=limit
beschriften=label; beschuldigen=accuse; beschützen=protect; beschweren=complain; beseitigen=remove; besetzen=occupy
besichtigen=visit tour; besiedeln=settle; besiegen=defeat; besinnen=reflect; besorgen=get buy; bespritzen=splash
bestätigen=confirm; bestatten=bury; bestaunen=marvel; bestellen=order; bestimmen=determine; bestrafen=punish
bestrahlen=irradiate; bestreuen=sprinkle; bestürzen=dismay; besuchen=visit; betasten=touch; betäuben=anesthetize
beteiligen=participate; beten=pray; beteuern=assert; betonen=emphasize; betrachten=look at consider
betreuen=look after; betteln=beg; beugen=bend; beunruhigen=worry; beurlauben=give leave; beurteilen=judge
bevorzugen=prefer; bewachen=guard; bewahren=preserve; bewähren=prove itself; bewältigen=cope; bewässern=irrigate
bewerten=rate; bewilligen=approve; bewirken=cause; bewirten=entertain guests; bewohnen=inhabit; bewundern=admire
bezahlen=pay; bezaubern=charm; bezeichnen=call; bezeugen=testify; bezweifeln=doubt; bilden=form; billigen=approve
blamieren=embarrass; blättern=browse; bleichen=bleach; blenden=dazzle; blicken=look; blinken=blink; blinzeln=blink
blitzen=flash; blockieren=block; blühen=bloom; bluten=bleed; bohren=drill; bombardieren=bomb; borgen=borrow lend
boxen=box; boykottieren=boycott; brausen=roar; bräunen=tan; bremsen=brake; brodeln=bubble; brüllen=roar; brummen=hum
brüten=brood; buchen=book; buchstabieren=spell; bücken=bend down; bügeln=iron clothes; bummeln=stroll; bürgen=vouch
bürsten=brush; büßen=atone; campen=camp; chatten=chat; checken=check; dämmen=insulate; dämmern=dawn; dampfen=steam
dämpfen=steam dampen; danken=thank; darstellen=represent; dauern=last take time; decken=cover set; definieren=define
dehnen=stretch; dekorieren=decorate; demonstrieren=demonstrate; demontieren=dismantle; demütigen=humiliate
deponieren=deposit; desinfizieren=disinfect; deuten=interpret; diagnostizieren=diagnose; dichten=write poetry seal
dienen=serve; diktieren=dictate; diskutieren=discuss; dolmetschen=interpret; donnern=thunder; dopen=dope
dosieren=dose; downloaden=download; drängeln=push; drängen=urge; drehen=turn; dressieren=train; drohen=threaten
dröhnen=boom; drosseln=throttle; drucken=print; drücken=press; ducken=duck; duften=smell; dulden=tolerate
düngen=fertilize; durchblicken=see through; durchführen=carry out; durchqueren=cross; durchschauen=see through
durchsetzen=enforce; durchstöbern=rummage; durchsuchen=search; durchwühlen=rummage; duschen=shower
duzen=address informally; eignen=be suited; eilen=hurry; einarbeiten=train; einatmen=inhale; einbauen=install
einbilden=imagine; einbürgern=naturalize; eincremen=put on cream; eindecken=stock up; eindellen=dent; einfädeln=thread
einfügen=insert; einfühlen=empathize; einführen=introduce import; eingewöhnen=settle in; einhängen=hang
einheizen=heat; einigen=agree; einkassieren=collect; einkaufen=shop buy; einkehren=stop for meal; einkleben=paste
einkochen=preserve; einkreisen=circle; einlegen=pickle insert; einleiten=introduce; einleuchten=make sense
einliefern=admit to hospital; einloggen=log in; einlösen=redeem; einmischen=interfere; einmünden=flow
einordnen=classify; einpacken=pack; einparken=park; einpflanzen=plant; einplanen=plan; einprägen=memorize
einräumen=put away concede; einreden=persuade; einreichen=submit; einreisen=enter country; einrenken=set right
einrichten=furnish set up; einrosten=rust; einsammeln=collect; einsalzen=salt; einschalten=switch on
einschätzen=estimate; einschenken=pour; einscannen=scan; einschmieren=grease; einschüchtern=intimidate
einschulen=start school; einseifen=soap; einsetzen=use insert; einsperren=lock up; einspritzen=inject
einstecken=plug in pocket; einstellen=adjust hire; einstufen=classify; einstürzen=collapse; einstudieren=rehearse
eintauchen=dip; einteilen=divide; eintippen=type; eintönig=monotonous; eintopfen=pot; eintauschen=exchange
einwandern=immigrate; einweichen=soak; einweihen=inaugurate; einweisen=instruct admit; einwenden=object
einwickeln=wrap; einwilligen=consent; einwirken=act on; einzahlen=deposit pay in; einzäunen=fence in; ekeln=disgust
empören=outrage; enden=end; entbehren=do without; entdecken=discover; enteignen=expropriate; enterben=disinherit
entfachen=kindle; entfalten=unfold; entfernen=remove; entführen=kidnap; entgegnen=reply; entgegenkommen=come towards
entgleisen=derail; entgräten=debone; enthaaren=remove hair; enthüllen=reveal; entkalken=descale; entkernen=pit
entlarven=expose; entlasten=relieve; entleeren=empty; entlüften=vent bleed; entmutigen=discourage; entnerven=unnerve
entrümpeln=declutter; entschädigen=compensate; entschärfen=defuse; entschuldigen=apologize excuse; entsorgen=dispose
entspannen=relax; entsperren=unlock; entstellen=disfigure; enttäuschen=disappoint; entwässern=drain
entwickeln=develop; entwirren=untangle; entzünden=ignite inflame; entziffern=decipher; erarbeiten=work out
erben=inherit; erblicken=catch sight; erblinden=go blind; erbeuten=capture; erdulden=endure; ereignen=happen
erfassen=record; erfordern=require; erforschen=explore; erfreuen=please; erfrischen=refresh; erfüllen=fulfill
ergänzen=complete add; erhitzen=heat; erhoffen=hope; erhöhen=increase raise; erholen=recover rest
erinnern=remember remind; erkälten=catch cold; erklären=explain; erklimmen=climb; erkranken=fall ill; erkunden=explore
erkundigen=inquire; erlauben=allow; erläutern=explain; erleben=experience; erledigen=do finish; erleichtern=ease
erleiden=suffer; erlernen=learn; ermahnen=admonish; ermäßigen=reduce; ermitteln=investigate; ermöglichen=enable
ermorden=murder; ermüden=tire; ermuntern=encourage; ermutigen=encourage; ernähren=feed; erneuern=renew
erniedrigen=humiliate; ernten=harvest; erobern=conquer; eröffnen=open; erörtern=discuss; erpressen=blackmail
erproben=test; erregen=excite; erreichen=reach; errichten=build; erröten=blush; erschöpfen=exhaust; erschüttern=shock
erschweren=complicate; ersetzen=replace; erstarren=freeze; erstatten=refund; ersticken=suffocate; erstaunen=astonish
erstrecken=extend; ersuchen=request; erteilen=grant; ertasten=feel; ertappen=catch; erübrigen=spare; erwachen=wake
erwägen=consider; erwähnen=mention; erwärmen=warm; erwarten=expect; erweitern=expand; erwidern=reply; erwischen=catch
erwürgen=strangle; erzählen=tell; erzeugen=produce; erzielen=achieve; evakuieren=evacuate; existieren=exist
experimentieren=experiment; explodieren=explode; exportieren=export; färben=dye color; fasten=fast abstain
fassen=grasp; faszinieren=fascinate; faulen=rot; faulenzen=laze; faxen=fax; fegen=sweep; fehlen=miss be missing
feiern=celebrate; feilen=file; feilschen=haggle; fernsteuern=remote control; fertigen=make; fertigmachen=finish
fesseln=tie up captivate; festbinden=tie; festigen=strengthen; festlegen=set determine; festmachen=fasten
feststellen=notice determine; feuern=fire; filmen=film; filtern=filter; finanzieren=finance; fischen=fish
fixieren=fix; flackern=flicker; flattern=flutter; flehen=beg; flicken=mend patch; flirten=flirt; fluchen=curse
flüchten=flee; flüstern=whisper; föhnen=blow dry; folgen=follow; folgern=conclude; foltern=torture; fordern=demand
fördern=promote; formen=form; formulieren=phrase; forschen=research; fortpflanzen=reproduce; fortsetzen=continue
fotografieren=photograph; fragen=ask; freigeben=release; freuen=be happy glad; frisieren=style hair; frösteln=shiver
frühstücken=eat breakfast; fühlen=feel; führen=lead; füllen=fill; funkeln=sparkle; funktionieren=work function
fürchten=fear; füttern=feed; gaffen=gape; gähnen=yawn; garantieren=guarantee; gären=ferment; garnieren=garnish
gärtnern=garden; gebrauchen=use; gefährden=endanger; gehorchen=obey; gehören=belong; geizen=be stingy; geistern=haunt
genehmigen=approve; genieren=be embarrassed; genügen=suffice; gerben=tan; gestalten=design; gestatten=permit
gestikulieren=gesture; gewähren=grant; gewährleisten=guarantee; gewöhnen=get used; glänzen=shine; glauben=believe
glätten=smooth; gliedern=structure; glimmen=glow; glitzern=glitter; glotzen=stare; glücken=succeed; glühen=glow
googeln=google search; gönnen=treat; grasen=graze; gratulieren=congratulate; grenzen=border; grillen=barbecue
grinsen=grin; grübeln=brood; gründen=found; grünen=green; grüßen=greet; gucken=look; gurgeln=gargle
gutschreiben=credit; hacken=chop hack; haften=stick be liable; hageln=hail; häkeln=crochet; halbieren=halve
hallen=echo; hämmern=hammer; handeln=act trade; handhaben=handle; hassen=hate; hauchen=breathe; häufen=accumulate
hausen=dwell; häuten=skin; heften=staple; heilen=heal; heimkehren=return home; heimzahlen=pay back; heiraten=marry
heizen=heat; hemmen=inhibit; herabsetzen=lower; heranwachsen=grow up; herausfordern=challenge; herausstellen=turn out
herausholen=get out; herbeiführen=cause; herstellen=produce make; herumführen=show around; herumsprechen=get around
herumtreiben=hang around; herunterfahren=shut down; hervorragen=stand out; herziehen=move here; hetzen=rush
heucheln=feign; heulen=cry howl; hinausgehen=go out; hindern=prevent; hinken=limp; hinlegen=lie down
hinrichten=execute; hinsetzen=sit down; hinstellen=put down; hinterfragen=question; hinterlegen=deposit
hinwegsetzen=ignore; hinzufügen=add; hobeln=plane; hocken=squat; hochfahren=boot start up; hoffen=hope
holen=get fetch; hopsen=hop; horchen=listen; hören=hear; humpeln=limp; hungern=starve; hupen=honk; hüpfen=hop
husten=cough; hüten=guard; identifizieren=identify; ignorieren=ignore; impfen=vaccinate; imponieren=impress
importieren=import; improvisieren=improvise; infizieren=infect; informieren=inform; inhalieren=inhale
initiieren=initiate; installieren=install; inserieren=advertise; inspirieren=inspire; inspizieren=inspect
instruieren=instruct; inszenieren=stage; integrieren=integrate; interessieren=interest; interpretieren=interpret
interviewen=interview; investieren=invest; irren=be wrong; isolieren=insulate isolate; jagen=hunt; jammern=whine
jäten=weed; jauchzen=rejoice; jobben=work job; joggen=jog; jonglieren=juggle; jubeln=cheer; jucken=itch; kacheln=tile
kalkulieren=calculate; kämmen=comb; kämpfen=fight; kandidieren=run for office; kapieren=understand
kapitulieren=surrender; kassieren=collect cash; kauen=chew; kauern=crouch; kaufen=buy; kegeln=bowl; kehren=sweep
keimen=sprout; kellnern=wait tables; kennzeichnen=mark; kentern=capsize; keuchen=pant; kichern=giggle; kippen=tip
kitzeln=tickle; klagen=complain sue; klammern=cling; klappen=work out; klappern=rattle; klären=clarify
klatschen=clap gossip; klauen=steal; kleben=stick glue; klecksen=blot; kleiden=dress; klemmen=jam stuck
klettern=climb; klicken=click; klingeln=ring; klopfen=knock; knabbern=nibble; knacken=crack; knallen=bang
kneten=knead; knicken=fold; knien=kneel; knirschen=grind; knistern=crackle; knittern=crease; knobeln=puzzle
knoten=knot; knüpfen=tie; knurren=growl; kochen=cook boil; kombinieren=combine; kommandieren=command
kommentieren=comment; kommunizieren=communicate; komponieren=compose; konfrontieren=confront; konkurrieren=compete
konservieren=preserve; konstruieren=construct; konsultieren=consult; konsumieren=consume; kontaktieren=contact
kontrollieren=check control; konzentrieren=concentrate; kooperieren=cooperate; koordinieren=coordinate; kopieren=copy
koppeln=couple; korrigieren=correct; kosten=cost; krabbeln=crawl; krachen=crash; krächzen=croak; krähen=crow
kränken=offend; kratzen=scratch; kraulen=crawl stroke; kreischen=screech; kreisen=circle; kreuzen=cross; kriegen=get
kritisieren=criticize; kritzeln=scribble; krönen=crown; krümmen=bend; kugeln=roll; kühlen=cool; kultivieren=cultivate
kümmern=take care; kündigen=quit cancel; kürzen=shorten cut; kuscheln=cuddle; küssen=kiss; lächeln=smile; lachen=laugh
lackieren=varnish paint; lagern=store; lahmen=limp; lähmen=paralyze; landen=land; langweilen=bore; lärmen=make noise
lästern=gossip; lauern=lurk; lauschen=listen; läuten=ring; leasen=lease; leben=live; lecken=lick leak; leeren=empty
legen=lay put; lehnen=lean; lehren=teach; leimen=glue; leisten=afford achieve; leiten=lead manage; lenken=steer
lernen=learn; leuchten=shine; leugnen=deny; lieben=love; liefern=deliver; liegenlassen=leave behind; lindern=relieve
liken=like; loben=praise; lochen=punch; locken=lure; lockern=loosen; lodern=blaze; lohnen=be worth
löschen=delete extinguish; lösen=solve loosen; losgehen=start; loslegen=start; löten=solder; lüften=air ventilate
lutschen=suck; machen=do make; mahnen=remind warn; mähen=mow; mailen=mail; makeln=broker; malen=paint draw
managen=manage; mangeln=lack; markieren=mark; marschieren=march; massieren=massage; meckern=complain
meditieren=meditate; meinen=mean think; meistern=master; melden=report; merken=notice remember; miauen=meow
mieten=rent; mildern=soften; mindern=reduce; mischen=mix; missachten=disregard; missbrauchen=abuse
misshandeln=mistreat; misslingen misslang misslungen=fail; misstrauen=distrust; mitarbeiten=collaborate
mitbekommen=notice; mitmachen=join in; mitspielen=play along; mitteilen=inform; mitwirken=participate; mixen=mix
möblieren=furnish; mobben=bully; modellieren=model; modernisieren=modernize; mogeln=cheat; montieren=mount assemble
morden=murder; motivieren=motivate; multiplizieren=multiply; munkeln=rumor; murmeln=mumble; musizieren=play music
mustern=examine; mutmaßen=speculate; nachahmen=imitate; nachbestellen=reorder; nacherzählen=retell
nachfragen=ask inquire; nachfüllen=refill; nachholen=catch up; nachmachen=imitate; nachprüfen=check
nachrechnen=recalculate; nachreichen=submit later; nachrüsten=retrofit; nachschauen=check; nachsenden=forward mail
nachstellen=readjust; nachwirken=have effect; nagen=gnaw; nageln=nail; nähen=sew; nähern=approach; nähren=nourish
naschen=snack sweets; necken=tease; neigen=tend lean; nerven=annoy; nicken=nod; niesen=sneeze; nieten=rivet
nippen=sip; nisten=nest; nörgeln=nag; notieren=note; nötigen=coerce; nummerieren=number; nuscheln=mumble; nutzen=use
nützen=be useful; offenbaren=reveal; öffnen=open; ohrfeigen=slap; ölen=oil; operieren=operate surgery
opfern=sacrifice; ordnen=order; organisieren=organize; orientieren=orient; pachten=lease; packen=pack; paddeln=paddle
panieren=bread; pannen=break down; parken=park; passen=fit suit; passieren=happen; pausieren=pause; peinigen=torment
pendeln=commute; pensionieren=retire; petzen=tell on; pfänden=seize; pfeffern=pepper; pflanzen=plant; pflastern=pave
pflegen=care nurse; pflücken=pick; pflügen=plow; philosophieren=philosophize; piepen=beep; pilgern=make pilgrimage
pinkeln=pee; pinseln=brush; plagen=plague; planen=plan; planschen=splash; plappern=chatter; platzen=burst
platzieren=place; plaudern=chat; plündern=loot; pochen=throb; pokern=play poker; polieren=polish; polstern=upholster
posten=post; prahlen=boast; prägen=shape; prasseln=patter; präsentieren=present; predigen=preach; prellen=bruise
pressen=press; proben=rehearse; probieren=try taste; produzieren=produce; profitieren=benefit; programmieren=program
promovieren=do doctorate; protestieren=protest; protokollieren=record; provozieren=provoke; prüfen=check examine
prügeln=beat; publizieren=publish; pudern=powder; pumpen=pump; pürieren=puree; pusten=blow; putzen=clean
quälen=torment; qualifizieren=qualify; qualmen=smoke; quatschen=chat; quengeln=whine; quetschen=squeeze
quietschen=squeak; quittieren=receipt; rächen=avenge; radeln=cycle; radieren=erase; rammen=ram; randalieren=riot
rascheln=rustle; rasen=speed; rasieren=shave; rasten=rest; räuchern=smoke; rauben=rob; rauchen=smoke; räumen=clear
raunen=murmur; rauschen=rustle; räuspern=clear throat; reagieren=react; realisieren=realize; rechen=rake
recherchieren=research; rechnen=calculate; rechtfertigen=justify; recyceln=recycle; reden=talk; reduzieren=reduce
reflektieren=reflect; regeln=regulate; regieren=govern; registrieren=register; regnen=rain; regulieren=regulate
reichen=pass be enough; reifen=ripen; reinigen=clean; reisen=travel; reizen=irritate; reklamieren=complain return
renovieren=renovate; reparieren=repair; reservieren=reserve; resignieren=give up; respektieren=respect
restaurieren=restore; retten=save rescue; revanchieren=return favor; richten=direct judge; rieseln=trickle
riskieren=risk; rodeln=sled; roden=clear; rollen=roll; röntgen=x-ray; rosten=rust; rösten=roast; rückerstatten=refund
rücken=move; rudern=row; ruhen=rest; rühmen=praise; rühren=stir; ruinieren=ruin; rülpsen=burp; rupfen=pluck
rüsten=prepare; rutschen=slide slip; rütteln=shake; sabotieren=sabotage; säen=sow; sagen=say; sägen=saw; salzen=salt
sammeln=collect; sanieren=renovate; säubern=clean; säumen=hem; säuseln=whisper; scannen=scan; schachern=haggle
schaden=harm; schädigen=damage; schälen=peel; schallen=sound; schalten=switch; schämen=be ashamed; schärfen=sharpen
scharren=scratch; schätzen=estimate appreciate; schaudern=shudder; schauen=look; schaufeln=shovel; schaukeln=swing
schäumen=foam; scheitern=fail; schellen=ring; schenken=give present; scheren schor geschoren=shear; scherzen=joke
scheuchen=shoo; scheuen=shy; scheuern=scrub; schichten=layer; schicken=send; schielen=squint; schikanieren=bully
schildern=describe; schimmeln=mold; schimmern=shimmer; schimpfen=scold; schlachten=slaughter; schlemmen=feast
schlendern=stroll; schlenkern=dangle; schleppen=drag; schleudern=spin hurl; schlichten=settle; schlittern=slide
schlucken=swallow; schlummern=slumber; schlüpfen=slip hatch; schlürfen=slurp; schmecken=taste; schmeicheln=flatter
schmerzen=hurt; schmieden=forge; schmieren=grease smear; schminken=put on makeup; schmollen=sulk
schmökern=read browse; schmoren=braise; schmücken=decorate; schmuggeln=smuggle; schmusen=cuddle; schnappen=grab snap
schnarchen=snore; schnäuzen=blow nose; schneien=snow; schnippeln=chop; schnitzen=carve; schnüffeln=sniff
schnuppern=sniff; schnüren=lace; schnurren=purr; schockieren=shock; schonen=spare; schöpfen=scoop; schrauben=screw
schrubben=scrub; schrumpfen=shrink; schubsen=shove; schuften=toil; schulden=owe; schulen=train; schummeln=cheat
schürfen=graze; schütteln=shake; schütten=pour; schützen=protect; schwächen=weaken; schwanken=sway vary
schwänzen=skip school; schwärmen=rave; schwatzen=chat; schweben=float; schweißen=weld; schwelgen=indulge
schwindeln=cheat; schwirren=buzz; schwitzen=sweat; segeln=sail; segnen=bless; sehnen=long; seufzen=sigh
sichern=secure back up; siedeln=settle; sieden=boil; siegen=win; siezen=address formally; signalisieren=signal
skizzieren=sketch; skypen=video call; sonnen=sunbathe; sorgen=worry care; sortieren=sort; spähen=peer; spalten=split
spannen=stretch; sparen=save money; spaßen=joke; spazieren=walk; speichern=save store; speisen=dine
spekulieren=speculate; spenden=donate; spendieren=treat; sperren=block close; spezialisieren=specialize
spiegeln=mirror; spielen=play; spitzen=sharpen; splittern=splinter; sponsern=sponsor; spotten=mock; sprengen=blow up
sprinten=sprint; spritzen=splash inject; sprudeln=bubble; sprühen=spray; spucken=spit; spuken=haunt
spülen=rinse wash dishes; spüren=feel; sputen=hurry; staffeln=stagger; stagnieren=stagnate; stammeln=stammer
stammen=come from; stampfen=stamp mash; stapeln=stack; stapfen=trudge; stärken=strengthen; starren=stare
starten=start; stationieren=station; stattgeben=grant; staubsaugen=vacuum; stauben=dust; stauen=jam; staunen=be amazed
stecken=put stick; steigern=increase; stellen=put place; stempeln=stamp; steuern=steer control; sticken=embroider
stiften=donate; stillen=breastfeed; stimmen=be right tune; stöbern=rummage; stocken=falter; stöhnen=groan
stolpern=stumble; stopfen=stuff; stoppen=stop; stören=disturb; stornieren=cancel; stottern=stutter; strafen=punish
strahlen=beam; stranden=strand; sträuben=resist; streben=strive; strecken=stretch; streicheln=stroke pet
streifen=roam; streiken=strike; streuen=scatter; stricken=knit; strömen=stream; strukturieren=structure
studieren=study; stürmen=storm; stürzen=fall; stutzen=trim; stützen=support; subtrahieren=subtract
suchen=search look for; sühnen=atone; summen=hum buzz; sündigen=sin; surfen=surf; süßen=sweeten; tadeln=blame
tagen=meet; taktieren=maneuver; tanken=refuel; tanzen=dance; tapezieren=wallpaper; tarnen=camouflage; tasten=feel
tauchen=dive; tauen=thaw; taufen=baptize; taugen=be good; taumeln=stagger; tauschen=swap exchange; täuschen=deceive
teilen=share divide; telefonieren=phone; testen=test; tilgen=pay off; tippen=type; toasten=toast; toben=rage romp
tolerieren=tolerate; tönen=tint; töpfern=make pottery; töten=kill; trainieren=train exercise; trampen=hitchhike
tränken=soak; transportieren=transport; trauen=trust marry; trauern=mourn; träumen=dream; trennen=separate
trocknen=dry; trödeln=dawdle; trommeln=drum; tropfen=drip; trösten=comfort; trotzen=defy; trüben=cloud
turnen=do gymnastics; twittern=tweet; üben=practice; überarbeiten=revise; überblicken=overlook; überbrücken=bridge
übereinstimmen=agree; überfordern=overwhelm; überfluten=flood; überführen=convict; überholen=overtake
überhören=not hear; überleben=survive; überlegen=think consider; übermitteln=transmit; überprüfen=check
überqueren=cross; überraschen=surprise; überreden=persuade; überreichen=present; überschatten=overshadow
überschätzen=overestimate; überschwemmen=flood; übersetzen=translate; überspielen=cover up; überstürzen=rush
übertönen=drown out; überwachen=monitor; überwältigen=overwhelm; überwinden=overcome; überwintern=overwinter
überzeugen=convince; umarmen=hug; umbauen=rebuild; umblättern=turn page; umbuchen=rebook; umdrehen=turn around
umfassen=include; umgewöhnen=get used; umhängen=hang around; umkehren=turn back; umkippen=tip over; umleiten=redirect
umpflanzen=transplant; umräumen=rearrange; umrechnen=convert; umrühren=stir; umschauen=look around; umschulen=retrain
umsetzen=implement; umsorgen=care for; umstellen=rearrange change; umtauschen=exchange return; umtopfen=repot
umwandeln=convert; umwickeln=wrap; umzäunen=fence in; umzingeln=surround; unterdrücken=suppress; unterlaufen=happen
untermieten=sublet; unterrichten=teach; unterschätzen=underestimate; unterstellen=allege; unterstützen=support
untersuchen=examine; unterteilen=divide; urteilen=judge; variieren=vary; verabreden=arrange to meet
verabreichen=administer; verabscheuen=detest; verachten=despise; verallgemeinern=generalize; veralten=become obsolete
verändern=change; veranlassen=cause; veranschaulichen=illustrate; veranstalten=organize; verantworten=answer for
verarbeiten=process; verärgern=annoy; verarzten=treat; verbergen verbirgt verbarg verborgen=hide; verbessern=improve
verbeugen=bow; verbeulen=dent; verbitten=forbid; verblassen=fade; verblüffen=amaze; verblühen=fade wither
verbrauchen=use up; verbreiten=spread; verbrühen=scald; verbuchen=record; verbünden=ally; verbürgen=guarantee
verdächtigen=suspect; verdampfen=evaporate; verdanken=owe; verdauen=digest; verdeutlichen=clarify; verdichten=compress
verdienen=earn deserve; verdoppeln=double; verdrängen=displace; verdrehen=twist; verdünnen=dilute; verdunkeln=darken
verdunsten=evaporate; verdursten=die of thirst; verehren=worship; vereinbaren=agree arrange; vereinen=unite
vereinfachen=simplify; vereinigen=unite; vererben=bequeath; verfassen=write; verfaulen=rot; verfehlen=miss
verfeinern=refine; verfilmen=film; verfluchen=curse; verfolgen=follow pursue; verfügen=have; verführen=seduce
vergeuden=waste; vergewaltigen=rape; vergewissern=make sure; vergiften=poison; vergnügen=enjoy; vergraben=bury
vergrößern=enlarge; vergüten=reimburse; verhaften=arrest; verhandeln=negotiate; verhängen=impose
verheimlichen=conceal; verheiraten=marry; verhindern=prevent; verhöhnen=mock; verhören=interrogate; verhungern=starve
verhüten=prevent; verirren=get lost; verjagen=chase away; verkaufen=sell; verkehren=run frequent; verklagen=sue
verkleben=stick together; verkleiden=disguise; verkleinern=reduce; verknüpfen=link; verkörpern=embody; verkraften=cope
verkünden=announce; verkürzen=shorten; verladen=load; verlagern=shift; verlangen=demand; verlängern=extend
verlangsamen=slow down; verlegen=mislay; verleiten=tempt; verlernen=unlearn; verletzen=injure; verleugnen=deny
verlieben=fall in love; verloben=get engaged; verlosen=raffle; vermehren=multiply; vermeiden=avoid; vermerken=note
vermieten=rent out; vermindern=reduce; vermischen=mix; vermissen=miss; vermitteln=mediate; vermuten=suppose
vernachlässigen=neglect; verneinen=deny; vernichten=destroy; veröffentlichen=publish; verordnen=prescribe
verpacken=pack; verpassen=miss; verpfänden=pawn; verpflegen=feed; verpflichten=oblige; verprügeln=beat up
verputzen=plaster; verrechnen=miscalculate; verreisen=go on a trip; verrenken=dislocate; verriegeln=bolt
verringern=reduce; verrosten=rust; verrotten=rot; versagen=fail; versalzen=oversalt; versammeln=gather; versäumen=miss
verschärfen=tighten; verschenken=give away; verschicken=send; verschimmeln=mold; verschlechtern=worsen
verschlimmern=worsen; verschlucken=swallow choke; verschlüsseln=encrypt; verschmutzen=pollute
verschnaufen=catch breath; verschönern=beautify; verschonen=spare; verschrotten=scrap; verschulden=get into debt
verschütten=spill; verschwenden=waste; verschwören=conspire; versetzen=move; verseuchen=contaminate
versichern=insure assure; versickern=seep; versiegeln=seal; versöhnen=reconcile; versorgen=supply care
verspäten=be late; versperren=block; verspielen=gamble away; verspotten=mock; verspüren=feel; verständigen=notify
verstärken=strengthen; verstauben=gather dust; verstauchen=sprain; verstauen=stow; verstecken=hide; verstellen=adjust
verstopfen=clog; verstummen=fall silent; versuchen=try; vertagen=adjourn; vertauschen=mix up; verteidigen=defend
verteilen=distribute; vertiefen=deepen; vertippen=mistype; vertrauen=trust; vertrocknen=dry up; vertrösten=put off
vertuschen=cover up; verunglücken=have an accident; verunsichern=unsettle; verursachen=cause; verurteilen=convict
vervielfältigen=duplicate; vervollständigen=complete; verwackeln=blur; verwählen=misdial; verwahren=keep
verwalten=manage administer; verwandeln=transform; verwarnen=warn; verwechseln=confuse; verweigern=refuse
verweilen=linger; verwelken=wither; verwerten=use; verwickeln=entangle; verwildern=grow wild; verwirklichen=realize
verwirren=confuse; verwitwen=widow; verwöhnen=spoil pamper; verwunden=wound; verwundern=surprise; verwüsten=devastate
verzählen=miscount; verzaubern=enchant; verzehren=consume; verzeichnen=record; verzichten=do without
verzieren=decorate; verzögern=delay; verzollen=declare customs; verzweifeln=despair; vibrieren=vibrate
vollenden=complete; volltanken=fill up; vorankommen=make progress; vorausgehen=precede; voraussagen=predict
voraussetzen=presuppose; vorbeischauen=drop by; vorbereiten=prepare; vorbestellen=preorder; vorbeugen=prevent
vordrängen=push in; vorenthalten=withhold; vorführen=demonstrate; vorhaben=plan intend; vorheizen=preheat
vorhersagen=predict; vorkochen=precook; vorladen=summon; vorlegen=present; vormerken=note; vorrücken=advance
vorsingen=sing; vorsorgen=provide for; vorspielen=perform; vorstellen=introduce imagine; vortäuschen=feign
vorwarnen=warn; vorweisen=show; vorzeigen=show; wachen=be awake; wackeln=wobble; wagen=dare; wählen=choose vote
wahren=keep; währen=last; walten=prevail; wälzen=roll; wandeln=change; wandern=hike; wärmen=warm; warnen=warn
warten=wait; wechseln=change; wecken=wake; wedeln=wag; weglegen=put away; wegräumen=clear away
wegschmeißen=throw away; wegstellen=put away; wegwischen=wipe away; wehen=blow; wehren=defend; weigern=refuse
weihen=consecrate; weilen=stay; weinen=cry; weiterempfehlen=recommend; weiterleiten=forward; weitermachen=continue
weitersagen=tell; welken=wither; werten=evaluate; wetteifern=compete; wetten=bet; wetzen=sharpen; wickeln=wrap diaper
widerlegen=refute; widerspiegeln=reflect; widmen=dedicate; wiederbeleben=revive; wiedererkennen=recognize
wiedergeben=reproduce; wiederherstellen=restore; wiederholen=repeat; wiehern=neigh; wimmeln=swarm; wimmern=whimper
winken=wave; winseln=whimper; wippen=seesaw; wirbeln=whirl; wirken=act seem; wirtschaften=manage; wischen=wipe mop
wohnen=live reside; wühlen=rummage; wundern=wonder; wünschen=wish; würdigen=appreciate; würfeln=roll dice
würgen=choke; würzen=season; wurzeln=root; wüten=rage; zahlen=pay; zählen=count; zähmen=tame; zanken=quarrel
zappeln=fidget; zaubern=do magic; zaudern=hesitate; zeichnen=draw; zeigen=show; zelten=camp; zensieren=censor
zerbröckeln=crumble; zerdrücken=crush; zerkleinern=chop; zerknittern=crumple; zerknüllen=crumple; zerkratzen=scratch
zerlegen=take apart; zerplatzen=burst; zerquetschen=squash; zersägen=saw up; zersetzen=decompose; zerstechen=sting
zerstören=destroy; zerstreuen=scatter; zeugen=testify; zieren=decorate; zielen=aim; zirpen=chirp; zischen=hiss
zitieren=quote; zittern=tremble; zocken=gamble; zögern=hesitate; zubereiten=prepare food; züchten=breed; zucken=twitch
zuckern=sugar; zudecken=cover; zudrehen=turn off; zufriedenstellen=satisfy; zuhören=listen; zukleben=seal
zuknöpfen=button up; zumachen=close; zumuten=expect; zünden=ignite; zunähen=sew up; zuordnen=assign; zuparken=block
zupfen=pluck; zurechtfinden=find way; zurückerstatten=refund; zurückkehren=return; zurücklegen=put back
zurückschicken=send back; zurücksetzen=reset; zurückstellen=put back; zurückzahlen=pay back; zusagen=accept
zusammenarbeiten=cooperate; zusammenbauen=assemble; zusammenfassen=summarize; zusammenlegen=fold; zusammenpassen=match
zusammenrechnen=add up; zusammenstellen=put together; zusammenzählen=add up; zuschauen=watch; zuschicken=send
zuschrauben=screw shut; zusichern=assure; zuspitzen=escalate; zustellen=deliver; zustimmen=agree
zutrauen=think capable; zuvorkommen=anticipate; zweifeln=doubt; zwicken=pinch; zwinkern=wink; zwitschern=chirp
# further
erfolgen=happen; vorverlegen=move forward; verkalken=calcify; imprägnieren=waterproof; umnähen=sew; überbacken=bake
befüllen=fill; festziehen=tighten; nachjustieren=readjust; justieren=adjust; kalibrieren=calibrate
einstöpseln=plug in; anschmeißen=start; hochdrehen=turn up; runterdrehen=turn down; leerräumen=empty
volllaufen=fill up; leerlaufen=drain; überkochen=boil over; abschmecken=season taste; unterrühren=stir in
unterheben=fold in; ausrollen=roll out; einfetten=grease; abseihen=strain; zurechtlegen=lay out; bereitlegen=lay out
mitgeben=give along; nachhaken=follow up; rumtelefonieren=phone around; durchstellen=put through
vereinsamen=become lonely; entloben=break engagement; zusammenleben=live together; auseinanderleben=drift apart
anfreunden=befriend; zerstreiten=fall out; beichten=confess; anflunkern=fib; flunkern=fib; spicken=cheat; büffeln=cram
pauken=cram; zahnen=teethe; fremdeln=be shy of strangers; abstillen=wean
`;
