// Says what happened in plain words: who it was, and the one thing worth knowing of it.
import type { IconName } from "../../parts/icon.ts";
import { entryOf } from "../../state/entry-of.ts";
import type { InOtherWords, Sections, Words } from "../../words/index.ts";
import type { AuditAction, AuditRecord } from "./filter.ts";

export type AuditWords = InOtherWords<Sections["audit"]>;

/** What is known of those who are named by ids only. */
export interface Names {
  /** By device id. */
  readonly devices: ReadonlyMap<string, string>;
  readonly ownDevice: string | undefined;
  channel(id: string): string;
}

export const ACTION_ICONS = {
  tool: "tool",
  model: "thinking",
  approval: "approvals",
  config: "config",
  credential: "key",
  pairing: "link",
  login: "external",
  delivery: "send",
  sandbox: "plugins",
  people: "agents",
  memory: "memory",
  plugin: "plugins",
  audit: "audit",
} as const satisfies Record<AuditAction, IconName>;

const SHORT_ID = 8;
const MOST_CHARS = 160;

/** Whoever did something, as people call them. */
export function nameOf(actor: string, words: AuditWords, names: Names): string {
  const plain = {
    gateway: words.actor_gateway,
    cli: words.actor_cli,
    file: words.actor_file,
    many: words.actor_many,
    unknown: words.actor_unknown,
  };
  const [, kind = "", rest = ""] = /^([^:]+):(.*)$/s.exec(actor) ?? [];
  if (rest === "") return entryOf(plain, actor) ?? actor;
  switch (kind) {
    case "device":
      return deviceName(rest, words, names);
    case "node":
      return words.actor_node(rest.slice(0, SHORT_ID));
    case "cron":
      return words.actor_job(rest.slice(0, SHORT_ID));
    case "client":
      return words.actor_client(rest.slice(rest.indexOf(":") + 1));
    case "address":
      return words.actor_address(rest);
    default: {
      // A chat: the channel, its account, and who wrote.
      const [, who = rest] = /^[^:]*:(.+)$/s.exec(rest) ?? [];
      return `${names.channel(kind)} · ${who}`;
    }
  }
}

function deviceName(id: string, words: AuditWords, { devices, ownDevice }: Names): string {
  if (id === ownDevice) return words.actor_self;
  return devices.get(id) ?? words.actor_device(id.slice(0, SHORT_ID));
}

/** What it was done to, as people call it. */
export function targetOf(
  { action, target, outcome }: Pick<AuditRecord, "action" | "target" | "outcome">,
  words: AuditWords,
  names: Names,
): string {
  if (action === "login") return outcome === "ok" ? words.signedIn : words.turnedAway;
  if (action === "delivery") return target.includes(":") ? nameOf(target, words, names) : names.channel(target);
  return /^(device|node):/.test(target) ? nameOf(target, words, names) : target;
}

/** The rest that fits on a line. */
export function briefOf({ action, detail = {} }: AuditRecord, words: AuditWords, format: Words): string {
  switch (action) {
    case "tool":
      return short(argumentText(detail["args"]));
    case "model":
      return modelParts(detail, words, format).join(" · ");
    case "login":
      return texts(detail, "why", "client", "ip").join(" · ");
    case "config":
      return typeof detail["count"] === "number"
        ? words.changes(detail["count"], format.number(detail["count"]))
        : short(texts(detail, "step").join(""));
    default:
      return stepParts(detail, words, format).map(short).join(" · ");
  }
}

/** Of a command, the command; of a file, its path: whatever comes first tells most. */
function argumentText(args: unknown): string {
  if (typeof args === "string") return args;
  if (typeof args !== "object" || args === null) return "";
  const values = Object.values(args);
  const first = values.find((value) => typeof value === "string" && value !== "");
  if (first !== undefined) return String(first);
  return values.length > 0 ? JSON.stringify(args) : "";
}

function modelParts(detail: Readonly<Record<string, unknown>>, words: AuditWords, format: Words): string[] {
  const { tokens, cost, durationMs } = detail;
  const counts = Object.values(tokens ?? {}).filter((count) => typeof count === "number");
  const sum = counts.reduce((total, count) => total + count, 0);
  return [
    ...texts(detail, "failure"),
    ...(sum > 0 ? [words.tokens(format.compact(sum))] : []),
    ...(typeof cost === "number" && cost > 0 ? [format.money(cost)] : []),
    ...(typeof durationMs === "number" ? [format.duration(durationMs)] : []),
  ];
}

function stepParts(detail: Readonly<Record<string, unknown>>, words: AuditWords, format: Words): string[] {
  const { times } = detail;
  // An answer says more than that there was one.
  const [step] = texts(detail, "decision", "step");
  return [
    ...(step === undefined ? [] : [stepWord(step, words)]),
    ...(typeof times === "number" ? [words.times(times, format.number(times))] : []),
    ...texts(detail, "for", "why", "error"),
  ];
}

function stepWord(step: string, words: AuditWords): string {
  const word = entryOf(words, `step_${step.replaceAll(/\W+/g, "_")}`);
  return typeof word === "string" ? word : step;
}

function texts(detail: Readonly<Record<string, unknown>>, ...names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = detail[name];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS - 1)}…` : line;
}
