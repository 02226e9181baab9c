// What a role adds to the rules about speaking, and what it never adds: every role in every place, and S-34 for roles.
import { describe, expect, it } from "vitest";
import { PERSON_ROLES, type ChannelPolicy, type PersonRole } from "@chela/sdk";
import { CONTENTS, direct, inGroup, listsOf, mention, rulesFor } from "./access.test-support.ts";
import { decideEvent, type AccessRules } from "./room.ts";

const withRole = (role: PersonRole | undefined, policy: Partial<ChannelPolicy>, more: Partial<AccessRules> = {}) =>
  rulesFor(policy, {
    ...more,
    ...(role ? { personOf: (ids) => (ids.includes("p") ? { id: "pat", role } : undefined) } : {}),
  });

describe("somebody with a role", () => {
  it.each([
    ["pairing", undefined, "needs-pairing"],
    ["pairing", "guest", "needs-pairing"],
    ["pairing", "member", "allowed"],
    ["pairing", "approver", "allowed"],
    ["pairing", "owner", "allowed"],
    ["allowlist", "guest", "denied"],
    ["allowlist", "member", "allowed"],
    ["open", "guest", "denied"],
    ["open", "member", "allowed"],
    ["disabled", "owner", "denied"],
  ] as const)("writes directly under %s as %s: %s", (dm, role, kind) => {
    expect(decideEvent(direct("p"), withRole(role, { dm })).kind).toBe(kind);
  });

  it.each([
    [{ group: "allowlist" }, "denied"],
    [{ group: "allowlist", groups: { g1: { allowFrom: ["a"] } } }, "denied"],
    [{ group: "allowlist", groups: { g9: {} } }, "ignored"],
    [{ group: "open", groupAllowFrom: ["a"] }, "denied"],
    [{ group: "open", groupAllowFrom: [] }, "denied"],
    [{ group: "disabled" }, "ignored"],
  ] as const)("gets into no group by it: %j", (policy, kind) => {
    for (const role of PERSON_ROLES)
      expect(decideEvent(inGroup("p"), withRole(role, policy as Partial<ChannelPolicy>)).kind).toBe(kind);
  });

  it.each([
    ["guest", { isAuthorised: false, isOwner: false }],
    ["member", { isAuthorised: false, isOwner: false }],
    ["approver", { isAuthorised: false, isOwner: false }],
    ["owner", { isAuthorised: true, isOwner: true }],
  ] as const)("is in an open group as %s what anybody is there, unless an owner", (role, standing) => {
    const decision = decideEvent(inGroup("p"), withRole(role, { group: "open" }));
    expect(decision).toMatchObject({ kind: "allowed", sender: { ...standing, person: { id: "pat", role } } });
  });

  it.each([
    ["member", { isAuthorised: true, isOwner: false }],
    ["approver", { isAuthorised: true, isOwner: false }],
    ["owner", { isAuthorised: true, isOwner: true }],
  ] as const)("stands in a direct chat as %s", (role, standing) => {
    expect(decideEvent(direct("p"), withRole(role, { dm: "allowlist" }))).toMatchObject({ sender: standing });
  });

  it("is an owner beside those who are named, also when nobody is", () => {
    const policy = { dm: "allowlist", allowFrom: [], group: "disabled", groups: {}, reactions: "off" } as const;
    const rules = withRole("owner", policy, { allowed: listsOf(policy, []) });
    expect(decideEvent(direct("p"), rules)).toMatchObject({ sender: { isOwner: true } });
    expect(decideEvent(direct("x"), rules).kind).toBe("denied");
  });

  it("is no owner and gives no commands as a guest, whatever the lists say", () => {
    const rules = withRole("guest", { dm: "allowlist", allowFrom: ["p"] }, { everybodyMayCommand: true });
    const standing = { isAuthorised: false, isOwner: false, person: { id: "pat", role: "guest" } };
    expect(decideEvent(direct("p"), rules)).toMatchObject({ kind: "allowed", sender: standing });
  });

  it("answers a question in a group as an approver without naming us", () => {
    const heard = (role: PersonRole) =>
      decideEvent(inGroup("p", CONTENTS.message), withRole(role, { group: "open" }), true).kind;
    expect([heard("approver"), heard("member"), heard("guest")]).toEqual(["allowed", "heard", "heard"]);
  });

  it("is nobody under the id of the place", () => {
    const rules = rulesFor(
      { group: "open" },
      { personOf: (ids) => (ids.includes("g1") ? { id: "pat", role: "owner" } : undefined) },
    );
    expect(decideEvent(inGroup("g1"), rules).kind).toBe("ignored");
    const event = inGroup("x");
    const both = { ...event, sender: { id: "x", otherIds: ["g1"] } };
    expect(decideEvent(both, rules)).toMatchObject({ sender: { isOwner: false } });
  });
});

describe("S-34: a lower role, or none, never gives more", () => {
  const POLICIES: Partial<ChannelPolicy>[] = (["pairing", "allowlist", "open", "disabled"] as const).flatMap((dm) =>
    [[], ["p"], ["*"], ["a"]].flatMap((allowFrom) =>
      (["allowlist", "open", "disabled"] as const).flatMap((group) => [
        { dm, allowFrom, group },
        { dm, allowFrom, group, groupAllowFrom: ["p"] },
        { dm, allowFrom, group, groups: { g1: { allowFrom: ["a"] } } },
      ]),
    ),
  );
  const SITUATIONS: Partial<AccessRules>[] = [
    {},
    { paired: new Set(["p"]), pairedOwners: new Set(["p"]) },
    { everybodyMayCommand: true },
  ];
  const EVENTS = [direct("p"), inGroup("p", mention()), inGroup("p", CONTENTS.command), direct("p", CONTENTS.reaction)];

  function authority(event: (typeof EVENTS)[number], rules: AccessRules): boolean[] {
    const decision = decideEvent(event, rules);
    const isAllowed = decision.kind === "allowed";
    const { isAuthorised, isOwner, person } = isAllowed ? decision.sender : {};
    const canApprove = isOwner === true || (isAllowed && person?.role === "approver");
    return [isAllowed, isAuthorised === true, isOwner === true, canApprove];
  }
  const isMore = (one: boolean[], other: boolean[]) => one.some((may, at) => may && !other[at]);

  it("for every policy, list and event", () => {
    let cases = 0;
    for (const policy of POLICIES)
      for (const more of SITUATIONS)
        for (const owners of [undefined, [], ["p"]])
          for (const event of EVENTS) {
            const of = (role: PersonRole | undefined): boolean[] => {
              const rules = withRole(role, policy, more);
              return authority(event, { ...rules, allowed: listsOf(rules.policy, owners) });
            };
            // From most to least; without a role there is what the configuration gives.
            const [owner, approver, member, guest] = PERSON_ROLES.map(of) as [
              boolean[],
              boolean[],
              boolean[],
              boolean[],
            ];
            const none = of(undefined);
            for (const [less, than] of [
              [approver, owner],
              [member, approver],
              [guest, member],
              [none, member],
              [guest, none],
            ] as const) {
              cases += 1;
              if (isMore(less, than)) throw new Error(JSON.stringify({ policy, owners, event, less, than }));
            }
          }
    expect(cases).toBeGreaterThan(5000);
  });
});
