// Which plugins may run, by what the owner says of them.
import { describe, expect, it } from "vitest";
import { EMPTY } from "../discover/discover.ts";
import type { FoundPlugin } from "../discover/found.ts";
import { NOTHING } from "../grants/grant.ts";
import { judgePlugins, type JudgeParts, type PluginSettings } from "./judge-plugins.ts";

const found = (id: string, over: Partial<FoundPlugin> = {}): FoundPlugin => ({
  id,
  origin: "global",
  root: `/plugins/${id}`,
  source: `/plugins/${id}`,
  entry: `/plugins/${id}/index.js`,
  manifest: EMPTY,
  warnings: [],
  ...over,
});

function judge(
  plugins: readonly FoundPlugin[],
  settings: PluginSettings = {},
  over: Partial<JudgeParts> = {},
): string[] {
  const judged = judgePlugins(plugins, {
    settings,
    approvalOf: (id) => ({ root: `/plugins/${id}`, digest: "d", grant: NOTHING, approvedAt: 0, by: "owner" }),
    whyInvalid: () => undefined,
    whyBroken: () => undefined,
    ...over,
  });
  return judged.map(({ id, state, found: plugin }) => `${id} ${plugin?.origin ?? "nowhere"} ${state.kind}`);
}

const memory = { ...EMPTY, kinds: ["memory"] };

describe("a plugin", () => {
  it.each<[string, Partial<FoundPlugin>, PluginSettings, string]>([
    ["runs where nobody says anything", {}, {}, "enabled"],
    ["does not while all are off", {}, { enabled: false }, "disabled"],
    [
      "does not when it is denied, whatever else is said",
      {},
      { deny: ["p"], allow: ["p"], entries: { p: { enabled: true } } },
      "disabled",
    ],
    ["does not when it is switched off", {}, { allow: ["p"], entries: { p: { enabled: false } } }, "disabled"],
    ["does not when others are allowed", {}, { allow: ["q"] }, "disabled"],
    ["runs when it is allowed", {}, { allow: ["p"] }, "enabled"],
    ["does not from a workspace by itself", { origin: "workspace" }, {}, "disabled"],
    [
      "runs from a workspace when it is switched on",
      { origin: "workspace" },
      { entries: { p: { enabled: true } } },
      "enabled",
    ],
    ["does not come along by itself", { origin: "bundled" }, {}, "disabled"],
    [
      "comes along when it says so",
      { origin: "bundled", manifest: { ...EMPTY, enabledByDefault: true } },
      {},
      "enabled",
    ],
    ["is no memory until it is chosen", { manifest: memory }, { entries: { p: { enabled: true } } }, "disabled"],
    ["is the memory that was chosen", { manifest: memory, origin: "workspace" }, { slots: { memory: "p" } }, "enabled"],
  ])("%s", (_, over, settings, state) => {
    const [first = ""] = judge([found("p", over)], settings);
    expect(first.split(" ").at(-1)).toBe(state);
  });

  it("waits for approval, also when another folder has it", () => {
    expect(judge([found("p")], {}, { approvalOf: () => undefined })).toEqual(["p global needs-approval"]);
    expect(judge([found("p", { root: "/elsewhere" })])).toEqual(["p global needs-approval"]);
  });

  it("keeps its id by the place it lies in; one in a workspace only when it was approved itself", () => {
    const work = found("p", { origin: "workspace", root: "/work/p" });
    const settings = { entries: { p: { enabled: true } } };
    expect(judge([work, found("p")], settings)).toEqual(["p workspace disabled", "p global enabled"]);
    const approvalOf = () => ({ root: "/work/p", digest: "d", grant: NOTHING, approvedAt: 0, by: "owner" });
    expect(judge([work, found("p")], settings, { approvalOf })).toEqual(["p workspace enabled", "p global disabled"]);
  });

  it("is told as missing when only the configuration knows it", () => {
    const settings = { allow: ["a"], entries: { b: {} }, slots: { memory: "c", contextEngine: "legacy" }, deny: ["p"] };
    expect(
      judge([found("p")], settings)
        .slice(1)
        .toSorted(),
    ).toEqual(["a nowhere missing", "b nowhere missing", "c nowhere missing"]);
  });
});
