// Spanish words in English: adjectives of people, likeness, public life, nations, and participles.

export const SPANISH_MORE_ADJECTIVES = `
# more character and mood
confiado=trusting; desconfiado=distrustful; sospechoso=suspicious; celebrado=celebrated; famoso=famous; célebre=famous
popular=popular; conocido=known; desconocido=unknown; anónimo=anonymous; misterioso=mysterious; secreto=secret
íntimo=intimate; privado=private; público=public; oficial=official; personal=personal; individual=individual
colectivo=collective bus; social=social; familiar=family; doméstico=domestic; profesional=professional; laboral=work
académico=academic; escolar=school; universitario=university; infantil=children's; juvenil=youth; adulto=adult
senil=senile; maternal=motherly; materno=maternal; paterno=paternal; fraternal=brotherly; masculino=male
femenino=female; viril=manly; varonil=manly; homosexual=homosexual; gay=gay; lesbiana=lesbian
heterosexual=heterosexual; bisexual=bisexual; transexual=transsexual; soltero=single; casado=married
divorciado=divorced; separado=separated; viudo=widowed; prometido=engaged; huérfano=orphan; gemelo=twin; mellizo=twin
embarazada=pregnant; preñada=pregnant; encinta=pregnant; muerto=dead; vivo=alive; difunto=deceased; fallecido=deceased
herido=wounded; lesionado=injured; enfermo=ill; malito=poorly; resfriado=cold; constipado=having a cold
acatarrado=having a cold; mareado=dizzy; hinchado=swollen; inflamado=inflamed; dolorido=sore; doloroso=painful
crónico=chronic; agudo=acute; contagioso=contagious; mortal=deadly; letal=lethal; hereditario=hereditary
congénito=congenital; alérgico=allergic; asmático=asthmatic; diabético=diabetic; celíaco=coeliac
intolerable=unbearable; hipertenso=hypertensive; anémico=anaemic; epiléptico=epileptic; discapacitado=disabled
minusválido=disabled; paralítico=paralysed; inválido=disabled; médico=doctor; clínico=clinical; quirúrgico=surgical
dental=dental; mental=mental; físico=physical; psicológico=psychological; psíquico=psychic; genético=genetic
muscular=muscular; nasal=nasal; ocular=eye; cardíaco=cardiac; digestivo=digestive; respiratorio=respiratory
sexual=sexual; nutritivo=nutritious; calórico=caloric; adictivo=addictive; adicto=addicted; borracho=drunk
ebrio=drunk; sobrio=sober; hambriento=hungry; sediento=thirsty; inquieto=restless; travieso=naughty; revoltoso=unruly
obediente=obedient; desobediente=disobedient; consentido=spoiled; mimado=pampered; caprichoso=capricious
exigente=demanding; estricto=strict; severo=severe; autoritario=authoritarian; mandón=bossy; comprensivo=understanding
compasivo=compassionate; bondadoso=kind; noble=noble; digno=worthy; indigno=unworthy; justo=just; injusto=unfair
imparcial=impartial; neutral=neutral; objetivo=objective; subjetivo=subjective; ingenuo=naive; inmaduro=immature
pícaro=mischievous; creativo=creative; ingenioso=ingenious; hábil=skilful; habilidoso=skilful; mañoso=handy
talentoso=talented; dotado=gifted; capaz=capable; incapaz=incapable; apto=suitable; adecuado=suitable
apropiado=appropriate; inadecuado=inappropriate; conveniente=convenient; inconveniente=drawback; oportuno=timely
experto=expert; novato=beginner; principiante=beginner; competente=competent; incompetente=incompetent; formal=formal
informal=informal; espontáneo=spontaneous; impulsivo=impulsive; activo=active; pasivo=passive; dinámico=dynamic
enérgico=energetic; energético=energy; deportista=sporty; deportivo=sports; sedentario=sedentary; atlético=athletic
robusto=sturdy; musculoso=muscular; fornido=burly; corpulento=stout; rechoncho=chubby; arrugado=wrinkled; peludo=hairy
barbudo=bearded; rizado=curly; ondulado=wavy; lacio=straight; teñido=dyed; pecoso=freckled; bronceado=tanned
desnudo=naked; descalzo=barefoot; cutre=shabby; hortera=tacky; cursi=corny; pijo=posh; fresa=strawberry; pegado=stuck
cortado=cut
# relation and likeness
igual=equal; parecido=similar; semejante=similar; similar=similar; idéntico=identical; diferente=different
distinto=different; diverso=diverse; variado=varied; contrario=opposite; opuesto=opposite; inverso=reverse
paralelo=parallel; equivalente=equivalent; comparable=comparable; relativo=relative; absoluto=absolute
proporcional=proportional; compatible=compatible; incompatible=incompatible; relacionado=related; unido=united
conjunto=joint; mutuo=mutual; recíproco=reciprocal; ajeno=other people's; cercano=close; lejano=distant; remoto=remote
vecino=neighbour; local=local premises; regional=regional; nacional=national; internacional=international
mundial=world; global=global; universal=universal; extranjero=foreign; exterior=outer; interior=inner
interno=internal; externo=external; central=central; lateral=side; frontal=front; delantero=front; trasero=rear
izquierdo=left; derecho=right; vertical=vertical; horizontal=horizontal; diagonal=diagonal; norteño=northern
sureño=southern; oriental=eastern; occidental=western; septentrional=northern; meridional=southern; urbano=urban
rural=rural; costero=coastal; marítimo=maritime; marino=marine; montañoso=mountainous; tropical=tropical
desértico=desert; polar=polar; terrestre=land; aéreo=air; espacial=space; solar=solar; lunar=mole
# public life
político=politician; legal=legal; ilegal=illegal; jurídico=legal; judicial=judicial; penal=criminal; civil=civil
criminal=criminal; delictivo=criminal; fiscal=tax; tributario=tax; financiero=financial; bancario=bank
monetario=monetary; comercial=commercial; empresarial=business; industrial=industrial; agrícola=agricultural
ganadero=cattle; pesquero=fishing; minero=miner; turístico=tourist; cultural=cultural; artístico=artistic
musical=musical; literario=literary; histórico=historical; religioso=religious; católico=Catholic; cristiano=Christian
protestante=Protestant; evangélico=evangelical; judío=Jewish; musulmán=Muslim; islámico=Islamic; budista=Buddhist
ateo=atheist; creyente=believer; sagrado=sacred; santo=holy; divino=divine; espiritual=spiritual; moral=moral
inmoral=immoral; ético=ethical; filosófico=philosophical; científico=scientific; tecnológico=technological
técnico=technician; electrónico=electronic; eléctrico=electric; digital=digital; analógico=analogue
informático=computer; virtual=virtual; inalámbrico=wireless; portátil=laptop; automático=automatic; manual=manual
mecánico=mechanic; químico=chemical; biológico=biological; nuclear=nuclear; atómico=atomic; matemático=mathematical
geográfico=geographical; ambiental=environmental; medioambiental=environmental; sostenible=sustainable
renovable=renewable; contaminado=polluted; reciclable=recyclable; desechable=disposable; democrático=democratic
republicano=republican; monárquico=monarchist; socialista=socialist; comunista=communist; conservador=conservative
progresista=progressive; liberal=liberal; fascista=fascist; feminista=feminist; machista=sexist; racista=racist
radical=radical; moderado=moderate; extremo=extreme; libre=free; preso=prisoner; independiente=independent
dependiente=shop assistant; autónomo=self-employed; voluntario=volunteer; obligatorio=compulsory; opcional=optional
prohibido=forbidden; permitido=allowed; válido=valid; vigente=valid; nulo=void; pendiente=pending; vencido=expired
atrasado=overdue; retrasado=delayed; adelantado=advanced; avanzado=advanced; elemental=elementary; primario=primary
bilingüe=bilingual; oral=oral; escrito=written; verbal=verbal; legible=readable; ilegible=illegible
detallado=detailed; extenso=extensive; resumido=summarized; correcto=correct; incorrecto=incorrect; equivocado=wrong
erróneo=wrong; lógico=logical; ilógico=illogical; absurdo=absurd; ridículo=ridiculous; obvio=obvious; evidente=evident
dudoso=doubtful; confuso=confusing; ambiguo=ambiguous; comprensible=understandable; incomprensible=incomprehensible
inexplicable=inexplicable; creíble=credible; sospechado=suspected; verídico=true; disponible=available; ocupado=busy
libertario=libertarian; cerrado=closed; abierto=open; encendido=switched on; apagado=switched off; conectado=connected
desconectado=disconnected; bloqueado=blocked; instalado=installed; alquilado=rented; amueblado=furnished
habitable=habitable; deshabitado=uninhabited; abandonado=abandoned; perdido=lost; escondido=hidden; oculto=hidden
visible=visible; invisible=invisible; notable=notable; destacado=outstanding; sobresaliente=outstanding; suspenso=fail
aprobado=pass; excepcional=exceptional; considerable=considerable; significativo=significant
insignificante=insignificant; relevante=relevant; irrelevante=irrelevant; decisivo=decisive; crucial=crucial
crítico=critical; clave=key; favorito=favourite; preferido=favourite; predilecto=favourite; querido=dear
amado=beloved; odiado=hated; deseado=desired; esperado=expected; inesperado=unexpected; imprevisto=unforeseen
repentino=sudden; súbito=sudden; brusco=abrupt; gradual=gradual; constante=constant; continuo=continuous
estable=stable; inestable=unstable; variable=variable; cambiante=changing; fijo=fixed; inicial=initial; final=final
intermedio=intermediate; ambulante=travelling; nómada=nomad; nocturno=night; diurno=daytime; matutino=morning
matinal=morning; vespertino=evening; veraniego=summer; invernal=winter; otoñal=autumn; primaveral=spring
navideño=Christmas; festivo=public holiday; laborable=working; vacacional=holiday; nupcial=wedding; fúnebre=funeral
funerario=funeral; luminoso=bright; sombrío=gloomy; tenebroso=dark; deslumbrante=dazzling; reluciente=shiny
ardiente=burning; inflamable=flammable; explosivo=explosive; impermeable=raincoat; lavable=washable
resistente=resistant; frágil=fragile; delicado=delicate; quebradizo=brittle; metálico=metallic; plástico=plastic
acrílico=acrylic; cerámico=ceramic; lanudo=woolly; aterciopelado=velvety; perfumado=scented; fragante=fragrant
maloliente=smelly; apestoso=stinky; floral=floral; silvestre=wild; salvaje=wild; feroz=fierce; manso=tame
fértil=fertile; estéril=sterile; frondoso=leafy; marchito=withered; florido=flowery; acuático=aquatic
carnívoro=carnivorous; herbívoro=herbivorous; mamífero=mammal; callejero=stray
# nationality
español=Spanish; mexicano=Mexican; argentino=Argentinian; colombiano=Colombian; chileno=Chilean; peruano=Peruvian
venezolano=Venezuelan; ecuatoriano=Ecuadorian; boliviano=Bolivian; paraguayo=Paraguayan; uruguayo=Uruguayan
cubano=Cuban; dominicano=Dominican; puertorriqueño=Puerto Rican; guatemalteco=Guatemalan; hondureño=Honduran
salvadoreño=Salvadoran; nicaragüense=Nicaraguan; costarricense=Costa Rican; panameño=Panamanian; brasileño=Brazilian
estadounidense=American; norteamericano=American; americano=American; latinoamericano=Latin American; latino=Latin
hispano=Hispanic; canadiense=Canadian; inglés=English; británico=British; escocés=Scottish; irlandés=Irish
galés=Welsh; francés=French; alemán=German; italiano=Italian; portugués=Portuguese; suizo=Swiss; austríaco=Austrian
belga=Belgian; holandés=Dutch; neerlandés=Dutch; danés=Danish; sueco=Swedish; noruego=Norwegian; finlandés=Finnish
islandés=Icelandic; polaco=Polish; checo=Czech; húngaro=Hungarian; rumano=Romanian; búlgaro=Bulgarian; griego=Greek
turco=Turkish; ruso=Russian; ucraniano=Ukrainian; croata=Croatian; serbio=Serbian; europeo=European; africano=African
marroquí=Moroccan; egipcio=Egyptian; asiático=Asian; chino=Chinese; japonés=Japanese; coreano=Korean
vietnamita=Vietnamese; tailandés=Thai; indio=Indian; hindú=Hindu; paquistaní=Pakistani; iraní=Iranian; israelí=Israeli
árabe=Arab; australiano=Australian; catalán=Catalan; vasco=Basque; gallego=Galician; andaluz=Andalusian
castellano=Spanish; madrileño=from Madrid; valenciano=Valencian; canario=canary; aragonés=Aragonese
asturiano=Asturian; gitano=gypsy; indígena=indigenous; mestizo=mixed-race; mulato=mulatto
# participles used as adjectives
acostumbrado=used to; acompañado=accompanied; agachado=crouched; aislado=isolated; animado=lively; apurado=in a hurry
arreglado=fixed; asegurado=insured; atascado=stuck; atareado=busy; ausente=absent; autorizado=authorized
barrigón=pot-bellied; bendito=blessed; bilateral=bilateral; cargado=loaded; cómplice=accomplice
comprometido=committed; condenado=condemned; congestionado=congested; convencido=convinced; cubierto=covered
dañado=damaged; debido=due; decidido=determined; dedicado=dedicated; desayunado=having breakfasted; descansado=rested
desempleado=unemployed; parado=unemployed; desierto=desert; despeinado=dishevelled; destrozado=devastated
detenido=detained; dichoso=blissful; dispuesto=willing; doblado=folded; elegido=chosen; embarazoso=embarrassing
encargado=person in charge; enredado=tangled; enterado=aware; equilibrado=balanced; especializado=specialized
estrellado=starry; estudioso=studious; exento=exempt; exhausto=exhausted; exitoso=successful; exótico=exotic
experimentado=experienced; extraño=strange; fabuloso=fabulous; fallido=failed; fanático=fan; fascinante=fascinating
fiable=reliable; confiable=reliable; flamante=brand-new; forzado=forced; fracasado=failed; frustrante=frustrating
fugaz=fleeting; funcional=functional; garantizado=guaranteed; grato=pleasant; grandioso=grand; gratificante=rewarding
guardado=stored; heroico=heroic; hecho=done; hospitalario=hospitable; hostil=hostile; humano=human; inhumano=inhuman
imperfecto=imperfect; impecable=spotless; implicado=involved; impresionado=impressed; inaceptable=unacceptable
inadmisible=unacceptable; incierto=uncertain; inconsciente=unconscious; consciente=conscious
incontrolable=uncontrollable; incurable=incurable; indeciso=undecided; indefenso=defenceless; indefinido=indefinite
indicado=indicated; indiferente=indifferent; indirecto=indirect; directo=direct; inédito=unpublished
inevitable=inevitable; inexperto=inexperienced; infinito=infinite; ingrávido=weightless; inhumado=buried
inmediato=immediate; inmune=immune; inolvidable=unforgettable; inoportuno=untimely; insoportable=unbearable
insuficiente=insufficient; intencionado=intentional; intelectual=intellectual; interesado=interested
intermitente=indicator light; involuntario=involuntary; irritable=irritable; irritado=irritated; legítimo=legitimate
lamentable=regrettable; liberado=freed; limitado=limited; ilimitado=unlimited; llamativo=striking; maldito=damned
manchado=stained; mareante=dizzying; masivo=massive; mejorado=improved; memorable=memorable; mezclado=mixed
minucioso=thorough; mísero=miserable; miserable=miserable; moribundo=dying; motivado=motivated; múltiple=multiple
nato=born; nefasto=disastrous; novedoso=novel; obligado=obliged; obsesionado=obsessed; ofendido=offended
organizado=organized; desorganizado=disorganized; peculiar=peculiar; pelado=peeled; penoso=painful; perjudicado=harmed
pertinente=relevant; picado=minced; pleno=full; polémico=controversial; polvoriento=dusty; potable=drinkable
precavido=cautious; precocinado=pre-cooked; preparado=ready; presumido=vain; prestado=borrowed; previsto=planned
primitivo=primitive; privilegiado=privileged; productivo=productive; prolongado=prolonged; próspero=prosperous
puesto=position; quemado=burnt; racional=rational; irracional=irrational; recomendable=advisable
recomendado=recommended; reducido=reduced; refrescante=refreshing; refinado=refined; rebelde=rebellious
rebajado=reduced; registrado=registered; rentable=profitable; repleto=packed; requerido=required; resuelto=resolved
reumático=rheumatic; riguroso=rigorous; rubicundo=ruddy; rústico=rustic; saturado=saturated; sentado=sitting
servicial=helpful; sigiloso=stealthy; simbólico=symbolic; simultáneo=simultaneous; sincronizado=synchronized
singular=singular; siniestro=accident claim; sobrante=leftover; solidario=supportive; soluble=soluble
somnoliento=sleepy; sucesivo=successive; sudado=sweaty; suertudo=lucky; afortunado=lucky; desafortunado=unlucky
sumiso=submissive; supersticioso=superstitious; supremo=supreme; susceptible=touchy; tapado=covered; tentador=tempting
terminado=finished; tiránico=tyrannical; tradicional=traditional; típico=typical; trágico=tragic; triunfal=triumphant
tupido=dense; turbio=murky; unánime=unanimous; uniforme=uniform; vanidoso=vain; vulgar=vulgar; vulnerable=vulnerable
# more adjectives
aceitoso=oily; aceptable=acceptable; accesible=accessible; acertado=right; acolchado=padded; adjunto=attached
adorable=adorable; aerodinámico=aerodynamic; afónico=hoarse; ronco=hoarse; agitado=agitated; agridulce=sweet and sour
alcalino=alkaline; aleatorio=random; alternativo=alternative; amenazante=threatening; ameno=pleasant
analfabeto=illiterate; antiadherente=non-stick; antialérgico=hypoallergenic; anticipado=early; antideslizante=non-slip
antirrobo=anti-theft; apasionado=passionate; apetecible=appetizing; apestado=stinking; aplazado=postponed
apático=apathetic; arbitrario=arbitrary; arenoso=sandy; arrogante=arrogant; soberbio=arrogant; engreído=conceited
asimétrico=asymmetrical; simétrico=symmetrical; atigrado=tabby; atinado=accurate; atlántico=Atlantic
audiovisual=audiovisual; automovilístico=motor; avaro=miserly; azucarado=sugary; bajista=bass player; bárbaro=barbaric
barroco=baroque; benigno=benign; maligno=malignant; bilioso=bilious; bisiesto=leap; blindado=armoured
boquiabierto=open-mouthed; bruto=gross; neto=net; burlón=mocking; caluroso=hot; campestre=country; caótico=chaotic
carente=lacking; caritativo=charitable; casual=casual; cauteloso=cautious; cerebral=brain; cítrico=citrus
clandestino=clandestine; clásico=classic; climático=climate; cobrizo=coppery; coherente=coherent
incoherente=incoherent; colgante=hanging; comilón=big eater; glotón=glutton; goloso=sweet-toothed; cómico=comical
compacto=compact; compartido=shared; complementario=complementary; comunitario=community; concurrido=crowded
conflictivo=conflictive; congruente=consistent; consecutivo=consecutive; convencional=conventional
convincente=convincing; coqueto=flirtatious; corporal=body; corpóreo=bodily; correspondiente=corresponding
cotidiano=everyday; criollo=creole; cuantioso=substantial; culinario=culinary; curativo=healing; cutáneo=skin
dactilar=finger; dañoso=harmful; decente=decent; indecente=indecent; decorativo=decorative; defensivo=defensive
deficiente=deficient; demente=demented; deplorable=deplorable; deprimente=depressing; desaliñado=scruffy
desatento=inattentive; descarado=cheeky; desconsolado=heartbroken; descosido=unstitched; deslenguado=foul-mouthed
desmontable=removable; desolado=desolate; despiadado=ruthless; despreciable=despicable; destructivo=destructive
desvelado=sleepless; deteriorado=deteriorated; diabólico=diabolical; diáfano=clear; dietético=dietary; difuso=diffuse
diplomático=diplomatic; disciplinado=disciplined; discontinuo=discontinued; disparatado=absurd; dominante=dominant
dramático=dramatic; drástico=drastic; dubitativo=doubtful; echado=lying down; electoral=electoral; emergente=emerging
emprendedor=entrepreneur; encogido=shrunken; enchufado=plugged in; endeudado=indebted; enfermizo=sickly
engañoso=misleading; enigmático=enigmatic; enojón=grumpy; gruñón=grumpy; cascarrabias=grumpy; malhumorado=bad-tempered
equitativo=fair; equívoco=ambiguous; escandaloso=scandalous; escéptico=sceptical; escolarizado=schooled
escrupuloso=scrupulous; espeluznante=creepy; espinoso=thorny; espumoso=sparkling; estatal=state; estático=static
estético=aesthetic; estival=summer; estimulante=stimulating; estomacal=stomach; estratégico=strategic
estrenado=premiered; estridente=strident; eventual=possible; evitable=avoidable; exagerado=exaggerated
excitante=exciting; exclusivo=exclusive; exhaustivo=thorough; expresivo=expressive; extravagante=extravagant
facial=facial; factible=feasible; faltante=missing; farmacológico=drug; fastidioso=annoying; favorable=favourable
desfavorable=unfavourable; febril=feverish; federal=federal; fiero=fierce; filial=subsidiary; fluvial=river
fluido=fluid; fluorescente=fluorescent; formidable=formidable; fosforescente=phosphorescent; fotogénico=photogenic
fotográfico=photographic; franco=frank; frecuentado=popular; friolero=sensitive to cold; friolento=sensitive to cold
fructífero=fruitful; fugitivo=fugitive; fulminante=sudden; fundado=founded; furtivo=furtive; galáctico=galactic
ganador=winner; perdedor=loser; gastronómico=gastronomic; gelatinoso=gelatinous; geométrico=geometric; glacial=icy
glorioso=glorious; gótico=gothic; gráfico=chart; gregario=gregarious; gripal=flu; habitado=inhabited
hermético=airtight; hiperactivo=hyperactive; hispanohablante=Spanish-speaking; hogareño=home-loving
holgado=loose-fitting; homogéneo=homogeneous; hormonal=hormonal; hortícola=horticultural; huesudo=bony
humanitario=humanitarian; humillante=humiliating; idóneo=suitable; ilustre=illustrious; imborrable=indelible
imparable=unstoppable; impar=odd; impenetrable=impenetrable; imponente=imposing; impopular=unpopular
impotente=powerless; impreciso=vague; impredecible=unpredictable; previsible=predictable; imprevisible=unpredictable
improductivo=unproductive; inaudito=unheard-of; incansable=tireless; incapacitado=disabled; incesante=incessant
incluido=included; incondicional=unconditional; inconfundible=unmistakable; incorregible=incorrigible
indebido=improper; indemne=unharmed; ileso=unhurt; índigo=indigo; individualista=individualist; indoloro=painless
inestimable=priceless; infalible=infallible; infame=infamous; infeccioso=infectious; influyente=influential
infrecuente=infrequent; inhóspito=inhospitable; injustificado=unjustified; inmaculado=immaculate; inmortal=immortal
inmunológico=immune; innovador=innovative; inodoro=toilet; inoxidable=stainless; inseparable=inseparable
insistente=insistent; insomne=sleepless; instantáneo=instant; instintivo=instinctive; insufrible=unbearable
integrado=built-in; empotrado=built-in; intensivo=intensive; interactivo=interactive; interminable=endless
interrumpido=interrupted; intestinal=intestinal; intrépido=intrepid; intruso=intruder; invencible=invincible
inverosímil=implausible; irónico=ironic; sarcástico=sarcastic; irregular=irregular; irreparable=irreparable
irreversible=irreversible; irresistible=irresistible; jubiloso=jubilant; justificado=justified; kilométrico=very long
laborioso=laborious; lacrimógeno=tear-jerking; ladino=cunning; laico=secular; lácteo=dairy; laxante=laxative
lechoso=milky; lesivo=harmful; letrado=lawyer; libanés=Lebanese; sirio=Syrian; filipino=Filipino; indonesio=Indonesian
argelino=Algerian; senegalés=Senegalese; nigeriano=Nigerian; sudafricano=South African; haitiano=Haitian
jamaicano=Jamaican; neozelandés=New Zealander; eslovaco=Slovak; esloveno=Slovenian; lituano=Lithuanian; letón=Latvian
estonio=Estonian; albanés=Albanian; siciliano=Sicilian; romano=Roman; parisino=Parisian; londinense=Londoner
berlinés=Berliner; barcelonés=from Barcelona; sevillano=Sevillian; porteño=from Buenos Aires; limeño=from Lima
bogotano=from Bogota; caribeño=Caribbean; andino=Andean; mediterráneo=Mediterranean; lúcido=lucid; lúdico=playful
juguetón=playful; lustroso=glossy; macizo=solid; magistral=masterly; magnético=magnetic; malogrado=failed
malsano=unhealthy; maniático=fussy; quisquilloso=fussy; marchoso=party-loving; marginal=marginal; marginado=excluded
mayúsculo=capital; meloso=cloying; menudo=tiny; mensurable=measurable; metódico=methodical; migratorio=migratory
mimoso=cuddly; mortífero=deadly; motorizado=motorized; mugriento=filthy; mundano=worldly; municipal=municipal
narrativo=narrative; nativo=native; negativo=negative; positivo=positive; neurótico=neurotic; obsoleto=obsolete
obsesivo=obsessive; ocasional=occasional; ofensivo=offensive; oleoso=oily; omnívoro=omnivorous; ondulante=wavy
oportunista=opportunist; ornamental=ornamental; osado=bold; óseo=bone; paradisíaco=heavenly; parlanchín=chatterbox
pasajero=passenger; pasional=passionate; pastoso=pasty; patético=pathetic; patológico=pathological
patriótico=patriotic; peatonal=pedestrian; pedagógico=educational; pegadizo=catchy; penitenciario=prison
pensativo=thoughtful; perceptible=perceptible; perecedero=perishable; periódico=newspaper; periodístico=journalistic
perpetuo=perpetual; perplejo=puzzled; persistente=persistent; perspicaz=perceptive; pintoresco=picturesque
placentero=pleasant; plegable=folding; plomizo=leaden; poblado=populated; poético=poetic; policial=police
portuario=port; posesivo=possessive; postizo=false; precario=precarious; precoz=early; predeterminado=default
preferente=preferential; prematuro=premature; prenatal=prenatal; presencial=face-to-face; presidencial=presidential
prestigioso=prestigious; preventivo=preventive; problemático=problematic; prodigioso=prodigious; promedio=average
propenso=prone; provocador=provocative; pudiente=well-off; pulcro=neat; puntilloso=punctilious; quebrado=broken
quejica=whiner; quejumbroso=whining; quemante=burning; radiante=radiant; radiactivo=radioactive; radiofónico=radio
rasgado=torn; recargable=rechargeable; recatado=modest; receptivo=receptive; recluido=confined; recortado=trimmed
recurrente=recurrent; refractario=heat-resistant; reglamentario=regulation; reiterado=repeated; remunerado=paid
reparador=refreshing; representativo=representative; reseco=dried out; residencial=residential; retráctil=retractable
retorcido=twisted; revelador=revealing; revuelto=scrambled; rimbombante=pompous; risueño=smiling; rocoso=rocky
rudimentario=rudimentary; rutinario=routine; salarial=wage; sanitario=health; sanguíneo=blood; satélite=satellite
secular=secular; sedoso=silky; seductor=seductive; sentencioso=sententious; sereno=serene; servil=servile
significante=significant; silábico=syllabic; simplón=simple-minded; sobrehumano=superhuman; sobrenatural=supernatural
socarrón=sly; sofisticado=sophisticated; sofocante=suffocating; solemne=solemn; solvente=solvent; insolvente=insolvent
sonámbulo=sleepwalker; sonriente=smiling; soportable=bearable; subacuático=underwater; submarino=submarine
sublime=sublime; subterráneo=subway; suculento=succulent; sudoroso=sweaty; sugerente=suggestive; suntuoso=sumptuous
surrealista=surreal; sutil=subtle; táctil=touch; tajante=categorical; tatuado=tattooed; taurino=bullfighting
teatral=theatrical; telefónico=phone; televisivo=television; temerario=reckless; temeroso=fearful; miedoso=fearful
tenaz=tenacious; teórico=theoretical; terapéutico=therapeutic; térmico=thermal; textil=textile
tradicionalista=traditionalist; tramposo=cheater; transitable=passable; transitorio=transitory; traumático=traumatic
tremendo=tremendous; tuerto=one-eyed; ultramarino=overseas; unilateral=unilateral; urbanístico=town planning
usual=usual; utilitario=utilitarian; utópico=utopian; vacilante=hesitant; validado=validated; vanguardista=avant-garde
vegetativo=vegetative; velado=veiled; veraz=truthful; versátil=versatile; vertiginoso=dizzying; veterano=veteran
viable=viable; vibrante=vibrant; vigoroso=vigorous; virtuoso=virtuous; viscoso=viscous; vistoso=colourful; vital=vital
vitalicio=lifelong; vivaz=lively; volador=flying; volátil=volatile; voluble=fickle; voluminoso=bulky; voraz=voracious
`;
