// Which chats are offered for results.
import { expect, it } from "vitest";
import { chatChoices, chatId, readChatId } from "./known-chats.ts";

const row = (key: string, more: object = {}) => ({
  key,
  kind: "direct" as const,
  updatedAt: 1,
  totalTokensFresh: true,
  ...more,
});
const name = (channel: string): string => ({ webchat: "This page", telegram: "Telegram" })[channel] ?? channel;

it("offers the chat of each conversation once, and leaves out those of runs", () => {
  const choices = chatChoices(
    [
      row("agent:main:main", { lastChannel: "webchat", lastTo: "x" }),
      row("agent:main:telegram:direct:42", {
        label: "Ada",
        lastChannel: "telegram",
        lastTo: "user:42",
        lastAccountId: "home",
      }),
      row("agent:scout:telegram:direct:42", { lastChannel: "telegram", lastTo: "user:42", lastAccountId: "home" }),
      row("agent:main:cron:j:run:1"),
      row("agent:main:subagent:1"),
    ],
    name,
  );
  expect(choices.map(({ label, hint, group }) => [group, label, hint])).toEqual([
    ["Telegram", "Ada", "user:42"],
    ["This page", "main", "agent:main:main"],
  ]);
  expect(readChatId(choices[0]?.id ?? "")).toEqual({ channel: "telegram", to: "user:42", accountId: "home" });
});

it("takes apart what it has put together", () => {
  const chat = { channel: "irc", to: '#a "b"', accountId: "" };
  expect(readChatId(chatId(chat))).toEqual(chat);
});
