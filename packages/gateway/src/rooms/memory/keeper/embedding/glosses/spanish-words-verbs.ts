// Spanish words in English: verbs of moving, giving, working, speaking, thinking, playing.

export const SPANISH_VERBS = `
# being, having, doing
ser=be; estar=be; haber=have; tener=have; hacer=do; decir=say; ir=go; irse=leave; poder=can; poner=put; ponerse=put on
querer=want; saber=know; traer=bring; venir=come; ver=see; dar=give; oír=hear; caer=fall; caerse=fall down
conducir=drive; deber=must; soler=usually do; parecer=seem; parecerse=resemble; existir=exist; suceder=happen
ocurrir=happen; pasar=pass happen; acontecer=happen; resultar=turn out; quedar=stay meet; quedarse=stay
permanecer=remain; seguir=continue; continuar=continue; empezar=start; comenzar=start; iniciar=start; acabar=finish
terminar=finish; finalizar=finish; concluir=conclude; parar=stop; detener=stop; dejar=leave; cesar=cease
cambiar=change; convertir=convert; convertirse=become; volver=return; volverse=become; regresar=return
devolver=give back; repetir=repeat; necesitar=need; faltar=lack; sobrar=be left over; bastar=be enough
importar=matter; valer=be worth; costar=cost; servir=serve; usar=use; utilizar=use; emplear=employ
aprovechar=take advantage; intentar=try; tratar=treat; procurar=try; probar=try; lograr=achieve; conseguir=get
obtener=obtain; alcanzar=reach; fracasar=fail; fallar=fail; evitar=avoid; impedir=prevent; permitir=allow
prohibir=forbid; obligar=force; ayudar=help; apoyar=support; colaborar=collaborate; cooperar=cooperate
participar=take part; contribuir=contribute; ocupar=occupy; ocuparse=take care of; encargar=order
encargarse=take care of; cuidar=look after; atender=attend; preparar=prepare; organizar=organize; planear=plan
planificar=plan; decidir=decide; elegir=choose; escoger=choose; seleccionar=select; preferir=prefer; optar=opt
aceptar=accept; rechazar=reject; negar=deny; negarse=refuse; admitir=admit; confirmar=confirm; comprobar=check
verificar=verify; revisar=review; controlar=control; examinar=examine; inspeccionar=inspect; analizar=analyze
comparar=compare; medir=measure; pesar=weigh; contar=count tell; calcular=calculate; sumar=add up; restar=subtract
multiplicar=multiply; dividir=divide; repartir=share out; compartir=share; distribuir=distribute; mezclar=mix
juntar=put together; unir=join; separar=separate; reunir=gather; reunirse=meet; añadir=add; agregar=add
incluir=include; excluir=exclude; quitar=remove; quitarse=take off; retirar=withdraw; eliminar=eliminate
borrar=delete; suprimir=suppress; aumentar=increase; incrementar=increase; subir=go up; bajar=go down
disminuir=decrease; reducir=reduce; crecer=grow; ampliar=enlarge; extender=extend; mejorar=improve
mejorarse=get better; empeorar=get worse; deteriorar=deteriorate; desarrollar=develop; progresar=progress
avanzar=advance; retroceder=go back; adelantar=overtake; atrasar=delay; retrasar=delay; retrasarse=be late
demorar=delay; tardar=take time; aplazar=postpone; posponer=postpone; prorrogar=extend; anticipar=anticipate
durar=last; esperar=wait hope; aguardar=wait
# moving
andar=walk; caminar=walk; pasear=stroll; correr=run; saltar=jump; brincar=jump; nadar=swim; bucear=dive; volar=fly
montar=ride; cabalgar=ride; trepar=climb; escalar=climb; gatear=crawl; arrastrar=drag; deslizar=slide; resbalar=slip
tropezar=stumble; cojear=limp; entrar=enter; salir=go out; llegar=arrive; llevar=carry; llevarse=take away
partir=depart; marchar=march; marcharse=leave; acercar=bring near; acercarse=approach; alejar=move away; cruzar=cross
atravesar=cross; girar=turn; doblar=fold; torcer=twist; desviar=divert; rodear=surround; perseguir=chase; huir=flee
escapar=escape; acompañar=accompany; guiar=guide; dirigir=direct; dirigirse=head for; encontrar=find; encontrarse=meet
hallar=find; buscar=look for; perder=lose; perderse=get lost; viajar=travel; recorrer=travel through; visitar=visit
despegar=take off; aterrizar=land; embarcar=board; desembarcar=disembark; navegar=sail; remar=row; manejar=drive
aparcar=park; estacionar=park; parquear=park; frenar=brake; acelerar=accelerate; arrancar=start up; repostar=refuel
remolcar=tow; chocar=crash; estrellar=crash; atropellar=run over; volcar=overturn; pinchar=puncture; mudar=move
mudarse=move house; trasladar=transfer; transportar=transport; mover=move; empujar=push; tirar=throw; jalar=pull
halar=pull; lanzar=throw; arrojar=throw; echar=throw; botar=throw away; levantar=get up; levantarse=get up
alzar=raise; colgar=hang; descolgar=pick up; colocar=place; situar=place; apoyarse=lean; sentar=sit; sentarse=sit down
acostar=go to bed; acostarse=go to bed; tumbar=knock down; tumbarse=lie down; agachar=bend down; arrodillar=kneel
inclinar=lean; sacudir=shake; agitar=shake; temblar=tremble; balancear=swing; rodar=roll; flotar=float; hundir=sink
sumergir=submerge; hinchar=swell; meter=put in; sacar=take out; introducir=insert; insertar=insert; extraer=extract
guardar=keep; esconder=hide; ocultar=hide; mostrar=show; enseñar=teach show; exhibir=exhibit; señalar=point out
indicar=indicate; coger=take; tomar=take; agarrar=grab; asir=grasp; sujetar=hold; sostener=hold; mantener=maintain
soltar=let go; recoger=pick up; cargar=load; descargar=download; entregar=deliver; enviar=send; mandar=send
remitir=send; recibir=receive; repartirse=share; ofrecer=offer; regalar=gift; donar=donate; prestar=lend
alquilar=rent; arrendar=rent; rentar=rent; comprar=buy; vender=sell; pagar=pay; cobrar=charge; gastar=spend
ahorrar=save money; ganar=win earn; invertir=invest; deberse=be due to; adeudar=owe; endeudarse=get into debt
endeudar=indebt; financiar=finance; hipotecar=mortgage; apostar=bet; robar=steal; hurtar=steal; estafar=swindle
engañar=deceive; timar=swindle; sobornar=bribe; facturar=check in; reembolsar=refund; abonar=pay fertilize
cotizar=quote; declarar=declare; deducir=deduct; desgravar=deduct tax; tributar=pay tax; tasar=appraise; valorar=value
regatear=haggle; rebajar=reduce price; descontar=discount; subastar=auction; negociar=negotiate; contratar=hire
despedir=dismiss; despedirse=say goodbye; dimitir=resign; renunciar=resign; jubilar=retire; ascender=promote
trabajar=work; laborar=work; currar=work; esforzarse=make an effort; esforzar=strain; cansar=tire; cansarse=get tired
descansar=rest; reposar=rest; relajar=relax; vaguear=laze; holgazanear=laze
# speaking and thinking
hablar=speak; platicar=chat; charlar=chat; conversar=talk; dialogar=talk; comentar=comment; discutir=argue
debatir=debate; opinar=think; pensar=think; creer=believe; dudar=doubt; suponer=suppose; imaginar=imagine
sospechar=suspect; adivinar=guess; acertar=guess right; equivocarse=be mistaken; equivocar=mistake; errar=err
confundir=confuse; entender=understand; comprender=understand; captar=grasp; aprender=learn; estudiar=study
investigar=research; averiguar=find out; descubrir=discover; inventar=invent; crear=create; recordar=remember
acordar=agree; acordarse=remember; olvidar=forget; memorizar=memorize; conocer=know; reconocer=recognize
distinguir=distinguish; diferenciar=differentiate; notar=notice; percibir=perceive; observar=observe; mirar=look
fijarse=notice; fijar=fix; contemplar=contemplate; vigilar=watch; espiar=spy; escuchar=listen; sonar=sound
callar=be silent; callarse=be quiet; gritar=shout; chillar=scream; susurrar=whisper; murmurar=murmur; preguntar=ask
responder=answer; contestar=answer; replicar=reply; explicar=explain; aclarar=clarify; describir=describe
narrar=narrate; relatar=tell; anunciar=announce; avisar=notify; advertir=warn; alertar=alert; informar=inform
notificar=notify; comunicar=communicate; expresar=express; manifestar=express; mencionar=mention; nombrar=name
llamar=call; llamarse=be called; telefonear=phone; marcar=dial; afirmar=affirm; asegurar=insure; garantizar=guarantee
prometer=promise; jurar=swear; cumplir=fulfil; mentir=lie; exagerar=exaggerate; bromear=joke; insultar=insult
criticar=criticize; quejar=complain; protestar=protest; reclamar=claim; pedir=ask for; solicitar=request; rogar=beg
suplicar=beg; exigir=demand; ordenar=tidy up; aconsejar=advise; recomendar=recommend; sugerir=suggest
proponer=propose; convencer=convince; persuadir=persuade; animar=encourage; alentar=encourage; felicitar=congratulate
agradecer=thank; disculpar=excuse; disculparse=apologize; perdonar=forgive; saludar=greet; presentar=present
invitar=invite; convidar=invite; citar=make appointment; acudir=attend; asistir=attend; aparecer=appear
desaparecer=disappear; leer=read; releer=reread; escribir=write; anotar=write down; apuntar=note down
apuntarse=sign up; redactar=write; copiar=copy; firmar=sign; subrayar=underline; tachar=cross out; corregir=correct
traducir=translate; interpretar=interpret; deletrear=spell; pronunciar=pronounce; imprimir=print; publicar=publish
editar=edit; dibujar=draw; pintar=paint; colorear=colour; esculpir=sculpt; fotografiar=photograph; retratar=portray
grabar=record; filmar=film; cantar=sing; tocar=touch play; palpar=feel; bailar=dance; danzar=dance; actuar=act
ensayar=rehearse; estrenar=premiere; aplaudir=applaud; silbar=whistle; tararear=hum; jugar=play; competir=compete
entrenar=train; practicar=practice; ejercitar=exercise; ejercer=practise; golpear=hit; pegar=stick hit; patear=kick
botarse=bounce; chutar=shoot; marcarse=score; vencer=expire; derrotar=defeat; empatar=draw; batir=beat; luchar=fight
pelear=fight; pelearse=quarrel; reñir=quarrel; atacar=attack; defender=defend; proteger=protect; amenazar=threaten
herir=injure; lesionar=injure; lesionarse=get injured; matar=kill; asesinar=murder; disparar=shoot; secuestrar=kidnap
torturar=torture; violar=rape; abusar=abuse; maltratar=mistreat; acosar=harass; arrestar=arrest; encarcelar=imprison
liberar=free; rescatar=rescue; salvar=save; socorrer=help; rendirse=give up; rendir=perform; conquistar=conquer
invadir=invade; destruir=destroy
`;
