// How strict the gateway is, from configuration, file, session and call.
import { describe, expect, test } from "vitest";
import type { ExecRequest } from "@chela/sdk";
import { createWorld, listOf } from "./approvals-world.test-support.ts";
import type { ExecRules } from "./room.ts";

type Outcome = "runs" | "asks" | "refused";
type Call = Partial<Pick<ExecRequest, "security" | "ask" | "elevated">>;

async function outcomeOf(
  command: "ls" | "other",
  rules: readonly ExecRules[],
  file: object,
  call: Call = {},
): Promise<Outcome> {
  using world = createWorld(["ls", "other"]);
  world.person.answer = "deny";
  world.settings = { ...world.settings, rules };
  world.writeList({
    version: 1,
    ...file,
    agents: { main: { ...("main" in file ? (file.main as object) : {}), allowlist: [{ pattern: "ls" }] } },
  });
  const decision = await world.decide(command, call);
  if (decision.asked) return "asks";
  return decision.kind === "allowed" ? "runs" : "refused";
}

describe("the strictest place wins", () => {
  test.each<[string, readonly ExecRules[], object, Call, [listed: Outcome, other: Outcome]]>([
    ["nobody says anything", [], {}, {}, ["runs", "asks"]],
    ["configuration says deny", [{ security: "deny" }], {}, {}, ["refused", "refused"]],
    ["configuration says full", [{ security: "full" }], {}, {}, ["runs", "runs"]],
    [
      "configuration says full, the session allowlist",
      [{ security: "full" }, { security: "allowlist" }],
      {},
      {},
      ["runs", "asks"],
    ],
    [
      "configuration says full, the file allowlist",
      [{ security: "full" }],
      { defaults: { security: "allowlist" } },
      {},
      ["runs", "asks"],
    ],
    [
      "configuration says full, the file deny for this agent",
      [{ security: "full" }],
      { main: { security: "deny" } },
      {},
      ["refused", "refused"],
    ],
    [
      "the agent's part of the file comes before its defaults",
      [],
      { defaults: { security: "deny" }, main: { security: "allowlist" } },
      {},
      ["runs", "asks"],
    ],
    ["asking is off", [{ ask: "off" }], {}, {}, ["runs", "refused"]],
    ["asking is off here but always there", [{ ask: "off" }], { defaults: { ask: "always" } }, {}, ["asks", "asks"]],
    ["everything is asked about", [{ ask: "always" }], {}, {}, ["asks", "asks"]],
    ["full and asking always", [{ security: "full", ask: "always" }], {}, {}, ["asks", "asks"]],
    ["the call cannot widen", [], {}, { security: "full", ask: "off" }, ["runs", "asks"]],
    ["the call can narrow", [{ security: "full" }], {}, { security: "allowlist" }, ["runs", "asks"]],
    ["the call can refuse itself", [{ security: "full" }], {}, { security: "deny" }, ["refused", "refused"]],
    ["the call can ask for a question", [{ security: "full" }], {}, { ask: "always" }, ["asks", "asks"]],
    ["an unknown word is the strictest", [{ security: "FULL" }], {}, {}, ["refused", "refused"]],
    [
      "an unknown word of the file is the strictest",
      [{ security: "full" }],
      { defaults: { security: "everything" } },
      {},
      ["refused", "refused"],
    ],
    ["an unknown word for asking means always", [{ ask: "never" }], {}, {}, ["asks", "asks"]],
    ["elevated full runs everything", [], {}, { elevated: "full" }, ["runs", "runs"]],
    ["elevated full does not overrule deny", [{ security: "deny" }], {}, { elevated: "full" }, ["refused", "refused"]],
    ["elevated full is narrowed by the call", [], {}, { elevated: "full", ask: "always" }, ["asks", "asks"]],
    ["elevated with approvals keeps to the list and asks", [{ ask: "off" }], {}, { elevated: "ask" }, ["runs", "asks"]],
  ])("%s", async (_name, rules, file, call, expected) => {
    expect([await outcomeOf("ls", rules, file, call), await outcomeOf("other", rules, file, call)]).toEqual(expected);
  });
});

