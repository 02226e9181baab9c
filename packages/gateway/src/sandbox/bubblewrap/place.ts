// One sandbox by its profile: it stands while it is used, and is set up again when it fell.
import { writeFileSync } from "node:fs";
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
import type { BubblewrapProgram } from "./bubblewrap-program.ts";
import { buildArguments } from "./build-arguments.ts";
import { createControlGroup, OWN_PROCESSES, type ControlGroup } from "./control-group.ts";
import { endTerminal } from "./end-terminal.ts";
import {
  FORWARDER_COMMAND,
  FORWARDER_FILE,
  FORWARDER_TEXT,
  forwarderMounts,
  proxyEnvironment,
  type ProxyDoor,
} from "./forwarder.ts";
import type { Housing, HousingStock } from "./housing.ts";
import { launchOf, type Launch } from "./launch.ts";
import { nameOfThis } from "./private-folders.ts";
import type { SystemView } from "./system-view.ts";
import { Warden } from "./warden.ts";
import { CHANNEL_INSIDE, commandScript, wardenScript, WARDEN_FILE, type InnerShell } from "./warden-script.ts";
import { watchLimits } from "./watch-limits.ts";

export interface PlaceParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly program: BubblewrapProgram;
  readonly system: SystemView;
  readonly shell: InnerShell;
  readonly housings: HousingStock;
  /** The gateway was started with open files that its children would have, too. */
  readonly hasStrayFiles: boolean;
  /** Control groups are used where they can be, unless this says otherwise. */
  readonly mayUseControlGroups: boolean;
  proxy?(hosts: readonly string[]): Promise<ProxyDoor>;
  /** From then on nothing is set up any more. */
  isStopping(): boolean;
  /** It stands from now on, or does so no more. */
  noteStanding(place: BubblewrapPlace, isStanding: boolean): void;
}

type TerminalWish = Omit<SandboxCommand, "onText" | "takesInput">;

export class BubblewrapPlace implements SandboxPlace {
  readonly backend = "bubblewrap";
  readonly profile: SandboxProfile;
  readonly createdAt: number;
  lastUsedAt: number;
  readonly #parts: PlaceParts;
  readonly #terminals = new Map<string, Housing>();
  #warden: Promise<Warden> | undefined;
  #group: ControlGroup | undefined;
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

  async open(): Promise<this> {
    await this.#standing();
    return this;
  }

