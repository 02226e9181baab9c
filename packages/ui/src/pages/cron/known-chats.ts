// Chats a result can be sent to, from the conversations there are.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { PickerChoice } from "../../parts/picker-choices.ts";
import { sessionTitle } from "../../state/session-title.ts";

type SessionRow = MethodAnswer<"sessions.list">["sessions"][number];

export interface Chat {
  readonly channel: string;
  readonly to: string;
  readonly accountId: string;
}

/** The channel of this page itself; a chat there is a conversation. */
export const OWN_CHANNEL = "webchat";

/** Where each conversation was led last. Those that are not led on a channel are led here. */
function chatOf({ key, lastChannel, lastTo, lastAccountId, deliveryContext }: SessionRow): Chat {
  const channel = lastChannel ?? deliveryContext?.channel;
  const to = lastTo ?? deliveryContext?.to;
  if (!channel || !to || channel === OWN_CHANNEL) return { channel: OWN_CHANNEL, to: key, accountId: "" };
  return { channel, to, accountId: lastAccountId ?? deliveryContext?.accountId ?? "" };
}

/** The conversations of runs themselves are no places to tell anybody anything. */
export function chatChoices(rows: readonly SessionRow[], nameOf: (channel: string) => string): PickerChoice[] {
  const seen = new Map<string, PickerChoice>();
  for (const row of rows) {
    if (/:(?:cron|subagent):/.test(row.key)) continue;
    const chat = chatOf(row);
    const id = chatId(chat);
    const group = nameOf(chat.channel);
    if (!seen.has(id)) seen.set(id, { id, label: sessionTitle(row), hint: chat.to, group });
  }
  return [...seen.values()].toSorted((one, other) => (one.group ?? "").localeCompare(other.group ?? ""));
}

export function chatId({ channel, to, accountId }: Chat): string {
  return JSON.stringify([channel, to, accountId]);
}

export function readChatId(id: string): Chat {
  const [channel = "", to = "", accountId = ""] = JSON.parse(id) as string[];
  return { channel, to, accountId };
}
