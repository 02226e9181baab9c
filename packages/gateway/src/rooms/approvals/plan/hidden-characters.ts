// Characters that cannot be seen or that change how others are shown: which they are, and a text that shows them.

/** Control, format, private and unassigned characters, ignorable ones, and every blank but the plain space. */
const HIDDEN = String.raw`[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}`;

export function findHiddenCharacter(text: string): string | undefined {
  return new RegExp(HIDDEN, "u").exec(text)?.[0];
}

export function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** For eyes that decide: nothing is left out and nothing can hide. A line break stays one, behind its mark. */
export function showEverything(text: string): string {
  return text.replaceAll(new RegExp(HIDDEN, "gu"), (character) => {
    const mark = `<${nameCharacter(character)}>`;
    return character === "\n" ? `${mark}\n` : mark;
  });
}
