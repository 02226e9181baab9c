// Runs one turn for a caller of the OpenAI-compatible API: the same way in as every other message.
import type { IncomingMessage } from "node:http";
import type { RunOutcome } from "@chela/sdk";
import { WireError } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { keepAttachments } from "../methods/inbound-params.ts";
import { HttpError } from "../../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";
import type { TurnWishes } from "./openai-parameters.ts";
import { agentOfModel, type ReadPrompt } from "./openai-prompt.ts";

export interface ApiTurn {
  /** Those of whoever showed the gateway's secret. */
  readonly scopes: readonly string[];
  readonly runId: string;
  readonly model: string;
  readonly prompt: ReadPrompt;
  readonly user?: string | undefined;
  /** Middle part of the session key: "openai" or "openresponses". */
  readonly family: string;
  readonly wishes: TurnWishes;
  /** The conversation it continues, when the caller named an earlier answer. */
  readonly sessionKey?: string | undefined;
}

/** Starts the turn; `onText` hears the answer as it is written. Resolves when it is committed. */
export async function runApiTurn(
  turn: ApiTurn,
  request: IncomingMessage,
  gateway: House,
  onText: (delta: string) => void,
): Promise<RunOutcome> {
  const answer = new StreamedAnswer(onText);
  const leave = gateway.bus.onRun(turn.runId, (event) => {
    if (event.kind === "step-started" || event.kind === "turn-ended") answer.endMessage();
    else if (event.kind === "text") answer.add(event.delta);
  });
  try {
    const agentId =
      header(request, "x-openclaw-agent-id") ?? header(request, "x-openclaw-agent") ?? agentOfModel(turn.model);
    const owner = agentId ?? gateway.keys().defaultAgentId;
    const sessionKey =
      header(request, "x-openclaw-session-key") ?? turn.sessionKey ?? sessionOf(owner, turn, gateway.ids.uuid());
    const media = await keepFiles(gateway, turn.prompt.files);
    const outcome = await gateway.inbound.receive({
      door: "client",
      runId: turn.runId,
      channel: "webchat",
      account: "default",
      messageId: `http:${turn.runId}`,
      sender: { kind: "operator", scopes: turn.scopes },
      ...(agentId ? { agentId } : {}),
      sessionKey,
      body: {
        text: turn.prompt.message,
        client: { id: "openai-api", mode: "backend" },
        ...(media.length > 0 ? { media } : {}),
        ...turn.wishes,
        ...(turn.prompt.system ? { extraSystemPrompt: turn.prompt.system } : {}),
      },
    });
    if (outcome.kind === "refused") throw new HttpError(400, "invalid_request_error", outcome.why);
    if (outcome.kind === "stopped") return { status: "ok", texts: ["Stopped."] };
    if (outcome.kind === "ignored") return { status: "ok", texts: [] };
    if (outcome.kind === "duplicate")
      throw new HttpError(409, "invalid_request_error", "The request was already made.");
    return await outcome.done;
  } finally {
    leave();
  }
}

async function keepFiles(gateway: House, files: ReadPrompt["files"]) {
  try {
    return await keepAttachments(
      gateway,
      files.map((file) => ({ ...file })),
    );
  } catch (error) {
    if (error instanceof WireError) throw new HttpError(400, "invalid_request_error", error.message);
    throw error;
  }
}

/** Passes on what the assistant writes, message after message, as the finished answer will read. */
class StreamedAnswer {
  readonly #send: (delta: string) => void;
  #saidBefore = false;
  #says = false;

  constructor(send: (delta: string) => void) {
    this.#send = send;
  }

  /** The message is complete; another may follow. */
  endMessage(): void {
    this.#saidBefore ||= this.#says;
    this.#says = false;
  }

  add(delta: string): void {
    const isFirst = !this.#says && this.#saidBefore;
    this.#says = true;
    this.#send((isFirst ? "\n\n" : "") + delta);
  }
}

function sessionOf(agentId: string, turn: ApiTurn, fresh: string): string {
  const user = turn.user
    ?.trim()
    .toLowerCase()
    .replace(/[^a-z0-9._@+-]+/g, "-");
  return user ? `agent:${agentId}:${turn.family}-user:${user}` : `agent:${agentId}:${turn.family}:${fresh}`;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}

export interface ApiUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

export function usageOf(outcome: RunOutcome): ApiUsage {
  const meta = outcome.meta?.["agentMeta"] as
    | { usage?: { input: number; output: number; cacheRead: number; cacheWrite: number } }
    | undefined;
  const usage = meta?.usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { input: usage.input + usage.cacheRead + usage.cacheWrite, output: usage.output, cached: usage.cacheRead };
}

export interface StreamForm {
  /** What stands before the first text. */
  opening(): string;
  text(delta: string): string;
  /** Throws: a failure before the first text has a status of its own where the API has no event for it. */
  refuse?(outcome: RunOutcome): never;
}

/** Runs the turn and writes its text as server-sent events. The caller writes the end. */
export async function streamApiTurn(
  turn: ApiTurn,
  { request, response }: HttpCall,
  gateway: House,
  form: StreamForm,
): Promise<{ outcome: RunOutcome; text: string }> {
  let text = "";
  // Nothing is sent before the first text: until then a refusal can still have its own status.
  const begin = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
    response.write(form.opening());
  };
  const write = (delta: string): void => {
    begin();
    text += delta;
    response.write(form.text(delta));
  };
  const outcome = await runApiTurn(turn, request, gateway, write);
  if (outcome.status === "error" && !response.headersSent) form.refuse?.(outcome);
  begin();
  // Text that was never streamed (of a stopped turn) still has to arrive.
  const rest = text || outcome.status === "error" ? "" : outcome.texts.join("\n\n");
  if (rest) write(rest);
  return { outcome, text };
}
