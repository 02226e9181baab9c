// An editor before `chela acp`, made of the protocol's own client; every frame the agent writes is held against the published schema.
import { readFileSync } from "node:fs";
import { PassThrough, Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import * as z from "zod";
import type { CommandCall, Style, Terminal } from "@chela/sdk/command-line";
import { withGateway } from "../../../src/cli/connect/gateway-caller.ts";
import { COMMANDS, GLOBAL_FLAGS } from "../../../src/cli/table/command-table.ts";
import { parseCommandLine } from "../../../src/cli/table/parse-arguments.ts";
import { serveAcp } from "../../../src/cli/commands/acp.ts";
import type { TestGateway } from "../in-process.ts";

type Json = Record<string, unknown>;
export type Update = acp.SessionUpdate;

export interface EditorOptions {
  readonly flags?: readonly string[];
  readonly capabilities?: acp.ClientCapabilities;
  /** Files of the editor, by path. */
  readonly files?: Map<string, string>;
  /** What the person chooses: one of the offered ids, or nothing for a dismissal. */
  answer?(asked: acp.RequestPermissionRequest): string | undefined | Promise<string | undefined>;
}

export interface EditorStage extends AsyncDisposable {
  readonly agent: acp.ClientContext;
  readonly initialized: acp.InitializeResponse;
  readonly updates: acp.SessionNotification[];
  readonly asked: acp.RequestPermissionRequest[];
  readonly files: Map<string, string>;
  /** Commands that were run in the editor's terminal. */
  readonly ran: string[];
  /** All that was written to the output, line by line. */
  readonly lines: string[];
  readonly notes: string[];
  newSession(more?: Partial<acp.NewSessionRequest>): Promise<acp.NewSessionResponse>;
  prompt(sessionId: string, ...blocks: Array<string | acp.ContentBlock>): Promise<acp.PromptResponse>;
  /** What the agent said so far. */
  said(): string;
  of<K extends Update["sessionUpdate"]>(kind: K): Array<Extract<Update, { sessionUpdate: K }>>;
  /** Ends the input; resolves with the exit code. */
  leave(): Promise<number>;
}

/** A folder that is open in the editor; nothing in it is looked at by anybody. */
export const PROJECT = "/a/project";

export async function openEditor(gateway: TestGateway, options: EditorOptions = {}): Promise<EditorStage> {
  const toAgent = new PassThrough();
  const fromAgent = new PassThrough();
  const lines: string[] = [];
  const notes: string[] = [];
  const recorder = record(lines);
  const over = serveAcp(callFor(gateway, options.flags ?? [], notes), { input: toAgent, output: recorder });
  recorder.pipe(fromAgent);
  const state = { updates: [], asked: [], files: options.files ?? new Map<string, string>(), ran: [] } as {
    updates: acp.SessionNotification[];
    asked: acp.RequestPermissionRequest[];
    files: Map<string, string>;
    ran: string[];
  };
  const sent = Writable.toWeb(toAgent) as unknown as WritableStream<Uint8Array>;
  const heard = Readable.toWeb(fromAgent) as unknown as ReadableStream<Uint8Array>;
  const connection = editorApp(state, options).connect(acp.ndJsonStream(watchRequests(sent, lines), heard));
  const { agent } = connection;
  const clientCapabilities = options.capabilities ?? {};
  const initialized = await agent.request("initialize", { protocolVersion: 1, clientCapabilities });
  const of: EditorStage["of"] = (kind) =>
    state.updates.flatMap(({ update }) => (update.sessionUpdate === kind ? [update as never] : []));
  const leave = async (): Promise<number> => {
    toAgent.end();
    return over;
  };
  return {
    agent,
    initialized,
    ...state,
    lines,
    notes,
    newSession: (more = {}) => agent.request("session/new", { cwd: PROJECT, mcpServers: [], ...more }),
    prompt: (sessionId, ...blocks) =>
      agent.request("session/prompt", {
        sessionId,
        prompt: blocks.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
      }),
    said: () =>
      of("agent_message_chunk")
        .map(({ content }) => (content.type === "text" ? content.text : ""))
        .join(""),
    of,
    leave,
    async [Symbol.asyncDispose]() {
      await leave();
      connection.close();
      checkFrames(lines);
    },
  };
}

function editorApp(
  state: {
    updates: acp.SessionNotification[];
    asked: acp.RequestPermissionRequest[];
    files: Map<string, string>;
    ran: string[];
  },
  { answer }: EditorOptions,
): acp.ClientApp {
  return acp
    .client({ name: "an editor" })
    .onNotification("session/update", ({ params }) => void state.updates.push(params))
    .onRequest("session/request_permission", async ({ params }) => {
      state.asked.push(params);
      const optionId = await answer?.(params);
      return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    })
    .onRequest("fs/read_text_file", ({ params }) => {
      const content = state.files.get(params.path);
      if (content === undefined) throw acp.RequestError.resourceNotFound(params.path);
      return { content };
    })
    .onRequest("fs/write_text_file", ({ params }) => {
      state.files.set(params.path, params.content);
      return {};
    })
    .onRequest("terminal/create", ({ params }) => {
      state.ran.push([params.command, ...(params.args ?? [])].join(" "));
      return { terminalId: `t${state.ran.length}` };
    })
    .onRequest("terminal/wait_for_exit", () => ({ exitCode: 0 }))
    .onRequest("terminal/output", () => ({ output: "all tests pass\n", truncated: false }))
    .onRequest("terminal/kill", () => ({}))
    .onRequest("terminal/release", () => ({}));
}

/** Keeps each line the agent writes. */
function record(lines: string[]): PassThrough {
  const stream = new PassThrough();
  let rest = "";
  stream.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((part) => `< ${part}`));
  });
  return stream;
}

