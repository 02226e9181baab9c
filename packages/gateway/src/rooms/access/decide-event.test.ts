// Who may do what where: the tables of direct chats and groups, for every kind of event, and what must never matter.
import type { ChannelContent, ChannelPolicy, Chat, GroupPolicy } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { CONTENTS, direct, GROUP, inGroup, KINDS, listsOf, mention, rulesFor } from "./access.test-support.ts";
import { decideEvent, type AccessRules, type EventDecision } from "./room.ts";

const outcome = (decision: EventDecision): string => decision.kind;
const standing = (decision: EventDecision) => (decision.kind === "allowed" ? decision.sender : undefined);
const OWNER = { isAuthorised: true, isOwner: true };
const AUTHORISED = { isAuthorised: true, isOwner: false };
const STRANGER = { isAuthorised: false, isOwner: false };

describe("a direct chat", () => {
  const WAYS = {
    named: [{ allowFrom: ["a"] }, {}],
    everybody: [{ allowFrom: ["*"] }, {}],
    paired: [{}, { paired: new Set(["a"]) }],
    nobody: [{}, {}],
  } as const satisfies Record<string, readonly [Partial<ChannelPolicy>, Partial<AccessRules>]>;
  const TABLE: Record<ChannelPolicy["dm"], Record<keyof typeof WAYS, EventDecision["kind"]>> = {
    pairing: { named: "allowed", everybody: "allowed", paired: "allowed", nobody: "needs-pairing" },
    allowlist: { named: "allowed", everybody: "allowed", paired: "denied", nobody: "denied" },
    open: { named: "allowed", everybody: "allowed", paired: "denied", nobody: "denied" },
    disabled: { named: "denied", everybody: "denied", paired: "denied", nobody: "denied" },
  };
  const STANDING = { named: OWNER, everybody: STRANGER, paired: AUTHORISED, nobody: STRANGER };
  const cases = Object.entries(TABLE).flatMap(([dm, row]) =>
    Object.entries(row).flatMap(([way, expected]) => KINDS.map((kind) => ({ dm, way, kind, expected }))),
  );

  it.each(cases)("$dm, $way: $kind is $expected", ({ dm, way, kind, expected }) => {
    const [policy, more] = WAYS[way as keyof typeof WAYS];
    const rules = rulesFor({ dm: dm as ChannelPolicy["dm"], ...policy }, more);
    const decision = decideEvent(direct("a", CONTENTS[kind]), rules);
    const starts = kind === "message" || kind === "command";
    expect(outcome(decision)).toBe(expected === "needs-pairing" && !starts ? "ignored" : expected);
    if (decision.kind === "allowed") expect(decision.sender).toEqual(STANDING[way as keyof typeof WAYS]);
    if ("why" in decision) expect(decision.why).toMatch(/^[A-Z].*\.$/);
  });

  it("knows a person by any of their ids", () => {
    const { sender, ...rest } = direct("uuid-1");
    const withPhone = { ...rest, sender: { ...sender, otherIds: ["+491"] } };
    expect(outcome(decideEvent(withPhone, rulesFor({ dm: "allowlist", allowFrom: ["+491"] })))).toBe("allowed");
    expect(outcome(decideEvent(withPhone, rulesFor({ dm: "allowlist", allowFrom: ["+49"] })))).toBe("denied");
  });

  it.each(["A", "a ", " a", "aa", "", "*", "a\u200b"])("takes %j for somebody else than a", (id) => {
    const rules = rulesFor({ dm: "allowlist", allowFrom: ["a"] }, { paired: new Set(["a", "", "*"]) });
    expect(outcome(decideEvent(direct(id), rules))).not.toBe("allowed");
  });

  it("does not look at names: whoever takes the name of somebody in the list stays outside (S-09)", () => {
    const { sender, ...rest } = direct("mallory");
    const renamed = { ...rest, sender: { ...sender, name: "a", username: "a" } };
    expect(outcome(decideEvent(renamed, rulesFor({ dm: "allowlist", allowFrom: ["a"] })))).toBe("denied");
  });

  it("takes an entry nobody could look up for nobody, even if it reads like the sender's id", () => {
    const rules = rulesFor({ dm: "allowlist", allowFrom: ["a"] });
    const unread = { ...rules, allowed: { ...rules.allowed, people: new Map() } };
    expect(outcome(decideEvent(direct("a"), unread))).toBe("denied");
  });

  it("passes over ourselves and other bots, whoever may write", () => {
    const rules = rulesFor({ dm: "open", allowFrom: ["*"] });
    expect(outcome(decideEvent(direct("us"), rules))).toBe("ignored");
    const { sender, ...rest } = direct("b");
    expect(outcome(decideEvent({ ...rest, sender: { ...sender, isBot: true } }, rules))).toBe("ignored");
  });
});

