// The agent an editor talks to: the methods of the protocol, carried out by a gateway.
import { randomUUID } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import { once } from "@chela/sdk";
import type { GatewayLink } from "@chela/sdk/command-line";
import * as z from "zod";
import {
  InitializeParams,
  ListSessionsParams,
  LoadSessionParams,
  NewSessionParams,
  OneSessionParams,
  PermissionAnswer,
  PromptParams,
  SetModeParams,
  SetOptionParams,
} from "../wire/editor-frames.ts";
import { readParams, RPC, RpcFault, RpcPeer, type RpcCall, type RpcOutput } from "../wire/rpc-peer.ts";
import { PROTOCOL_VERSION } from "../wire/session-blocks.ts";
import { BridgeSession, type SessionRow } from "./bridge-session.ts";
import { EditorCall, EditorHands, type AskEditor, type EditorOffer } from "./editor-hands.ts";
import { GatewaySide } from "./gateway-side.ts";
import { readMode, setOption } from "./session-options.ts";

export interface AcpAgentOptions {
  /** All sessions of the editor are this one. */
  readonly sessionKey?: string | undefined;
  /** The session with this label. */
  readonly sessionLabel?: string | undefined;
  /** A session that is named must be there already. */
  readonly requireExisting: boolean;
  /** The named session begins anew with its first use. */
  readonly resetSession: boolean;
  readonly prefixesCwd: boolean;
  readonly version: string;
}

export interface AcpAgentParts {
  readonly output: RpcOutput;
  readonly options: AcpAgentOptions;
  connect(): Promise<GatewayLink>;
  /** For the log; nothing but frames goes to the output. */
  note(text: string): void;
}

type Handler = (params: unknown, call: RpcCall) => Promise<unknown>;
type Place = { readonly cwd: string; readonly additionalDirectories?: readonly string[] | null | undefined };
type Named = { readonly sessionKey?: string | undefined; readonly sessionLabel?: string | undefined };

const PAGE = 50;
const Taken = once(() => z.looseObject({ id: z.string() }));

export class AcpAgent {
  readonly #parts: AcpAgentParts;
  readonly #peer: RpcPeer;
  readonly #gateway: GatewaySide;
  readonly #hands: EditorHands;
  readonly #sessions = new Map<string, BridgeSession>();
  /** What the gateway's agent does in the editor right now. */
  readonly #calls = new Map<string, AbortController>();
  /** Those whose conversation has the editor's hands. */
  readonly #attached = new Set<BridgeSession>();
  #offer: EditorOffer = { read: false, write: false, terminal: false };
  #wasReset = false;

