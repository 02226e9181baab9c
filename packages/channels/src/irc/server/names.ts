// Compares nicks and channels: servers compare them without case, each in its own way.

export type CaseMapping = "ascii" | "rfc1459" | "rfc1459-strict";

/** What a server says in CASEMAPPING; the old rule holds where it says nothing, and ASCII for what is newer than us. */
export function readCaseMapping(written: string | undefined): CaseMapping {
  if (written === undefined) return "rfc1459";
  if (written === "rfc1459") return "rfc1459";
  return written === "strict-rfc1459" || written === "rfc1459-strict" ? "rfc1459-strict" : "ascii";
}

export function foldName(name: string, mapping: CaseMapping): string {
  const lower = lowerAscii(name);
  if (mapping === "ascii") return lower;
  const folded = lower.replaceAll("[", "{").replaceAll("]", "}").replaceAll("\\", "|");
  return mapping === "rfc1459" ? folded.replaceAll("~", "^") : folded;
}

/** Letters beyond ASCII stay as they are: lower case of some of them is a letter of somebody else's name. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function isRoomName(name: string, prefixes = "#&+!"): boolean {
  return name.length > 1 && prefixes.includes(name.charAt(0));
}

/** Characters that mean something else in a line, or a list of several recipients. */
export function isSendable(name: string): boolean {
  return name !== "" && !/[\p{Cc}\s,:*?!@]/u.test(name.replace(/^[#&+!]/, "")) && !name.startsWith("$");
}
