// Keeps each conversation's view of its workspace still, so that the prompt stays the same to the byte, and tells what
// has changed meanwhile. Providers cache a prompt by its beginning: an edit of a file must not cost the whole conversation.
import type { Logger } from "@chela/sdk";
import { readBootstrap, type SpeakingFile } from "./bootstrap-files.ts";
import { FileCache } from "./file-cache.ts";
import { FIRST_MEETING, namesOf, type FileSet } from "./file-names.ts";
import { FILE_LIMITS, fitFiles, type FileLimits, type InjectedFile } from "./fit-files.ts";

const MAX_SESSIONS = 2000;
const MAX_VIEWS = 200;
/** After an hour no provider remembers the prompt, so nothing is lost by a new one. */
const IDLE_MS = 3_600_000;

export interface PromptFilesOptions {
  /** Asked whenever a view is taken, so that a change of the configuration counts from then on. */
  readonly limits?: () => FileLimits;
  readonly log?: Logger;
}

export interface SessionFiles {
  readonly files: readonly InjectedFile[];
  /** Files that differ from what the conversation has seen or been told of; each change is named once. */
  readonly changed: readonly string[];
}

interface Snapshot {
  readonly directory: string;
  readonly set: FileSet;
  readonly files: readonly InjectedFile[];
  /** Digests by name, as the conversation knows them. */
  known: ReadonlyMap<string, string>;
  usedAt: number;
}

interface View {
  readonly version: string;
  readonly files: readonly InjectedFile[];
}

/** The files of a workspace as they are now. */
interface Look {
  readonly present: readonly SpeakingFile[];
  /** Digests by name; the same map as long as they are the same, because every conversation keeps it. */
  readonly known: ReadonlyMap<string, string>;
}

export class PromptFiles {
  readonly #limits: () => FileLimits;
  readonly #cache: FileCache;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #views = new Map<string, View>();
  readonly #lastKnown = new Map<string, ReadonlyMap<string, string>>();

  constructor(options: PromptFilesOptions = {}) {
    this.#limits = options.limits ?? (() => FILE_LIMITS);
    this.#cache = new FileCache(options.log);
  }

  /** The first call of a session takes the snapshot that later calls give back. `now` is of the steady clock. */
  async filesFor(sessionId: string, directory: string, set: FileSet, now: number): Promise<SessionFiles> {
    const { present, known } = this.#look(directory, set);
    const before = this.#snapshots.get(sessionId);
    if (!before || before.directory !== directory || before.set !== set || now - before.usedAt >= IDLE_MS) {
      const files = this.#view(directory, set, present);
      keepYoungest(this.#snapshots, sessionId, { directory, set, files, known, usedAt: now }, MAX_SESSIONS);
      return { files, changed: [] };
    }
    const isChanged = (name: string): boolean => name !== FIRST_MEETING && before.known.get(name) !== known.get(name);
    const changed = before.known === known ? [] : namesOf(set).filter(isChanged);
    before.known = known;
    before.usedAt = now;
    keepYoungest(this.#snapshots, sessionId, before, MAX_SESSIONS);
    return { files: before.files, changed };
  }

  /** What a conversation has been given; undefined before its first turn. Looking marks no change as told. */
  filesGiven(sessionId: string): readonly InjectedFile[] | undefined {
    return this.#snapshots.get(sessionId)?.files;
  }

  /** Which files a conversation is told of; undefined before its first turn. */
  setGiven(sessionId: string): FileSet | undefined {
    return this.#snapshots.get(sessionId)?.set;
  }

  /** The conversation begins anew for the model (compaction, reset): the next call takes a new snapshot. */
  renew(sessionId: string): void {
    this.#snapshots.delete(sessionId);
  }

  #look(directory: string, set: FileSet): Look {
    const place = `${set} ${directory}`;
    const present = readBootstrap(directory, set, this.#cache);
    const fresh = new Map(present.map(({ name, digest }) => [name as string, digest]));
    const last = this.#lastKnown.get(place);
    const known = last && isSame(last, fresh) ? last : fresh;
    keepYoungest(this.#lastKnown, place, known, MAX_VIEWS);
    return { present, known };
  }

  /** Conversations that began with the same files share them. */
  #view(directory: string, set: FileSet, present: readonly SpeakingFile[]): readonly InjectedFile[] {
    const limits = this.#limits();
    const place = `${set} ${directory}`;
    const version = JSON.stringify([
      limits.perFile,
      limits.total,
      ...present.map(({ name, digest }) => [name, digest]),
    ]);
    const known = this.#views.get(place);
    const view = known?.version === version ? known : { version, files: fitFiles(present, limits) };
    keepYoungest(this.#views, place, view, MAX_VIEWS);
    return view.files;
  }
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([name, digest]) => other.get(name) === digest);
}

function keepYoungest<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}
