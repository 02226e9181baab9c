// Keeps allowed programs away from the gateway's own files, by whatever name an argument leads to them.
import { readdirSync, type Dirent } from "node:fs";
import { basename, join } from "node:path";
import { isInside } from "@chela/sdk/files";
import { calledName, type FoundProgram } from "./plan/find-program.ts";
import { identityOf, isOwnStream, look, walkPath, type WalkedPath } from "./plan/walk-path.ts";

export interface OwnPlaces {
  readonly cwd: string;
  /** What `~/` means to programs that know it. */
  readonly home: string;
  readonly stateDirectory: string;
  /** Further files of the gateway that lie elsewhere, such as the configuration. */
  readonly ownFiles: readonly string[];
  /** Where agents write. Absolute, links resolved. */
  readonly writable?: readonly string[];
}

/** Parts of the state directory that are for the agents themselves. */
const FOR_AGENTS = /^(?:workspace(?:-[^/]+)?|workspaces|media|sandboxes)(?:\/|$)/;
/** They look at a directory itself, or at the names in it, and not at what is below. */
const LOOK_AT_ONE_LEVEL: ReadonlySet<string> = new Set(
  "ls dir vdir stat test basename dirname realpath readlink echo printf df pwd cat head tail wc nl od file seq sleep expr".split(
    " ",
  ),
);
/** They begin where they stand when nothing is named. */
const BEGIN_HERE: ReadonlySet<string> = new Set(
  "find fd du tree rg ripgrep ag ack grep egrep fgrep rgrep ls dir vdir".split(" "),
);
/** Folders whose files could be known under a second name. */
const FOLDERS_OF_GUARDS = ["", "devices", "credentials", "identity"];
const GREPS: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep"]);
/** They do not go through links in folders unless they are told to. */
const KEEPS_OFF_LINKS: ReadonlySet<string> = new Set("find fd fdfind du tree rg ripgrep ls dir vdir".split(" "));
const MOST_PIECES = 64;
const MOST_LOOKED_THROUGH = 5_000;

/** The argument (or `.`) that leads to the gateway's own files, or for whoever looks into folders, above them. */
export function findOwnFileArgument(program: FoundProgram, places: OwnPlaces): string | undefined {
  const guard = new Guard(places);
  const goesDeep = looksDeep(program);
  const follows = goesDeep && followsLinks(program);
  const mayChange = isNameIn(GREPS, program);
  const begins = goesDeep && isNameIn(BEGIN_HERE, program) ? ["."] : [];
  return [...program.argv.slice(1), ...begins].find((word) =>
    piecesOf(word, places.home).some(
      (piece) => guard.isReached(piece, goesDeep) || (follows && guard.isLinked(piece, mayChange)),
    ),
  );
}

class Guard {
  readonly #places: OwnPlaces;
  readonly #state: string;
  readonly #stateIdentity: string | undefined;
  readonly #ownFiles: readonly string[];
  #guardIdentities: ReadonlySet<string> | undefined;