describe("a group", () => {
  type Column = "none listed" | "listed" | "another listed" | "open" | "open, listed" | "disabled";
  const COLUMNS: Record<Column, Pick<ChannelPolicy, "group" | "groups">> = {
    "none listed": { group: "allowlist", groups: {} },
    listed: { group: "allowlist", groups: { g1: {} } },
    "another listed": { group: "allowlist", groups: { g2: {} } },
    open: { group: "open", groups: {} },
    "open, listed": { group: "open", groups: { g1: {} } },
    disabled: { group: "disabled", groups: { g1: { group: "open" } } },
  };
  const LISTS: ReadonlyArray<readonly [string, Partial<ChannelPolicy>, Record<Column, string>]> = [
    ["groupAllowFrom names a", { groupAllowFrom: ["a"] }, row("allowed", "allowed", "allowed", "allowed")],
    ["groupAllowFrom names b", { groupAllowFrom: ["b"] }, row("denied", "denied", "denied", "denied")],
    ["groupAllowFrom is everybody", { groupAllowFrom: ["*"] }, row("allowed", "allowed", "allowed", "allowed")],
    ["groupAllowFrom is empty", { groupAllowFrom: [] }, row("denied", "denied", "denied", "denied")],
    [
      "it is empty, allowFrom is everybody",
      { groupAllowFrom: [], allowFrom: ["*"] },
      row("denied", "denied", "denied", "denied"),
    ],
    ["allowFrom names a", { allowFrom: ["a"] }, row("allowed", "allowed", "allowed", "allowed")],
    ["allowFrom names b", { allowFrom: ["b"] }, row("denied", "denied", "allowed", "allowed")],
    ["allowFrom is everybody", { allowFrom: ["*"] }, row("denied", "allowed", "allowed", "allowed")],
    ["no list at all", {}, row("denied", "denied", "allowed", "allowed")],
  ];
  function row(none: string, listed: string, open: string, openListed: string): Record<Column, string> {
    return {
      "none listed": none,
      listed,
      "another listed": "ignored",
      open,
      "open, listed": openListed,
      disabled: "ignored",
    };
  }
  const cases = LISTS.flatMap(([list, policy, expected]) =>
    (Object.keys(COLUMNS) as Column[]).flatMap((column) =>
      KINDS.map((kind) => ({ list, policy, column, kind, expected: expected[column] })),
    ),
  );

  it.each(cases)("$list, $column: $kind is $expected", ({ policy, column, kind, expected }) => {
    const rules = rulesFor({ ...COLUMNS[column], ...policy }, { paired: new Set(["a"]), activation: "always" });
    expect(outcome(decideEvent(inGroup("a", CONTENTS[kind]), rules))).toBe(expected);
  });

  it("does not know pairing: approved people are strangers there, also where everybody may speak (S-10)", () => {
    const paired = { paired: new Set(["a"]), pairedOwners: new Set(["a"]) };
    expect(outcome(decideEvent(inGroup("a"), rulesFor({ group: "allowlist", groups: { g1: {} } }, paired)))).toBe(
      "denied",
    );
    expect(standing(decideEvent(inGroup("a"), rulesFor({ group: "open" }, paired)))).toEqual(STRANGER);
  });

  const OWN: ReadonlyArray<readonly [string, GroupPolicy, string]> = [
    ["its own list names a", { allowFrom: ["a"] }, "allowed"],
    ["its own list is empty", { allowFrom: [] }, "denied"],
    ["its own list is everybody", { allowFrom: ["*"] }, "allowed"],
    ["a has one of its roles", { roles: ["r1"] }, "allowed"],
    ["a has none of its roles", { roles: ["r2"] }, "denied"],
    ["it has neither roles nor people", { roles: [] }, "denied"],
    ["a is not in its list but has a role", { allowFrom: ["b"], roles: ["r1"] }, "allowed"],
    ["it is switched off", { isEnabled: false, allowFrom: ["a"] }, "ignored"],
    ["its policy is disabled", { group: "disabled", allowFrom: ["a"] }, "ignored"],
    ["its policy is open", { group: "open" }, "allowed"],
    ["its policy is no policy", { group: "friendly" as "open", allowFrom: ["a"] }, "denied"],
  ];
  it.each(OWN)("where %s", (_what, group, expected) => {
    const { sender, ...rest } = inGroup("a");
    const rules = rulesFor({ group: "allowlist", groups: { g1: group } });
    expect(outcome(decideEvent({ ...rest, sender: { ...sender, roles: ["r1"] } }, rules))).toBe(expected);
  });

  it("is found by its id, its guild, its parent and by everything", () => {
    const thread: Chat = { kind: "channel", id: "t1", parentId: "c1", guildId: "s1" };
    for (const key of ["t1", "s1/t1", "c1", "s1/c1", "s1/*", "*"]) {
      const rules = rulesFor({ group: "allowlist", groups: { [key]: { allowFrom: ["a"] } } });
      expect([key, outcome(decideEvent(inGroup("a", mention(), thread), rules))]).toEqual([key, "allowed"]);
    }
    for (const key of ["s1", "s2/*", "s1/c2", "t", "/*", "constructor", "__proto__"]) {
      const rules = rulesFor({ group: "allowlist", groups: { [key]: { allowFrom: ["a"] } } });
      expect([key, outcome(decideEvent(inGroup("a", mention(), thread), rules))]).toEqual([key, "ignored"]);
    }
  });

  it("inherits: the topic over the group over everything", () => {
    const groups = {
      "*": { requireMention: false, systemPrompt: "all", roles: ["r"], skills: ["x"] },
      g1: { systemPrompt: "group", allowFrom: ["a"], topics: { "7": { systemPrompt: "topic", requireMention: true } } },
    };
    const rules = rulesFor({ group: "allowlist", groups });
    const decide = (threadId?: string) =>
      decideEvent(inGroup("a", mention(), { ...GROUP, ...(threadId ? { threadId } : {}) }), rules);
    expect(decide("7")).toMatchObject({
      group: { systemPrompt: "topic", requireMention: true, allowFrom: ["a"], skills: ["x"] },
    });
    expect(decide()).toMatchObject({ group: { systemPrompt: "group", requireMention: false, allowFrom: ["a"] } });
    expect(decide("8")).toEqual(decide());
    // Who is named for the group is not joined by the roles of all groups.
    expect(decide()).not.toHaveProperty("group.roles");
    expect(decide()).not.toHaveProperty("group.topics");
  });

  it.each<[string, Partial<ChannelPolicy>, string]>([
    [
      "its own word against the list of all groups",
      { groupAllowFrom: ["b"], groups: { g1: { group: "open" } } },
      "allowed",
    ],
    [
      "its own word against a list of everything",
      { groups: { g1: { group: "open" }, "*": { allowFrom: ["b"] } } },
      "allowed",
    ],
    ["its own list against its own word", { groups: { g1: { group: "open", allowFrom: ["b"] } } }, "denied"],
    [
      "its own list against a word for everything",
      { groups: { g1: { allowFrom: ["b"] }, "*": { group: "open" } } },
      "denied",
    ],
    [
      "its own word against a word for everything",
      { groups: { g1: { group: "allowlist" }, "*": { group: "open" } } },
      "denied",
    ],
    ["the list of all groups against the word of the account", { group: "open", groupAllowFrom: ["b"] }, "denied"],
  ])("goes by the nearest answer: %s", (_what, policy, expected) => {
    expect(outcome(decideEvent(inGroup("a"), rulesFor({ group: "allowlist", ...policy })))).toBe(expected);
  });

  it("stays open where all others are shut, and shuts its topics and threads with it", () => {
    const all = { "*": { isEnabled: false }, g1: {}, g2: { isEnabled: false, topics: { "7": { isEnabled: true } } } };
    const rules = rulesFor({ group: "open", groups: all });
    expect(outcome(decideEvent(inGroup("a"), rules))).toBe("allowed");
    expect(outcome(decideEvent(inGroup("a", mention(), { kind: "group", id: "g3" }), rules))).toBe("ignored");
    expect(outcome(decideEvent(inGroup("a", mention(), { kind: "group", id: "g2", threadId: "7" }), rules))).toBe(
      "ignored",
    );
    expect(outcome(decideEvent(inGroup("a", mention(), { kind: "group", id: "t", parentId: "g2" }), rules))).toBe(
      "ignored",
    );
  });

  it("is no sender: its own id in a list of people lets nobody in (CVE-2026-62196)", () => {
    const rules = rulesFor({ group: "allowlist", groupAllowFrom: ["g1"], allowFrom: ["g1"] });
    expect(outcome(decideEvent(inGroup("a"), rules))).toBe("denied");
    expect(outcome(decideEvent(inGroup("g1"), rules))).toBe("ignored");
    const { sender, ...rest } = inGroup("a");
    expect(outcome(decideEvent({ ...rest, sender: { ...sender, otherIds: ["g1"] } }, rules))).toBe("denied");
  });
});

