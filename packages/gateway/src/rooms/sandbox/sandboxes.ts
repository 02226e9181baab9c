// The sandboxes of this gateway: which conversations need one, which backend keeps them, and which ones stand.
import { mkdir, writeFile } from "node:fs/promises";
import { existsSync, realpathSync, statSync } from "node:fs";
import {
  GatewayError,
  toGatewayError,
  type Change,
  type Ledger,
  type Logger,
  type SandboxBackend,
  type SandboxBackendId,
  type SandboxCheck,
  type SandboxPlace,
  type SandboxProfile,
  type SandboxView,
  type StandingSandbox,
  type WorkspaceAccess,
  rightsOf,
} from "@chela/sdk";
import { controlBelow } from "../../base/files/control-files.ts";
import { DiskGuard } from "./disk/disk-guard.ts";
import { guardPlace } from "./disk/guarded-place.ts";
import type { House } from "../../house/house.ts";
import { BACKENDS, BackendChoice, type KeepTrial } from "./backend-choice.ts";
import { accessOf, AS_OWNER, needOf, scopeFor, type Asking, type NeedQuestion, type SandboxNeed } from "./need.ts";
import { pickIdle } from "./pick-idle.ts";
import { blankOf, profileOf, sessionScope, WORKDIR, type CoveredPath } from "./profile.ts";
import type { EscapeOutcome } from "./self-test.ts";
import type { SandboxSettings } from "./settings.ts";

/** What of the house sandboxes live on. */
export type SandboxesHouse = Pick<House, "clock" | "ids" | "keys" | "workspaceOf"> & {
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "value" | "commit" | "session" | "onCommit">;
};

/** What others know of settings, folders, backends and the audit trail. */
export interface SandboxesParts {
  settings(agentId: string): SandboxSettings;
  agentIds(): readonly string[];
  /** Where notes about people lie: covered for whoever may not know them. */
  notes(agentId: string): readonly string[];
  /** Where copies of the agent's skills lie. */
  skills?(agentId: string): string;
  /** What no sandbox ever sees: the gateway's own files, other agents' workspaces. */
  closedFolders(agentId: string): readonly string[];
  /** Whether a backend looks as if it could be used, told at a glance: nothing is loaded and nothing tried for it. */
  isInstalled(id: SandboxBackendId): boolean;
  /** Loads a backend; its code is not there before. */
  load(id: SandboxBackendId): Promise<SandboxBackend>;
  /** For the audit trail. */
  noted(event: SandboxEvent): void;
}

export interface SandboxEvent {
  readonly kind: "opened" | "removed" | "refused";
  readonly scope: string;
  readonly backend?: SandboxBackendId;
  readonly why?: string;
}

export interface SandboxSubject {
  readonly agentId: string;
  readonly sessionKey: string;
  /** Who asks: what is kept in a sandbox, and what is seen there, is theirs to have and not the conversation's. */
  readonly requester: Asking;
}

export interface PromptedSandbox {
  readonly workdir: string;
  readonly access: WorkspaceAccess;
  readonly hosts: readonly string[];
}

export interface SandboxExplanation extends Omit<SandboxSubject, "requester"> {
  readonly isSandboxed: boolean;
  readonly why: string;
  readonly backend?: SandboxBackendId;
  readonly check?: SandboxCheck;
  readonly profile?: SandboxProfile;
}

export interface SandboxStatus {
  /** Whether conversations are kept where nothing is configured. */
  readonly isKeptByDefault: boolean;
  readonly backends: ReadonlyArray<{ readonly id: SandboxBackendId; readonly check: SandboxCheck }>;
  readonly chosen?: SandboxBackendId;
  readonly standing: readonly StandingSandbox[];
}

export interface SelfTest {
  readonly id: SandboxBackendId;
  readonly check: SandboxCheck;
  readonly outcomes: readonly EscapeOutcome[];
}

const PRUNE_EVERY_MS = 3_600_000;
/** How long a backend that cannot be used is not tried again. */
const TRY_AGAIN_MS = 10_000;

interface OpenPlace {
  readonly place: SandboxPlace;
  readonly text: string;
}

