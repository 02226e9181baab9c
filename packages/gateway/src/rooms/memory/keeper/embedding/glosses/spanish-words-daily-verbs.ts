// Spanish words in English: verbs of body, kitchen, house, garden, feelings, office.

export const SPANISH_DAILY_VERBS = `
# body and health
nacer=be born; vivir=live; morir=die; fallecer=die; enterrar=bury; incinerar=cremate; envejecer=age
rejuvenecer=rejuvenate; respirar=breathe; inspirar=inspire; suspirar=sigh; bostezar=yawn; roncar=snore; dormir=sleep
dormirse=fall asleep; soñar=dream; despertar=wake; despertarse=wake up; madrugar=get up early; trasnochar=stay up late
desvelar=keep awake; toser=cough; estornudar=sneeze; sudar=sweat; tiritar=shiver; sangrar=bleed; vomitar=vomit
digerir=digest; orinar=urinate; mear=pee; cagar=poop; escupir=spit; eructar=burp; doler=hurt; arder=burn; picar=itch
rascar=scratch; quemar=burn; quemarse=get burned; cortar=cut; cortarse=cut oneself; romper=break; fracturar=fracture
torcerse=sprain; dislocar=dislocate; marear=make dizzy; marearse=get dizzy; desmayar=faint; enfermar=fall ill
contagiar=infect; contagiarse=catch; infectar=infect; resfriarse=catch a cold; resfriar=cool; curar=cure
curarse=recover; sanar=heal; recuperar=recover; aliviar=relieve; calmar=calm; calmarse=calm down; operar=operate
vacunar=vaccinate; inyectar=inject; recetar=prescribe; diagnosticar=diagnose; auscultar=auscultate; vendar=bandage
coser=sew; masajear=massage; adelgazar=lose weight; engordar=gain weight; ayunar=fast; embarazar=make pregnant
parir=give birth; amamantar=breastfeed; abortar=miscarry; menstruar=menstruate; envenenar=poison; intoxicar=poison
drogar=drug; fumar=smoke; emborrachar=get drunk; padecer=suffer; sufrir=suffer; soportar=endure; aguantar=endure
resistir=resist; tragar=swallow; masticar=chew; morder=bite; chupar=suck; lamer=lick; oler=smell; saborear=taste
catar=taste; comer=eat; desayunar=have breakfast; almorzar=have lunch; merendar=have a snack; cenar=have dinner
beber=drink; brindar=toast; alimentar=feed; alimentarse=eat; nutrir=nourish; hidratar=hydrate; lavar=wash; bañar=bathe
duchar=shower; secar=dry; peinar=comb; peinarse=comb hair; cepillar=brush; afeitar=shave; rasurar=shave; depilar=wax
maquillar=put on makeup; teñir=dye; rizar=curl; vestir=dress; vestirse=get dressed; desvestir=undress
desnudar=undress; calzar=wear shoes; abrochar=fasten; desabrochar=unbutton; abrigar=wrap up warm; broncear=tan
broncearse=sunbathe
# cooking
cocinar=cook; guisar=stew; cocer=boil; hervir=boil; freír=fry; sofreír=sauté; asar=roast; hornear=bake; tostar=toast
gratinar=gratinate; saltear=sauté; rehogar=sauté; escaldar=blanch; escurrir=drain; colar=strain; rallar=grate
pelar=peel; trocear=chop; rebanar=slice; moler=grind; triturar=crush; licuar=blend; amasar=knead; espolvorear=sprinkle
untar=spread; rellenar=fill; rebozar=coat in batter; empanar=bread; aliñar=dress salad; sazonar=season
endulzar=sweeten; azucarar=sugar; marinar=marinate; macerar=marinate; adobar=marinate; congelar=freeze
descongelar=defrost; enfriar=cool; calentar=heat; recalentar=reheat; derretir=melt; fundir=melt; disolver=dissolve
espesar=thicken; remover=stir; revolver=stir; verter=pour; derramar=spill; probarse=try on; desmoldar=unmould
fermentar=ferment; pudrir=rot; caducar=expire; expirar=expire; conservar=preserve; envasar=pack; enlatar=can
servirse=help oneself
# home and repair
limpiar=clean; ensuciar=dirty; barrer=sweep; fregar=scrub; trapear=mop; aspirar=vacuum; pulir=polish; encerar=wax
planchar=iron; tender=hang out; arrugar=wrinkle; remendar=mend; bordar=embroider; tejer=knit; hilar=spin; zurcir=darn
arreglar=repair; arreglarse=get ready; reparar=repair; componer=compose; construir=build; edificar=build
reconstruir=rebuild; reformar=renovate; renovar=renew; restaurar=restore; derribar=demolish; demoler=demolish
instalar=install; desinstalar=uninstall; desmontar=dismantle; armar=assemble; desarmar=disassemble; ensamblar=assemble
fabricar=manufacture; producir=produce; clavar=nail; atornillar=screw; desatornillar=unscrew; enroscar=screw on
taladrar=drill; perforar=drill; agujerear=make hole; serrar=saw; lijar=sand; barnizar=varnish; soldar=weld
encolar=glue; atar=tie; amarrar=tie; desatar=untie; anudar=knot; enredar=tangle; desenredar=untangle; enrollar=roll up
desenrollar=unroll; envolver=wrap; empaquetar=pack; embalar=pack; desempaquetar=unpack; tapar=cover; destapar=uncover
cubrir=cover; cerrar=close; abrir=open; bloquear=block; desbloquear=unlock; atascar=clog; atascarse=get stuck
desatascar=unclog; obstruir=block; gotear=drip; inundar=flood; mojar=wet; mojarse=get wet; humedecer=moisten
empapar=soak; llenar=fill; vaciar=empty; encender=turn on; prender=turn on; apagar=turn off; apagarse=go off
enchufar=plug in; desenchufar=unplug; conectar=connect; desconectar=disconnect; encajar=fit; ajustar=adjust
apretar=tighten; aflojar=loosen; estirar=stretch; encoger=shrink; alargar=lengthen; acortar=shorten; ensanchar=widen
estrechar=narrow; agrandar=enlarge; achicar=make smaller; estropear=damage; estropearse=break down; averiar=break down
dañar=damage; descomponer=break down; rayar=scratch; manchar=stain; rasgar=tear; desgarrar=tear; aplastar=crush
abollar=dent; agrietar=crack; oxidar=rust; desgastar=wear out; gastarse=wear out; funcionar=work; calibrar=calibrate
engrasar=grease; lubricar=lubricate; aislar=insulate; ventilar=ventilate; airear=air; iluminar=light up
alumbrar=illuminate; decorar=decorate; adornar=decorate; amueblar=furnish; empapelar=wallpaper; alojar=accommodate
alojarse=stay; hospedar=lodge; hospedarse=stay; habitar=inhabit; residir=reside; desalojar=evict; desahuciar=evict
acampar=camp
# garden and nature
plantar=plant; sembrar=sow; trasplantar=transplant; regar=water; cultivar=grow; cosechar=harvest; podar=prune
talar=cut down; segar=mow; cavar=dig; fertilizar=fertilize; fumigar=fumigate; injertar=graft; brotar=sprout
germinar=germinate; florecer=bloom; marchitar=wither; madurar=ripen; ordeñar=milk; criar=raise; esquilar=shear
domar=tame; domesticar=tame; amaestrar=train; adiestrar=train; ladrar=bark; maullar=meow; relinchar=neigh; rugir=roar
aullar=howl; gruñir=growl; cazar=hunt; pescar=fish; llover=rain; lloviznar=drizzle; nevar=snow; granizar=hail
helar=freeze; tronar=thunder; relampaguear=lightning; soplar=blow; amanecer=dawn; anochecer=get dark; atardecer=sunset
oscurecer=get dark; despejar=clear; nublarse=cloud over; nublar=cloud; brillar=shine; lucir=shine; evaporar=evaporate
contaminar=pollute; reciclar=recycle; reutilizar=reuse; desperdiciar=waste; derrochar=waste
# feelings
sentir=feel; amar=love; adorar=adore; enamorar=fall in love; gustar=like; encantar=love; apetecer=feel like
desear=wish; anhelar=long for; añorar=miss; extrañar=miss; odiar=hate; detestar=hate; despreciar=despise
aborrecer=hate; temer=fear; asustar=scare; asustarse=get scared; espantar=frighten; aterrorizar=terrify
preocupar=worry; inquietar=worry; agobiar=overwhelm; agobiarse=be stressed; estresar=stress; estresarse=be stressed
tranquilizar=calm; tranquilizarse=calm down; consolar=comfort; alegrar=cheer up; alegrarse=be glad; disfrutar=enjoy
divertir=amuse; divertirse=have fun; entretener=entertain; gozar=enjoy; celebrar=celebrate; festejar=celebrate
reír=laugh; sonreír=smile; llorar=cry; sollozar=sob; lamentar=regret; arrepentirse=regret; entristecer=sadden
deprimir=depress; deprimirse=get depressed; aburrir=bore; aburrirse=get bored; enojar=anger; enojarse=get angry
enfadar=anger; enfadarse=get angry; molestar=bother; molestarse=get annoyed; fastidiar=annoy; irritar=irritate
enfurecer=enrage; ofender=offend; ofenderse=take offence; decepcionar=disappoint; desilusionar=disappoint
ilusionar=excite; ilusionarse=get excited; emocionar=move; emocionarse=be moved; entusiasmar=excite
sorprender=surprise; sorprenderse=be surprised; asombrar=amaze; impresionar=impress; admirar=admire; envidiar=envy
respetar=respect; apreciar=appreciate; estimar=estimate; confiar=trust; desconfiar=distrust; atrever=dare
arriesgar=risk; avergonzar=embarrass; avergonzarse=be ashamed; humillar=humiliate; culpar=blame; acusar=accuse
interesar=interest; interesarse=be interested; aficionarse=become fond; acostumbrar=get used to; adaptar=adapt
abrazar=hug; besar=kiss; acariciar=caress; mimar=pamper; ligar=flirt; coquetear=flirt; casar=marry
casarse=get married; divorciar=divorce; prometerse=get engaged; adoptar=adopt; educar=educate; castigar=punish
regañar=scold; malcriar=spoil; obedecer=obey; desobedecer=disobey; portarse=behave; portar=carry; comportarse=behave
comportar=involve; heredar=inherit; bautizar=baptize; rezar=pray; orar=pray; bendecir=bless; maldecir=curse
confesar=confess; pecar=sin; predicar=preach; peregrinar=make a pilgrimage
# computers and office
teclear=type; pulsar=press; clicar=click; arrancarse=start; reiniciar=restart; actualizar=update; configurar=configure
programar=schedule; desprogramar=unschedule; codificar=encode; compilar=compile; depurar=debug; ejecutar=run
almacenar=store; respaldar=back up; restablecer=reset; sincronizar=synchronize; adjuntar=attach; reenviar=forward
archivar=archive; escanear=scan; fotocopiar=photocopy; chatear=chat; navegarse=browse; hackear=hack; piratear=hack
cifrar=encrypt; encriptar=encrypt; registrar=register; registrarse=sign up; inscribir=enrol; inscribirse=sign up
matricular=enrol; suscribir=subscribe; acceder=access; ingresar=enter; identificar=identify
identificarse=identify oneself; autorizar=authorize; validar=validate; tramitar=process; gestionar=manage
administrar=manage; coordinar=coordinate; supervisar=supervise; delegar=delegate; asignar=assign; priorizar=prioritize
cancelar=cancel; anular=cancel; reservar=book; agendar=schedule; convocar=convene; suspender=suspend; aprobar=pass
reprobar=fail; graduar=graduate; licenciarse=graduate; licenciar=license; evaluar=evaluate; calificar=grade
puntuar=score; repasar=review; resumir=summarize; resolver=solve; solucionar=solve; arrojarse=throw oneself
demostrar=prove; justificar=justify; argumentar=argue; definir=define; establecer=establish; fundar=found
inaugurar=inaugurate; constituir=constitute; formar=form; formarse=train; capacitar=train; instruir=instruct
orientar=guide; asesorar=advise; consultar=consult; entrevistar=interview; encuestar=survey
`;