  constructor(parts: AcpAgentParts) {
    this.#parts = parts;
    this.#peer = new RpcPeer(parts.output, {
      request: (method, params, call) => this.#methods[method]?.(params, call),
      notice: (method, params) => this.#hearNotice(method, params),
      complain: (text) => parts.note(text),
    });
    this.#gateway = new GatewaySide(parts.connect, {
      hear: ({ event, payload }) => this.#hear(event, payload),
      lost: () => this.#lost(),
    });
    this.#hands = new EditorHands(this.#peer, (session) => this.#askFor(session.sessionKey));
  }

  take(chunk: Buffer): void {
    this.#peer.take(chunk);
  }

  /** The editor is gone: what it asked for is stopped, because nobody would see the answer. */
  async close(): Promise<void> {
    this.#peer.close();
    for (const call of this.#calls.values()) call.abort();
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.cancel()));
    await Promise.allSettled([...this.#attached].map((session) => this.#detach(session)));
    await this.#gateway.close();
  }

  readonly #methods: Readonly<Record<string, Handler | undefined>> = Object.assign(Object.create(null), {
    initialize: async (params) => this.#initialize(readParams(InitializeParams(), params)),
    authenticate: async () => ({}),
    logout: async () => ({}),
    "session/new": async (params) => this.#new(readParams(NewSessionParams(), params)),
    "session/load": async (params) => {
      const wish = readParams(LoadSessionParams(), params);
      const session = await this.#reopen(wish.sessionId, wish, wish.mcpServers ?? []);
      await session.replay();
      return this.#opened(session);
    },
    "session/resume": async (params) => {
      const wish = readParams(LoadSessionParams(), params);
      return this.#opened(await this.#reopen(wish.sessionId, wish, wish.mcpServers ?? []));
    },
    "session/list": async (params) => this.#list(readParams(ListSessionsParams(), params)),
    "session/close": async (params) => {
      const session = this.#find(readParams(OneSessionParams(), params).sessionId);
      this.#sessions.delete(session.sessionKey);
      await session.close();
      await this.#detach(session);
      return {};
    },
    "session/prompt": async (params, { signal }) => {
      const { sessionId, prompt } = readParams(PromptParams(), params);
      const session = this.#find(sessionId);
      await this.#attach(session);
      return session.prompt(prompt, signal);
    },
    "session/set_mode": async (params) => {
      const { sessionId, modeId } = readParams(SetModeParams(), params);
      const session = this.#find(sessionId);
      session.mode = readMode(modeId);
      return {};
    },
    "session/set_config_option": async (params) => {
      const { sessionId, configId, value } = readParams(SetOptionParams(), params);
      const session = this.#find(sessionId);
      await setOption(this.#gateway, sessionId, configId, value);
      return { configOptions: await session.options() };
    },
  } satisfies Record<string, Handler>);

  #initialize({ clientCapabilities }: z.output<ReturnType<typeof InitializeParams>>): object {
    const { fs, terminal } = clientCapabilities ?? {};
    this.#offer = {
      read: fs?.readTextFile === true,
      write: fs?.writeTextFile === true,
      terminal: terminal === true,
    };
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "chela", title: "Chela", version: this.#parts.options.version },
      authMethods: [],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {}, additionalDirectories: {} },
      },
    };
  }

  async #new({ mcpServers, _meta: meta, ...place }: z.output<ReturnType<typeof NewSessionParams>>): Promise<object> {
    refuseServers(mcpServers);
    const { options } = this.#parts;
    const named: Named = meta?.sessionKey || meta?.sessionLabel ? meta : options;
    const sessionKey = await this.#keyFor(named, place);
    const resets = meta?.resetSession ?? (options.resetSession && !this.#wasReset);
    if (resets) {
      this.#wasReset = true;
      await this.#gateway.ask("sessions.reset", { key: sessionKey });
    }
    const session = await this.#open(sessionKey, place);
    return { sessionId: session.sessionKey, ...(await this.#opened(session)) };
  }

  /** The key of a session that is named, or of one of its own. */
  async #keyFor({ sessionKey, sessionLabel }: Named, place: Place): Promise<string> {
    if (sessionKey !== undefined || sessionLabel !== undefined) {
      if (sessionKey !== undefined && !this.#parts.options.requireExisting) {
        return (await this.#gateway.ask("chat.history", { sessionKey, limit: 1 })).sessionKey;
      }
      const wish = sessionKey === undefined ? { label: sessionLabel } : { key: sessionKey };
      return (await this.#gateway.ask("sessions.resolve", wish)).key;
    }
    const { defaultId } = await this.#gateway.ask("agents.list", {});
    const key = `agent:${defaultId}:acp-bridge:${randomUUID()}`;
    await this.#gateway.ask("sessions.create", { key });
    await this.#gateway.ask("sessions.patch", { key, spawnedWorkspaceDir: place.cwd });
    return key;
  }

  async #reopen(sessionId: string, place: Place, mcpServers: ReadonlyArray<{ name: string }>): Promise<BridgeSession> {
    refuseServers(mcpServers);
    const open = this.#sessions.get(sessionId);
    if (open) await open.cancel();
    await this.#gateway.ask("sessions.resolve", { key: sessionId }).catch((error: unknown) => {
      const isUnknown = error instanceof RpcFault && (error.data as { kind?: unknown } | undefined)?.kind === "call";
      throw isUnknown ? new RpcFault(RPC.notFound, `there is no session "${sessionId}"`) : error;
    });
    return this.#open(sessionId, place);
  }

  async #open(sessionKey: string, place: Place): Promise<BridgeSession> {
    const { cwd } = place;
    const roots = [cwd, ...(place.additionalDirectories ?? [])];
    const odd = roots.find((folder) => !isAbsolute(folder));
    if (odd !== undefined) throw new RpcFault(RPC.invalidParams, `"${odd}" is no absolute path`);
    const { agents } = await this.#gateway.ask("agents.list", {});
    const agentId = /^agent:([^:]+):/.exec(sessionKey)?.[1];
    const session = new BridgeSession({
      gateway: this.#gateway,
      sessionKey,
      place: { cwd, roots: roots.map((folder) => resolve(folder)) },
      workspace: agents.find(({ id }) => id === agentId)?.workspace,
      prefixesCwd: this.#parts.options.prefixesCwd,
      askEditor: this.#askFor(sessionKey),
      tell: (update) => this.#peer.notify("session/update", { sessionId: sessionKey, update }),
    });
    this.#sessions.set(sessionKey, session);
    return session;
  }

  /** Commands are told behind the answer: before it the editor does not know the session. */
  async #opened(session: BridgeSession): Promise<object> {
    const opened = await session.open();
    setImmediate(() => {
      session.tellCommands().catch((error: unknown) => this.#parts.note(`no commands were told: ${String(error)}`));
    });
    return opened;
  }

  async #list({ cwd, cursor }: z.output<ReturnType<typeof ListSessionsParams>>): Promise<object> {
    const offset = cursor ? Number(cursor) : 0;
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new RpcFault(RPC.invalidParams, "the cursor is none of ours");
    const wish = { search: ":acp-bridge:", includeDerivedTitles: true, limit: PAGE, offset };
    const { sessions, total = 0 } = await this.#gateway.ask("sessions.list", wish);
    const next = offset + sessions.length;
    return {
      sessions: sessions.map(infoOf).filter((info) => info !== undefined && (!cwd || info.cwd === cwd)),
      ...(sessions.length > 0 && next < total ? { nextCursor: String(next) } : {}),
    };
  }

  #find(sessionId: string): BridgeSession {
    const session = this.#sessions.get(sessionId);
    if (session) return session;
    throw new RpcFault(RPC.notFound, `the session "${sessionId}" is not open: load it first`);
  }

  #hearNotice(method: string, params: unknown): void {
    if (method !== "session/cancel") return;
    const parsed = OneSessionParams().safeParse(params);
    if (parsed.success) void this.#sessions.get(parsed.data.sessionId)?.cancel();
  }

  #hear(event: string, payload: unknown): void {
    if (event === "editor.call") return void this.#doInEditor(payload);
    if (event === "editor.cancel") {
      const parsed = Taken().safeParse(payload);
      if (parsed.success) this.#calls.get(parsed.data.id)?.abort();
      return;
    }
    for (const session of this.#sessions.values()) session.hear(event, payload);
  }

  #lost(): void {
    this.#attached.clear();
    for (const call of this.#calls.values()) call.abort();
    for (const session of this.#sessions.values()) session.lost();
  }

  /** The gateway's agent has the editor's files and terminal while the session is open here. */
  async #attach(session: BridgeSession): Promise<void> {
    const { sessionKey, place } = session;
    this.#attached.add(session);
    await this.#gateway.ask("editor.attach", { sessionKey, folders: [...place.roots], ...this.#offer });
  }

  async #detach(session: BridgeSession): Promise<void> {
    if (!this.#attached.delete(session)) return;
    await this.#gateway.ask("editor.detach", { sessionKey: session.sessionKey });
  }

  async #doInEditor(payload: unknown): Promise<void> {
    const parsed = EditorCall().safeParse(payload);
    const session = parsed.success ? this.#sessions.get(parsed.data.sessionKey) : undefined;
    if (!parsed.success || !session) return this.#parts.note("a call for the editor that is none of ours was ignored");
    const { id } = parsed.data;
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      const answer = await this.#hands.do(session, parsed.data, controller.signal);
      if (!controller.signal.aborted) await this.#gateway.ask("editor.answer", { id, ...answer });
    } catch (error) {
      this.#parts.note(`a call for the editor failed: ${String(error)}`);
      await this.#gateway.ask("editor.answer", { id, ok: false, why: "The editor's side failed." }).catch(() => {});
    } finally {
      this.#calls.delete(id);
    }
  }

  #askFor(sessionId: string): AskEditor {
    return async (toolCall, options, signal) => {
      try {
        const answer = await this.#peer.request("session/request_permission", { sessionId, toolCall, options }, signal);
        const { outcome } = readParams(PermissionAnswer(), answer);
        if (outcome.outcome !== "selected") return undefined;
        return options.find(({ optionId }) => optionId === outcome["optionId"])?.optionId;
      } catch (error) {
        if (!signal.aborted) this.#parts.note(`a question could not be put to the editor: ${String(error)}`);
        return undefined;
      }
    };
  }
}

function refuseServers(servers: ReadonlyArray<{ readonly name: string }>): void {
  const [first] = servers;
  if (!first) return;
  throw new RpcFault(
    RPC.invalidParams,
    `MCP servers of one session ("${first.name}") are not supported yet: configure them in the gateway, or leave mcpServers empty`,
  );
}

function infoOf({ key, spawnedWorkspaceDir: cwd, updatedAt, label, derivedTitle }: SessionRow) {
  if (cwd === undefined || !isAbsolute(cwd)) return undefined;
  const title = label ?? derivedTitle;
  return {
    sessionId: key,
    cwd,
    ...(title ? { title } : {}),
    ...(updatedAt === null ? {} : { updatedAt: new Date(updatedAt).toISOString() }),
  };
}
