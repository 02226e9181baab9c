// What is not a plain message of a clear kind: reactions, odd events, quoted text. The same gate holds for them.
import type { ChannelEvent, ChannelPolicy } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { CONTENTS, direct, inGroup, KINDS, mention, rulesFor } from "./access.test-support.ts";
import { decideEvent, mayQuote, type EventDecision } from "./room.ts";

const outcome = (decision: EventDecision): string => decision.kind;

describe("a reaction", () => {
  const TABLE: Record<ChannelPolicy["reactions"], readonly [onOurs: string, onOthers: string, ofStranger: string]> = {
    off: ["ignored", "ignored", "ignored"],
    own: ["allowed", "ignored", "allowed"],
    all: ["allowed", "allowed", "allowed"],
    allowlist: ["allowed", "allowed", "ignored"],
  };
  it.each(Object.entries(TABLE))("with policy %s", (reactions, expected) => {
    const policy = {
      group: "open",
      groupAllowFrom: ["a", "*"],
      reactions: reactions as ChannelPolicy["reactions"],
    } as const;
    const react = (sender: string, onOurs: boolean) =>
      outcome(decideEvent(inGroup(sender, { ...CONTENTS.reaction, onOurs }), rulesFor(policy)));
    expect([react("a", true), react("a", false), react("b", true)]).toEqual(expected);
  });
});

describe("odd events (S-10)", () => {
  const ODD: readonly unknown[] = [
    undefined,
    null,
    "",
    0,
    7,
    true,
    [],
    {},
    ["direct"],
    "dm",
    "Direct",
    "private",
    Number.NaN,
  ];
  /** Everybody is welcome directly, nobody in groups: whatever is let in was taken for a direct chat. */
  const rules = rulesFor({ dm: "open", allowFrom: ["*", "a"] }, { paired: new Set(["a"]) });
  const set = (event: ChannelEvent, part: "chat" | "sender" | "content", key: string, value: unknown): ChannelEvent =>
    ({ ...event, [part]: { ...event[part], [key]: value } }) as ChannelEvent;

  it.each(ODD.map((value) => [value]))("a chat of kind %j has the rules of a group", (value) => {
    for (const kind of KINDS) {
      expect(outcome(decideEvent(set(direct("a", CONTENTS[kind]), "chat", "kind", value), rules))).toBe("ignored");
    }
  });

  it("a chat that says it is direct, but is not with the sender, has the rules of a group", () => {
    expect(outcome(decideEvent(inGroup("a", mention(), { kind: "direct", id: "g1" }), rules))).toBe("ignored");
  });

  it("without a sender, a chat or a content there is nothing to allow", () => {
    for (const value of ODD.filter((odd) => typeof odd !== "object" || odd === null)) {
      for (const part of ["chat", "sender", "content"]) {
        expect(outcome(decideEvent({ ...direct("a"), [part]: value } as ChannelEvent, rules))).toBe("ignored");
      }
    }
  });

  it("no odd value of any field throws, or lets in somebody without an id", () => {
    const FIELDS = {
      chat: ["kind", "id", "threadId", "parentId", "guildId"],
      sender: ["id", "otherIds", "roles"],
      content: ["kind", "text", "mentionsUs", "replyTo", "onOurs"],
    } as const;
    const wide = rulesFor({ dm: "open", allowFrom: ["*"], group: "open", groups: { g2: { roles: ["r"] } } });
    for (const part of ["chat", "sender", "content"] as const) {
      for (const [key, value] of FIELDS[part].flatMap((field) => ODD.map((odd) => [field, odd] as const))) {
        const decisions = [direct("a"), inGroup("a")].map((event) => decideEvent(set(event, part, key, value), wide));
        const hasId = part !== "sender" || key !== "id" || (typeof value === "string" && value !== "");
        if (!hasId) expect(decisions.map(outcome)).toEqual(["ignored", "ignored"]);
      }
    }
  });

  it("an unknown kind of event has no effect", () => {
    expect(outcome(decideEvent(set(direct("a"), "content", "kind", "hologram"), rules))).toBe("ignored");
  });
});

describe("quoted text (S-11)", () => {
  const rules = rulesFor(
    { dm: "pairing", group: "allowlist", groups: { g1: {} }, groupAllowFrom: ["a"] },
    { paired: new Set(["p"]) },
  );
  it.each([
    ["somebody who may speak here", "a", true],
    ["somebody who may not", "b", false],
    ["somebody who was approved for direct chats only", "p", false],
    ["ourselves", "us", true],
    ["nobody", "", false],
  ])("of %s in a group", (_who, id, expected) => {
    expect(mayQuote({ id }, inGroup("a"), rules)).toBe(expected);
  });
  it("without a sender is not shown", () => expect(mayQuote(undefined, inGroup("a"), rules)).toBe(false));
  it("in a direct chat follows the rules of direct chats", () => {
    expect(mayQuote({ id: "p" }, direct("p"), rules)).toBe(true);
    expect(mayQuote({ id: "a" }, direct("p"), rules)).toBe(false);
  });
});
