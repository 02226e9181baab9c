// Spanish words in English: money, shopping, work, school, town.

export const SPANISH_WORK_WORDS = `
# money, banks, tax, insurance
dinero=money; efectivo=cash; moneda=coin; billete=ticket; cambio=change; vuelto=change; euro=euro; euros=euros
dólar=dollar; libra=pound; céntimo=cent; centavo=cent; divisa=currency; precio=price; coste=cost; costo=cost
costa=coast; gasto=expense; gastos=expenses; ingreso=income; ingresos=income; sueldo=salary; salario=salary
nómina=payslip; paga=pay; aguinaldo=Christmas bonus; bono=bonus; jornal=daily wage; honorarios=fees
comisión=commission; beneficio=profit; ganancia=profit; pérdida=loss; deuda=debt; deudor=debtor; acreedor=creditor
préstamo=loan; crédito=credit; débito=debit; interés=interest; intereses=interest; tasa=rate; cuota=fee
plazo=deadline; mensualidad=monthly payment; anualidad=annual payment; pago=payment; cobro=charge; factura=invoice
boleta=receipt; recibo=receipt; ticket=receipt; comprobante=proof of payment; cuenta=account; saldo=balance
ahorro=savings; ahorros=savings; alcancía=piggy bank; hucha=piggy bank; cajero=cash machine; tarjeta=card
cheque=cheque; transferencia=bank transfer; domiciliación=direct debit; depósito=deposit; retiro=withdrawal
sucursal=branch; inversión=investment; inversor=investor; acción=action; acciones=shares; fondo=fund
criptomoneda=cryptocurrency; presupuesto=budget; contabilidad=accounting; contable=accountant; balance=balance sheet
impuesto=tax; impuestos=taxes; iva=VAT; hacienda=tax office; fisco=tax authority; declaración=statement
devolución=refund; reembolso=refund; deducción=deduction; desgravación=tax relief; retención=withholding
recargo=surcharge; multa=fine; sanción=penalty; arancel=tariff; aduana=customs; subvención=subsidy; subsidio=benefit
ayuda=help; beca=scholarship; pensión=pension; jubilación=retirement; jubilado=retired; pensionista=pensioner
gestor=administrator; gestoría=tax advisory office; asesor=adviser; asesoría=consultancy; notario=notary
notaría=notary's office; seguros=insurance; aseguradora=insurance company; póliza=insurance policy; cobertura=coverage
franquicia=excess; parte=part; indemnización=compensation; perito=loss adjuster; riesgo=risk; robo=theft; hurto=theft
estafa=scam; fraude=fraud; quiebra=bankruptcy; bancarrota=bankruptcy; riqueza=wealth; pobreza=poverty; fortuna=fortune
lotería=lottery; quiniela=football pools; premio=prize; sorteo=raffle; rifa=raffle; apuesta=bet; limosna=alms
donación=donation; donativo=donation; economía=economy; crisis=crisis; inflación=inflation; mercado=market
comercio=trade; negocio=business; empresa=company; compañía=company; sociedad=society; corporación=corporation
sucursales=branches; fábrica=factory; industria=industry; producto=product; producción=production; mercancía=goods
oferta=offer; demanda=demand; competencia=competition; competidor=competitor; publicidad=advertising
anuncio=advertisement; propaganda=propaganda; campaña=campaign; venta=sale; ventas=sales; compra=purchase
compras=shopping; consumo=consumption; consumidor=consumer; proveedor=supplier; socio=partner; accionista=shareholder
empresario=businessman; comerciante=shopkeeper; importación=import; exportación=export
# shopping
tienda=shop; almacén=warehouse; supermercado=supermarket; hipermercado=hypermarket; mercadillo=flea market
tianguis=street market; quiosco=kiosk; kiosco=kiosk; estanco=tobacconist; papelería=stationery shop; librería=bookshop
juguetería=toy shop; perfumería=perfume shop; droguería=drugstore; boutique=boutique; escaparate=shop window
vidriera=shop window; mostrador=counter; estand=stand; vendedor=seller; comprador=buyer; dependienta=shop assistant
cajera=cashier; clientela=customers; pedido=order; encargo=errand; envío=shipment; entrega=delivery; paquete=package
paquetería=parcel service; repartidor=delivery man; mensajero=courier; mensajería=courier service; descuento=discount
rebaja=discount; rebajas=sales; ganga=bargain; liquidación=clearance sale; cupón=coupon; regalo=gift; obsequio=gift
envoltorio=wrapping; etiqueta=label; catálogo=catalogue; surtido=assortment; talonario=chequebook; lista=list
fila=row
# work and office
trabajo=work; empleo=job; oficio=trade; profesión=profession; carrera=race degree; cargo=post; vacante=vacancy
plaza=square; tarea=task; labor=work; faena=task; función=function; jornada=working day; horario=schedule; horas=hours
descanso=rest; vacaciones=holidays; vacación=holiday; permiso=permission; licencia=licence
excedencia=leave of absence; contrato=contract; despido=dismissal; finiquito=severance pay; desempleo=unemployment
paro=unemployment; dimisión=resignation; ascenso=promotion; aumento=raise; entrevista=interview; currículum=resume
currículo=resume; solicitud=application; candidato=candidate; candidatura=application; experiencia=experience
prácticas=internship; práctica=practice; pasantía=internship; becario=intern; aprendiz=apprentice; empleado=employee
obrero=worker; operario=worker; funcionario=civil servant; jefe=boss; jefa=boss; director=director; gerente=manager
presidente=president; supervisor=supervisor; ejecutivo=executive; secretario=secretary; recepcionista=receptionist
administrativo=office clerk; oficinista=office worker; asistente=assistant; ayudante=assistant; consultor=consultant
ingeniero=engineer; programador=programmer; desarrollador=developer; diseñador=designer; periodista=journalist
reportero=reporter; escritor=writer; traductor=translator; intérprete=interpreter; fotógrafo=photographer
abogado=lawyer; juez=judge; procurador=attorney; policía=police; detective=detective; guardia=guard
vigilante=security guard; soldado=soldier; marinero=sailor; piloto=pilot; azafata=flight attendant; conductor=driver
chofer=driver; chófer=driver; camionero=truck driver; taxista=taxi driver; cartero=postman; basurero=garbage collector
barrendero=street sweeper; mecánica=mechanics; agricultura=agriculture; ganadería=cattle farming; pescador=fisherman
cazador=hunter; pastor=shepherd; minería=mining; mina=mine; investigador=researcher; biólogo=biologist
historiador=historian; economista=economist; sociólogo=sociologist; bibliotecario=librarian; actor=actor
actriz=actress; cantante=singer; bailarín=dancer; músico=musician; artista=artist; escultor=sculptor; modelo=model
entrenador=coach; árbitro=referee; sindicato=trade union; huelguista=striker; oficina=office; despacho=office
bufete=law firm; sede=headquarters; reunión=meeting; asamblea=assembly; conferencia=lecture; congreso=congress
seminario=seminar; charla=talk; presentación=presentation; diapositiva=slide; informe=report; acta=minutes
memoria=memory; proyecto=project; propuesta=proposal; plan=plan; planificación=planning; estrategia=strategy
meta=goal; logro=achievement; éxito=success; fracaso=failure; resultado=result; rendimiento=performance
eficacia=effectiveness; calidad=quality; responsabilidad=responsibility; equipo=team; colaboración=collaboration
colaborador=collaborator; cooperación=cooperation; ambiente=atmosphere; escritorio=desk; archivador=filing cabinet
archivo=file; fichero=file; expediente=file; documento=document; documentación=documents; formulario=form
impreso=printed form; trámite=paperwork; trámites=paperwork; gestión=management; burocracia=bureaucracy
certificado=certificate; justificante=proof; copia=copy; fotocopia=photocopy; fotocopiadora=photocopier
impresora=printer; tinta=ink; tóner=toner; grapa=staple; grapadora=stapler; clip=clip; sello=stamp; carta=letter
correo=mail; correspondencia=correspondence; remitente=sender; destinatario=recipient; firma=signature; bolígrafo=pen
boli=pen; lapicero=pen; lápiz=pencil; rotulador=marker; sacapuntas=pencil sharpener; borrador=draft; agenda=diary
calendario=calendar; cuaderno=notebook; libreta=notebook; carpeta=folder; nota=note; apunte=note; apuntes=notes
recado=message; recordatorio=reminder; aviso=notice; cartel=poster; póster=poster; pizarra=blackboard
pizarrón=blackboard; tiza=chalk; calculadora=calculator; teletrabajo=remote work; nombramiento=appointment
# school and learning
escuela=school; colegio=school; instituto=high school; liceo=high school; bachillerato=high school
preparatoria=high school; secundaria=secondary school; primaria=primary school; guardería=nursery; kínder=kindergarten
preescolar=preschool; universidad=university; facultad=faculty; academia=academy; aula=classroom; clase=class
curso=course; asignatura=school subject; materia=subject; lección=lesson; tema=topic; ejercicio=exercise
deberes=homework; examen=exam; prueba=test; oposición=civil service exam; oposiciones=civil service exams
selectividad=university entrance exam; calificación=grade; título=title; diploma=diploma; licenciatura=degree
máster=master's degree; maestría=master's degree; doctorado=doctorate; tesis=thesis; ensayo=essay; redacción=essay
dictado=dictation; ortografía=spelling; gramática=grammar; vocabulario=vocabulary; palabra=word; frase=sentence
oración=sentence; párrafo=paragraph; texto=text; letra=letter; sílaba=syllable; alfabeto=alphabet; abecedario=alphabet
verbo=verb; sustantivo=noun; adjetivo=adjective; acento=accent; coma=comma; punto=point; significado=meaning
sentido=sense; traducción=translation; idioma=language; lenguaje=language; alumno=pupil; estudiante=student
maestro=teacher; profesor=teacher; profe=teacher; catedrático=professor; rector=rector; matrícula=registration
inscripción=registration; recreo=break; excursión=excursion; estuche=pencil case; libro=book; diccionario=dictionary
enciclopedia=encyclopedia; biblioteca=library; novela=novel; cuento=story; poema=poem; poesía=poetry; verso=verse
poeta=poet; autor=author; capítulo=chapter; página=page; prólogo=prologue; lectura=reading; lector=reader
lectora=reader; escritura=writing; revista=magazine; artículo=article; noticia=news; noticias=news; prensa=press
editorial=publisher; cómic=comic; tebeo=comic; historieta=comic; matemáticas=mathematics; álgebra=algebra
geometría=geometry; física=physics; química=chemistry; biología=biology; geografía=geography; historia=history
filosofía=philosophy; literatura=literature; psicología=psychology; enfermería=nursing; arquitectura=architecture
ingeniería=engineering; informática=computing; ciencia=science; ciencias=sciences; conocimiento=knowledge
sabiduría=wisdom; educación=education; enseñanza=teaching; formación=training; aprendizaje=learning
investigación=research; experimento=experiment; laboratorio=laboratory; microscopio=microscope; teoría=theory
invento=invention; descubrimiento=discovery; respuesta=answer; pregunta=question; duda=doubt; error=mistake
falta=lack; corrección=correction; ejemplo=example; explicación=explanation; resumen=summary; esquema=outline
suma=sum; resta=subtraction; multiplicación=multiplication; división=division; ecuación=equation; fórmula=formula
ángulo=angle; línea=line; raya=line; curva=curve; círculo=circle; circunferencia=circumference; triángulo=triangle
rectángulo=rectangle; esfera=sphere; cono=cone; cilindro=cylinder; pirámide=pyramid; superficie=surface
volumen=volume; longitud=length; anchura=width; profundidad=depth; medida=measure; tamaño=size; forma=shape
figura=figure; grado=degree; litro=litre; kilo=kilo; kilogramo=kilogram; gramo=gram; tonelada=ton; kilómetro=kilometre
centímetro=centimetre; milímetro=millimetre; hectárea=hectare; milla=mile; pulgada=inch; mapa=map; globo=balloon
continente=continent; país=country; nación=nation; patria=homeland; estado=state; provincia=province; región=region
comarca=region; territorio=territory; capital=capital; ciudad=city; pueblo=village; aldea=village
barrio=neighbourhood; suburbio=suburb; afueras=outskirts; centro=centre; frontera=border; población=population
habitante=inhabitant; ciudadano=citizen
# places in town
calle=street; avenida=avenue; paseo=walk; callejón=alley; esquina=corner; acera=pavement; vereda=path; calzada=roadway
cruce=crossing; rotonda=roundabout; glorieta=roundabout; semáforo=traffic light; señal=signal; parque=park
jardines=gardens; estatua=statue; monumento=monument; ayuntamiento=town hall; alcaldía=town hall
municipio=municipality; municipalidad=town council; comisaría=police station; cárcel=prison; prisión=prison
juzgado=court; tribunal=court; embajada=embassy; consulado=consulate; ministerio=ministry; palacio=palace
castillo=castle; torre=tower; muralla=city wall; puente=bridge; túnel=tunnel; estadio=stadium
polideportivo=sports centre; gimnasio=gym; museo=museum; teatro=theatre; cine=cinema; auditorio=auditorium
discoteca=nightclub; antro=nightclub; cementerio=cemetery; iglesia=church; catedral=cathedral; capilla=chapel
ermita=chapel; convento=convent; monasterio=monastery; mezquita=mosque; sinagoga=synagogue; templo=temple
santuario=shrine; residencia=residence; asilo=nursing home; dirección=address; domicilio=home address; código=code
lugar=place; sitio=place; zona=zone; área=area; distrito=district; ubicación=location; distancia=distance
`;
