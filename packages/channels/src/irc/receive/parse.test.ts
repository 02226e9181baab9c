// Lines of servers become events, or a reason why they do not.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createServerFacts } from "../server/server-facts.ts";
import { parseLine, type Line } from "../server/line.ts";
import { isMentioned, parseEvent, roomId } from "./parse.ts";

const fixtures = JSON.parse(
  readFileSync(new URL("../fixtures/messages.json", import.meta.url), "utf8"),
) as ReadonlyArray<{
  what: string;
  raw: string;
  event?: unknown;
  none?: string;
}>;

function factsOf(...supported: string[]) {
  const facts = createServerFacts("chela");
  facts.account = "Chela-Bot";
  for (const text of supported) facts.learn(parseLine(text) as Line);
  return facts;
}
const facts = factsOf(":irc.example 005 chela CASEMAPPING=ascii CHANTYPES=# STATUSMSG=@+ :are supported");

const parse = (raw: string, isReplayed = false) => {
  const line = parseLine(raw) as Line;
  return parseEvent(line, {
    facts,
    knownRooms: [],
    account: line.tags.get("account"),
    isReplayed,
    isOurMessage: (id) => id.startsWith("ours"),
    now: () => 1000,
    newId: () => "made-up",
  });
};

describe("a line of the server", () => {
  it.each(fixtures)("$what", ({ raw, event, none }) => {
    expect(parse(raw)).toEqual(event ? { kind: "event", event } : { kind: "none", why: none });
  });

  it("asks for our version", () => {
    const asked = parse(":bob!~bob@host.example PRIVMSG chela :\u0001VERSION\u0001");
    expect(asked).toEqual({ kind: "version-asked", nick: "bob" });
  });

  it("has the same id when it is replayed, as long as it has a time, and another one otherwise", () => {
    const idOf = (raw: string): string => {
      const parsed = parse(raw);
      return parsed.kind === "event" ? parsed.event.id : "";
    };
    const timed = "@time=2026-11-15T21:37:41.730Z :bob!~b@h PRIVMSG chela :hi";
    expect(idOf(timed)).toBe(idOf(timed.replace("@", "@batch=9;")));
    expect(idOf(timed)).not.toBe(idOf(timed.replace("hi", "ho")));
    expect(idOf(":bob!~b@h PRIVMSG chela :hi")).toBe("made-up");
  });

  it("is for us under a nick we had before when it is replayed, and never when it is for everybody", () => {
    expect(parse(":bob!~b@h PRIVMSG chela_ :hi", true).kind).toBe("event");
    expect(parse(":bob!~b@h PRIVMSG $$* :hi", true).kind).toBe("none");
    expect(parse(":bob!~b@h PRIVMSG chela_ :hi").kind).toBe("none");
  });
});

describe("a mention", () => {
  it.each([
    ["chela", true],
    ["hello CHELA!", true],
    ["(chela)", true],
    ["chelas", false],
    ["chela_", false],
    ["chela-bot", false],
    ["michela", false],
    ["mi chelachela chela", true],
    ["", false],
  ])("in %j is found as whole word: %s", (text, isFound) => {
    expect(isMentioned(text, facts)).toBe(isFound);
  });
});

describe("the id of a channel", () => {
  const old = factsOf(":irc.example 005 chela CASEMAPPING=rfc1459 :are supported");
  it.each([
    [old, "#A[b]", [], "#a{b}"],
    [old, "#a{B}", ["#A[b]"], "#a[b]"],
    [facts, "#a{B}", ["#A[b]"], "#a{b}"],
    [facts, "#Room", ["#ROOM"], "#room"],
    [facts, "#Ünï", [], "#Ünï"],
  ] as const)(
    "is its name as the server compares names, or as the operator writes it (%#)",
    (facts, name, known, id) => {
      expect(roomId(name, facts, known)).toBe(id);
    },
  );
});
