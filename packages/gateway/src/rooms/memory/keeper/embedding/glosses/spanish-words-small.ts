// Spanish words in English: articles, pronouns, prepositions, adverbs, greetings, numbers.

export const SPANISH_SMALL_TABLE = `
# articles and pronouns
el=; la=; los=; las=; lo=it; un=; una=; unos=some; unas=some; al=to; del=of; yo=I; tú=you; vos=you; usted=you
ustedes=you; él=he; ella=she; ello=it; ellos=they; ellas=they; nosotros=we; nosotras=we; vosotros=you; vosotras=you
me=me; te=you; se=; nos=us; os=you; le=; les=them; mí=me; ti=you; sí=yes; conmigo=with me; contigo=with you
consigo=with oneself; mi=my; mis=my; tu=your; tus=your; su=their; sus=their; mío=mine; tuyo=yours; suyo=theirs
nuestro=our; vuestro=your; este=this; esta=this; estos=these; estas=these; esto=this; ese=that; esa=that; esos=those
esas=those; eso=that; aquel=that; aquella=that; aquellos=those; aquellas=those; aquello=that; que=that; qué=what
quien=who; quién=who; quienes=who; quiénes=who; cual=which; cuál=which; cuales=which; cuáles=which; cuyo=whose
cuándo=when; cuando=when; dónde=where; donde=where; adónde=where to; adonde=where; cómo=how; como=like
cuánto=how much; cuánta=how much; cuántos=how many; cuántas=how many; cuanto=as much; cuantos=as many; porqué=reason
alguien=someone; nadie=nobody; algo=something; nada=nothing; alguno=some; algún=some; ninguno=none; ningún=no
cualquiera=any; cualquier=any; cualesquiera=any; cada=every; todo=all; todos=all; mucho=much; muchos=many; muchas=many
poco=little; pocos=few; pocas=few; varios=several; demás=rest; otro=other; mismo=same; ambos=both; sendos=each
tanto=so much; tantos=so many; tantas=so many; tal=such; tales=such; propio=own; demasiado=too much
demasiados=too many; demasiadas=too many; bastante=enough; suficiente=enough; más=more; mas=but; menos=less; tan=so
muy=very; fulano=someone
# prepositions and conjunctions
a=to; ante=before; bajo=under; con=with; contra=against; de=of; desde=from; durante=during; en=in; entre=between
hacia=towards; hasta=until; mediante=by means of; para=for; por=for; según=according to; sin=without; so=under
sobre=about; tras=after; versus=versus; vía=track; excepto=except; salvo=except; incluso=even; y=and; e=and; o=or
u=or; ni=nor; pero=but; sino=but rather; aunque=although; porque=because; pues=well; si=if; mientras=while; conque=so
luego=later; apenas=hardly; siquiera=even; además=also; tampoco=neither; también=also; no=not; nunca=never
jamás=never; siempre=always; obstante=nevertheless
# adverbs
aquí=here; acá=here; ahí=there; allí=there; allá=there; cerca=near; lejos=far; dentro=inside; adentro=inside
fuera=outside; afuera=outside; arriba=up; abajo=down; encima=on top; debajo=underneath; delante=in front
adelante=forward; detrás=behind; atrás=back; alrededor=around; enfrente=opposite; junto=together; juntos=together
aparte=apart; ahora=now; ahorita=right now; hoy=today; ayer=yesterday; anteayer=day before yesterday
antier=day before yesterday; anoche=last night; anteanoche=night before last; mañana=tomorrow morning; antes=before
después=after; entonces=then; pronto=soon; tarde=late afternoon; temprano=early; ya=already; aún=still; aun=even
todavía=still; recién=just; enseguida=right away; seguido=often; antaño=long ago; bien=well; mal=bad; mejor=better
peor=worse; así=this way; despacio=slowly; deprisa=quickly; aprisa=quickly; adrede=on purpose; gratis=free of charge
casi=almost; sólo=only; solo=only; solamente=only; únicamente=only; quizá=maybe; quizás=maybe; acaso=perhaps
talvez=maybe; ojalá=hopefully; claro=clear; vale=okay; bueno=good; buen=good; buena=good; gran=great; primer=first
tercer=third; san=saint; medio=half; acerca=about; asimismo=likewise; sobremanera=greatly; viceversa=vice versa
etcétera=et cetera; etc=et cetera; jueves=Thursday; lunes=Monday; martes=Tuesday; miércoles=Wednesday; viernes=Friday
sábado=Saturday; domingo=Sunday; aproximadamente=approximately; actualmente=currently; anteriormente=previously
últimamente=lately; finalmente=finally; realmente=really; especialmente=especially; generalmente=usually
normalmente=usually; habitualmente=usually; posiblemente=possibly; probablemente=probably; seguramente=surely
efectivamente=indeed; prácticamente=practically; simplemente=simply; básicamente=basically; absolutamente=absolutely
completamente=completely; totalmente=totally; exactamente=exactly; justamente=exactly; inmediatamente=immediately
lentamente=slowly; rápidamente=quickly; recientemente=recently; frecuentemente=often; raramente=rarely
nuevamente=again; igualmente=likewise; desgraciadamente=unfortunately; desafortunadamente=unfortunately
lamentablemente=unfortunately; afortunadamente=luckily; obviamente=obviously; evidentemente=obviously
supuestamente=supposedly; aparentemente=apparently; principalmente=mainly; sobradamente=amply; mensualmente=monthly
semanalmente=weekly; diariamente=daily; anualmente=yearly; previamente=previously; posteriormente=later
gradualmente=gradually; repentinamente=suddenly; súbitamente=suddenly; temporalmente=temporarily
personalmente=personally; gravemente=seriously; francamente=frankly
# greetings and little words of talk
hola=hello; adiós=goodbye; chao=bye; chau=bye; gracias=thanks; perdón=sorry; disculpa=sorry; oye=hey; ojo=eye; ay=oh
oh=oh; eh=; ah=oh; uf=phew; ja=haha; jaja=haha; jajaja=haha; okey=okay; ok=okay; bienvenido=welcome
enhorabuena=congratulations; felicidades=congratulations; salud=health; saludo=greeting; abrazo=hug; beso=kiss
amén=amen; órale=wow; olé=bravo; bravo=brave
# numbers
cero=zero; uno=one; dos=two; tres=three; cuatro=four; cinco=five; seis=six; siete=seven; ocho=eight; nueve=nine
diez=ten; once=eleven; doce=twelve; trece=thirteen; catorce=fourteen; quince=fifteen; dieciséis=sixteen
diecisiete=seventeen; dieciocho=eighteen; diecinueve=nineteen; veinte=twenty; veintiuno=twenty-one
veintiún=twenty-one; veintidós=twenty-two; veintitrés=twenty-three; veinticuatro=twenty-four; veinticinco=twenty-five
veintiséis=twenty-six; veintisiete=twenty-seven; veintiocho=twenty-eight; veintinueve=twenty-nine; treinta=thirty
cuarenta=forty; cincuenta=fifty; sesenta=sixty; setenta=seventy; ochenta=eighty; noventa=ninety; cien=hundred
ciento=hundred; cientos=hundreds; doscientos=two hundred; trescientos=three hundred; cuatrocientos=four hundred
quinientos=five hundred; seiscientos=six hundred; setecientos=seven hundred; ochocientos=eight hundred
novecientos=nine hundred; mil=thousand; miles=thousands; millón=million; billón=trillion; millar=thousand
primero=first; segundo=second; tercero=third; cuarto=room; quinto=fifth; sexto=sixth; séptimo=seventh; octavo=eighth
noveno=ninth; décimo=tenth; undécimo=eleventh; duodécimo=twelfth; vigésimo=twentieth; centésimo=hundredth
enésimo=umpteenth; último=last; penúltimo=second to last; docena=dozen; decena=ten; quincena=fortnight
veintena=twenty; centenar=hundred; centena=hundred; mitad=half; tercio=third; doble=double; triple=triple
cuádruple=quadruple; par=pair; pareja=couple; número=number; cifra=figure; dígito=digit; cantidad=amount
porcentaje=percentage
`;
