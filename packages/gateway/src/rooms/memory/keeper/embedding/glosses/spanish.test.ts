// Forms of Spanish words find the English of their lemma; names and other languages find nothing.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SPANISH_GLOSSES } from "./spanish.ts";

const gloss = (word: string): string | undefined => SPANISH_GLOSSES.glossOf(word);

/** Each word with the gloss behind it: "casas=house". */
const FORMS: Readonly<Record<string, string>> = {
  plurals: `
    casas=house sillas=chair botellas=bottle hospitales=hospital árboles=tree canciones=song luces=lights lápices=pencil
    peces=fish veces=times jóvenes=young exámenes=exam camiones=truck alemanes=German relojes=clock leyes=laws
    tijeras=scissors cuñados=brother-in-law razones=reason paredes=wall jueces=judge narices=nose mesas=table`,
  genders: `
    blanca=white blancas=white blancos=white pequeña=small trabajadora=hard-working trabajadoras=hard-working inglesa=English
    inglesas=English alemana=German española=Spanish españolas=Spanish profesora=teacher profesoras=teacher vendedora=seller
    enfermera=nurse enfermeras=nurse médica=doctor abogada=lawyer vecina=neighbour directriz=director poetisa=poet
    campeona=champion alcaldesa=mayor andaluza=Andalusian perezosas=lazy bailarina=dancer`,
  adverbs: `
    fácilmente=easy tranquilamente=calm lentamente=slowly perfectamente=perfect difícilmente=difficult
    cuidadosamente=careful felizmente=happy amablemente=kind legalmente=legal`,
  "small and big ones": `
    casita=house perrito=dog gatitas=kitten poquito=little amiguito=friend lucecita=light cafecito=coffee pueblecito=village
    pobrecito=poor florecilla=flower cochecito=stroller abuelita=grandmother hermanito=brother pequeñita=small
    vocecita=voice ratoncito=mouse chiquillos=kid mujercita=woman golazo=goal perrazo=dog librote=book cajita=box`,
  superlatives: `
    buenísimo=good guapísima=handsome riquísimo=rich larguísimas=long felicísimo=happy amabilísima=kind carísimos=expensive
    facilísimo=easy muchísimo=much grandísimo=big`,
  "verbs in -ar": `
    hablo=speak hablas=speak habla=speak hablamos=speak habláis=speak hablan=speak hablé=speak hablaste=speak habló=speak
    hablaron=speak hablaba=speak hablábamos=speak hablaré=speak hablarás=speak hablaremos=speak hablaría=speak
    hablarían=speak hable=speak hablemos=speak hablara=speak hablásemos=speak hablad=speak hablando=speak hablado=speak
    hablás=speak compradas=buy viajábamos=travel`,
  "verbs in -er": `
    bebo=drink bebemos=drink beben=drink bebí=drink bebiste=drink bebió=drink bebieron=drink bebía=drink bebíamos=drink
    beberé=drink beberíamos=drink beba=drink bebamos=drink bebiera=drink bebiese=drink bebed=drink bebiendo=drink
    bebido=drink bebidas=drink comprendieron=understand`,
  "verbs in -ir": `
    vivo=alive vives=live vive=live vivimos=live vivís=live viven=live viví=live vivió=live vivían=live viviré=live
    viviríamos=live vivan=live viviera=live viviesen=live vivid=live viviendo=live vivido=live subiste=go_up`,
  "changed spelling": `
    busqué=look_for busquemos=look_for llegué=arrive lleguen=arrive empecé=start cruce=crossing crucé=cross cojo=lame
    recojo=pick_up recojan=pick_up dirijo=direct sigo=continue sigan=continue distingo=distinguish venzo=expire
    convenza=convince conozco=know conozcas=know agradezco=thank traduzco=translate averigüé=find_out
    construyo=build construyó=build leyó=read leyeron=read cayendo=fall creyeron=believe eligió=choose`,
  "changed vowels": `
    piensas=think piensan=think cierra=close quiero=want entienden=understand prefiero=prefer prefirió=prefer
    puedo=can puedes=can vuelve=return vuelvan=return duermo=sleep durmió=sleep durmiendo=sleep murieron=die pido=ask_for
    pidió=ask_for pidiendo=ask_for repiten=repeat sirve=serve juego=game juegan=play jueguen=play almuerzan=have_lunch
    comience=start empiecen=start riega=water cuelgan=hang llueve=rain nieva=snow huele=smell sonríe=smile rieron=laugh
    frieron=fry riñeron=quarrel adquiere=acquire avergüenza=embarrass cuestan=cost muestran=show tropieza=stumble`,
  "irregular verbs": `
    soy=be eres=be son=be éramos=be fueron=be sea=be estoy=be está=be estuvo=be estén=be voy=go vamos=go iba=go
    he=have has=have han=have hemos=have habría=have tengo=have tienes=have tuvo=have tendrá=have tuviéramos=have
    hago=do hizo=do hicieron=do haría=do hagan=do digo=say dijo=say dijeron=say dirá=say diciendo=say pude=can podrá=can
    pudieron=can pongo=put puso=put pondré=put pusieron=put quise=want querrían=want sé=know supo=know sabrá=know sepa=know
    traigo=bring trajeron=bring trayendo=bring vengo=come vino=wine vinieron=come vendrá=come veo=see vio=see veían=see
    doy=give dio=give dieron=give dé=give oigo=hear oyó=hear oyendo=hear caigo=fall cayó=fall conduje=drive condujo=drive
    conduzco=drive salgo=go_out saldremos=go_out valdría=be_worth anduvo=walk cupo=fit supuse=suppose mantuvo=maintain supera=overcome sabía=know decimos=say tenido=have sales=go_out
    obtuvieron=obtain propuso=propose tradujeron=translate contradijo=contradict satisfizo=satisfy`,
  "irregular participles": `
    escrito=written escritas=written descrito=describe roto=broken devuelto=give_back envuelto=wrap descubierto=discover
    propuesto=propose visto=see impresas=print deshecho=undo abiertas=open freído=fry`,
  "pronouns at the end": `
    darme=give dármelo=give decirte=say dímelo=say dígame=say hazlo=do ponlo=put tenlo=have avísame=notify
    llámanos=call recuérdame=remember siéntate=sit_down levántate=get_up quédate=stay irse=leave vámonos=go
    comprándola=buy haciéndolo=do diciéndoselo=say envíaselo=send devuélveselo=give_back léelo=read escríbeles=write
    pregúntale=ask ayúdenme=help lavarlas=wash ducharme=shower guárdalas=keep pídele=ask_for tráeme=bring`,
  "words without their accents": `
    telefono=phone numero=number medico=doctor cancion=song rapido=fast facil=easy cumpleanos=birthday manana=tomorrow_morning
    nino=boy telefonos=phone habitacion=room jardin=garden compre=buy llamare=call pequeno=small dias=days`,
  "both sides of the ocean": `
    coche=car carro=car auto=car ordenador=computer computadora=computer computador=computer móvil=mobile_phone
    celular=mobile_phone piscina=swimming_pool alberca=swimming_pool pileta=swimming_pool fontanero=plumber plomero=plumber
    conducir=drive manejar=drive aparcar=park estacionar=park patata=potato papa=potato zumo=juice jugo=juice gafas=glasses
    lentes=glasses melocotón=peach durazno=peach aguacate=avocado palta=avocado`,
  "nouns of known verbs": `compensación=compensate licuadora=blender organizador=organize navegable=sail estancamiento=stagnate`,
  "verbs that are only known with se": `arrepintió=regret arrepentirme=regret graduó=graduate desmayaste=faint agachó=bend_down`,
};

