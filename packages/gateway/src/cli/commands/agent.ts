// `chela agent`: one message, one answer. A lost connection is taken up again: the message is sent under the same key.
import type { MethodAnswer, WrittenParams } from "@chela/sdk/protocol";
import { randomUUID } from "node:crypto";
import { type CommandCall, CommandFailure, DEFAULT_TIMEOUT_MS, usageFailure } from "@chela/sdk/command-line";
import { connectGateway, type GatewayClient } from "../connect/gateway-client.ts";
import { cleanForTerminal } from "../../base/terminal/layout.ts";
import { answerDelta, isAgentEvent, StreamPrinter } from "../../base/terminal/stream-printer.ts";

type AgentAnswer = MethodAnswer<"agent">;

const DEFAULT_SECONDS = 600;
/** What the gateway needs beyond the turn itself. */
const GRACE_MS = 15_000;
const RETRY_MS = 500;

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const message = flags.text("message");
  if (!message?.trim()) throw usageFailure('Say what to send: chela agent --message "…"');
  const seconds = flags.number("timeout") ?? DEFAULT_SECONDS;
  const runId = randomUUID();
  const printer =
    flags.has("stream") && !flags.has("json") ? new StreamPrinter((text) => terminal.write(text)) : undefined;
  const deadline = seconds > 0 ? performance.now() + seconds * 1000 + GRACE_MS : Number.POSITIVE_INFINITY;
  try {
    const answer = await ask(call, paramsOf(call, message, runId, seconds), { deadline, printer, terminal });
    return show(answer, call, printer);
  } catch (error) {
    printer?.end();
    throw error;
  }
}

function paramsOf(
  { flags }: CommandCall,
  message: string,
  idempotencyKey: string,
  timeout: number,
): WrittenParams<"agent"> {
  const optional = {
    to: flags.text("to"),
    sessionId: flags.text("session-id"),
    sessionKey: flags.text("session-key"),
    agentId: flags.text("agent"),
    thinking: flags.text("thinking"),
    channel: flags.text("channel"),
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { message, idempotencyKey, timeout, ...Object.fromEntries(given) };
}

interface Asking {
  readonly deadline: number;
  readonly printer: StreamPrinter | undefined;
  readonly terminal: CommandCall["terminal"];
}

async function ask(call: CommandCall, params: WrittenParams<"agent">, asking: Asking): Promise<AgentAnswer> {
  let wasConnected = false;
  for (;;) {
    try {
      // Looked for anew each time: it may come back on another port.
      const client = await connectGateway(call, DEFAULT_TIMEOUT_MS);
      wasConnected = true;
      return await askOver(client, params, asking);
    } catch (error) {
      const isGone = CommandFailure.is(error) && (error.kind === "lost" || error.kind === "no-gateway");
      if (!isGone || !wasConnected || performance.now() > asking.deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function askOver(client: GatewayClient, params: WrittenParams<"agent">, asking: Asking): Promise<AgentAnswer> {
  const { connection } = client;
  const runId = params.idempotencyKey;
  let sessionKey: string | undefined;
  connection.onEvent(({ event, payload }) => {
    if (event !== "agent" || !isAgentEvent(payload) || payload.runId !== runId) return;
    sessionKey = payload.sessionKey;
    const text = answerDelta(payload);
    if (text !== undefined) asking.printer?.show(text);
  });
  const stop = (): void => {
    asking.terminal.note("\nStopping the answer.");
    const ended = sessionKey
      ? connection.request("chat.abort", { sessionKey, runId }, { timeoutMs: 2000 })
      : Promise.resolve();
    void ended.catch(() => {}).then(() => process.exit(130));
  };
  process.once("SIGINT", stop);
  try {
    const timeoutMs = Number.isFinite(asking.deadline)
      ? Math.max(1, Math.ceil(asking.deadline - performance.now()))
      : undefined;
    return await connection.request("agent", params, { timeoutMs, accepted: () => {} });
  } finally {
    process.off("SIGINT", stop);
    connection.close();
  }
}

/** A turn that failed was carried out all the same: what was said goes to where answers go, the failure to where failures go. */
function show(answer: AgentAnswer, { flags, terminal }: CommandCall, printer: StreamPrinter | undefined): number {
  const { payloads = [], meta } = answer.result ?? {};
  const hasFailed = meta?.stopReason === "error";
  if (flags.has("json")) {
    terminal.printJson(answer);
    return hasFailed ? 1 : 0;
  }
  const texts = payloads.flatMap(({ text, isError }) => (text && !isError ? [text] : []));
  if (printer) {
    for (const text of texts.slice(-1)) printer.show(text);
    printer.end();
  } else if (texts.length > 0 || !hasFailed) {
    terminal.print(texts.length > 0 ? cleanForTerminal(texts.join("\n\n")) : "(no answer)");
  }
  if (!hasFailed) return 0;
  const why = payloads.find(({ isError }) => isError)?.text ?? "the turn failed";
  throw new CommandFailure("call", why);
}
