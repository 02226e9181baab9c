// A conversation over a connection that may break: every line stays here until its answer is seen, and is sent again
// under the same key after each reconnect, so that none is lost and none is answered twice.
import type { MethodAnswer, MethodName, WrittenParams } from "@chela/sdk/protocol";
import { randomUUID } from "node:crypto";
import { CommandFailure } from "@chela/sdk/command-line";
import type { ApprovalDecision } from "../../rooms/approvals/cli/approval-question.ts";
import { ChatApprovals, type ApprovalView } from "./chat-approvals.ts";
import type { GatewayClient } from "../connect/gateway-client.ts";
import type { GatewayConnection, GatewayEvent } from "../connect/gateway-connection.ts";
import { answerDelta, isAgentEvent } from "../../base/terminal/stream-printer.ts";

export interface ChatLine {
  readonly runId: string;
  readonly text: string;
  /** The gateway has it: it will be answered whatever happens here. */
  isSafe: boolean;
}

/** What the conversation tells the screen. */
export interface ChatView extends ApprovalView {
  /** The text of an answer so far. */
  writing(line: ChatLine, text: string): void;
  /** `text` is the whole answer where it is known. */
  ended(
    line: ChatLine,
    how: { readonly kind: "answered" | "stopped" | "failed"; readonly text?: string | undefined },
  ): void;
  /** Something the agent said that nobody here asked for. */
  unasked(text: string): void;
  note(text: string): void;
}

interface ChatEvent {
  readonly runId: string;
  readonly sessionKey: string;
  readonly state: "delta" | "final" | "aborted" | "error";
  readonly message?: { readonly content?: unknown };
  readonly errorMessage?: string;
}

const ASK = { timeoutMs: 10_000 };
const RETRY_MS = 500;
const MOST_RETRY_MS = 10_000;

export class Conversation {
  readonly #connect: () => Promise<GatewayClient>;
  readonly #view: ChatView;
  readonly #lines = new Map<string, ChatLine>();
  readonly #approvals: ChatApprovals;
  #client: GatewayClient | undefined;
  #sending: Promise<void> = Promise.resolve();
  #idle: Array<() => void> = [];
  #isLeaving = false;
  #sessionKey = "";

  constructor(connect: () => Promise<GatewayClient>, view: ChatView) {
    this.#connect = connect;
    this.#view = view;
    this.#approvals = new ChatApprovals(view, () => this.#sessionKey);
  }

  /** The first connection must succeed; later ones are tried until they do. */
  async open(sessionKey: string | undefined): Promise<GatewayClient> {
    const client = await this.#connect();
    const written = sessionKey ?? client.hello.snapshot.sessionDefaults?.mainSessionKey ?? "main";
    // Events carry the full key.
    const known = await client.connection.request("chat.history", { sessionKey: written, limit: 1 }, ASK);
    this.#sessionKey = (known as { sessionKey: string }).sessionKey;
    this.#attach(client);
    return client;
  }

  get sessionKey(): string {
    return this.#sessionKey;
  }

  get unanswered(): readonly ChatLine[] {
    return [...this.#lines.values()];
  }

  say(text: string): ChatLine {
    const line = { runId: randomUUID(), text, isSafe: false };
    this.#lines.set(line.runId, line);
    this.#queue(line);
    return line;
  }

  /** False when nothing could be stopped. */
  async stop(): Promise<boolean> {
    const result = await this.ask("chat.abort", { sessionKey: this.#sessionKey });
    return result.aborted;
  }

  decide(id: string, decision: ApprovalDecision): Promise<void> {
    return this.#approvals.decide(id, () => this.ask("exec.approval.resolve", { id, decision }));
  }

  ask<M extends MethodName>(method: M, params: WrittenParams<M>): Promise<MethodAnswer<M>> {
    if (!this.#client) return Promise.reject(new CommandFailure("lost", "The gateway cannot be reached right now."));
    return this.#client.connection.request(method, params, ASK);
  }

  /** Resolves when every line has its answer. */
  settled(): Promise<void> {
    return this.#lines.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  leave(): void {
    this.#isLeaving = true;
    this.#client?.connection.close();
  }

  #attach(client: GatewayClient): void {
    this.#client = client;
    client.connection.onEvent((event) => this.#hear(event));
    void client.connection.closed.then(() => this.#reconnect());
    void this.#approvals.find(client.connection);
  }

  async #reconnect(): Promise<void> {
    this.#client = undefined;
    if (this.#isLeaving) return;
    this.#approvals.forget();
    this.#view.note("The connection is lost; trying again. What you type is kept.");
    let refusal = "";
    for (let wait = RETRY_MS; !this.#isLeaving; wait = Math.min(wait * 2, MOST_RETRY_MS)) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      try {
        this.#attach(await this.#connect());
        this.#view.note("Connected again.");
        for (const line of this.#lines.values()) this.#queue(line);
        return;
      } catch (error) {
        const isRefused = CommandFailure.is(error) && error.kind === "refused";
        if (isRefused && error.message !== refusal) this.#view.note((refusal = error.message));
      }
    }
  }

  /** One after the other, so that they arrive in the order they were typed. */
  #queue(line: ChatLine): void {
    this.#sending = this.#sending.then(() => this.#send(line));
  }

  async #send(line: ChatLine): Promise<void> {
    const connection = this.#client?.connection;
    if (!connection || !this.#lines.has(line.runId)) return;
    const params = { sessionKey: this.#sessionKey, message: line.text, idempotencyKey: line.runId };
    try {
      const { status } = await connection.request("chat.send", params);
      line.isSafe = true;
      // Answered while nobody was listening.
      if (status === "ok") void this.#recall(connection, line);
    } catch (error) {
      if (CommandFailure.is(error) && error.kind === "call") this.#end(line, { kind: "failed", text: error.message });
    }
  }

  async #recall(connection: GatewayConnection, line: ChatLine): Promise<void> {
    try {
      const params = { message: line.text, sessionKey: this.#sessionKey, idempotencyKey: line.runId };
      const answer = await connection.request("agent", params, { accepted: () => {} });
      this.#end(line, { kind: "answered", text: answer.result?.payloads?.at(-1)?.text });
    } catch (error) {
      if (CommandFailure.is(error) && error.kind === "call") this.#end(line, { kind: "failed", text: error.message });
    }
  }

  #hear(heard: GatewayEvent): void {
    const { event, payload } = heard;
    this.#approvals.hear(heard);
    if (event === "agent" && isAgentEvent(payload)) {
      const line = this.#lines.get(payload.runId);
      const text = answerDelta(payload);
      if (line && text !== undefined) this.#view.writing(line, text);
    }
    if (event === "chat") this.#hearChat(payload as ChatEvent);
  }

  #hearChat({ runId, sessionKey, state, message, errorMessage }: ChatEvent): void {
    const line = this.#lines.get(runId);
    const text = message && textOf(message.content);
    if (!line) {
      if (state === "final" && sessionKey === this.#sessionKey && text) this.#view.unasked(text);
      return;
    }
    if (state === "final") this.#end(line, { kind: "answered", text });
    if (state === "aborted") this.#end(line, { kind: "stopped", text });
    if (state === "error") this.#end(line, { kind: "failed", text: errorMessage });
  }

  #end(line: ChatLine, how: Parameters<ChatView["ended"]>[1]): void {
    if (!this.#lines.delete(line.runId)) return;
    this.#view.ended(line, how);
    if (this.#lines.size === 0) for (const task of this.#idle.splice(0)) task();
  }
}

export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: { type?: unknown; text?: unknown }) => (block.type === "text" ? [String(block.text)] : []))
    .join("\n");
}