export class Sandboxes {
  readonly #house: SandboxesHouse;
  readonly #parts: SandboxesParts;
  readonly #backends = new Map<SandboxBackendId, Promise<SandboxBackend>>();
  readonly #checks = new Map<SandboxBackendId, { readonly check: SandboxCheck; readonly at: number }>();
  readonly #places = new Map<string, Promise<OpenPlace>>();
  readonly #guards = new Map<string, { readonly guard: DiskGuard; readonly text: string }>();
  readonly #choice: BackendChoice;
  readonly #leave: () => void;
  #cancelPrune: (() => void) | undefined;
  #isClosed = false;

  constructor(house: SandboxesHouse, parts: SandboxesParts) {
    this.#house = house;
    this.#parts = parts;
    const { clock, log, ledger } = house;
    this.#choice = new BackendChoice({ clock, log, ledger, ...parts, canKeep: (id) => this.#canKeep(id) });
    this.#leave = ledger.onCommit(({ commits }) => {
      for (const change of commits.flat()) this.#noteEnd(change);
    });
  }

  /**
   * Enough to tell a model where it is: afterwards `need` says what is remembered or, on a machine where that was never
   * decided, what has to be expected. A turn does not wait for more than that; tools do, in `enter`. Where the
   * expectation is wrong, the tools of that one turn are refused: none runs elsewhere than the model was told.
   */
  ready(): Promise<void> {
    return this.#choice.expect();
  }

  settingsOf(agentId: string): SandboxSettings {
    return this.#parts.settings(agentId);
  }

  need(subject: SandboxSubject): SandboxNeed {
    return needOf(this.#parts.settings(subject.agentId), this.#question(subject), this.#choice.isThere);
  }

  #question({ sessionKey, requester }: SandboxSubject): NeedQuestion {
    return { sessionKey, requester, mainKey: this.#house.keys().mainKey };
  }

  /** What its tools see; undefined when the conversation needs no sandbox. Throws SANDBOX_FAILED, and never gives less. */
  async enter(subject: SandboxSubject): Promise<SandboxView | undefined> {
    await this.#choice.decide();
    const need = this.need(subject);
    if (need.kind === "none") return undefined;
    try {
      const backend = await this.#usableBackend(subject, need.why);
      // Before the profile, which names it by where it really is.
      await mkdir(this.#house.workspaceOf(subject.agentId), { recursive: true, mode: 0o700 });
      const profile = await this.#profile(subject);
      await this.#prepare(subject.agentId, profile);
      const { scope, workdir, mounts } = profile;
      const whyNoWrites = async () => this.#guard(profile)?.whyNoWrites();
      return { scope, backend: backend.id, workdir, mounts, whyNoWrites, open: () => this.#open(backend, profile) };
    } catch (thrown) {
      const error = toGatewayError(thrown, "SANDBOX_FAILED");
      this.#parts.noted({ kind: "refused", scope: `session:${subject.sessionKey}`, why: error.detail });
      throw error;
    }
  }

  /** What a prompt says of it. */
  async describe(subject: SandboxSubject): Promise<PromptedSandbox | undefined> {
    await this.ready();
    if (this.need(subject).kind === "none") return undefined;
    const settings = this.#parts.settings(subject.agentId);
    const { docker, allowHosts } = settings;
    const access = accessOf(settings, this.#question(subject));
    return { workdir: docker.workdir ?? WORKDIR, access, hosts: allowHosts };
  }

  async explain(subject: SandboxSubject): Promise<SandboxExplanation> {
    await this.#choice.decide();
    const need = this.need(subject);
    const { requester: _asks, ...named } = subject;
    const settings = this.#parts.settings(subject.agentId);
    if (need.kind === "none") return { ...named, isSandboxed: false, why: whyNone(settings, this.#choice.id) };
    const id = this.#backendId(settings);
    if (id === undefined) return { ...named, isSandboxed: true, why: need.why };
    const profile = await this.#profile(subject);
    return { ...named, isSandboxed: true, why: need.why, backend: id, check: await this.#check(id), profile };
  }

  async status(): Promise<SandboxStatus> {
    await this.#choice.decide();
    const backends = await Promise.all(BACKENDS.map(async (id) => ({ id, check: await this.#check(id, true) })));
    const chosen = backends.find(({ check }) => check.kind === "ready")?.id;
    return {
      isKeptByDefault: this.#choice.isThere,
      backends,
      ...(chosen ? { chosen } : {}),
      standing: await this.#standing(),
    };
  }

  /** Takes sandboxes down, so that the next command sets them up anew. Tells how many. */
  async recreate(which: { readonly agentId?: string; readonly sessionKey?: string }): Promise<number> {
    const wanted = (scope: string): boolean =>
      (which.agentId === undefined && which.sessionKey === undefined) ||
      (which.agentId !== undefined && isOf(scope, `agent:${which.agentId}`)) ||
      (which.agentId !== undefined && scope.startsWith(`session:agent:${which.agentId}:`)) ||
      (which.sessionKey !== undefined && isOfSession(scope, which.sessionKey));
    const standing = (await this.#standing()).filter(({ scope }) => wanted(scope));
    for (const one of standing) await this.#remove(one, "asked for");
    return standing.length;
  }

  /** Tries every known way out of a sandbox of its own, with each backend that can be used, or with the named one. */
  async selfTest(id?: SandboxBackendId): Promise<SelfTest[]> {
    const tests: SelfTest[] = [];
    for (const one of id === undefined ? BACKENDS : [id]) {
      const check = await this.#check(one, true);
      const outcomes = check.kind === "ready" ? await this.#tryEscapes(one) : [];
      tests.push({ id: one, check, outcomes });
    }
    return tests;
  }

  async #tryEscapes(id: SandboxBackendId): Promise<readonly EscapeOutcome[]> {
    const { tryEscapes } = await import("./self-test.ts");
    const { clock, ids } = this.#house;
    const [agentId = "main"] = this.#parts.agentIds();
    const profile = await this.#profile({ agentId, sessionKey: `agent:${agentId}:try`, requester: AS_OWNER });
    return tryEscapes({ clock, ids, backend: await this.backend(id), profile });
  }

  async backend(id: SandboxBackendId): Promise<SandboxBackend> {
    const known = this.#backends.get(id) ?? this.#parts.load(id);
    this.#backends.set(id, known);
    return known;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    this.#choice.close();
    this.#cancelPrune?.();
    for (const { guard } of this.#guards.values()) guard.stop();
    const backends = await Promise.allSettled(this.#backends.values());
    await Promise.allSettled(backends.flatMap((one) => (one.status === "fulfilled" ? [one.value.close()] : [])));
  }

  async #canKeep(id: SandboxBackendId): Promise<KeepTrial> {
    const check = await this.#check(id);
    if (check.kind !== "ready") return passes(check) ? { kind: "not-now", why: check.why } : { kind: "no" };
    if (id === "bubblewrap") return { kind: "yes" };
    // An engine that answers may still lack the image.
    const [agentId = "main"] = this.#parts.agentIds();
    try {
      const profile = await this.#profile({ agentId, sessionKey: `agent:${agentId}:try`, requester: AS_OWNER });
      await this.#prepare(agentId, profile);
      await this.#open(await this.backend(id), profile);
      return { kind: "yes" };
    } catch {
      return { kind: "no" };
    }
  }

  #backendId(settings: SandboxSettings): SandboxBackendId | undefined {
    if (settings.backend === "host") return undefined;
    return settings.backend === "auto" ? this.#choice.id : settings.backend;
  }

  async #usableBackend({ agentId, requester }: SandboxSubject, why: string): Promise<SandboxBackend> {
    const settings = this.#parts.settings(agentId);
    const named = this.#backendId(settings);
    const ids = named === undefined ? BACKENDS : [named];
    const reasons: string[] = [];
    for (const id of ids) {
      const check = await this.#check(id);
      if (check.kind === "ready") return this.backend(id);
      // The first is the one to mend; that the others are missing too is enough to know.
      reasons.push(reasons.length === 0 ? `${id}: ${check.why} ${check.fix}` : `${id}: ${check.why}`);
      if (!passes(check)) continue;
      // Not another one for a moment: what lies in a sandbox would be missing from one call to the next.
      reasons.push("It is tried again with the next call.");
      break;
    }
    const off = 'To run commands on this machine instead, with approvals, set agents.defaults.sandbox.mode to "off".';
    const rest = ["owner", "member"].includes(requester.standing) ? off : `A sandbox is needed here: ${why}.`;
    throw new GatewayError("SANDBOX_FAILED", `${reasons.join(" ")} ${rest}`);
  }

  /** Tried once and then believed; what failed is tried again after a while, and at once where it may have passed. */
  async #check(id: SandboxBackendId, isAnew = false): Promise<SandboxCheck> {
    const known = this.#checks.get(id);
    const now = this.#house.clock.steady();
    if (known && !isAnew && (known.check.kind === "ready" || now - known.at < TRY_AGAIN_MS)) return known.check;
    let check: SandboxCheck;
    try {
      check = await (await this.backend(id)).check();
    } catch (error) {
      const why = `It could not be tried (${String(error)}).`;
      check = { kind: "unusable", why, fix: "Run `chela sandbox status`.", mayPass: true };
    }
    if (!passes(check)) this.#checks.set(id, { check, at: now });
    return check;
  }

  async #profile(subject: SandboxSubject): Promise<SandboxProfile> {
    const { agentId, requester } = subject;
    const settings = this.#parts.settings(agentId);
    const question = this.#question(subject);
    const scope = scopeFor(settings, question);
    // What somebody has others do for them has no more room than they have, and finds their files.
    const isErrand = scope === "session" && requester.standing !== "owner" && requester.askedIn !== undefined;
    const sessionKey = isErrand ? requester.askedIn : subject.sessionKey;
    const workspace = this.#house.workspaceOf(agentId);
    const realWorkspace = realPathOrNothing(workspace) ?? workspace;
    const access = accessOf(settings, question);
    const hasBinds = (settings.docker.binds ?? []).length > 0;
    const covered = access === "none" && !hasBinds ? undefined : this.#covered(subject);
    return profileOf(settings, {
      agentId,
      sessionKey,
      sessionId: (await this.#house.ledger.session(sessionKey))?.sessionId ?? "new",
      scope,
      access,
      ...(covered ? { covered } : {}),
      workspace: realWorkspace,
      control: controlBelow(realWorkspace),
      skills: this.#parts.skills?.(agentId),
      binds: { closed: this.#parts.closedFolders(agentId), realPath: realPathOrNothing },
    });
  }

  /** Looked up for each call: a note that was made since then is covered, too. Undefined for those who may know them. */
  #covered({ agentId, sessionKey, requester }: SandboxSubject): CoveredPath[] | undefined {
    if (rightsOf(requester, sessionKey, this.#house.keys().mainKey).notes) return undefined;
    const found = this.#parts.notes(agentId).flatMap((written) => {
      const path = realPathOrNothing(written);
      return path === undefined ? [] : [{ path, isFolder: statSync(path).isDirectory() }];
    });
    return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
  }

  async #prepare(agentId: string, { mounts }: SandboxProfile): Promise<void> {
    const { root } = this.#parts.settings(agentId);
    const blankFile = blankOf(root, false);
    await mkdir(root, { recursive: true, mode: 0o700 });
    for (const { outside } of mounts) {
      if (outside === blankFile) await writeFile(outside, "", { flag: "a", mode: 0o400 });
      // A single file may be mounted, too; it is there.
      else if (!existsSync(outside)) await mkdir(outside, { recursive: true, mode: 0o700 });
    }
  }

  async #open(backend: SandboxBackend, profile: SandboxProfile): Promise<SandboxPlace> {
    if (this.#isClosed) throw new GatewayError("SANDBOX_FAILED", "the gateway is stopping");
    const text = JSON.stringify([backend.id, profile]);
    const known = await this.#places.get(profile.scope)?.catch(() => undefined);
    // Also for one that is known: its backend looks whether it is as it was.
    const opening = this.#replace(backend, profile, text, known);
    this.#places.set(profile.scope, opening);
    this.#planPrune();
    const { place } = await opening;
    return place;
  }

  async #replace(
    backend: SandboxBackend,
    profile: SandboxProfile,
    text: string,
    known: OpenPlace | undefined,
  ): Promise<OpenPlace> {
    const { log } = this.#house;
    const { noted } = this.#parts;
    const { scope } = profile;
    if (known && known.text !== text && known.place.backend === "bubblewrap") {
      log.info("A sandbox is set up anew, because its configuration changed", { scope });
      await known.place.close();
    }
    const opened = await backend.open(profile);
    const guard = this.#guard(profile);
    const place = guard ? guardPlace(opened, guard) : opened;
    if (known?.text !== text) noted({ kind: "opened", scope, backend: backend.id });
    return { place, text };
  }

  /** One for each scope: what it has counted holds for all that open the same sandbox. */
  #guard({ scope, mounts, disk }: SandboxProfile): DiskGuard | undefined {
    if (!disk) return undefined;
    const text = JSON.stringify([mounts, disk]);
    const known = this.#guards.get(scope);
    if (known?.text === text) return known.guard;
    known?.guard.stop();
    const guard = new DiskGuard(mounts, disk, {
      clock: this.#house.clock,
      end: (why) =>
        this.#end(scope, why).catch((error: unknown) =>
          this.#house.log.warn("A sandbox that took too much could not be ended", { scope, error: String(error) }),
        ),
    });
    this.#guards.set(scope, { guard, text });
    return guard;
  }

  #noteEnd(change: Change): void {
    if (change.kind !== "session-delete" && change.kind !== "session-put") return;
    const { key } = change;
    const current = change.kind === "session-put" ? `${sessionScope(key)}${change.entry.sessionId}` : undefined;
    for (const scope of this.#places.keys()) {
      const isCurrent = current !== undefined && isOf(scope, current);
      if (isOfSession(scope, key) && !isCurrent) void this.#end(scope);
    }
  }

  async #end(scope: string, why = "its conversation ended"): Promise<void> {
    const known = await this.#places.get(scope)?.catch(() => undefined);
    this.#places.delete(scope);
    if (!known) return;
    await known.place.close(why);
    this.#parts.noted({ kind: "removed", scope, backend: known.place.backend, why });
  }

  async #standing(): Promise<StandingSandbox[]> {
    const found: StandingSandbox[] = [];
    for (const id of BACKENDS) {
      if (this.#checks.get(id)?.check.kind !== "ready") continue;
      found.push(...(await (await this.backend(id)).list().catch(() => [])));
    }
    // Those that are set up for a check or a self-test are nobody's.
    return found.filter(({ scope }) => /^(?:shared|agent:|session:)/.test(scope));
  }

  async #remove({ backend, name, scope }: StandingSandbox, why: string): Promise<void> {
    await (await this.backend(backend)).remove(name);
    this.#places.delete(scope);
    this.#guards.get(scope)?.guard.stop();
    this.#parts.noted({ kind: "removed", scope, backend, why });
  }

  #planPrune(): void {
    this.#cancelPrune ??= this.#house.clock.after(PRUNE_EVERY_MS, () => {
      this.#cancelPrune = undefined;
      void this.#prune().finally(() => {
        if (!this.#isClosed && this.#places.size > 0) this.#planPrune();
      });
    });
  }

  /** Each agent has rules for its own. What several share goes when all of them would let it go. */
  #isIdle(standing: StandingSandbox, now: number): boolean {
    const all = this.#parts.agentIds();
    const owner = /^(?:session:)?agent:([^:+]+)/.exec(standing.scope)?.[1];
    const theirs = all.filter((agentId) => agentId === owner);
    return (theirs.length > 0 ? theirs : all).every(
      (agentId) => pickIdle([standing], now, this.#parts.settings(agentId).prune).length > 0,
    );
  }

  async #prune(): Promise<void> {
    const { clock, log } = this.#house;
    const now = clock.now();
    for (const one of (await this.#standing()).filter((standing) => this.#isIdle(standing, now))) {
      try {
        await this.#remove(one, "nobody needed it any more");
      } catch (error) {
        log.warn("A sandbox could not be taken down", { scope: one.scope, error: String(error) });
      }
    }
  }
}

/** Whether it says nothing about this machine, only about this moment. */
function passes(check: SandboxCheck): check is Extract<SandboxCheck, { kind: "unusable" }> {
  return check.kind === "unusable" && check.mayPass === true;
}

function whyNone(settings: SandboxSettings, keptBy: SandboxBackendId | undefined): string {
  if (settings.backend === "host") return 'sandbox.backend is "host"';
  if (settings.mode !== undefined) return `sandbox.mode is "${settings.mode}"`;
  return keptBy === undefined
    ? "sandbox.mode is not set, and this machine has nothing to keep a sandbox with"
    : "sandbox.mode is not set, and this is the main conversation of its agent";
}

/** Scopes end with what their conversations see of the workspace. */
const SEEN = /^(?:\+ro|\+rw)?(?:\+covered)?$/;

function isOf(scope: string, base: string): boolean {
  return scope.startsWith(base) && SEEN.test(scope.slice(base.length));
}

/** Whichever of its lives it was opened in. */
function isOfSession(scope: string, sessionKey: string): boolean {
  const start = sessionScope(sessionKey);
  return scope.startsWith(start) && !/[@:]/.test(scope.slice(start.length));
}

function realPathOrNothing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