test("taking away what grants something never grants more", async () => {
  const rank = { refused: 0, asks: 1, runs: 2 };
  const granting: ExecRules[] = [{ security: "full" }, { ask: "off", security: "full" }, { askFallback: "full" }];
  for (const rules of granting) {
    const before = rank[await outcomeOf("other", [rules], {})];
    const after = rank[await outcomeOf("other", [{}], {})];
    expect(after).toBeLessThanOrEqual(before);
  }
});

describe("when nobody can be asked", () => {
  test.each([
    ["a program that is not on the list is refused at once", "other", {}, "denied"],
    ["a listed one still runs", "ls", {}, "allowed"],
    ["asking always refuses a listed one", "ls", { ask: "always" }, "denied"],
    ["askFallback allowlist lets a listed one run", "ls", { ask: "always", askFallback: "allowlist" }, "allowed"],
    ["askFallback full is no yes for others", "other", { askFallback: "full" }, "denied"],
    ["askFallback is deny when the word is unknown", "ls", { ask: "always", askFallback: "sure" }, "denied"],
  ])("%s", async (_name, command, rules, kind) => {
    using world = createWorld(["ls", "other"]);
    world.person = { isThere: false };
    world.settings = { ...world.settings, rules: [rules] };
    world.writeList(listOf({ pattern: "ls" }));
    const decision = await world.decide(command);
    expect(decision).toMatchObject({ kind, asked: false });
    if (decision.kind === "denied") expect(decision.why).toContain("Nobody who could approve it is connected");
  });
});

test("lists of other agents do not count, the list of all agents does", async () => {
  using world = createWorld(["cat", "head", "stat"]);
  world.person.answer = "deny";
  world.writeList({
    version: 1,
    agents: {
      main: { allowlist: [{ pattern: "cat" }] },
      "*": { allowlist: [{ pattern: "head" }] },
      other: { allowlist: [{ pattern: "stat" }] },
    },
  });
  const kinds = [];
  for (const command of ["cat", "head", "stat"]) kinds.push((await world.decide(command)).kind);
  expect(kinds).toEqual(["allowed", "allowed", "denied"]);
});

test("patterns that name everything without a path name nothing", async () => {
  using world = createWorld(["tool"]);
  world.person.answer = "deny";
  for (const pattern of ["*", "**", "to*", "t?ol", "./tool", "bin/tool", "", " tool", "TOOL"]) {
    world.writeList(listOf({ pattern }));
    expect(await world.decide("tool"), pattern).toMatchObject({ kind: "denied", asked: true });
  }
});

test("an empty list of safe filters means none, and a filter without a profile is not safe", async () => {
  using world = createWorld(["wc", "mytool"]);
  world.person.answer = "deny";
  expect(await world.decide("wc -l")).toMatchObject({ kind: "allowed" });
  world.settings = { ...world.settings, safeBins: [] };
  expect(await world.decide("wc -l")).toMatchObject({ kind: "denied" });
  world.settings = { ...world.settings, safeBins: ["mytool"] };
  expect(await world.decide("mytool")).toMatchObject({ kind: "denied" });
  world.settings = {
    ...world.settings,
    safeBinProfiles: { mytool: { maxPositional: 1, allowedValueFlags: ["-n", "--max"] } },
  };
  const allowed = ["mytool", "mytool word", "mytool -n 5 word", "mytool --max=5"];
  const refused = ["mytool a b", "mytool -x", "mytool --ma=5", "mytool /etc/passwd", "mytool ../x", "mytool -n"];
  for (const command of allowed) expect(await world.decide(command), command).toMatchObject({ kind: "allowed" });
  for (const command of refused) expect(await world.decide(command), command).toMatchObject({ kind: "denied" });
});
