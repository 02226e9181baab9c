// Spanish words in English: sports, arts, parties, faith, law, feelings, ideas.

export const SPANISH_LIFE_WORDS = `
# sports
deporte=sport; fútbol=football; futbol=football; baloncesto=basketball; básquet=basketball; balonmano=handball
voleibol=volleyball; béisbol=baseball; rugby=rugby; golf=golf; pádel=padel; ping-pong=table tennis
bádminton=badminton; hockey=hockey; natación=swimming; atletismo=athletics; maratón=marathon; gimnasia=gymnastics
ciclismo=cycling; equitación=horse riding; esgrima=fencing; boxeo=boxing; boxeador=boxer; judo=judo; kárate=karate
yoga=yoga; pilates=pilates; esquí=skiing; snowboard=snowboarding; patinaje=skating; patín=skate; patines=skates
surf=surfing; buceo=diving; escalada=climbing; senderismo=hiking; alpinismo=mountaineering; caminata=hike
montañismo=mountaineering; pesca=fishing; caza=hunting; ajedrez=chess; billar=billiards; dardos=darts; bolos=bowling
petanca=pétanque; partido=match; torneo=tournament; campeonato=championship; campeón=champion; liga=league
olimpiada=Olympics; corredor=runner; nadador=swimmer; tenista=tennis player; futbolista=footballer; defensa=defence
portería=goal; gol=goal; penalti=penalty; balón=ball; pelota=ball; raqueta=racket; cancha=court; pista=track
entrenamiento=training; calentamiento=warm-up; estiramiento=stretching; pesas=weights; mancuerna=dumbbell
abdominales=sit-ups; sentadilla=squat; flexiones=push-ups; victoria=victory; derrota=defeat; empate=draw
medalla=medal; trofeo=trophy; récord=record; marcador=scoreboard; hincha=fan; aficionado=fan; afición=hobby; club=club
vestuario=changing room; silbato=whistle; piragua=canoe; salto=jump; paso=step; pasos=steps; patada=kick
puñetazo=punch; lanzamiento=launch; resistencia=resistance; fuerza=strength
# music, art, hobbies
música=music; canción=song; melodía=melody; coro=choir; orquesta=orchestra; grupo=group; concierto=concert
festival=festival; ópera=opera; instrumento=instrument; piano=piano; guitarra=guitar; violín=violin; violonchelo=cello
chelo=cello; contrabajo=double bass; flauta=flute; clarinete=clarinet; saxofón=saxophone; trompeta=trumpet
trombón=trombone; tambor=drum; acordeón=accordion; arpa=harp; órgano=organ; armónica=harmonica; ukelele=ukulele
castañuelas=castanets; partitura=sheet music; acorde=chord; compositor=composer; pianista=pianist
guitarrista=guitarist; voz=voice; canto=singing; baile=dance; danza=dance; ballet=ballet; tango=tango; rock=rock
jazz=jazz; álbum=album; escenario=stage; espectador=spectator; espectáculo=show; película=film; peli=film
comedia=comedy; drama=drama; tragedia=tragedy; suspense=suspense; terror=terror; documental=documentary
dibujo=drawing; dibujos=cartoons; personaje=character; protagonista=main character; guion=script; guión=script
estreno=premiere; taquilla=ticket office; arte=art; artes=arts; escultura=sculpture; exposición=exhibition
galería=gallery; lienzo=canvas; acuarela=watercolour; óleo=oil painting; retrato=portrait; caricatura=caricature
manualidad=craft; manualidades=crafts; artesanía=handicraft; artesano=craftsman; bordado=embroidery; ganchillo=crochet
ovillo=ball of yarn; alfarería=pottery; origami=origami; maqueta=scale model; rompecabezas=jigsaw puzzle
puzle=jigsaw puzzle; crucigrama=crossword; sudoku=sudoku; naipe=playing card; baraja=deck of cards
cartas=letters cards; dado=given; dados=dice; ficha=token; tablero=board; juguete=toy; juguetes=toys; muñeco=doll
peluche=stuffed toy; cometa=kite; columpio=swing; tobogán=slide; colección=collection; coleccionista=collector
ocio=leisure; pasatiempo=pastime; entretenimiento=entertainment; diversión=fun; magia=magic; mago=magician
circo=circus; payaso=clown; feria=fair; noria=Ferris wheel; astronomía=astronomy
# parties and religion
fiesta=party; celebración=celebration; banquete=banquet; invitación=invitation; despedida=farewell
inauguración=opening; ceremonia=ceremony; navidad=Christmas; nochebuena=Christmas Eve; nochevieja=New Year's Eve
reyes=kings; pascua=Easter; carnaval=carnival; procesión=procession; verbena=street party; romería=pilgrimage
quinceañera=fifteenth birthday girl; piñata=piñata; confeti=confetti; petardo=firecracker; fuegos=fires
sorpresa=surprise; tradición=tradition; costumbre=custom; feriado=public holiday; festividad=festivity
villancico=Christmas carol; belén=nativity scene; pesebre=nativity scene; arbolito=Christmas tree; religión=religion
dios=god; virgen=virgin; jesús=Jesus; cristo=Christ; ángel=angel; diablo=devil; demonio=demon; infierno=hell
paraíso=paradise; alma=soul; espíritu=spirit; fantasma=ghost; fe=faith; creencia=belief; rezo=prayer; plegaria=prayer
misa=mass; bautismo=baptism; confesión=confession; confirmación=confirmation; pecado=sin; milagro=miracle
biblia=Bible; evangelio=gospel; cruz=cross; altar=altar; sacerdote=priest; párroco=parish priest; parroquia=parish
monja=nun; monje=monk; fraile=friar; obispo=bishop; cardenal=cardinal; pontífice=pope; cuaresma=Lent; ramadán=Ramadan
rabino=rabbi; imán=magnet; peregrino=pilgrim; peregrinación=pilgrimage; cofradía=brotherhood; ataúd=coffin
tumba=grave; sepultura=grave; nicho=burial niche; cenizas=ashes; esquela=death notice; pésame=condolences
condolencias=condolences
# law, state, society
ley=law; leyes=laws; norma=rule; reglamento=regulations; constitución=constitution; decreto=decree; justicia=justice
juicio=trial; sentencia=sentence; condena=conviction; pena=sorrow; castigo=punishment; denuncia=police report
querella=lawsuit; pleito=lawsuit; recurso=resource; testigo=witness; testimonio=testimony; evidencia=evidence
acusado=defendant; víctima=victim; culpa=blame; inocencia=innocence; delito=crime; crimen=crime; delincuente=criminal
delincuencia=crime; ladrón=thief; ratero=thief; asesino=murderer; asesinato=murder; homicidio=homicide
secuestro=kidnapping; violación=rape; atraco=robbery; asalto=assault; agresión=assault; acoso=harassment; abuso=abuse
maltrato=mistreatment; soborno=bribe; corrupción=corruption; contrabando=smuggling; narcotráfico=drug trafficking
pandilla=gang; mafia=mafia; arma=weapon; pistola=pistol; fusil=rifle; escopeta=shotgun; bala=bullet; disparo=shot
espada=sword; puñal=dagger; guerra=war; paz=peace; batalla=battle; ejército=army; ataque=attack; enemistad=enmity
refugiado=refugee; inmigrante=immigrant; inmigración=immigration; emigrante=emigrant; migración=migration
nacionalidad=nationality; ciudadanía=citizenship; empadronamiento=residence registration; padrón=census register
política=politics; gobierno=government; ministro=minister; alcalde=mayor; concejal=councillor
diputado=member of parliament; senador=senator; parlamento=parliament; senado=senate; congresista=congressman
rey=king; reina=queen; príncipe=prince; princesa=princess; monarquía=monarchy; república=republic
democracia=democracy; dictadura=dictatorship; dictador=dictator; elección=election; elecciones=elections; voto=vote
votación=vote; votante=voter; urna=ballot box; manifestación=demonstration; protesta=protest; revolución=revolution
libertad=freedom; igualdad=equality; derechos=rights; obligación=obligation; acuerdo=agreement; tratado=treaty
pacto=pact; convenio=agreement; conflicto=conflict; organización=organization; asociación=association
fundación=foundation; ong=NGO; voluntariado=volunteering; vecinos=neighbours; lucha=fight; pelea=fight
discusión=argument; debate=debate; bandera=flag; himno=anthem; escudo=coat of arms; cultura=culture
civilización=civilization; imperio=empire; esclavo=slave; héroe=hero; heroína=heroine; líder=leader
autoridad=authority; comité=committee; consejo=advice; censo=census; encuesta=survey; estadística=statistics
opinión=opinion; medios=media; entrevistador=interviewer
# feelings and abstract
amor=love; cariño=affection; afecto=affection; ternura=tenderness; pasión=passion; deseo=wish; esperanza=hope
ilusión=excitement; alegría=joy; felicidad=happiness; placer=pleasure; satisfacción=satisfaction; orgullo=pride
gratitud=gratitude; entusiasmo=enthusiasm; ánimo=spirits; humor=humour; risa=laughter; sonrisa=smile; broma=joke
chiste=joke; tristeza=sadness; llanto=crying; nostalgia=nostalgia; melancolía=melancholy; soledad=loneliness
aburrimiento=boredom; miedo=fear; temor=fear; susto=fright; pánico=panic; fobia=phobia; horror=horror
angustia=anguish; preocupación=worry; inquietud=worry; nervios=nerves; rabia=rage; ira=anger; enfado=anger
enojo=anger; furia=fury; odio=hatred; celos=jealousy; envidia=envy; rencor=grudge; venganza=revenge; vergüenza=shame
timidez=shyness; remordimiento=remorse; arrepentimiento=regret; decepción=disappointment; frustración=frustration
desesperación=despair; asco=disgust; desprecio=contempt; sentimiento=feeling; emoción=emotion; sensación=sensation
cansancio=tiredness; sueño=sleep; pesadilla=nightmare; pereza=laziness; flojera=laziness; ganas=desire; voluntad=will
valor=value; valentía=courage; coraje=courage; confianza=trust; desconfianza=distrust; sinceridad=sincerity
honestidad=honesty; lealtad=loyalty; fidelidad=fidelity; respeto=respect; educador=educator; paciencia=patience
bondad=kindness; generosidad=generosity; egoísmo=selfishness; maldad=evil; crueldad=cruelty; violencia=violence
mentira=lie; verdad=truth; promesa=promise; engaño=deception; trampa=trap; traición=betrayal; infidelidad=infidelity
suerte=luck; azar=chance; casualidad=coincidence; desgracia=misfortune; desastre=disaster; catástrofe=catastrophe
peligro=danger; amenaza=threat; rescate=rescue; protección=protection; carácter=character; personalidad=personality
temperamento=temperament; actitud=attitude; conducta=behaviour; comportamiento=behaviour; manía=quirk; vicio=vice
virtud=virtue; defecto=defect; cualidad=quality; habilidad=skill; capacidad=ability; talento=talent; mente=mind
pensamiento=thought; idea=idea; concepto=concept; imaginación=imagination; creatividad=creativity
inspiración=inspiration; intención=intention; propósito=purpose; motivo=reason; razón=reason; causa=cause
consecuencia=consequence; decisión=decision; alternativa=alternative; preferencia=preference; ventaja=advantage
desventaja=disadvantage; dificultad=difficulty; obstáculo=obstacle; reto=challenge; desafío=challenge; esfuerzo=effort
intento=attempt; necesidad=need; posibilidad=possibility; probabilidad=probability; certeza=certainty
situación=situation; condición=condition; circunstancia=circumstance; caso=case; asunto=matter; cosa=thing
cosas=things; objeto=object; suceso=event; evento=event; acontecimiento=event; acto=act; actividad=activity
proceso=process; desarrollo=development; progreso=progress; avance=progress; mejora=improvement; mejoría=improvement
crecimiento=growth; reducción=reduction; diferencia=difference; semejanza=similarity; comparación=comparison
relación=relationship; contacto=contact; comunicación=communication; conversación=conversation; diálogo=dialogue
información=information; detalle=detail; descripción=description; definición=definition; especie=species
categoría=category; elemento=element; aspecto=aspect; característica=feature; manera=way; modo=way; método=method
técnica=technique; estructura=structure; base=base; borde=edge; lado=side; punta=tip; resto=rest; restos=leftovers
montón=pile; exceso=excess; escasez=shortage; carencia=lack; ausencia=absence; presencia=presence
existencia=existence; realidad=reality; fantasía=fantasy; silencio=silence; ruido=noise; grito=shout; rumor=rumour
chisme=gossip; cotilleo=gossip; queja=complaint; reclamación=complaint; reclamo=claim; petición=request; favor=favour
consejos=advice; recomendación=recommendation; sugerencia=suggestion; advertencia=warning; crítica=criticism
insulto=insult; palabrota=swear word; elogio=praise; piropo=compliment; disculpas=apologies; excusa=excuse
pretexto=pretext; agradecimiento=thanks; felicitación=congratulation; bienvenida=welcome; saludos=greetings
visita=visit; encuentro=find meeting; compromiso=commitment; ayudita=little help; apoyo=support; cuidado=care
cuidados=care; atención=attention; curiosidad=curiosity; concentración=concentration; olvido=forgetfulness
`;
