// A model that grows trees of sub-agents and folds them again. What it does next follows from the conversation alone.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { findRequestFaults, textOf } from "../durability/durability-evidence.ts";
import type { AskedMessage } from "../durability/durability-model.ts";

/** How a node learns what its children found. */
export type Style =
  /** It waits for all of them in its own turn. */
  | "waits"
  /** It answers, and is told of one after the other. */
  | "is told"
  /** It is told of the first, and waits for the others then. */
  | "waits later";

export interface TreePlan {
  /** Children of each node. */
  readonly width: number;
  /** 3: the root's children have children, and those have leaves. */
  readonly depth: number;
  styleOf(label: string): Style;
  /** Children that the node kills once all are started. */
  kills?(label: string): readonly string[];
}

export interface TreeModel extends AsyncDisposable {
  readonly baseUrl: string;
  /** What a request should never be, in sentences. */
  readonly faults: readonly string[];
  /** How many requests there were. */
  readonly requests: number;
  onRequest(listener: (label: string) => void): () => void;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface Heard {
  /** Leaves by the child that brought them. */
  readonly results: Map<string, readonly string[]>;
  readonly killed: Set<string>;
}

interface Asked {
  readonly messages: readonly (AskedMessage & {
    readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  })[];
}

export const plantText = (tree: string): string => `Please grow the tree ${tree}-root.`;
const taskOf = (label: string): string => `Be the node ${label}, and report your leaves.`;

/** "oak-root", "oak-1", "oak-1.2": the first message says who one is. */
export function labelIn(text: string): string | undefined {
  return /\b(?:grow the tree|Be the node) ([a-z]+-(?:root|[\d.]*\d))/.exec(text)?.[1];
}

export function depthOf(label: string): number {
  const path = label.split("-")[1] ?? "root";
  return path === "root" ? 0 : path.split(".").length;
}

export function childrenOf(label: string, { width, depth }: Pick<TreePlan, "width" | "depth">): string[] {
  if (depthOf(label) >= depth) return [];
  const stem = label.endsWith("-root") ? label.slice(0, -"root".length) : `${label}.`;
  return Array.from({ length: width }, (_, index) => `${stem}${index + 1}`);
}

/** All below a node, itself not included. */
export function nodesBelow(label: string, plan: Pick<TreePlan, "width" | "depth">): string[] {
  return childrenOf(label, plan).flatMap((child) => [child, ...nodesBelow(child, plan)]);
}

/** What a node says it has, and who of its children it did not hear of. */
export function reportOf(label: string, leaves: readonly string[], missing: readonly string[] = []): string {
  const without = missing.length > 0 ? ` It did not hear of ${missing.join(" ")}.` : "";
  return `${label} has ${leaves.length} leaves: ${leaves.join(" ")}.${without}`;
}

export function leavesIn(report: string): string[] {
  const [, leaves = ""] = /leaves: (.*?)\.(?:\s|$)/.exec(report) ?? [];
  return leaves.split(" ").filter((leaf) => leaf !== "");
}

export async function startTreeModel(plan: TreePlan): Promise<TreeModel> {
  const faults: string[] = [];
  const listeners = new Set<(label: string) => void>();
  let requests = 0;

  function answer({ messages }: Asked, response: ServerResponse): void {
    const label = messages.flatMap((one) => (one.role === "user" ? (labelIn(textOf(one)) ?? []) : []))[0];
    requests += 1;
    const last = textOf(messages.findLast(({ role }) => role === "user") ?? { content: "" });
    // A conversation that was begun anew may be told of what came too late for the old one.
    if (label === undefined && !isAnnouncement(last)) faults.push(`a request that names no node: ${last}`);
    faults.push(...findRequestFaults(messages).map((fault) => `${label}: ${fault}`));
    const next = label === undefined ? "NO_REPLY" : decide(label, messages, plan, faults);
    for (const listener of listeners) listener(label ?? "");
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (typeof next === "string") sendPart(response, { content: next });
    else sendPart(response, { tool_calls: next.map(toWire) });
    sendPart(response, {}, typeof next === "string" ? "stop" : "tool_calls");
    response.end("data: [DONE]\n\n");
  }

  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => answer(JSON.parse(body) as Asked, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    faults,
    get requests() {
      return requests;
    },
    onRequest(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The calls it makes now, or what it says. */
function decide(
  label: string,
  messages: Asked["messages"],
  plan: TreePlan,
  faults: string[],
): string | readonly Omit<Call, "id">[] {
  const children = childrenOf(label, plan);
  if (children.length === 0) return reportOf(label, [label]);
  const done = finishedCalls(messages);
  for (const { call, result } of done) {
    // Cut off by a crash is one thing, being told no is another.
    if (result["status"] === "forbidden") faults.push(`${label}: ${call.name} was refused: ${String(result["error"])}`);
  }
  const started = new Set(
    done.flatMap(({ call, result }) =>
      call.name === "sessions_spawn" && result["status"] === "accepted" ? [String(call.arguments["label"])] : [],
    ),
  );
  const missing = children.filter((child) => !started.has(child));
  if (missing.length > 0) {
    return missing.map((child) => ({ name: "sessions_spawn", arguments: { task: taskOf(child), label: child } }));
  }
  const unkilled = (plan.kills?.(label) ?? []).filter(
    (child) => !done.some(({ call, result }) => call.arguments["target"] === child && "status" in result),
  );
  if (unkilled.length > 0) {
    return unkilled.map((child) => ({ name: "subagents", arguments: { action: "kill", target: child } }));
  }
  const { results, killed } = hear(messages, done);
  const strangers = [...results.keys(), ...killed].filter((name) => !children.includes(name));
  if (strangers.length > 0) faults.push(`${label} was told of ${strangers.join(" ")}`);
  const open = children.filter((child) => !results.has(child) && !killed.has(child));
  const style = plan.styleOf(label);
  const isTold = isAnnouncement(textOf(messages.findLast(({ role }) => role === "user") ?? { content: "" }));
  const wasAllTold = done.some(({ call, result }) => isWait(call) && result["status"] === "ok");
  if (open.length > 0 && !wasAllTold && (style === "waits" || (style === "waits later" && isTold))) {
    return [{ name: "subagents", arguments: { action: "wait" } }];
  }
  if (open.length > 0 && label.endsWith("-root") && !isTold) return "It grows.";
  return reportOf(label, [...results.values()].flat().toSorted(), open);
}

const isWait = ({ name, arguments: args }: Call): boolean => name === "subagents" && args["action"] === "wait";
const isAnnouncement = (text: string): boolean => text.includes("[System Message]");

/** The label of the sub-agent that a text tells of. */
export function announcedIn(text: string): string | undefined {
  return isAnnouncement(text) ? /The sub-agent task "([^"]+)"/.exec(text)?.[1] : undefined;
}

function hear(messages: Asked["messages"], done: ReturnType<typeof finishedCalls>): Heard {
  const results = new Map<string, readonly string[]>();
  const killed = new Set<string>();
  for (const message of messages) {
    if (message.role !== "user") continue;
    for (const part of textOf(message).split(/(?=\[System Message\])/)) {
      const child = announcedIn(part);
      if (child) results.set(child, leavesIn(part));
    }
  }
  for (const { call, result } of done) {
    if (call.arguments["action"] === "kill" && result["status"] === "ok") killed.add(String(call.arguments["target"]));
    for (const { label, result: said, outcome } of toldIn(result)) {
      if (outcome === "killed") killed.add(label);
      else results.set(label, leavesIn(said));
    }
  }
  return { results, killed };
}

export interface Told {
  readonly label: string;
  readonly result: string;
  readonly outcome: string;
}

/** What the result of a wait brought. */
export function toldIn(result: Readonly<Record<string, unknown>>): readonly Told[] {
  return (result["results"] ?? []) as readonly Told[];
}

function finishedCalls(messages: Asked["messages"]): Array<{ call: Call; result: Record<string, unknown> }> {
  const open = new Map<string, Call>();
  return messages.flatMap(({ role, content, tool_calls: calls = [], tool_call_id: id = "" }) => {
    for (const { id: callId, function: made } of calls) {
      open.set(callId, { id: callId, name: made.name, arguments: JSON.parse(made.arguments) as Call["arguments"] });
    }
    const call = role === "tool" ? open.get(id) : undefined;
    return call ? [{ call, result: jsonIn(textOf({ content })) }] : [];
  });
}

/** Of a call that was cut off, nothing. */
export function jsonIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Numbered anew in each answer, as some models do. */
function toWire({ name, arguments: args }: Omit<Call, "id">, index: number): object {
  return { index, id: `call_${index}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
}

function sendPart(response: ServerResponse, delta: object, reason: string | null = null): void {
  const usage = reason ? { usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } } : {};
  const choices = [{ index: 0, delta, finish_reason: reason }];
  const part = { id: "part", object: "chat.completion.chunk", created: 0, model: "paced", choices, ...usage };
  response.write(`data: ${JSON.stringify(part)}\n\n`);
}
