// Asks a gateway that may die at any instant, and remembers what it accepted.
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { answerText, questionText } from "./durability-model.ts";
import type { Random } from "./durability-random.ts";
import type { GatewayProcess } from "./durability-workshop.ts";
import type { ResponseFrame, WireClient } from "../wire-client.ts";

export interface Question {
  readonly name: string;
  readonly sessionKey: string;
  readonly method: "agent" | "chat.send";
  readonly tools: number;
  /** The gateway said that it has it. */
  isAccepted: boolean;
}

/** Some lives end before they have begun. */
export async function startAfterFalseStarts(random: Random, start: () => GatewayProcess): Promise<GatewayProcess> {
  while (random.chance(0.25)) {
    const gateway = start();
    await pause(random.below(200));
    await gateway.kill();
  }
  return start();
}

export async function askAll(client: WireClient, questions: readonly Question[], random: Random): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for (const question of questions) {
    answers.push(ask(client, question).catch(() => undefined));
    if (random.chance(0.5)) await nextTurn();
    if (random.chance(0.2)) await pause(random.below(20));
  }
  await Promise.all(answers);
}

/** Notes the acceptance as soon as it is there: the answer may never come. */
async function ask(client: WireClient, question: Question): Promise<ResponseFrame> {
  const { name, sessionKey, method, tools } = question;
  const params = { sessionKey, message: questionText(name, tools), idempotencyKey: name };
  try {
    return await client.request(method, params, name);
  } finally {
    question.isAccepted ||= client.responsesTo(name).some(({ ok }) => ok);
  }
}

/** The name of the question when it was answered as it should be; otherwise what came instead. */
export async function askAgain(client: WireClient, question: Question): Promise<unknown> {
  const { name, sessionKey, method, tools } = question;
  const params = { sessionKey, message: questionText(name, tools), idempotencyKey: name };
  const { ok, payload, error } = await client.request(method, params);
  if (!ok) return error;
  if (method === "agent" && payload.result.payloads.at(-1)?.text !== answerText(name)) return payload;
  return payload.runId;
}
