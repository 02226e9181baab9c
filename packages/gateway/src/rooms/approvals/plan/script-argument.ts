// Finds words of a command that name files of code to be run: the script of an interpreter, what its options load, what
// a starter starts, and the same inside of a text for a shell. Pure, but for the question whether a word is a program.
import { basename } from "node:path";
import { isPlainName } from "./plain-programs.ts";
import { kindOfProgram } from "./programs-that-run-others.ts";
import { readSegments, type ShellSegment, type ShellWord } from "./shell-segments.ts";

/** A part of a word of argv (the program's own being 0) that names a file of code. */
export interface CodePlace {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  /** As the system would find it; links are not followed yet. */
  readonly path: string;
  /** In a text for a shell: what it is replaced with must need no quotes, or may be given some. */
  readonly inText?: "bare" | "quoted";
}

export interface CodeSurroundings {
  readonly cwd: string;
  /** Whether a word without a slash is found among programs. */
  isProgram(word: string): boolean;
}

/** Options whose value is loaded as code. */
const LOADS: ReadonlySet<string> = new Set(
  "-r --require --import --loader --experimental-loader -f --file --rcfile --init-file -l --load -i -S".split(" "),
);
/** After these the code is in the arguments, or found by a name. */
const CODE_FOLLOWS: ReadonlySet<string> = new Set("-c -e --eval -p --print -m -E --expression".split(" "));
/** `-c`, also among other letters, as in `bash -lc`. */
export const TEXT_FOLLOWS = /^[-+][a-zA-Z]*c[a-zA-Z]*$/;
/** Those that take a whole text for a shell in one word. */
const TAKES_TEXT = /^(?:(?:[rkz]|ba|da|a|mk|lk)?sh|su|script|flock|runuser|sg)$/;

export function codePlaces(argv: readonly string[], around: CodeSurroundings): CodePlace[] {
  const name = basename(argv[0] ?? "");
  const kind = kindOf(name);
  const text = TAKES_TEXT.test(name) ? argv.findIndex((word) => TEXT_FOLLOWS.test(word)) + 1 : 0;
  if (text > 0) return placesInText(argv[text] ?? "", around).map((place) => ({ ...place, at: text }));
  if (kind === "interpreter") return placesOfInterpreter(argv, around.cwd);
  return kind === "starter" ? placesOfStarter(argv, around) : placesOfOptions(argv, around);
}

/** `sort --compress-program=./x.sh`, `split --filter 'sh x.sh'`: the value is a command. */
const NAMES_A_COMMAND =
  /^--(?:compress-p[a-z]*|use-compress-p[a-z]*|filter|pre|diff-program|to-command|hostname-bin|rsh|rsync-path|exec)(?=$|=)/;

function placesOfOptions(argv: readonly string[], around: CodeSurroundings): CodePlace[] {
  return argv.flatMap((word, at) => {
    const [option] = NAMES_A_COMMAND.exec(word) ?? [];
    if (at === 0 || option === undefined) return [];
    const [value, start] = option === word ? [at + 1, 0] : [at, option.length + 1];
    return placesInText((argv[value] ?? "").slice(start), around).map(({ from, to, ...place }) => ({
      ...place,
      at: value,
      from: from + start,
      to: to + start,
    }));
  });
}

function kindOf(name: string): ReturnType<typeof kindOfProgram> {
  return name === "." || name === "source" ? "interpreter" : kindOfProgram(name);
}

function placesOfInterpreter(argv: readonly string[], cwd: string): CodePlace[] {
  const places: CodePlace[] = [];
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    const equals = word.indexOf("=");
    if (CODE_FOLLOWS.has(word)) return places;
    if (LOADS.has(word)) places.push(placeAt(argv, (at += 1), 0, cwd));
    else if (equals > 0 && LOADS.has(word.slice(0, equals))) places.push(placeAt(argv, at, equals + 1, cwd));
    else if (!word.startsWith("-") && !word.startsWith("+")) return [...places, placeAt(argv, at, 0, cwd)];
  }
  return places;
}

/** `timeout 5 sh x.sh`, `env A=1 ./x.sh`: what comes behind its own words is a command. */
function placesOfStarter(argv: readonly string[], around: CodeSurroundings): CodePlace[] {
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (word.startsWith("-") || /^[A-Za-z_]\w*=/.test(word)) continue;
    const isPath = word.includes("/");
    if (!isPath && kindOfProgram(word) === undefined && !around.isProgram(word)) continue;
    const inner = codePlaces(argv.slice(at), around).map((place) => ({ ...place, at: place.at + at }));
    return [...(isPath ? [placeAt(argv, at, 0, around.cwd)] : []), ...inner];
  }
  return [];
}

function placeAt(argv: readonly string[], at: number, from: number, cwd: string): CodePlace {
  const word = argv[at] ?? "";
  return { at, from, to: word.length, path: placeOf(word.slice(from), cwd) };
}

/** They obey what they read, whatever their arguments say. */
const OBEYS_INPUT =
  /^(?:xargs|parallel|sqlite3?|psql|mysql|mariadb|mongo|mongosh|duckdb|bc|dc|ed|ex|m4|gnuplot|gdb|lldb)$/;

