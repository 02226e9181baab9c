// One sandbox by its profile: it stands while it is used, and is set up again when it fell.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  GatewayError,
  type Clock,
  type Ids,
  type SandboxCommand,
  type SandboxedProcess,
  type SandboxPlace,
  type SandboxProfile,
} from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import { buildArguments } from "./build-arguments.ts";
import { OWN_PROCESSES, type ControlGroup } from "./processes/control-group.ts";
import { endTerminal } from "./processes/end-terminal.ts";
import {
  FORWARDER_COMMAND,
  FORWARDER_FILE,
  FORWARDER_TEXT,
  forwarderMounts,
  proxyEnvironment,
  type ProxyDoor,
} from "./forwarder.ts";
import type { Housing } from "./housing.ts";
import { guardOf, QUIET_FILE, QUIET_TEXT, writableFolders, type Guard } from "./landlock.ts";
import { launchOf, limitWords, orderLines, type Launch, type LaunchOrders } from "./launch.ts";
import type { LaunchStock } from "./launch-stock.ts";
import type { Means } from "./means.ts";
import { Warden } from "./warden.ts";
import { CHANNEL_INSIDE, commandScript, wardenScript, WARDEN_FILE } from "./warden-script.ts";
import { watchLimits } from "./processes/watch-limits.ts";

/** What all sandboxes stand on. */
export interface Ground extends Means {
  readonly launches: LaunchStock;
}

export interface PlaceParts {
  readonly clock: Clock;
  readonly ids: Ids;
  /** As it is now: when somebody took it away, it was made anew. Throws SANDBOX_FAILED. */
  ground(): Promise<Ground>;
  proxy?(hosts: readonly string[]): Promise<ProxyDoor>;
  /** From then on nothing is set up any more. */
  isStopping(): boolean;
  /** It stands from now on, or does so no more. */
  noteStanding(place: BubblewrapPlace, isStanding: boolean): void;
}

const PREPARE_AFTER_MS = 100;

type TerminalWish = Omit<SandboxCommand, "onText" | "takesInput">;

export class BubblewrapPlace implements SandboxPlace {
  readonly backend = "bubblewrap";
  readonly profile: SandboxProfile;
  readonly createdAt: number;
  lastUsedAt: number;
  readonly #parts: PlaceParts;
  readonly #terminals = new Map<string, Housing>();
  #warden: Promise<Warden> | undefined;
  /** Of the last start. */
  #ground: Ground | undefined;
  /** Of the last start, and of those before that terminals may still be in. */
  #group: ControlGroup | undefined;
  readonly #groups: ControlGroup[] = [];
  #door: ProxyDoor | undefined;
  #count = 0;

  constructor(profile: SandboxProfile, parts: PlaceParts) {
    this.profile = profile;
    this.#parts = parts;
    this.createdAt = this.lastUsedAt = parts.clock.now();
  }

  get isRunning(): boolean {
    return this.#warden !== undefined;
  }

  get hasControlGroup(): boolean {
    return this.#group !== undefined;
  }

  /** It need not stand yet: a command that comes early waits inside, and learns what went wrong. */
  async open(): Promise<this> {
    await this.#standing();
    return this;
  }

  async start(command: SandboxCommand): Promise<SandboxedProcess> {
    this.lastUsedAt = this.#parts.clock.now();
    try {
      return await this.#begin(command);
    } catch (error) {
      const code = errnoOf(error);
      if (GatewayError.is(error) || code === undefined) throw error;
      const folder = this.#ground?.folder ?? "its folder";
      throw new GatewayError("SANDBOX_FAILED", `nothing can be written in ${folder} (${code}).`, { cause: error });
    }
  }

