// What the gateway's agent does in the editor: reads and writes files as the editor has them, and runs commands in its terminal.
// The mode of the session says what of it a person is asked about.
import { isAbsolute, resolve } from "node:path";
import * as z from "zod";
import { once } from "@chela/sdk";
import { isInside } from "@chela/sdk/files";
import { ExitAnswer, FileAnswer, OutputAnswer, TerminalAnswer } from "../wire/editor-frames.ts";
import { readParams, RpcFault, type RpcPeer } from "../wire/rpc-peer.ts";
import type { BridgeSession } from "./bridge-session.ts";

/** Undefined when the person dismissed the question, or it could not be put. */
export type AskEditor = (
  toolCall: object,
  options: ReadonlyArray<{ readonly optionId: string; readonly name: string; readonly kind: string }>,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** What an editor offers. */
export interface EditorOffer {
  readonly read: boolean;
  readonly write: boolean;
  readonly terminal: boolean;
}

export const EditorCall = once(() =>
  z.looseObject({
    id: z.string(),
    sessionKey: z.string(),
    toolCallId: z.string(),
    call: z.discriminatedUnion("op", [
      z.looseObject({
        op: z.literal("read"),
        path: z.string(),
        line: z.int().min(1).optional(),
        limit: z.int().min(1).optional(),
      }),
      z.looseObject({ op: z.literal("write"), path: z.string(), content: z.string(), oldText: z.string().optional() }),
      z.looseObject({
        op: z.literal("run"),
        command: z.string(),
        cwd: z.string().optional(),
        timeoutMs: z.int().min(1),
      }),
    ]),
  }),
);
export type EditorCall = z.infer<ReturnType<typeof EditorCall>>;
type Call = EditorCall["call"];

export type EditorAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** Bytes of output an editor is asked to keep. */
const MOST_OUTPUT = 100_000;
const ALLOWED = ["allow-once", "allow-always"];

export class EditorHands {
  readonly #peer: RpcPeer;
  readonly #askEditor: (session: BridgeSession) => AskEditor;
  /** What a person allowed for the rest of a session: "write", or a command. */
  readonly #allowed = new Map<string, Set<string>>();

  constructor(peer: RpcPeer, askEditor: (session: BridgeSession) => AskEditor) {
    this.#peer = peer;
    this.#askEditor = askEditor;
  }

  async do(session: BridgeSession, { call, toolCallId }: EditorCall, signal: AbortSignal): Promise<EditorAnswer> {
    const placed = inRoots(call, session.place.roots);
    if (typeof placed === "string") return { ok: false, why: placed };
    try {
      const refusal = await this.#whyNot(session, placed, toolCallId, signal);
      if (refusal !== undefined) return { ok: false, why: refusal };
      return { ok: true, text: await this.#carryOut(session, placed, toolCallId, signal) };
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      return { ok: false, why: `The editor did not do it: ${error.message}` };
    }
  }

  async #whyNot(
    session: BridgeSession,
    call: Call,
    toolCallId: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (call.op === "read") return undefined;
    if (session.mode === "read")
      return "This session only reads in the editor (mode read): nothing was changed or run.";
    if (call.op === "write" && session.mode === "edit") return undefined;
    const wish = call.op === "write" ? "write" : `run ${call.command}`;
    const allowed = this.#allowed.get(session.sessionKey) ?? new Set();
    if (allowed.has(wish)) return undefined;
    const decision = await this.#askEditor(session)(questionOf(call, toolCallId), optionsFor(call), signal);
    if (decision === "allow-always") this.#allowed.set(session.sessionKey, allowed.add(wish));
    if (decision !== undefined && ALLOWED.includes(decision)) return undefined;
    return "The person at the editor refused. Do not try it again in another form.";
  }

  async #carryOut(session: BridgeSession, call: Call, toolCallId: string, signal: AbortSignal): Promise<string> {
    const sessionId = session.sessionKey;
    if (call.op === "run") return this.#run(sessionId, call, toolCallId, signal);
    if (call.op === "read") {
      const { path, line, limit } = call;
      const wish = { sessionId, path, ...(line ? { line } : {}), ...(limit ? { limit } : {}) };
      return readParams(FileAnswer(), await this.#peer.request("fs/read_text_file", wish, signal)).content;
    }
    await this.#peer.request("fs/write_text_file", { sessionId, path: call.path, content: call.content }, signal);
    return `Wrote ${call.path} in the editor.`;
  }

  /** Whatever becomes of the command, the editor's terminal is given back. */
  async #run(
    sessionId: string,
    { command, cwd, timeoutMs }: Extract<Call, { op: "run" }>,
    toolCallId: string,
    signal: AbortSignal,
  ): Promise<string> {
    const wish = { sessionId, ...shellFor(command), cwd, outputByteLimit: MOST_OUTPUT };
    const { terminalId } = readParams(TerminalAnswer(), await this.#peer.request("terminal/create", wish, signal));
    const at = { sessionId, terminalId };
    const content = [{ type: "terminal", terminalId }];
    const update = { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", content };
    this.#peer.notify("session/update", { sessionId, update });
    try {
      const late = AbortSignal.timeout(timeoutMs);
      const end = AbortSignal.any([signal, late]);
      const exit = await this.#peer
        .request("terminal/wait_for_exit", at, end)
        .then((answer) => readParams(ExitAnswer(), answer))
        .catch(async (error: unknown) => {
          if (!end.aborted) throw error;
          await this.#peer.request("terminal/kill", at);
          return undefined;
        });
      const { output, truncated } = readParams(OutputAnswer(), await this.#peer.request("terminal/output", at));
      const how = exit ? endOf(exit) : `was ended after ${Math.round(timeoutMs / 1000)} seconds`;
      return [truncated ? `(the beginning is cut)\n${output}` : output, `(the command ${how})`].join("\n").trim();
    } finally {
      await this.#peer.request("terminal/release", at).catch(() => {});
    }
  }
}

/** Nothing outside of the folders the editor named; the editor itself may be stricter. */
function inRoots(call: Call, roots: readonly string[]): Call | string {
  const [first = "/"] = roots;
  const written = call.op === "run" ? (call.cwd ?? first) : call.path;
  const path = isAbsolute(written) ? resolve(written) : resolve(first, written);
  if (!roots.some((root) => isInside(root, path))) {
    return `${path} is outside of the folders that are open in the editor: ${roots.join(", ")}`;
  }
  return call.op === "run" ? { ...call, cwd: path } : { ...call, path };
}

function questionOf(call: Exclude<Call, { op: "read" }>, toolCallId: string): object {
  if (call.op === "run") {
    const text = [call.command, `in ${call.cwd}`].join("\n");
    const content = [{ type: "content", content: { type: "text", text } }];
    return { toolCallId, title: call.command.slice(0, 200), kind: "execute", status: "pending", content };
  }
  const { path, oldText, content: newText } = call;
  const diff = { type: "diff", path, ...(oldText === undefined ? {} : { oldText }), newText };
  return {
    toolCallId,
    title: `Write ${path}`,
    kind: "edit",
    status: "pending",
    locations: [{ path }],
    content: [diff],
  };
}

function optionsFor(call: Call) {
  const always =
    call.op === "write" ? "Allow all changes of files in this session" : "Allow this command in this session";
  return [
    { optionId: "allow-once", name: "Allow once", kind: "allow_once" },
    { optionId: "allow-always", name: always, kind: "allow_always" },
    { optionId: "deny", name: "Deny", kind: "reject_once" },
  ];
}

/** A line for a shell, which a terminal of the protocol has not by itself. We run where the editor does. */
function shellFor(command: string): { readonly command: string; readonly args: readonly string[] } {
  if (process.platform === "win32") return { command: "cmd.exe", args: ["/d", "/s", "/c", command] };
  return { command: "/bin/sh", args: ["-c", command] };
}

function endOf({ exitCode, signal }: z.infer<ReturnType<typeof ExitAnswer>>): string {
  return signal ? `was ended by ${signal}` : `ended with exit code ${exitCode ?? "unknown"}`;
}