  constructor(places: OwnPlaces) {
    this.#places = places;
    this.#state = pathOf(walkPath(places.stateDirectory, "/")) ?? places.stateDirectory;
    const facts = look(this.#state);
    this.#stateIdentity = facts && identityOf(facts);
    this.#ownFiles = places.ownFiles.map((file) => pathOf(walkPath(file, "/")) ?? file);
  }

  isReached(written: string, goesDeep: boolean): boolean {
    const walked = walkPath(written, this.#places.cwd);
    if (walked.kind === "anywhere") return true;
    const { path, end } = walked;
    // What lies on a disk, or in memory, can be read from the device it is on.
    if (end?.isBlockDevice() || (end?.isCharacterDevice() && !isOwnStream(path))) return true;
    if (this.#ownFiles.includes(path) || this.#isInState(walked)) return true;
    if (goesDeep && this.#lieBelow(path, end?.isDirectory() ?? false)) return true;
    return end?.isFile() === true && end.nlink > 1n && this.#isSecondName(identityOf(end));
  }

  /** Whether a link below a folder leads there; a folder too large to look through may hold one. */
  isLinked(written: string, mayChange: boolean): boolean {
    const walked = walkPath(written, this.#places.cwd);
    if (walked.kind !== "place" || !walked.end?.isDirectory()) return false;
    // A link can be put there when the program has begun, and before it comes to it.
    if (mayChange && this.#places.writable?.some((folder) => isInside(folder, walked.path))) return true;
    const folders = [walked.path];
    for (let seen = 0; folders.length > 0;) {
      const folder = folders.pop() ?? "";
      for (const entry of entriesOf(folder)) {
        if ((seen += 1) > MOST_LOOKED_THROUGH) return true;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isSymbolicLink() && this.isReached(path, true)) return true;
      }
    }
    return false;
  }

  /** By its path, or by the folder itself where it is mounted under another one. */
  #isInState({ path, passed }: Extract<WalkedPath, { kind: "place" }>): boolean {
    const way = below(this.#state, path);
    if (way !== undefined) return !FOR_AGENTS.test(way);
    return this.#stateIdentity !== undefined && passed.has(this.#stateIdentity) && this.#isMountedElsewhere(path);
  }

  /** `state/..` passes the folder and leaves it again; a second mount of it does not. */
  #isMountedElsewhere(path: string): boolean {
    for (let at = path; at !== "/" && at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const facts = look(at);
      if (facts && identityOf(facts) === this.#stateIdentity) return !FOR_AGENTS.test(path.slice(at.length + 1));
    }
    return false;
  }

  #lieBelow(path: string, isDirectory: boolean): boolean {
    return isDirectory && [this.#state, ...this.#ownFiles].some((own) => below(path, own) !== undefined);
  }

  #isSecondName(identity: string): boolean {
    this.#guardIdentities ??= new Set(FOLDERS_OF_GUARDS.flatMap((folder) => identitiesIn(join(this.#state, folder))));
    return this.#guardIdentities.has(identity);
  }
}

/** Every part of a word that a program may take for a path. */
export function piecesOf(word: string, home: string): string[] {
  const pieces = new Set<string>([word]);
  // `--opt=path`, `key=path`, `-d@file`, `@file`, `host:path`, `a:b,c`.
  for (const at of word.matchAll(/[=@:,;|!<>+%\s"'()[\]{}]/g)) pieces.add(word.slice(at.index + 1));
  for (const part of word.split(/[=@:,;|!<>+\s"'()[\]{}]/)) pieces.add(part);
  // `-Ipath`, `-xzfpath`: letters of options stand before it.
  if (word.startsWith("-")) for (let at = 1; at < Math.min(word.length, 9); at += 1) pieces.add(word.slice(at));
  const plain = [...pieces].filter((piece) => piece !== "" && piece !== "-").slice(0, MOST_PIECES);
  return [...new Set(plain.flatMap((piece) => meaningsOf(piece, home)))];
}

/** `file:///a%2fb` and `~/a` are paths in the words of some programs. */
function meaningsOf(piece: string, home: string): string[] {
  const meanings = [piece, piece.replace(/^\/\/[^/]*(?=\/)/, "")];
  if (piece.startsWith("~/")) meanings.push(home + piece.slice(1));
  return meanings.flatMap((text) => (text.includes("%") ? [text, decoded(text)] : [text]));
}

function decoded(text: string): string {
  return text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Nobody knows what an unknown program does with a folder, so it is taken to look into it. */
function looksDeep(program: FoundProgram): boolean {
  const args = program.argv.slice(1);
  if (isNameIn(GREPS, program)) return args.some((word) => /^(?:-[A-Za-z0-9]*[rRd]|--r|--d)/.test(word));
  if (isNameIn(new Set(["ls", "dir", "vdir"]), program))
    return args.some((word) => /^(?:-[A-Za-z0-9]*R|--rec)/.test(word));
  return !isNameIn(LOOK_AT_ONE_LEVEL, program);
}

const FOLLOWS_ALL = /^(?:-[A-Za-z0-9]*L|--deref|--follow|-follow)/;

/** Of those who look into folders: whether they go through links in them. Nobody knows it of an unknown program. */
function followsLinks(program: FoundProgram): boolean {
  const args = program.argv.slice(1);
  if (isNameIn(GREPS, program)) return args.some((word) => /^(?:-[A-Za-z0-9]*R|--deref)/.test(word));
  return !isNameIn(KEEPS_OFF_LINKS, program) || args.some((word) => FOLLOWS_ALL.test(word));
}

function isNameIn(names: ReadonlySet<string>, program: FoundProgram): boolean {
  return names.has(calledName(program)) || names.has(basename(program.file));
}

/** The way from `folder` down to `path`; undefined when it is not below. */
function below(folder: string, path: string): string | undefined {
  if (path === folder) return "";
  const start = folder === "/" ? "/" : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

function pathOf(walked: WalkedPath): string | undefined {
  return walked.kind === "place" ? walked.path : undefined;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function identitiesIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const facts = look(join(folder, name));
      return facts?.isFile() ? [identityOf(facts)] : [];
    });
  } catch {
    return [];
  }
}
