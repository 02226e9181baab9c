// Words that are in almost every text: they are looked for only when a query has no others.
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about am an and any are as at be been but by can could did do does for from had has have he her him his how i if in
  is it its me my no not of on or our out she should so some than that the their them then there they this to up us was we
  were what when where which who whom whose why will with would you your
  aber alle als am an auch auf aus bei bin bis da dann das dass dem den der des die dir doch du ein eine einen einem einer
  er es euch für fur hab habe haben hat hatte ich ihm ihn ihr im in ist ja kann kein man mein meine meinen meiner mich mir
  mit nach nicht noch nur ob oder sein seine sich sie sind so um und uns unser von vor war waren warum was welche welcher
  wenn wer werden wie wir wird wo zu zum zur
  al algo ante aunque como con cual cuando de del desde donde el ella ellos en era es esa ese eso esta este esto fue ha
  hay la las le les lo los mas me mi mis muy nos para pero por que quien se si sin sobre son su sus te tiene tu tus un una
  y ya yo
  au avec ce ces cette dans des du elle est et eux ils je leur lui ma mais mes moi ne nous on ou où par pas pour qu qui sa
  ses sont sur ta tes toi ton vos votre vous`.split(/\s+/),
);

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
