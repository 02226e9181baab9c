// German nouns of the world outside: work, money, law, shopping, travel, weather, nature, computers, sports, arts, each with its English gloss.
export const WORLD_WORDS = `
# work and office
arbeit=work; job=job; beruf=profession; stelle=position place job; arbeitsplatz=workplace; arbeitgeber=employer
arbeitnehmer=employee; angestellte angestellter angestellten=employee; mitarbeiter=employee
vorgesetzte vorgesetzter vorgesetzten=boss superior; geschäftsführer=managing director; abteilung=department
abteilungsleiter=head of department; team=team; betrieb=business company; betriebsrat=works council
gewerkschaft=union; firma firmen=company; unternehmen=company; unternehmer=entrepreneur; konzern=corporation
fabrik=factory; werk=factory work; büro=office; besprechung=meeting; sitzung=meeting session; treffen=meeting
konferenz=conference; tagung=conference; präsentation=presentation; protokoll=minutes record; tagesordnung=agenda
projekt=project; auftrag=order assignment; auftraggeber=client; kunde=customer; kundin=customer; kundschaft=customers
lieferant=supplier; dienstleistung=service; dienst=service duty; schicht=shift layer; nachtschicht=night shift
überstunde=overtime; arbeitszeit=working hours; homeoffice=home office; urlaub=vacation
urlaubsantrag=vacation request; urlaubstag=vacation day; elternzeit=parental leave; mutterschutz=maternity leave
kündigung=termination notice; kündigungsfrist=notice period; probezeit=trial period
arbeitsvertrag=employment contract; bewerbung=job application; bewerber=applicant; vorstellungsgespräch=job interview
stellenanzeige=job advertisement; arbeitslosigkeit=unemployment; arbeitsamt=employment office
arbeitslosengeld=unemployment benefit; gehalt gehälter=salary; lohn löhne=wage; gehaltserhöhung=pay raise
gehaltsabrechnung=payslip; bonus=bonus; beförderung=promotion; karriere=career; streik=strike
dienstreise=business trip; geschäftsreise=business trip; visitenkarte=business card; ordner=folder; akte=file
mappe=folder; formular=form; antrag=application; bericht=report; unterlage unterlagen=documents; dokument=document
vertrag verträge=contract; kopie=copy; kopierer=copier; drucker=printer; locher=hole punch; tacker=stapler
büroklammer=paper clip; notiz=note; zettel=note slip; notizbuch=notebook; briefumschlag=envelope; leistung=performance
erfolg=success; misserfolg=failure; fortschritt=progress; buchhalter=accountant; buchhaltung=accounting
sekretär=secretary; assistent=assistant; verkäufer=salesperson; verkauf=sale; einkauf=shopping purchase
kassierer=cashier; ingenieur=engineer; techniker=technician; mechaniker=mechanic; programmierer=programmer
entwickler=developer; architekt=architect; beamte beamter beamten=civil servant; bauer=farmer; landwirt=farmer
landwirtschaft=agriculture; bäcker=baker; bäckerei=bakery; konditorei=pastry shop; metzger=butcher
metzgerei=butcher shop; fleischer=butcher; müller=miller; florist=florist; fotograf=photographer
journalist=journalist; redakteur=editor; schriftsteller=writer; autor=author; dichter=poet; übersetzer=translator
dolmetscher=interpreter; künstler=artist; bildhauer=sculptor; schauspieler=actor; sänger=singer; musiker=musician
tänzer=dancer; pilot=pilot; kapitän=captain; matrose=sailor; fischer=fisherman; förster=forester; bergmann=miner
fahrer=driver; taxifahrer=taxi driver; busfahrer=bus driver; lokführer=train driver; schaffner=conductor
briefträger=mail carrier; postbote=mail carrier; feuerwehrmann=firefighter; feuerwehr=fire department; soldat=soldier
offizier=officer; wächter=guard; detektiv=detective; handwerk=craft; handel=trade; händler=dealer; industrie=industry
wirtschaft=economy; branche=industry; produkt=product; produktion=production; ware=goods; lager=warehouse storage
export=export; import=import; werbung=advertising; vertreter=representative; berater=consultant
beratung=advice consulting; selbstständigkeit=self-employment; verein=club association; vorstand=board
vorsitzende vorsitzender=chairperson; vereinsmitglied=club member; ehrenamt=volunteering; töpfer=pottery
töpferei=pottery
# money, bank, tax, insurance
geld=money; bargeld=cash; münze=coin; geldschein=banknote; schein=banknote certificate; euro=euro; cent=cent
franken=francs; dollar=dollar; währung=currency; kasse=cash register; portokasse=petty cash; konto konten=account
girokonto=checking account; sparbuch=savings book; sparkonto=savings account; sparkasse=savings bank
sparschwein=piggy bank; kontonummer=account number; kontostand=account balance; kontoauszug=bank statement; iban=iban
bankkarte=bank card; kreditkarte=credit card; geldautomat=cash machine; automat=vending machine; geheimzahl=pin code
dauerauftrag=standing order; lastschrift=direct debit; einzahlung=deposit; auszahlung=payout; zahlung=payment
anzahlung=down payment; rate=installment; kredit=loan credit; darlehen=loan; hypothek=mortgage; zins zinsen=interest
schulden=debts; gläubiger=creditor; mahnung=payment reminder; rechnung=invoice bill; quittung=receipt; beleg=receipt
kassenbon kassenzettel=receipt; bon=receipt; preis=price prize; kosten=costs; gebühr=fee; beitrag=contribution fee
ausgabe=expense; einnahme=income; einkommen=income; verdienst=earnings; gewinn=profit; verlust=loss; vermögen=wealth
ersparnis ersparnisse=savings; rücklage=reserve; budget=budget; aktie=stock share; fonds=fund; börse=stock exchange
geldanlage=investment; anlage=facility attachment; dividende=dividend; taschengeld=pocket money
kindergeld=child benefit; unterhalt=alimony maintenance; spende=donation; zuschuss=subsidy; förderung=funding
rabatt=discount; ermäßigung=discount; sonderangebot=special offer; angebot=offer; nachfrage=demand; steuer=tax
steuererklärung=tax return; einkommensteuer=income tax; lohnsteuer=wage tax; mehrwertsteuer=value added tax
umsatzsteuer=sales tax; grundsteuer=property tax; kfzsteuer=car tax; hundesteuer=dog tax
erbschaftssteuer=inheritance tax; steuerberater=tax advisor; steuernummer=tax number; steuerklasse=tax class
steuerbescheid=tax assessment; finanzamt=tax office; freibetrag=tax allowance; rückerstattung=refund
erstattung=refund; nachzahlung=back payment; abzug=deduction; versicherung=insurance
krankenversicherung=health insurance; krankenkasse=health insurance
haftpflichtversicherung haftpflicht=liability insurance; lebensversicherung=life insurance
autoversicherung=car insurance; hausratversicherung=home contents insurance; rechtsschutzversicherung=legal insurance
rentenversicherung=pension insurance; pflegeversicherung=care insurance; police=insurance policy
schaden schäden=damage; schadensmeldung=damage report; selbstbeteiligung=deductible; entschädigung=compensation
rentenbescheid=pension notice; inflation=inflation; armut=poverty; reichtum=wealth; luxus=luxury; wert=value
qualität=quality
# law, state, administration
gesetz=law; recht=right law; rechte=rights; richter=judge; anwalt anwälte=lawyer; rechtsanwalt=lawyer; notar=notary
prozess=trial process; klage=lawsuit complaint; anklage=charge; anzeige=advertisement report; urteil=verdict
strafe=punishment fine; bußgeld=fine; strafzettel=parking ticket; geldstrafe=fine; gefängnis=prison; haft=custody
verbrechen=crime; straftat=crime; diebstahl=theft; dieb=thief; einbruch=burglary; einbrecher=burglar; raub=robbery
räuber=robber; betrug=fraud; betrüger=fraudster; mord=murder; mörder=murderer; gewalt=violence; überfall=robbery
beweis=proof; spur=trace track; aussage=statement; polizei=police; polizist=police officer; wache=guard station
behörde=authority; amt ämter=office; rathaus=town hall; bürgeramt=citizens office
einwohnermeldeamt=registration office; jugendamt=youth welfare office; sozialamt=social welfare office
gesundheitsamt=health department; zulassungsstelle=vehicle registration office; ministerium=ministry
minister=minister; bürgermeister=mayor; regierung=government; kanzler=chancellor; präsident=president; könig=king
königin=queen; prinz=prince; prinzessin=princess; kaiser=emperor; staat=state; land länder=country land
bundesland=state; republik=republic; demokratie=democracy; partei=party; politik=politics; politiker=politician
parlament=parliament; abgeordnete abgeordneter=member of parliament; wähler=voter; wahlen=elections
stimmzettel=ballot; grenze=border; freiheit=freedom; frieden=peace; krieg=war; armee=army; militär=military
waffe=weapon; gewehr=rifle; pistole=pistol; bombe=bomb; panzer=tank; macht=power; kontrolle=check control; verbot=ban
erlaubnis=permission; genehmigung=permit; vorschrift=regulation; regel=rule; vereinbarung=agreement
vollmacht=power of attorney; patientenverfügung=living will; bescheid=notice; widerspruch=objection
einspruch=objection; beschwerde=complaint; anmeldung=registration; abmeldung=deregistration; anfrage=inquiry
meldung=report; nachweis=proof; gesellschaft=society company; öffentlichkeit=public; datenschutz=data protection
asyl=asylum
# shopping, post
laden läden=shop; geschäft=shop business; supermarkt=supermarket; markt märkte=market; wochenmarkt=weekly market
bauernmarkt=farmers market; flohmarkt=flea market; kaufhaus=department store; einkaufszentrum=shopping mall
einkaufsliste=shopping list; einkaufswagen=shopping cart; einkaufstasche=shopping bag; kiosk=kiosk
buchhandlung=bookstore; tankstelle=gas station; schlussverkauf=clearance sale; schaufenster=shop window
öffnungszeit öffnungszeiten=opening hours; stand stände=stall stand; käufer=buyer; kauf käufe=purchase
umtausch=exchange; rückgabe=return; reklamation=complaint; bestellung=order; lieferung=delivery
sendung=shipment broadcast; paket=parcel; päckchen=small parcel; paketdienst=parcel service; post=mail post office
postamt=post office; postfach=post box; brief=letter; einschreiben=registered letter; postkarte=postcard
ansichtskarte=picture postcard; briefmarke=stamp; porto=postage; absender=sender; empfänger=recipient; abholung=pickup
verpackung=packaging; marke=brand stamp; katalog=catalog; artikel=article; gegenstand gegenstände=object; ding=thing
sache=thing matter; zeug=stuff; zubehör=accessories; pfand=deposit
# travel and places
reise=trip travel; reisebüro=travel agency; ausflug ausflüge=excursion trip; fahrt=ride trip; rundreise=round trip
kreuzfahrt=cruise; weltreise=world trip; abreise=departure; anreise=arrival; ankunft=arrival; abfahrt=departure
abflug=departure flight; aufenthalt=stay; unterkunft=accommodation; übernachtung=overnight stay; hotel=hotel
jugendherberge=youth hostel; herberge=hostel; campingplatz=campsite; zelt=tent; schlafsack=sleeping bag
isomatte=sleeping mat; luftmatratze=air mattress; wohnmobil=camper van; wohnwagen=caravan; gepäck=luggage
handgepäck=hand luggage; reisetasche=travel bag; reiseführer=travel guide; stadtplan=city map; landkarte=map
karte=card ticket map; eintrittskarte=ticket; eintritt=admission; führung=guided tour leadership
sehenswürdigkeit=sight; denkmal=monument; museum museen=museum; ausstellung=exhibition; burg=castle; palast=palace
turm türme=tower; ruine=ruins; platz plätze=place square seat; sitzplatz=seat; ort=place; gegend=area; gebiet=area
region=region; stadt städte=city; hauptstadt=capital city; großstadt=big city; kleinstadt=small town
innenstadt=city center; stadtteil=district; viertel=quarter district; vorort=suburb; dorf dörfer=village
siedlung=settlement; zentrum zentren=center; straße strasse=street road; gasse=alley lane; allee=avenue; weg=way path
pfad=path; kreuzung=intersection; ecke=corner; ampel=traffic light; brücke=bridge; tunnel=tunnel; park=park
spielplatz=playground; parkplatz=parking lot; parkhaus=parking garage; parkscheibe=parking disc
parkschein=parking ticket; bürgersteig=sidewalk; gehweg=sidewalk; zebrastreifen=crosswalk; radweg=bike path
strand strände=beach; hafen häfen=harbor; küste=coast; ufer=shore bank; insel=island; meer=sea; see=lake sea
nordsee=north sea; ostsee=baltic sea; mittelmeer=mediterranean; ozean=ocean; fluss flüsse=river; bach bäche=stream
kanal kanäle=canal channel; wasserfall=waterfall; quelle=source spring; berg=mountain; gebirge=mountains; hügel=hill
gipfel=summit; tal täler=valley; alpen=alps; alm=alpine pasture; gletscher=glacier; vulkan=volcano; fels felsen=rock
schlucht=gorge; wald wälder=forest; lichtung=clearing; wüste=desert; moor=bog; dschungel=jungle; landschaft=landscape
aussicht=view; blick=look view; natur=nature; umwelt=environment; umweltschutz=environmental protection; klima=climate
klimawandel=climate change; welt=world; kontinent=continent; europa=europe; deutschland=germany; österreich=austria
schweiz=switzerland; frankreich=france; italien=italy; spanien=spain; portugal=portugal; griechenland=greece
türkei=turkey; england=england; großbritannien=great britain; irland=ireland; schottland=scotland
niederlande=netherlands; holland=holland; belgien=belgium; luxemburg=luxembourg; dänemark=denmark; schweden=sweden
norwegen=norway; finnland=finland; island=iceland; polen=poland; tschechien=czech republic; ungarn=hungary
kroatien=croatia; slowenien=slovenia; rumänien=romania; bulgarien=bulgaria; russland=russia; ukraine=ukraine
amerika=america; usa=usa; kanada=canada; mexiko=mexico; brasilien=brazil; argentinien=argentina; china=china
japan=japan; indien=india; thailand=thailand; australien=australia; neuseeland=new zealand; afrika=africa
ägypten=egypt; marokko=morocco; asien=asia; wien=vienna; münchen=munich; köln=cologne; nürnberg=nuremberg
zürich=zurich; genf=geneva; bayern=bavaria; sachsen=saxony; schwarzwald=black forest; bodensee=lake constance
mailand=milan; venedig=venice; rom=rome; neapel=naples; lissabon=lisbon; warschau=warsaw; prag=prague; moskau=moscow
brüssel=brussels; kopenhagen=copenhagen; athen=athens; italiener=italian; franzose=frenchman; französin=frenchwoman
engländer=englishman; spanier=spaniard; amerikaner=american; deutsche deutscher deutschen=german
österreicher=austrian; russe=russian; pole=pole; türke=turk; grieche=greek; chinese=chinese; japaner=japanese
ausland=abroad; inland=domestic; zoll=customs; botschaft=embassy message; konsulat=consulate; flughafen=airport
flugzeug=airplane; flug flüge=flight; flugticket=plane ticket; bordkarte=boarding pass; fluggesellschaft=airline
landung=landing; start=start takeoff; hubschrauber=helicopter; rakete=rocket; bahn=railway train
bahnhof bahnhöfe=train station; hauptbahnhof=main station; bahnsteig=platform; gleis=platform track; zug züge=train
schnellzug=express train; straßenbahn=tram; tram=tram; ubahn=subway; sbahn=suburban train; bus=bus
bushaltestelle=bus stop; haltestelle=stop; endstation=terminus; fahrplan=timetable; fahrkarte=ticket
fahrschein=ticket; monatskarte=monthly pass; bahncard=rail card; anschluss=connection; verbindung=connection
umleitung=detour; taxi=taxi; verkehr=traffic; verkehrsmittel=transport; stau=traffic jam; verkehrsschild=traffic sign
schild=sign; vorfahrt=right of way; geschwindigkeitsbegrenzung=speed limit; autobahn=highway; landstraße=country road
ausfahrt=exit; raststätte=rest area; maut=toll; vignette=toll sticker; auto=car; wagen=car; pkw=car; lkw=truck
lastwagen=truck; lieferwagen=van; kombi=station wagon; cabrio=convertible; elektroauto=electric car
mietwagen=rental car; gebrauchtwagen=used car; fahrzeug=vehicle; kfz=motor vehicle; motor=engine; getriebe=gearbox
kupplung=clutch; bremse=brake; gaspedal=accelerator; lenkrad=steering wheel; reifen=tire; winterreifen=winter tires
sommerreifen=summer tires; ersatzreifen=spare tire; reifendruck=tire pressure; felge=rim; stoßstange=bumper
motorhaube=hood; kofferraum=trunk; windschutzscheibe=windshield; scheibenwischer=windshield wiper
scheinwerfer=headlight; blinker=turn signal; rücklicht=taillight; auspuff=exhaust; zündkerze=spark plug
batterie=battery; tank=tank; benzin=gasoline; diesel=diesel; ölwechsel=oil change; ladestation=charging station
kennzeichen=license plate; nummernschild=license plate; fahrzeugschein=vehicle registration; tüv=vehicle inspection
hauptuntersuchung=vehicle inspection; inspektion=inspection; autowerkstatt=car repair shop; panne=breakdown
pannenhilfe=roadside assistance; abschleppdienst=towing service; kilometerstand=mileage
handschuhfach=glove compartment; kindersitz=child seat; anhänger=trailer pendant; dachgepäckträger=roof rack
fahrschule=driving school; fahrstunde=driving lesson; fahrrad fahrräder=bicycle; ebike=electric bike
mountainbike=mountain bike; fahrradschloss=bike lock; fahrradhelm=bike helmet; sattel=saddle; lenker=handlebars
pedal=pedal; gangschaltung=gears; speiche=spoke; luftpumpe=air pump; motorrad=motorcycle; moped=moped; roller=scooter
boot=boat; schiff=ship; segelboot=sailboat; ruderboot=rowing boat; schlauchboot=rubber dinghy; kanu=canoe; fähre=ferry
dampfer=steamer; yacht=yacht; segel=sail; mast=mast; anker=anchor; ruder=oar; steg=jetty; liegeplatz=berth
schwimmweste=life jacket; seilbahn=cable car; skilift=ski lift; traktor=tractor; bagger=excavator; kran kräne=crane
# names that look like other words
wolfgang=wolfgang; torsten=torsten; walter=walter; hermann=hermann; volker=volker; hartmut=hartmut; oliver=oliver
jens=jens; bonn=bonn; mannheim=mannheim; wiesbaden=wiesbaden; gelsenkirchen=gelsenkirchen
mönchengladbach=monchengladbach; braunschweig=braunschweig; oberhausen=oberhausen; darmstadt=darmstadt
offenbach=offenbach; erlangen=erlangen; kaiserslautern=kaiserslautern; schwerin=schwerin; landshut=landshut
maier=maier; hoffmann=hoffmann; neumann=neumann; hofmann=hofmann; hartmann=hartmann; köhler=kohler; krüger=kruger
schäfer=schafer; herzog=herzog; gruber=gruber; wagner=wagner; leitner=leitner; berger=berger; steiner=steiner
wimmer=wimmer; salzburg=salzburg; freiburg=freiburg; augsburg=augsburg; hamburg=hamburg; regensburg=regensburg
würzburg=wurzburg; magdeburg=magdeburg; wolfsburg=wolfsburg; innsbruck=innsbruck; osnabrück=osnabruck
saarbrücken=saarbrucken; stuttgart=stuttgart; frankfurt=frankfurt; düsseldorf=dusseldorf; hannover=hannover
bremen=bremen; leipzig=leipzig; dresden=dresden; berlin=berlin
# weather and sky
wetter=weather; wetterbericht=weather report; wettervorhersage=weather forecast; sonne=sun; sonnenschein=sunshine
sonnenaufgang=sunrise; sonnenuntergang=sunset; mond=moon; vollmond=full moon; stern=star; planet=planet
weltraum=space; sternschnuppe=shooting star; wolke=cloud; regen=rain; schauer=shower; regenbogen=rainbow
gewitter=thunderstorm; blitz=lightning; donner=thunder; sturm stürme=storm; orkan=hurricane; wind=wind; schnee=snow
glatteis=black ice; frost=frost; hagel=hail; nebel=fog; tau=dew rope; hitze=heat; wärme=warmth; kälte=cold; luft=air
hochwasser=flood; überschwemmung=flood; erdbeben=earthquake; lawine=avalanche; dürre=drought; waldbrand=forest fire
brand brände=fire; feuer=fire; flamme=flame; rauch=smoke; asche=ash; schatten=shadow shade; licht=light
dunkelheit=darkness; dämmerung=twilight; strahl=ray; welle=wave; flut=flood tide; ebbe=low tide
# computers and communication
computer=computer; rechner=computer; laptop=laptop; bildschirm=screen; monitor=monitor; display=screen
tastatur=keyboard; taste=key; festplatte=hard drive; speicherkarte=memory card; arbeitsspeicher=memory
prozessor=processor; grafikkarte=graphics card; netzteil=power supply; ladegerät=charger; ladekabel=charging cable
akku=battery; handy=mobile phone; smartphone=smartphone; mobiltelefon=mobile phone; telefon=telephone
festnetz=landline; anruf=phone call; anrufbeantworter=answering machine; klingelton=ringtone
handyvertrag=phone contract; tarif=tariff plan; guthaben=credit balance; simkarte=sim card; tablet=tablet
hülle=cover case; internet=internet; netz=network net; netzwerk=network; wlan=wifi; router=router
passwort passwörter=password; kennwort=password; benutzername=username; benutzer=user; benutzerkonto=user account
zugang=access; zugangsdaten=login details; email mail=email; posteingang=inbox; anhang=attachment
webseite website=website; startseite=home page; seite=page side; suchmaschine=search engine; browser=browser
link=link; app=app; programm=program; software=software; betriebssystem=operating system; aktualisierung=update
update=update; datei=file; daten=data; datenbank=database; sicherungskopie=backup; datensicherung=backup
papierkorb=recycle bin; tabelle=table spreadsheet; symbol=symbol icon; einstellung=setting attitude
fehlermeldung=error message; absturz=crash; server=server; schnittstelle=interface; quelltext=source code; code=code
version=version; verschlüsselung=encryption; druckerpatrone=printer cartridge; patrone=cartridge; tinte=ink
toner=toner; scanner=scanner; kamera=camera; foto=photo; fotoapparat=camera; fotoalbum=photo album; video=video
aufnahme=recording; stativ=tripod; objektiv=lens; beamer=projector; spielkonsole=game console
computerspiel=computer game; drohne=drone; roboter=robot; maschine=machine; technik=technology; technologie=technology
erfindung=invention; energie=energy; solaranlage=solar system; photovoltaik=photovoltaic solar; windrad=wind turbine
kraftwerk=power plant; medien=media; zeitung=newspaper; zeitschrift=magazine; magazin=magazine
abonnement abo=subscription; nachrichten=news; sender=broadcaster; serie=series
# sports and games
sportverein=sports club; sportclub=sports club; sportler=athlete; mannschaft=team; spieler=player; spiel=game
wettkampf=competition; wettbewerb=competition; turnier=tournament; meisterschaft=championship
weltmeister=world champion; weltmeisterschaft=world championship; olympia=olympics; sieg=victory; sieger=winner
niederlage=defeat; unentschieden=draw tie; pokal=trophy; medaille=medal; punkt=point; training=training
stadion=stadium; turnhalle=gym; halle=hall; sporthalle=sports hall; fitnessstudio=gym; fitness=fitness
schiedsrichter=referee; fußball=soccer football; fußballplatz=soccer field; handball=handball; basketball=basketball
volleyball=volleyball; tennis=tennis; tischtennis=table tennis; badminton federball=badminton; golf=golf
hockey=hockey; eishockey=ice hockey; leichtathletik=athletics; lauf läufe=run; läufer=runner; marathon=marathon
halbmarathon=half marathon; joggen=jogging; schwimmbad=swimming pool; freibad=outdoor pool; hallenbad=indoor pool
schwimmkurs=swimming course; schwimmer=swimmer; tauchgang=dive; taucher=diver; radtour=bike tour; radrennen=bike race
rennen=race; wanderung=hike; wanderweg=hiking trail; wanderer=hiker; klettern=climbing; kletterhalle=climbing gym
bergsteigen=mountaineering; bergsteiger=mountaineer; ski=ski; skifahren=skiing; skiurlaub=ski vacation
skipiste piste=ski slope; langlauf=cross-country skiing; schlitten=sled; schlittschuh=ice skate; eislaufen=ice skating
schneemann=snowman; reiten=riding; reitstunde=riding lesson; reitstall=riding stable; turnen=gymnastics
gymnastik=gymnastics; yoga=yoga; ballett=ballet; boxen=boxing; judo=judo; kegelbahn=bowling alley; schach=chess
brettspiel=board game; kartenspiel=card game; würfel=dice cube; puzzle=puzzle; rätsel=puzzle riddle
kreuzworträtsel=crossword; lotto=lottery; los=lot ticket; ball bälle=ball; schläger=racket bat; spielzeug=toy
puppe=doll; teddybär=teddy bear; kuscheltier=cuddly toy; bauklotz bauklötze=building block
modelleisenbahn=model railway; hobby=hobby; freizeit=free time; sammlung=collection; sammler=collector
stricken=knitting; nähen=sewing; basteln=crafts; gartenarbeit=gardening; angeln=fishing; segeln=sailing
camping=camping; picknick=picnic
# music, art, media
lied=song; song=song; schlager=hit song; melodie=melody; text=text; noten=sheet music; takt=beat; klang=sound
instrument=instrument; klavier=piano; geige=violin; bratsche=viola; cello=cello; kontrabass=double bass
gitarre=guitar; harfe=harp; flöte=flute; blockflöte=recorder; klarinette=clarinet; saxophon saxofon=saxophone
trompete=trumpet; posaune=trombone; tuba=tuba; orgel=organ; akkordeon=accordion; mundharmonika=harmonica; trommel=drum
schlagzeug=drums; saite=string; orchester=orchestra; band=band volume; chor chöre=choir; konzert=concert
konzertkarte=concert ticket; oper=opera; operette=operetta; theater=theater; theaterstück=play; bühne=stage
vorstellung=performance idea; aufführung=performance; probe=rehearsal sample; kino=cinema; film=movie
dokumentation=documentary; krimi=crime novel; roman=novel; erzählung=story; märchen=fairy tale; gedicht=poem
hörbuch=audiobook; kapitel=chapter; titel=title; verlag=publisher; schallplatte=record; platte=plate record; cd=cd
zeichnung=drawing; skulptur=sculpture; malerei=painting; galerie=gallery; tanz tänze=dance; tanzkurs=dance course
tanzschule=dance school; zirkus=circus; clown=clown; zauberer=magician; hexe=witch; gespenst=ghost; riese=giant
zwerg=dwarf; ritter=knight; jahrmarkt=fair; karussell=carousel; volksfest=folk festival; oktoberfest=oktoberfest
disko disco=disco
# shapes and general things
untergang=sinking decline; übergang=transition crossing; aufgang=rise staircase; rückgang=decline; vorgang=process
umgang=handling; taschenlampe=flashlight; form=shape; kreis=circle; quadrat=square; dreieck=triangle
rechteck=rectangle; kugel=ball sphere; linie=line; strich=line; kante=edge; spitze=tip; rand ränder=edge; mitte=middle
oberfläche=surface; rückseite=back side; vorderseite=front; unterseite=underside; inhalt=content
bestandteil=component; zustand=condition; lage=situation location; situation=situation; ereignis=event
veranstaltung=event; vorfall=incident; fall fälle=case fall; umstand umstände=circumstance; veränderung=change
änderung=change; entwicklung=development; verbesserung=improvement; verschlechterung=deterioration; zunahme=increase
anstieg=rise; bewegung=movement; richtung=direction; schritt=step; sprung=jump crack; sturz=fall; stoß=push
druck=pressure print; kraft kräfte=strength force; last=load; gleichgewicht=balance; geräusch=noise; lärm=noise
stille=silence; knall=bang; schrei=scream; ruf=call reputation; pfiff=whistle; zeichen=sign; signal=signal
alarm=alarm; gefahr=danger; risiko risiken=risk; sicherheit=security safety; schutz=protection; vorsicht=caution
verfahren=procedure; methode=method; weise=way manner; system=system; struktur=structure; aufbau=structure setup
abbau=dismantling; organisation=organization; planung=planning; vorbereitung=preparation; durchführung=execution
verwaltung=administration; verwendung=use; gebrauch=use; benutzung=use; verbrauch=consumption; bedarf=need
mangel mängel=lack defect; überfluss=abundance; ersatz=replacement; austausch=exchange; wechsel=change; tausch=swap
verbesserungsvorschlag=suggestion for improvement; stück=piece; hälfte=half; modell=model; entwurf=draft
skizze=sketch; vorlage=template; überschrift=heading; zeile=line; spalte=column; abschnitt=section; buchstabe=letter
alphabet=alphabet; komma=comma; fragezeichen=question mark; verzeichnis=directory; übersicht=overview
zusammenfassung=summary; einleitung=introduction; eintrag=entry; vermerk=note; merkzettel=reminder note
kalendereintrag=calendar entry; aufzeichnung=record; lieblings=favorite; haupt=main; neben=side; sonder=special
gesamt=total; mindest=minimum; höchst=maximum
# further things of the world
meeting=meeting; chip=chip; gigabyte=gigabyte; tour=tour; therme=thermal bath; empfang=reception
handyempfang=mobile reception; funkloch=dead zone; automatik=automatic; kernzeit=core hours; gleitzeit=flexible hours
teilzeit=part time; vollzeit=full time; feierabend=end of work; betriebsausflug=company outing
weihnachtsfeier=christmas party; betriebsarzt=company doctor; lohnabrechnung=payslip; abrechnung=billing statement
reisekosten=travel expenses; spesen=expenses; kilometergeld=mileage allowance; pauschale=flat rate; vorschuss=advance
abfindung=severance pay; arbeitsunfähigkeit=inability to work; bildungsurlaub=educational leave; pendler=commuter
pendelstrecke=commute; arbeitsweg=commute; fahrgemeinschaft=carpool; leihwagen=rental car; dienstwagen=company car
stellplatz=parking space; tiefgarage=underground garage; anwohnerparkausweis=resident parking permit
blitzer=speed camera; punkte=points; reifenwechsel=tire change; unwucht=imbalance; beule=dent; kratzer=scratch
lackschaden=paint damage; vollkasko=comprehensive insurance; teilkasko=partial coverage insurance
gutachten=expert report; gutachter=assessor; kostenvoranschlag=cost estimate; voranschlag=estimate
gewährleistung=warranty; lieferschein=delivery note; auftragsbestätigung=order confirmation
bestellnummer=order number; kundennummer=customer number; vertragsnummer=contract number
versicherungsnummer=insurance number; sozialversicherung=social security; rentenpunkte=pension points
altersvorsorge=retirement savings; bausparvertrag=building savings contract; tagesgeld=overnight savings
festgeld=fixed deposit; depot=portfolio depot; sparplan=savings plan; freistellungsauftrag=tax exemption order
spendenquittung=donation receipt; werbungskosten=work expenses; grunderwerbsteuer=property transfer tax
grundbuch=land register; grundstück=plot of land; immobilie=real estate; eigenheim=own home; hausbau=house building
baugenehmigung=building permit; bebauungsplan=development plan; eigentümerversammlung=owners meeting
hausgeld=maintenance fee; mieterhöhung=rent increase; mietminderung=rent reduction; nachmieter=next tenant
übergabe=handover; übergabeprotokoll=handover report; wohnungsübergabe=apartment handover; schufa=credit report
inkasso=debt collection; insolvenz=bankruptcy; pfändung=seizure; bürgschaft=guarantee; erbvertrag=inheritance contract
ehevertrag=prenuptial agreement; sorgerecht=custody; unterhaltszahlung=alimony; elterngeld=parental allowance
kitaplatz=daycare place; kitagebühr=daycare fee; schulanmeldung=school enrollment; sportfest=sports day
wandertag=school hike; projektwoche=project week; ferienbetreuung=holiday care; ferienlager=summer camp
zeltlager=tent camp; pfadfinder=scouts; jugendgruppe=youth group; musikverein=music club; schützenverein=shooting club
feuerwehrfest=fire brigade festival; schützenfest=shooting festival; kirmes=fair; dorffest=village festival
stadtfest=city festival; straßenfest=street party; osterfeuer=easter bonfire; lagerfeuer=campfire
martinsumzug=lantern procession; laterne=lantern; tombola=raffle; verlosung=raffle; wichteln=secret santa
adventszeit=advent season; weihnachtsgans=christmas goose; weihnachtsgeschenk=christmas present
weihnachtskarte=christmas card; wunschzettel=wish list; wunschliste=wish list; bucketliste=bucket list
merkliste=watch list; packliste=packing list; checkliste=checklist; gästeliste=guest list; sitzordnung=seating plan
tischkarte=place card; tagesausflug=day trip; kurzurlaub=short vacation; städtereise=city trip; wellness=wellness
pauschalreise=package tour; reiserücktrittsversicherung=travel cancellation insurance
reiseapotheke=travel first aid kit; adapter=adapter; steckdosenadapter=plug adapter; powerbank=power bank
impfpflicht=mandatory vaccination; zwischenlandung=stopover; umstieg=change of trains; fensterplatz=window seat
gangplatz=aisle seat; fahrtrichtung=direction of travel; speisewagen=dining car; schlafwagen=sleeping car
nachtzug=night train; abteil=compartment; deutschlandticket=public transport pass; zeitkarte=season ticket
dauerkarte=season ticket; jahreskarte=annual pass; freikarte=free ticket; abendkasse=box office; premiere=premiere
zugabe=encore; lesung=reading; vernissage=exhibition opening; stadtführung=city tour; wanderkarte=hiking map
berghütte=mountain hut; klettersteig=via ferrata; gondel=gondola; loipe=ski trail; skischule=ski school
rodelbahn=toboggan run; badesee=swimming lake; baggersee=quarry lake; stausee=reservoir; schleuse=lock; deich=dike
düne=dune; watt=mudflat watt; strandkorb=beach chair; muschelschale=shell; bernstein=amber; leuchtturm=lighthouse
mole=pier; bucht=bay; klippe=cliff; halbinsel=peninsula; mündung=river mouth; strömung=current
passwortmanager=password manager; zweifaktor=two-factor; sicherheitsfrage=security question; pin=pin code
entsperrcode=unlock code; gerätenummer=device number; seriennummer=serial number; modellnummer=model number
zahlencode=number code; zahlenschloss=combination lock; türcode=door code; mailadresse=email address
rufnummer=phone number; durchwahl=extension number; vorwahl=area code; mailbox=voicemail
sprachnachricht=voice message; videoanruf=video call; gruppenchat=group chat; bildschirmzeit=screen time
tastenkombination=keyboard shortcut; lesezeichen=bookmark; speicherplatz=storage space; speicherort=storage location
netzwerkkabel=network cable; repeater=repeater; internetanbieter=internet provider; störung=disruption fault
ausfall ausfälle=failure outage; neustart=restart; werkseinstellung=factory settings; schraubverschluss=screw cap
zielgerade=home stretch; bestzeit=personal best; startnummer=race number; trainingsplan=training plan
liegestütz=push-up; kniebeuge=squat; klimmzug=pull-up; hantel=dumbbell; laufband=treadmill
laufschuh laufschuhe=running shoes; trikot=jersey; neoprenanzug=wetsuit; taucherbrille=diving goggles
schwimmbrille=swimming goggles; schwimmflügel=water wings; schwimmreifen=swim ring; steuermann=helmsman
segelschein=sailing licence; bootsführerschein=boating licence; jagdschein=hunting licence
angelschein=fishing licence; waffenschein=gun licence; flugschein=pilot licence
`;
