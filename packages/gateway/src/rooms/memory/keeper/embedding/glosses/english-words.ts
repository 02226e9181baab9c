// English words that look like German or Spanish ones: they do not tell which language a sentence is in.
import { ENGLISH_SMALL_WORDS } from "./small-words.ts";

/** Of those, the frequent ones for which the tables have a gloss; names of people and places too. */
const LOOK_ALIKE = `abbott abdomen aberdeen abi abnormal aboriginal aborts absolute absorbed abuse abuses academia ache activate active
  acton actor actors actual adhere adler admire adobe adorable advent afrikaans agenda aggressive ah aisle aisles
  ala alarm alarms alba album albums alcohol algebra alias aliases alien alla alle alleging allen allies alphabet
  alphabets alt altar alter altered altering alternate alters altitudes alton aluminium alzheimer ama amar amara
  ambulance ames analog ananas anchor anchors andersen andes andrei angel angeles angels angered angle angler
  anglers angles animal animals anime anker ankles annette anterior anton anwar app append appending appends
  appetite applause apples applied applies appname apps april aquarium ara archive archives arden area areas arena
  arenas ares argentina arm armada armando armband armrest arms aroma arose arrogant art arte arteries artificial
  arts asa ascended asean asia asian ass assassin assemblies assent assess assessing asset asshole assignee aster
  asthma ata ate athens atm audio augsburg august auguste australians auto autolink autolock automate automates
  automobile automobiles baby babysitter babysitters bach backbone backend backends backers backhand backlog
  backlogs backpack backrest backs backstage bacon bacteria bad baden badminton bahia balance bald balkans ball
  ballast baller ballet ballpark balls banana bananas band bandage bandages bands bandstand bane bank banker
  bankers banks bar barbara barge barges baron barre barred barren barron bars bart bartender base bases basketball
  bat bates bathing baton bats batter battered batteries battles bauer bayern beasts beer beers beerware beetles
  beginner beginners behalf beige belief beliefs bell bella belle bergen berger berlin bernstein besides bet beware
  bewildered bien bikini bilateral bin bind binds bio biologist biomass bisexual bitten bitter bitterness blast
  blend blender blenders blind blindness blinds blink blinker blitz blog blogs blond blonde blushing bobo bodo bog
  boiler boilers bomb bombardier bomber bombers bombs bon bonding bone bones bonn bonus bonuses boot boots
  bootstrapper borg bot botanist bother bothering bots bottles boutique box boxer boxers boxes brackets branch
  branches brand brandenburg brands brat braunschweig brave braves bravo bremen brett brief briefs bring bringer
  bronze brother brothers browser browsers brutal buddhist budget budgets bug bugs burger burgess bus busch buses
  business businesses butter butterflies böhm ca cable cables cactus cafe cafes cafeteria cage cages cai calais
  calculate calderon cale camilla camp campbell camper campers camping canal canals cancer cancers canon canton cao
  capita capital capitals capture captures car carbon care cargo carport carports cartel case cases casino casinos
  castro casual catalan catalogue cause causes cave caves ceded celebrate celeste cello cent center centered
  centers central centre centred centres cents cereal cerebral certificate cervical cesar cesare chance chances
  chao chaos charles chatter check checkbox checker checkers checklist checklists checksums chef chefs chelas
  chemist chile chili china chinese chip chips chocolate chore chores christ circa circular cite cites civil clara
  clip clips closet clown club clubs cobra coca cocktail coco code codename codes coincide col cole collar colon
  color combine combines comes comic comics companion comparable compare compares compatible compensate compete
  competes complete completes compute computer computers conceded concentrate concerto conclusion conclusions
  concordia condor conductor conductors cones configure configures confines confusion congestion conserve
  considerable console consoles consolidate constable consume continue continues control controls converge converse
  convertible cookie cookies cooperate coordinate copa copies cora corporal corresponded cortes costa couch cousin
  cousins create cree creed creole cries criminal criminals crisis critique crucial cruel cruz cuba cultural curate
  cure curran curriculum curry cursor cursors da dado dale dame damn damon damper dams dan dana dance dances dane
  danes dante dare darmstadt das data database date dates debate debates decide decides decision decisions deck
  decker decks declare declares decorate defended defender defenders define defines definite delegate demos den
  denmark dense dental denton depended depot depression derive derives des descended describe describes designate
  dessert detective detectives determine determines di diabetes diablo diagnose diagnoses diagonal dialogue
  dialogues dice dick dickens dies diesel digital dime dimension dimensions dimmer ding dingbats diploma dir dire
  director directors disco disperse display displays dispute disputes diversion divide divides division divisions
  doctor doctorate doctors dollar dollars dom dome domes dominate dominion domino donate dorsal dose doses dote
  download doyle dragon dragons drama dramas dresden drilling drone drones duck dude duo duplicate durable duran
  echo eclipse eco editorial educate eh eileen einstein elaborate electoral elegant elemental eleven elf eliminate
  else email emails emerge emerged emerges emoji emojis end endangered ends energies england enigma enter entered
  entering entries epoch eras erase erlangen ernest ernst errand errands error errors escape escapes estate
  estimate estonia etag etc euro europa euros evacuate evade evaluate eventual ex examine examines excursion excuse
  excuses expert experts explore explores explosion explosions explosive explosives export exporter exports
  extended extension extensions exterior extra extras extreme extremes facial facilitate factor factors fade fades
  fair fairbanks fairfax fairness fairs falkland fall fallback fallbacks fallen fallon falls faltered familiar
  families fang fantasia fantasies fast fasten faster fastest fasts fatal fatigue fault fauna faust favor favorable
  favors fax fe federal federer fein fell fern ferns ferry festival festivals fia fielding figure figures filipino
  film films filter filters fin final finals finder finders fines finger fingered fingers fins firmware fischer fit
  fitness fits flash flexible flick flicker flickered flickering flies flirt flora floral florida floss flotilla
  fluid flushing flute flutes fond force forces form formal former formidable forms formula formulas fort forte
  forts fracture fractures frag frances franco frankenstein frankfurt free freiburg fresco frescoes freud fries
  frontal frost fundamental funeral fusion fuss gabe gables gall galleries gallon galls gang ganga gangs gangster
  garage garages gardiner garland garner garnered garrett gas gases gaston gay gel gelsenkirchen gemini gemma gen
  genera general generals generate genes genie gesture gestures gibbons gift gifts gigabyte gigabytes ginger giro
  glacial glass glimmer glitter glittering global globals gold goldberg golden goldenrod goldstein golf golfer
  google gordon gotten grab grabs grace grade graders grades gradual graduate granada grape grapefruit grapes grass
  grassland grasslands gratis grave graves griffin grill grille grins gross gruber guerrilla guerrillas guinea
  guineas guise gut guts habitat habitats habsburg hack hacker hackers hacks hai haiku haired hale half hall halle
  hallmark halls halo halt halter halters halts hamburg hamburger hammer hammers hamster hamsters hand handball
  handel handheld handle handlebar handler handlers handles hands handstand handwerk handy hannover hara hardware
  hare hart harta hartmann hartmut hasher hashing hasn haste hasten hate hates haute hay hayes hays heck held helen
  hell heller helm hepatitis herb herbs herd herds herein hermann hero heroes herrera herring herself herzog
  heterosexual hexnums hindu hindus hines hinge hinges hire hires hobart hobby hockey hoffmann hofmann holding
  holdings hole holes holland holstein holster holt homosexual honda honor honors hops horizontal horn horne horns
  horrible horror horrors hose hoses hospital hospitals hostage hostages hostel hostels hotel hotels hua hue
  huffington hui humor hundred hundreds hunger huron hut huts hutton hygiene ice id ida idea ideal ideals ideas
  idiot idiots idle idol idols ids ignore ignores illegal image imagine import importer importers imports impulse
  incline incompatible incorporate india indians indicate indices indigo individual individuals indonesia induce
  industrial industries inevitable inferior infiltrate inflation info informal inland inner innovative innsbruck
  inspector inspectors inspire instrument instruments insulin integral integrate intelligent interfaces interfere
  interior interiors international internationale internationals internet intervene interview intimate introduce
  introduces invade invasion invasions inversion investigate invisible invite invites ir ira iran irregular
  irresistible island islander islanders islands israeli israelis issn italians itv ja jack jag jaguar jaguars
  jalan japan jazz jeans jens jensen jersey jerseys jesus job jobs jogger joggers journalist journalists judas jude
  judging judicial judo julie julien juniper juveniles jäger kaiser kaiserslautern kamen kant karate katz keller
  kern kilobyte kilometer kilometers kind kinder kindergarten kindest kindness kinds kiwi kiwis knit knot koch
  kruger krüger köhler könig labor lack lacks lad laden lag lagoon lags lama lame lamp lamps lance land landfall
  landlock landmark landmarks lands landshut lang laptop las laser lasers lass lasts late lateral latino latter
  laurel lauren lava lea lean lease leases lee leg legal legend legends leger legitimate lei leinster leipzig
  leitner lemon lena leo leon les lesions lest lester lia liar liberal liberals lie lied liege lies lift lifts liga
  ligue likeness likes lila lima limo lina linda linden link linker linkers links lisa list listen listener
  listeners listens lister lists liter litter littered llama llamas load loan lobby lobe lobes lobster local
  locales locals loch lock locke locker locks log logging login logname logs loose los lose loser losers loses loss
  luce lucian lunar lung lungs lust luton luzon mach mack mafia magazine magazines magdalena mage magnesium mai
  maier mail mailbox mailboxes mailer mails main mainland male males mama mana manage manager managers manages
  manchester mandarin mandate mandela manga mango mangos mani mania manifesto manipulate manner manners mannheim
  mansion mansions manson manual mapper mar marathon marche marches marco margarita marginal marina marine marines
  marino mark marker markers marks mars mas mask masks mason mass massage massages masses massive mast master
  mastered mastering masters mate material materials maternal mates math maths matt matter mattered matters maximal
  maximize maya mayor mayors mead mean media median medieval meeting meetings mega megabyte megabytes melodies
  melon melons memorable meng mental menu mesa mess messenger messengers messes messing meta metal metals meter
  meters method methods metro micro midi mil mild mildred miles million millions mina mine minimal minimize
  minister ministers minor minute minutes mira miserable miss mist mister mistral mix mixer mixes mobile mode model
  moderate modern modernist modes modest mods modular module modules moines mojo mole molina moment moments mona
  monde monitor monitors mono montana monte moor moore moors moose moral morale morales morals moran mori mortal
  mortals mosquito motive motives motor motors motorsport motorsports motto move moved moves mueller multiple
  municipal musa muscular museum museums musical musicals muslim muslims muster mute mutton mönchengladbach müller
  nag nagging naive name names nasal nasser national nationale nationals nato natural nature nausea navajo nave
  neck needing nerve nerves nest nests neutral nevada nick nickname nicknames nina nipples noble nobles norma
  normal normalize norton noses nostalgia notable note notes nothin november nuclear null nulls nun oasis
  oberhausen observe observes offenbach offender offenders offending offense offered offering offerings offspring
  oh ok ole olive oliver olympia olympian oman omnibus opera operas operate operation operations opinion opinions
  optimal opus oral orange oranges ore organisation organisations organize organizes oriental original originals
  originate ornamental orthodox os oval oxide paces pack packer packers packet packrat paddle pagan page pages palm
  palmer palms pan panda panel panels panorama panzer papa par para pardon paris park parker parking parkinson
  parkland parks parole participate particular partner partners party pase pass passcode passenger passengers
  passes passive password pasta paste pastor pastors patents patient patients patio patron patrons patton pause
  pauses peculiar pedal penal penalties pendleton penetrate peninsula penis pension pensions per percent percents
  pere perform performer performers performs perfume perl permute person personal persons persuade piano pianos pie
  pies pill pillar pillars pills pilot pilots pin pinball pine pines pins pinto pisa piss pistol pistols piston
  pixel pixels pizza plan plane planes planet planets planner planners plans plant planter planters plasma platoon
  platt plaza podcast poker polar pole poles police pollen pollock polo pony pool poole pools popular portable
  portal portals porte portion portions porto portugal pose poses post postal postbox postcode poster posterior
  posters postinstall postmaster posts preceded precise precision premier premiere prepare prepares preserve
  preserves press presses pretended priest priestess prima primaries primitive primitives principal principals
  priscilla prison private privateer pro probable probe prober probes problem problems produce produces professor
  professors profit profits programme programmer programmers programmes prolog propaganda proper proportion
  proportions prose prostate protector protege protest protesters protests proton provisional pudding puebla pulse
  pulses pump pumps puppeteer pure putin puts puzzle puzzles quasi queer quite radical radicals radio radios rae
  rai raise raja rand rang range ranger rangers ranges rann rao ras raster rat rate rates rather rats rayon
  reactive real realize realizes record records rectangular rector recycle red redding reds reduce reduces rees
  reese regal regan regenerate regents regime region regional regions regis register registered registering
  registers registrar regular regulars regulate rei reid rein reins reinstall reinstates relate relates relative
  relatives release relieve religion religions remote remove removed removes rene reno rent rents replica replicate
  reproduce require requires res reserve reserves reside resides resolve resolved responded rest restart restarts
  restaurant restaurants rester rests resume retire reunion reunite reuse reusing revision revisions revolver
  revolves reza rice richter rigid ring ringer rings ringtone ringtones rita ritter rival rivals roaming robb
  robber robbers robe robes robot robots robust robustness roche rochester rock rockefeller rocker rocks rockwell
  rod rode rodents rodeo rogue role roll rollback rollbacks roller rolls rom roma roman romance romans rome ron
  ropes rosa rose rosen rosenberg roses ross roster rot rotate rots router routers rugby ruin ruins rum rumor
  rumors rural russ saber sabre sachs sack sacks safari sage sages sale sales saliva salle salmon salon salvador
  salzburg san sand sandals sandbank sandbox sandboxes sanders sands sandstone sandwich sandwiches sane sang sank
  sans santa santo santos sauce saxophone scanner scanners schneider schröder schuster schwerin schäfer script
  scripts sea sean seas sector sectors secular sed seduce seem seen sees sega segfault semester seminar seminars
  send sender senders sendmail senior seniors sensible sensor sensors sentimental separate september serbia serena
  serene serie series serra serve server servername servers serves sesame seton sexual siege sierra signal signals
  similar simple simulate sincere sing singe singer singers single singles singleton singletons singular sink
  sinker sins situation situations ski skier skies skin slip slipper slippers slips smartphone smoking snack snacks
  social socio sock socks soda sofa software sol solar sole solo solos soluble sometime sonar song songs sonnet
  sort sorts spaghetti spare sparkling spartans spend spender spenders spends spielberg spies spin spinlock spinner
  spinners splitter sport sports sprang spring springer springsteen sprint sprinter sprung spur spurred spurs stall
  stalls stammered stand stands staple stapler staples star stare stares stark starr starred starring stars start
  starter starters starts station stations stature steak stein steiner stern stick sticker stickers stillness
  stills stink stinker stock stocks stockton str strand strands strauss streaming stress stresses stretching
  stricken strides strung student students stuffing stuttgart sublime subordinate sudan suicide sulfate summer
  summers sumo super superficial superior superiors superstar supervise supervisor supervisors supper supplied
  supplies support supporter supporters supports surf surfer surfers surge susceptible suspended suspense syed
  symbol symbols symptom symptoms system systems tablet tablets tag tagging tags tal talbot tale talent talents
  tales taliban tallest talon tan tango tank tanker tankers tanks tanner tanners tape tapes taste taster tastes
  tate tattoo tattoos tau taunton taut taxi taxis tea team teams technologies tee teen teenage teenager teenagers
  teens tel telenovela television teller temperature temperatures temporal ten tended tender tennis tense tension
  tensions tensor tequila terminal terminals terminate terrible terror test testament tester testers tests
  testserver text textbox textiles texts thailand theater theaters theories theorist therapist ti ticket tickets
  tier tiger tigers times tire tires titular toast toaster toasts tolerant tolerate toll ton tone tones tonic
  tonnes tons tor tore torn tornado tornadoes torsocks torsten tort torture toss tot total totals tote tots tour
  tourist tourists tours trace traces tractor tractors tradition traditions trailer trailers trainer trainers
  training tram trams trance triangular tribal tribunal tribute triple tropical tsunami tuba tue tumor tumors tune
  tunes tunnel tunnels turn turner tutor twitter type typecheck typecode typename types ukraine ultimate unaltered
  unbind uncheck une unfair unicode uniform uniforms uninstall union unions unite universal unlike unlink unlock
  unpack unpacker unregister unregistered unrest unseen unsend unto unwind update updater updates urge urges urine
  usa usb uses usual utilize utilizes vague vale valor van vapor variable variables vase verbal verona versa verse
  verses version versions versus vertical vertigo veto vi via viable victoria video videos vigor vila vile villa
  villain villas vine vines viola violate violin violins virtual virtue virtues virus viruses visa visas visible
  vision visions vista visual vital vitamin vivian vivid vodka volker volkswagen volleyball volvo voss vote votes
  vulgar vulnerable wade wag wage wages wagner wal walden wales walt walter walters walton wand wander wandered
  wanderer wanderers wandering wanderlust wanders wang ware wares warlock warm warmer warn warner warring
  warrington wars wart warts warwick watt watts web weber webmail webpack website websites webster welch welles
  wellness wells wend west western whatsapp whisky wien wiener wiesbaden wifi wild wilde wilder wilderness willem
  wills wimmer wind windfall winds windsurf wink winter winters wolf wolfe wolfgang word wunder yacht yates yoga
  zebra zinc zip zone zones zoo`;

const WORDS: ReadonlySet<string> = new Set(LOOK_ALIKE.split(/\s+/));

export function isAlsoEnglish(word: string): boolean {
  return ENGLISH_SMALL_WORDS.has(word) || WORDS.has(word);
}