describe("who may give commands", () => {
  const open = { dm: "open", allowFrom: ["*"], group: "open" } as const;
  it("is not everybody who may speak, unless the operator says so, and never an owner by that", () => {
    for (const event of [direct("a"), inGroup("a")]) {
      expect(standing(decideEvent(event, rulesFor(open)))).toEqual(STRANGER);
      expect(standing(decideEvent(event, rulesFor(open, { everybodyMayCommand: true })))).toEqual(AUTHORISED);
    }
  });

  it.each<[string, Partial<ChannelPolicy>, object]>([
    ["groupAllowFrom", { groupAllowFrom: ["a"] }, AUTHORISED],
    ["groupAllowFrom beside everybody", { groupAllowFrom: ["*", "a"] }, AUTHORISED],
    ["the group's list", { groups: { g1: { allowFrom: ["a"] } } }, AUTHORISED],
    [
      "groupAllowFrom where the group is for everybody",
      { groupAllowFrom: ["a"], groups: { g1: { allowFrom: ["*"] } } },
      AUTHORISED,
    ],
    ["allowFrom", { allowFrom: ["a"] }, OWNER],
    ["a role", { groups: { g1: { roles: ["r1"] } } }, STRANGER],
  ])("in a group: whoever is named in %s", (_list, policy, expected) => {
    const { sender, ...rest } = inGroup("a");
    const decision = decideEvent(
      { ...rest, sender: { ...sender, roles: ["r1"] } },
      rulesFor({ group: "open", ...policy }),
    );
    expect(standing(decision)).toEqual(expected);
  });

  it("ownerAllowFrom says alone who is owner, and being owner does not open a door", () => {
    const rules = rulesFor({ dm: "allowlist", allowFrom: ["a", "b"], group: "open" });
    const withOwner = { ...rules, allowed: listsOf(rules.policy, ["b", "c"]) };
    expect(standing(decideEvent(direct("a"), withOwner))).toEqual(AUTHORISED);
    expect(standing(decideEvent(direct("b"), withOwner))).toEqual(OWNER);
    expect(outcome(decideEvent(direct("c"), withOwner))).toBe("denied");
    expect(standing(decideEvent(inGroup("c"), withOwner))).toEqual(OWNER);
    const withNone = { ...rules, allowed: listsOf(rules.policy, []) };
    expect(standing(decideEvent(direct("a"), withNone))).toEqual(AUTHORISED);
  });

  it("an approval counts where strangers may ask or everybody may write, and not beside a strict list", () => {
    const paired = { paired: new Set(["a"]) };
    const decide = (dm: ChannelPolicy["dm"]) => decideEvent(direct("a"), rulesFor({ dm, allowFrom: ["*"] }, paired));
    expect([standing(decide("pairing")), standing(decide("open"))]).toEqual([AUTHORISED, AUTHORISED]);
    expect(standing(decide("allowlist"))).toEqual(STRANGER);
  });

  it("an approved person is owner only if that was said when they were approved, and nobody is configured", () => {
    const paired = { paired: new Set(["a", "b"]), pairedOwners: new Set(["a", "z"]) };
    const rules = rulesFor({ dm: "pairing" }, paired);
    expect(standing(decideEvent(direct("a"), rules))).toEqual(OWNER);
    expect(standing(decideEvent(direct("b"), rules))).toEqual(AUTHORISED);
    expect(outcome(decideEvent(direct("z"), rules))).toBe("needs-pairing");
    const configured = { ...rules, allowed: listsOf(rules.policy, ["b"]) };
    expect(standing(decideEvent(direct("a"), configured))).toEqual(AUTHORISED);
  });
});

