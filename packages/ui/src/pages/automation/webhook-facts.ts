// Words for what a webhook does, and what is read out of the form that tries one.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { entryOf } from "../../state/entry-of.ts";
import type { AutomationWords, Tone } from "./beat-words.ts";

export type Webhook = MethodAnswer<"webhooks.list">["webhooks"][number];

export interface Names {
  agent(id: string): string;
  channel(id: string): string;
}

/** What every mapping is called whose owner gave it no name. */
const NAMELESS = "Hook";

const SCHEMES: Readonly<Record<string, string>> = {
  github: "GitHub",
  stripe: "Stripe",
  slack: "Slack",
  sentry: "Sentry",
  standard: "Standard Webhooks",
  chela: "Chela",
  generic: "HMAC-SHA256",
};

export function webhookName({ id, origin, action, name }: Webhook, words: AutomationWords): string {
  if (origin === "own" && action) return words[action === "wake" ? "own_wake" : "own_agent"];
  return name === NAMELESS ? id : name;
}

export function schemeName(type: string): string {
  return entryOf(SCHEMES, type) ?? type;
}

/** "Gives it to Scout as work; the answer goes to Telegram". */
export function whatItDoes(webhook: Webhook, names: Names, words: AutomationWords): string {
  const { action, agentId, origin, source, hasTransform } = webhook;
  if (!action) return "";
  const agent = agentId ? names.agent(agentId) : words.defaultAgent;
  const does = action === "wake" ? words.doesWake(agent) : words.doesTurn(agent);
  // With what comes without a mapping, the request says where the answer goes.
  const then = action === "agent" && origin !== "own" ? [answerGoes(webhook, names, words)] : [];
  const more = [...(source ? [words.fromSource(source)] : []), ...(hasTransform ? [words.transformed] : [])];
  return [does, ...then, ...more].join("; ");
}

function answerGoes({ deliver, channel, to }: Webhook, names: Names, words: AutomationWords): string {
  if (deliver === false) return words.thenNowhere;
  if (!channel || channel === "last") return words.thenLast;
  return words.thenTo([names.channel(channel), to].filter(Boolean).join(" "));
}

export interface Mark {
  readonly tone: Tone;
  readonly text: string;
}

const TONES: Readonly<Record<string, Tone>> = {
  ok: "good",
  error: "bad",
  killed: "bad",
  delivered: "good",
  "not-delivered": "bad",
};

/** What became of a request: being carried out and being delivered are two things. */
export function requestMarks(
  { state, status, delivered }: Pick<NonNullable<Webhook["last"]>, "state" | "status" | "delivered">,
  words: AutomationWords,
): Mark[] {
  const texts = words as unknown as Readonly<Record<string, string>>;
  const mark = (kind: string, word: string): Mark[] => {
    const text = entryOf(texts, `${kind}_${word}`);
    return text === undefined ? [] : [{ tone: entryOf(TONES, word) ?? "", text }];
  };
  return [...mark("run", status ?? state), ...(delivered ? mark("delivered", delivered) : [])];
}

export type ReadHeaders =
  | { readonly kind: "headers"; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "wrong"; readonly line: string };

const HEADER = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/;

/** One in each line. */
export function readHeaders(text: string): ReadHeaders {
  const headers: Array<[string, string]> = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const [, name, value = ""] = HEADER.exec(line) ?? [];
    if (!name) return { kind: "wrong", line };
    headers.push([name, value]);
  }
  return { kind: "headers", headers: Object.fromEntries(headers) };
}
