// A model provider that says what a test wrote down beforehand.
import { noUsage } from "../messages.ts";
import type { ModelEvent, ModelProvider, ModelRequest } from "../model.ts";

/** One model call: fixed events, or a function of the request that yields them. */
export type ScriptStep =
  | readonly ModelEvent[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent> | Iterable<ModelEvent>);

export interface ScriptedModel extends ModelProvider {
  /** Every request so far, oldest first. */
  readonly requests: ModelRequest[];
  /** Adds steps; each call consumes one. With none left, the model echoes the last user text. */
  script(...steps: ScriptStep[]): void;
}

export const finish = (): ModelEvent => ({ kind: "finish", stopReason: "stop", usage: noUsage() });
export const say = (text: string): ModelEvent[] => [{ kind: "text", delta: text }, finish()];
export const callTool = (name: string, args: Record<string, unknown>, id = "call_1"): ModelEvent[] =>
  callTools([{ id, name, arguments: args }]);
export const callTools = (
  calls: ReadonlyArray<{ readonly id: string; readonly name: string; readonly arguments: Record<string, unknown> }>,
): ModelEvent[] => [
  ...calls.map((call) => ({ kind: "tool-call" as const, ...call })),
  { kind: "finish", stopReason: "toolUse", usage: noUsage() },
];

export function createScriptedModel(id = "scripted"): ScriptedModel {
  const steps: ScriptStep[] = [];
  const requests: ModelRequest[] = [];
  return {
    id,
    requests,
    script: (...more) => void steps.push(...more),
    async *stream(request, signal) {
      requests.push(request);
      const step = steps.shift() ?? say(`echo: ${lastUserText(request)}`);
      yield* typeof step === "function" ? step(request, signal) : step;
    },
  };
}

function lastUserText(request: ModelRequest): string {
  const message = request.messages.findLast((candidate) => candidate.role === "user");
  if (!message) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((block) => ("text" in block ? String(block.text) : "")).join("");
}
