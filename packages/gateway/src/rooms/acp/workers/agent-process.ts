// A worker that runs: its handshake, the sessions it has, and what it says in each.
import type { Clock } from "@chela/sdk";
import { defined } from "@chela/sdk/base";
import {
  InitializeAnswer,
  NewSessionAnswer,
  PermissionQuestion,
  PromptAnswer,
  SessionUpdate,
} from "../wire/agent-frames.ts";
import { readParams, RPC, RpcFault, RpcPeer } from "../wire/rpc-peer.ts";
import { PROTOCOL_VERSION, type StopReason } from "../wire/session-blocks.ts";
import type { StartedAgent } from "./start-agent.ts";

export interface SessionHearer {
  update(update: SessionUpdate): void;
  /** The option that was chosen; undefined when there is none. */
  permit(question: PermissionQuestion, signal: AbortSignal): Promise<string | undefined>;
}

export interface ClientFacts {
  readonly clock: Clock;
  readonly version: string;
  complain(text: string): void;
}

/** A worker that does not end what was cancelled is ended itself. */
const HEED_MS = 10_000;

export class AgentProcess {
  readonly #peer: RpcPeer;
  readonly #clock: Clock;
  /** Prompts it has not answered, by session. */
  readonly #unanswered = new Map<string, Promise<void>>();
  readonly #hearers = new Map<string, SessionHearer>();
  /** Those it has open. */
  readonly #sessions = new Set<string>();
  #started: StartedAgent | undefined;
  #answer: InitializeAnswer | undefined;

  constructor({ clock, complain }: ClientFacts) {
    this.#clock = clock;
    const output = {
      write: (line: string) => this.#started?.write(line),
      end: () => void this.#started?.end(),
    };
    const waiting = (): number => this.#started?.waiting ?? 0;
    this.#peer = new RpcPeer(
      {
        ...output,
        get waiting() {
          return waiting();
        },
      },
      {
        request: (method, params, { signal }) =>
          method === "session/request_permission" ? this.#permit(params, signal) : undefined,
        notice: (method, params) => {
          if (method === "session/update") this.#hear(params);
        },
        complain,
      },
    );
  }

  take(chunk: Buffer): void {
    this.#peer.take(chunk);
  }

  /** Rejects when it does not speak the protocol. */
  async greet(started: StartedAgent, { version }: ClientFacts): Promise<void> {
    this.#started = started;
    void started.ended.then(() => this.#peer.close());
    const answer = await this.#peer.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "chela", title: "Chela", version },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    this.#answer = readParams(InitializeAnswer(), answer);
    if (this.#answer.protocolVersion !== PROTOCOL_VERSION) {
      throw new RpcFault(RPC.invalidRequest, `it speaks version ${this.#answer.protocolVersion} of the protocol`);
    }
  }

  get takesImages(): boolean {
    return this.#answer?.agentCapabilities?.promptCapabilities?.image === true;
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  async begin(cwd: string): Promise<string> {
    const answer = await this.#peer.request("session/new", { cwd, mcpServers: [] });
    const { sessionId } = readParams(NewSessionAnswer(), answer);
    this.#sessions.add(sessionId);
    return sessionId;
  }

  /** False when it cannot, or does not know the session any more. What it says again meanwhile is not heard. */
  async takeUp(sessionId: string, cwd: string): Promise<boolean> {
    const { loadSession, sessionCapabilities } = this.#answer?.agentCapabilities ?? {};
    const method = sessionCapabilities?.resume ? "session/resume" : loadSession ? "session/load" : undefined;
    if (method === undefined) return false;
    try {
      await this.#peer.request(method, { sessionId, cwd, mcpServers: [] });
      this.#sessions.add(sessionId);
      return true;
    } catch (error) {
      if (error instanceof RpcFault) return false;
      throw error;
    }
  }

  /** Resolves with how it ended; a prompt that is stopped ends soon, whatever the worker does. */
  async prompt(
    sessionId: string,
    prompt: readonly object[],
    hearer: SessionHearer,
    signal: AbortSignal,
  ): Promise<StopReason> {
    // One that was cancelled a moment ago may not have said so yet.
    await this.#unanswered.get(sessionId);
    this.#hearers.set(sessionId, hearer);
    const stopped = Promise.withResolvers<StopReason>();
    const stop = (): void => {
      this.#peer.notify("session/cancel", { sessionId });
      stopped.resolve("cancelled");
      const heeds = this.#unanswered.get(sessionId);
      const cancelEnd = this.#clock.after(HEED_MS, () => void this.#started?.end());
      void heeds?.then(cancelEnd);
    };
    signal.addEventListener("abort", stop, { once: true });
    try {
      const answer = this.#peer
        .request("session/prompt", { sessionId, prompt })
        .then((given) => readParams(PromptAnswer(), given).stopReason);
      const over = answer.then(
        () => {},
        () => {},
      );
      this.#unanswered.set(sessionId, over);
      void over.then(() => {
        if (this.#unanswered.get(sessionId) === over) this.#unanswered.delete(sessionId);
      });
      if (signal.aborted) stop();
      return await Promise.race([answer, stopped.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
      this.#hearers.delete(sessionId);
    }
  }

  #hear(params: unknown): void {
    const parsed = SessionUpdate().safeParse(params);
    if (parsed.success) this.#hearers.get(parsed.data.sessionId)?.update(parsed.data.update);
  }

  async #permit(params: unknown, signal: AbortSignal): Promise<unknown> {
    const question = readParams(PermissionQuestion(), params);
    const optionId = await this.#hearers.get(question.sessionId)?.permit(question, signal);
    return { outcome: { outcome: optionId === undefined ? "cancelled" : "selected", ...defined({ optionId }) } };
  }
}
