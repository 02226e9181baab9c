// A job as it is being typed: read from one that exists, and made into what the gateway is asked for.
import type { CronDelivery, CronJob, CronPayload } from "@chela/sdk/cron";
import { emptyWhen, readWhen, whenOf, type WhenDraft, type WhenProblem } from "./when-draft.ts";

export const WHATS = ["turn", "reminder", "command"] as const;
export type What = (typeof WHATS)[number];

export const WHERES = ["last", "chat", "webhook", "none"] as const;
export type Where = (typeof WHERES)[number];

export interface JobDraft {
  readonly name: string;
  readonly description: string;
  readonly what: What;
  readonly message: string;
  readonly reminder: string;
  readonly command: string;
  /** The command is a program with its arguments, one a line, and no shell reads it. */
  readonly isProgram: boolean;
  readonly folder: string;
  readonly when: WhenDraft;
  readonly deletesItself: boolean;
  readonly where: Where;
  readonly channel: string;
  readonly accountId: string;
  readonly to: string;
  readonly url: string;
  readonly isBestEffort: boolean;
  readonly agentId: string;
  readonly model: string;
  readonly thinking: string;
  /** In minutes; "0" is without end, "" what is usual. */
  readonly timeout: string;
  readonly wakeMode: CronJob["wakeMode"];
  /** "" is what is usual. */
  readonly catchUp: "skip" | "all" | "";
  readonly onCrash: NonNullable<CronJob["onCrash"]> | "";
  readonly alert: "usual" | "off" | "after";
  readonly alertAfter: string;
}

type DraftProblem =
  | WhenProblem
  | "messageMissing"
  | "reminderMissing"
  | "commandMissing"
  | "toMissing"
  | "urlWrong"
  | "timeoutWrong"
  | "alertWrong";

/** Fields of a job, as much of it as the form knows. */
export type Wishes = Readonly<Record<string, unknown>>;

export type ReadDraft =
  | { readonly kind: "fine"; readonly wishes: Wishes }
  | { readonly kind: "problem"; readonly problem: DraftProblem };

const MOST_TIMEOUT_MINUTES = 100_000;

export function emptyDraft(now = Date.now()): JobDraft {
  return {
    name: "",
    description: "",
    what: "turn",
    message: "",
    reminder: "",
    command: "",
    isProgram: false,
    folder: "",
    when: emptyWhen(now),
    deletesItself: true,
    where: "last",
    channel: "",
    accountId: "",
    to: "",
    url: "",
    isBestEffort: false,
    agentId: "",
    model: "",
    thinking: "",
    timeout: "",
    wakeMode: "now",
    catchUp: "",
    onCrash: "",
    alert: "usual",
    alertAfter: "1",
  };
}

export function draftOf(job: CronJob): JobDraft {
  const { name, description = "", agentId = "", wakeMode, onCrash = "", failureAlert } = job;
  const catchUp = job.catchUp === undefined || job.catchUp === "once" ? "" : job.catchUp;
  return {
    ...emptyDraft(),
    name,
    description,
    agentId,
    wakeMode,
    catchUp,
    onCrash,
    ...fromPayload(job.payload),
    ...fromDelivery(job.delivery),
    when: whenOf(job.schedule, job.state.nextRunAtMs),
    deletesItself: job.deleteAfterRun ?? job.schedule.kind === "at",
    alert: failureAlert === false ? "off" : failureAlert ? "after" : "usual",
    alertAfter: String((failureAlert || undefined)?.after ?? 1),
  };
}

function fromPayload(payload: CronPayload): Partial<JobDraft> {
  switch (payload.kind) {
    case "systemEvent":
      return { what: "reminder", reminder: payload.text };
    case "agentTurn": {
      const { message, model = "", thinking = "", timeoutSeconds } = payload;
      return { what: "turn", message, model, thinking, timeout: minutes(timeoutSeconds) };
    }
    case "exec": {
      const { command, cwd = "", timeoutSeconds } = payload;
      const isProgram = typeof command !== "string";
      const text = isProgram ? command.join("\n") : command;
      return { what: "command", command: text, isProgram, folder: cwd, timeout: minutes(timeoutSeconds) };
    }
  }
}

function minutes(seconds: number | undefined): string {
  return seconds === undefined ? "" : String(Math.round((seconds / 60) * 100) / 100);
}

