// The plugins of a running gateway: found, judged, started when needed, and what they bring; told and changed for their owner.
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { GatewayError, type Clock, type Contribution, type Ledger, type Logger } from "@chela/sdk";
import type { Catalogue, PluginCalls } from "@chela/plugin-host";
import type { House } from "../../house/house.ts";
import type { ProgramWrapper } from "../sandbox/room.ts";
import { answerAsk } from "./asks/answer-ask.ts";
import type { BroughtPlugin, HookRules } from "./bring/brought-plugin.ts";
import { contributionOf, type TakenNames } from "./bring/contribution-of.ts";
import { FileDigests } from "./discover/digest-files.ts";
import { discover, type PluginPlaces } from "./discover/discover.ts";
import type { FoundPlugin } from "./discover/found.ts";
import { MANIFEST } from "./discover/read-manifest.ts";
import { deriveWishes } from "./grants/derive-wishes.ts";
import { grantOf, missingIn, NOTHING, type Grant, type Wish } from "./grants/grant.ts";
import { PluginRecords, type Approval } from "./grants/plugin-records.ts";
import { findHostProgram } from "./process/host-program.ts";
import { PluginProcess, type CallOptions, type LaunchPlan } from "./process/plugin-process.ts";
import { planLaunch, type Walls } from "./process/walls.ts";
import { checkHostVersion, HOST_VERSION } from "./state/host-version.ts";
import { whyConfigInvalid } from "./state/check-config.ts";
import { entryOf, judgePlugins, type EntrySettings, type Judged, type PluginSettings } from "./state/judge-plugins.ts";

export interface PluginSettingsInUse extends PluginSettings {
  readonly walls?: "auto" | "node" | undefined;
  readonly heapMb?: number | undefined;
}

type Entry = EntrySettings & { readonly hooks?: HookRules | undefined };

export interface PluginsParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "value" | "commit">;
  readonly stateDir: string;
  settings(): PluginSettingsInUse;
  places(): PluginPlaces;
  /** The environment with what the configuration adds. */
  env(): Readonly<Record<string, string | undefined>>;
  workspaceDir(): string;
  /** What a plugin is shown of the configuration: no secrets but those of the given places. */
  shownConfig(open: readonly string[]): unknown;
  setConfig(path: string, value: unknown): void;
  unsetConfig(path: string): void;
  /** The program that puts walls around others, where this machine has one. */
  wrapper(): ProgramWrapper | undefined;
  openProxy(hosts: readonly string[]): Promise<{ readonly socketPath: string; close(): Promise<void> | void }>;
  /** Names of the gateway itself. */
  takenNames(): Promise<TakenNames>;
  systemEvent(text: string, sessionKey: string | undefined): Promise<void>;
  noted(event: PluginEvent): void;
  /** What plugins bring is something else now. */
  broughtChanged(): Promise<void>;
}

export interface PluginEvent {
  readonly kind: "approved" | "started" | "gave up" | "not loaded" | "changed files" | "enabled" | "disabled";
  readonly id: string;
  readonly why?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** All that is known of one plugin, for its owner. */
export interface PluginReport extends Judged {
  readonly catalogue?: Catalogue;
  readonly approval?: Approval;
  readonly digest?: string;
  readonly isTrusted: boolean;
  readonly warnings: readonly string[];
  readonly process: {
    readonly isRunning: boolean;
    readonly pid?: number;
    readonly falls: number;
    readonly lastFall?: string;
    readonly walls?: Walls;
  };
}

const DEFAULT_HEAP_MB = 256;
const MOST_SERVICE_MS = 60_000;
const MOST_WARNINGS = 50;

interface Live {
  readonly process: PluginProcess;
  readonly found: FoundPlugin;
}

export class Plugins {
  readonly #parts: PluginsParts;
  readonly #records: PluginRecords;
  readonly #digests = new FileDigests();
  readonly #live = new Map<string, Live>();
  readonly #warnings = new Map<string, Set<string>>();
  /** Its files are not those that were approved, or it could not be loaded: until they are others. */
  readonly #troubles = new Map<
    string,
    { readonly digest: string; readonly kind: "changed" | "broken"; readonly why: string }
  >();
  #judged: readonly Judged[] = [];
  #brought: ReadonlyArray<Contribution<House>> = [];
  #isClosed = false;
  /** The gateway runs: plugins may be started. */
  #isUp = false;
  #applying: Promise<void> = Promise.resolve();
  #noting: Promise<void> = Promise.resolve();

