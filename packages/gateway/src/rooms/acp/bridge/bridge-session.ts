// One session of an editor: its conversation in the gateway, the prompt that is being answered, and what the editor is told of it.
import { randomUUID } from "node:crypto";
import { AgentEvent, ChatEvent, SessionEntriesEvent, type MethodAnswer, type ShownMessage } from "@chela/sdk/protocol";
import { RPC, RpcFault } from "../wire/rpc-peer.ts";
import type { ContentBlock, StopReason } from "../wire/session-blocks.ts";
import type { GatewaySide } from "./gateway-side.ts";
import { PermissionDesk } from "./permission-desk.ts";
import { readPrompt } from "./prompt-parts.ts";
import { chunk, updatesOf } from "./replay.ts";
import { SaidText } from "./said-text.ts";
import { modesOf, optionsOf, type Mode } from "./session-options.ts";
import { inputOf, outputOf, shapeOf } from "./tool-shapes.ts";
import type { AskEditor } from "./editor-hands.ts";

export interface SessionPlace {
  readonly cwd: string;
  /** The folders an agent may work in through the editor; `cwd` is the first. */
  readonly roots: readonly string[];
}

export interface SessionParts {
  readonly gateway: GatewaySide;
  readonly sessionKey: string;
  readonly place: SessionPlace;
  /** Where the agent's own tools work. */
  readonly workspace: string | undefined;
  readonly prefixesCwd: boolean;
  readonly askEditor: AskEditor;
  tell(update: object): void;
}

interface ActivePrompt {
  readonly runId: string;
  readonly said: SaidText;
  readonly thought: SaidText;
  readonly end: PromiseWithResolvers<StopReason>;
  readonly tools: Map<string, string>;
  isCancelled: boolean;
}

const PAGE = 200;
const MOST_COMMANDS = 200;