  async #begin(command: SandboxCommand): Promise<SandboxedProcess> {
    // Whatever filled the first sandbox is gone with it; a second one that cannot start anything is a fault.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const warden = await this.#standing();
      const running = await warden.run(command);
      if (running) return running;
      // Throws what bubblewrap said, if it never stood.
      await warden.untilReady();
      await warden.end(undefined);
    }
    throw new GatewayError("SANDBOX_FAILED", "two new sandboxes ended before the command could begin.");
  }

  terminal(wish: TerminalWish): Launch & { readonly env: Readonly<Record<string, string>> } {
    this.lastUsedAt = this.#parts.clock.now();
    if (this.profile.network.kind !== "none" && !this.#door) {
      throw new GatewayError("SANDBOX_FAILED", "the sandbox was taken down; a command has to set it up first.");
    }
    const ground = this.#ground;
    if (!ground?.system.isThere()) throw new GatewayError("SANDBOX_FAILED", "the sandbox's folders are gone.");
    this.#useGroup(this.#group ?? ground.launches.makeGroup());
    const id = this.#newId();
    const housing = ground.launches.makeHousing();
    this.#terminals.set(id, housing);
    // A new sandbox without a warden: what that would have started is started by the script.
    const forward = this.#door ? `${FORWARDER_COMMAND} 3>/dev/null </dev/null >/dev/null 2>&1 &\n` : "";
    const { text, long } = commandScript({ ...wish, id }, { hasJobControl: true });
    const guard = guardOf(ground.landlock, true);
    const isQuiet = guard?.isQuiet === true;
    writeFileSync(join(housing.channel, id), `${isQuiet ? "exec 2>&1\n" : ""}${forward}${text}`);
    if (isQuiet) writeFileSync(join(housing.channel, QUIET_FILE), QUIET_TEXT);
    if (this.#door) writeFileSync(join(housing.channel, FORWARDER_FILE), FORWARDER_TEXT);
    if (long !== undefined) writeFileSync(join(housing.channel, `${id}.long`), long);
    this.#writeArguments(housing, ground, guard, true);
    const launch = launchOf({
      hasStrayFiles: ground.hasStrayFiles,
      bubblewrap: ground.program.path,
      argumentsFile: housing.argumentsFile,
      filterFile: housing.filterFile,
      shell: "/bin/sh",
      script: `${CHANNEL_INSIDE}/${id}`,
      guard,
      groups: this.#group?.procs ?? [],
      orders: this.#orders(guard),
    });
    return { ...launch, env: {} };
  }

  async close(why = "it was taken down"): Promise<void> {
    const warden = await this.#warden?.catch(() => undefined);
    await warden?.end(why);
    for (const [id, housing] of this.#terminals) {
      endTerminal(id);
      housing.remove();
    }
    this.#terminals.clear();
    this.#parts.noteStanding(this, false);
    const door = this.#door;
    this.#group = undefined;
    this.#door = undefined;
    await door?.close();
    await Promise.all(this.#groups.splice(0).map((group) => group.remove()));
  }

  async #standing(): Promise<Warden> {
    this.#refuseWhenStopping();
    const ground = await this.#parts.ground();
    const known = await this.#warden?.catch(() => undefined);
    // A sandbox whose folder somebody removed would take commands and never begin them.
    if (known && (this.#ground !== ground || !known.isWhole)) await known.end("its folder was removed by somebody");
    this.#refuseWhenStopping();
    return (this.#warden ??= this.#setUp(ground));
  }

  #refuseWhenStopping(): void {
    if (this.#parts.isStopping()) throw new GatewayError("SANDBOX_FAILED", "the gateway is stopping.");
  }

  async #setUp(ground: Ground): Promise<Warden> {
    this.#ground = ground;
    this.#parts.noteStanding(this, true);
    try {
      const warden = await this.#startWarden(ground);
      if (!this.#group) watchLimits(warden, this.profile, this.#parts.clock);
      return warden;
    } catch (error) {
      this.#warden = undefined;
      throw error;
    }
  }

  async #startWarden(ground: Ground): Promise<Warden> {
    const { clock } = this.#parts;
    const { landlock, launches, shell } = ground;
    const guard = guardOf(landlock, false);
    await this.#openDoor();
    const launch = await launches.take();
    const { housing, group, child } = launch;
    try {
      this.#useGroup(group, child.pid);
      const script = wardenScript({
        ...(group ? {} : { mostProcesses: this.profile.limits.processes + OWN_PROCESSES }),
        ...(this.#door ? { forwarder: FORWARDER_COMMAND } : {}),
      });
      writeFileSync(join(housing.channel, WARDEN_FILE), script);
      if (this.#door) writeFileSync(join(housing.channel, FORWARDER_FILE), FORWARDER_TEXT);
      this.#writeArguments(housing, ground, guard, false);
    } catch (error) {
      // It still waits, and has run nothing.
      child.kill("SIGKILL");
      housing.remove();
      throw error;
    }
    const isForwarding = this.#door !== undefined;
    const newId = (): string => this.#newId();
    const orders = orderLines(this.#orders(guard));
    const warden = new Warden({ clock, launch, orders, shell, isForwarding, newId });
    void warden.gone.then(() => (this.#warden = undefined));
    // The commands that wait for this one come first.
    clock.after(PREPARE_AFTER_MS, () => launches.prepare());
    if (isForwarding) await warden.untilReady();
    return warden;
  }

  #writeArguments(housing: Housing, ground: Ground, guard: Guard | undefined, isForTerminal: boolean): void {
    const { profile } = this;
    const { program, system } = ground;
    const door = this.#door;
    const args = buildArguments({
      profile,
      program,
      system,
      channel: housing.channel,
      extras: [...(guard ? [guard.mount] : []), ...(door ? forwarderMounts(door, process.execPath) : [])],
      env: { ...profile.env, ...(door ? proxyEnvironment() : {}) },
      isForTerminal,
    });
    writeFileSync(housing.argumentsFile, args.map((argument) => `${argument}\0`).join(""), { mode: 0o600 });
  }

  /** From now on its limits are those of the profile. */
  #useGroup(group: ControlGroup | undefined, member?: number): void {
    this.#group = group;
    if (!group) return;
    if (!this.#groups.includes(group)) this.#groups.push(group);
    group.limit(this.profile.limits, member);
  }

  #orders(guard: Guard | undefined): LaunchOrders {
    const { limits } = this.profile;
    return {
      limits: limitWords(limits, this.#group ? undefined : limits.memoryBytes),
      writable: guard ? writableFolders(this.profile) : [],
    };
  }

  async #openDoor(): Promise<void> {
    const { network } = this.profile;
    if (network.kind === "none") return;
    if (this.#door && existsSync(this.#door.socketPath)) return;
    await this.#door?.close();
    this.#door = undefined;
    if (network.kind === "named") {
      const why = `bubblewrap does not know the network "${network.name}"; only container engines have networks by name.`;
      throw new GatewayError(
        "SANDBOX_FAILED",
        `${why} Set sandbox.docker.network to "none", or sandbox.backend to "docker".`,
      );
    }
    if (!this.#parts.proxy) throw new GatewayError("SANDBOX_FAILED", "there is no proxy for the allowed hosts.");
    this.#door = await this.#parts.proxy(network.hosts);
  }

  #newId(): string {
    return `c${(this.#count += 1)}-${this.#parts.ids.secretHex(4)}`;
  }
}
