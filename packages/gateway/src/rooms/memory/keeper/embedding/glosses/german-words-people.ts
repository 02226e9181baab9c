// German nouns for people: family, body, health, feelings, character, faith, learning, feasts, each with its English gloss.
export const PEOPLE_WORDS = `
# people and family
mensch=person human; leute=people; person=person; mann männer=man; frau=woman wife; herr herrn=mr; dame=lady
junge jungs=boy; bub=boy; mädchen mädel=girl; kind kinder=child; baby=baby; säugling=infant; kleinkind=toddler
jugendliche jugendlicher jugendlichen=teenager; erwachsene erwachsener erwachsenen=adult; senior=senior
rentner=retiree; pensionist=retiree; greis=old man; familie=family; eltern=parents; elternteil=parent
mutter mütter=mother; vater väter=father; mama=mom; mutti=mom; mami=mom; papa=dad; papi=dad; vati=dad; sohn söhne=son
tochter töchter=daughter; bruder brüder=brother; schwester=sister; geschwister=siblings; zwilling=twin
drilling=triplet; oma=grandma; opa=grandpa; omi=grandma; opi=grandpa; großmutter großmütter=grandmother
großvater großväter=grandfather; großeltern=grandparents; urgroßmutter=great-grandmother
urgroßvater=great-grandfather; enkel=grandson; enkelin=granddaughter; enkelkind enkelkinder=grandchild
urenkel=great-grandchild; onkel=uncle; tante=aunt; cousin=cousin; cousine=cousin; vetter=cousin; neffe=nephew
nichte=niece; schwager=brother-in-law; schwägerin=sister-in-law; schwiegermutter=mother-in-law
schwiegervater=father-in-law; schwiegereltern=parents-in-law; schwiegersohn=son-in-law
schwiegertochter=daughter-in-law; stiefmutter=stepmother; stiefvater=stepfather; stiefsohn=stepson
stieftochter=stepdaughter; stiefbruder=stepbrother; halbbruder=half brother; halbschwester=half sister
patenkind=godchild; pate=godfather; patin=godmother; patenonkel=godfather; patentante=godmother; ehemann=husband
ehefrau=wife; gatte=husband; gattin=wife; ehepaar=married couple; ehe=marriage; partner=partner
lebensgefährte=partner; lebensgefährtin=partner; verlobter=fiance; braut=bride; bräutigam=groom; witwe=widow
witwer=widower; waise=orphan; single=single; verwandte verwandter verwandten=relative; verwandtschaft=relatives
angehörige angehöriger angehörigen=relative; vorfahr vorfahren=ancestor; nachkomme=descendant; erbe=heir inheritance
vormund=guardian; stammbaum=family tree; freund=friend; freundschaft=friendship; kumpel=buddy
bekannte bekannter bekannten=acquaintance; nachbar=neighbor; nachbarschaft=neighborhood; mitbewohner=roommate
bewohner=resident; einwohner=inhabitant; gast gäste=guest; gastgeber=host; besucher=visitor; besuch=visit
fremder=stranger; feind=enemy; gegner=opponent; kollege=colleague; kollegin=colleague; chef=boss
babysitter=babysitter; tagesmutter=childminder nanny; kindermädchen=nanny; putzfrau=cleaning lady
haushälterin=housekeeper; fußgänger=pedestrian; radfahrer=cyclist; autofahrer=driver; fahrgast=passenger
passagier=passenger; tourist=tourist; urlauber=vacationer; reisende=traveler; ausländer=foreigner; flüchtling=refugee
bürger=citizen; volk=people; bevölkerung=population; publikum=audience; zuschauer=spectator; zuhörer=listener
leser=reader; held=hero; star=star; genie=genius; anfänger=beginner; experte=expert; fachmann fachleute=expert
laie=layman; liebling=darling favorite; schatz=treasure darling; typ=guy; kerl=guy; zeuge=witness; opfer=victim
täter=offender; mitglied=member; anführer=leader; nachfolger=successor; vorgänger=predecessor; stellvertreter=deputy
vorbild=role model; idol=idol
# names and documents of a person
name=name; vorname=first name; nachname=last name; familienname=last name; spitzname=nickname; mädchenname=maiden name
anschrift=address; adresse=address; wohnort=place of residence; hausnummer=house number; postleitzahl=postal code
telefonnummer=phone number; handynummer=mobile number; geburtsdatum=date of birth; geburtsort=place of birth
alter=age; geschlecht=gender; familienstand=marital status; staatsangehörigkeit=citizenship
staatsbürgerschaft=citizenship; ausweis=identity card; personalausweis=identity card; reisepass=passport
pass pässe=passport; führerschein=driving licence; geburtsurkunde=birth certificate
heiratsurkunde=marriage certificate; urkunde=certificate; zeugnis=report certificate; bescheinigung=certificate
unterschrift=signature; stempel=stamp; lebenslauf=resume; visum visa=visa; aufenthaltserlaubnis=residence permit
krankenkassenkarte=health insurance card
# life
morgen=morning; leben=life; geburt=birth; tod=death; todesfall=death; kindheit=childhood; jugend=youth
pubertät=puberty; erziehung=upbringing; schwangerschaft=pregnancy; hochzeit=wedding; trauung=wedding ceremony
heirat=marriage; verlobung=engagement; scheidung=divorce; trennung=separation; beziehung=relationship
verhältnis=relationship; liebe=love; kuss küsse=kiss; umarmung=hug; streit=quarrel; krach=noise row
versöhnung=reconciliation; beerdigung=funeral; begräbnis=funeral; grab gräber=grave; friedhof=cemetery; sarg=coffin
urne=urn; testament=will testament; erbschaft=inheritance; nachlass=estate; trauer=grief; beileid=condolence
ruhestand=retirement; rente=pension; pension=pension; lebensgeschichte=life story; schicksal=fate; zufall=coincidence
glück=luck happiness; unglück=misfortune; pech=bad luck; erlebnis=experience; erfahrung=experience; erinnerung=memory
gedächtnis=memory; andenken=souvenir; tagebuch=diary; heimat=homeland; herkunft=origin; muttersprache=native language
# body
körper=body; leib=body; kopf köpfe=head; gesicht=face; stirn=forehead; auge=eye; augenbraue=eyebrow; wimper=eyelash
augenlid=eyelid; pupille=pupil; ohr=ear; ohrläppchen=earlobe; nase=nose; nasenloch=nostril; mund=mouth; lippe=lip
zunge=tongue; zahn zähne=tooth; zahnfleisch=gums; gebiss=denture; weisheitszahn=wisdom tooth; milchzahn=baby tooth
kiefer=jaw pine; kinn=chin; wange=cheek; backe=cheek; bart=beard; schnurrbart=mustache; haar=hair; frisur=hairstyle
locke=curl; glatze=bald head; zopf=braid; hals=neck throat; kehle=throat; nacken=neck; schulter=shoulder
achsel=armpit; arm=arm; ellbogen ellenbogen=elbow; handgelenk=wrist; hand hände=hand; faust=fist; finger=finger
daumen=thumb; zeigefinger=index finger; nagel nägel=nail; fingernagel=fingernail; brust=chest breast; busen=bosom
rücken=back; kreuz=cross lower back; wirbelsäule=spine; bandscheibe=spinal disc; rippe=rib; bauch=belly stomach
nabel=navel; taille=waist; hüfte=hip; gesäß=buttocks; hintern=bottom; po=bottom; bein=leg; oberschenkel=thigh
knie=knee; wade=calf; schienbein=shin; knöchel=ankle; fuß füße füsse=foot; ferse=heel; zehe zeh=toe; sohle=sole
haut=skin; knochen=bone; skelett=skeleton; schädel=skull; gelenk=joint; muskel=muscle; sehne=tendon; nerv=nerve
blut=blood; ader=vein; vene=vein; arterie=artery; herz=heart; lunge=lung; leber=liver; niere=kidney; magen=stomach
darm=intestine; blase=bladder bubble; galle=gall bladder; milz=spleen; gehirn=brain; hirn=brain
rückenmark=spinal cord; drüse=gland; schilddrüse=thyroid; gebärmutter=uterus; eierstock=ovary; prostata=prostate
penis=penis; scheide=vagina; träne=tear; schweiß=sweat; speichel=saliva; urin=urine; stuhlgang=bowel movement
atem=breath; puls=pulse; stimme=voice; sinn=sense; sehkraft=eyesight; gehör=hearing; geruch=smell; geschmack=taste
gefühl=feeling; figur=figure; körpergröße=height; statur=build; muttermal=mole; sommersprosse=freckle; narbe=scar
falte=wrinkle; pickel=pimple; tattoo=tattoo
# health
gesundheit=health; krankheit=illness; erkrankung=illness; leiden=ailment suffering; beschwerden=complaints symptoms
symptom=symptom; schmerz=pain; kopfschmerzen kopfweh=headache; migräne=migraine; zahnschmerzen zahnweh=toothache
bauchschmerzen bauchweh=stomach ache; rückenschmerzen=back pain; halsschmerzen halsweh=sore throat
muskelkater=sore muscles; erkältung=cold; schnupfen=runny nose cold; husten=cough; grippe=flu; fieber=fever
virus viren=virus; bakterie=bacteria; keim=germ; infektion=infection; entzündung=inflammation
lungenentzündung=pneumonia; bronchitis=bronchitis; mandelentzündung=tonsillitis; blinddarm=appendix
durchfall=diarrhea; verstopfung=constipation; übelkeit=nausea; erbrechen=vomiting; schwindel=dizziness
ohnmacht=fainting; bluthochdruck=high blood pressure; blutdruck=blood pressure; blutzucker=blood sugar
zuckerkrankheit=diabetes; diabetes=diabetes; krebs=cancer crab; tumor=tumor; schlaganfall=stroke
herzinfarkt=heart attack; herzfehler=heart defect; asthma=asthma; allergie=allergy; heuschnupfen=hay fever
unverträglichkeit=intolerance; ausschlag=rash; ekzem=eczema; neurodermitis=eczema; schuppen=shed dandruff; warze=wart
sonnenbrand=sunburn; stich=sting; mückenstich=mosquito bite; zeckenbiss=tick bite; biss=bite; wunde=wound
verletzung=injury; prellung=bruise; bluterguss=bruise; verstauchung=sprain; zerrung=strain; bruch=fracture break
knochenbruch=bone fracture; verbrennung=burn; vergiftung=poisoning; lebensmittelvergiftung=food poisoning
masern=measles; mumps=mumps; röteln=rubella; windpocken=chickenpox; scharlach=scarlet fever
keuchhusten=whooping cough; tollwut=rabies; tetanus=tetanus; läuse=lice; rheuma=rheumatism; arthrose=arthritis
gicht=gout; osteoporose=osteoporosis; hexenschuss=lumbago; bandscheibenvorfall=slipped disc; ischias=sciatica
depression=depression; burnout=burnout; demenz=dementia; epilepsie=epilepsy; autismus=autism; sucht=addiction
schlaflosigkeit=insomnia; schlafstörung=sleep disorder; behinderung=disability; rollstuhl=wheelchair; krücke=crutch
gehstock=walking stick; rollator=walker; prothese=prosthesis; hörgerät=hearing aid; brille=glasses
lesebrille=reading glasses; sonnenbrille=sunglasses; kontaktlinse=contact lens; dioptrie=diopter; sehtest=eye test
arzt ärzte=doctor; ärztin=doctor; doktor=doctor; hausarzt hausärztin=family doctor
zahnarzt zahnärztin zahnärzte=dentist; augenarzt augenärztin=eye doctor; kinderarzt kinderärztin=pediatrician
frauenarzt frauenärztin=gynecologist; hautarzt hautärztin=dermatologist; tierarzt tierärztin tierärzte=veterinarian
orthopäde=orthopedist; chirurg=surgeon; internist=internist; psychologe=psychologist; psychiater=psychiatrist
therapeut=therapist; physiotherapeut=physiotherapist; physiotherapie=physiotherapy; krankengymnastik=physiotherapy
massage=massage; hebamme=midwife; krankenschwester=nurse; krankenpfleger=nurse; pfleger=nurse caregiver
sanitäter=paramedic; notarzt=emergency doctor; apotheker=pharmacist; optiker=optician; heilpraktiker=naturopath
kieferorthopäde=orthodontist; zahnspange=braces; patient=patient; praxis praxen=doctor's office practice
arztpraxis=doctor's office; sprechstunde=consultation hours; wartezimmer=waiting room
krankenhaus krankenhäuser=hospital; spital=hospital; klinik=clinic; notaufnahme=emergency room
intensivstation=intensive care; station=station ward; krankenwagen=ambulance; rettungswagen=ambulance
rettungsdienst=ambulance service; apotheke=pharmacy; drogerie=drugstore; rezept=recipe prescription
überweisung=transfer referral; krankenschein=sick note; krankmeldung=sick note; attest=medical certificate
diagnose=diagnosis; untersuchung=examination; vorsorge=checkup; vorsorgeuntersuchung=medical checkup
befund=medical findings; blutprobe=blood sample; blutabnahme=blood test; blutgruppe=blood type; röntgenbild=x-ray
ultraschall=ultrasound; operation op=surgery; narkose=anesthesia; betäubung=anesthesia; behandlung=treatment
therapie=therapy; kur=spa treatment; reha=rehabilitation; heilung=healing; genesung=recovery; besserung=improvement
rückfall=relapse; nebenwirkung=side effect; medikament=medicine; medizin=medicine; arznei=medicine
arzneimittel=medicine; tablette=pill; pille=pill; tropfen=drops; salbe=ointment; zäpfchen=suppository
hustensaft=cough syrup; schmerzmittel=painkiller; antibiotikum antibiotika=antibiotic; insulin=insulin
kortison=cortisone; spritze=injection; impfung=vaccination; impfstoff=vaccine; impfpass=vaccination record
auffrischung=booster; pflaster=plaster bandage; verband=bandage association; gips=plaster cast
naht nähte=seam stitches; faden fäden=thread; fieberthermometer=thermometer; verbandskasten=first aid kit
hausapotheke=medicine cabinet; vitamin=vitamin; dosis=dose; krone=crown; plombe=tooth filling; füllung=filling
wurzelbehandlung=root canal; karies=tooth decay; zahnersatz=dentures; diät=diet; ernährung=nutrition
übergewicht=overweight; kalorie=calorie; pflege=care; pflegeheim=nursing home; altersheim=retirement home
altenheim=retirement home; pflegestufe=care level; notfall=emergency; notruf=emergency call; unfall unfälle=accident
rettung=rescue; hygiene=hygiene; verhütung=contraception; menstruation=period; wechseljahre=menopause
fehlgeburt=miscarriage; wehen=labor; entbindung=delivery birth; kaiserschnitt=cesarean; geburtshaus=birth center
# care of the body
seife=soap; shampoo=shampoo; duschgel=shower gel; creme=cream; sonnencreme=sunscreen; zahnbürste=toothbrush
zahnpasta=toothpaste; zahnseide=dental floss; kamm=comb; bürste=brush; haarbürste=hairbrush; föhn fön=hair dryer
rasierer=razor; rasierapparat=shaver; rasierklinge=razor blade; nagelschere=nail scissors; nagellack=nail polish
lippenstift=lipstick; schminke=makeup; wimperntusche=mascara; parfüm=perfume; deo=deodorant; deodorant=deodorant
watte=cotton; wattestäbchen=cotton swab; taschentuch=handkerchief tissue; toilettenpapier klopapier=toilet paper
windel=diaper; schnuller=pacifier; binde=sanitary pad; tampon=tampon; kondom=condom; haarspray=hairspray
haarschnitt=haircut; friseur frisör=hairdresser; friseurin friseuse=hairdresser; kosmetik=cosmetics; sauna=sauna
schwamm schwämme=sponge; waschlappen=washcloth; handtuch handtücher=towel; badetuch=bath towel; bademantel=bathrobe
# feelings and mind
freude=joy; spaß=fun; vergnügen=pleasure; lust=desire; begeisterung=enthusiasm; zufriedenheit=satisfaction
dankbarkeit=gratitude; hoffnung=hope; mut=courage; stolz=pride; vertrauen=trust; misstrauen=distrust
angst ängste=fear; furcht=fear; höhenangst=fear of heights; platzangst=claustrophobia; panik=panic; schreck=fright
sorge=worry; kummer=sorrow; traurigkeit=sadness; verzweiflung=despair; einsamkeit=loneliness; heimweh=homesickness
fernweh=wanderlust; sehnsucht=longing; wut=anger; zorn=anger; ärger=trouble anger; hass=hatred; neid=envy
eifersucht=jealousy; rache=revenge; scham=shame; schuld=guilt debt; schuldgefühl=guilt; reue=remorse; mitleid=pity
mitgefühl=compassion; ekel=disgust; langeweile=boredom; stress=stress; aufregung=excitement; spannung=tension
ruhe=calm rest; gelassenheit=calmness; geduld=patience; ungeduld=impatience; laune=mood; stimmung=mood; seele=soul
geist=spirit mind; verstand=mind; vernunft=reason; gedanke=thought; idee=idea; einfall=idea; meinung=opinion
ansicht=view; überzeugung=conviction; glaube=faith belief; zweifel=doubt; verdacht=suspicion; vermutung=guess
ahnung=idea; wissen=knowledge; kenntnis=knowledge; absicht=intention; plan pläne=plan; vorsatz=resolution; ziel=goal
wunsch wünsche=wish; traum träume=dream; albtraum alptraum=nightmare; wille=will; entscheidung=decision
entschluss=decision; beschluss=decision; wahl=choice election; auswahl=selection; möglichkeit=possibility
gelegenheit=opportunity; chance=chance; grund gründe=reason; ursache=cause; folge=consequence episode; wirkung=effect
ergebnis=result; zweck=purpose; bedeutung=meaning; unterschied=difference; ähnlichkeit=similarity
gemeinsamkeit=common ground; gegenteil=opposite; vorteil=advantage; nachteil=disadvantage; problem=problem
schwierigkeit=difficulty; lösung=solution; fehler=mistake; irrtum=error; missverständnis=misunderstanding
geheimnis=secret; überraschung=surprise; lüge=lie; wahrheit=truth; witz=joke; scherz=joke; humor=humor
charakter=character; eigenschaft=quality; gewohnheit=habit; angewohnheit=habit; stärke=strength starch
schwäche=weakness; talent=talent; begabung=talent; fähigkeit=ability; fleiß=diligence; faulheit=laziness
ehrgeiz=ambition; neugier=curiosity; höflichkeit=politeness; respekt=respect; ehre=honor; würde=dignity; treue=loyalty
ehrlichkeit=honesty; verantwortung=responsibility; pflicht=duty; fantasie phantasie=imagination
konzentration=concentration; aufmerksamkeit=attention; interesse=interest; leidenschaft=passion; vorliebe=preference
abneigung=dislike; bedürfnis=need; verhalten=behavior; benehmen=manners; lob=praise; kritik=criticism
vorwurf=reproach; beleidigung=insult; drohung=threat; dank=thanks; entschuldigung=apology excuse; ausrede=excuse
versprechen=promise; hilfe=help; unterstützung=support; rat=advice; ratschlag=advice; tipp=tip; vorschlag=suggestion
empfehlung=recommendation; bitte=request; frage=question; antwort=answer; nachricht=message news; mitteilung=message
gespräch=conversation; unterhaltung=conversation entertainment; diskussion=discussion; gerücht=rumor; klatsch=gossip
rede=speech; vortrag=lecture; wort wörter worte=word; satz sätze=sentence; sprache=language; ausdruck=expression
begriff=term; beispiel=example; erklärung=explanation declaration; beschreibung=description; bemerkung=remark
hinweis=hint notice; warnung=warning
# school and learning
schule=school; grundschule=elementary school; volksschule=elementary school; hauptschule=secondary school
realschule=secondary school; gymnasium gymnasien=high school; gesamtschule=comprehensive school
berufsschule=vocational school; fachhochschule=college; hochschule=university; universität uni=university
volkshochschule=adult education center; musikschule=music school; kindergarten=kindergarten; kita=daycare
krippe=nursery crib; hort=after-school care; lehrer=teacher; klassenlehrer=class teacher; rektor=principal
direktor=director principal; erzieher=nursery teacher educator; professor=professor; dozent=lecturer; trainer=coach
schüler=pupil student; student=student; klasse=class; klassenzimmer=classroom; klassenfahrt=school trip
mitschüler=classmate; stundenplan=timetable; unterricht=lessons; schulstunde=lesson; nachhilfe=tutoring; pause=break
ferien=holidays; sommerferien=summer holidays; hausaufgabe=homework; aufgabe=task; übung=exercise; prüfung=exam
klausur=exam; klassenarbeit=test; test=test; abitur abi=school leaving exam; abschluss=degree completion
matura=school leaving exam; note=grade; elternabend=parents' evening; elternbeirat=parent council
einschulung=first day of school; schultüte=school cone; schulranzen=school bag; ranzen=school bag
federmappe=pencil case; heft=notebook; buch bücher=book; lehrbuch=textbook; wörterbuch=dictionary
lexikon=encyclopedia; stift=pen; bleistift=pencil; buntstift=colored pencil; kugelschreiber kuli=pen
füller=fountain pen; filzstift=felt pen; radiergummi=eraser; spitzer=sharpener; lineal=ruler; schere=scissors
klebstoff=glue; kleber=glue; tafel=board; kreide=chalk; fach fächer=subject compartment; mathematik mathe=math
physik=physics; chemie=chemistry; biologie=biology; geschichte=history story; erdkunde=geography
geographie geografie=geography; kunst künste=art; musik=music; sport=sports; religion=religion; ethik=ethics
informatik=computer science; fremdsprache=foreign language; deutsch=german; englisch=english; spanisch=spanish
latein=latin; grammatik=grammar; vokabel=vocabulary; rechtschreibung=spelling; diktat=dictation; aufsatz=essay
referat=presentation; bildung=education; ausbildung=training apprenticeship; lehre=apprenticeship; lehrling=apprentice
azubi=trainee; praktikum=internship; praktikant=intern; studium=studies; studiengang=degree program; semester=semester
vorlesung=lecture; seminar=seminar; kurs=course; kursus=course; fortbildung=further training
weiterbildung=further training; stipendium=scholarship; doktorarbeit=doctoral thesis; diplom=diploma
forschung=research; forscher=researcher; wissenschaft=science; wissenschaftler=scientist; versuch=experiment attempt
theorie=theory; bibliothek=library; bücherei=library
# church and faith
kirche=church; gott götter=god; jesus=jesus; bibel=bible; gebet=prayer; gottesdienst=church service; messe=mass fair
predigt=sermon; pfarrer=pastor; pastor=pastor; priester=priest; bischof=bishop; papst=pope; mönch=monk; nonne=nun
kloster klöster=monastery; dom=cathedral; kapelle=chapel band; altar=altar; taufe=baptism; firmung=confirmation
konfirmation=confirmation; kommunion=communion; beichte=confession; sünde=sin; himmel=sky heaven; hölle=hell
engel=angel; teufel=devil; heiliger=saint; segen=blessing; moschee=mosque; synagoge=synagogue; tempel=temple
christ=christian; jude=jew; moslem muslim=muslim; buddhist=buddhist; gemeinde=community parish; pfarrei=parish
kirchenchor=church choir; glocke=bell; kirchturm=church tower
# feasts
feier=celebration; fest=festival party; party=party; geburtstagsfeier=birthday party; gartenfest=garden party
jubiläum=anniversary; geschenk=gift; gutschein=voucher; einladung=invitation; überraschungsfeier=surprise party
kerze=candle; luftballon=balloon; girlande=garland; feuerwerk=fireworks; weihnachtsbaum christbaum=christmas tree
weihnachtsmarkt=christmas market; weihnachtsmann=santa claus; christkind=christ child; adventskranz=advent wreath
adventskalender=advent calendar; plätzchen=cookies; osterei ostereier=easter egg; osterhase=easter bunny
kostüm=costume; maske=mask; blumenstrauß strauß=bouquet; kranz=wreath; torte=cake; sekt=sparkling wine; toast=toast
ständchen=serenade; brauch bräuche=custom; tradition=tradition; trauzeuge=best man witness; brautkleid=wedding dress
ehering=wedding ring; flitterwochen=honeymoon; polterabend=pre-wedding party; standesamt=registry office
# further people and what they do
beifahrer=passenger; anbieter=provider; kontakt=contact; ansprechpartner=contact person
notfallkontakt=emergency contact; kumpan=companion; gefährte=companion; begleiter=companion; begleitung=company
bezugsperson=attachment figure; betreuer=caregiver; betreuung=care; vertrauter=confidant; verehrer=admirer
geliebte geliebter=lover; affäre=affair; ex=ex; liebeskummer=heartbreak; seitensprung=affair; verabredung=date
kindergeburtstag=children's birthday; namenstag=name day; stichtag=due date deadline
elternsprechtag=parent teacher meeting; aula=auditorium; schulhof=schoolyard; pausenbrot=school sandwich; zensur=grade
versetzung=transfer; kommilitone=fellow student; absolvent=graduate; gelehrter=scholar; fachbereich=department
greisin=old woman; dreijähriger=three-year-old; knirps=little boy; bengel=rascal; nervensäge=pain in the neck
angeber=show-off; feigling=coward; faulpelz=lazybones; trottel=fool; dummkopf=fool; idiot=idiot; spinner=crank
schlaukopf=smart person; langschläfer=late riser; frühaufsteher=early riser; nachteule=night owl
morgenmuffel=not a morning person; naschkatze=sweet tooth; leckermaul=sweet tooth; feinschmecker=gourmet
raucher=smoker; nichtraucher=non-smoker; trinker=drinker; alkoholiker=alcoholic; linkshänder=left-handed person
rechtshänder=right-handed person; allergiker=person with allergies; diabetiker=diabetic; vegetarierin=vegetarian
einlage=insole; bandage=brace bandage; schiene=splint rail; tropf=drip; seelsorge=pastoral care
selbsthilfegruppe=support group; entzug=withdrawal; erschöpfung=exhaustion; müdigkeit=tiredness
appetitlosigkeit=loss of appetite; sodbrennen=heartburn; blähung=bloating; verdauung=digestion; schwellung=swelling
juckreiz=itching; krampf krämpfe=cramp; zittern=tremor; schüttelfrost=chills; kreislauf=circulation
kreislaufprobleme=circulation problems; cholesterin=cholesterol; eisenmangel=iron deficiency; pollen=pollen
hausstaub=house dust; penicillin=penicillin; beipackzettel=package insert; verschreibung=prescription
hausmittel=home remedy; wärmflasche=hot water bottle; umschlag umschläge=envelope compress
gehirnerschütterung=concussion; hüftgelenk=hip joint; kreuzband=cruciate ligament; meniskus=meniscus
bänderriss=torn ligament; grauer=gray; netzhaut=retina; hornhaut=cornea; brustkrebs=breast cancer
darmspiegelung=colonoscopy; magenspiegelung=gastroscopy; zahnreinigung=dental cleaning; zahnstein=tartar
aufbissschiene=night guard; knirscherschiene=night guard; hörsturz=sudden hearing loss; tinnitus=tinnitus
gleichgewichtssinn=sense of balance; abwesenheit=absence; anwesenheit=presence; zuneigung=affection
gewissen=conscience; selbstbewusstsein=self-confidence; bewusstsein=awareness; unterbewusstsein=subconscious
instinkt=instinct; bauchgefühl=gut feeling; eindruck eindrücke=impression; vorurteil=prejudice; gewohnheiten=habits
macke=quirk; marotte=quirk; eigenart=peculiarity; abmachung=agreement; absprache=agreement; zusage=acceptance
absage=cancellation refusal; anliegen=concern; rücksprache=consultation; rückmeldung=feedback; rückruf=callback recall
erreichbarkeit=availability; glückwunsch glückwünsche=congratulations; kompliment=compliment; anekdote=anecdote
sprichwort=proverb; motto=motto; grundsatz=principle; lebensmotto=motto; lebenstraum=life dream; vorhaben=plan
anlass anlässe=occasion; ausnahme=exception; bedingung=condition; voraussetzung=requirement; anforderung=requirement
erwartung=expectation; enttäuschung=disappointment; herausforderung=challenge; belastung=burden strain
belohnung=reward; trost=comfort; fürsorge=care; zusammenhalt=solidarity; zusammenarbeit=cooperation
auseinandersetzung=argument; meinungsverschiedenheit=disagreement; kompromiss=compromise
vertrauensperson=trusted person; not=emergency need; notdienst=emergency service; hypertonie=high blood pressure
blutdruckmittel=blood pressure medicine; blutverdünner=blood thinner; betablocker=beta blocker; abführmittel=laxative
schlafmittel=sleeping pill; schlaftablette=sleeping pill; beruhigungsmittel=sedative; nasenspray=nasal spray
nasentropfen=nose drops; augentropfen=eye drops; ohrentropfen=ear drops; hustenbonbon=cough drop
fiebersaft=fever syrup; wundsalbe=wound ointment; desinfektionsmittel=disinfectant; nahrungsergänzung=food supplement
magnesium=magnesium; zink=zinc; folsäure=folic acid; antihistaminikum=antihistamine; pillendose=pill box
blutspende=blood donation; organspende=organ donation; organspendeausweis=organ donor card
`;
