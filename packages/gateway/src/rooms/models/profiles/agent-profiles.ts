// The profiles of one agent: its file, read again when somebody changed it, and statistics that are written behind.
import { readFileSync, renameSync, statSync } from "node:fs";
import { type Secret, GatewayError, type Clock, type Logger } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { tryLock, waitForLock } from "../../../base/locks/lock-file.ts";
import type { ProfileVault } from "./profile-vault.ts";
import {
  openPart,
  parseDocument,
  partOf,
  readProfile,
  readStats,
  type ProfilesDocument,
  type StoredProfile,
  type UsageStats,
} from "./stored-profile.ts";

export interface AgentProfilesOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  env(): Readonly<Record<string, string | undefined>>;
  onSecret(secret: Secret): void;
  readonly agentId?: string;
  /** Where secrets are kept; in the file itself without it. */
  readonly vault?: ProfileVault | undefined;
}

interface Content {
  /** Tells whether the file is still the one that was read. */
  readonly stamp: string;
  readonly document: ProfilesDocument;
  readonly profiles: readonly StoredProfile[];
}

const WRITE_BEHIND_MS = 1_000;
/** When another process had the file, or the disk was full. */
const WRITE_AGAIN_MS = 30_000;
const LOCK_PATIENCE_MS = 10_000;
const NO_FILE = "no file";

export class AgentProfiles {
  readonly #options: AgentProfilesOptions;
  #content: Content | undefined;
  /** What is not in the file yet. */
  readonly #stats = new Map<string, UsageStats>();
  readonly #lastGood = new Map<string, string>();
  #cancelWrite: (() => void) | undefined;

  constructor(options: AgentProfilesOptions) {
    this.#options = options;
  }

  get path(): string {
    return this.#options.path;
  }

  get agentId(): string {
    return this.#options.agentId ?? "";
  }

  get vault(): ProfileVault | undefined {
    return this.#options.vault;
  }

  /** A row as it is in the file. */
  row(id: string): unknown {
    return partOf(this.#read().document, "profiles")[id];
  }

  list(): readonly StoredProfile[] {
    return this.#read().profiles;
  }

  find(id: string): StoredProfile | undefined {
    return this.list().find((profile) => profile.id === id);
  }

  statsOf(id: string): UsageStats {
    return this.#stats.get(id) ?? readStats(partOf(this.#read().document, "usageStats")[id]);
  }

  lastGood(provider: string): string | undefined {
    const stored = partOf(this.#read().document, "lastGood")[provider];
    return this.#lastGood.get(provider) ?? (typeof stored === "string" ? stored : undefined);
  }

  order(provider: string): readonly string[] | undefined {
    const listed = partOf(this.#read().document, "order")[provider];
    return Array.isArray(listed) ? listed.filter((id) => typeof id === "string") : undefined;
  }

  noteStats(id: string, stats: UsageStats): void {
    this.#stats.set(id, stats);
    this.#writeLater();
  }

  noteGood(provider: string, id: string): void {
    if (this.lastGood(provider) === id) return;
    this.#lastGood.set(provider, id);
    this.#writeLater();
  }

  /** Changes the newest version of the file, alone among all processes. */
  async edit(change: (document: ProfilesDocument) => void): Promise<void> {
    const { path, clock } = this.#options;
    let release: (() => void) | undefined;
    try {
      release = await waitForLock(`${path}.lock`, clock, LOCK_PATIENCE_MS);
      if (!release) throw new GatewayError("PROFILE_STORE", `${path} is being changed by another process`);
      this.#rewrite(change);
    } catch (error) {
      if (GatewayError.is(error)) throw error;
      throw new GatewayError("PROFILE_STORE", `${path} (${errnoOf(error) ?? "unknown reason"})`, { cause: error });
    } finally {
      release?.();
    }
  }

  /** Writes statistics that are still in memory. Never throws: they are worth less than what else goes on. */
  flush(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    if (!this.#hasNews()) return;
    const { path, clock, log } = this.#options;
    try {
      const release = tryLock(`${path}.lock`, clock);
      if (!release) return;
      try {
        this.#rewrite(undefined);
      } finally {
        release();
      }
    } catch (error) {
      log.warn("The statistics of credentials could not be written", { file: path, reason: errnoOf(error) });
    }
  }

  #writeLater(ms = WRITE_BEHIND_MS): void {
    this.#cancelWrite ??= this.#options.clock.after(ms, () => {
      this.flush();
      if (this.#hasNews()) this.#writeLater(WRITE_AGAIN_MS);
    });
  }

  #hasNews(): boolean {
    return this.#stats.size > 0 || this.#lastGood.size > 0;
  }

  /** Without a change only statistics are written, and only into a file that is well. */
  #rewrite(change: ((document: ProfilesDocument) => void) | undefined): void {
    const { path } = this.#options;
    const text = readText(path);
    const parsed = text === undefined ? undefined : parseDocument(text);
    const document = parsed?.kind === "read" ? parsed.document : { version: 1, profiles: {} };
    if (change && parsed?.kind === "broken") this.#setAside(parsed.why);
    if (change || parsed?.kind === "read") {
      this.#addStatistics(document);
      change?.(document);
      writeFileAtomic(path, `${JSON.stringify(document, null, 2)}\n`);
    }
    this.#stats.clear();
    this.#lastGood.clear();
    this.#content = undefined;
  }

