// The servers of this gateway: which there are, what of each is approved, what agents may use of them, and how each one lives.
import { statSync } from "node:fs";
import { join } from "node:path";
import {
  GatewayError,
  OneAtATime,
  type Change,
  type Clock,
  type Ids,
  type Ledger,
  type Logger,
  type Tool,
  type ToolContext,
} from "@chela/sdk";
import type { Inward, Welcome } from "./client/client.ts";
import { connect } from "./client/connect.ts";
import type { ToolDefinition } from "./client/protocol.ts";
import { serverTools, type UseServer } from "./offer/server-tools.ts";
import { launchServer, type LaunchParts, type Started } from "./process/launch.ts";
import { ServerLife, type Connected, type LifeState } from "./process/server-life.ts";
import type { Questions } from "./questions.ts";
import { nameOf, readServers, WORKSPACE_FILE, type ReadServer, type ServerSettings } from "./settings.ts";
import type { SignIns } from "./sign-ins.ts";
import { hashOf } from "./trust/definitions.ts";
import { approve, keepApproved, keepSeen, readKnown, standingOf, type Known, type Standing } from "./trust/pins.ts";
import { HttpWire } from "./wire/http-wire.ts";
import { openSseWire } from "./wire/sse-wire.ts";
import { createStdioWire } from "./wire/stdio-wire.ts";

export interface ServersParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger & { redact(text: string): string };
  readonly ledger: Pick<Ledger, "value"> & { commit(changes: readonly Change[]): Promise<unknown> };
  readonly version: string;
  /** `mcp.servers`: the same object as long as the configuration is the same. */
  configured(): Readonly<Record<string, unknown>>;
  agents(): ReadonlyArray<{ readonly agentId: string; readonly workspace: string }>;
  idleMs(): number;
  readonly launch: LaunchParts;
  readonly signIns: SignIns;
  readonly questions: Questions;
  /** For the audit trail. */
  noted(event: {
    readonly step: string;
    readonly server: string;
    readonly detail?: Readonly<Record<string, unknown>>;
  }): void;
  changed(): void;
}

/** One server as people see it. */
export interface ServerStatus {
  readonly read: ReadServer;
  readonly state: LifeState;
  readonly known: Known;
  readonly standing: Standing;
  readonly isSignedIn: boolean;
}

interface Server {
  readonly settings: ServerSettings;
  readonly text: string;
  readonly life: ServerLife;
  /** Calls that are being worked on, oldest first. */
  readonly calls: ToolContext[];
}

const NOTHING_KNOWN: Known = { approved: undefined, seen: undefined };

export class McpServers {
  readonly #parts: ServersParts;
  readonly #servers = new Map<string, Server>();
  readonly #known = new Map<string, Known>();
  readonly #oneAtATime = new OneAtATime();
  #reads: readonly ReadServer[] = [];
  #lookedAt: { readonly configured: object; readonly files: string } | undefined;
  #tools: readonly Tool[] = [];

  constructor(parts: ServersParts) {
    this.#parts = parts;
  }

  /** Quick as long as neither the configuration nor a file in a workspace changed. Starts no server. */
  ready(): Promise<void> {
    return this.#oneAtATime.run("look", () => this.#look());
  }

  tools(): readonly Tool[] {
    return this.#tools;
  }

