// Spanish words in English: rarer nouns of all kinds, and words of the two sides of the ocean.

export const SPANISH_MORE_NOUNS = `
# forms that mean more than their lemma
sola=alone; solos=alone; bebes=drink; perdida=lost; acuerda=remember; acuerdan=remember; hay=there is; había=there was
habrá=there will be; hubo=there was; fui=went; fuimos=went
# small things of the house and the day
tapón=plug; asistencia=attendance; marcapasos=pacemaker; anticoagulante=blood thinner; bicarbonato=baking soda
malentendido=misunderstanding; intolerancia=intolerance; folio=sheet of paper; gachas=porridge
acristalamiento=glazing; aislamiento=insulation; repelente=repellent; mosquitero=mosquito net
desinfectante=disinfectant; ambientador=air freshener; escobilla=toilet brush; alfombrilla=mat; palangana=washbowl
barreño=washtub; cubertería=cutlery; salero=salt shaker; azucarero=sugar bowl; mantequera=butter dish
posavasos=coaster; bombona=gas bottle; ladera=slope; mecha=wick; candelabro=candlestick; cerrajería=locksmith's
alféizar=windowsill; rellano=landing; zócalo=skirting board; rodapié=skirting board; portón=gate; reja=grille
pérgola=pergola; porche=porch; cenador=gazebo; leñera=woodshed; cobertizo=shed; caseta=hut; guardarropa=cloakroom
vestidor=dressing room; tocador=dressing table; joyero=jeweller; costurero=sewing box; dedal=thimble; alfiler=pin
imperdible=safety pin; retal=remnant; lentejuela=sequin; encaje=lace; fleco=fringe; capucha=hood; solapa=lapel
forro=lining; tirante=strap; pinzas=tweezers; cortaúñas=nail clippers; bastoncillo=cotton swab; antifaz=eye mask
tapones=earplugs; almohadilla=pad; botiquín=first aid kit; yodo=iodine; colirio=eye drops; antiácido=antacid
diurético=diuretic; estatina=statin; cortisona=cortisone; nebulizador=nebulizer; oxígeno=oxygen; andador=walker
dentición=teething; pañalera=diaper bag; trona=high chair; sonajero=rattle; moisés=bassinet; cambiador=changing table
ecógrafo=ultrasound machine; contracción=contraction; lactancia=breastfeeding; fertilidad=fertility
esterilidad=infertility; óvulo=ovum; esperma=sperm; embrión=embryo; feto=foetus; célula=cell; glóbulo=blood cell
plaqueta=platelet; hormona=hormone; gen=gene; adn=DNA; metabolismo=metabolism; digestión=digestion
defensas=immune defences; inmunidad=immunity; cuarentena=quarantine; pandemia=pandemic; epidemia=epidemic
contagio=infection; doctora=doctor; sanidad=health care; mutua=mutual insurance; copago=co-payment
autorización=authorization; consentimiento=consent; historial=record
# forms with a meaning of their own
media=half; chica=girl; chiquito=small; chiquita=small; pesos=pesos; ligeramente=slightly; dientes=teeth; pies=feet
mujeres=women; hombres=men; personas=people; señores=gentlemen; quiera=wants; dale=okay; creó=create; oiga=excuse me
mire=look
# words of the other side of the ocean
refacción=spare part; freezer=freezer; aeromoza=flight attendant; anteojo=glasses; apapacho=cuddle
arequipe=caramel spread; cajeta=caramel spread; manjar=delicacy; baby=baby; bacinica=potty; balero=ball bearing
balacera=shooting; biblioratos=binders; birome=pen; bodeguero=shopkeeper; boletería=ticket office; bombacha=panties
brasero=brazier; cachetada=slap; cachete=cheek; cachucha=cap; calefón=water heater; calzones=underpants; canilla=tap
chacra=farm; chafa=poor quality; chamba=job; laburo=job; chinela=slipper; chiva=goat; chupón=pacifier; closet=closet
coima=bribe; mordida=bribe; comal=griddle; confitura=jam; conventillo=tenement; cotufas=popcorn; cabritas=popcorn
pochoclo=popcorn; crayola=crayon; cuate=buddy; curul=seat; chapulín=grasshopper; durmiente=sleeper; ejote=green bean
chaucha=green bean; vainita=green bean; enterizo=one-piece; escuincle=kid; flete=freight; gringo=American
guajolote=turkey; guaraches=sandals; güero=blond; hule=rubber; huachinango=red snapper; jíbaro=peasant; lapicera=pen
lavarropas=washing machine; limosnero=beggar; lonchera=lunch box; machete=machete; mecate=rope
milanesa=breaded cutlet; mole=mole sauce; morocho=dark-haired; nopal=prickly pear; overol=overalls; palomita=popcorn
pantimedias=tights; papalote=kite; barrilete=kite; volantín=kite; parka=parka; pastizal=grassland; petiso=short
pinche=damn; pizarrones=blackboards; plomería=plumbing; fontanería=plumbing; pulpería=grocery store
abarrotes=groceries; abarrotería=grocery store; quilombo=mess; rancho=ranch; repollito=brussels sprout; rines=rims
sancocho=stew; soroche=altitude sickness; tapabocas=face mask; telenovela=soap opera; culebrón=soap opera
tlapalería=hardware store; trailer=trailer; tráiler=trailer; trusa=underpants; vidrios=panes; yuyo=weed; maleza=weeds
zacate=grass; zíper=zipper; zorrillo=skunk; mapache=raccoon; armadillo=armadillo; tucán=toucan; guacamaya=macaw
quetzal=quetzal; tapir=tapir
# medicine, office, screen
amoxicilina=amoxicillin; omeprazol=omeprazole; penicilina=penicillin; melatonina=melatonin; dioptría=dioptre
pitido=beep; gramínea=grass pollen; ácaro=dust mite; anticaspa=anti-dandruff; antipulgas=anti-flea; impago=non-payment
impagado=unpaid; marisquería=seafood restaurant; pizzería=pizzeria; hamburguesería=burger bar; churrería=churro shop
cervecería=brewery; vinoteca=wine shop; ludoteca=toy library; hemeroteca=newspaper archive; discografía=discography
fiordo=fjord; glosario=glossary; hipervínculo=hyperlink; autocorrector=autocorrect; corrector=spell checker
cortafuegos=firewall; credencial=credential; desplegable=drop-down; enrutamiento=routing; tipografía=typography
gigabyte=gigabyte; giga=gigabyte; megabyte=megabyte; mega=megabyte; mosaico=mosaic; navegación=navigation
parche=patch; portapapeles=clipboard; procesador=processor; ranura=slot; retroalimentación=feedback
salvapantallas=screensaver; suscriptor=subscriber; tuit=tweet; videoconferencia=video conference
wasap=WhatsApp message; guasap=WhatsApp message; whatsapp=WhatsApp; zip=zip; cotización=quote
fisioterapia=physiotherapy; psicoterapia=psychotherapy; pediatría=paediatrics; ginecología=gynaecology
cardiología=cardiology; dermatología=dermatology; oncología=oncology; traumatología=orthopaedics
oftalmología=ophthalmology; radiología=radiology; odontología=dentistry; urología=urology; neurología=neurology
psiquiatría=psychiatry; veterinaria=veterinary clinic; cardiopatía=heart disease; celiaquía=coeliac disease
fibromialgia=fibromyalgia; tendinitis=tendinitis; bursitis=bursitis; escoliosis=scoliosis; juanete=bunion
orzuelo=stye; herpes=herpes; candidiasis=yeast infection; cistitis=cystitis; hemorroide=haemorrhoid
almorranas=haemorrhoids; varices=varicose veins; várices=varicose veins; trombo=blood clot; apnea=apnoea
tinnitus=tinnitus; acúfeno=tinnitus; bruxismo=teeth grinding; halitosis=bad breath; gingivitis=gingivitis
flemón=dental abscess; absceso=abscess; pus=pus; costra=scab; postilla=scab; ojera=dark circles; legaña=eye gunk
cerumen=earwax; pellejo=loose skin; papada=double chin; michelín=love handle; tripa=belly; entrañas=entrails
entrepierna=crotch
# daily things and doings
alarido=scream; alboroto=uproar; aldaba=door knocker; alfarero=potter; alimaña=vermin; almanaque=almanac
alpiste=birdseed; altibajo=ups and downs; altitud=altitude; alumnado=pupils; ambición=ambition; amplitud=breadth
andanza=adventure; anécdota=anecdote; antigüedad=antique; antojo=craving; apertura=opening; apagón=power cut
aparcacoches=valet; apariencia=appearance; apartado=section; aprobación=approval; aptitud=aptitude; arco=arch
armonía=harmony; arrendamiento=lease; arroba=at sign; arruinado=ruined; artillería=artillery; ascua=ember
asignación=allowance; aspiración=aspiration; astilla=splinter; atentado=attack; atraso=delay; atril=lectern
autoestima=self-esteem; autógrafo=autograph; autonomía=autonomy; autopsia=autopsy; autostop=hitchhiking; axioma=axiom
baca=roof rack; bache=pothole; bajón=slump; balanza=scales; báscula=scales; ballesta=crossbow; baldosín=tile
bandido=bandit; bañista=bather; barca=boat; barcaza=barge; barril=barrel; bastidor=frame; batuta=baton
berrinche=tantrum; rabieta=tantrum; bienes=assets; bienestar=well-being; biografía=biography; bizcochuelo=sponge cake
bloqueo=blockade; bobada=nonsense; tontería=nonsense; disparate=nonsense; bofetada=slap; boletín=newsletter
boliche=bowling; bombo=drum; bonanza=prosperity; bordillo=kerb; borrachera=drunkenness; bosquejo=sketch; bostezo=yawn
bóveda=vault; brasa=ember; brecha=gap; brillo=shine; brújula=compass; bruma=mist; bucle=loop; bufón=jester; bula=bull
bulbo=bulb; bullicio=bustle; burbuja=bubble; butano=butane gas; cabecera=headboard; cabina=booth; cabreo=anger
cacería=hunt; cadáver=corpse; cajetilla=pack of cigarettes; calabozo=cell; callo=callus; calma=calm; calzado=footwear
camaleón=chameleon; camarote=cabin; camisería=shirt shop; campanario=bell tower; canalón=gutter
cancelación=cancellation; cantera=quarry; cantimplora=water bottle; capa=layer; capataz=foreman; capitán=captain
capricho=whim; carcajada=loud laugh; caridad=charity; carnaza=bait; cebo=bait; anzuelo=fishhook; sedal=fishing line
carrete=reel; carril=lane; cartelera=listings; cartilla=booklet; casilla=box; casillero=locker; taquillas=lockers
catequesis=catechism; cautela=caution; caudal=flow; celda=cell; cerdito=piglet; certamen=contest; concurso=contest
concursante=contestant; chabola=shack; chapa=sheet metal; chapuza=botched job; charanga=brass band
chubasquero=raincoat; ciberseguridad=cybersecurity; ciclo=cycle; cigüeñal=crankshaft; cirio=candle
clasificación=ranking; clavija=plug; coartada=alibi; cobardía=cowardice; coexistencia=coexistence; cofre=chest
cojera=limp; colapso=collapse; colegiado=registered; colisión=collision; colocación=placement; combate=combat
comodidad=comfort; compasión=compassion; competición=competition; composición=composition; comprensión=understanding
compuesto=compound; concejo=council; conciencia=conscience; concilio=council; conclusión=conclusion; concordia=harmony
confusión=confusion; congelación=freezing; conquista=conquest; consigna=left luggage; constancia=perseverance
construcción=construction; contaminante=pollutant; contenido=content; contexto=context; continuación=continuation
contorno=outline; contraste=contrast; convivencia=living together; convocatoria=call; corazonada=hunch
presentimiento=hunch; corneta=bugle; cordialidad=warmth; cortocircuito=short circuit; cosquillas=tickling
creación=creation; criadero=breeding farm; crianza=upbringing; cristalería=glassware; croquis=sketch
crónica=chronicle; cruasanes=croissants; cuadra=block; cuadrilla=crew; cualificación=qualification
cubata=rum and coke; cuchillada=stab; cuestión=question; cuestionario=questionnaire; culturismo=bodybuilding
cumplido=compliment; currante=worker; custodia=custody; daño=damage; decorado=set; dedicación=dedication
dedicatoria=dedication; deficiencia=deficiency; delantera=lead; delegado=delegate; delicia=delight; densidad=density
depresiones=depressions; derrumbe=collapse; desacuerdo=disagreement; desamor=heartbreak; desempeño=performance
desenlace=outcome; desfile=parade; desgana=lack of appetite; desglose=breakdown; deshielo=thaw; despiste=slip
desliz=slip; desnivel=slope; destreza=skill; desvelo=sleeplessness; detención=arrest; devoción=devotion
diagrama=diagram; dialecto=dialect; diámetro=diameter; dictamen=report; diluvio=deluge; dimensión=dimension
diócesis=diocese; disciplina=discipline; discurso=speech; diseño=design; disposición=arrangement; distintivo=badge
distribuidor=distributor; distribución=distribution; divisoria=dividing line; doblaje=dubbing; subtítulo=subtitle
domador=tamer; dormilón=sleepyhead; dorsal=race number; dote=dowry; drogadicto=drug addict
drogadicción=drug addiction; duelo=mourning; dúo=duo; duende=elf; hada=fairy; bruja=witch; ogro=ogre; sirena=mermaid
vampiro=vampire; eco=echo; edición=edition; edificación=building; egresado=graduate; ejemplar=copy; elegancia=elegance
embajador=ambassador; embargo=however; emblema=emblem; embrollo=mess; lío=mess; jaleo=racket; empacho=indigestion
empleador=employer; empujón=push; encanto=charm; enchufismo=nepotism; encierro=confinement; encogimiento=shrinking
encrucijada=crossroads; enfoque=approach; enigma=enigma; enjambre=swarm; ensaladera=salad bowl; entidad=entity
entorno=environment; entrante=starter; entresuelo=mezzanine; entretiempo=half-time; envase=container
equilibrio=balance; equivalencia=equivalence; equivocación=mistake; escándalo=scandal; esclavitud=slavery
escollera=breakwater; escondite=hiding place; escote=neckline; escozor=stinging; escrituras=deeds; escrúpulo=scruple
escuadrón=squadron; esencia=essence; eslogan=slogan; especialidad=specialty; especialista=specialist; espera=wait
espesor=thickness; espía=spy; espiral=spiral; espiga=ear of wheat; espionaje=espionage; esplendor=splendour
estabilidad=stability; estaca=stake; estadía=stay; estafador=swindler; estallido=outbreak; estanque=pond
estampilla=stamp; filatelia=stamp collecting; estera=mat; estímulo=stimulus; estorbo=hindrance; estribillo=chorus
estrofa=stanza; estuario=estuary; pegatina=sticker; calcomanía=sticker; evaluación=assessment; evolución=evolution
exactitud=accuracy; examinador=examiner; excavadora=excavator; excepción=exception; exclusiva=exclusive
excursionista=hiker; exención=exemption; éxodo=exodus; expectativa=expectation; explanada=esplanade
explorador=explorer; expresión=expression; extinción=extinction; extravío=loss; facilidad=ease; faceta=facet
factor=factor; factoría=factory; fachada=facade; fama=fame; familiares=relatives; farola=street lamp
fascículo=instalment; fertilización=fertilization; festín=feast; fiabilidad=reliability; ficción=fiction
finanzas=finances; fisura=crack; flecha=arrow; flora=flora; fauna=fauna; flota=fleet; folclore=folklore
follaje=foliage; foso=moat; fragancia=fragrance; fragmento=fragment; fraternidad=brotherhood; fregado=washing-up
frenazo=sudden braking; fresno=ash tree; frutero=fruit bowl; fuerzas=forces; funda=cover; carcasa=case
funcionamiento=operation; funicular=funicular; teleférico=cable car; telesilla=chairlift; fusión=merger
galardón=award; galope=gallop; gama=range; garbo=grace; garita=sentry box; gasoducto=gas pipeline; gentío=crowd
multitud=crowd; muchedumbre=crowd; gesto=gesture; gira=tour; gloria=glory; gobernador=governor; goteo=drip
gradas=stands; granizada=hailstorm; gráfica=graph; gratificación=bonus; gravedad=seriousness; gremio=guild
grosor=thickness; guarda=guard; guerrilla=guerrilla; guiño=wink; guirnalda=garland; hábito=habit; hábitat=habitat
hallazgo=finding; tumbona=sun lounger; hebilla=buckle; helipuerto=heliport; hemorragia=haemorrhage
herradura=horseshoe; herrero=blacksmith; híbrido=hybrid; hidratación=hydration; hierbas=herbs; hilera=row
hincapié=emphasis; hinchazón=swelling; hipo=hiccups; hipótesis=hypothesis; hogaza=loaf; hoguera=bonfire
fogata=campfire; holgura=slack; homenaje=tribute; honor=honour; honra=honour; horizonte=horizon; hormigueo=tingling
hormiguero=anthill; horóscopo=horoscope; hospitalidad=hospitality; hostelería=hospitality industry; huella=footprint
huellas=fingerprints; humanidad=humanity; humareda=smoke cloud; huracanes=hurricanes; identidad=identity
ideología=ideology; idilio=romance; ídolo=idol; ignorancia=ignorance; iluminación=lighting; ilustración=illustration
impacto=impact; impedimento=impediment; importe=amount; importancia=importance; imposición=imposition
imprenta=printing press; impulso=impulse; incentivo=incentive; incidente=incident; inclinación=inclination
incógnita=unknown; incorporación=incorporation; independencia=independence; indicio=sign; indirecta=hint
influencia=influence; informante=informant; infracción=offence; infraestructura=infrastructure; iniciativa=initiative
injusticia=injustice; inmersión=immersion; inmovilidad=immobility; innovación=innovation; inocentada=prank
inspección=inspection; inspector=inspector; institución=institution; instinto=instinct; insumo=supply
integridad=integrity; intercambio=exchange; interlocutor=interlocutor; intermediario=intermediary
intervención=intervention; intimidad=privacy; intriga=intrigue; introducción=introduction; invasión=invasion
inventario=inventory; jabonera=soap dish; jarana=spree; jardinera=planter; jerga=slang; jornalero=day labourer
jubilados=retired people; jugada=move; jurado=jury; juramento=oath; labranza=farming; lástima=pity; lazada=bow
lema=motto; lentitud=slowness; letrero=sign; leyenda=legend; mito=myth; licitación=tender
limpiacristales=window cleaner; límite=limit; linaje=lineage; lindero=boundary; listado=listing; llanura=plain
llamamiento=appeal; lobby=lobby; locura=madness; locutor=announcer; lodo=mud; lona=tarpaulin; loza=crockery
lujo=luxury; lumbre=fire; maduración=ripening; magnitud=magnitude; mandato=mandate; manejo=handling
maniobra=manoeuvre; maniquí=mannequin; mantenedor=maintainer; mantilla=mantilla; maravilla=marvel; margen=margin
marquesina=bus shelter; masía=farmhouse; masacre=massacre; matadero=slaughterhouse; matiz=nuance; matorral=scrub
mecanismo=mechanism; mecanógrafo=typist; mediación=mediation; mediador=mediator; mendigo=beggar; mercadeo=marketing
mérito=merit; meteorito=meteorite; mezcla=mixture; miembro=member; migaja=crumb; miga=crumb; milicia=militia
mimo=cuddle; mirada=look; mirador=viewpoint; misión=mission; misterio=mystery; moderación=moderation; modestia=modesty
molino=mill; mordisco=bite; mordedura=bite; morosidad=late payment; moroso=defaulter; motín=mutiny
movimiento=movement; mudanzas=removals; mueca=grimace; murmullo=murmur; musa=muse; narración=narration
natalidad=birth rate; naufragio=shipwreck; nave=ship; negociación=negotiation; nevazón=snowstorm; ventisca=blizzard
noticiero=newscast; telediario=newscast; novedad=novelty; novillo=young bull; nutrición=nutrition; nutriente=nutrient
proteína=protein; hidrato=carbohydrate; carbohidrato=carbohydrate; grasa=fat; obrador=workshop; obsesión=obsession
ocupación=occupation; ofensa=offence; oleaje=swell; oleada=wave; omisión=omission; operador=operator
operadora=operator; orador=speaker; orfanato=orphanage; orgasmo=orgasm; orientación=orientation; ovación=ovation
oyente=listener; padecimiento=suffering; paja=straw; heno=hay; palillo=toothpick; palo=stick; vara=rod
pandereta=tambourine; panel=panel; panfleto=pamphlet; panorama=panorama; panteón=pantheon; papeleo=paperwork
paradoja=paradox; parábola=parable; paracaídas=parachute; parapente=paragliding; tirolina=zip line
paréntesis=parenthesis; parentesco=kinship; partición=partition; participación=participation; participante=participant
pasarela=footbridge; patera=small boat; patinador=skater; patrimonio=heritage; patrocinador=sponsor; patrulla=patrol
payasada=clowning; pedagogía=pedagogy; pedalada=pedal stroke; pelotón=squad; penumbra=half-light; percance=mishap
contratiempo=setback; imprevistos=unforeseen events; perfección=perfection; peripecia=adventure; perjuicio=damage
permanencia=permanence; persecución=persecution; perspectiva=perspective; pezuña=hoof; picaporte=door handle
pinchazo=puncture; pinar=pine forest; pisada=footstep; pito=whistle; pizca=pinch; planeador=glider
plantación=plantation; plática=chat; plegado=folding; pliegue=fold; pócima=potion; polémica=controversy
polígono=industrial estate; portada=cover; portafolio=portfolio; portavoz=spokesperson; porte=shipping
postura=posture; potencia=power; preaviso=notice period; precaución=caution; precedente=precedent; precisión=precision
predicción=prediction; prejuicio=prejudice; presentador=presenter; presidencia=presidency; prestigio=prestige
prestación=benefit; prevención=prevention; previsión=forecast; privilegio=privilege; procedimiento=procedure
procedencia=origin; prohibición=ban; promoción=promotion; promotor=developer; pronombre=pronoun; proporción=proportion
prórroga=extension; prosperidad=prosperity; prostitución=prostitution; protagonismo=prominence; protocolo=protocol
proverbio=proverb; refrán=saying; dicho=saying; proximidad=proximity; prudencia=prudence; pudor=modesty
puesta=setting; pulmones=lungs; puntada=stitch; puntería=aim; puntuación=score; quehacer=chore; quemazón=burning
quilate=carat; rabo=tail; racha=streak; radiación=radiation; ráfaga=gust; rango=rank; rareza=rarity; rasgo=trait
rastro=trace; rayuela=hopscotch; reacción=reaction; rebelión=rebellion; rebote=rebound; rechazo=rejection
recibimiento=welcome; recipiente=container; recompensa=reward; reconocimiento=recognition; recogida=collection
recorte=cutback; recreación=recreation; rectificación=correction; recta=straight line; recuento=count; redactor=editor
redada=raid; reflejo=reflection; reflexión=reflection; refuerzo=reinforcement; refugio=shelter; regocijo=joy
relato=story; relevo=relay; relojero=watchmaker; relojería=watch shop; rendija=slit; renovación=renewal; repaso=review
repertorio=repertoire; reproche=reproach; reputación=reputation; requisito=requirement; resbalón=slip; reseña=review
residente=resident; resolución=resolution; restauración=restoration; restricción=restriction; retirada=withdrawal
retoque=touch-up; revancha=rematch; reventón=blowout; revuelta=revolt; rigor=rigour; rincón=corner; riña=quarrel
rito=rite; robótica=robotics; rodaje=filming; romance=romance; ronda=round; ronquido=snore; ronquidos=snoring
rótulo=sign; rubro=sector; ruina=ruin; ruleta=roulette; casino=casino; rutina=routine; sabotaje=sabotage
sacrificio=sacrifice; salvavidas=lifeguard; sanatorio=sanatorium; sangría=sangria; sarna=scabies
satisfacciones=satisfactions; secta=sect; sector=sector; secuela=after-effect; secuencia=sequence
seguimiento=follow-up; selección=selection; semblante=face; senda=path; sensatez=good sense; sensibilidad=sensitivity
señalización=signposting; sequedad=dryness; servidumbre=servitude; serpentina=streamer; siesta=nap; sigilo=stealth
silueta=silhouette; símbolo=symbol; simulacro=drill; sindicalista=trade unionist; sinfonía=symphony; síndrome=syndrome
sinónimo=synonym; sirenas=sirens; soberanía=sovereignty; sobrasada=spicy sausage spread; sobremesa=after-dinner talk
solaz=solace; soltería=singleness; sonda=probe; sonrojo=blush; soplo=breath; sospecha=suspicion; subasta=auction
subida=rise; bajada=descent; sucesor=successor; suicidio=suicide; sumario=summary; superación=overcoming
superstición=superstition; suplente=substitute; susurro=whisper; sustancia=substance; sustituto=substitute
sustitución=substitution; táctica=tactic; tacto=touch; tabaquismo=smoking; tallarín=noodle; tanque=tank
tapicería=upholstery; tarima=platform; tartamudez=stutter; tatarabuelo=great-great-grandfather
teclista=keyboard player; telón=curtain; temario=syllabus; tempestad=storm; tendencia=trend; tentación=temptation
terquedad=stubbornness; terraplén=embankment; terrorismo=terrorism; terrorista=terrorist; tertulia=gathering
tesoro=treasure; tesorero=treasurer; textura=texture; tiovivo=carousel; carrusel=carousel; tirada=print run; tiro=shot
titulación=qualification; tiroteo=shooting; tono=tone; torpeza=clumsiness; tostador=toaster; tortura=torture
toxina=toxin; trabalenguas=tongue twister; adivinanza=riddle; acertijo=riddle; trama=plot; tramo=section
transcurso=course; transacción=transaction; transformación=transformation; transición=transition; trapecio=trapeze
traslado=transfer; traspaso=transfer; travesía=crossing; travesura=prank; trayectoria=trajectory; tregua=truce
tribu=tribe; trineo=sledge; tripulación=crew; tripulante=crew member; triunfo=triumph; trote=trot; truco=trick
trueque=barter; turbina=turbine; turbulencia=turbulence; ubicaciones=locations; ultraje=outrage; umbral=threshold
unidad=unit; unión=union; urbanización=housing estate; urbe=city; usurpación=usurpation; utensilio=utensil
utilidad=usefulness; vagabundo=homeless person; vaina=pod; vandalismo=vandalism; vaquero=cowboy; variedad=variety
varilla=rod; vegetación=vegetation; vejestorio=old thing; velada=evening party; velocista=sprinter; vendaval=gale
ventilación=ventilation; veredicto=verdict; verificación=verification; vestimenta=clothing; veto=veto
vibración=vibration; viajante=travelling salesman; vicepresidente=vice president; vigilancia=surveillance
vigor=vigour; violinista=violinist; viruela=smallpox; visión=vision; visitante=visitor; vitalidad=vitality
viveza=liveliness; vocación=vocation; voltaje=voltage; voltio=volt; vatio=watt; yacimiento=deposit; zanja=ditch
zapateo=tap dancing; zarpa=paw; zueco=clog; zumbido=buzzing
`;
