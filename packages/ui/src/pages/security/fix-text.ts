// Finds the commands in a sentence that says what to do, so that they can be copied without the words around them.

export interface FixPart {
  readonly kind: "words" | "command";
  readonly text: string;
}

/** One word for a shell. A point at its end belongs to the sentence. */
const WORD = String.raw`(?:'(?:[^']|'\\'')*'|[^\s',;]*[^\s',;.])`;
/** What the gateway suggests in its findings: how many words belong to each command is known. */
const COMMANDS = [
  String.raw`chela config set ${WORD} ${WORD}`,
  `chela config unset ${WORD}`,
  "chela config validate",
  "chela gateway (?:stop|run)",
  `chela hooks (?:enable|disable) ${WORD}`,
  "chela approvals get",
  `chela approvals allowlist remove ${WORD}`,
  "chela credential import",
  "chela sandbox (?:status|selftest)",
  String.raw`chela security audit(?: --\w+)*`,
  `chmod(?: -R)? ${WORD} ${WORD}`,
  `sudo chown ${WORD} ${WORD}`,
];
const COMMAND = new RegExp(`\`([^\`]+)\`|\\b(${COMMANDS.join("|")})`, "g");

export function partsOfFix(fix: string): FixPart[] {
  const parts: FixPart[] = [];
  let end = 0;
  for (const match of fix.matchAll(COMMAND)) {
    if (match.index > end) parts.push({ kind: "words", text: fix.slice(end, match.index) });
    parts.push({ kind: "command", text: match[1] ?? match[2] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < fix.length) parts.push({ kind: "words", text: fix.slice(end) });
  return parts;
}