  constructor(parts: PluginsParts) {
    this.#parts = parts;
    this.#records = new PluginRecords(parts.ledger, parts.log);
  }

  get brought(): ReadonlyArray<Contribution<House>> {
    return this.#brought;
  }

  async open(): Promise<void> {
    await this.#records.load();
    await this.apply();
  }

  /** Looks at places and configuration anew; what is not wanted any more is stopped. One after the other. */
  apply(): Promise<void> {
    const applying = this.#applying.then(() => this.#apply());
    this.#applying = applying.catch(() => {});
    return applying;
  }

  async #apply(): Promise<void> {
    if (this.#isClosed) return;
    const settings = this.#parts.settings();
    const found = discover(this.#parts.places());
    this.#judged = judgePlugins(found, {
      settings,
      approvalOf: (id) => this.#records.approvalOf(id),
      whyInvalid: ({ id, manifest }) => whyConfigInvalid(manifest, entryOf(settings, id)?.config),
      whyBroken: (plugin) => this.#whyBroken(plugin),
    }).map((judged) => this.#withTrouble(judged));
    for (const [id, live] of this.#live) if (!this.#mayRun(id, live.found)) await this.#end(id);
    this.#brought = await this.#collect();
    for (const [id, { process, found: plugin }] of this.#live)
      process.configure(...this.#shown(plugin, this.#grantOf(id)));
    await this.#parts.broughtChanged();
  }

  #withTrouble(judged: Judged): Judged {
    const { found, state, id } = judged;
    const trouble = found && state.kind === "enabled" ? this.#troubles.get(id) : undefined;
    if (trouble?.kind !== "changed") return judged;
    return { ...judged, state: { kind: "needs-approval", why: trouble.why, fix: `chela plugins approve ${id}` } };
  }

  #mayRun(id: string, found: FoundPlugin): boolean {
    return this.#judged.some(
      (one) => one.id === id && one.state.kind === "enabled" && one.found?.entry === found.entry,
    );
  }

  #whyBroken({ id, manifest }: FoundPlugin): { readonly why: string; readonly fix: string } | undefined {
    const fix = `Read its log (chela logs), correct or update it, then: chela plugins enable ${id}`;
    const version = checkHostVersion(manifest.minHostVersion);
    if (version !== undefined) return { why: version, fix: "Install a version of it that is made for this gateway." };
    const fall = this.#records.fallOf(id);
    if (fall) return { why: fall.why, fix };
    const trouble = this.#troubles.get(id);
    return trouble?.kind === "broken" ? { why: trouble.why, fix } : undefined;
  }

