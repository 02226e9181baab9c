// `chela message …`: says something in a chat of a channel, or acts on what was said there, in the operator's name.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { randomUUID } from "node:crypto";
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { accountParams } from "./channel-account.ts";
import { cleanForTerminal, formatTable } from "../../../base/terminal/layout.ts";

type Result = MethodAnswer<"message.action">;

/** Words after `chela message`, and what the gateway calls it. */
const ACTIONS: Readonly<Record<string, string>> = { pins: "list-pins" };
const TEXTS: Readonly<Record<string, string>> = {
  target: "target",
  message: "message",
  "reply-to": "replyTo",
  "thread-id": "threadId",
  "message-id": "messageId",
  emoji: "emoji",
  "poll-question": "pollQuestion",
  before: "before",
  after: "after",
  "thread-name": "threadName",
};
const NUMBERS: Readonly<Record<string, string>> = {
  "poll-duration-hours": "pollDurationHours",
  "poll-duration-seconds": "pollDurationSeconds",
  limit: "limit",
};
const SWITCHES: Readonly<Record<string, string>> = {
  remove: "remove",
  "poll-multi": "pollMulti",
  silent: "silent",
  "dry-run": "dryRun",
};
const LISTS: Readonly<Record<string, string>> = { targets: "targets", media: "media", "poll-option": "pollOption" };

export function run(call: CommandCall): Promise<number> {
  const { flags, terminal, path } = call;
  const words = path.slice(1).join("-");
  const action = ACTIONS[words] ?? words;
  const params = { action, idempotencyKey: randomUUID(), ...accountParams(call), ...fieldsOf(call) };
  return call.gateway.ask(async (ask) => {
    const result = await ask("message.action", params);
    if (flags.has("json")) return terminal.printJson(result);
    for (const line of describe(result)) terminal.print(line);
  });
}

function fieldsOf({ flags, args, path }: CommandCall): Record<string, unknown> {
  if (args.length > 0) throw usageFailure(`chela ${path.join(" ")} takes flags only: -m "text" is what to say.`);
  const fields: Record<string, unknown> = {};
  for (const [flag, key] of Object.entries(TEXTS)) if (flags.has(flag)) fields[key] = flags.text(flag);
  for (const [flag, key] of Object.entries(NUMBERS)) if (flags.has(flag)) fields[key] = flags.number(flag);
  for (const [flag, key] of Object.entries(SWITCHES)) if (flags.has(flag)) fields[key] = true;
  for (const [flag, key] of Object.entries(LISTS)) if (flags.has(flag)) fields[key] = flags.list(flag);
  return fields;
}

function describe({ deliveries, messages, reactions, threads, thread, ok }: Result): string[] {
  if (deliveries) return deliveries.map(describeDelivery);
  if (messages) return messages.length === 0 ? ["There are none."] : messages.map(describeMessage);
  if (reactions)
    return reactions.length === 0
      ? ["Nobody reacted."]
      : reactions.map((one) => `${one.emoji} ${one.userIds.join(", ")}`);
  if (threads)
    return threads.length === 0
      ? ["There are none."]
      : formatTable(threads.map(({ id, name }) => [id, cleanForTerminal(name)]));
  if (thread) return [`The thread is ${thread.threadId ?? thread.to}.`];
  return [ok ? "Done." : "It was not done."];
}

function describeDelivery({ channel, to, state, messageId, error }: NonNullable<Result["deliveries"]>[number]): string {
  const where = `${channel} to ${cleanForTerminal(to)}`;
  switch (state) {
    case "delivered":
      return `Delivered: ${where}${messageId ? ` (message ${messageId})` : ""}`;
    case "planned":
      return `Would be sent: ${where}`;
    case "queued":
      return `Kept, and sent when it can be: ${where}${error ? ` (${cleanForTerminal(error)})` : ""}`;
    default:
      return `Not delivered: ${where}: ${cleanForTerminal(error ?? state)}`;
  }
}

function describeMessage({ id, at, from, text, hidden }: Readonly<Record<string, unknown>>): string {
  const says = typeof text === "string" ? text : `(${String(hidden ?? "")})`;
  return cleanForTerminal(`${String(at)} ${String(from ?? "?")} [${String(id)}]: ${says}`);
}
