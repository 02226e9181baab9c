// Fuzzes access decisions: events and rules of any shape, and patterns an operator may write.
import type { ChannelEvent } from "@chela/sdk";
import { direct, inGroup, rulesFor } from "../../packages/gateway/src/rooms/access/access.test-support.ts";
import { checkPattern } from "../../packages/gateway/src/rooms/access/check-pattern.ts";
import { decideEvent } from "../../packages/gateway/src/rooms/access/room.ts";
import { promise, type Target } from "../target.ts";
import { parseOr } from "./json-text.ts";

const OWNER = "owner-0001";

const senders: Target = {
  name: "access",
  promises: "Only who has the owner's very id is let in, whatever else an event says of its sender.",
  kind: "json",
  seeds: () => [
    JSON.stringify(direct("stranger")),
    JSON.stringify(inGroup("stranger")),
    JSON.stringify({ ...direct("stranger"), sender: { id: "s", otherIds: ["t", " "], username: OWNER, name: OWNER } }),
    JSON.stringify({ ...inGroup("stranger"), sender: { id: "s", roles: ["admin"], isBot: true } }),
    JSON.stringify(direct(`${OWNER} `)),
  ],
  words: ["*", "us", "owner-0001 ", "OWNER-0001", "owner-00011", "g1", "sender", "otherIds", "chat", "content", "kind"],
  open() {
    const lists = { dm: "allowlist", allowFrom: [OWNER], group: "allowlist", groupAllowFrom: [OWNER] } as const;
    const rules = rulesFor({ ...lists, groups: { g1: { allowFrom: [OWNER] } } });
    return {
      run(input) {
        const event = parseOr(input) as ChannelEvent | undefined;
        if (typeof event !== "object" || event === null) return;
        const { kind } = decideEvent(event, rules);
        const isOwner = idsIn(event.sender).includes(OWNER);
        promise(isOwner || (kind !== "allowed" && kind !== "heard"), `a stranger was ${kind}`);
      },
    };
  },
};

function idsIn(sender: unknown): unknown[] {
  if (typeof sender !== "object" || sender === null) return [];
  const { id, otherIds } = sender as { id?: unknown; otherIds?: unknown };
  return [id, ...(Array.isArray(otherIds) ? (otherIds as unknown[]) : [])];
}

const TEXT_LENGTH = 4000;
const HOSTILE = ["a", "a b ", "aaaa!", "@bot ", "ab", "\n"].map((piece) =>
  piece.repeat(TEXT_LENGTH).slice(0, TEXT_LENGTH),
);

const mentionPattern: Target = {
  name: "mention-pattern",
  promises:
    "A pattern that is let in does not fit an empty text, and no text of the usual length makes it run for long.",
  kind: "text",
  seeds: () => [
    "@?chela\\b",
    "^hey (bot|claw)[,!]?\\s+",
    "(?:a|b)+c",
    "[\\w-]{2,5}bot$",
    "(?<=x)y(?=z)",
    "\\bclaw.*please",
  ],
  words: ["(a+)+", "(a|a)*", ".*", "{1,100}", "\\1", "(?:", "[^]", "\\w+\\s?", "$", "^", "|", "{60}", "?", "+?"],
  maxLength: 220,
  open: () => ({
    run(input) {
      const checked = checkPattern(input, TEXT_LENGTH);
      if (checked.kind === "refused") return promise(checked.why !== "", "a refusal says nothing");
      promise(!checked.pattern.test(""), "it fits an empty text");
      for (const text of HOSTILE) checked.pattern.test(text);
    },
  }),
};

export const access: readonly Target[] = [senders, mentionPattern];
