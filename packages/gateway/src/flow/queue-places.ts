// Messages that wait: which belong together, what is said when there are too many, and how several become one. Pure.
import { rightsOf, type Change, type InboxMessage, type RunOutcome, type RunRecord } from "@chela/sdk";
import { isOwnWork, requesterOf, type MessageBody } from "./message-body.ts";

const LONGEST_SUMMARY = 160;

/** Who wrote it, with which rights, and where an answer goes. */
export function speakerOf({ channel, account, body }: InboxMessage): string {
  const { sender, origin } = body as MessageBody;
  const { to = "", threadId = "" } = origin?.target ?? {};
  const { kind, id, name, isOwner, isAuthorised, canApprove, standing, person } = sender ?? {};
  const rights = [isOwner, isAuthorised, canApprove, standing, person?.id, person?.role];
  return JSON.stringify([channel, account, kind, id || name, ...rights, to, threadId]);
}

/** Who asked for it, wherever they wrote it; nobody for the gateway's own work. */
export function askerOf({ channel, account, body }: Pick<InboxMessage, "channel" | "account" | "body">): string {
  const { id, name = "", person } = requesterOf({ channel, account }, body as MessageBody);
  if (isOwnWork(channel) || (id || name) === "") return "";
  return JSON.stringify(person ? [person.id] : [channel, account, id || name]);
}

/** Whose work somebody may end in a conversation: everybody's where it is theirs, else what they asked for themselves. */
export function mayEnd(message: Pick<InboxMessage, "channel" | "account" | "body" | "sessionKey">): "all" | "own" {
  const requester = requesterOf(message, message.body as MessageBody);
  return rightsOf(requester, message.sessionKey).conversation === "change" ? "all" : "own";
}

/** Only what agrees in all of that is answered together: rights are those of the writer. */
export function placeOf(message: InboxMessage): string {
  const { origin } = message.body as MessageBody;
  return JSON.stringify([speakerOf(message), origin?.albumId ?? ""]);
}

/** Whether a running turn can be told of it: what holds directives or files needs a turn of its own. */
export function canBeSaid({ body }: InboxMessage): boolean {
  const { recognised, instruction, skill, media, origin } = body as MessageBody;
  return !recognised && instruction === undefined && !skill && !media?.length && !origin?.albumId;
}

/** Tells the agent of what it will not see any more. Where others take part, nobody's words are told as the gateway's. */
export function overflowNote({ message }: RunRecord, at: number): Change {
  const { runId, sessionKey, body } = message;
  const { standing } = requesterOf(message, body as MessageBody);
  const line = String(body["text"] ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const short = line.length > LONGEST_SUMMARY ? `${line.slice(0, LONGEST_SUMMARY)}…` : line;
  const what = mayEnd(message) === "all" ? `: ${short || "(no text)"}` : " of somebody who takes part here";
  const note = { text: `[Queue overflow] Dropped 1 message due to cap${what}`, standing };
  return { kind: "aside-add", aside: { sessionKey, kind: "note", key: `overflow:${runId}`, at, body: note } };
}

export function queueFull(cap: number): RunOutcome {
  const error = `There are already ${cap} messages waiting, so this one was not taken. Send it again in a moment.`;
  return { status: "error", texts: [], error, stopReason: "queue-full" };
}

/** One message made of several, in the order they came. The newest says where the answer goes. */
export function collected(others: readonly MessageBody[], newest: MessageBody): MessageBody {
  const all = [...others, newest].filter(({ instruction }) => instruction === undefined);
  if (others.length === 0 || all.length === 0) return newest;
  const media = all.flatMap((body) => body.media ?? []);
  const { instruction: _none, ...rest } = newest;
  return {
    ...rest,
    text: newest.origin?.albumId ? albumText(all) : collectedText(all),
    ...(media.length > 0 ? { media } : {}),
  };
}

/** Usually one of the pictures has the text below it. */
function albumText(all: readonly MessageBody[]): string {
  return all
    .map(({ text }) => text)
    .filter(Boolean)
    .join("\n");
}

function collectedText(all: readonly MessageBody[]): string {
  const [only] = all;
  if (only && all.length === 1) return only.text;
  const items = all.map(({ text }, at) => `---\nQueued #${at + 1}\n${text}`);
  return ["[Queued messages while agent was busy]", ...items].join("\n\n");
}

/** Runs that are over because another turn answers them: written with the step that took their words. */
export function endedInto(
  runId: string,
  how: "collected" | "steered",
  records: readonly RunRecord[],
  at: number,
): { readonly changes: Change[]; readonly outcome: RunOutcome } {
  const outcome: RunOutcome = { status: "ok", texts: [], stopReason: how, meta: { into: runId } };
  return { outcome, changes: records.map(({ message }) => ({ kind: "turn-end", runId: message.runId, at, outcome })) };
}
