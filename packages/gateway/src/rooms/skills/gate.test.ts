// Which skills can be used where, and what is said about the others.
import { expect, test } from "vitest";
import { gate, isVisible, type Surroundings } from "./gate.ts";
import { readSkill } from "./reading/read-skill.ts";

const skillOf = (openclaw: object) => {
  const read = readSkill(`---\ndescription: x\nmetadata: ${JSON.stringify({ openclaw })}\n---\n`, "pdf");
  if (read.kind === "broken") throw new Error(read.why);
  return read.skill;
};

const AROUND: Surroundings = {
  platform: "linux",
  hasProgram: (name) => name === "git",
  hasVariable: (name) => name === "THERE",
  isConfigured: (path) => path === "tools.web",
  settingsOf: () => ({ env: [], hasApiKey: false }),
};

test.each<[string, object, Partial<Surroundings>, string | undefined]>([
  ["nothing is needed", {}, {}, undefined],
  ["its system", { os: ["linux"] }, {}, undefined],
  ["another system", { os: ["macos"] }, {}, "It is for darwin; this is linux."],
  ["a program that is there", { requires: { bins: ["git"] } }, {}, undefined],
  ["one that is not", { requires: { bins: ["git", "jq"] } }, {}, "Programs are missing: jq."],
  ["one of several", { requires: { anyBins: ["jq", "git"] } }, {}, undefined],
  ["none of several", { requires: { anyBins: ["jq", "yq"] } }, {}, "One of these programs is needed: jq, yq."],
  ["a variable of the gateway's", { requires: { env: ["THERE"] } }, {}, undefined],
  ["one nobody set", { requires: { env: ["KEY"] } }, {}, "KEY is not set: write it to skills.entries.pdf.env.KEY."],
  [
    "its own variable",
    { primaryEnv: "KEY", requires: { env: ["KEY"] } },
    {},
    "KEY is not set: write it to skills.entries.pdf.apiKey.",
  ],
  [
    "its own variable as a key",
    { primaryEnv: "KEY", requires: { env: ["KEY"] } },
    { settingsOf: () => ({ env: [], hasApiKey: true }) },
    undefined,
  ],
  [
    "a variable from its settings",
    { requires: { env: ["KEY"] } },
    { settingsOf: () => ({ env: ["KEY"], hasApiKey: false }) },
    undefined,
  ],
  ["a setting that is on", { requires: { config: ["tools.web"] } }, {}, undefined],
  ["one that is off", { requires: { config: ["a.b"] } }, {}, "Settings are missing or off: a.b."],
  ["always", { always: true, requires: { bins: ["jq"], env: ["KEY"] } }, {}, undefined],
  ["always, on another system", { always: true, os: ["darwin"] }, {}, "It is for darwin; this is linux."],
  [
    "switched off",
    { always: true },
    { settingsOf: () => ({ enabled: false, env: [], hasApiKey: false }) },
    "It is switched off: skills.entries.pdf.enabled is false.",
  ],
])("%s", (_, openclaw, around, why) => {
  const verdict = gate(skillOf(openclaw), false, { ...AROUND, ...around });
  expect(verdict.why).toEqual(why === undefined ? [] : [why]);
  expect(verdict.isEligible).toBe(why === undefined);
});

test("the list of bundled ones is for bundled ones, by name or key", () => {
  const skill = skillOf({ skillKey: "documents" });
  const allowing = (...allowBundled: string[]) => gate(skill, true, { ...AROUND, allowBundled }).isEligible;
  expect([allowing(), allowing("other"), allowing("pdf"), allowing("documents")]).toEqual([false, false, true, true]);
  expect(gate(skill, false, { ...AROUND, allowBundled: [] }).isEligible).toBe(true);
});

test.each<[string, { agent?: string[]; chat?: string[] }, boolean]>([
  ["no list", {}, true],
  ["an empty list", { agent: [] }, false],
  ["the agent's list", { agent: ["pdf"] }, true],
  ["another chat's list", { agent: ["pdf"], chat: ["git"] }, false],
  ["a chat's list does not widen", { agent: ["git"], chat: ["pdf"] }, false],
])("visible by %s", (_, lists, expected) => {
  expect(isVisible(skillOf({}), lists)).toBe(expected);
});