  #setAside(why: string): void {
    const { path, clock, log } = this.#options;
    const aside = `${path}.broken-${clock.now()}`;
    renameSync(path, aside);
    log.error(`A broken file of credentials was set aside as ${aside}, because ${why}`);
  }

  /** Only of profiles that are still there: another process may have removed one. */
  #addStatistics(document: ProfilesDocument): void {
    const known = partOf(document, "profiles");
    for (const [id, stats] of this.#stats) if (id in known) openPart(document, "usageStats")[id] = stats;
    for (const [provider, id] of this.#lastGood) if (id in known) openPart(document, "lastGood")[provider] = id;
  }

  #read(): Content {
    const { path } = this.#options;
    const stamp = `${stampOf(path)} ${this.#options.vault?.stamp() ?? ""}`;
    if (this.#content?.stamp === stamp) return this.#content;
    this.#content = stamp.startsWith(NO_FILE) ? { stamp, document: {}, profiles: [] } : this.#load(stamp);
    return this.#content;
  }

  #load(stamp: string): Content {
    const { path, log, env, onSecret, vault } = this.#options;
    const nothing = { stamp, document: {}, profiles: [] };
    let text: string | undefined;
    try {
      text = readText(path);
    } catch (error) {
      log.error(`The file of credentials ${path} cannot be read (${errnoOf(error) ?? "unknown reason"})`);
      return nothing;
    }
    if (text === undefined) return nothing;
    const parsed = parseDocument(text);
    if (parsed.kind === "broken") {
      log.error(
        `The file of credentials ${path} is not used, because ${parsed.why}. Correct it, or add a profile anew.`,
      );
      return nothing;
    }
    const rows = Object.entries(partOf(parsed.document, "profiles"));
    const profiles = rows.flatMap(([id, row]) => readProfile(id, row, env(), vault) ?? []);
    for (const { secret, refresh, clientSecret } of profiles) {
      for (const one of [secret, refresh, clientSecret]) if (one) onSecret(one);
    }
    const unusable = rows.map(([id]) => id).filter((id) => !profiles.some((profile) => profile.id === id));
    if (unusable.length > 0) log.warn(`Profiles of a form that is not known are left alone`, { file: path, unusable });
    return { stamp, document: parsed.document, profiles };
  }
}

function stampOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : NO_FILE;
  } catch {
    // The directory may not be entered; reading will say so.
    return "unreachable";
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