function fromDelivery(delivery: CronDelivery | undefined): Partial<JobDraft> {
  if (!delivery) return { where: "none" };
  const { mode, channel = "", to = "", accountId = "", bestEffort = false } = delivery;
  if (mode === "none") return { where: "none" };
  if (mode === "webhook") return { where: "webhook", url: to, isBestEffort: bestEffort };
  const isLast = (channel === "" || channel === "last") && to === "";
  return isLast
    ? { where: "last", isBestEffort: bestEffort }
    : { where: "chat", channel, to, accountId, isBestEffort: bestEffort };
}

export function readDraft(draft: JobDraft): ReadDraft {
  const problem = findProblem(draft);
  if (problem) return { kind: "problem", problem };
  const when = readWhen(draft.when);
  if (when.kind === "problem") return when;
  const { name, description, agentId, catchUp, onCrash, wakeMode, what } = draft;
  const wishes = {
    ...given({ name: name.trim(), description: description.trim(), agentId, catchUp, onCrash }),
    schedule: when.schedule,
    sessionTarget: what === "reminder" ? "main" : "isolated",
    wakeMode,
    payload: payloadOf(draft),
    delivery: deliveryOf(draft),
    ...(when.schedule.kind === "at" ? { deleteAfterRun: draft.deletesItself } : {}),
    ...alertOf(draft),
  };
  return { kind: "fine", wishes };
}

function findProblem(draft: JobDraft): DraftProblem | undefined {
  const { what, where, timeout, alert, alertAfter } = draft;
  const text = what === "turn" ? draft.message : what === "reminder" ? draft.reminder : draft.command;
  if (text.trim() === "") return `${what === "turn" ? "message" : what}Missing`;
  const when = readWhen(draft.when);
  if (when.kind === "problem") return when.problem;
  const place = placeOf(draft);
  if (place === "chat" && draft.channel === "") return "toMissing";
  if (place === "chat" && draft.to.trim() === "" && draft.channel !== "webchat") return "toMissing";
  if (where === "webhook" && !/^https?:$/.test(URL.parse(draft.url.trim())?.protocol ?? "")) return "urlWrong";
  if (what !== "reminder" && !isBetween(timeout.trim() || "0", 0, MOST_TIMEOUT_MINUTES)) return "timeoutWrong";
  if (alert === "after" && !(isBetween(alertAfter, 1, 1000) && Number.isInteger(Number(alertAfter))))
    return "alertWrong";
  return undefined;
}

function isBetween(text: string, lowest: number, highest: number): boolean {
  return text.trim() !== "" && Number(text) >= lowest && Number(text) <= highest;
}

/** What is told to an agent in its main conversation is answered there. */
export function placeOf({ what, where }: Pick<JobDraft, "what" | "where">): Where {
  return what === "reminder" && where !== "webhook" ? "none" : where;
}

function payloadOf(draft: JobDraft): Wishes {
  const { what, message, reminder, command, isProgram, folder, model, thinking, timeout } = draft;
  const limit = timeout.trim() === "" ? {} : { timeoutSeconds: Math.round(Number(timeout) * 60) };
  switch (what) {
    case "turn":
      return { kind: "agentTurn", message: message.trim(), ...given({ model, thinking }), ...limit };
    case "reminder":
      return { kind: "systemEvent", text: reminder.trim() };
    case "command": {
      const lines = command.split("\n").filter((line) => line !== "");
      return { kind: "exec", command: isProgram ? lines : command.trim(), ...given({ cwd: folder.trim() }), ...limit };
    }
  }
}

function deliveryOf(draft: JobDraft): Wishes {
  const bestEffort = draft.isBestEffort ? { bestEffort: true } : {};
  switch (placeOf(draft)) {
    case "none":
      return { mode: "none" };
    case "last":
      return { mode: "announce", channel: "last", ...bestEffort };
    case "chat": {
      const { channel, accountId } = draft;
      return { mode: "announce", ...given({ channel, to: draft.to.trim(), accountId }), ...bestEffort };
    }
    case "webhook":
      return { mode: "webhook", to: draft.url.trim(), ...bestEffort };
  }
}

function alertOf({ alert, alertAfter }: JobDraft): Wishes {
  if (alert === "usual") return {};
  return { failureAlert: alert === "off" ? false : { after: Number(alertAfter) } };
}

function given(fields: Readonly<Record<string, string>>): Wishes {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}