  async start(command: SandboxCommand): Promise<SandboxedProcess> {
    this.lastUsedAt = this.#parts.clock.now();
    // Whatever filled the first sandbox is gone with it; a second one that cannot start anything is a fault.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const warden = await this.#standing();
      const running = await warden.run(command);
      if (running) return running;
      await warden.end(undefined);
    }
    throw new GatewayError("SANDBOX_FAILED", "two new sandboxes ended before the command could begin.");
  }

  terminal(wish: TerminalWish): Launch & { readonly env: Readonly<Record<string, string>> } {
    this.lastUsedAt = this.#parts.clock.now();
    if (this.profile.network.kind !== "none" && !this.#door) {
      throw new GatewayError("SANDBOX_FAILED", "the sandbox was taken down; a command has to set it up first.");
    }
    this.#openGroup();
    const id = this.#newId();
    const housing = this.#parts.housings.plain();
    this.#terminals.set(id, housing);
    // A new sandbox without a warden: what that would have started is started by the script.
    const forward = this.#door ? `${FORWARDER_COMMAND} 3>/dev/null </dev/null >/dev/null 2>&1 &\n` : "";
    const { text, long } = commandScript({ ...wish, id }, { hasJobControl: true });
    writeFileSync(join(housing.channel, id), forward + text);
    if (this.#door) writeFileSync(join(housing.channel, FORWARDER_FILE), FORWARDER_TEXT);
    if (long !== undefined) writeFileSync(join(housing.channel, `${id}.long`), long);
    return { ...this.#launch(housing, "/bin/sh", id), env: {} };
  }

  async close(): Promise<void> {
    const warden = await this.#warden?.catch(() => undefined);
    await warden?.end("it was taken down");
    for (const [id, housing] of this.#terminals) {
      endTerminal(id);
      housing.remove();
    }
    this.#terminals.clear();
    this.#parts.noteStanding(this, false);
    const [group, door] = [this.#group, this.#door];
    this.#group = undefined;
    this.#door = undefined;
    await door?.close();
    await group?.remove();
  }

  #standing(): Promise<Warden> {
    if (this.#parts.isStopping()) throw new GatewayError("SANDBOX_FAILED", "the gateway is stopping.");
    return (this.#warden ??= this.#setUp());
  }

  async #setUp(): Promise<Warden> {
    this.#parts.noteStanding(this, true);
    try {
      const warden = await this.#startWarden();
      const { limits } = this.profile;
      if (!this.#group) watchLimits(warden, limits, this.#parts.clock);
      return warden;
    } catch (error) {
      this.#warden = undefined;
      throw error;
    }
  }

  async #startWarden(): Promise<Warden> {
    const { clock, housings, shell } = this.#parts;
    await this.#openDoor();
    this.#openGroup();
    const { housing, pipes } = await housings.take();
    let warden: Warden;
    try {
      const script = wardenScript({
        ...(this.#group ? {} : { mostProcesses: this.profile.limits.processes + OWN_PROCESSES }),
        ...(this.#door ? { forwarder: FORWARDER_COMMAND } : {}),
      });
      writeFileSync(join(housing.channel, WARDEN_FILE), script);
      if (this.#door) writeFileSync(join(housing.channel, FORWARDER_FILE), FORWARDER_TEXT);
      const launch = this.#launch(housing, shell.commandLine, WARDEN_FILE);
      warden = new Warden({
        clock,
        launch,
        housing,
        shell,
        pipes,
        isForwarding: this.#door !== undefined,
        newId: () => this.#newId(),
        memoryKills: () => this.#group?.memoryKills() ?? 0,
      });
    } catch (error) {
      housing.remove();
      throw error;
    }
    void warden.gone.then(() => (this.#warden = undefined));
    await warden.untilReady();
    housings.prepare();
    return warden;
  }

  #launch(housing: Housing, shell: string, script: string): Launch {
    const { profile } = this;
    const { program } = this.#parts;
    const { limits } = profile;
    const door = this.#door;
    const args = buildArguments({
      profile,
      program,
      system: this.#parts.system,
      channel: housing.channel,
      extras: door ? forwarderMounts(door, process.execPath) : [],
      env: { ...profile.env, ...(door ? proxyEnvironment() : {}) },
      isForTerminal: script !== WARDEN_FILE,
    });
    writeFileSync(housing.argumentsFile, args.map((argument) => `${argument}\0`).join(""), { mode: 0o600 });
    return launchOf({
      ...limits,
      hasStrayFiles: this.#parts.hasStrayFiles,
      bubblewrap: program.path,
      argumentsFile: housing.argumentsFile,
      filterFile: housing.filterFile,
      shell,
      script: `${CHANNEL_INSIDE}/${script}`,
      groups: this.#group?.procs ?? [],
      dataBytes: this.#group ? undefined : limits.memoryBytes,
    });
  }

  async #openDoor(): Promise<void> {
    const { network } = this.profile;
    if (network.kind === "none" || this.#door) return;
    if (network.kind === "named") {
      const why = `bubblewrap does not know the network "${network.name}"; only container engines have networks by name.`;
      throw new GatewayError("SANDBOX_FAILED", `${why} Set sandbox.docker.network to "none", or use Docker.`);
    }
    if (!this.#parts.proxy) throw new GatewayError("SANDBOX_FAILED", "there is no proxy for the allowed hosts.");
    this.#door = await this.#parts.proxy(network.hosts);
  }

  #openGroup(): void {
    if (!this.#parts.mayUseControlGroups) return;
    this.#group ??= createControlGroup(`${nameOfThis("sandbox")}-${this.#parts.ids.secretHex(6)}`, this.profile.limits);
  }

  #newId(): string {
    return `c${(this.#count += 1)}-${this.#parts.ids.secretHex(4)}`;
  }
}