describe("what is addressed to us", () => {
  const REPLY: ChannelContent = { ...CONTENTS.message, replyTo: { id: "m0", isOurs: true } };
  const OTHER_REPLY: ChannelContent = { ...CONTENTS.message, replyTo: { id: "m0", isOurs: false } };
  const groups = (requireMention?: boolean) => ({ g1: requireMention === undefined ? {} : { requireMention } });
  const cases: ReadonlyArray<
    readonly [string, ChannelContent, AccessRules["activation"], boolean | undefined, string]
  > = [
    ["a message that names us", mention(), undefined, undefined, "allowed"],
    ["an answer to us", REPLY, undefined, undefined, "allowed"],
    ["an answer to somebody else", OTHER_REPLY, undefined, undefined, "heard"],
    ["a plain message", CONTENTS.message, undefined, undefined, "heard"],
    ["a plain message", CONTENTS.message, undefined, true, "heard"],
    ["a plain message", CONTENTS.message, undefined, false, "allowed"],
    ["a plain message", CONTENTS.message, "always", true, "allowed"],
    ["a plain message", CONTENTS.message, "mention", false, "heard"],
    ["words that mean us", { ...CONTENTS.message, text: "hey clara" }, undefined, undefined, "allowed"],
    ["an edit", CONTENTS.edit, undefined, undefined, "heard"],
    ["an edit with words that mean us", { ...CONTENTS.edit, text: "clara!" }, undefined, undefined, "allowed"],
    ["a command", CONTENTS.command, "mention", true, "allowed"],
    ["a button", CONTENTS.button, "mention", true, "allowed"],
  ];
  it.each(cases)(
    "%s (%j, activation %s, requireMention %s) is %s",
    (_what, content, activation, required, expected) => {
      const more = { activation, mention: { patterns: [/clara/i] } };
      const rules = rulesFor({ group: "open", groups: groups(required) }, more);
      expect(outcome(decideEvent(inGroup("a", content), rules))).toBe(expected);
    },
  );

  it("a group nothing is said about needs a mention, too", () => {
    expect(outcome(decideEvent(inGroup("a", CONTENTS.message), rulesFor({ group: "open" })))).toBe("heard");
  });

  it("a command in words needs no mention from those who may give it, and one from all others", () => {
    const rules = rulesFor({ group: "open", allowFrom: ["a"] });
    expect(outcome(decideEvent(inGroup("a", CONTENTS.message), rules, true))).toBe("allowed");
    expect(outcome(decideEvent(inGroup("b", CONTENTS.message), rules, true))).toBe("heard");
  });

  it("only those who may speak are heard", () => {
    const rules = rulesFor({ group: "allowlist", groups: groups(), groupAllowFrom: ["a"] });
    expect(outcome(decideEvent(inGroup("a", CONTENTS.message), rules))).toBe("heard");
    expect(outcome(decideEvent(inGroup("b", CONTENTS.message), rules))).toBe("denied");
  });

  it("says whether we were mentioned", () => {
    const rules = rulesFor({ dm: "open", allowFrom: ["*"] });
    expect(decideEvent(direct("a"), rules)).toMatchObject({ wasMentioned: false });
    expect(decideEvent(direct("a", mention()), rules)).toMatchObject({ wasMentioned: true });
  });
});
