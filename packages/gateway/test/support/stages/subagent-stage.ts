// A model that plays a parent and its sub-agents at once: it answers by what a request is about.
import { textOf, type ModelEvent, type ModelRequest, type ToolResultMessage } from "@chela/sdk";
import { callTools, say, type ScriptStep } from "@chela/sdk/testing";
import { eventually, type TestGateway } from "../in-process.ts";
import type { Json, WireClient } from "../wire-client.ts";

export const subagents = (more: Json): Json => ({ agents: { defaults: { model: "scripted/test", subagents: more } } });

export const lastText = ({ messages }: ModelRequest): string => textOf(messages.at(-1) ?? { content: "" });
export const isToldTask = (request: ModelRequest, task: string): boolean =>
  request.messages.some((message) => message.role === "user" && textOf(message).includes(task));
export const isAnnouncement = (request: ModelRequest): boolean => lastText(request).includes("[System Message]");

/** Which requests are meant, and what is said to them. */
export type Rule = readonly [fits: (request: ModelRequest) => boolean, answer: () => ScriptStep];

/** The first rule that fits answers. */
export function speak(model: TestGateway["model"], ...rules: readonly Rule[]): void {
  const step: ScriptStep = async function* (request, signal): AsyncIterable<ModelEvent> {
    const [, answer] = rules.find(([fits]) => fits(request)) ?? [];
    const said = answer?.() ?? say("nothing to say");
    yield* typeof said === "function" ? said(request, signal) : said;
  };
  for (let at = 0; at < 60; at++) model.script(step);
}

export const resultOf = (request: ModelRequest): ToolResultMessage =>
  request.messages.findLast(({ role }) => role === "toolResult") as ToolResultMessage;
export const isAfterTool = (request: ModelRequest): boolean => request.messages.at(-1)?.role === "toolResult";
export const jsonOf = (result: ToolResultMessage) => JSON.parse(textOf(result)) as Json;

export const spawnCalls = (tasks: readonly string[]): ModelEvent[] =>
  callTools(
    tasks.map((task) => ({
      id: `spawn-${task}`,
      name: "sessions_spawn",
      arguments: { task: `task ${task}`, label: task },
    })),
  );
export const toldTask = (name: string) => (request: ModelRequest) => isToldTask(request, `task ${name}`);
export const didCall = (request: ModelRequest, name: string): boolean =>
  request.messages.some((message) => message.role === "toolResult" && (message as ToolResultMessage).toolName === name);

/** The sub-agents of a conversation, once all of them are settled. */
export function settledOnes(client: WireClient, sessionKey = "main"): Promise<Json[]> {
  return eventually("all sub-agents are settled", async () => {
    const { subagents: all } = await client.call("subagents.list", { sessionKey, recursive: true });
    return all.every((one: Json) => one["state"] === "ended") ? (all as Json[]) : undefined;
  });
}