/** Whether what a program reads is code to it: `sh`, `python3 -`, `env bash`; not `awk '{print}'`, whose code is in its arguments. */
export function runsItsInput(argv: readonly string[]): boolean {
  const name = basename(argv[0] ?? "");
  if (OBEYS_INPUT.test(name)) return true;
  const kind = kindOf(name);
  if (kind === "starter") {
    const inner = argv.findIndex((word, at) => at > 0 && kindOfProgram(basename(word)) !== undefined);
    return inner > 0 && runsItsInput(argv.slice(inner));
  }
  if (kind !== "interpreter") return false;
  if (argv.some((word, at) => at > 0 && ["-", "-s", "/dev/stdin"].includes(word))) return true;
  // The text may start whatever reads the rest.
  if (TAKES_TEXT.test(name) && argv.some((word) => TEXT_FOLLOWS.test(word))) return true;
  const isTold = argv.some((word) => CODE_FOLLOWS.has(word));
  return !isTold && placesOfInterpreter(argv, "/").length === 0;
}

/** Every word behind the program itself: what a plain program prints is run where it feeds an interpreter. */
export function fedPlaces(argv: readonly string[], { cwd }: Pick<CodeSurroundings, "cwd">): CodePlace[] {
  return argv.flatMap((word, at) => (at === 0 || word.startsWith("-") ? [] : [placeAt(argv, at, 0, cwd)]));
}

type PlaceInText = Omit<CodePlace, "at">;

/** Where a text says `cd`, what follows is looked for there. */
function placesInText(text: string, around: CodeSurroundings): PlaceInText[] {
  const segments = readSegments(text) ?? [];
  const places: PlaceInText[] = [];
  const folders: (string | undefined)[] = [around.cwd];
  for (const [at, segment] of segments.entries()) {
    const cwd = folders.at(-1);
    const [program] = segment.words;
    if (program?.text === "cd" || program?.text === "pushd") folders[folders.length - 1] = folderAfter(segment, cwd);
    else if (cwd !== undefined) places.push(...placesInSegment(segment, feeds(segments, at), { ...around, cwd }));
    if (segment.end === "(") folders.push(folders.at(-1));
    if (segment.end === ")" && folders.length > 1) folders.pop();
  }
  return places;
}

function placesInSegment({ words, inputs }: ShellSegment, isFeeding: boolean, around: CodeSurroundings): PlaceInText[] {
  const [program] = words;
  if (!program || program.kind === "opaque") return [];
  const argv = words.map(({ kind, text }) => (kind === "opaque" ? "" : text));
  const name = basename(program.text);
  if (name === "eval") return words.slice(1).flatMap((word) => nested(word, placesInText(word.text, around)));
  const found = [
    ...(program.text.includes("/") ? [placeAt(argv, 0, 0, around.cwd)] : []),
    ...codePlaces(argv, around),
    ...(isFeeding && isPlainName(name) ? fedPlaces(argv, around) : []),
  ];
  const read = kindOf(name) === "interpreter" ? inputs : [];
  return [
    ...found.flatMap((place) => nested(words[place.at], [place])),
    ...read.flatMap((word) => nested(word, [placeAt([word.text], 0, 0, around.cwd)])),
  ];
}

/** The same places, counted from where the word itself begins. */
function nested(word: ShellWord | undefined, places: readonly PlaceInText[]): PlaceInText[] {
  if (!word || word.kind === "opaque") return [];
  const { from: start, kind } = word;
  return places.flatMap(({ from, to, path }) =>
    from === to ? [] : [{ from: start + from, to: start + to, path, inText: kind }],
  );
}

/** Undefined when nobody can tell where one is then. */
function folderAfter({ words }: ShellSegment, cwd: string | undefined): string | undefined {
  const [, folder, more] = words;
  if (cwd === undefined || !folder || more || folder.kind === "opaque" || folder.text.startsWith("-")) return undefined;
  return placeOf(folder.text, cwd);
}

/** Whether what a segment prints is run, directly or behind others that pass it on. */
function feeds(segments: readonly ShellSegment[], at: number): boolean {
  for (let next = at; segments[next]?.end.startsWith("|") && segments[next]?.end !== "||"; next += 1) {
    const argv = (segments[next + 1]?.words ?? []).map(({ text }) => text);
    if (runsItsInput(argv)) return true;
  }
  return false;
}

/** Files that a module's name would be found as: `python3 -m app`, `perl -I. -Mapp`, `ruby -r./app`. */
export function moduleFiles(argv: readonly string[]): string[] {
  const folders = ["", ...argv.flatMap((word) => (/^-I./.test(word) ? [`${word.slice(2)}/`] : []))];
  const names = argv.flatMap((word, at) => {
    if (word === "-m") return [argv[at + 1] ?? ""];
    return /^-[Mmr][\w:./]+$/.test(word) ? [word.slice(2)] : [];
  });
  const paths = names.map((name) => name.replaceAll("::", "/").replaceAll(/(?<=\w)\.(?=\w)/g, "/"));
  const endings = [".py", "/__main__.py", "/__init__.py", ".pm", ".rb"];
  return folders.flatMap((folder) => paths.flatMap((path) => endings.map((ending) => `${folder}${path}${ending}`)));
}

/** Not `resolve`: it would take `link/..` for nothing, while the system follows the link first. */
export function placeOf(name: string, cwd: string): string {
  return name.startsWith("/") ? name : `${cwd}/${name}`;
}