/** Keeps what is asked of the agent, because its answers do not say to which method they belong. */
function watchRequests(sent: WritableStream<Uint8Array>, lines: string[]): WritableStream<Uint8Array> {
  const writer = sent.getWriter();
  return new WritableStream({
    write(chunk) {
      lines.push(
        ...new TextDecoder()
          .decode(chunk)
          .split("\n")
          .filter(Boolean)
          .map((line) => `> ${line}`),
      );
      return writer.write(chunk);
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
}

const ANSWERS: Readonly<Record<string, string>> = {
  initialize: "InitializeResponse",
  authenticate: "AuthenticateResponse",
  "session/new": "NewSessionResponse",
  "session/load": "LoadSessionResponse",
  "session/resume": "ResumeSessionResponse",
  "session/list": "ListSessionsResponse",
  "session/close": "CloseSessionResponse",
  "session/prompt": "PromptResponse",
  "session/set_mode": "SetSessionModeResponse",
  "session/set_config_option": "SetSessionConfigOptionResponse",
};
const CALLS: Readonly<Record<string, string>> = {
  "session/update": "SessionNotification",
  "session/request_permission": "RequestPermissionRequest",
  "fs/read_text_file": "ReadTextFileRequest",
  "fs/write_text_file": "WriteTextFileRequest",
  "terminal/create": "CreateTerminalRequest",
  "terminal/output": "TerminalOutputRequest",
  "terminal/wait_for_exit": "WaitForTerminalExitRequest",
  "terminal/kill": "KillTerminalRequest",
  "terminal/release": "ReleaseTerminalRequest",
  "$/cancel_request": "CancelRequestNotification",
};

const schemas = new Map<string, z.ZodType>();
let published: { readonly $defs: Json } | undefined;

/** The schema of the protocol as it is published, read by its own rules. */
function schemaOf(name: string): z.ZodType {
  if (!published) {
    const file = new URL(import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.json"));
    published = JSON.parse(readFileSync(file, "utf8")) as { readonly $defs: Json };
  }
  const schema = schemas.get(name) ?? z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs: published.$defs } as never);
  schemas.set(name, schema);
  return schema;
}

/** Throws with the first frame that is not what the protocol says. */
export function checkFrames(lines: readonly string[]): void {
  const methods = new Map<unknown, string>();
  for (const line of lines) {
    const frame = JSON.parse(line.slice(2)) as Json;
    if (line.startsWith("> ")) {
      if (frame["method"] !== undefined && frame["id"] !== undefined) methods.set(frame["id"], String(frame["method"]));
      continue;
    }
    const method = frame["method"] as string | undefined;
    if (method === undefined && frame["error"] !== undefined) {
      z.object({ code: z.int(), message: z.string().min(1) }).parse(frame["error"]);
      continue;
    }
    const name = method === undefined ? ANSWERS[methods.get(frame["id"]) ?? ""] : CALLS[method];
    if (name === undefined) throw new Error(`no schema for ${line}`);
    const checked = schemaOf(name).safeParse(method === undefined ? frame["result"] : frame["params"]);
    if (!checked.success) throw new Error(`${name}: ${z.prettifyError(checked.error)}\n${line.slice(0, 2_000)}`);
  }
}

function callFor(gateway: TestGateway, words: readonly string[], notes: string[]): CommandCall {
  const connection = ["--url", gateway.url, "--token", gateway.token, "--verbose"];
  const parsed = parseCommandLine(["acp", ...connection, ...words], { commands: COMMANDS, globals: GLOBAL_FLAGS });
  if (parsed.kind !== "run") throw new Error(`not a command that runs: ${words.join(" ")}`);
  const env = { HOME: gateway.stateDir, OPENCLAW_STATE_DIR: gateway.stateDir };
  return withGateway({ path: ["acp"], args: [], flags: parsed.flags, terminal: quiet(notes), env, state: {} });
}

function quiet(notes: string[]): Terminal {
  const plain = (text: string): string => text;
  const style: Style = { bold: plain, dim: plain, green: plain, yellow: plain, red: plain, cyan: plain };
  const refuse = (): never => {
    throw new Error("something was written to the terminal, where frames go");
  };
  return {
    style,
    columns: 80,
    isInteractive: false,
    write: refuse,
    control: refuse,
    print: refuse,
    printJson: refuse,
    note: (text) => void notes.push(text),
  };
}
