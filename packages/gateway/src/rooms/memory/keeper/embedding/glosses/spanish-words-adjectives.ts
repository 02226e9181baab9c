// Spanish words in English: adjectives of size, colour, time, worth, taste, character.

export const SPANISH_ADJECTIVES = `
# size, shape, quantity
grande=big; pequeño=small; chico=boy; mediano=medium; enorme=huge; inmenso=immense; gigante=giant; gigantesco=gigantic
diminuto=tiny; minúsculo=tiny; alto=tall; corto=short; largo=long; ancho=wide; angosto=narrow; estrecho=narrow
amplio=spacious; espacioso=spacious; grueso=thick; gordo=fat; delgado=thin; flaco=skinny; fino=fine; esbelto=slim
obeso=obese; hondo=deep; profundo=deep; superficial=superficial; llano=flat; plano=flat; recto=straight; curvo=curved
torcido=crooked; redondo=round; cuadrado=square; rectangular=rectangular; triangular=triangular; ovalado=oval
puntiagudo=pointed; afilado=sharp; romo=blunt; lleno=full; vacío=empty; entero=whole; completo=complete
incompleto=incomplete; parcial=partial; total=total; máximo=maximum; mínimo=minimum; mayor=older; menor=younger
superior=upper; inferior=lower; numeroso=numerous; escaso=scarce; abundante=abundant; excesivo=excessive; único=unique
extra=extra; restante=remaining; adicional=additional; pesado=heavy; ligero=light; liviano=light; duro=hard
blando=soft; suave=soft; áspero=rough; rugoso=rough; liso=smooth; resbaladizo=slippery; pegajoso=sticky
elástico=elastic; flexible=flexible; rígido=rigid; firme=firm; flojo=loose; suelto=loose; apretado=tight; tenso=tense
sólido=solid; líquido=liquid; gaseoso=fizzy; denso=dense; espeso=thick; transparente=transparent; opaco=opaque
brillante=bright; mate=matte
# colours
rojo=red; azul=blue; verde=green; amarillo=yellow; negro=black; blanco=white; gris=grey; marrón=brown; café=coffee
castaño=brown; pardo=brown; naranja=orange; anaranjado=orange; rosa=pink; rosado=pink; morado=purple; violeta=violet
púrpura=purple; lila=lilac; celeste=light blue; turquesa=turquoise; dorado=golden; plateado=silver; beige=beige
granate=maroon; burdeos=burgundy; crema=cream; rubio=blond; pelirrojo=red-haired; moreno=dark-skinned
canoso=grey-haired; colorido=colourful; multicolor=multicoloured; pálido=pale; oscuro=dark; rayado=striped
estampado=patterned
# age, time, order
nuevo=new; viejo=old; antiguo=ancient; joven=young; anciano=elderly; moderno=modern; reciente=recent; actual=current
contemporáneo=contemporary; anticuado=old-fashioned; tardío=late; puntual=punctual; previo=previous; anterior=previous
siguiente=next; posterior=later; próximo=next; pasado=last; futuro=future; presente=present; eterno=eternal
breve=brief; duradero=lasting; permanente=permanent; temporal=temporary; provisional=provisional; definitivo=final
diario=daily; semanal=weekly; quincenal=fortnightly; mensual=monthly; bimestral=bimonthly; trimestral=quarterly
semestral=half-yearly; anual=annual; frecuente=frequent; raro=strange; habitual=usual; normal=normal
corriente=current; común=common; ordinario=ordinary; extraordinario=extraordinary; especial=special
particular=private; general=general; específico=specific; concreto=concrete; abstracto=abstract; exacto=exact
preciso=precise; aproximado=approximate; vago=lazy; cierto=true; verdadero=true; falso=false; real=real; irreal=unreal
imaginario=imaginary; auténtico=authentic; original=original; genuino=genuine; artificial=artificial; natural=natural
sintético=synthetic
# good and bad
malo=bad; excelente=excellent; estupendo=great; maravilloso=wonderful; fantástico=fantastic; fenomenal=great
genial=great; increíble=incredible; magnífico=magnificent; espléndido=splendid; perfecto=perfect; ideal=ideal
óptimo=optimal; mediocre=mediocre; pésimo=terrible; horrible=horrible; terrible=terrible; fatal=awful
espantoso=dreadful; horroroso=horrible; asqueroso=disgusting; repugnante=disgusting; chévere=cool; padre=father
guay=cool; bacano=cool; chido=cool; bonito=pretty; lindo=pretty; hermoso=beautiful; bello=beautiful; precioso=lovely
guapo=handsome; feo=ugly; atractivo=attractive; elegante=elegant; encantador=charming; agradable=pleasant
desagradable=unpleasant; cómodo=comfortable; incómodo=uncomfortable; acogedor=cosy; útil=useful; inútil=useless
práctico=practical; necesario=necessary; innecesario=unnecessary; imprescindible=essential; indispensable=essential
esencial=essential; básico=basic; fundamental=fundamental; importante=important; principal=main; secundario=secondary
urgente=urgent; grave=serious; leve=mild; fuerte=strong; débil=weak; intenso=intense; potente=powerful
poderoso=powerful; eficaz=effective; eficiente=efficient; fácil=easy; difícil=difficult; sencillo=simple
simple=simple; complicado=complicated; complejo=complex; posible=possible; imposible=impossible; probable=probable
improbable=unlikely; seguro=insurance; inseguro=insecure; peligroso=dangerous; arriesgado=risky; inofensivo=harmless
dañino=harmful; nocivo=harmful; tóxico=toxic; venenoso=poisonous; sano=healthy; saludable=healthy; perjudicial=harmful
limpio=clean; sucio=dirty; puro=pure; impuro=impure; ordenado=tidy; desordenado=messy; roto=broken; estropeado=broken
averiado=broken down; intacto=intact; defectuoso=faulty; usado=used; gastado=worn out; barato=cheap; caro=expensive
costoso=costly; económico=economical; gratuito=free of charge; valioso=valuable; lujoso=luxurious; pobre=poor
rico=rich; adinerado=wealthy; millonario=millionaire; humilde=humble; caliente=hot; frío=cold; fresco=fresh
tibio=lukewarm; templado=mild; cálido=warm; helado=ice cream; congelado=frozen; húmedo=humid; mojado=wet; seco=dry
árido=arid; lluvioso=rainy; soleado=sunny; nublado=cloudy; nuboso=cloudy; ventoso=windy; nevado=snowy
tormentoso=stormy; despejado=clear; bochornoso=muggy; rápido=fast; veloz=fast; lento=slow; ágil=agile; torpe=clumsy
quieto=still; inmóvil=motionless; móvil=mobile phone; tranquilo=calm; silencioso=silent; ruidoso=noisy; callado=quiet
mudo=mute; sordo=deaf; ciego=blind; cojo=lame; manco=one-armed; calvo=bald; zurdo=left-handed; diestro=right-handed
miope=short-sighted
# taste
dulce=sweet; salado=salty; amargo=bitter; ácido=acid; agrio=sour; picante=spicy; soso=bland; insípido=tasteless
sabroso=tasty; delicioso=delicious; exquisito=exquisite; crudo=raw; cocido=cooked; frito=fried; asado=roast
hervido=boiled; tostado=toasted; ahumado=smoked; maduro=ripe; verdoso=greenish; podrido=rotten; rancio=rancid
caducado=expired; jugoso=juicy; tierno=tender; crujiente=crunchy; cremoso=creamy; grasiento=greasy; graso=fatty
magro=lean; integral=wholegrain; casero=homemade; vegetal=vegetable; vegetariano=vegetarian; vegano=vegan
ecológico=organic; orgánico=organic; alcohólico=alcoholic; descafeinado=decaffeinated; desnatado=skimmed
descremado=skimmed; semidesnatado=semi-skimmed; apetitoso=appetizing; comestible=edible
# character
simpático=friendly; antipático=unfriendly; amable=kind; amistoso=friendly; cariñoso=affectionate
afectuoso=affectionate; cordial=cordial; educado=polite; maleducado=rude; grosero=rude; cortés=polite
descortés=impolite; respetuoso=respectful; irrespetuoso=disrespectful; generoso=generous; egoísta=selfish
tacaño=stingy; codicioso=greedy; ambicioso=ambitious; honesto=honest; honrado=honest; deshonesto=dishonest
sincero=sincere; mentiroso=liar; hipócrita=hypocritical; leal=loyal; fiel=faithful; infiel=unfaithful; traidor=traitor
inteligente=intelligent; listo=clever; astuto=cunning; sabio=wise; culto=cultured; ignorante=ignorant; tonto=silly
estúpido=stupid; idiota=idiot; bobo=silly; imbécil=idiot; loco=crazy; cuerdo=sane; sensato=sensible
razonable=reasonable; prudente=prudent; imprudente=reckless; valiente=brave; cobarde=cowardly; audaz=bold
atrevido=daring; tímido=shy; vergonzoso=shy; extrovertido=extroverted; introvertido=introverted; sociable=sociable
solitario=lonely; hablador=talkative; charlatán=chatterbox; reservado=reserved; discreto=discreet
indiscreto=indiscreet; curioso=curious; chismoso=gossipy; cotilla=gossip; paciente=patient; impaciente=impatient
tolerante=tolerant; intolerante=intolerant; terco=stubborn; testarudo=stubborn; tozudo=stubborn; cabezota=stubborn
obstinado=stubborn; perezoso=lazy; holgazán=lazy; trabajador=hard-working; aplicado=diligent; diligente=diligent
responsable=responsible; irresponsable=irresponsible; cuidadoso=careful; descuidado=careless; meticuloso=meticulous
distraído=absent-minded; despistado=absent-minded; olvidadizo=forgetful; atento=attentive; alegre=cheerful
feliz=happy; contento=happy; triste=sad; infeliz=unhappy; deprimido=depressed; melancólico=melancholic; serio=serious
gracioso=funny; divertido=fun; chistoso=funny; aburrido=boring; entretenido=entertaining; interesante=interesting
emocionante=exciting; apasionante=thrilling; impresionante=impressive; asombroso=amazing; optimista=optimistic
pesimista=pessimistic; realista=realistic; soñador=dreamer; romántico=romantic; sensible=sensitive
insensible=insensitive; sentimental=sentimental; emocional=emotional; celoso=jealous; envidioso=envious
rencoroso=resentful; vengativo=vindictive; cruel=cruel; malvado=evil; malicioso=malicious; perverso=perverse
violento=violent; agresivo=aggressive; pacífico=peaceful; nervioso=nervous; ansioso=anxious; preocupado=worried
estresado=stressed; agobiado=overwhelmed; relajado=relaxed; cansado=tired; agotado=exhausted; rendido=exhausted
dormido=asleep; despierto=awake; enfadado=angry; enojado=angry; furioso=furious; molesto=annoyed; harto=fed up
disgustado=upset; decepcionado=disappointed; frustrado=frustrated; asustado=frightened; aterrado=terrified
sorprendido=surprised; emocionado=excited; ilusionado=hopeful; entusiasmado=enthusiastic; orgulloso=proud
avergonzado=ashamed; culpable=guilty; inocente=innocent; arrepentido=repentant; enamorado=in love
satisfecho=satisfied; insatisfecho=dissatisfied; agradecido=grateful; ingrato=ungrateful; desesperado=desperate
esperanzado=hopeful
`;