/** Spanish words that look like English ones. */
const FALSE_FRIENDS = `
  once=eleven pie=foot come=eat red=network sin=without ropa=clothes sopa=soup carpeta=folder librería=bookshop éxito=success
  actual=current embarazada=pregnant constipado=having_a_cold sensible=sensitive asistir=attend realizar=carry_out
  pretender=intend soportar=endure molestar=bother recordar=remember introducir=insert largo=long delito=crime
  compromiso=commitment pariente=relative colegio=school conductor=driver simpático=friendly fábrica=factory pan=bread
  dime=say dice=say ten=have fin=end mayor=older real=real sale=go_out tuna=undefined exit=undefined`;

const casesOf = (text: string): string[][] =>
  text
    .trim()
    .split(/\s+/)
    .map((line) => line.replaceAll("_", " ").split("="));

describe.each(Object.entries(FORMS))("%s", (_name, text) => {
  it.each(casesOf(text))("%s is read as %s", (form, english) => {
    expect(gloss(form!)).toBe(english);
  });
});

describe("words that look like English", () => {
  it.each(casesOf(FALSE_FRIENDS))("%s is read as %s", (form, english) => {
    expect(String(gloss(form!))).toBe(english);
  });
});

it("tells words apart by their accents", () => {
  const pairs = {
    caso: "case",
    casó: "marry",
    esta: "this",
    está: "be",
    si: "if",
    sí: "yes",
    te: "you",
    té: "tea",
    el: "",
    él: "he",
  };
  for (const [word, english] of Object.entries(pairs)) expect([word, gloss(word)]).toEqual([word, english]);
});

