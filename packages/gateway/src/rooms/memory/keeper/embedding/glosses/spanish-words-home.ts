// Spanish words in English: food, kitchen, home.

export const SPANISH_HOME_WORDS = `
# food and drink
comida=food; alimento=food; alimentación=nutrition; desayuno=breakfast; almuerzo=lunch; merienda=afternoon snack
cena=dinner; bocado=bite; aperitivo=appetizer; tapa=lid; tapas=tapas; pincho=skewer; botana=snack; tentempié=snack
postre=dessert; plato=plate; menú=menu; ración=portion; porción=portion; trozo=piece; pedazo=piece; rebanada=slice
rodaja=slice; loncha=slice; pan=bread; barra=bar; bocadillo=sandwich; sándwich=sandwich; torta=cake; tostada=toast
bollo=bun; cruasán=croissant; medialuna=croissant; magdalena=muffin; galleta=cookie; bizcocho=sponge cake; pastel=cake
tarta=cake; queque=cake; hojaldre=puff pastry; empanada=meat pie; empanadilla=small pie; masa=dough; harina=flour
levadura=yeast; arroz=rice; pasta=pasta; fideo=noodle; espagueti=spaghetti; espaguetis=spaghetti; macarrón=macaroni
macarrones=macaroni; ñoquis=gnocchi; lasaña=lasagne; pizza=pizza; hamburguesa=hamburger; sopa=soup; caldo=broth
consomé=broth; puré=purée; guiso=stew; estofado=stew; potaje=stew; paella=paella; tortilla=omelette
croqueta=croquette; albóndiga=meatball; ensalada=salad; ensaladilla=potato salad; gazpacho=gazpacho; taco=taco
tamal=tamale; arepa=corn cake; ceviche=ceviche; quesadilla=quesadilla; burrito=burrito; enchilada=enchilada
guacamole=guacamole; parrillada=barbecue; barbacoa=barbecue; parrilla=grill; carne=meat; res=beef; ternera=beef
vaca=cow; buey=ox; cerdo=pork; chancho=pig; puerco=pork; cordero=lamb; cabrito=kid goat; conejo=rabbit; pollo=chicken
pechuga=breast; pavo=turkey; pato=duck; filete=steak; bistec=steak; bife=steak; chuleta=chop; solomillo=sirloin
costillas=ribs; jamón=ham; tocino=bacon; bacón=bacon; panceta=bacon; salchicha=sausage; chorizo=chorizo sausage
salchichón=salami; embutido=cold cuts; fiambre=cold meat; morcilla=blood sausage; paté=pâté; pescado=fish
marisco=seafood; mariscos=seafood; atún=tuna; salmón=salmon; bacalao=cod; merluza=hake; sardina=sardine
anchoa=anchovy; boquerón=anchovy; trucha=trout; lubina=sea bass; dorada=sea bream; lenguado=sole; gamba=prawn
camarón=shrimp; langostino=king prawn; langosta=lobster; cangrejo=crab; mejillón=mussel; almeja=clam; ostra=oyster
calamar=squid; pulpo=octopus; sepia=cuttlefish; huevo=egg; yema=yolk; leche=milk; queso=cheese
requesón=cottage cheese; yogur=yogurt; mantequilla=butter; margarina=margarine; nata=cream; lactosa=lactose
gluten=gluten; soja=soy; soya=soy; tofu=tofu; aceite=oil; vinagre=vinegar; sal=salt; pimienta=pepper; pimentón=paprika
especia=spice; hierba=grass; ajo=garlic; cebolla=onion; cebolleta=spring onion; cebollino=chives; puerro=leek
perejil=parsley; cilantro=coriander; albahaca=basil; orégano=oregano; tomillo=thyme; romero=rosemary; laurel=bay leaf
menta=mint; hierbabuena=mint; canela=cinnamon; comino=cumin; azafrán=saffron; jengibre=ginger; nuez=walnut
moscada=nutmeg; vainilla=vanilla; clavo=nail; curry=curry; mostaza=mustard; mayonesa=mayonnaise; kétchup=ketchup
salsa=sauce; miel=honey; mermelada=jam; jalea=jelly; almíbar=syrup; edulcorante=sweetener; chocolate=chocolate
cacao=cocoa; caramelo=candy; dulces=sweets; golosina=candy; chuchería=candy; chicle=chewing gum
bombón=chocolate candy; turrón=nougat; polvorón=shortbread; mazapán=marzipan; churro=churro; buñuelo=fritter
rosquilla=doughnut; dona=doughnut; flan=caramel custard; natillas=custard; gelatina=jelly; sorbete=sorbet
paleta=popsicle; palomitas=popcorn; papa=potato; papas=potatoes; patata=potato; patatas=potatoes; batata=sweet potato
camote=sweet potato; boniato=sweet potato; yuca=cassava; verdura=vegetables; verduras=vegetables; hortaliza=vegetable
legumbre=legume; lenteja=lentil; lentejas=lentils; garbanzo=chickpea; judía=bean; alubia=bean; frijol=bean
fríjol=bean; poroto=bean; haba=broad bean; guisante=pea; arveja=pea; maíz=corn; choclo=corn; elote=corn; trigo=wheat
avena=oats; cebada=barley; centeno=rye; quinua=quinoa; cereal=cereal; tomate=tomato; jitomate=tomato; pepino=cucumber
pepinillo=gherkin; pimiento=bell pepper; chile=chilli; ají=chilli; guindilla=chilli; lechuga=lettuce; escarola=endive
espinaca=spinach; espinacas=spinach; acelga=chard; col=cabbage; repollo=cabbage; coliflor=cauliflower
brócoli=broccoli; berenjena=aubergine; calabacín=zucchini; calabaza=pumpkin; zapallo=pumpkin; zanahoria=carrot
remolacha=beetroot; betabel=beetroot; rábano=radish; nabo=turnip; apio=celery; alcachofa=artichoke
espárrago=asparagus; champiñón=mushroom; seta=mushroom; aceituna=olive; oliva=olive; aguacate=avocado; palta=avocado
alcaparra=caper; fruta=fruit; fruto=fruit; manzana=apple; pera=pear; plátano=banana; banana=banana; banano=banana
guineo=banana; mandarina=tangerine; limón=lemon; lima=lime; pomelo=grapefruit; toronja=grapefruit; uva=grape
uvas=grapes; frutilla=strawberry; frambuesa=raspberry; mora=blackberry; arándano=blueberry; grosella=currant
cereza=cherry; ciruela=plum; melocotón=peach; durazno=peach; albaricoque=apricot; damasco=apricot; nectarina=nectarine
melón=melon; sandía=watermelon; piña=pineapple; ananá=pineapple; mango=mango; papaya=papaya; guayaba=guava
maracuyá=passion fruit; granada=pomegranate; higo=fig; dátil=date fruit; coco=coconut; kiwi=kiwi; membrillo=quince
almendra=almond; avellana=hazelnut; cacahuete=peanut; cacahuate=peanut; maní=peanut; pistacho=pistachio
anacardo=cashew; castaña=chestnut; piñón=pine nut; pipas=sunflower seeds; pipa=pipe; semilla=seed; cáscara=peel
pulpa=pulp; agua=water; hielo=ice; bebida=drink; refresco=soft drink; gaseosa=soda; soda=soda; zumo=juice; jugo=juice
licuado=smoothie; batido=milkshake; limonada=lemonade; horchata=horchata; té=tea; infusión=herbal tea
manzanilla=chamomile; tila=lime blossom tea; yerba=maté tea; capuchino=cappuccino; cafeína=caffeine; vino=wine
tinto=red wine; cava=sparkling wine; champán=champagne; sidra=cider; cerveza=beer; caña=small beer; licor=liqueur
ron=rum; ginebra=gin; whisky=whisky; vodka=vodka; tequila=tequila; aguardiente=brandy; coñac=brandy; cóctel=cocktail
copa=wine glass; trago=drink; sorbo=sip; brindis=toast; sed=thirst; hambre=hunger; apetito=appetite; sabor=flavour
gusto=taste; olor=smell; aroma=aroma; ingrediente=ingredient; cocción=cooking; relleno=filling; guarnición=side dish
conserva=preserve; lata=can; bote=jar; tarro=jar; frasco=jar; botella=bottle; garrafa=jug; tetrabrik=carton
cocinero=cook; chef=chef; panadero=baker; panadería=bakery; pastelería=cake shop; confitería=confectionery
carnicero=butcher; carnicería=butcher's; pescadería=fishmonger's; pescadero=fishmonger; frutería=fruit shop
verdulería=greengrocer's; heladería=ice cream parlour; charcutería=delicatessen; restaurante=restaurant; bar=bar
cafetería=café; taberna=tavern; bodega=wine cellar; cantina=canteen; comedor=dining room; camarero=waiter
mesero=waiter; mozo=waiter; mesonero=waiter; cliente=customer; comensal=diner; propina=tip
# kitchen
cocina=kitchen; horno=oven; microondas=microwave; nevera=fridge; frigorífico=fridge; refrigerador=fridge
heladera=fridge; congelador=freezer; lavavajillas=dishwasher; lavaplatos=dishwasher; vitrocerámica=ceramic hob
fogón=stove; estufa=stove; hornillo=stove; campana=bell; extractor=extractor fan; batidora=blender; licuadora=blender
tostadora=toaster; cafetera=coffee maker; tetera=teapot; hervidor=kettle; exprimidor=juicer; freidora=fryer; olla=pot
cazuela=casserole; cacerola=saucepan; cazo=saucepan; sartén=frying pan; bandeja=tray; fuente=fountain; molde=mould
rallador=grater; colador=strainer; embudo=funnel; abrelatas=can opener; sacacorchos=corkscrew
abrebotellas=bottle opener; cuchillo=knife; tenedor=fork; cuchara=spoon; cucharita=teaspoon; cucharilla=teaspoon
cucharada=tablespoonful; cucharadita=teaspoonful; cucharón=ladle; espátula=spatula; cubiertos=cutlery
vajilla=crockery; taza=cup; tazón=bowl; cuenco=bowl; vaso=glass; jarra=jug; jarro=jug; platillo=saucer
servilleta=napkin; mantel=tablecloth; delantal=apron; trapo=cloth; bayeta=cloth; estropajo=scourer; esponja=sponge
fregadero=kitchen sink; despensa=pantry; encimera=worktop; tupper=food container; fiambrera=lunch box; papel=paper
aluminio=aluminium
# home
casa=house; hogar=home; vivienda=housing; piso=apartment floor; apartamento=apartment; departamento=apartment
estudio=study; ático=attic; dúplex=duplex; chalé=detached house; chalet=detached house; adosado=terraced house
mansión=mansion; cabaña=cabin; choza=hut; edificio=building; rascacielos=skyscraper; bloque=block; portal=entrance
entrada=entrance; entradas=tickets; salida=exit; puerta=door; ventana=window; ventanilla=window; ventanal=large window
cristal=glass; vidrio=glass; persiana=blind; cortina=curtain; visillo=net curtain; mosquitera=mosquito net
toldo=awning; balcón=balcony; terraza=terrace; patio=courtyard; azotea=roof terrace; tejado=roof; techo=ceiling
teja=roof tile; chimenea=fireplace; pared=wall; muro=wall; tabique=partition wall; suelo=floor; parqué=parquet
baldosa=tile; azulejo=tile; alfombra=carpet; moqueta=carpet; felpudo=doormat; escalera=stairs; escaleras=stairs
escalón=step; peldaño=step; barandilla=railing; pasillo=corridor; vestíbulo=hall; recibidor=hall; salón=living room
sala=room; habitación=room; dormitorio=bedroom; recámara=bedroom; alcoba=bedroom; baño=bathroom; aseo=toilet
lavabo=washbasin; váter=toilet; retrete=toilet; bidé=bidet; ducha=shower; regadera=shower; bañera=bathtub
tina=bathtub; grifo=tap; llave=key; llaves=keys; llavero=key ring; cerradura=lock; candado=padlock; cerrojo=bolt
pestillo=latch; pomo=doorknob; manija=handle; manilla=handle; bisagra=hinge; timbre=doorbell; interfono=intercom
telefonillo=intercom; buzón=mailbox; ascensor=lift; elevador=lift; sótano=basement; trastero=storage room
desván=attic; garaje=garage; cochera=garage; jardín=garden; piscina=swimming pool; alberca=swimming pool
pileta=swimming pool; valla=fence; verja=railings; mueble=furniture; muebles=furniture; mesa=table
mesilla=bedside table; mesita=small table; silla=chair; sillón=armchair; butaca=armchair; sofá=sofa; banco=bank
banqueta=stool; taburete=stool; mecedora=rocking chair; hamaca=hammock; cama=bed; litera=bunk bed; cuna=cradle
colchón=mattress; somier=bed base; almohada=pillow; cojín=cushion; sábana=sheet; manta=blanket; cobija=blanket
frazada=blanket; edredón=duvet; colcha=bedspread; armario=wardrobe; ropero=wardrobe; clóset=closet
cómoda=chest of drawers; cajón=drawer; gaveta=drawer; estante=shelf; estantería=shelves; repisa=shelf; balda=shelf
librero=bookcase; vitrina=display cabinet; aparador=sideboard; perchero=coat rack; percha=hanger; espejo=mirror
cuadro=picture; marco=frame; lámpara=lamp; luz=light; luces=lights; bombilla=light bulb; foco=light bulb
ampolleta=light bulb; vela=candle; linterna=torch; interruptor=switch; enchufe=socket; tomacorriente=socket
cable=cable; alargador=extension lead; regleta=power strip; fusible=fuse; diferencial=circuit breaker
contador=meter accountant; medidor=meter; electricidad=electricity; gas=gas; calefacción=heating; radiador=radiator
caldera=boiler; calentador=water heater; termo=thermos; termostato=thermostat; aire=air; acondicionado=conditioning
ventilador=fan; deshumidificador=dehumidifier; humidificador=humidifier; humedad=damp; moho=mould; gotera=leak
fuga=leak; avería=breakdown; tubería=pipe; cañería=pipe; tubo=tube; desagüe=drain; desatascador=plunger
alcantarilla=sewer; cisterna=cistern; lavadora=washing machine; secadora=dryer; plancha=iron; tendedero=clothes line
pinza=clothes peg; aspiradora=vacuum cleaner; escoba=broom; recogedor=dustpan; fregona=mop; trapeador=mop; mopa=mop
cubo=bucket; balde=bucket; cubeta=bucket; basura=rubbish; papelera=wastebasket; contenedor=container
reciclaje=recycling; detergente=detergent; suavizante=softener; lejía=bleach; amoniaco=ammonia; jabón=soap; polvo=dust
mancha=stain; suciedad=dirt; limpieza=cleaning; desorden=mess; orden=order; plumero=feather duster; florero=vase
jarrón=vase; maceta=flowerpot; tiesto=flowerpot; adorno=ornament; decoración=decoration; reloj=clock
despertador=alarm clock; alarma=alarm; cesta=basket; cesto=basket; canasta=basket; caja=box; bolsa=bag
saco=sack jacket; mudanza=moving house; alquiler=rent; arriendo=rent; renta=income rent; inquilino=tenant
arrendatario=tenant; propietario=owner; dueño=owner; arrendador=landlord; propiedad=property; finca=estate
terreno=plot of land; parcela=plot; inmueble=property; inmobiliaria=estate agency; hipoteca=mortgage; fianza=deposit
comunidad=community; portero=doorman; conserje=caretaker; reforma=renovation; obra=construction work
obras=construction work; arquitecto=architect; albañil=bricklayer; fontanero=plumber; plomero=plumber
gasfíter=plumber; electricista=electrician; carpintero=carpenter; cerrajero=locksmith; pintor=painter
cristalero=glazier; tapicero=upholsterer; jardinero=gardener; limpiador=cleaner; asistenta=cleaning lady; criada=maid
mucama=maid
`;