  async #collect(): Promise<ReadonlyArray<Contribution<House>>> {
    const wanted = this.#judged.flatMap(({ id, found, state }) => {
      const known = found && state.kind === "enabled" && !found.bundle ? this.#knownOf(found) : undefined;
      return found && known ? [{ id, found, catalogue: known }] : [];
    });
    if (wanted.length === 0) return [];
    const taken = await this.#parts.takenNames();
    return wanted.map(({ id, found, catalogue }) => {
      this.#warnings.delete(id);
      for (const sentence of catalogue.warnings) this.#warn(id, sentence);
      return contributionOf(this.#asBrought(found, catalogue), taken);
    });
  }

  /** What it registered last, if its files look as they did then; the hash is asked before any of them runs. */
  #knownOf(found: FoundPlugin): Catalogue | undefined {
    const known = this.#records.catalogueOf(found.id);
    return known && known.root === found.root && known.stamp === stampOf(found) ? known.catalogue : undefined;
  }

  #asBrought(found: FoundPlugin, catalogue: Catalogue): BroughtPlugin {
    const { id } = found;
    const entry = this.#entryOf(id);
    return {
      id,
      catalogue,
      grant: this.#grantOf(id),
      hookRules: entry?.hooks ?? {},
      log: this.#parts.log.child({ plugin: id }),
      warn: (sentence) => this.#warn(id, sentence),
      call: (name, asks, options) => this.#call(found, name, asks, options),
    };
  }

  #call<Name extends keyof PluginCalls>(
    found: FoundPlugin,
    name: Name,
    asks: PluginCalls[Name],
    options?: CallOptions,
  ): Promise<unknown> {
    if (!this.#mayRun(found.id, found))
      return Promise.reject(new GatewayError("PLUGIN_NOT_RUNNING", `${found.id} is switched off`));
    return this.#processOf(found).call(name, asks, options);
  }

  #entryOf(id: string): Entry | undefined {
    return entryOf(this.#parts.settings(), id) as Entry | undefined;
  }

  #warn(id: string, sentence: string): void {
    const said = this.#warnings.get(id) ?? new Set<string>();
    if (said.size < MOST_WARNINGS) said.add(sentence);
    this.#warnings.set(id, said);
  }

  #grantOf(id: string): Grant {
    return this.#records.approvalOf(id)?.grant ?? NOTHING;
  }

  // Processes

  #processOf(found: FoundPlugin): PluginProcess {
    const { id } = found;
    const known = this.#live.get(id);
    if (known) return known.process;
    const { clock, log } = this.#parts;
    const process = new PluginProcess({
      id,
      clock,
      log: log.child({ plugin: id }),
      plan: () => this.#plan(found),
      openTrusted: async () => (await import("./process/trusted-link.ts")).openTrustedLink(),
      registered: (catalogue, hasBegun) =>
        this.#later(
          id,
          this.#learn(found, catalogue).then(() => (hasBegun ? this.#startServices(found, catalogue) : undefined)),
        ),
      notLoaded: (why) => this.#later(id, this.#noteNotLoaded(found, why)),
      gaveUp: (why) => this.#later(id, this.#giveUp(found, why)),
      asked: (name, asks) => this.#answer(found, name, asks),
      changed: () => this.#parts.noted({ kind: "started", id }),
    });
    this.#live.set(id, { process, found });
    return process;
  }

  /** What became of it is noted behind its back; whoever wants to know waits for that. */
  #later(id: string, noting: Promise<void>): void {
    this.#noting = Promise.all([this.#noting, noting]).then(
      () => undefined,
      (error: unknown) =>
        this.#parts.log.error("what became of a plugin could not be noted", { plugin: id, error: String(error) }),
    );
  }

  /** Exactly what was approved is what runs: its files are hashed before each start. */
  async #plan(found: FoundPlugin): Promise<LaunchPlan> {
    const { id, entry } = found;
    if (entry === undefined) throw new GatewayError("PLUGIN_NOT_RUNNING", `${id} has no module`);
    const digest = await this.#requireApproved(found);
    const settings = this.#parts.settings();
    const grant = this.#grantOf(id);
    const dataDir = this.#dataDir(id);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const [config, pluginConfig] = this.#shown(found, grant);
    const { root, origin } = found;
    const order = {
      id,
      root,
      entry,
      origin,
      mode: "full",
      hostVersion: HOST_VERSION,
      dataDir,
      workspaceDir: this.#parts.workspaceDir(),
      config,
      pluginConfig,
    } as const;
    const heapMb = settings.heapMb ?? DEFAULT_HEAP_MB;
    if (isSame(settings.trusted?.[id], digest)) {
      const walls: Walls = {
        permission: false,
        bubblewrap: { stands: false, why: "It is trusted." },
        network: "this machine's",
        heapMb,
      };
      return { kind: "trusted", order, walls };
    }
    const launch = await planLaunch({
      plugin: found,
      grant,
      host: findHostProgram(),
      dataDir,
      heapMb,
      env: this.#parts.env(),
      entryEnv: textsIn(this.#entryOf(id)?.env),
      wrapper: settings.walls === "node" ? undefined : this.#parts.wrapper(),
      openProxy: (hosts) => this.#parts.openProxy(hosts),
    });
    return { kind: "child", launch, order: { ...order, ...(launch.forward ? { forward: launch.forward } : {}) } };
  }

  async #requireApproved(found: FoundPlugin): Promise<string> {
    const { id, origin } = found;
    const digest = await this.#digestOf(found);
    const approval = this.#records.approvalOf(id);
    if (origin === "bundled" || isSame(approval?.digest, digest)) return digest;
    const why = "Its files changed since it was approved.";
    this.#troubles.set(id, { digest, kind: "changed", why });
    this.#parts.noted({ kind: "changed files", id, why });
    void this.apply();
    throw new GatewayError("PLUGIN_NOT_RUNNING", `${id}: ${why} chela plugins approve ${id}`);
  }

  async #digestOf({ root, file, id }: FoundPlugin): Promise<string> {
    const digest = await this.#digests.of(root, file);
    if (digest.kind === "refused") throw new GatewayError("PLUGIN_NOT_RUNNING", `${id}: ${digest.why}`);
    return digest.digest;
  }

  #dataDir(id: string): string {
    return join(this.#parts.stateDir, "plugin-data", id.replaceAll(/[^\w.-]/g, "_"));
  }

  #shown({ id }: FoundPlugin, grant: Grant): [config: unknown, pluginConfig: unknown] {
    const own = this.#entryOf(id)?.config;
    return [this.#parts.shownConfig([`plugins.entries.${id}.config`, ...grant.config]), own];
  }

  async #learn(found: FoundPlugin, catalogue: Catalogue): Promise<void> {
    const { id, root } = found;
    const digest = this.#records.approvalOf(id)?.digest ?? (await this.#digestOf(found));
    const before = JSON.stringify(this.#knownOf(found));
    this.#troubles.delete(id);
    await this.#records.learn(id, { root, digest, stamp: stampOf(found), catalogue });
    if (before !== JSON.stringify(catalogue)) await this.apply();
  }

  async #noteNotLoaded(found: FoundPlugin, why: string): Promise<void> {
    const { id } = found;
    const digest = this.#records.approvalOf(id)?.digest ?? "";
    this.#troubles.set(id, { digest, kind: "broken", why });
    this.#parts.noted({ kind: "not loaded", id, why });
    await this.apply();
  }

  async #giveUp({ id }: FoundPlugin, why: string): Promise<void> {
    const digest = this.#records.approvalOf(id)?.digest ?? "";
    await this.#records.fell(id, { digest, at: this.#parts.clock.now(), why: `${why}. It is switched off.` });
    this.#parts.noted({ kind: "gave up", id, why });
    await this.apply();
  }

  async #answer({ id }: FoundPlugin, name: string, asks: unknown): Promise<unknown> {
    const grant = this.#grantOf(id);
    return answerAsk(name, asks, {
      id,
      grant,
      shownConfig: () => this.#parts.shownConfig([`plugins.entries.${id}.config`, ...grant.config]),
      setConfig: (path, value) => this.#parts.setConfig(path, value),
      systemEvent: (text, sessionKey) => this.#parts.systemEvent(text, sessionKey),
    });
  }

  async #end(id: string): Promise<void> {
    const live = this.#live.get(id);
    this.#live.delete(id);
    await live?.process.close();
  }

  /** From now on plugins may be started. */
  up(): void {
    this.#isUp = true;
  }

  /** After the gateway is up: those that were never run say what they bring, and services begin. One after the other. */
  async wake(): Promise<void> {
    for (const { id, found, state } of this.#judged) {
      if (!found || state.kind !== "enabled" || found.bundle || this.#isClosed) continue;
      const known = this.#knownOf(found);
      const stays = found.manifest.startsWithGateway || (known?.services.length ?? 0) > 0;
      if (known && !stays) continue;
      try {
        await this.#processOf(found).start();
      } catch (error) {
        this.#parts.log.warn("a plugin could not be started", { plugin: id, why: String(error) });
      }
    }
  }

  /** With each beginning of its process, also after a fall. */
  async #startServices(found: FoundPlugin, { services }: Catalogue): Promise<void> {
    if (!this.#isUp || (services.length === 0 && !found.manifest.startsWithGateway)) return;
    const process = this.#processOf(found);
    await process.keep();
    for (const id of services) await process.call("serviceStart", { id }, { mostMs: MOST_SERVICE_MS });
  }

  // For the owner

  list(): readonly PluginReport[] {
    return this.#judged.map((judged) => this.#reportOf(judged));
  }

  async inspect(
    id: string,
  ): Promise<PluginReport & { readonly wishes: readonly Wish[]; readonly notGranted: readonly string[] }> {
    await this.apply();
    const judged = this.#find(id);
    const { found } = judged;
    const digest =
      found && found.trouble === undefined ? await this.#digestOf(found).catch(() => undefined) : undefined;
    const wishes = found && found.trouble === undefined && !found.bundle ? await deriveWishes(found) : [];
    if (found && digest !== undefined) this.#lookAtDigest(found, digest);
    const report = this.#reportOf(this.#withTrouble(this.#find(id)));
    const notGranted = report.approval ? missingIn(report.approval.grant, grantOf(wishes)) : [];
    return { ...report, ...(digest === undefined ? {} : { digest }), wishes, notGranted };
  }

  #lookAtDigest({ id }: FoundPlugin, digest: string): void {
    const approval = this.#records.approvalOf(id);
    if (approval && !isSame(approval.digest, digest))
      this.#troubles.set(id, { digest, kind: "changed", why: "Its files changed since it was approved." });
    else if (this.#troubles.get(id)?.kind === "changed") this.#troubles.delete(id);
  }

  #find(id: string): Judged {
    const all = this.#judged.filter((one) => one.id === id);
    const kept = all.find(({ state }) => state.kind !== "disabled") ?? all[0];
    if (!kept) throw new GatewayError("PLUGIN_UNKNOWN", id);
    return kept;
  }

  #reportOf(judged: Judged): PluginReport {
    const { id, found } = judged;
    const approval = this.#records.approvalOf(id);
    const known = found ? this.#knownOf(found) : undefined;
    const status =
      found && this.#live.get(id)?.found.root === found.root ? this.#live.get(id)?.process.status : undefined;
    const trusted = this.#parts.settings().trusted?.[id];
    return {
      ...judged,
      ...(known ? { catalogue: known } : {}),
      ...(approval && approval.root === found?.root ? { approval } : {}),
      isTrusted: trusted !== undefined && isSame(trusted, approval?.digest),
      warnings: [...(found?.warnings ?? []), ...(this.#warnings.get(id) ?? [])],
      process: {
        isRunning: status?.isRunning ?? false,
        falls: status?.falls ?? 0,
        ...(status?.pid === undefined ? {} : { pid: status.pid }),
        ...(status?.lastFall === undefined ? {} : { lastFall: status.lastFall }),
        ...(status?.walls ? { walls: status.walls } : {}),
      },
    };
  }

  /** `digest` is what whoever says yes has looked at: something else since then is not approved with it. */
  async approve(
    id: string,
    asked: { readonly digest?: string | undefined; readonly grant?: Grant | undefined; readonly by: string },
  ): Promise<PluginReport> {
    await this.apply();
    const { found } = this.#find(id);
    if (!found || found.trouble)
      throw new GatewayError(
        "PLUGIN_REQUEST",
        `${id} cannot be approved. ${found?.trouble?.why ?? "There is no such plugin."}`,
      );
    if (found.bundle)
      throw new GatewayError("PLUGIN_REQUEST", `${id} is a bundle: nothing of it runs, so there is nothing to approve`);
    const digest = await this.#digestOf(found);
    if (asked.digest !== undefined && !isSame(asked.digest, digest))
      throw new GatewayError("PLUGIN_REQUEST", `the files of ${id} are others than those that were looked at`);
    const grant = asked.grant ?? grantOf(await deriveWishes(found));
    await this.#end(id);
    this.#troubles.delete(id);
    const { root } = found;
    await this.#records.approve(id, { root, digest, grant, approvedAt: this.#parts.clock.now(), by: asked.by });
    this.#parts.noted({ kind: "approved", id, detail: { digest, ...grant } });
    await this.apply();
    await this.#begin(id);
    return this.#reportOf(this.#find(id));
  }

  /** In a gateway that is up, what may run now says at once what it brings. Whatever goes wrong is its state. */
  async #begin(id: string): Promise<void> {
    const { found, state } = this.#find(id);
    if (!this.#isUp || !found || found.bundle || state.kind !== "enabled") return;
    await this.#processOf(found)
      .start()
      .catch((error: unknown) =>
        this.#parts.log.warn("a plugin could not be started", { plugin: id, why: String(error) }),
      );
    await this.#noting;
  }

  /** Writes the configuration; what fell before is tried again. */
  async enable(id: string): Promise<PluginReport> {
    await this.apply();
    const { found } = this.#find(id);
    if (!found) throw new GatewayError("PLUGIN_UNKNOWN", id);
    if (found.trouble)
      throw new GatewayError("PLUGIN_REQUEST", `${id} cannot be enabled. ${found.trouble.why} ${found.trouble.fix}`);
    const settings = this.#parts.settings();
    if (settings.enabled === false) this.#parts.setConfig("plugins.enabled", true);
    if (settings.deny?.includes(id))
      this.#parts.setConfig(
        "plugins.deny",
        settings.deny.filter((one) => one !== id),
      );
    if (settings.allow && settings.allow.length > 0 && !settings.allow.includes(id))
      this.#parts.setConfig("plugins.allow", [...settings.allow, id]);
    for (const [kind, slot] of [
      ["memory", "memory"],
      ["context-engine", "contextEngine"],
    ] as const)
      if (found.manifest.kinds.includes(kind)) this.#parts.setConfig(`plugins.slots.${slot}`, id);
    this.#parts.setConfig(placeOf(id), true);
    this.#troubles.delete(id);
    await this.#end(id);
    await this.#records.stood(id);
    this.#parts.noted({ kind: "enabled", id });
    await this.apply();
    await this.#begin(id);
    return this.#reportOf(this.#find(id));
  }

  async disable(id: string): Promise<PluginReport> {
    await this.apply();
    this.#find(id);
    this.#parts.setConfig(placeOf(id), false);
    this.#parts.noted({ kind: "disabled", id });
    await this.apply();
    return this.#reportOf(this.#find(id));
  }

  /** Runs a command of the command line that a plugin brings. */
  async runCli(argv: readonly string[]): Promise<unknown> {
    const [word = ""] = argv;
    const owner = this.#judged.find(
      ({ found, state }) => found && state.kind === "enabled" && this.#knownOf(found)?.cli.includes(word),
    );
    if (!owner?.found) throw new GatewayError("PLUGIN_REQUEST", `no plugin brings the command "${word}"`);
    return this.#processOf(owner.found).call("cli", { argv }, { mostMs: 600_000 });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#live.keys()].map((id) => this.#end(id)));
    await this.#parts.wrapper()?.close();
  }
}

/** Hashes of files, which are no secrets. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === other;
}

/** Changes with the files by which it is known. The rest of its files is hashed before it runs. */
function stampOf({ root, entry, file }: FoundPlugin): string {
  const paths = file === undefined ? [join(root, MANIFEST), join(root, "package.json"), entry ?? root] : [file];
  const stamps = paths.map((path) => {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats ? [stats.ino, stats.size, stats.mtimeNs].join(":") : "none";
  });
  return createHash("sha256").update(stamps.join("\n")).digest("hex").slice(0, 32);
}

function placeOf(id: string): string {
  return /^[\w-]+$/.test(id) ? `plugins.entries.${id}.enabled` : `plugins.entries[${JSON.stringify(id)}].enabled`;
}

function textsIn(env: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && /^[A-Za-z_]\w*$/.test(entry[0]),
    ),
  );
}
