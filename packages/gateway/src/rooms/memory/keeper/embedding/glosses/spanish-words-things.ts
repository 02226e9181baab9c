// Spanish words in English: tools, materials, garden, animals, clothes.

export const SPANISH_THING_WORDS = `
# tools, repairs, materials
herramienta=tool; martillo=hammer; destornillador=screwdriver; desarmador=screwdriver; tornillo=screw; tuerca=nut
arandela=washer; taladro=drill; taladradora=drill; broca=drill bit; alicate=pliers; alicates=pliers; tenaza=pincers
sierra=saw; serrucho=saw; lija=sandpaper; lijadora=sander; cincel=chisel; hacha=axe; brocha=paintbrush; pincel=brush
rodillo=roller; pintura=paint; barniz=varnish; pegamento=glue; cola=queue; silicona=silicone; cinta=tape; cuerda=rope
soga=rope; cordón=cord; hilo=thread; alambre=wire; cadena=chain; gancho=hook; polea=pulley; palanca=lever
metro=subway metre; nivel=level; escuadra=set square; andamio=scaffold; carretilla=wheelbarrow; soldador=welder
compresor=compressor; motor=engine; bomba=pump; válvula=valve; junta=board meeting; filtro=filter; muelle=spring
resorte=spring; engranaje=gear; rueda=wheel; eje=axle; correa=strap; pila=battery; batería=battery; cargador=charger
generador=generator; máquina=machine; maquinaria=machinery; aparato=device; electrodoméstico=household appliance
dispositivo=device; artefacto=device; pieza=part; repuesto=spare part; recambio=spare part; accesorio=accessory
garantía=warranty; arreglo=repair; reparación=repair; mantenimiento=maintenance; instalación=installation
montaje=assembly; instrucciones=instructions; instrucción=instruction; taller=workshop; ferretería=hardware store
bricolaje=do it yourself; carpintería=carpentry; madera=wood; tabla=board; tablón=plank; viga=beam; listón=slat
corcho=cork; metal=metal; acero=steel; cobre=copper; bronce=bronze; latón=brass; plomo=lead; estaño=tin; zinc=zinc
oro=gold; plata=silver; platino=platinum; diamante=diamond; piedra=stone; roca=rock; mármol=marble; granito=granite
ladrillo=brick; cemento=cement; hormigón=concrete; arena=sand; grava=gravel; barro=mud; arcilla=clay
cerámica=ceramics; porcelana=porcelain; goma=rubber; caucho=rubber; cuero=leather; tela=fabric; tejido=fabric
lana=wool; seda=silk; lino=linen; terciopelo=velvet; nailon=nylon; poliéster=polyester; cartón=cardboard; espuma=foam
cera=wax; carbón=coal; leña=firewood; gasolina=petrol; nafta=petrol; gasoil=diesel; diésel=diesel; petróleo=oil
combustible=fuel; energía=energy; vapor=steam; humo=smoke; fuego=fire; chispa=spark; cerilla=match; fósforo=match
mechero=lighter; encendedor=lighter; ceniza=ash; incendio=fire; extintor=fire extinguisher; bombero=firefighter
bomberos=fire brigade; explosión=explosion; agujero=hole; hueco=gap; grieta=crack; raja=crack; abolladura=dent
rayón=scratch; óxido=rust; nudo=knot; lazo=bow
# garden and plants
césped=lawn; pasto=grass; grama=grass; flor=flower; flores=flowers; ramo=bouquet; rosal=rosebush; tulipán=tulip
clavel=carnation; margarita=daisy; girasol=sunflower; orquídea=orchid; geranio=geranium; lirio=lily; azucena=lily
jazmín=jasmine; hortensia=hydrangea; amapola=poppy; violetas=violets; lavanda=lavender; cactus=cactus; helecho=fern
musgo=moss; hiedra=ivy; enredadera=climbing plant; arbusto=bush; seto=hedge; árbol=tree; tronco=trunk; rama=branch
hoja=leaf sheet; raíz=root; tallo=stem; espina=thorn; corteza=bark; brote=sprout; capullo=bud; pétalo=petal
polen=pollen; pino=pine; abeto=fir; roble=oak; encina=holm oak; olivo=olive tree; abedul=birch; sauce=willow
chopo=poplar; álamo=poplar; ciprés=cypress; palmera=palm tree; eucalipto=eucalyptus; manzano=apple tree
naranjo=orange tree; limonero=lemon tree; cerezo=cherry tree; almendro=almond tree; higuera=fig tree
nogal=walnut tree; peral=pear tree; parra=grapevine; vid=vine; viña=vineyard; viñedo=vineyard; huerto=vegetable garden
huerta=vegetable garden; invernadero=greenhouse; tierra=soil; abono=fertilizer; fertilizante=fertilizer
estiércol=manure; compost=compost; riego=irrigation; manguera=hose; aspersor=sprinkler; rastrillo=rake; pala=shovel
azada=hoe; tijeras=scissors; tijera=scissors; podadora=pruner; cortacésped=lawnmower; plaga=pest; pulgón=aphid
insecticida=insecticide; herbicida=weedkiller; cosecha=harvest; siembra=sowing; poda=pruning; injerto=graft
bosque=forest; selva=jungle; jardinería=gardening; vivero=plant nursery; floristería=flower shop; florería=flower shop
florista=florist; agricultor=farmer; granjero=farmer; campesino=farmer; ganado=livestock; granja=farm; establo=stable
corral=yard; gallinero=henhouse; colmena=beehive; campo=countryside; prado=meadow; pradera=meadow
# animals and pets
animal=animal; mascota=pet; perro=dog; perra=female dog; cachorro=puppy; gato=cat; gata=female cat; gatito=kitten
hámster=hamster; cobaya=guinea pig; cuy=guinea pig; hurón=ferret; tortuga=turtle; pez=fish; peces=fish; pájaro=bird
ave=bird; loro=parrot; periquito=budgie; jaula=cage; pecera=fish tank; acuario=aquarium; pienso=pet food
arenero=litter box; collar=necklace; bozal=muzzle; hocico=snout; pata=paw; garra=claw; cuerno=horn; ala=wing
pluma=pen feather; pico=beak; pelaje=fur; escama=scale; nido=nest; caballo=horse; yegua=mare; potro=foal; burro=donkey
asno=donkey; mula=mule; toro=bull; ternero=calf; oveja=sheep; carnero=ram; cabra=goat; gallina=hen; gallo=rooster
pollito=chick; ganso=goose; oca=goose; cisne=swan; paloma=pigeon; gorrión=sparrow; golondrina=swallow; cigüeña=stork
gaviota=seagull; cuervo=raven; urraca=magpie; búho=owl; lechuza=owl; águila=eagle; halcón=falcon; buitre=vulture
pingüino=penguin; flamenco=flamenco; avestruz=ostrich; colibrí=hummingbird; cóndor=condor; ratón=mouse; rata=rat
ardilla=squirrel; erizo=hedgehog; topo=mole; murciélago=bat; liebre=hare; zorro=fox; lobo=wolf; oso=bear; ciervo=deer
venado=deer; corzo=roe deer; jabalí=wild boar; alce=elk; tigre=tiger; león=lion; leopardo=leopard; jaguar=jaguar
puma=puma; lince=lynx; elefante=elephant; jirafa=giraffe; cebra=zebra; hipopótamo=hippopotamus; rinoceronte=rhinoceros
camello=camel; alpaca=alpaca; mono=monkey; chimpancé=chimpanzee; gorila=gorilla; koala=koala; panda=panda
delfín=dolphin; ballena=whale; foca=seal; tiburón=shark; medusa=jellyfish; estrella=star; cocodrilo=crocodile
caimán=alligator; serpiente=snake; culebra=snake; víbora=viper; lagarto=lizard; lagartija=lizard; iguana=iguana
rana=frog; sapo=toad; insecto=insect; bicho=bug; mosca=fly; mosquito=mosquito; zancudo=mosquito; abeja=bee
avispa=wasp; abejorro=bumblebee; hormiga=ant; araña=spider; mariposa=butterfly; polilla=moth; oruga=caterpillar
gusano=worm; lombriz=earthworm; caracol=snail; babosa=slug; escarabajo=beetle; mariquita=ladybird
saltamontes=grasshopper; grillo=cricket; cigarra=cicada; cucaracha=cockroach; garrapata=tick; pulga=flea
chinche=bedbug; escorpión=scorpion; alacrán=scorpion; dinosaurio=dinosaur; dragón=dragon; rebaño=flock; manada=herd
zoológico=zoo; zoo=zoo; raza=breed; ladrido=barking; camada=litter; microchip=microchip; esterilización=neutering
castración=neutering; adiestrador=dog trainer; protectora=animal shelter
# clothes
ropa=clothes; prenda=garment; vestido=dress; traje=suit; pantalón=trousers; pantalones=trousers; vaqueros=jeans
tejanos=jeans; jeans=jeans; bermudas=shorts; camisa=shirt; camiseta=T-shirt; playera=T-shirt; remera=T-shirt
polera=T-shirt; franela=flannel; polo=polo shirt; blusa=blouse; jersey=sweater; suéter=sweater; buzo=diver
chompa=sweater; sudadera=sweatshirt; chándal=tracksuit; chaqueta=jacket; chamarra=jacket; campera=jacket
americana=jacket; cazadora=jacket; chaleco=vest; abrigo=coat; gabardina=trench coat; anorak=anorak; falda=skirt
pollera=skirt; calzoncillos=underpants; calzoncillo=underpants; bragas=panties; sujetador=bra; sostén=bra; brasier=bra
calcetín=sock; calcetines=socks; medias=stockings; pijama=pyjamas; camisón=nightgown; bata=dressing gown
bañador=swimsuit; bikini=bikini; disfraz=costume; zapato=shoe; zapatos=shoes; zapatilla=sneaker; zapatillas=sneakers
tenis=tennis; bota=boot; botas=boots; sandalia=sandal; chancla=flip-flop; chanclas=flip-flops; pantufla=slipper
tacón=heel; suela=sole; plantilla=template; cordones=shoelaces; sombrero=hat; gorra=cap; gorro=woolly hat; boina=beret
casco=helmet; bufanda=scarf; pañuelo=handkerchief; foulard=scarf; chal=shawl; guante=glove; guantes=gloves
corbata=tie; pajarita=bow tie; cinturón=belt; tirantes=braces; bolsillo=pocket; botón=button; cremallera=zipper
cierre=zipper; velcro=velcro; manga=sleeve; dobladillo=hem; costura=sewing; patrón=pattern; talla=size
probador=fitting room; bolso=handbag; cartera=wallet; billetera=wallet; monedero=purse; mochila=backpack
maleta=suitcase; valija=suitcase; maletín=briefcase; paraguas=umbrella; sombrilla=parasol; bastón=walking stick
joya=jewel; joyas=jewellery; joyería=jeweller's; anillo=ring; sortija=ring; alianza=wedding ring; pulsera=bracelet
brazalete=bracelet; pendientes=earrings; aretes=earrings; arete=earring; broche=brooch; cadenita=little chain
perla=pearl; peluca=wig; moda=fashion; estilo=style; marca=brand; modista=dressmaker; sastre=tailor
zapatero=shoemaker; zapatería=shoe shop; tintorería=dry cleaner's; lavandería=laundry; colada=laundry
mercería=haberdashery; peluquero=hairdresser; peluquería=hairdresser's; barbero=barber; barbería=barber's
esteticista=beautician; maquillaje=makeup; pintalabios=lipstick; labial=lipstick; rímel=mascara; esmalte=nail polish
perfume=perfume; colonia=cologne; desodorante=deodorant; champú=shampoo; acondicionador=conditioner; gel=gel
laca=hairspray; secador=hairdryer; peine=comb; cepillo=brush; dentífrico=toothpaste; maquinilla=razor; cuchilla=blade
navaja=penknife; rasuradora=razor; afeitadora=shaver; toalla=towel; albornoz=bathrobe; compresa=sanitary pad
tampón=tampon; pañal=diaper; pañales=diapers; chupete=pacifier; biberón=baby bottle; mamadera=baby bottle; babero=bib
cochecito=stroller; carrito=cart; protector=protector; bloqueador=sunscreen; tatuaje=tattoo
`;
