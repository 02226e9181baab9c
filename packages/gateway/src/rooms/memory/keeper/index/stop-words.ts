// Words that are in almost every text: they are looked for only when a query has no others.

/**
 * Not only articles and pronouns: in a few thousand notes "took" or "usually" is as rare as a name, and a note that has it
 * by chance would come before the one that is meant.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all almost already also always am an and another any anybody anyone anything are around as ask
  asked at away back be because been before being bit but by came can come comes could did do does doing done each
  else enough ever every everybody everyone everything few find for from gave get gets getting give gives go goes
  going gone got had happen happened has have having he her here him his how i if in instead into is it its just keep
  keeps kept know knows let like likely look looking lot made make makes many maybe me mean meant might
  more most much must my need needed needs never next no nobody none nor not nothing now of off often on once one ones
  only onto or other others our out over own perhaps please put quite rather really said same say says
  seem she should since so some somebody someone something sometimes somewhere soon still such sure take takes tell
  than that the their them then there these they thing things think this those though through till to told too took
  toward tried try trying until up upon us use used uses using usual usually very want wanted wants was way we well
  went were what when where whether which while who whom whose why will with without would yes yet you your
  ab aber alle allem allen aller alles als andere anderen anderer anders auch auf aus bei beim bekommen bekommt
  bereits bin bis bisher bitte bleiben bleibt brauche brauchen braucht bringen bringt da dabei dafür dafur dagegen
  daher damals damit danach dann daran darauf daraus darf das dass davon davor dazu dein deine deinen dem den denn der
  deren des deshalb dich die dies diese diesem diesen dieser dieses dir doch dort drin du durch durfte dürfen durfen
  eben ein eine einem einen einer eines einfach einige einmal er erst es etwas euch eure fast finde finden findet für
  fur gab ganz gar geben gegen gehen geht gekommen gemacht genau genug gerade gern gerne gesagt gewesen gibt ging
  gleich hab habe haben hat hatte hatten hätte heißt hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
  immer irgend irgendwas irgendwie irgendwo ist ja je jede jedem jeden jeder jedes jemand jetzt kam kann kannst kaum
  kein keine keinem keinen keiner komme kommen kommt konnte könnte können konnen lang lange lassen lässt lasst leicht
  machen macht mal man manche manchmal mehr mein meine meinem meinen meiner meist meistens mich mir mit möchte
  mochte muss müssen mussen musste nach nachher nehmen nicht nichts nie niemand nimmt noch nun nur ob oder oft ohne
  sagen sagt sagte schon sehr sei sein seine seinem seinen seiner seit sich sie sind sogar soll sollen sollte sollten
  sondern sonst statt tat trotzdem tun tut über uber überhaupt uberhaupt um und uns unser unsere unserem
  unseren unter viel viele vielleicht vom von vor vorher war waren wäre ware warum weg weil weiß welche welchem
  welchen welcher welches wem wen wenig weniger wenn wer werde werden wessen wie wieder wir wird wo wohin wohl wollen
  wollte worden worauf wurde würde wurden zu zum zur zwar zwischen
  acá aca además ademas ahí ahi ahora al algo alguien algún algun alguna algunas algunos allá alla allí alli ambos
  ante antes aquel aquella aquí aqui así asi aun aún aunque bajo bastante bien cada casi como cómo con contra
  cosa cosas cual cuál cuales cualquier cualquiera cuando cuándo cuánta cuantas cuánto cuanto cuántos dan dar de debe
  deben debo decir del demasiado dentro desde después despues dice dicho dijo doy dónde donde durante e el él
  ella ellas ellos en encima entonces entre era eran eres esa esas ese eso esos está esta estaba están estan estar
  estas este esto estos estoy fue fuera fueron ha había habia haber hace hacen hacer hacia haciendo hago han
  hasta hay haya hecho hizo hoy iba igual ir jamás la las le les lo los luego mas más mejor menos mi mí
  mía mientras mío mis misma mismas mismo mismos mucha muchas mucho muchos muy nada nadie ni ningún ningun ninguna
  ninguno nos nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros para parece pero poca poco
  podemos poder podría podria poner por porque pronto puede pueden puedo pues puso que qué quedar quería queria quien
  quién quienes quiere quiero quizá quizas saber sabe se sé sea según segun ser si sí sido siempre siendo sin sino
  sobre sois solo sólo somos son soy su sus suya suyo tal también tambien tampoco tan tanta tanto te tener tenía tenia
  tengo ti tiene tienen toda todas todavía todavia todo todos tu tú tus un una unas uno unos usa usar usted ustedes va
  vamos van varias varios veces ver vez voy vuelve y ya yo
  à alors au aux avec ça car ce cela ces cet cette chez comme comment dans déjà depuis elle elles encore est et été
  être eux fait faire fois ici il ils là leur leurs lui ma mais même mes moi mon ne notre nous ont ou où par parce pas
  peu peut plus pour pourquoi qu quand quel quelle qui quoi sa sans ses sont sous sur ta tes toi ton toujours tous
  tout très une vers vos votre vous`.split(/\s+/),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
