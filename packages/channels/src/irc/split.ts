// Cuts a text into pieces that fit into one line each: between words where possible, never inside a character.

export interface Piece {
  readonly text: string;
  /** Goes on where the piece before it was cut. */
  readonly continues: boolean;
}

/** Codes that switch something on or off. Each line starts with everything off. */
const SWITCHES = ["\u0002", "\u001d", "\u0011"];
/** So that there is always room for the codes and a character. */
const SHORTEST = 16;

export function splitText(text: string, bytes: number): Piece[] {
  const pieces: Piece[] = [];
  let on = "";
  for (const line of text.split("\n")) {
    let rest = line.trimEnd() === "" ? "" : on + line.trimEnd();
    let continues = false;
    for (;;) {
      const cut = findCut(rest, Math.max(bytes, SHORTEST));
      const head = rest.slice(0, cut);
      pieces.push({ text: head, continues });
      if (head !== "") on = switchedOn(head);
      if (cut === rest.length) break;
      rest = on + rest.slice(cut);
      continues = true;
    }
  }
  return pieces;
}

function switchedOn(text: string): string {
  return SWITCHES.filter((code) => text.split(code).length % 2 === 0).join("");
}

/** Where the piece ends: at the end of the text, after the last space in its second half, or else where it is full. */
function findCut(text: string, bytes: number): number {
  if (Buffer.byteLength(text) <= bytes) return text.length;
  let size = 0;
  let end = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    end += character.length;
  }
  const space = text.lastIndexOf(" ", end - 1) + 1;
  return space > end / 2 ? space : end;
}
