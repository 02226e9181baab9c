// Spanish words in English: travel, nature, time, computers.

export const SPANISH_WORLD_WORDS = `
# travel and transport
viaje=trip; viajero=traveller; turista=tourist; turismo=tourism; equipaje=luggage; bulto=package; pasaporte=passport
visado=visa; visa=visa; dni=identity card; carné=card; carnet=card; cédula=identity card; boleto=ticket; pasaje=fare
tarifa=fare; reserva=reservation; reservación=reservation; hotel=hotel; hostal=hostel; albergue=hostel; posada=inn
alojamiento=accommodation; hospedaje=lodging; estancia=stay; recepción=reception; itinerario=itinerary; ruta=route
trayecto=journey; recorrido=route; destino=destination; origen=origin; ida=outward trip; vuelta=return; regreso=return
llegada=arrival; partida=departure; retraso=delay; demora=delay; escala=stopover; conexión=connection
transbordo=transfer; crucero=cruise; safari=safari; camping=campsite; campamento=camp; carpa=tent; caravana=caravan
autocaravana=camper van; guía=guide; folleto=brochure; recuerdo=remember memory; recuerdos=memories; postal=postcard
souvenir=souvenir; aventura=adventure; expedición=expedition; avión=plane; vuelo=flight; aeropuerto=airport
aerolínea=airline; terminal=terminal; embarque=boarding; aterrizaje=landing; despegue=take-off; helicóptero=helicopter
cohete=rocket; barco=ship; buque=ship; lancha=motorboat; velero=sailing boat; yate=yacht; transbordador=ferry
ferry=ferry; canoa=canoe; kayak=kayak; remo=oar; ancla=anchor; puerto=harbour; faro=lighthouse; tren=train
ferrocarril=railway; vagón=carriage; andén=platform; estación=station season; subte=subway; tranvía=tram; autobús=bus
bus=bus; camión=truck; ómnibus=bus; micro=minibus; autocar=coach; parada=stop; paradero=bus stop; taxi=taxi; coche=car
carro=car; auto=car; automóvil=car; vehículo=vehicle; furgoneta=van; camioneta=pickup truck; todoterreno=off-road car
remolque=trailer; tractor=tractor; moto=motorcycle; motocicleta=motorcycle; ciclomotor=moped; patinete=scooter
monopatín=skateboard; bicicleta=bicycle; bici=bicycle; triciclo=tricycle; pedal=pedal; manillar=handlebar
sillín=saddle; neumático=tyre; llanta=tyre; volante=steering wheel; freno=brake; frenos=brakes; acelerador=accelerator
embrague=clutch; marcha=march; parabrisas=windscreen; limpiaparabrisas=windscreen wiper; retrovisor=rear-view mirror
capó=bonnet; maletero=car boot; cajuela=car boot; baúl=trunk; parachoques=bumper; asiento=seat
guantera=glove compartment; escape=exhaust; bujía=spark plug; alternador=alternator; placa=plate; patente=patent
autoescuela=driving school; itv=vehicle inspection; gasolinera=petrol station; bencina=petrol; surtidor=petrol pump
aparcamiento=parking; estacionamiento=parking; parking=parking; parqueadero=parking; carretera=road
autopista=motorway; autovía=motorway; camino=path; sendero=trail; peaje=toll; atajo=shortcut; desvío=detour
tráfico=traffic; tránsito=traffic; atasco=traffic jam; embotellamiento=traffic jam; trancón=traffic jam
peatón=pedestrian; ciclista=cyclist; motociclista=motorcyclist; motorista=motorcyclist; choque=crash
accidente=accident; grúa=tow truck; velocidad=speed; kilometraje=mileage; transporte=transport; carga=load
movilidad=mobility
# nature, weather
naturaleza=nature; paisaje=landscape; montaña=mountain; monte=hill; cerro=hill; colina=hill; cordillera=mountain range
cumbre=summit; cima=summit; valle=valley; cueva=cave; acantilado=cliff; precipicio=precipice; volcán=volcano
lava=lava; terremoto=earthquake; temblor=tremor; sismo=earthquake; tsunami=tsunami; oasis=oasis; isla=island
península=peninsula; playa=beach; orilla=shore; bahía=bay; cabo=cape; mar=sea; océano=ocean; ola=wave; marea=tide
río=river; arroyo=stream; lago=lake; laguna=lagoon; pantano=swamp; embalse=reservoir; presa=dam; cascada=waterfall
catarata=waterfall; glaciar=glacier; manantial=spring; pozo=well; charco=puddle; cielo=sky; sol=sun; luna=moon
planeta=planet; marte=Mars; universo=universe; espacio=space; astronauta=astronaut; eclipse=eclipse; mundo=world
norte=north; sur=south; oeste=west; tiempo=time; clima=climate; meteorología=weather; pronóstico=forecast
temperatura=temperature; calor=heat; lluvia=rain; llovizna=drizzle; chubasco=shower; aguacero=downpour; tormenta=storm
trueno=thunder; rayo=lightning; relámpago=lightning; granizo=hail; nieve=snow; nevada=snowfall; helada=frost
escarcha=frost; niebla=fog; neblina=mist; nube=cloud; viento=wind; brisa=breeze; huracán=hurricane; tornado=tornado
ciclón=cyclone; sequía=drought; inundación=flood; riada=flood; bochorno=sultry heat; sombra=shade; arcoíris=rainbow
rocío=dew; alba=dawn; ocaso=sunset; contaminación=pollution; ecología=ecology; residuo=waste; desperdicio=waste
oscuridad=darkness; claridad=clarity
# time
hora=hour; minuto=minute; instante=moment; momento=moment; rato=while; día=day; días=days; noche=night; mediodía=noon
medianoche=midnight; madrugada=early morning; semana=week; finde=weekend; mes=month; bimestre=two months
trimestre=quarter; semestre=half-year; año=year; década=decade; siglo=century; milenio=millennium; época=era
período=period; periodo=period; etapa=stage; fase=phase; temporada=season; enero=January; febrero=February
marzo=March; abril=April; mayo=May; junio=June; julio=July; agosto=August; septiembre=September; setiembre=September
octubre=October; noviembre=November; diciembre=December; primavera=spring; verano=summer; otoño=autumn
invierno=winter; víspera=eve; fecha=date; vencimiento=due date; caducidad=expiry; duración=duration
comienzo=beginning; inicio=beginning; principio=beginning; principios=beginning; fin=end; finales=end; mediados=middle
porvenir=future; vez=time; veces=times; ocasión=occasion; oportunidad=opportunity; frecuencia=frequency; ritmo=rhythm
pausa=pause; intervalo=interval; cronómetro=stopwatch; temporizador=timer; prisa=hurry; antelación=advance notice
puntualidad=punctuality; quincenas=fortnights
# computers and phones
ordenador=computer; computadora=computer; computador=computer; compu=computer; tablet=tablet; pantalla=screen
monitor=monitor; teclado=keyboard; tecla=key; disco=disk; pendrive=USB stick; usb=USB; impresión=impression
altavoz=loudspeaker; parlante=loudspeaker; bocina=speaker; micrófono=microphone; auricular=headphone
auriculares=headphones; audífonos=headphones; cascos=headphones; cámara=camera; webcam=webcam; celular=mobile phone
smartphone=smartphone; teléfono=phone; llamada=call; mensaje=message; videollamada=video call
contestador=answering machine; prefijo=prefix; extensión=extension; roaming=roaming; datos=data; dato=data
internet=internet; red=network; redes=networks; wifi=wifi; router=router; rúter=router; módem=modem; fibra=fibre
banda=band; servidor=server; web=website; blog=blog; foro=forum; enlace=link; vínculo=link; navegador=browser
buscador=search engine; búsqueda=search; email=email; mail=email; spam=spam; usuario=user; contraseña=password
pin=PIN; perfil=profile; sesión=session; registro=record; suscripción=subscription; aplicación=application; app=app
programa=program; software=software; hardware=hardware; sistema=system; versión=version; actualización=update
descarga=download; respaldo=backup; almacenamiento=storage; servicio=service; ajuste=setting; ajustes=settings
configuración=settings; opción=option; icono=icon; ícono=icon; botones=buttons; cursor=cursor; ventanas=windows
pestañas=tabs; captura=screenshot; foto=photo; fotografía=photograph; imagen=image; vídeo=video; video=video
audio=audio; sonido=sound; grabación=recording; algoritmo=algorithm; inteligencia=intelligence; robot=robot
chatbot=chatbot; tecnología=technology; electrónica=electronics; circuito=circuit; chip=chip; sensor=sensor
antena=antenna; mando=remote control; control=control; televisor=television; televisión=television; tele=television
canal=channel; emisora=radio station; radio=radio; pódcast=podcast; podcast=podcast; serie=series; episodio=episode
temporadas=seasons; streaming=streaming; consola=console; videojuego=video game; juego=game; jugador=player
hacker=hacker; ciberataque=cyberattack; antivirus=antivirus; seguridad=security; privacidad=privacy
cifrado=encryption; fallo=failure; falla=fault; bug=bug; problema=problem; solución=solution; incidencia=incident
soporte=support; seguidor=follower; publicación=post; comentario=comment; notificación=notification; etiquetas=tags
hashtag=hashtag; emoji=emoji; píxel=pixel; dominio=domain; cookie=cookie; formato=format; comando=command
script=script; repositorio=repository; interfaz=interface; plataforma=platform; enrutador=router; drone=drone
dron=drone; reproductor=player; tocadiscos=record player; vinilo=vinyl record; proyector=projector; trípode=tripod
telescopio=telescope; prismáticos=binoculars; lupa=magnifying glass
`;
