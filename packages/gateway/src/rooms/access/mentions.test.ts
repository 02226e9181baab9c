// Which words mean us, and which patterns are not let in because some text could keep us busy with them.
import { describe, expect, it } from "vitest";
import { inGroup, rulesFor } from "./access.test-support.ts";
import { decideEvent, readMentionPatterns, type MentionSources } from "./room.ts";

function isMeant(text: string, sources: MentionSources): boolean {
  const { rules } = readMentionPatterns(sources);
  const event = inGroup("a", { kind: "message", text, mentionsUs: false });
  return decideEvent(event, rulesFor({ group: "open" }, { mention: rules })).kind === "allowed";
}

describe("words that mean us", () => {
  it("come from the agent, else from all messages, else from the agent's identity", () => {
    const identity = { name: "Clara", emoji: "🦞" };
    expect(isMeant("robot, please", { agent: ["\\brobot\\b"], messages: ["helper"], ...identity })).toBe(true);
    expect(isMeant("helper, please", { agent: ["\\brobot\\b"], messages: ["helper"], ...identity })).toBe(false);
    expect(isMeant("HELPER, please", { messages: ["helper"], ...identity })).toBe(true);
    expect(isMeant("clara, please", { messages: ["helper"], ...identity })).toBe(false);
    expect(isMeant("clara, please", identity)).toBe(true);
    expect(isMeant("a 🦞 for you", identity)).toBe(true);
    expect(isMeant("clara, please", { agent: [], ...identity })).toBe(false);
    expect(isMeant("anything", {})).toBe(false);
  });

  it.each([
    ["Clara", "@Clara!", true],
    ["Clara", "claras", false],
    ["Clara", "declara", false],
    ["Zoë", "hey ZOË?", true],
    ["Zo", "zoë", false],
    ["Big Bot", "big  bot", true],
    ["Big Bot", "bigbot", false],
    ["C++ (bot)", "ask c++ (bot) now", true],
    ["C++ (bot)", "ask c bot now", false],
    ["  ", "anything", false],
  ])("the name %j in %j: %s", (name, text, expected) => expect(isMeant(text, { name })).toBe(expected));

  it("are looked for at the beginning of long texts only", () => {
    expect(isMeant(`${"x ".repeat(1_000)} clara`, { name: "Clara" })).toBe(true);
    expect(isMeant(`${"x ".repeat(3_000)} clara`, { name: "Clara" })).toBe(false);
  });
});

describe("patterns of an operator", () => {
  it.each([
    ["@?clawd", "hey Clawd"],
    ["hey\\s+clawd\\s+please", "hey  clawd please"],
    ["(hey|hi|yo)\\s+(clawd|bot)", "yo bot"],
    ["^clawd[,:]?\\s*", "clawd: hello"],
    ["^.*clawd.*$", `${"x".repeat(900)} clawd ${"x".repeat(900)}`],
    [".*clawd.*", `${"x".repeat(900)} clawd`],
    ["(?:ab)+c", "ababc"],
    ["a{3,}b", "aaaab"],
    ["claw(?!ed)", "claws"],
    ["(?<who>clawd)\\b", "clawd"],
    ["[\\](]clawd", "(clawd"],
    ["\\x41{2}b", "AAb"],
    ["(a?){5}b", "aab"],
  ])("%j fits %j", (pattern, text) => {
    expect(readMentionPatterns({ agent: [pattern] }).refused).toEqual([]);
    expect(isMeant(text, { agent: [pattern] })).toBe(true);
  });

  it.each([
    ["(a+)+$", /repetition inside/],
    ["(?:a*b?)*$", /repetition inside/],
    ["(((a{9}){9}){9})b", /repetition inside/],
    ["(a|a)*$", /too long/],
    [`${"a?".repeat(60)}${"a".repeat(60)}`, /too long/],
    [`${"(a|a)".repeat(38)}b`, /too long/],
    ["(|a){50}x", /too long/],
    ["((a|a)*){0}(a|a)*b", /too long/],
    [".*.*.*.*x", /too long/],
    [`.*${".{100}".repeat(30)}x`, /too long/],
    ["(.)\\1", /refers back/],
    ["(?<x>.)\\k<x>", /refers back/],
    ["a{999}", /more than 100 times/],
    ["a{999,}", /more than 100 times/],
    ["x".repeat(201), /longer than 200/],
    ["(", /not a valid/],
    ["(?i)clawd", /not a valid/],
    ["", /empty/],
    [".*", /everything/],
    ["clawd|", /everything/],
  ])("%j is refused, says why, and matches nothing", (pattern, why) => {
    const { rules, refused } = readMentionPatterns({ agent: [pattern, "robot"] });
    expect(refused).toEqual([{ pattern, why: expect.stringMatching(why) }]);
    expect(rules.patterns).toHaveLength(1);
  });
});
