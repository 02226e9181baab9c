// Every requester in every kind of conversation: what they may see, do and reach. What is in no table here fails.
import { describe, expect, it } from "vitest";
import {
  CONVERSATION_KINDS,
  conversationKind,
  describeRights,
  mayShareMain,
  rightsOf,
  STANDINGS,
  type ConversationKind,
  type Rights,
  type Standing,
} from "./requester.ts";

const KEYS: Readonly<Record<ConversationKind, string>> = {
  main: "agent:main:main",
  direct: "agent:main:telegram:direct:7",
  group: "agent:main:telegram:group:7",
  named: "agent:main:holiday",
  api: "agent:main:openai:1",
  job: "agent:main:cron:1:run:2",
  subagent: "agent:main:subagent:1",
  heartbeat: "agent:main:heartbeat:1",
  webhook: "hook:1",
  node: "agent:main:node-7",
  other: "agent:main:something:new",
};

/** One letter for each kind of conversation, in their order: main direct group named api job subagent heartbeat webhook node other. */
type Row = Readonly<Record<Standing, string>>;
const same = (letter: string): string => letter.repeat(CONVERSATION_KINDS.length);
const TABLE: {
  readonly [Right in keyof Rights]: { readonly letter: (value: Rights[Right]) => string; readonly row: Row };
} = {
  notes: {
    letter: (value) => (value ? "y" : "-"),
    row: {
      owner: "yy-yyyyyyyy",
      operator: same("-"),
      member: "yy-yyyyyyyy",
      approved: same("-"),
      guest: same("-"),
      stranger: same("-"),
      node: same("-"),
      webhook: same("-"),
    },
  },
  memory: {
    letter: (value) => ({ everything: "e", own: "o", nothing: "-" })[value],
    row: {
      owner: "ee-eeeeeeee",
      operator: same("-"),
      member: "oo-oooooooo",
      approved: same("-"),
      guest: same("-"),
      stranger: same("-"),
      node: same("-"),
      webhook: same("-"),
    },
  },
  sessions: { letter: (value) => value.charAt(0), row: byStanding(same("c"), same("o")) },
  host: {
    letter: (value) => ({ preset: "p", "if-off": "i", never: "-" })[value],
    row: { ...byStanding(same("p"), same("-")), member: same("i") },
  },
  workspace: {
    letter: ({ preset, most }) => `${preset === "rw" ? "W" : preset === "ro" ? "R" : "-"}${most === "rw" ? "w" : "r"}`,
    row: {
      owner: "Ww-w-wWwWwWwWwWw-w-w-w",
      operator: "Ww-w-wWwWwWwWwWw-w-w-w",
      member: same("-w"),
      approved: same("-w"),
      guest: same("-r"),
      stranger: same("-r"),
      node: same("-r"),
      webhook: same("-r"),
    },
  },
  reach: { letter: (value) => value.charAt(0), row: byStanding(same("e"), same("h")) },
  conversation: {
    letter: (value) => value.charAt(0),
    row: { ...byStanding(same("c"), "scsssssssss"), operator: same("c") },
  },
  tools: {
    letter: (value) => value.charAt(0),
    row: { ...byStanding(same("a"), same("u")), guest: same("l") },
  },
};

function byStanding(owner: string, others: string): Row {
  return Object.fromEntries(STANDINGS.map((one) => [one, one === "owner" ? owner : others])) as Row;
}

const asks = (standing: Standing) => ({ standing, isOwner: standing === "owner" });

describe("what a requester may", () => {
  it("is all in the table", () => {
    expect(Object.keys(rightsOf(asks("owner"), KEYS.main)).sort()).toEqual(Object.keys(TABLE).sort());
    expect(Object.values(KEYS).map((key) => conversationKind(key))).toEqual([...CONVERSATION_KINDS]);
  });

  it.each(
    STANDINGS.flatMap((standing) => Object.keys(TABLE).map((right) => [standing, right as keyof Rights] as const)),
  )("as %s: %s", (standing, right) => {
    const { letter, row } = TABLE[right] as { letter(value: unknown): string; row: Row };
    const found = CONVERSATION_KINDS.map((kind) => letter(rightsOf(asks(standing), KEYS[kind])[right]));
    expect(found.join("")).toBe(row[standing]);
  });

  it("is never more because of where it was asked for", () => {
    for (const standing of STANDINGS)
      for (const kind of CONVERSATION_KINDS)
        for (const from of CONVERSATION_KINDS) {
          const rights = rightsOf({ ...asks(standing), askedIn: KEYS[from] }, KEYS[kind]);
          const alone = [KEYS[kind], KEYS[from]].map((key) => rightsOf(asks(standing), key));
          for (const one of alone) {
            expect(Number(rights.notes)).toBeLessThanOrEqual(Number(one.notes));
            if (one.workspace.preset === "none") expect(rights.workspace.preset).toBe("none");
          }
        }
  });

  it("is never an owner's when an owner is behind it and does not ask in person", () => {
    const { reach, tools } = rightsOf({ standing: "owner", isOwner: false, work: "job" }, KEYS.job);
    expect([reach, tools]).toEqual(["here", "usual"]);
  });

  it("is told in a sentence for each right", () => {
    for (const standing of STANDINGS) {
      const told = describeRights(rightsOf(asks(standing), KEYS.main));
      expect(told).toHaveLength(Object.keys(TABLE).length);
      for (const sentence of told) expect(sentence).toMatch(/^[A-Za-z].*\.$/);
    }
  });

  it("share the main conversation only who was vouched for", () => {
    expect(STANDINGS.filter(mayShareMain)).toEqual(["owner", "operator", "member", "approved"]);
  });
});

describe("the kind of a conversation", () => {
  it.each<[string, string | undefined, ConversationKind]>([
    ["global", undefined, "main"],
    ["agent:x:home", "Home", "main"],
    ["agent:x:home", undefined, "named"],
    ["agent:x:main:thread:5", undefined, "other"],
    ["agent:x:direct:+49", undefined, "direct"],
    ["agent:x:tg:work:dm:5", undefined, "direct"],
    ["agent:x:tg:channel:5:thread:7", undefined, "group"],
    ["agent:x:node-1", undefined, "node"],
    ["node-1", undefined, "node"],
    ["agent:x:hook:y", undefined, "webhook"],
    ["agent:x:cron", undefined, "named"],
    ["main", undefined, "other"],
    ["", undefined, "other"],
    ["agent:x:", undefined, "other"],
  ])("%s, with the main key %s, is %s", (key, mainKey, kind) => {
    expect(conversationKind(key, mainKey)).toBe(kind);
  });
});