  async list(): Promise<ServerStatus[]> {
    await this.ready();
    return Promise.all(
      this.#reads.map(async (read): Promise<ServerStatus> => {
        if (read.kind === "broken")
          return {
            read,
            state: { kind: "idle" },
            known: NOTHING_KNOWN,
            standing: { kind: "new", held: [] },
            isSignedIn: false,
          };
        const { settings } = read;
        const known = this.#knownOf(settings.id);
        return {
          read,
          state: this.#servers.get(settings.id)?.life.state ?? { kind: "idle" },
          known,
          standing: standingOf(settings.identity, known),
          isSignedIn: await this.#parts.signIns.has(settings),
        };
      }),
    );
  }

  /** Starts it, if it does not run, and looks at what it offers now. Throws MCP_UNKNOWN, MCP_UNAVAILABLE, MCP_LOGIN. */
  async probe(name: string): Promise<Standing> {
    const server = await this.#require(name);
    await server.life.use(async ({ client }) => this.#see(server.settings, client.welcome, await client.listTools()));
    return standingOf(server.settings.identity, this.#knownOf(server.settings.id));
  }

  /** Approves what was seen last, all of it or the named tools. Throws MCP_UNKNOWN, and whatever `probe` does. */
  async approve(name: string, by: string, tools?: readonly string[]): Promise<Standing> {
    const { settings } = await this.#require(name);
    if (this.#knownOf(settings.id).seen?.identity !== settings.identity) await this.probe(name);
    const known = this.#knownOf(settings.id);
    const missing = tools?.find((one) => !known.seen?.tools.some((tool) => tool.name === one));
    if (missing !== undefined) throw new GatewayError("MCP_REQUEST", `${name} has no tool "${missing}"`);
    const approved = approve(settings.identity, known, { tools, at: this.#parts.clock.now(), by });
    await this.#keep(settings.id, { ...known, approved }, [keepApproved(settings.id, approved)]);
    this.#parts.noted({
      step: "approved",
      server: settings.name,
      detail: { by, tools: Object.keys(approved.tools).length },
    });
    return standingOf(settings.identity, this.#knownOf(settings.id));
  }

  /** Whatever was approved of it is so no more. */
  async revoke(name: string, by: string): Promise<void> {
    const { settings, life } = await this.#require(name);
    const id = settings.id;
    await this.#keep(id, NOTHING_KNOWN, [keepApproved(id, undefined), keepSeen(id, undefined)]);
    await life.letGo();
    this.#parts.noted({ step: "revoked", server: settings.name, detail: { by } });
  }

  /** By its name. Throws MCP_UNKNOWN. */
  async settingsOf(name: string): Promise<ServerSettings> {
    return (await this.#require(name)).settings;
  }

  /** Whoever signed in is known from the next connection on. */
  async letGo(name: string): Promise<void> {
    await (await this.#require(name)).life.letGo();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ life }) => life.close()));
  }

  async #require(name: string): Promise<Server> {
    await this.ready();
    const found = [...this.#servers.values()].find(({ settings }) => settings.id === name || settings.name === name);
    if (found) return found;
    const broken = this.#reads.find((read) => read.kind === "broken" && nameOf(read) === name);
    if (broken?.kind === "broken") throw new GatewayError("MCP_REQUEST", `${broken.where}: ${broken.why}`);
    throw new GatewayError("MCP_UNKNOWN", name);
  }

  #knownOf(id: string): Known {
    return this.#known.get(id) ?? NOTHING_KNOWN;
  }

  async #look(): Promise<void> {
    const configured = this.#parts.configured();
    const agents = this.#parts.agents();
    const files = agents.map(({ workspace }) => stampOf(join(workspace, WORKSPACE_FILE))).join();
    if (this.#lookedAt?.configured === configured && this.#lookedAt.files === files) return;
    this.#reads = readServers(configured, agents);
    const fine = this.#reads.flatMap((read) => (read.kind === "fine" ? [read.settings] : []));
    for (const { id } of fine) if (!this.#known.has(id)) this.#known.set(id, await readKnown(this.#parts.ledger, id));
    await this.#matchServers(fine);
    this.#lookedAt = { configured, files };
    this.#makeTools();
  }

  /** Those that are gone or changed are let go; what has not changed goes on as it is. */
  async #matchServers(wanted: readonly ServerSettings[]): Promise<void> {
    const texts = new Map(wanted.map((settings) => [settings.id, JSON.stringify(settings)]));
    for (const [id, { text, life }] of this.#servers) {
      if (texts.get(id) === text) continue;
      this.#servers.delete(id);
      await life.close();
    }
    for (const settings of wanted) {
      if (this.#servers.has(settings.id)) continue;
      const calls: ToolContext[] = [];
      const life = new ServerLife({
        name: settings.name,
        clock: this.#parts.clock,
        log: this.#parts.log,
        idleMs: this.#parts.idleMs(),
        connect: (fell, signal) => this.#connect(settings, calls, fell, signal),
        changed: () => this.#parts.changed(),
      });
      this.#servers.set(settings.id, { settings, text: texts.get(settings.id) ?? "", life, calls });
    }
  }

  #makeTools(): void {
    this.#tools = [...this.#servers.values()].flatMap(({ settings }) => {
      const known = this.#knownOf(settings.id);
      const standing = standingOf(settings.identity, known);
      if (!settings.isEnabled || standing.kind !== "approved" || !known.approved) return [];
      return serverTools({
        settings,
        offered: standing.offered,
        approved: known.approved,
        origin: { server: settings.name, ids: this.#parts.ids },
        use: this.#use,
      });
    });
    this.#parts.changed();
  }

  readonly #use: UseServer = async ({ settings, tool, args, context }, work) => {
    const server = this.#servers.get(settings.id);
    if (!server) throw new GatewayError("MCP_UNKNOWN", settings.name);
    if (settings.ask === "always") {
      const name = tool?.name ?? "its resources and prompts";
      const why = await this.#parts.questions.mayCall(settings.name, name, args, context, context.signal);
      if (why !== undefined)
        return { content: [{ type: "text", text: why }], isError: true, details: { status: "denied" } };
    }
    return server.life.use(async ({ client }) => {
      if (tool) this.#requirePinned(settings, tool);
      server.calls.push(context);
      try {
        return await work(client, {
          signal: context.signal,
          timeoutMs: settings.requestMs,
          onProgress: ({ progress, total, message }) =>
            context.update(message ?? `${progress}${total === undefined ? "" : ` of ${total}`}`),
        });
      } finally {
        server.calls.splice(server.calls.indexOf(context), 1);
      }
    });
  };

  /** It may have become another tool while it was started for this very call. */
  #requirePinned({ id, name, identity }: ServerSettings, tool: ToolDefinition): void {
    const standing = standingOf(identity, this.#knownOf(id));
    const now = standing.kind === "approved" ? standing.offered.find((one) => one.name === tool.name) : undefined;
    if (now && hashOf(now) === hashOf(tool)) return;
    throw new GatewayError(
      "MCP_REQUEST",
      `${tool.name} of ${name} is not what was approved; a person has to look at it first`,
    );
  }

  async #connect(
    settings: ServerSettings,
    calls: readonly ToolContext[],
    fell: (why: Error) => void,
    signal: AbortSignal,
  ): Promise<Connected> {
    const { clock, launch: launchParts, signIns } = this.#parts;
    const { launch } = settings;
    const inward = this.#inwardFor(settings, calls, fell);
    const seen = this.#knownOf(settings.id).seen;
    const era = seen?.identity === settings.identity ? seen.era : undefined;
    const about = { clock, inward, era, timeoutMs: settings.connectMs, signal };
    let started: Started | undefined;
    try {
      const client =
        launch.kind === "command"
          ? await connect({
              ...about,
              transport: "stdio",
              open: async () => {
                started = await launchServer(settings, launch, launchParts);
                return createStdioWire(started.process, (line) =>
                  this.#parts.log.debug("an MCP server said", { line }),
                );
              },
            })
          : await connect({
              ...about,
              transport: launch.transport,
              open: async (kind) => {
                const wire = { url: launch.url, exchange: signIns.exchangeFor(settings), clock };
                return kind === "sse" ? openSseWire(wire) : new HttpWire(wire);
              },
            });
      await this.#see(settings, client.welcome, await client.listTools({ timeoutMs: settings.connectMs, signal }));
      client.hearOfChanges();
      const { pid } = started?.process ?? {};
      return { client, pid, sandbox: started?.sandbox, complaint: () => started?.process.complaint() ?? "" };
    } catch (error) {
      await started?.process.end();
      throw this.#withComplaint(error, started?.process.complaint() ?? "");
    }
  }

  /** What it said on its way out is what helps most. */
  #withComplaint(error: unknown, complaint: string): unknown {
    if (complaint === "" || GatewayError.is(error)) return error;
    const said = this.#parts.log.redact(complaint).split("\n").slice(-3).join(" ").slice(-300);
    return new GatewayError("MCP_UNAVAILABLE", `${(error as Error).message} (it said: ${said})`, { cause: error });
  }

  #inwardFor(settings: ServerSettings, calls: readonly ToolContext[], fell: (why: Error) => void): Inward {
    const { questions, version } = this.#parts;
    return {
      clientInfo: { name: "chela", version },
      roots: () => settings.roots.map((path) => ({ uri: new URL(`file://${path}`).href })),
      elicit: (params, signal) => questions.elicit(settings.name, params, calls.at(-1), signal),
      changed: (what) => {
        if (what === "tools") void this.probe(settings.id).catch(() => undefined);
      },
      closed: fell,
    };
  }

  async #see(settings: ServerSettings, welcome: Welcome, tools: readonly ToolDefinition[]): Promise<void> {
    const { id, identity, name } = settings;
    const known = this.#knownOf(id);
    const { era, version, serverInfo, capabilities } = welcome;
    const now = { identity, era, version, serverInfo, capabilities, tools: [...tools] };
    const { at: _at, ...before } = known.seen ?? { at: 0 };
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    const seen = { ...now, at: this.#parts.clock.now() };
    await this.#keep(id, { ...known, seen }, [keepSeen(id, seen)]);
    const standing = standingOf(identity, this.#knownOf(id));
    const waiting = standing.held.filter(({ kind }) => kind !== "gone").map((tool) => tool.name);
    if (waiting.length === 0) return;
    this.#parts.log.warn(`the MCP server ${name} offers what nobody has approved: \`chela mcp approve ${name}\``, {
      tools: waiting,
    });
    this.#parts.noted({ step: "held", server: name, detail: { tools: waiting.slice(0, 50) } });
  }

  /** On the disk first: what is offered to agents must be what was written down. */
  async #keep(id: string, known: Known, changes: readonly Change[]): Promise<void> {
    await this.#parts.ledger.commit(changes);
    this.#known.set(id, known);
    this.#makeTools();
  }
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${path}:${stats.mtimeMs}:${stats.size}` : "";
}
