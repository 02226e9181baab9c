// Spanish words in English: verbs of public life, of change, and rarer ones.

export const SPANISH_MORE_VERBS = `
# society, law, politics
votar=vote; gobernar=govern; legislar=legislate; juzgar=judge; condenar=condemn; absolver=acquit
denunciar=report to police; demandar=sue; querellarse=sue; testificar=testify; atestiguar=testify; sentenciar=sentence
apelar=appeal; recurrir=appeal; multar=fine; sancionar=sanction; penalizar=penalize; indemnizar=compensate
compensar=compensate; pactar=agree; transigir=compromise; mediar=mediate; representar=represent; aprobarse=be approved
derogar=repeal; promulgar=enact; imponer=impose; infringir=break rule; incumplir=breach; transgredir=transgress
falsificar=forge; plagiar=plagiarize; difamar=defame; calumniar=slander; huelga=strike; manifestarse=demonstrate
reivindicar=demand; emigrar=emigrate; inmigrar=immigrate; exiliar=exile; deportar=deport; expulsar=expel
colonizar=colonize; independizarse=become independent; independizar=make independent; reinar=reign; dominar=dominate
oprimir=oppress; reprimir=repress; censurar=censor; militar=military; reclutar=recruit; alistarse=enlist
bombardear=bomb; explotar=explode; estallar=explode; detonar=detonate; evacuar=evacuate; refugiarse=take refuge
refugiar=shelter; patrullar=patrol; sobrevivir=survive; subsistir=subsist; perecer=perish
# changes and states
aclararse=become clear; ablandar=soften; endurecer=harden; adormecer=numb; afectar=affect; afinar=tune
desafinar=be out of tune; agotar=exhaust; agotarse=run out; agravar=aggravate; ahogar=drown; ahuyentar=scare away
alinear=align; aliviarse=feel relief; alternar=alternate; alterar=alter; amargar=embitter; amontonar=pile up
apilar=stack; anclar=anchor; ansiar=crave; apartar=set aside; aplanar=flatten; aplicar=apply; aplicarse=apply oneself
aportar=contribute; apropiarse=appropriate; apurar=hurry; apresurar=hurry; arañar=scratch; arruinar=ruin
arruinarse=go bankrupt; asociar=associate; asomar=lean out; asumir=assume; atraer=attract; atragantar=choke
atrapar=catch; atribuir=attribute; ausentarse=be absent; autenticar=authenticate; azotar=whip; barajar=shuffle
beneficiar=benefit; bifurcar=fork; blanquear=whiten; burlar=mock; caber=fit; capturar=capture; carecer=lack
causar=cause; ceder=yield; centrar=focus; ceñir=fit tightly; circular=circular; coincidir=coincide
coleccionar=collect; colapsar=collapse; combatir=combat; combinar=combine; comerse=eat up; cometer=commit
compadecer=pity; complacer=please; completar=complete; complicar=complicate; comprimir=compress; comprometer=commit
concebir=conceive; conceder=grant; concentrar=concentrate; concertar=arrange; condicionar=condition
conformarse=settle for; conformar=form; consentir=consent; considerar=consider; consistir=consist; consumir=consume
contactar=contact; contener=contain; contraer=contract; contradecir=contradict; contrariar=upset; contrastar=contrast
convenir=be convenient; convivir=live together; corresponder=correspond; corromper=corrupt; crujir=crack
cuestionar=question; culminar=culminate; cundir=spread; curiosear=browse; debilitar=weaken; dedicar=dedicate
dedicarse=do for a living; deformar=deform; degustar=taste; demostrarse=be proven; depender=depend; depositar=deposit
desafiar=challenge; desahogarse=vent; desahogar=relieve; desanimar=discourage; desanimarse=lose heart
desaprobar=disapprove; desaprovechar=waste; descartar=discard; descender=descend; descifrar=decipher
desconocer=not know; descuidar=neglect; desechar=discard; desembolsar=pay out; desempeñar=perform
desenvolverse=get by; deshacer=undo; deshacerse=get rid of; deslumbrar=dazzle; desordenar=mess up; despejarse=clear up
desplazar=displace; desplazarse=travel; desplegar=unfold; desprender=give off; destacar=stand out; desteñir=fade
destinar=allocate; destituir=dismiss; destrozar=destroy; detallar=detail; detectar=detect; determinar=determine
difundir=spread; diluir=dilute; diseñar=design; disgustar=upset; disgustarse=get upset; disimular=conceal
disminuirse=lessen; disponer=have available; disputar=dispute; distraer=distract; distraerse=get distracted
divulgar=disclose; dosificar=dose; drenar=drain; elaborar=produce; elevar=raise; embellecer=beautify; emerger=emerge
emitir=emit; empalmar=join; empeñar=pawn; empeñarse=insist; emprender=undertake; encabezar=head; encaminar=head
encarecer=make expensive; encariñarse=grow fond; encerrar=lock up; encubrir=cover up; enfocar=focus; enfrentar=face
engancharse=get hooked; enganchar=hook; enloquecer=go crazy; enriquecer=enrich; enriquecerse=get rich
enterarse=find out; enterar=inform; entrelazar=intertwine; entrometerse=meddle; enumerar=list; equilibrar=balance
equipar=equip; equivaler=be equivalent; esclarecer=clarify; especializar=specialize; especificar=specify
esparcir=scatter; espabilar=wake up; esquiar=ski; esquivar=dodge; estimular=stimulate; estorbar=be in the way
estrangular=strangle; evolucionar=evolve; excavar=excavate; exceder=exceed; excitar=excite; exportar=export
exponer=expose; experimentar=experience; explorar=explore; extinguir=extinguish; extraviar=mislay
extraviarse=get lost; facilitar=facilitate; falsear=falsify; fatigar=tire; favorecer=favour; fichar=clock in
fingir=pretend; aparentar=pretend; fluir=flow; fomentar=promote; fortalecer=strengthen; forzar=force; frotar=rub
fugarse=run away; fundamentar=base; generar=generate; guiñar=wink; habituarse=get used to; hojear=leaf through
honrar=honour; hospitalizar=hospitalize; ignorar=ignore; igualar=equal; ilustrar=illustrate; imitar=imitate
implicar=involve; implementar=implement; improvisar=improvise; impulsar=boost; incendiar=set on fire; incitar=incite
incomodar=make uncomfortable; incorporar=incorporate; incorporarse=join; indagar=inquire; inducir=induce
influir=influence; iniciarse=begin; inmovilizar=immobilize; insistir=insist; integrar=integrate; intercambiar=exchange
interferir=interfere; internar=hospitalize; interrogar=question; interrumpir=interrupt; intervenir=intervene
intimidar=intimidate; intuir=sense; invocar=invoke; involucrar=involve; involucrarse=get involved; irrumpir=burst in
jactarse=boast; presumir=boast; jadear=pant; lastimar=hurt; lastimarse=get hurt; ligarse=pick up; limitar=limit
limitarse=limit oneself; llenarse=fill up; localizar=locate; machacar=crush; malgastar=waste; manipular=manipulate
maniobrar=manoeuvre; mantenerse=stay; matizar=nuance; mecer=rock; meditar=meditate; mendigar=beg; menear=shake
merecer=deserve; minimizar=minimize; modificar=modify; moldear=mould; motivar=motivate; mutar=mutate
necesitarse=be needed; neutralizar=neutralize; nivelar=level; obsequiar=give as gift; obsesionarse=be obsessed
obsesionar=obsess; obviar=avoid; ocasionar=cause; oficiar=officiate; ojear=glance; omitir=omit; oponer=oppose
opositar=take civil service exams; originar=cause; palidecer=turn pale; palpitar=beat; paralizar=paralyze
parpadear=blink; pasarse=go too far; pasmar=amaze; patinar=skate; patrocinar=sponsor; pellizcar=pinch
percatarse=notice; perfeccionar=perfect; perjudicar=harm; permitirse=afford; perpetuar=perpetuate; pertenecer=belong
perturbar=disturb; pisar=step on; plantear=pose; plasmar=capture; plegar=fold; poblar=populate; poseer=own
precisar=need; preceder=precede; predecir=predict; pronosticar=forecast; predominar=predominate; premiar=award
prescindir=do without; prescribir=prescribe; presenciar=witness; presionar=press; prestarse=lend itself
presumirse=presume; pretender=intend; prevalecer=prevail; prevenir=prevent; prever=foresee; privar=deprive
privatizar=privatize; proceder=proceed; proclamar=proclaim; prohibirse=be forbidden; prolongar=prolong
promediar=average; promocionar=promote; promover=promote; propagar=spread; proporcionar=provide; provenir=come from
proveer=provide; suministrar=supply; abastecer=supply; provocar=provoke; proyectar=project; pulverizar=spray
quebrar=break; rajar=crack; raptar=kidnap; razonar=reason; reaccionar=react; realizar=carry out; realizarse=take place
reanudar=resume; rebasar=exceed; rebelarse=rebel; rebotar=bounce; recaer=relapse; recargar=recharge
recaudar=collect money; rechinar=squeak; reclinar=recline; recobrar=regain; recomponer=mend; recompensar=reward
reconciliar=reconcile; reconciliarse=make up; recopilar=compile; recortar=cut out; recostarse=lie down
recrear=recreate; rectificar=rectify; redondear=round; reemplazar=replace; sustituir=substitute; suplir=substitute
referir=refer; reflejar=reflect; reflexionar=reflect; reforzar=reinforce; refrescar=refresh; refrescarse=cool down
regular=regular; rehacer=redo; rehusar=refuse; relacionar=relate; relacionarse=socialize; relevar=relieve
remediar=remedy; rematar=finish off; renacer=be reborn; replantear=rethink; reponer=replace; reprochar=reproach
requerir=require; resaltar=highlight; resentir=resent; reservarse=reserve; respaldarse=back; restringir=restrict
resultarse=result; retar=challenge; retener=retain; reventar=burst; revelar=reveal; revisarse=check; revocar=revoke
rociar=spray; rozar=graze; ruborizarse=blush; saciar=satiate; sacrificar=sacrifice; saldar=settle debt
salpicar=splash; saltarse=skip; satisfacer=satisfy; seducir=seduce; sellar=seal; sembrarse=be sown
simpatizar=sympathize; simular=simulate; sobresalir=stand out; sobrepasar=exceed; sobrecargar=overload
sobrellevar=cope with; socializar=socialize; solapar=overlap; someter=subject; someterse=undergo; sorber=sip
sortear=raffle; subestimar=underestimate; sobreestimar=overestimate; subirse=get on; bajarse=get off; montarse=get on
subvencionar=subsidize; suicidarse=commit suicide; superar=overcome; surgir=arise; surtir=supply; suscitar=arouse
sustentar=sustain; sustraer=steal; tallar=carve; tambalearse=stagger; tantear=feel out; tapiar=wall up
tapizar=upholster; tentar=tempt; titular=headline; titularse=graduate; tolerar=tolerate; topar=bump into
toparse=run into; traicionar=betray; transcurrir=elapse; transcribir=transcribe; transferir=transfer
transformar=transform; transmitir=transmit; traspasar=transfer; trasladarse=move; trazar=trace; trenzar=braid
triunfar=triumph; trinchar=carve; turnarse=take turns; ubicar=locate; ubicarse=be located; unificar=unify
untarse=smear; urgir=be urgent; vacilar=hesitate; titubear=hesitate; vagar=wander; vengar=avenge
vengarse=take revenge; vincular=link; vislumbrar=glimpse; vociferar=shout; zambullirse=dive in; zarpar=set sail
enlazar=link; etiquetar=label; enmarcar=frame; encuadernar=bind; plastificar=laminate; perfumar=perfume
desinfectar=disinfect; esterilizar=sterilize; desparasitar=deworm; castrar=neuter; herrar=shoe; ensillar=saddle
acoger=welcome; acumular=accumulate; acuñar=coin; adjudicar=award; adquirir=acquire; aferrarse=cling; aglomerar=crowd
ahumar=smoke; alardear=boast; alegar=allege; almacenarse=be stored; amortiguar=cushion; amortizar=pay off
amputar=amputate; apaciguar=appease; apañarse=manage; apañar=fix; apasionar=thrill; apodar=nickname
aproximar=approach; arropar=tuck in; articular=articulate; asear=clean up; asearse=wash up; asentir=nod
asfixiar=suffocate; aspirarse=inhale; atinar=hit the mark; auxiliar=assistant; avalar=guarantee; aventurar=venture
bordear=skirt; borrarse=unsubscribe; callejear=wander streets; canalizar=channel; canjear=redeem
caracterizar=characterize; cautivar=captivate; cebar=fatten; centrifugar=spin-dry; certificar=certify; chismear=gossip
cotillear=gossip; chirriar=squeak; chivarse=tell on; clasificar=classify; clausurar=close down; codiciar=covet
colarse=jump the queue; columpiar=swing; compaginar=combine; componerse=consist; condimentar=season
confeccionar=make clothes; confirmarse=be confirmed; confiscar=confiscate; congeniar=get on well
conmemorar=commemorate; conmover=move; consagrar=consecrate; constar=be recorded; contabilizar=count
convalidar=validate; cortejar=court; costear=pay for; cotejar=compare; cuadrar=balance; cuajar=set; chequear=check
checar=check; conllevar=entail; cosquillear=tickle; dañarse=get damaged; datar=date; decantarse=opt for
decaer=decline; degradar=degrade; delatar=betray; deleitar=delight; delirar=rave; desactivar=deactivate
activar=activate; desaguar=drain; desalentar=discourage; desbordar=overflow; descontrolarse=lose control
descoser=unpick; desesperar=despair; desfilar=parade; deshidratar=dehydrate; deshinchar=deflate; inflar=inflate
desinflar=deflate; deshojar=pluck leaves; deshuesar=bone; desinteresarse=lose interest; desmentir=deny; desnatar=skim
despistar=mislead; despistarse=get distracted; despreocuparse=stop worrying; desquitarse=get even
desvanecerse=fade away; desviarse=deviate; desvincular=unlink; devorar=devour; dictar=dictate; difuminar=blur
digitalizar=digitize; dilatar=dilate; doblarse=bend; domiciliar=pay by direct debit; dotar=endow; duplicar=duplicate
echarse=lie down; embestir=charge; empadronarse=register as resident; empadronar=register residents; emparejar=pair
enfriarse=get cold; enjuagar=rinse; enjabonar=soap; enmendar=amend; ensimismarse=be absorbed; entablar=start
entumecer=numb; enviudar=become widowed; envolverse=wrap oneself; escasear=be scarce; escayolar=put in a cast
enyesar=put in a cast; escocer=sting; espantarse=be frightened; estancarse=stagnate; estañar=solder
estimarse=be estimated; estreñir=constipate; exfoliar=exfoliate; eximir=exempt; exprimir=squeeze; fiarse=trust
fiar=sell on credit; flipar=be amazed; forrar=line; fotografiarse=be photographed; frecuentar=frequent; gestar=gestate
grapar=staple; guarecerse=take shelter; habilitar=enable; homenajear=pay homage; hurgar=rummage; inhalar=inhale
exhalar=exhale; instalarse=settle in; irritarse=get irritated; izar=hoist; jugarse=risk; juntarse=get together
liarse=get muddled; liar=tie up; lidiar=deal with; liderar=lead; liquidar=liquidate; malinterpretar=misunderstand
ofertar=offer; parcelar=divide land; pavimentar=pave; asfaltar=asphalt; pedalear=pedal; pernoctar=spend the night
pesarse=weigh oneself; pillar=catch; pincharse=prick oneself; pitar=whistle; posar=pose; posarse=perch
pringar=make greasy; ralentizar=slow down; recapacitar=reconsider; recibirse=graduate; recolectar=gather
reconfortar=comfort; regarse=water; remojar=soak; repercutir=affect; resecar=dry out; retorcer=twist
sofocar=suffocate; soltarse=come loose; sonarse=blow nose; sonrojarse=blush; sorprendente=surprising; tatuar=tattoo
tatuarse=get a tattoo; teletrabajar=work from home; terminarse=run out; acabarse=run out; vacacionar=holiday
veranear=spend summer; versar=deal with; viciarse=get addicted; voltear=turn over; zanjar=settle; zumbar=buzz
# more verbs
abanicar=fan; abandonar=abandon; abaratar=make cheaper; abarcar=cover; abatir=knock down; abdicar=abdicate
abollarse=get dented; abofetear=slap; abordar=tackle; abreviar=abbreviate; absorber=absorb; abstenerse=abstain
abundar=abound; acallar=silence; acatar=obey; acechar=lurk; acentuar=accentuate; achacar=attribute
acicalarse=spruce up; aclamar=acclaim; acolchar=pad; acomodar=accommodate; acomodarse=settle in
acondicionar=condition; acongojar=distress; acoplar=fit together; acorralar=corner; acreditar=accredit
acristalar=glaze; acuchillar=stab; apuñalar=stab; adecuar=adapt; adelantarse=go ahead; adherir=adhere
administrarse=manage oneself; adueñarse=take over; adular=flatter; afianzar=strengthen; afligir=distress
afrontar=face; agilizar=speed up; agonizar=be dying; agraviar=offend; agredir=assault; agrupar=group; agudizar=worsen
ahondar=go deeper; ahorcar=hang; alabar=praise; elogiar=praise; alarmar=alarm; albergar=shelter; aliarse=ally
alicatar=tile; embaldosar=tile; alisar=smooth; almidonar=starch; alucinar=hallucinate; aludir=allude; amagar=feint
ambientar=set; ametrallar=machine-gun; amoldarse=adapt; amparar=protect; anestesiar=anaesthetize; angustiar=distress
aniquilar=annihilate; antojarse=crave; anteponer=put before; apedrear=stone; apellidarse=have as surname
aplacar=appease; apostillar=apostille; apoderarse=seize; aprisionar=imprison; apuntalar=prop up; arar=plough
arbitrar=referee; arrasar=devastate; arrebatar=snatch; arrimar=bring closer; arrinconar=corner; asaltar=assault
asediar=besiege; aserrar=saw; asentar=settle; asesorarse=seek advice; asimilar=assimilate; asolar=devastate
asquear=disgust; atenuar=attenuate; aterrar=terrify; atesorar=treasure; atormentar=torment; atracar=mob; aturdir=stun
aunar=combine; autoevaluarse=self-assess; auspiciar=sponsor; avecinarse=approach; avinagrarse=turn sour
avivar=rekindle; babear=drool; balbucear=babble; bambolear=sway; bombear=pump; borronear=scribble; garabatear=scribble
brindarse=offer; cabecear=nod off; cachear=frisk; calar=soak; calcar=trace; calentarse=warm up; camuflar=camouflage
capitanear=captain; carbonizar=char; carcomer=eat away; cartografiar=map; catalogar=catalogue; cegar=blind
cercar=fence; cernir=sift; tamizar=sift; chamuscar=singe; chapotear=splash; cicatrizar=heal; cimentar=lay foundations
circundar=surround; coaccionar=coerce; coagular=clot; cobijar=shelter; coexistir=coexist; colmar=fill up
comercializar=market; comisionar=commission; comparecer=appear in court; compenetrarse=understand each other
computar=compute; concernir=concern; conciliar=reconcile; concursar=compete; condensar=condense
condenarse=be condemned; conectarse=log in; loguearse=log in; desloguearse=log out; confinar=confine
confluir=converge; conjugar=conjugate; conjurar=ward off; conmutar=switch; consternar=dismay; consolidar=consolidate
conspirar=conspire; constatar=verify; constipar=catch a cold; contentar=please; contraatacar=counterattack
contradecirse=contradict oneself; contraponer=contrast; contrarrestar=counteract; convalecer=convalesce
converger=converge; corear=chant; coronar=crown; corretear=run around; cortocircuitar=short-circuit; crispar=tense
cronometrar=time; cruzarse=cross paths; cuantificar=quantify; cubrirse=cover oneself; cuchichear=whisper
debutar=debut; decapitar=behead; decepcionarse=be disappointed; decolorar=bleach; decrecer=decrease; decretar=decree
deambular=wander; defecar=defecate; defraudar=defraud; degenerar=degenerate; demacrar=emaciate; denegar=refuse
denominar=call; derivar=derive; derrapar=skid; derrocar=overthrow; desabrigar=uncover; desacelerar=slow down
desaconsejar=advise against; desagradar=displease; desaparcar=pull out of parking; desarraigar=uproot
desautorizar=disallow; descabezar=behead; descafeinar=decaffeinate; descalificar=disqualify; descalzar=take off shoes
descarrilar=derail; descentralizar=decentralize; descorchar=uncork; descoyuntar=dislocate; descuartizar=cut up
desembocar=flow into; desempatar=break the tie; desempolvar=dust off; desencadenar=trigger; desenfocar=blur
desengañar=disillusion; desenterrar=dig up; desfallecer=feel faint; desfigurar=disfigure; desgranar=shell
desgrasar=degrease; deshelar=thaw; deshonrar=dishonour; designar=designate; desistir=give up
desmaquillar=remove makeup; desmenuzar=shred; desmigar=crumble; desmoronarse=collapse; derrumbar=collapse
desorientar=disorient; despeinar=mess up hair; despellejar=skin; despilfarrar=squander; desplomarse=collapse
despoblar=depopulate; desposar=marry; desprestigiar=discredit; desterrar=exile; destilar=distil; destripar=gut
desvalijar=burgle; desvariar=rave; devaluar=devalue; devastar=devastate; diferir=differ; dignarse=deign
discapacitar=disable; discrepar=disagree; discriminar=discriminate; diseminar=spread; disecar=stuff
dispensar=dispense; dispersar=disperse; distanciar=distance; distorsionar=distort; divagar=ramble; divisar=sight
doctorarse=get a doctorate; documentar=document; drogarse=take drugs; eclipsar=eclipse; economizar=economize
efectuar=carry out; electrocutar=electrocute; emanar=emanate; embadurnar=smear; embalarse=speed up
embarazarse=get pregnant; embargar=seize; embelesar=enchant; embotellar=bottle; embrujar=bewitch; empacar=pack
empañar=mist up; empastar=fill a tooth; empolvar=powder; empotrar=build in; emular=emulate; encadenar=chain
encallar=run aground; encanecer=go grey; encapricharse=take a fancy; encaramarse=climb up; encarar=face
encarcelarse=be jailed; encasillar=pigeonhole; encauzar=channel; encestar=score a basket; enchilar=season with chilli
encolerizarse=get furious; encuadrar=frame; encumbrar=elevate; enderezar=straighten; endosar=endorse
enemistarse=fall out; enfatizar=emphasize; enfundar=sheathe; englobar=include; engullir=gobble; enhebrar=thread
enjaular=cage; enlistar=list; enmudecer=fall silent; enorgullecerse=be proud; enorgullecer=make proud
enraizar=take root; ensalzar=praise; ensartar=string; ensordecer=deafen; entonar=sing in tune; entorpecer=hinder
entornar=half-close; entreabrir=half-open; entreoír=half-hear; entrevistarse=have an interview; entregarse=surrender
entristecerse=become sad; envainar=sheathe; erosionar=erode; erradicar=eradicate; escabullirse=slip away
escandalizar=shock; escarbar=dig around; escarmentar=learn lesson; escenificar=stage; esmaltar=enamel
esmerarse=take great care; espaciar=space out; especular=speculate; espumar=skim; esquematizar=outline
estabilizar=stabilize; estampar=stamp; estandarizar=standardize; estipular=stipulate; estofar=stew; estremecer=shake
estrujar=squeeze; evadir=evade; evidenciar=show; evocar=evoke; exasperar=exasperate; exclamar=exclaim; excusar=excuse
exculpar=exonerate; exhumar=exhume; exonerar=exonerate; expandir=expand; expedir=issue; expropiar=expropriate
extenuar=exhaust; exterminar=exterminate; extirpar=remove surgically; extraerse=be extracted
familiarizarse=become familiar; fantasear=fantasize; fascinar=fascinate; fecundar=fertilize; flamear=flame
flexionar=flex; forjar=forge; formalizar=formalize; formatear=format; formular=formulate; fraccionar=split
franquear=stamp; frustrar=frustrate; frustrarse=get frustrated; fusilar=shoot; fusionar=merge; galopar=gallop
gemir=moan; germinarse=sprout; gesticular=gesture; girarse=turn around; glorificar=glorify; graznar=squawk; gravar=tax
gravitar=gravitate; hechizar=bewitch; hilvanar=tack; hostigar=harass; humear=smoke; husmear=sniff; idear=devise
idolatrar=idolize; impacientarse=get impatient; impartir=teach; impermeabilizar=waterproof; imputar=charge
inaugurarse=open; incapacitar=incapacitate; incautar=seize; incidir=affect; inclinarse=bend; incriminar=incriminate
incrustar=embed; indignar=outrage; indultar=pardon; infiltrar=infiltrate; inhabilitar=disqualify; inhibir=inhibit
inmunizar=immunize; inmutarse=flinch; insinuar=hint; instaurar=establish; instigar=instigate; intensificar=intensify
interponer=file; intimar=become close; intrigar=intrigue; introducirse=get in; invalidar=invalidate
inventariar=inventory; invernar=hibernate; hibernar=hibernate; ironizar=be ironic; irradiar=radiate; jerarquizar=rank
laminar=laminate; lapidar=stone; legalizar=legalize; legitimar=legitimize; liofilizar=freeze-dry; lisonjear=flatter
loar=praise; lucrarse=profit; magullar=bruise; malograr=spoil; malvender=sell off cheaply; mancharse=get stained
maquinar=plot; maravillar=amaze; marginar=exclude; martillear=hammer; mascar=chew; materializar=materialize
maximizar=maximize; mecanizar=mechanize; mentalizarse=prepare mentally; mermar=decrease; metabolizar=metabolize
mitigar=mitigate; modelar=model; moderar=moderate; modernizar=modernize; modular=modulate; monitorizar=monitor
monitorear=monitor; monopolizar=monopolize; moquear=have a runny nose; mordisquear=nibble; mosquear=annoy
mullir=fluff; nacionalizar=nationalize; narcotizar=drug; naufragar=be shipwrecked; normalizar=normalize
numerar=number; objetar=object; obstaculizar=hinder; obstinarse=persist; ondear=wave; optimizar=optimize; osar=dare
oscilar=oscillate; palear=shovel; parafrasear=paraphrase; parodiar=parody; parchear=patch; pastar=graze
pasteurizar=pasteurize; patalear=kick about; patentar=patent; pavonearse=strut; pender=hang; penetrar=penetrate
percutir=strike; perdurar=last; perfilar=outline; perseverar=persevere; persignarse=cross oneself; persistir=persist
personalizar=customize; personarse=appear in person; pervertir=pervert; pestañear=blink; pisotear=trample
podrirse=rot; polemizar=argue; polinizar=pollinate; ponderar=weigh up; posibilitar=make possible; posicionar=position
postergar=postpone; postular=apply; potenciar=boost; preguntarse=wonder; preinscribir=pre-register; presagiar=foretell
preservar=preserve; presidir=preside; presupuestar=budget; procesar=process; procrastinar=procrastinate
procrear=procreate; profanar=desecrate; profundizar=go deeper; proliferar=proliferate; propasarse=go too far
propiciar=favour; prosperar=prosper; prostituir=prostitute; protagonizar=star in; puntualizar=specify
purificar=purify; raer=scrape; raspar=scrape; rastrear=track; rastrillar=rake; ratificar=ratify; reabastecer=restock
reabrir=reopen; reactivar=reactivate; readmitir=readmit; reagrupar=regroup; realzar=enhance; reaparecer=reappear
rebatir=refute; rebosar=overflow; rebuscar=search through; recapitular=recap; recitar=recite; recluir=confine
recocer=overcook; recomenzar=restart; reconfigurar=reconfigure; reconsiderar=reconsider; reconvertir=convert
recortarse=trim; recriminar=reproach; reclutarse=enlist; redimir=redeem; redirigir=redirect; reeducar=re-educate
reelegir=re-elect; refinanciar=refinance; refinar=refine; refutar=refute; regir=govern; reglamentar=regulate
regocijarse=rejoice; rehabilitar=rehabilitate; reinstalar=reinstall; reincidir=relapse; reiterar=reiterate
remangarse=roll up sleeves; remarcar=emphasize; remontar=overcome; remunerar=remunerate; repatriar=repatriate
repeler=repel; repicar=ring; repintar=repaint; represar=dam; reprender=scold; reprogramar=reschedule
reproducir=play back; reproducirse=reproduce; repudiar=repudiate; repugnar=disgust; rescindir=terminate contract
resguardar=shelter; resonar=resound; resoplar=puff; restregar=scrub; resucitar=resurrect; resurgir=re-emerge
retocar=touch up; retoñar=sprout; retransmitir=broadcast; retribuir=pay; revalorizar=appreciate in value
revender=resell; reverdecer=turn green again; revertir=revert; rifar=raffle; rodearse=surround oneself; rotular=label
roturar=plough; sabotear=sabotage; saquear=loot; satirizar=satirize; secuenciar=sequence; segmentar=segment
segregar=segregate; semejar=resemble; sepultar=bury; serenar=calm; silenciar=silence; simplificar=simplify
sincerarse=open up; sintetizar=synthesize; sintonizar=tune in; sitiar=besiege; sobar=fondle; sobrecoger=startle
sobreexcitar=overexcite; sobrentender=understand implicitly; sobresaltar=startle; sobrevolar=fly over; solear=sun
solidarizarse=show solidarity; sondear=sound out; sonsacar=worm out; sopesar=weigh up; soterrar=bury
subarrendar=sublet; subdividir=subdivide; subordinar=subordinate; subsanar=correct; sucumbir=succumb
sugestionar=influence; sulfatar=spray with sulphate; superponer=superimpose; supeditar=subordinate
surcar=plough through; suturar=stitch; tabular=tabulate; tamborilear=drum; tapear=have tapas; tardarse=take long
tartamudear=stutter; telegrafiar=telegraph; tergiversar=distort; testar=make a will; tildar=brand; timbrar=ring
tontear=fool around; torear=fight bulls; tornar=turn; trabarse=get stuck; trabar=fasten; traficar=traffic
trajinar=bustle; tramar=plot; transbordar=transfer; transitar=travel along; transpirar=perspire; trasquilar=shear
trastornar=upset; traumatizar=traumatize; trillar=thresh; trinar=warble; triplicar=triple; tripular=crew
trivializar=trivialize; trotar=jog; truncar=cut short; tutear=address informally; ultimar=finalize; ultrajar=outrage
uniformar=standardize; urbanizar=develop; usurpar=usurp; vadear=wade; vallar=fence; valerse=make use
vaporizar=vaporize; vedar=forbid; velar=watch over; ventear=be windy; vetar=veto; vibrar=vibrate; vindicar=vindicate
virar=turn; visar=endorse; visibilizar=make visible; visualizar=visualize; vitorear=cheer; vivificar=enliven
vulnerar=violate; yacer=lie; yuxtaponer=juxtapose; zafarse=break free; zigzaguear=zigzag
# verbs of the other side of the ocean
ponchar=puncture; apapachar=cuddle; chambear=work; laburar=work; tuitear=tweet
`;
