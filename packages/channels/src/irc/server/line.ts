// One line of the IRC protocol: read from the wire and written to it. What is written can never become two lines.

export interface Source {
  readonly nick: string;
  readonly user?: string;
  readonly host?: string;
}

export interface Line {
  readonly tags: ReadonlyMap<string, string>;
  /** Absent: the server itself. */
  readonly source?: Source;
  /** Upper case, or three digits. */
  readonly command: string;
  readonly params: readonly string[];
}

export type Tags = Readonly<Record<string, string | undefined>>;

export function parseLine(raw: string): Line | undefined {
  let rest = raw;
  let tags: ReadonlyMap<string, string> = new Map();
  let source: Source | undefined;
  if (rest.startsWith("@")) {
    const [written, after] = cutWord(rest.slice(1));
    tags = parseTags(written);
    rest = after;
  }
  if (rest.startsWith(":")) {
    const [written, after] = cutWord(rest.slice(1));
    source = parseSource(written);
    rest = after;
  }
  const [command, after] = cutWord(rest);
  if (!/^(?:[a-z]+|\d{3})$/i.test(command)) return undefined;
  return { tags, ...(source ? { source } : {}), command: command.toUpperCase(), params: parseParams(after) };
}

function cutWord(text: string): readonly [string, string] {
  const end = text.indexOf(" ");
  return end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end).replace(/^ +/, "")];
}

function parseParams(text: string): string[] {
  const params: string[] = [];
  let rest = text;
  while (rest !== "") {
    if (rest.startsWith(":")) return [...params, rest.slice(1)];
    const [word, after] = cutWord(rest);
    params.push(word);
    rest = after;
  }
  return params;
}

function parseTags(written: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const pair of written.split(";")) {
    const equals = pair.indexOf("=");
    const name = equals < 0 ? pair : pair.slice(0, equals);
    if (name !== "") tags.set(name, equals < 0 ? "" : unescapeTag(pair.slice(equals + 1)));
  }
  return tags;
}

export function parseSource(written: string): Source | undefined {
  const [, nick, user, host] = /^([^!@]+)(?:!([^@]*))?(?:@(.*))?$/.exec(written) ?? [];
  if (!nick) return undefined;
  return { nick, ...(user ? { user } : {}), ...(host ? { host } : {}) };
}

const ESCAPED: Readonly<Record<string, string>> = { ":": ";", s: " ", r: "\r", n: "\n" };

function unescapeTag(value: string): string {
  return value.replaceAll(/\\(.?)/gs, (_, character: string) => ESCAPED[character] ?? character);
}

function escapeTag(value: string): string {
  return value
    .replaceAll("\0", "")
    .replaceAll("\\", "\\\\")
    .replaceAll(";", "\\:")
    .replaceAll(" ", "\\s")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n");
}

/** The last parameter may hold spaces; the others are cut at the first one, so that nobody can add parameters. */
export function writeLine(command: string, params: readonly string[] = [], tags: Tags = {}): string {
  const middle = params.slice(0, -1).map((param) => cleanText(param).split(" ", 1)[0] || "*");
  const last = params.at(-1);
  const body = [command, ...middle, ...(last === undefined ? [] : [`:${cleanText(last)}`])].join(" ");
  return `${writeTags(tags)}${body}`;
}

function writeTags(tags: Tags): string {
  const pairs = Object.entries(tags).flatMap(([name, value]) =>
    value === undefined ? [] : [value === "" ? name : `${name}=${escapeTag(value)}`],
  );
  return pairs.length === 0 ? "" : `@${pairs.join(";")} `;
}

/** A line break or NUL inside a text would let its author write commands of their own. */
function cleanText(text: string): string {
  return text.replaceAll(/[\r\n\0]+/g, " ");
}
