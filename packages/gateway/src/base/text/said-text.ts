// Searchable text of a transcript's entry: the words of people and of the agent, as a person sees them.
import { textOf, type AgentMessage } from "@chela/sdk";
import { jobOf, type AskingJob } from "./job-prompt.ts";

export interface SaidText {
  readonly entryId: string;
  readonly role: "user" | "assistant";
  readonly at: number;
  readonly text: string;
  /** It is the job that asks this, not a person. */
  readonly job?: AskingJob;
}

/** The words of a message without what was added for the model or meant for the gateway. */
export type ShownWords = (role: "user" | "assistant", text: string, job?: AskingJob) => string;

/** Undefined for tool results, notes, and what the gateway and the model settle among themselves. */
export function readSaid(line: string, shown: ShownWords): SaidText | undefined {
  // Tool results are long and the most: they are not even parsed.
  if (!line.includes('"role":"user"') && !line.includes('"role":"assistant"')) return undefined;
  const entry = JSON.parse(line) as Record<string, unknown>;
  const message = entry["message"] as AgentMessage | undefined;
  if (entry["type"] !== "message" || entry["internal"] === true || !message) return undefined;
  const { role, content, timestamp } = message;
  if (role !== "user" && role !== "assistant") return undefined;
  if (typeof content !== "string" && !Array.isArray(content)) return undefined;
  const job = role === "user" ? jobOf(message) : undefined;
  const text = shown(role, textOf(message), job).trim();
  if (text === "") return undefined;
  const at = typeof timestamp === "number" ? timestamp : Date.parse(String(entry["timestamp"])) || 0;
  return { entryId: String(entry["id"]), role, at, text, ...(job ? { job } : {}) };
}
