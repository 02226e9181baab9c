// Where a finding lies.
import { expect, it } from "vitest";
import { sectionOf } from "./finding-place.ts";

it.each([
  ["tools.exec.security", "tools"],
  ["channels.telegram.accounts[0].allowFrom", "channels"],
  ["budgets", "budgets"],
  ["/home/ada/.openclaw/openclaw.json", undefined],
  ["OPENCLAW_GATEWAY_TOKEN", undefined],
  ["node", undefined],
])("%s", (where, section) => {
  expect(sectionOf({ where })).toBe(section);
});
