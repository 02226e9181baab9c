// S-34: what is missing, empty or misspelt never lets anybody in. Every rule is taken away from every combination of rules.
import type { ChannelEvent, ChannelPolicy, GroupPolicy } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { CONTENTS, direct, inGroup, KINDS, listsOf, mention, rulesFor } from "./access.test-support.ts";
import { decideEvent, type AccessRules } from "./room.ts";

/**
 * "grants": taking it away never lets anybody do more. "narrows": it replaces something wider that is written elsewhere,
 * and taking it away leaves that. "neither": says nothing about who may do what. A new key has to be put in one of them.
 */
type Effect = "grants" | "narrows" | "neither";
const POLICY_KEYS: Record<keyof ChannelPolicy, Effect> = {
  dm: "grants",
  allowFrom: "grants",
  group: "grants",
  groupAllowFrom: "narrows",
  groups: "narrows",
  reactions: "grants",
};
const GROUP_KEYS: Record<keyof GroupPolicy, Effect> = {
  isEnabled: "narrows",
  group: "narrows",
  requireMention: "narrows",
  allowFrom: "narrows",
  roles: "narrows",
  topics: "narrows",
  systemPrompt: "neither",
  skills: "neither",
  tools: "neither",
  toolsBySender: "neither",
};
const RULE_KEYS: Record<keyof AccessRules, Effect> = {
  channel: "neither",
  account: "neither",
  policy: "grants",
  allowed: "grants",
  paired: "grants",
  pairedOwners: "grants",
  mention: "grants",
  activation: "narrows",
  selfIds: "neither",
  everybodyMayCommand: "grants",
  // Of guests it narrows; the tests of people say which role does what.
  personOf: "grants",
};

const LISTS = [[], ["a"], ["*"], ["b", "*"]];
const GROUPS: readonly ChannelPolicy["groups"][] = [
  {},
  { g1: { allowFrom: ["a"], requireMention: false } },
  { g1: { roles: ["r"], group: "open" }, "*": { allowFrom: ["*"] } },
  { g1: { isEnabled: false }, "*": { group: "allowlist", topics: { "7": { group: "open" } } } },
  { g2: { requireMention: true } },
];

function* everyPolicy(): Generator<ChannelPolicy> {
  for (const dm of ["pairing", "allowlist", "open", "disabled"] as const)
    for (const group of ["allowlist", "open", "disabled"] as const)
      for (const allowFrom of LISTS)
        for (const groupAllowFrom of [undefined, ...LISTS])
          for (const groups of GROUPS)
            yield { dm, group, allowFrom, groups, reactions: "all", ...(groupAllowFrom ? { groupAllowFrom } : {}) };
}

const SITUATIONS: ReadonlyArray<Partial<AccessRules>> = [
  {},
  { paired: new Set(["a"]), pairedOwners: new Set(["a"]), activation: "always" },
  { paired: new Set(["b"]), everybodyMayCommand: true, activation: "mention" },
];
const OWNERS: ReadonlyArray<readonly string[] | undefined> = [undefined, [], ["a"]];

function* everyRules(): Generator<AccessRules> {
  for (const policy of everyPolicy())
    for (const more of SITUATIONS)
      for (const owners of OWNERS) yield { ...rulesFor(policy, more), allowed: listsOf(policy, owners) };
}

const withRole = (event: ChannelEvent): ChannelEvent => ({ ...event, sender: { ...event.sender, roles: ["r"] } });
const EVENTS: readonly ChannelEvent[] = ["a", "x"].flatMap((who) => [
  direct(who),
  inGroup(who, mention()),
  inGroup(who, CONTENTS.message),
  inGroup(who, CONTENTS.reaction, { kind: "group", id: "g9", threadId: "7" }),
  withRole(inGroup(who, CONTENTS.command)),
]);

interface Authority {
  readonly speaks: boolean;
  readonly isAnswered: boolean;
  readonly isAuthorised: boolean;
  readonly isOwner: boolean;
}

function authority(event: ChannelEvent, rules: AccessRules): Authority {
  const decision = decideEvent(event, rules);
  const isAnswered = decision.kind === "allowed";
  const { isAuthorised, isOwner } = isAnswered ? decision.sender : { isAuthorised: false, isOwner: false };
  return { speaks: isAnswered || decision.kind === "heard", isAnswered, isAuthorised, isOwner };
}

const isMore = (one: Authority, other: Authority): boolean =>
  Object.keys(one).some((key) => one[key as keyof Authority] && !other[key as keyof Authority]);

