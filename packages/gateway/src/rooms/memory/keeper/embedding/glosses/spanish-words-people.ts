// Spanish words in English: family, body, health.

export const SPANISH_PEOPLE_WORDS = `
# family and people
familia=family; pariente=relative; madre=mother; mamá=mom; mama=mom; mami=mom; papá=dad; papi=dad; papás=parents
padres=parents; hijo=son; hija=daughter; hijos=children; hermano=brother; hermana=sister; hermanos=siblings
hermanastro=stepbrother; hermanastra=stepsister; abuelo=grandfather; abuela=grandmother; abuelos=grandparents
yayo=grandpa; yaya=grandma; nieto=grandson; nieta=granddaughter; nietos=grandchildren; bisabuelo=great-grandfather
bisabuela=great-grandmother; bisnieto=great-grandson; bisnieta=great-granddaughter; tío=uncle; tía=aunt
tíos=uncle and aunt; primo=cousin; prima=cousin; sobrino=nephew; sobrina=niece; sobrinos=nephews and nieces
esposo=husband; esposa=wife; marido=husband; mujer=woman; cónyuge=spouse; suegro=father-in-law; suegra=mother-in-law
suegros=parents-in-law; consuegro=child's father-in-law; yerno=son-in-law; nuera=daughter-in-law
cuñado=brother-in-law; cuñada=sister-in-law; padrastro=stepfather; madrastra=stepmother; hijastro=stepson
hijastra=stepdaughter; padrino=godfather; madrina=godmother; padrinos=godparents; ahijado=godson; ahijada=goddaughter
compadre=buddy; comadre=close friend; novio=boyfriend; novia=girlfriend; novios=couple; pololo=boyfriend; amante=lover
ex=ex; bebé=baby; bebe=drink; guagua=baby; niño=boy; niña=girl; niños=children; nene=little boy; crío=kid
chiquillo=kid; chaval=kid; chavo=guy; chamaco=kid; pibe=kid; muchacho=boy; muchacha=girl; adolescente=teenager
señor=mister; señora=lady; señorita=miss; don=mister; doña=madam; caballero=gentleman; dama=lady; hombre=man
varón=male; macho=male; hembra=female; persona=person; gente=people; individuo=individual; tipo=type; tipa=woman
amigo=friend; amistad=friendship; colega=colleague; compañero=companion; camarada=comrade; vecindario=neighbourhood
vecindad=neighbourhood; huésped=guest; invitado=guest; anfitrión=host; enemigo=enemy; rival=rival; antepasado=ancestor
descendiente=descendant; heredero=heir; herencia=inheritance; testamento=will; generación=generation; apellido=surname
nombre=name; apodo=nickname; mote=nickname; edad=age; infancia=childhood; niñez=childhood; juventud=youth
adolescencia=adolescence; vejez=old age; madurez=maturity; nacimiento=birth; boda=wedding; matrimonio=marriage
noviazgo=engagement; divorcio=divorce; separación=separation; viudez=widowhood; embarazo=pregnancy; parto=childbirth
adopción=adoption; bautizo=baptism; comunión=communion; entierro=burial; funeral=funeral; velorio=wake; velatorio=wake
luto=mourning; muerte=death; vida=life; cumpleaños=birthday; aniversario=anniversary; sexo=sex; género=gender
niñera=nanny; canguro=babysitter; cuidador=caregiver; tutor=guardian
# body
cuerpo=body; cabeza=head; cara=face; rostro=face; frente=front; sien=temple; ceja=eyebrow; pestaña=eyelash
párpado=eyelid; pupila=pupil; vista=view; nariz=nose; mejilla=cheek; boca=mouth; labio=lip; diente=tooth; muela=molar
colmillo=fang; encía=gum; lengua=tongue; paladar=palate; garganta=throat; cuello=neck; nuca=nape; oreja=ear; oído=ear
mandíbula=jaw; barbilla=chin; mentón=chin; barba=beard; bigote=moustache; pelo=hair; cabello=hair; melena=long hair
flequillo=fringe; trenza=braid; calva=bald patch; cana=grey hair; caspa=dandruff; hombro=shoulder; brazo=arm
codo=elbow; muñeca=wrist doll; mano=hand; puño=fist; palma=palm; dedo=finger; pulgar=thumb; índice=index
meñique=little finger; uña=nail; nudillo=knuckle; axila=armpit; sobaco=armpit; pecho=chest; seno=breast; teta=breast
pezón=nipple; costilla=rib; espalda=back; lomo=loin; columna=spine; cintura=waist; cadera=hip; vientre=belly
barriga=belly; panza=belly; ombligo=navel; abdomen=abdomen; ingle=groin; culo=bottom; nalga=buttock; glúteo=buttock
pierna=leg; muslo=thigh; rodilla=knee; pantorrilla=calf; gemelos=twins; espinilla=shin; tobillo=ankle; pie=foot
talón=heel; planta=plant; empeine=instep; hueso=bone; esqueleto=skeleton; cráneo=skull; músculo=muscle; tendón=tendon
ligamento=ligament; menisco=meniscus; articulación=joint; nervio=nerve; cerebro=brain; corazón=heart; pulmón=lung
hígado=liver; riñón=kidney; estómago=stomach; intestino=intestine; vejiga=bladder; próstata=prostate; útero=womb
ovario=ovary; vagina=vagina; pene=penis; testículo=testicle; páncreas=pancreas; vesícula=gallbladder; bazo=spleen
tiroides=thyroid; amígdala=tonsil; apéndice=appendix; sangre=blood; vena=vein; arteria=artery; piel=skin; peca=freckle
arruga=wrinkle; cicatriz=scar; grano=pimple; acné=acne; verruga=wart; sudor=sweat; lágrima=tear; saliva=saliva
moco=mucus; orina=urine; pis=pee; caca=poop; heces=stool; aliento=breath; respiración=breathing; latido=heartbeat
pulso=pulse; tensión=blood pressure; presión=pressure; vértebra=vertebra; clavícula=collarbone; lumbar=lower back
cervical=neck; retina=retina; córnea=cornea; tímpano=eardrum; dentadura=teeth
# health
enfermedad=illness; dolencia=ailment; dolor=pain; molestia=discomfort; síntoma=symptom; fiebre=fever; calentura=fever
tos=cough; catarro=cold; gripe=flu; gripa=flu; resfrío=cold; estornudo=sneeze; mocos=runny nose; congestión=congestion
sinusitis=sinusitis; otitis=ear infection; anginas=tonsillitis; amigdalitis=tonsillitis; bronquitis=bronchitis
neumonía=pneumonia; pulmonía=pneumonia; asma=asthma; alergia=allergy; rinitis=rhinitis; urticaria=hives
sarpullido=rash; erupción=rash; eczema=eczema; psoriasis=psoriasis; picor=itching; comezón=itching; picadura=sting
picazón=itching; roncha=welt; ampolla=blister; herida=wound; corte=cut; rasguño=scratch; moretón=bruise
moratón=bruise; golpe=blow; chichón=bump; quemadura=burn; esguince=sprain; torcedura=sprain; fractura=fracture
rotura=break; lesión=injury; contractura=muscle cramp; calambre=cramp; agujetas=muscle soreness
lumbago=lower back pain; ciática=sciatica; hernia=hernia; artritis=arthritis; artrosis=osteoarthritis
reuma=rheumatism; osteoporosis=osteoporosis; jaqueca=migraine; migraña=migraine; mareo=dizziness; vértigo=vertigo
desmayo=fainting; náusea=nausea; vómito=vomit; diarrea=diarrhoea; estreñimiento=constipation; indigestión=indigestion
acidez=heartburn; gastritis=gastritis; úlcera=ulcer; apendicitis=appendicitis; intoxicación=poisoning
infección=infection; virus=virus; bacteria=bacteria; hongo=fungus; parásito=parasite; piojo=louse; varicela=chickenpox
sarampión=measles; rubéola=rubella; paperas=mumps; tétanos=tetanus; hepatitis=hepatitis; coronavirus=coronavirus
covid=covid; sida=AIDS; cáncer=cancer; tumor=tumour; quiste=cyst; metástasis=metastasis; quimioterapia=chemotherapy
radioterapia=radiotherapy; diabetes=diabetes; azúcar=sugar; insulina=insulin; colesterol=cholesterol
hipertensión=high blood pressure; infarto=heart attack; ictus=stroke; derrame=stroke; embolia=embolism
trombosis=thrombosis; arritmia=arrhythmia; anemia=anaemia; epilepsia=epilepsy; demencia=dementia
alzhéimer=Alzheimer's; párkinson=Parkinson's; depresión=depression; ansiedad=anxiety; estrés=stress; insomnio=insomnia
trastorno=disorder; autismo=autism; anorexia=anorexia; bulimia=bulimia; obesidad=obesity; sobrepeso=overweight
adicción=addiction; alcoholismo=alcoholism; ceguera=blindness; sordera=deafness; miopía=short-sightedness
astigmatismo=astigmatism; cataratas=cataracts; glaucoma=glaucoma; conjuntivitis=conjunctivitis; caries=tooth cavity
menopausia=menopause; menstruación=menstruation; regla=rule; aborto=miscarriage; cesárea=caesarean
discapacidad=disability; minusvalía=disability; invalidez=disability; doctor=doctor; enfermero=nurse; cirujano=surgeon
pediatra=paediatrician; ginecólogo=gynaecologist; dermatólogo=dermatologist; cardiólogo=cardiologist
oculista=eye doctor; oftalmólogo=eye doctor; otorrino=ear nose throat doctor; traumatólogo=orthopaedist
neurólogo=neurologist; oncólogo=oncologist; urólogo=urologist; alergólogo=allergist; endocrino=endocrinologist
digestólogo=gastroenterologist; psiquiatra=psychiatrist; psicólogo=psychologist; terapeuta=therapist
fisioterapeuta=physiotherapist; fisio=physiotherapist; osteópata=osteopath; nutricionista=nutritionist
dietista=dietitian; logopeda=speech therapist; podólogo=podiatrist; dentista=dentist; odontólogo=dentist
ortodoncista=orthodontist; comadrona=midwife; matrona=midwife; partera=midwife; óptico=optician; óptica=optician's
farmacéutico=pharmacist; farmacia=pharmacy; botica=pharmacy; veterinario=vet; paramédico=paramedic
socorrista=lifeguard; hospital=hospital; clínica=clinic; ambulatorio=health centre; consultorio=doctor's office
consulta=consultation; urgencias=emergency room; urgencia=emergency; emergencia=emergency; ambulancia=ambulance
quirófano=operating room; operación=operation; cirugía=surgery; anestesia=anaesthesia; cita=appointment; turno=turn
revisión=check-up; chequeo=check-up; análisis=analysis; analítica=blood test; radiografía=X-ray; ecografía=ultrasound
resonancia=MRI scan; escáner=scanner; biopsia=biopsy; colonoscopia=colonoscopy; endoscopia=endoscopy
mamografía=mammogram; electrocardiograma=electrocardiogram; diagnóstico=diagnosis; tratamiento=treatment
terapia=therapy; rehabilitación=rehabilitation; curación=healing; cura=priest; recuperación=recovery; recaída=relapse
receta=recipe prescription; prescripción=prescription; medicamento=medicine; medicina=medicine; medicación=medication
fármaco=drug; remedio=remedy; pastilla=pill; píldora=pill; comprimido=tablet; cápsula=capsule; tableta=tablet
gragea=pill; jarabe=syrup; gota=drop; gotas=drops; pomada=ointment; ungüento=ointment; supositorio=suppository
inhalador=inhaler; antibiótico=antibiotic; analgésico=painkiller; aspirina=aspirin; paracetamol=paracetamol
ibuprofeno=ibuprofen; antihistamínico=antihistamine; antiinflamatorio=anti-inflammatory; anticonceptivo=contraceptive
preservativo=condom; condón=condom; vitamina=vitamin; suplemento=supplement; hierro=iron; calcio=calcium
magnesio=magnesium; probiótico=probiotic; somnífero=sleeping pill; sedante=sedative; antidepresivo=antidepressant
dosis=dose; inyección=injection; vacuna=vaccine; vacunación=vaccination; jeringa=syringe; jeringuilla=syringe
aguja=needle; suero=serum; transfusión=transfusion; donante=donor; trasplante=transplant; venda=bandage
vendaje=bandage; tirita=plaster; curita=plaster; gasa=gauze; algodón=cotton; escayola=plaster cast; yeso=plaster
férula=splint; muleta=crutch; muletas=crutches; camilla=stretcher; termómetro=thermometer
tensiómetro=blood pressure monitor; audífono=hearing aid; lentilla=contact lens; lentillas=contact lenses; lente=lens
lentes=glasses; gafas=glasses; anteojos=glasses; prótesis=prosthesis; implante=implant; empaste=filling
ortodoncia=dental braces; brackets=braces; endodoncia=root canal; corona=crown; puntos=stitches; masaje=massage
acupuntura=acupuncture; homeopatía=homeopathy; dieta=diet; régimen=diet; caloría=calorie; calorías=calories
peso=weight; estatura=height; altura=height; higiene=hygiene; mascarilla=face mask; cubrebocas=face mask
efecto=effect; baja=low leave; incapacidad=incapacity; convalecencia=convalescence; veneno=poison; droga=drug
cocaína=cocaine; marihuana=marijuana; tabaco=tobacco; cigarrillo=cigarette; cigarro=cigar; pitillo=cigarette
cenicero=ashtray; fumador=smoker; alcohol=alcohol; resaca=hangover; cruda=hangover
`;