export class BridgeSession {
  readonly #parts: SessionParts;
  readonly #desk: PermissionDesk;
  mode: Mode = "ask";
  #active: ActivePrompt | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#desk = new PermissionDesk(parts.askEditor, parts.gateway);
  }

  get sessionKey(): string {
    return this.#parts.sessionKey;
  }

  get place(): SessionPlace {
    return this.#parts.place;
  }

  /** From now on the gateway tells what happens here. */
  async open(): Promise<{ readonly modes: object; readonly configOptions: object[] }> {
    const { gateway, sessionKey } = this.#parts;
    const { settings } = await gateway.ask("chat.watch", { sessionKey });
    const models = await gateway.ask("models.list", {});
    return { modes: modesOf(this.mode), configOptions: optionsOf(models, settings) };
  }

  async close(): Promise<void> {
    await this.cancel();
    await this.#parts.gateway.ask("chat.unwatch", { sessionKey: this.sessionKey });
  }

  /** Everything that was said, oldest first. */
  async replay(): Promise<void> {
    for (let from = 0; ;) {
      const page = await this.#parts.gateway.ask("chat.page", { sessionKey: this.sessionKey, from, limit: PAGE });
      for (const message of page.messages) {
        for (const update of updatesOf(message, this.#parts.workspace)) this.#parts.tell(update);
      }
      from += page.messages.length;
      if (page.messages.length === 0 || from >= page.total) return;
    }
  }

  async tellCommands(): Promise<void> {
    const { commands } = await this.#parts.gateway.ask("commands.list", { sessionKey: this.sessionKey });
    const availableCommands = commands
      .filter(({ allowed, off }) => allowed && off === undefined)
      .slice(0, MOST_COMMANDS)
      .map(({ name, says, usage }) => ({ name, description: says, ...(usage ? { input: { hint: usage } } : {}) }));
    this.#parts.tell({ sessionUpdate: "available_commands_update", availableCommands });
  }

  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<{ readonly stopReason: StopReason }> {
    if (this.#active) {
      throw new RpcFault(
        RPC.invalidRequest,
        "this session is answering: wait for the end, or send session/cancel first",
      );
    }
    const { gateway, place, prefixesCwd } = this.#parts;
    const { text, attachments } = readPrompt(blocks, prefixesCwd ? place.cwd : undefined);
    const active: ActivePrompt = {
      runId: randomUUID(),
      said: new SaidText(),
      thought: new SaidText(),
      end: Promise.withResolvers(),
      tools: new Map(),
      isCancelled: false,
    };
    // What fails before somebody waits for it is no fault of its own.
    active.end.promise.catch(() => {});
    this.#active = active;
    const cancel = (): void => void this.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      // After a lost connection the gateway has forgotten who looks on.
      await gateway.ask("chat.watch", { sessionKey: this.sessionKey });
      const sent = { sessionKey: this.sessionKey, message: text, idempotencyKey: active.runId };
      const { ok } = await gateway.ask(
        "chat.send",
        attachments.length > 0 ? { ...sent, attachments: [...attachments] } : sent,
      );
      // A word for the gateway that stopped what was running there is answered at once.
      if (ok) active.end.resolve("end_turn");
      if (active.isCancelled) void this.#abort(active.runId);
      const stopReason = await active.end.promise;
      await this.#tellUse();
      return { stopReason };
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#desk.forget();
      this.#active = undefined;
    }
  }

  async cancel(): Promise<void> {
    const active = this.#active;
    if (!active || active.isCancelled) return;
    active.isCancelled = true;
    this.#desk.forget();
    await this.#abort(active.runId);
  }

  /** The connection to the gateway broke: what runs there goes on, and is there when the session is loaded again. */
  lost(): void {
    this.#desk.forget();
    this.#active?.end.reject(
      new RpcFault(
        RPC.internal,
        "The connection to the gateway is lost. What was asked goes on there; load the session again to see it.",
      ),
    );
  }

  hear(event: string, payload: unknown): void {
    const active = this.#active;
    if (!active) return;
    if (event === "agent") this.#hearStep(active, payload);
    if (event === "session.entries") this.#hearEntries(active, payload);
    if (event === "chat") this.#hearChat(active, payload);
    if (event === "exec.approval.requested") void this.#desk.asked(payload, this.sessionKey, active);
    if (event === "exec.approval.resolved") this.#desk.resolved(payload);
  }

  async #abort(runId: string): Promise<void> {
    try {
      await this.#parts.gateway.ask("chat.abort", { sessionKey: this.sessionKey, runId });
    } catch {
      // Out of reach: then nothing of it comes any more, and whoever cancelled is not kept waiting.
      this.#active?.end.resolve("cancelled");
    }
  }

  #hearStep(active: ActivePrompt, payload: unknown): void {
    const parsed = AgentEvent().safeParse(payload);
    if (!parsed.success || parsed.data.runId !== active.runId) return;
    const { stream, data } = parsed.data;
    if (stream === "assistant") this.#say("agent_message_chunk", active.said.grow(data.text ?? ""));
    if (stream === "thinking") this.#say("agent_thought_chunk", active.thought.grow(data.text ?? ""));
    if (stream === "tool") this.#hearTool(active, data);
  }

  #hearTool({ tools }: ActivePrompt, data: AgentEvent["data"]): void {
    const { phase, toolCallId, name = "tool", args } = data;
    if (toolCallId === undefined) return;
    const { tell, workspace } = this.#parts;
    if (phase === "start") {
      tools.set(toolCallId, name);
      const input = inputOf(args);
      const raw = input === undefined ? {} : { rawInput: input };
      tell({
        sessionUpdate: "tool_call",
        toolCallId,
        status: "in_progress",
        ...shapeOf(name, args, workspace),
        ...raw,
      });
      const entries = name === "editor_plan" ? planOf(args) : undefined;
      if (entries) tell({ sessionUpdate: "plan", entries });
    }
    if (phase === "update" && data.partialResult !== undefined) {
      const content = outputOf([{ type: "text", text: data.partialResult }]);
      tell({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", content });
    }
    if (phase !== "result") return;
    tools.delete(toolCallId);
    // A diff that is shown says more than the words about it; those of a failure are needed.
    const isEdit = shapeOf(name, args, workspace).kind === "edit" && data.isError !== true;
    const content = isEdit ? [] : outputOf(data.result);
    const status = data.isError ? "failed" : "completed";
    tell({ sessionUpdate: "tool_call_update", toolCallId, status, ...(content.length > 0 ? { content } : {}) });
  }

  #hearEntries(active: ActivePrompt, payload: unknown): void {
    const parsed = SessionEntriesEvent().safeParse(payload);
    if (!parsed.success || parsed.data.sessionKey !== this.sessionKey) return;
    for (const message of parsed.data.messages) {
      if (message.role !== "assistant" || message.runId !== active.runId || message.hidden) continue;
      const { thinking, text } = wordsOf(message);
      this.#say("agent_thought_chunk", active.thought.finish(thinking));
      this.#say("agent_message_chunk", active.said.finish(text));
    }
  }

  #hearChat(active: ActivePrompt, payload: unknown): void {
    const parsed = ChatEvent().safeParse(payload);
    if (!parsed.success || parsed.data.runId !== active.runId) return;
    const { state, message, errorMessage, failure, stopReason } = parsed.data;
    if (state === "delta") return;
    const text = (message?.content ?? [])
      .map((block) => (block.type === "text" ? String(block["text"]) : ""))
      .join("\n");
    this.#say("agent_message_chunk", active.said.conclude(text));
    for (const toolCallId of active.tools.keys()) {
      this.#parts.tell({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" });
    }
    if (state === "aborted" || active.isCancelled) return active.end.resolve("cancelled");
    if (state === "final") return active.end.resolve(stopReason === "length" ? "max_tokens" : "end_turn");
    const data = failure ? { code: failure.code, fix: failure.fix } : undefined;
    active.end.reject(new RpcFault(RPC.internal, errorMessage ?? "The turn failed.", data));
  }

  #say(kind: "agent_message_chunk" | "agent_thought_chunk", text: string): void {
    if (text !== "") this.#parts.tell(chunk(kind, text));
  }

  async #tellUse(): Promise<void> {
    const { gateway, sessionKey, tell } = this.#parts;
    const { settings } = await gateway.ask("chat.watch", { sessionKey }).catch(() => ({ settings: undefined }));
    const { totalTokens: used, contextTokens: size } = settings ?? {};
    if (used !== undefined && size !== undefined && size > 0) tell({ sessionUpdate: "usage_update", used, size });
  }

  async options(): Promise<object[]> {
    return (await this.open()).configOptions;
  }
}

function wordsOf({ content = [] }: ShownMessage): { readonly thinking: string; readonly text: string } {
  const join = (parts: readonly string[]): string => parts.join("");
  return {
    thinking: join(content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []))),
    text: join(content.flatMap((block) => (block.type === "text" ? [block.text] : []))),
  };
}

/** The steps of a plan, if that is what it holds; the tool itself tells its model what is wrong. */
function planOf(args: unknown): object[] | undefined {
  const steps = (args as { readonly steps?: unknown } | null)?.steps;
  if (!Array.isArray(steps)) return undefined;
  const states = ["pending", "in_progress", "completed"];
  return steps.flatMap((step: { readonly text?: unknown; readonly status?: unknown } | null) =>
    typeof step?.text === "string" && states.includes(String(step.status))
      ? [{ content: step.text, priority: "medium", status: step.status }]
      : [],
  );
}

export type SessionRow = MethodAnswer<"sessions.list">["sessions"][number];