/** Written apart from the code: the most that what is written can ever give this sender. */
function mostWritten({ sender, chat }: ChannelEvent, rules: AccessRules): Authority {
  const { policy, allowed, paired, pairedOwners } = rules;
  const flat = (groups: readonly GroupPolicy[]): GroupPolicy[] =>
    groups.flatMap((group) => [group, ...flat(Object.values(group.topics ?? {}))]);
  const groups = flat([...allowed.groups.values()]);
  const isDirect = chat.kind === "direct";
  const lists = isDirect
    ? [policy.allowFrom]
    : [policy.allowFrom, policy.groupAllowFrom, ...groups.map(({ allowFrom }) => allowFrom)];
  const isIn = (list: readonly string[] | undefined, id: string): boolean => list?.includes(id) ?? false;
  const isNamed = lists.some((list) => isIn(list, sender.id));
  const isPaired = isDirect && paired?.has(sender.id) === true;
  const isOpen = !isDirect && [policy, ...groups].some(({ group }) => group === "open");
  const hasRole = !isDirect && groups.some(({ roles }) => roles?.some((role) => sender.roles?.includes(role)));
  const speaks = isNamed || isPaired || isOpen || hasRole || lists.some((list) => isIn(list, "*"));
  const isOwner = allowed.owners
    ? allowed.owners.has(sender.id)
    : isIn(policy.allowFrom, sender.id) || (isPaired && pairedOwners?.has(sender.id) === true);
  const isAuthorised = isNamed || isPaired || isOwner || rules.everybodyMayCommand === true;
  return { speaks, isAnswered: speaks, isAuthorised, isOwner };
}

/** Everything that can be taken away, at every depth, and whether that must never give more. */
function* removals(rules: AccessRules): Generator<{ what: string; without: AccessRules; isGrant: boolean }> {
  const { policy, allowed } = rules;
  const remake = (changed: ChannelPolicy): AccessRules => ({
    ...rules,
    policy: changed,
    allowed: { ...allowed, groups: new Map(Object.entries(changed.groups ?? {})) },
  });
  for (const key of Object.keys(RULE_KEYS).filter((name) => name !== "policy" && name !== "allowed"))
    if (key === "paired" || key === "pairedOwners")
      yield { what: key, without: { ...rules, [key]: new Set() }, isGrant: true };
    else if (RULE_KEYS[key as keyof AccessRules] !== "neither" && key !== "mention")
      yield { what: key, without: without(rules, key), isGrant: RULE_KEYS[key as keyof AccessRules] === "grants" };
  for (const [key, effect] of Object.entries(POLICY_KEYS))
    yield { what: key, without: remake(without(policy, key)), isGrant: effect === "grants" };
  for (const [id, group] of Object.entries(policy.groups)) {
    yield { what: id, without: remake({ ...policy, groups: without(policy.groups, id) }), isGrant: false };
    for (const [key, effect] of Object.entries(GROUP_KEYS).filter(([name]) => Object.hasOwn(group, name))) {
      const changed = { ...policy.groups, [id]: without(group, key) };
      yield { what: `${id}.${key}`, without: remake({ ...policy, groups: changed }), isGrant: effect !== "narrows" };
    }
  }
  yield { what: "all ids", without: { ...rules, allowed: { ...allowed, people: new Map() } }, isGrant: true };
  yield { what: "owners", without: { ...rules, allowed: without(allowed, "owners") }, isGrant: false };
}

function without<T extends object>(value: T, key: string): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as T;
}

describe("taking rules away (S-34)", () => {
  it("never gives more than what is still written, and never more at all when the rule was a grant", () => {
    const broken: unknown[] = [];
    for (const rules of everyRules()) {
      const before = EVENTS.map((event) => authority(event, rules));
      for (const { what, without: fewer, isGrant } of removals(rules)) {
        for (const [index, event] of EVENTS.entries()) {
          const after = authority(event, fewer);
          const limit = isGrant ? before[index] : mostWritten(event, fewer);
          if (limit && isMore(after, limit) && broken.length < 5) broken.push({ what, event, rules, after, limit });
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it("an empty list gives less than any other", () => {
    const broken: unknown[] = [];
    for (const rules of everyRules()) {
      for (const key of ["allowFrom", "groupAllowFrom"] as const) {
        if (!rules.policy[key]) continue;
        const emptied = { ...rules, policy: { ...rules.policy, [key]: [] } };
        for (const event of EVENTS)
          if (isMore(authority(event, emptied), authority(event, rules)) && broken.length < 5)
            broken.push({ key, event, rules });
      }
    }
    expect(broken).toEqual([]);
  });

  it.each(["dm", "group", "reactions"] as const)("a word for %s that does not exist is a no", (key) => {
    for (const word of ["Open", "everyone", "", null, 1, true, ["open"], {}]) {
      const policy = { dm: "open", allowFrom: ["a", "*"], group: "open", reactions: "all", [key]: word };
      const rules = rulesFor(policy as unknown as ChannelPolicy, { paired: new Set(["a"]) });
      const events = {
        dm: KINDS.map((kind) => direct("a", CONTENTS[kind])),
        group: KINDS.map((kind) => inGroup("a", CONTENTS[kind])),
        reactions: [direct("a", CONTENTS.reaction), inGroup("a", CONTENTS.reaction)],
      };
      for (const event of events[key]) expect(["denied", "ignored"]).toContain(decideEvent(event, rules).kind);
    }
  });

  it("no list that is no list names anybody", () => {
    for (const list of [null, "a", "*", { 0: "a" }, 7, [["a"]], [null, undefined, 7]]) {
      const policy = { dm: "allowlist", allowFrom: list, group: "allowlist", groupAllowFrom: list };
      const rules = { ...rulesFor({}), policy: { ...rulesFor({}).policy, ...policy } as unknown as ChannelPolicy };
      const known = { ...rules, allowed: { people: new Map([["a", "a"]]), groups: new Map() } };
      expect(decideEvent(direct("a"), known).kind).toBe("denied");
      expect(decideEvent(inGroup("a"), known).kind).toBe("denied");
    }
  });
});