it("reads composed and decomposed letters alike", () => {
  expect(gloss("niño".normalize("NFD"))).toBe("boy");
});

it("says nothing for articles, and not for no", () => {
  for (const article of ["el", "la", "los", "las", "un", "una"]) expect(gloss(article)).toBe("");
  expect(gloss("no")).toBe("not");
});

it.each(
  "garcía fernández bruno marta lucía tomás marcos julia andrés salamanca berlín lisboa rioja netflix chela".split(" "),
)("does not know %s, a name", (name) => expect(gloss(name)).toBeUndefined());

it.each("the though yesterday schnell heute zwischen xyzzy qwerty a1b2".split(" "))("does not know %s", (word) =>
  expect(gloss(word)).toBeUndefined(),
);

it("has small words it knows itself", () => {
  expect(SPANISH_GLOSSES.smallWords.size).toBeGreaterThan(60);
  for (const word of SPANISH_GLOSSES.smallWords) expect([word, gloss(word)]).not.toEqual([word, undefined]);
});

describe("the tables", () => {
  const folder = new URL("./", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.startsWith("spanish-words-"));
  /** Remarks, too. */
  const wordsOf = (name: string): string[] =>
    readFileSync(new URL(name, folder), "utf8").split("`")[1]!.trim().split(/\n|; /);

  it.each(files)("%s has a lemma and a gloss for each word", (name) => {
    const bad = wordsOf(name).filter(
      (line) => !/^(?:# [a-z, ]+|[a-záéíóúüñ-]+=(?:[A-Za-zéâñ'-]+(?: [A-Za-z'-]+){0,3})?)$/.test(line),
    );
    expect(bad).toEqual([]);
  });

  it("have 6,000 lemmas or more, each of them once, and each is found", () => {
    const lines = files.flatMap(wordsOf).filter((line) => !line.startsWith("#"));
    const lemmas = lines.map((line) => line.slice(0, line.indexOf("=")));
    const seen = new Set<string>();
    expect(lemmas.filter((lemma) => seen.has(lemma) || !seen.add(lemma))).toEqual([]);
    expect(lemmas.length).toBeGreaterThan(6000);
    expect(lines.filter((line) => `${line.split("=")[0]}=${gloss(line.split("=")[0]!)}` !== line)).toEqual([]);
  });
});
