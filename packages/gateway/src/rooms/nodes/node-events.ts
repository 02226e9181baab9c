// Reads what a node says by itself: only known kinds, by a schema, and not too often. A node is never trusted with more
// than its own conversation.
import { parseJson } from "@chela/sdk/base";
import * as z from "zod";
import { once, type Clock } from "@chela/sdk";

/** What a person said to the node, for the agent. */
export interface SpokenMessage {
  readonly kind: "spoken";
  readonly text: string;
  /** The same one again is the same message. */
  readonly key?: string;
}

export type NodeEvent =
  | SpokenMessage
  /** Known, but nothing here acts on it. */
  | { readonly kind: "unused"; readonly why: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "invalid"; readonly why: string };

const LONGEST_TEXT = 20_000;
const LARGEST_PAYLOAD = 256 * 1024;
const key = () => z.string().max(200).optional();
const Transcript = once(() => z.looseObject({ text: z.string().min(1).max(LONGEST_TEXT), eventId: key() }));
const AgentRequest = once(() => z.looseObject({ message: z.string().min(1).max(LONGEST_TEXT), key: key() }));

const ASKED_FOR_NOTHING = "no command was given to a node, so none can have ended";
const UNUSED: Readonly<Record<string, string>> = {
  "chat.subscribe": "nodes are not told of conversations; connect as an operator to follow them",
  "chat.unsubscribe": "nodes are not told of conversations",
  "exec.started": ASKED_FOR_NOTHING,
  "exec.finished": ASKED_FOR_NOTHING,
  "exec.denied": ASKED_FOR_NOTHING,
  "push.apns.register": "this gateway sends no push messages",
};

export function readNodeEvent(event: string, payload: unknown, payloadJSON: string | null | undefined): NodeEvent {
  const why = Object.hasOwn(UNUSED, event) ? UNUSED[event] : undefined;
  if (why !== undefined) return { kind: "unused", why };
  if (event !== "voice.transcript" && event !== "agent.request") return { kind: "unknown" };
  const read = readPayload(payload, payloadJSON);
  if (read.kind === "invalid") return read;
  if (event === "voice.transcript") {
    const parsed = Transcript().safeParse(read.value);
    if (!parsed.success) return { kind: "invalid", why: explain(parsed.error) };
    return spoken(parsed.data.text, parsed.data.eventId);
  }
  const parsed = AgentRequest().safeParse(read.value);
  return parsed.success
    ? spoken(parsed.data.message, parsed.data.key)
    : { kind: "invalid", why: explain(parsed.error) };
}

function spoken(text: string, of: string | undefined): NodeEvent {
  if (text.trim() === "") return { kind: "invalid", why: "there is no text" };
  return { kind: "spoken", text, ...(of ? { key: of } : {}) };
}

function readPayload(
  payload: unknown,
  json: string | null | undefined,
): { readonly kind: "read"; readonly value: unknown } | { readonly kind: "invalid"; readonly why: string } {
  if (json === undefined || json === null) return { kind: "read", value: payload ?? {} };
  if (json.length > LARGEST_PAYLOAD) return { kind: "invalid", why: "payloadJSON is too long" };
  const value = parseJson(json);
  return value === undefined ? { kind: "invalid", why: "payloadJSON is not JSON" } : { kind: "read", value };
}

function explain(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join(".") || "payload"}: ${message}`).join("; ");
}

const BUDGET = { events: 30, windowMs: 60_000 };

/** Counts what a node says; the answer is how long it has to wait, zero when it may speak. */
export function createEventBudget(clock: Clock): (nodeId: string) => number {
  const spent = new Map<string, number[]>();
  return (nodeId) => {
    const now = clock.steady();
    const recent = (spent.get(nodeId) ?? []).filter((at) => now - at < BUDGET.windowMs);
    const [oldest] = recent;
    if (recent.length >= BUDGET.events && oldest !== undefined) return BUDGET.windowMs - (now - oldest);
    spent.set(nodeId, [...recent, now]);
    return 0;
  };
}
